#!/bin/sh
# What affirm emit prints is one valid text in every form, whatever the names and however many modules: no name is defined twice.
# cvc5 and mlir-opt read the texts where they are installed.
#   emit_test.sh AFFIRM [MLIR-OPT]
set -u
affirm=$1 opt=${2:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
faults=0
fault() { echo "FAULT: $*"; sed 's/^/    | /' out err | head -40; faults=$((faults + 1)); }
says() { grep -qxF -- "$1" out || fault "no line: $1"; }
counts() { [ "$(grep -c -- "$2" out)" = "$1" ] || fault "not $1 lines with $2"; }
# Every name that the text defines, one a line. isl: what is assigned, the statements, and the tuples that are read.
defined() {
  case $1 in
    affine) sed -n 's/^ *func\.func \(private \)\{0,1\}@\([^(]*\).*/\2/p; s/^\(#[a-z0-9]*\) = .*/\1/p' out ;;
    smt2) sed -n 's/^(define-fun |\([^|]*\)|.*/\1/p; s/^(set-logic .*/set-logic/p' out ;;
    isl) awk '/ := [{]/ { part = $1; print part } /^  S/ && part ~ /^domain/ { sub(/\[.*/, ""); print }
        /^  S/ && part ~ /^reads/ { sub(/.* -> /, ""); sub(/\[.*/, ""); print }' out ;;
  esac
}
# emits STATUS FILE FORM NAMES OPTION...: the number of names that are defined
emits() {
  wanted=$1 file=$2 form=$3 names=$4
  shift 4
  "$affirm" emit "$file" --form "$form" "$@" >out 2>err
  got=$?
  [ $got -eq "$wanted" ] || fault "emit $file --form $form $*: exit status $got, not $wanted"
  defined "$form" >names
  [ "$(wc -l <names)" = "$names" ] || fault "emit $file --form $form $*: $(wc -l <names) names, not $names: $(cat names)"
  twice=$(sort names | uniq -d)
  [ -z "$twice" ] || fault "emit $file --form $form $*: defined twice: $twice"
  if [ "$form" = smt2 ] && command -v cvc5 >/dev/null; then
    { cat out; echo '(check-sat)'; } | cvc5 --lang=smt2 >err 2>&1 || fault "cvc5 rejects $file"
  fi
  if [ "$form" = affine ] && [ -x "$opt" ]; then "$opt" out >/dev/null 2>err || fault "mlir-opt rejects $file $*"; fi
}

command -v cvc5 >/dev/null || echo "skipped: cvc5 is not here to read SMT-LIB"
[ -x "$opt" ] || echo "skipped: mlir-opt is not here to read the affine form"

# A map that contains more than what is read says so.
printf 'ENTRY e {\n  p = f32[16] parameter(0)\n  ROOT r = c64[9] fft(p), fft_type=RFFT, fft_length={16}\n}\n' >more.hlo
for form in affine isl smt2; do
  "$affirm" emit more.hlo --form "$form" >out 2>err
  counts 2 'r in e; over-approximation: reads all along the transformed dimensions'
done
counts 0 'p in e'

# The same name in two computations.
cat >computations.hlo <<'END'
HloModule m
c {
  p = f32[3] parameter(0)
  ROOT a = f32[3] negate(p)
}
ENTRY e {
  p = f32[3] parameter(0)
  r = f32[3] fusion(p), kind=kLoop, calls=c
  ROOT a = f32[3] reverse(r), dimensions={0}
}
END
emits 0 computations.hlo smt2 7 --all
says '; a in c'
says '; a in e'
counts 1 '^(define-fun |a_o2i_output_0_operand_0_0_map_0_n2| '
emits 0 computations.hlo isl 15 --all
says '# S0: a in c'
emits 0 computations.hlo affine 12 --all
says '// a in c'
emits 0 computations.hlo affine 13 --all --canonical # and one alias of a map
says '// a_o2i_output_0_operand_0_0_map_0: a in c'
says '// a_o2i_output_0_operand_0_0_map_0_n2: a in e'

# Names that differ only in what isl and MLIR cannot write.
cat >alike.hlo <<'END'
HloModule m
c.1 {
  p.1 = f32[3] parameter(0)
  ROOT a.1 = f32[3] negate(p.1)
}
c_1 {
  p_1 = f32[3] parameter(0)
  a_1 = f32[3] reverse(p_1), dimensions={0}
  a-1 = f32[3] negate(a_1)
  ROOT a.1 = f32[3] reverse(a-1), dimensions={0}
}
ENTRY e {
  p = f32[3] parameter(0)
  a.1 = f32[3] fusion(p), kind=kLoop, calls=c.1
  a_1 = f32[3] fusion(a.1), kind=kLoop, calls=c_1
  true = f32[3] negate(a_1)
  x1 = f32[3] negate(true)
  ROOT and = f32[3] negate(x1)
}
END
emits 0 alike.hlo smt2 19 --all
emits 0 alike.hlo isl 39 --all
emits 0 alike.hlo affine 36 --all
emits 0 alike.hlo affine 37 --all --canonical

# Several modules are one text.
cat >modules.hlo <<'END'
HloModule a
ENTRY e {
  p = f32[3] parameter(0)
  ROOT r = f32[3] negate(p)
}
HloModule b
ENTRY e {
  p = f32[3] parameter(0)
  ROOT r = f32[3] reverse(p), dimensions={0}
}
END
emits 0 modules.hlo smt2 5
says '; module 2: b'
emits 0 modules.hlo isl 14
says '# module 1: a'
says '# module 2: b'
says 'domain_2 := {'
says '  S2[d0] -> [2, d0];'
emits 0 modules.hlo affine 8
says '// module 2: b'
emits 0 modules.hlo affine 9 --canonical # one alias of a map for both modules
says '// module 2: b'
counts 1 '^module {'
# A module that cannot be read changes nothing in the others.
sed 's/negate(p)/negate(q)/' modules.hlo >part.hlo
emits 3 part.hlo affine 4
emits 3 part.hlo isl 7
says 'reads_2 := {'
# What has no map is a remark, also inside of the text that MLIR reads as a whole.
sed 's/negate(p)/custom-call(p), custom_call_target="t"/' modules.hlo >without.hlo
for form in smt2 isl affine; do
  case $form in smt2) names=3 ;; isl) names=7 ;; affine) names=4 ;; esac
  emits 2 without.hlo $form $names
  counts 2 '^[/#;]* left out: r_[oi2]*_output_0_operand_0_0_map_0, r in e: '
done
emits 2 without.hlo affine 5 --canonical

# The empty relation is printed with its name.
printf 'HloModule m\nENTRY e {\n  p = f32[0] parameter(0)\n  ROOT r = f32[0] negate(p)\n}\n' >empty.hlo
emits 0 empty.hlo smt2 3
says '(define-fun |r_o2i_output_0_operand_0_0_map_0| () Bool'
emits 0 empty.hlo isl 7
says '  S0[] -> r_o2i_output_0_operand_0_0_map_0[];'
emits 0 empty.hlo affine 4

[ $faults -eq 0 ] && echo "all texts are valid"
exit $faults
