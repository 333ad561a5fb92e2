#!/bin/sh
# Foreign engines on the command line: the examples pass, every command that accepts an engine detects every mutant, and the run continues after it.
#   engine_test.sh AFFIRM ROOT DIRECTORY    DIRECTORY: where the engines are built
set -u
affirm=$1 root=$2 built=$3
export LC_ALL=C
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
. "$(dirname "$0")/wants.sh"
cd "$here" || exit 1

cat >maps.txt <<'END'
(d0) -> (d0 mod 8), domain: d0 in [0, 8]
(d0, d1)[s0]{rt0} -> ((d0 * 16 + d1) floordiv 8 + s0, rt0 ceildiv 3), domain: d0 in [0, 3], d1 in [0, 15], s0 in [0, 2], rt0 in [0, 6], d0 + d1 in [0, 17]
(d0) -> (d0), domain: d0 in [0, 1099511627775]
END
cat >pair.case <<'END'
# compose_of_two
compose (d0)[s0] -> (d0 * 2 + s0), domain: d0 in [0, 3], s0 in [0, 1] ; (d0)[s0] -> (d0 mod 3, s0), domain: d0 in [0, 6], s0 in [0, 4]
= (d0)[s0, s1] -> ((d0 * 2 + s0) mod 3, s1), domain: d0 in [0, 3], s0 in [0, 1], s1 in [0, 4], d0 * 2 + s0 in [0, 6]
END
cat >chain.hlo <<'END'
HloModule chain
ENTRY e {
  p0 = f32[8,6] parameter(0)
  r = f32[48] reshape(p0)
  s = f32[20] slice(r), slice={[4:44:2]}
  ROOT v = f32[4,5] reshape(s)
}
END

# Only the first engine is asked a whole scope, the others a quarter of it. With a sanitizer, all are asked a sixteenth, and two files of reference
# cases of many.
whole='' quarter='--shard 0/4' reference=$root/corpus/reference
if [ -n "${AFFIRM_FEW:-}" ]; then
  quarter='--shard 0/16'
  whole=$quarter reference=reference
  mkdir reference
  cp "$root/corpus/reference/broadcast.case" "$root/corpus/reference/reshape.case" reference
  echo "skipped: fifteen of sixteen parts of a scope, and the reference cases of all but two files"
fi

# --- correct engines ---
engines="$built/libengine_mlir.so"
if [ -e "$built/libengine_isl.so" ]; then engines="$engines $built/libengine_isl.so"; else echo "skipped: isl is not here"; fi
for engine in $engines; do
  wants 0 '3 proved, 0 refuted, 0 unknown' "$affirm" check maps.txt --engine "$engine"
  wants 0 '1 passed, 0 failed' "$affirm" check pair.case --engine "$engine"
  wants 0 'operands 6: 6 exact' "$affirm" check chain.hlo --all --engine "$engine"
  # shellcheck disable=SC2086
  wants 0 'exact' "$affirm" exhaust --scope reverse $whole --engine "$engine" --jobs 2
  whole=$quarter
  wants 0 'simplify .* 9 ' "$affirm" score maps.txt chain.hlo --engine "$engine" --show 0
  wants 0 '"verb":"compose","asked":[1-9]' "$affirm" score chain.hlo --engine "$engine" --json
  wants 0 ' 0 findings' "$affirm" fuzz --engine "$engine" --runs 60 --target graph --corpus right --seeds "$root/corpus/seeds"
done
# The algebra is affirm's own: a foreign engine has not passed these cases.
printf '# points\nalgebra points (d0) -> (d0), domain: d0 in [0, 4]\n= 5\n\n# bounds\nholds image (d0) -> (d0), domain: d0 in [0, 4]\nproved\n' >algebra.case
wants 0 'cases 2: 2 passed' "$affirm" check algebra.case
wants 2 'cases 2: 0 passed, 0 failed, 2 unknown' "$affirm" check algebra.case --engine "$built/libengine_mlir.so"
# Cases of which the engine is asked nothing say nothing about it, whether they pass, fail, or must fail.
{
  printf '# same\nsame (d0) -> (d0 mod 20), domain: d0 in [0, 9] ; (d0) -> (d0), domain: d0 in [0, 9]\nproved\n\n'
  printf '# contained\ncontained (d0) -> (d0), domain: d0 in [0, 9] ; (d0) -> (d0), domain: d0 in [0, 9]\nproved\n\n'
  printf '# relation\nsame-relation (d0) -> (d0), domain: d0 in [0, 9] ; (d0) -> (d0), domain: d0 in [0, 9]\nproved\n\n'
  printf '# parse\nparse (d0) -> (d0), domain: d0 in [0, 9]\n= (d0) -> (d0), domain: d0 in [0, 9]\n\n'
  printf '# given\ncheck o2i 0 0 hlo\np = f32[4] parameter(0)\nROOT r = f32[4] copy(p)\nend\nmap (d0) -> (d0), domain: d0 in [0, 3]\nexact\n\n'
  printf '# prove\nprove rules\nrule r x + 0 => x\nend\nproved\n'
} >unasked.case
printf '# same\nsame (d0) -> (d0), domain: d0 in [0, 9] ; (d0) -> (d0), domain: d0 in [0, 9]\nrefuted\n' >unasked.bad.case
wants 0 'cases 7: 7 passed' "$affirm" check unasked.case unasked.bad.case
for command in "--engine $built/libengine_mlir.so" "--engine-cmd 'sh $root/examples/engine-shell/engine.sh'"; do
  eval "wants 2 'cases 7: 0 passed, 0 failed, 7 unknown' \"\$affirm\" check unasked.case unasked.bad.case $command"
done
# So does a module without any map to simplify.
printf 'HloModule m\nENTRY e {\n  p = (f32[4], f32[4]) parameter(0)\n  ROOT r = f32[4] get-tuple-element(p), index=1\n}\n' >leaf.hlo
wants 2 'was asked nothing$' "$affirm" check leaf.hlo --operand 0.0 --engine "$built/libengine_mlir.so"
wants 0 'operands 4: 4 exact' "$affirm" check leaf.hlo --engine "$built/libengine_mlir.so"
wants 2 'cases .* 0 failed, ' "$affirm" check "$reference" --engine "$built/libengine_mlir.so" --quiet
AFFIRM_FAULT=wrong wants 1 'cases .* [1-9][0-9]* failed' "$affirm" check "$reference" --engine "$built/libengine_faulty.so" --quiet
for command in "sh $root/examples/engine-shell/engine.sh" "python3 $root/examples/engine-python/engine.py"; do
  case $command in python3*) command -v python3 >/dev/null || { echo "skipped: no python3"; continue; } ;; esac
  wants 0 '3 proved, 0 refuted, 0 unknown' "$affirm" check maps.txt --engine-cmd "$command"
  wants 2 'cases 1: 0 passed, 0 failed, 1 unknown' "$affirm" check pair.case --engine-cmd "$command"
  # shellcheck disable=SC2086
  wants 0 'exact' "$affirm" exhaust --scope reverse $quarter --engine-cmd "$command" --jobs 1
done
wants 0 'analyse  *affirm' "$affirm" score chain.hlo

# --- mutants: each has its own verdict, and the questions after it are judged ---
faulty="$built/libengine_faulty.so"
# row PATTERN MILLISECONDS
row() {
  wants 1 "$1" "$affirm" check maps.txt --engine "$faulty" --engine-time "$2"
  grep -q 'simplified maps 3: 2 proved, 1 refuted' out || { echo "FAULT: the run did not go on: $AFFIRM_FAULT"; faults=$((faults + 1)); }
  replay=$(sed -n 's/^ *replay *//p' out | head -1 | sed "s#affirm check#$affirm check#")
  wants 1 "$1" sh -c "$replay --engine-time $2"
}
enough=120000 # milliseconds: longer than anything that ends takes, even on a busy machine
while read -r fault words; do
  export AFFIRM_FAULT=$fault
  if [ "$fault" = hang ]; then # with a time limit that grows until the engine's other answers fit
    milliseconds=500 before=$faults
    while row "$words" $milliseconds >row.out && [ $faults -gt $before ] && [ $milliseconds -lt $enough ]; do
      faults=$before milliseconds=$((milliseconds * 4))
    done
    [ $faults -eq $before ] || cat row.out
  else
    row "$words" $enough
  fi
done <<'END'
wrong before (1), after (0)
crash engine: crashed: SIGSEGV
abort engine: aborted: SIGABRT; its last words: engine.c:7
exit engine: exited: with status 7
hang engine: hung: no answer in time
endless engine: endless output: an answer longer
garbage engine: garbage: 1:5
rank engine: wrong rank: 3 dimensions
null engine: garbage: a line that is no answer
memory engine: aborted
END
while read -r fault column; do
  export AFFIRM_FAULT=$fault
  wants 1 "$column" "$affirm" exhaust --scope maps --shard 1/1000 --engine "$faulty" --engine-time $enough --jobs 1 --show 1
  grep -q 'INCOMPLETE' out && { echo "FAULT: exhaust is not complete: $fault"; faults=$((faults + 1)); }
  wants 1 "/findings/simplify-" "$affirm" fuzz --engine "$faulty" --engine-time $enough --runs 30 --target simplify --corpus "fz-$fault" --seeds "$root/corpus/seeds"
  found=$(ls fz-"$fault"/findings/*.case 2>/dev/null | head -1)
  [ "$(sed -n 's/^keeps //p' "$found" | wc -c)" -le 60 ] || { echo "FAULT: not made small: $found"; cat "$found"; faults=$((faults + 1)); }
  replay=$(sed -n 's/^.*replay: affirm //p' "$found")
  wants 1 '1 failed' sh -c "$affirm $replay --engine-time $enough"
  wants 1 "^simplify .* 3 " "$affirm" score maps.txt --engine "$faulty" --engine-time $enough
done <<'END'
wrong differs
crash broken
END
# --- groups: two faults form two groups; accepting one hides no other; --only ---
two='exhaust --scope maps --shard 1/100 --jobs 2'
export AFFIRM_FAULT=two
wants 1 '^simplify  *other/result-by-one  *[1-9][0-9]*  case [0-9]*; case [0-9]*; case ' "$affirm" $two --engine "$faulty" --show 9
grep -q '^simplify  *other/mod-for-floordiv  *[1-9][0-9]*  case' out || { echo 'FAULT: the second fault is hidden'; faults=$((faults + 1)); }
[ "$(grep -c '^case [0-9]*:' out)" -le 9 ] && [ "$(grep -c '^case [0-9]*:' out)" -ge 2 ] || { echo 'FAULT: not each group has a case'; faults=$((faults + 1)); }
for engine in two loose; do echo "(d0) -> (d0 mod 8), domain: d0 in [0, 8]"; done >twice.txt
echo "(d0) -> (d0 mod 8 + d0 floordiv 4), domain: d0 in [0, 80]" >>twice.txt
mkdir many && cp twice.txt maps.txt many
wants 1 '^simplify  *other/result-by-one  *3  many/maps.txt:1; many/twice.txt:1; many/twice.txt:2$' "$affirm" check many --engine "$faulty" --quiet
grep -q '^simplify  *other/mod-for-floordiv  *1  many/twice.txt:3$' out || { echo 'FAULT: no second group in the table'; faults=$((faults + 1)); }
export AFFIRM_FAULT=loose
wants 1 '^simplify  *extra/bound-by-one ' "$affirm" $two --engine "$faulty" --show 0
printf '# documented\nsimplify/extra/bound-by-one  one point more\n' >accepted
wants 0 'accepted over-approximations 3' "$affirm" check twice.txt --engine "$faulty" --accept accepted
wants 1 '^simplify  *other/result-by-one ' env AFFIRM_FAULT=two "$affirm" check twice.txt --engine "$faulty" --accept accepted
echo 'simplify/other/result-by-one' >accepted
wants 3 'is no over-approximation' "$affirm" check twice.txt --engine "$faulty" --accept accepted
wants 3 'accept needs --engine' "$affirm" check twice.txt --accept accepted
# Each crash starts the engine anew.
export AFFIRM_FAULT=crash
few='exhaust --scope maps --shard 1/1000 --jobs 2'
wants 1 '^case [0-9]*: broken' "$affirm" $few --engine "$faulty" --only crashed
wants 1 'crashed/SIGSEGV' "$affirm" $few --engine "$faulty" --only wrong
grep -q '^case ' out && { echo 'FAULT: --only wrong explains a crash'; faults=$((faults + 1)); }
wants 3 "no case ends as 'nothing'" "$affirm" $few --engine "$faulty" --only nothing
AFFIRM_FAULT=grow wants 0 '^maps .* same [0-9]*, unsettled [1-9]' "$affirm" $two --engine "$faulty" --twice --show 0
grep -q '^simplify  *unsettled/once-more  *[1-9]' out || { echo 'FAULT: no group of what is not idempotent'; faults=$((faults + 1)); }
AFFIRM_FAULT=grow wants 0 ' -> (0 + .*, then .* -> (0 + 0 + ' "$affirm" $two --engine "$faulty" --twice --only unsettled
AFFIRM_FAULT=grow wants 0 '^maps .* cases, same 2944,' "$affirm" $two --engine "$faulty" --show 0
AFFIRM_FAULT=forget wants 1 '^simplify  *extra/add-constraint ' "$affirm" exhaust --scope maps-congruences --shard 1/4 --twice --engine "$faulty" --show 0
AFFIRM_FAULT=late wants 1 'only after 2 earlier questions' "$affirm" check twice.txt --engine "$faulty"
wants 2 'simplified maps 3: 2 proved, 0 refuted, 1 unknown' env AFFIRM_FAULT=not-offered "$affirm" check maps.txt --engine "$faulty"
wants 2 'simplified maps 3: 2 proved, 0 refuted, 1 unknown' env AFFIRM_FAULT=overflow "$affirm" check maps.txt --engine "$faulty"
# What an engine declines or calls undefined is open, in every command and for every kind of scope.
for scope in maps-congruences compositions reverse; do
  wants 2 '[ ,]declined [1-9]' env AFFIRM_FAULT=reject AFFIRM_FAULT_ALL=1 "$affirm" exhaust --scope $scope --shard 0/50 --all-judges 0 --engine "$faulty" --show 0 --jobs 1
  grep -q 'refused' out && { echo "FAULT: a refusal is a failed case of $scope"; faults=$((faults + 1)); }
  wants 2 '[ ,]undefined [1-9]' env AFFIRM_FAULT=undefined AFFIRM_FAULT_ALL=1 "$affirm" exhaust --scope $scope --shard 0/50 --all-judges 0 --engine "$faulty" --show 0 --jobs 1
done
# --- compositions of a scope are scored; --opcodes of graphs: excluded graphs are counted and are in no finding ---
wants 1 'compose .* 60 *0 *0 *0 *0 *60 ' env AFFIRM_FAULT=wrong "$affirm" score --scope compositions --cases 60 --engine "$faulty" --show 0 --without-ours
wants 0 'compose .* 60 *60 ' "$affirm" score --scope compositions --cases 60 --engine "$built/libengine_mlir.so" --without-ours
AFFIRM_FAULT=wrong wants 1 '^left out by --opcodes: [1-9]' "$affirm" fuzz --engine "$faulty" --runs 300 --target graph --opcodes reshape,bitcast --corpus chosen --seeds "$root/corpus/seeds"
# A question without a map to simplify never reaches the engine and does not count as passed. For tuple and copy each question is one request.
wants 0 '^not asked, without a map to simplify: [1-9]' "$affirm" fuzz --engine "$faulty" --runs 300 --target graph --opcodes tuple,copy --corpus unasked --seeds "$root/corpus/seeds"
asked=$(sed -n 's/^graph .* \([0-9]*\) question.*/\1/p' out) requests=$(sed -n 's/^faulty .* \([0-9]*\) request.*/\1/p' out)
[ "${asked:-0}" -gt 0 ] && [ "$asked" = "$requests" ] || { echo "FAULT: $asked questions of $requests requests"; faults=$((faults + 1)); }
others() { ls "$1/findings" | grep -vE '^graph-(reshape|bitcast|fusion|call|copy|tuple|get-tuple-element)-'; }
others chosen && { echo 'FAULT: another opcode was asked about'; faults=$((faults + 1)); }
# The same for scopes: cases with other operations are counted as left out, a run without any other case is open, and a journal records its
# opcodes.
wants 0 'exact [0-9]*, left out [1-9]' "$affirm" exhaust --scope wrapped --opcodes transpose --all-judges 0 --engine "$built/libengine_mlir.so"
wants 2 'left out 11203' "$affirm" exhaust --scope transpose --opcodes reshape --all-judges 0 --engine "$built/libengine_mlir.so"
wants 2 '"answer":"open"' "$affirm" exhaust --scope transpose --opcodes reshape --all-judges 0 --engine "$built/libengine_mlir.so" --json
# An engine that cannot state a loss: check accepts a map with more than the reads, exhaust rejects it, and the printed command fails as the case did.
cat >loose.sh <<'END'
#!/bin/sh
tab=$(printf '\t')
while IFS=$tab read -r number verb rest; do
  case "$verb $rest" in
    hello*) printf '%s\tengine\t1\tloose\tanalyse\n' "$number" ;;
    *o2i*'f32[3]'*'slice={[0:3:2]}'*) printf '%s\tanswer\t(d0) -> (d0 * 2), domain: d0 in [0, 1]\n' "$number" ;;
    *i2o*'f32[3]'*'slice={[0:3:2]}'*) printf '%s\tanswer\t(d0) -> (d0 floordiv 2), domain: d0 in [0, 2]\n' "$number" ;;
    *) printf '%s\tnot-offered\n' "$number" ;;
  esac
done
END
chmod +x loose.sh
wants 1 'case 17: not inverse relation' "$affirm" exhaust --scope slice --shard 0/100 --engine-cmd ./loose.sh --all-judges 0 --jobs 1
replay=$(sed -n 's/^  replay  *//p' out | head -1 | sed "s|affirm |$affirm |g")
wants 1 'over-approximation that the text does not declare' sh -c "$replay"
wants 0 'over-approximation' sh -c "${replay% --exact}"
# A case that is the smallest of two groups is explained once, with the names of both.
cat >mirror.sh <<'END'
#!/bin/sh
tab=$(printf '\t')
while IFS=$tab read -r number verb rest; do
  case "$verb $rest" in
    hello*) printf '%s\tengine\t1\tmirror\tanalyse\n' "$number" ;;
    *'f32[3]'*reverse*) printf '%s\tanswer\t(d0) -> (d0), domain: d0 in [0, 2]\n' "$number" ;;
    *) printf '%s\tnot-offered\n' "$number" ;;
  esac
done
END
chmod +x mirror.sh
mirrored='exhaust --scope reverse --shard 1/34 --engine-cmd ./mirror.sh --all-judges 0 --jobs 1'
# shellcheck disable=SC2086
wants 1 '^case 130 is the smallest of reverse-i2o/other/result, reverse-o2i/other/result$' "$affirm" $mirrored
[ "$(grep -c '^case 130: wrong' out)" = 2 ] || { echo "FAULT: a case is explained again for each group"; cat out; faults=$((faults + 1)); }
# shellcheck disable=SC2086
wants 1 'wrong 1' "$affirm" $mirrored --only missing
! grep -q '^case 130' out || { echo "FAULT: a group that is not wanted is explained"; cat out; faults=$((faults + 1)); }
wants 3 'has no modules' "$affirm" exhaust --scope maps --opcodes reshape --engine "$built/libengine_mlir.so"
wants 3 'opcodes separated by commas' "$affirm" exhaust --scope transpose --opcodes nothing
wants 0 'exact' "$affirm" exhaust --scope transpose --opcodes transpose --all-judges 0 --journal opcodes
wants 3 'another run' "$affirm" exhaust --scope transpose --opcodes transpose,reverse --all-judges 0 --journal opcodes --resume
wants 3 'opcodes separated by commas' "$affirm" fuzz --engine "$faulty" --runs 1 --opcodes nothing --corpus chosen --seeds "$root/corpus/seeds"
unset AFFIRM_FAULT
# The words of the protocol: `rejected` is open, in both spellings; any unknown word is garbage.
cat >words.sh <<'END'
tab=$(printf '\t')
while IFS=$tab read -r number verb rest; do
  case $verb in
    hello) printf '%s\tengine\t1\twords\tsimplify\n' "$number" ;;
    *) printf '%s\t%s\ttoo large\n' "$number" "$WORD" ;;
  esac
done
END
WORD=rejected wants 2 'engine: refused: too large' "$affirm" check maps.txt --engine-cmd 'sh words.sh'
WORD=refused wants 2 'engine: refused: too large' "$affirm" check maps.txt --engine-cmd 'sh words.sh'
WORD=rejects wants 1 'engine: garbage: a line that is no answer' "$affirm" check maps.txt --engine-cmd 'sh words.sh'

# --- an engine that analyses: affirm itself over a pipe, with all pairs of the instruction in print_indexing's format; then with altered answers ---
cat >dynamic.hlo <<'END'
HloModule dynamic
ENTRY e {
  p0 = f32[8,6] parameter(0)
  i = s32[] parameter(1)
  j = s32[] parameter(2)
  ROOT r = f32[4,5] dynamic-slice(p0, i, j), dynamic_slice_sizes={4,5}
}
END
cat >analyse.sh <<'END'
tab=$(printf '\t')
while IFS=$tab read -r number verb direction instruction output operand leaf module; do
  case $verb in
    hello) printf '%s\tengine\t1\taffirm itself\tanalyse\n' "$number" ;;
    analyse)
      printf '%b' "$module" >module.hlo
      answer=$($AFFIRM map module.hlo --instruction "$instruction" --style xla | sed "$BEND" | awk '{printf "%s\\n", $0}')
      printf '%s\tanswer\t%s\n' "$number" "$answer" ;;
    *) printf '%s\tnot-offered\n' "$number" ;;
  esac
done
END
export AFFIRM=$affirm BEND=
wants 0 'operands 6: 6 exact' "$affirm" check chain.hlo --all --engine-memory 0 --engine-cmd 'sh analyse.sh'
wants 0 'operands 6: 6 exact' "$affirm" check dynamic.hlo --engine-memory 0 --engine-cmd 'sh analyse.sh'
wants 0 'analyse  *affirm itself  *6  *6 ' "$affirm" score chain.hlo --engine-memory 0 --engine-cmd 'sh analyse.sh'
BEND='s/d0 + rt0/d0 + rt1/' wants 1 'operands 6: 5 exact, 0 over-approximation, 0 inexact, 1 wrong' "$affirm" check dynamic.hlo --engine-memory 0 --engine-cmd 'sh analyse.sh'
BEND='s/(d0) -> (d0 \* 2 + 4), domain: d0 in \[0, 19\]/(d0)[s0] -> (d0 * 2 + s0), domain: d0 in [0, 19], s0 in [4, 5]/' wants 0 'operands 2: 1 exact, 1 over-approximation' \
  "$affirm" check chain.hlo --instruction s --engine-memory 0 --engine-cmd 'sh analyse.sh'
BEND='s/(d0, d1) -> (), domain: d0 in \[0, 3\], d1 in \[0, 4\]/(d0) -> (), domain: d0 in [0, 3]/' wants 1 '4 exact.* 2 broken' "$affirm" check dynamic.hlo --engine-memory 0 --engine-cmd 'sh analyse.sh'
grep -q 'wrong rank: the map has 1 dimension,' out || { echo 'FAULT: no wrong rank'; faults=$((faults + 1)); }
BEND='s/Output 0/Output 9/' wants 1 '3 exact.* 3 broken' "$affirm" check dynamic.hlo --engine-memory 0 --engine-cmd 'sh analyse.sh'
BEND='s/^(.*/nonsense/' wants 1 '6 broken' "$affirm" check dynamic.hlo --engine-memory 0 --engine-cmd 'sh analyse.sh'
# More elements than are enumerated: the proof names the fault, and its witness is printed.
printf 'HloModule big\nENTRY e {\n  p = f32[10000] parameter(0)\n  ROOT r = f32[10000] reverse(p), dimensions={0}\n}\n' >big.hlo
BEND='s/9999]/9998]/' wants 1 '"answer":"wrong","judges":"smt".*"point":\[9999\],"element":\[0\]' "$affirm" check big.hlo --json --engine-memory 0 --engine-cmd 'sh analyse.sh'
BEND='s/9999]/9998]/' wants 1 'reverse-o2i  *missing/bound-by-one  *1 ' "$affirm" check big.hlo --table --engine-memory 0 --engine-cmd 'sh analyse.sh'
BEND='s/^(.*/UNDEFINED/; /^r/d' wants 2 ' 6 undefined' "$affirm" check dynamic.hlo --engine-memory 0 --engine-cmd 'sh analyse.sh'
unset BEND

# --- score reads the texts that check reads: other beginnings, maps over several lines, directories ---
printf 'KNOWN EMPTY\n(d0) -> (d0 mod 9),\n  domain:\n  d0 in [0, 8]\n\n# a comment\n(d0) -> (d0), domain: d0 in [0, 8]\n' >several.txt
wants 0 'simplified maps 3: 3 proved' "$affirm" check several.txt
wants 0 '^simplify  *affirm  *3  *3 ' "$affirm" score several.txt
mkdir texts.d && cp several.txt texts.d/a.maps && cp several.txt texts.d/b.txt
wants 0 '^simplify  *affirm  *6  *6 ' "$affirm" score texts.d
printf 'Operand 0 output 0:\n(d0) -> (d0), domain: d0 in [0, 8]\nUNDEFINED\n' >several.txt
wants 3 '1 file and scopes, 1 part not read' "$affirm" score several.txt

# --- a wrong answer with a right domain and one with a wrong domain have a column each ---
cat >narrow.sh <<'END'
tab=$(printf '\t')
while IFS=$tab read -r number verb map; do
  if [ "$verb" != simplify ]; then printf '%s\tengine\t1\tnarrow\tsimplify\n' "$number"; continue; fi
  printf '%s\tanswer\t%s\n' "$number" "$(printf %s "$map" | sed 's/d0 in \[0, 9\]/d0 in [0, 7]/; s/d0 floordiv 2/d0 floordiv 3/')"
done
END
printf '%s\n' '(d0) -> (d0 * 3), domain: d0 in [0, 9]' '(d0) -> (d0 floordiv 2), domain: d0 in [0, 8]' '(d0) -> (d0), domain: d0 in [0, 5]' >narrow.txt
wants 1 '^simplify  *narrow  *3  *1  *0  *1  *1  *0 ' "$affirm" score narrow.txt --engine-cmd 'sh narrow.sh' --show 0
wants 1 '^wrong domain: narrow, simplify' "$affirm" score narrow.txt --engine-cmd 'sh narrow.sh'

# --- a fault of the engine fails a case that must fail ---
printf '# wrong\nsimplify (d0) -> (d0 mod 8), domain: d0 in [0, 3]\n= (d0) -> (d0), domain: d0 in [0, 2]\n' >must.bad.case
wants 0 '1 passed, 0 failed' "$affirm" check must.bad.case
wants 1 '0 passed, 1 failed' env AFFIRM_FAULT=crash "$affirm" check must.bad.case --engine "$built/libengine_faulty.so"
# What it expects is false, so it decides nothing about another answer. For a module the answer itself is judged.
for fault in none wrong; do
  wants 2 'unknown: a case that must fail says nothing about an engine' env AFFIRM_FAULT=$fault "$affirm" check must.bad.case --engine "$built/libengine_faulty.so"
done
printf '# neg\ncheck hlo\n  p = f32[4] parameter(0)\n  ROOT r = f32[4] negate(p)\nend\nwrong\n' >module.bad.case
for case in '0 1 d0' '1 0 0'; do
  # shellcheck disable=SC2086
  set -- $case
  printf 'while read -r n verb rest; do case $verb in hello) printf "$n\\tengine\\t1\\tone\\tanalyse\\n";; *) printf "$n\\tanswer\\t(d0) -> (%s), domain: d0 in [0, 3]\\n";; esac; done\n' "$3" >one.sh
  wants "$1" "cases 1: $2 passed, $1 failed, 0 unknown" "$affirm" check module.bad.case --engine-cmd 'sh one.sh'
done
wants 1 '^cases  *0  *1 ' env AFFIRM_FAULT=crash "$affirm" gate --exhaust 0 --fuzz 0 must.bad.case --engine "$built/libengine_faulty.so"

# --- the table of standing: sums of --json files; counts that do not add up are bad input ---
"$affirm" score maps.txt --engine "$built/libengine_mlir.so" --json --verb simplify >first.json
AFFIRM_FAULT=wrong "$affirm" score maps.txt --engine "$faulty" --json --verb simplify --show 0 >second.json
wants 0 '^| faulty 1 | 6 | 4 | 0 | 2 | 0 | 0 ' "$affirm" score --standing first.json second.json second.json
wants 0 '^| affirm | 9 | 9 | 0 | 0 ' "$affirm" score --standing first.json second.json second.json
wants 0 ' | [0-9.]* | 20[0-9][0-9]-[01][0-9]-[0-3][0-9] |$' "$affirm" score --standing first.json
sed 's/"wrong":1/"wrong":0/' second.json >bent.json
wants 3 'bent.json:1: not a row of `score --json`, or its counts do not add up' "$affirm" score --standing first.json bent.json
echo '{"engine":"x"}' >bent.json
wants 3 'bent.json:1: not a row' "$affirm" score --standing bent.json
printf '%s\n' '{"version":1,"totals":{"objects":2},"status":2,"interrupted":1}' | cat second.json - | sed '/"totals":{[^}]*},"status":1/d' >cut.json
wants 2 'cut.json: the run was interrupted, so its counts are of a part' "$affirm" score --standing first.json cut.json
grep -v '"totals"' second.json >killed.json
for unended in killed.json both.json; do
  cat killed.json first.json >both.json
  wants 2 "$unended: a run did not end: its rows have no line of totals" "$affirm" score --standing first.json $unended
  says '^| faulty 1 | 3 '
done
sed 's/"status":1/"status":3/' second.json >failed.json
wants 3 'failed.json: the run could not read a part' "$affirm" score --standing first.json failed.json
{ sed 1q second.json; printf '\000\n'; cat second.json; } >zero.json
wants 3 'zero.json:2: not a row' "$affirm" score --standing zero.json
wants 3 'standing needs files of' "$affirm" score --standing
wants 3 'nowhere.json' "$affirm" score --standing nowhere.json

# --- two computations with an instruction of one name: the request and the replay say which is meant ---
cat >named.hlo <<'END'
HloModule m
inner {
  p0 = f32[4,3] parameter(0)
  ROOT v0 = f32[4,3] reverse(p0), dimensions={0}
}
ENTRY main {
  p0 = f32[4,3] parameter(0)
  c = f32[4,3] call(p0), to_apply=inner
  ROOT v0 = f32[4,3] reverse(c), dimensions={1}
}
END
cat >named.sh <<'END'
tab=$(printf '\t')
while IFS=$tab read -r number verb direction instruction rest; do
  case $verb in
    hello) printf '%s\tengine\t1\tnamed\tanalyse\n' "$number" ;;
    *) case $instruction in
      inner/v0) map='(-d0 + 3, d1)' ;;
      v0) map='(d0, -d1 + 2)' ;;
      c) map='(-d0 + 3, d1)' ;;
      *) printf '%s\tnot-offered\n' "$number"; continue ;;
    esac
    printf '%s\tanswer\t(d0, d1) -> %s, domain: d0 in [0, 3], d1 in [0, 2]\n' "$number" "$map" ;;
  esac
done
END
wants 0 'operands 6: 6 exact' "$affirm" check --all named.hlo --engine-cmd 'sh named.sh'
sed 's/-d0 + 3/-d0 + 2/' named.sh >wrong.sh
wants 1 '4 wrong' "$affirm" check --all named.hlo --engine-cmd 'sh wrong.sh'
wants 1 'replay .* --instruction inner/v0 --direction o2i --output 0 --operand 0 --engine-cmd' "$affirm" check --all named.hlo --engine-cmd 'sh wrong.sh'
wants 1 'wrong: o2i of v0, .* named.hlo:4$' "$affirm" check named.hlo --instruction inner/v0 --direction o2i --engine-cmd 'sh wrong.sh'
sed 's/(d0, -d1 + 2)/(d0, d1 * 9223372036854775807)/' named.sh >overflow.sh
wants 2 'line 1, column 1: .*can leave int64' "$affirm" check named.hlo --direction o2i --engine-cmd 'sh overflow.sh'
wants 0 'operands 2: 2 exact' "$affirm" check named.hlo --instruction main/v0 --engine-cmd 'sh wrong.sh'
wants 3 "no instruction 'outer/v0'" "$affirm" check named.hlo --instruction outer/v0

# --- a journal belongs to one engine; an engine that does not start is reported ---
wants 0 'exact' "$affirm" exhaust --scope reverse --engine "$built/libengine_mlir.so" --journal j
wants 3 'j' "$affirm" exhaust --scope reverse --journal j --resume
wants 0 'resumed' "$affirm" exhaust --scope reverse --engine "$built/libengine_mlir.so" --journal j --resume
cp "$built/libengine_mlir.so" mine.so
cp "$root/examples/engine-shell/engine.sh" mine.sh
wants 0 'exact' "$affirm" exhaust --scope reverse --engine ./mine.so --journal changed
wants 3 'another run' "$affirm" exhaust --scope reverse --engine ./mine.so --journal changed --resume --twice
echo 'simplify/extra/bound-by-one' >accepted.one
wants 3 'another run' "$affirm" exhaust --scope reverse --engine ./mine.so --journal changed --resume --accept accepted.one
wants 0 'resumed' "$affirm" exhaust --scope reverse --engine ./mine.so --journal changed --resume
printf x >>mine.so
wants 3 'another run' "$affirm" exhaust --scope reverse --engine ./mine.so --journal changed --resume
"$affirm" exhaust --scope maps --shard 0/256 --engine-cmd 'sh ./mine.sh' --quiet --journal script >out 2>&1
wants 0 'resumed' "$affirm" exhaust --scope maps --shard 0/256 --engine-cmd 'sh ./mine.sh' --journal script --resume
echo '# more' >>mine.sh
wants 3 'another run' "$affirm" exhaust --scope maps --shard 0/256 --engine-cmd 'sh ./mine.sh' --journal script --resume
# A journal could not tell a changed engine whose file is not found from here: after `cd`, or by the loader's path.
mkdir -p below
cp mine.sh below/mine.sh
wants 3 'the files of the engine .* are not found' "$affirm" exhaust --scope maps --shard 0/256 --engine-cmd 'cd below && sh ./mine.sh' --journal below.journal
cp "$built/libengine_mlir.so" below/found.so
wants 3 'the files of the engine found.so are not found' env LD_LIBRARY_PATH=below "$affirm" exhaust --scope reverse --engine found.so --journal below.journal
[ ! -e below.journal ] || fault "a journal of an engine whose file is not found"
wants 3 'engine-time is at least 1, not 0' "$affirm" check maps.txt --engine a.so --engine-time 0
wants 3 'not both' "$affirm" check maps.txt --engine a.so --engine-cmd b
wants 3 'does not start: refused: .*cannot open' "$affirm" check maps.txt --engine ./nowhere.so
# The result file says so: an old one must not stand for the run.
for command in 'check maps.txt' 'gate --no-corpus' 'exhaust --scope broadcast' 'score maps.txt'; do
  echo '<testsuites/>' >unstarted.xml
  # shellcheck disable=SC2086
  wants 3 'does not start: refused: .*cannot open' "$affirm" $command --engine ./nowhere.so --junit unstarted.xml
  grep -q '<error ' unstarted.xml || { faults=$((faults + 1)); echo "FAULT: the results of $command without an engine have no error"; }
done
wants 3 'does not start: exited: with status 127' "$affirm" check maps.txt --engine-cmd no_such_program
wants 3 'does not start: aborted' env AFFIRM_FAULT=start "$affirm" score maps.txt --engine "$faulty"
wants 3 'interface version 99' env AFFIRM_FAULT=version "$affirm" fuzz --runs 1 --engine "$faulty"
wants 3 'analyse, simplify or compose' "$affirm" score maps.txt --verb nothing

# --- killing the engine's process from outside is no finding: the question is asked again, which is reported; a question that ends three processes is
# a fault ---
cat >ended.sh <<'END'
tab=$(printf '\t')
while IFS=$tab read -r number verb map; do
  [ "$verb" = hello ] || for mark in mark.*; do [ ! -e "$mark" ] || { rm "$mark"; kill -TERM $$; }; done
  case $verb in
    hello) printf '%s\tengine\t1\tended\tsimplify\n' "$number" ;;
    *) printf '%s\tanswer\t%s\n' "$number" "$map" ;;
  esac
done
END
touch mark.1 mark.2
wants 0 'ended: 2 questions asked again' "$affirm" check maps.txt --engine-cmd 'exec sh ended.sh'
touch mark.1
wants 0 'asked again 1' "$affirm" exhaust --scope maps --shard 1/400 --jobs 1 --engine-cmd 'exec sh ended.sh'
touch mark.1
wants 0 ': 0 findings' "$affirm" fuzz --engine-cmd 'exec sh ended.sh' --runs 30 --target simplify --corpus ended --seeds "$root/corpus/seeds"
touch mark.1 mark.2 mark.3
wants 1 'engine: crashed: SIGTERM' "$affirm" check maps.txt --engine-cmd 'exec sh ended.sh'
AFFIRM_FAULT=wrong wants 1 '^simplify .*; first finding after [0-9.]* s, [1-9][0-9]* question' "$affirm" fuzz --engine "$faulty" --runs 30 --target simplify --corpus first --seeds "$root/corpus/seeds"

# --- reduce asks the engine: the faulty instruction alone, without notes, and the result replays ---
cat >large.hlo <<'END'
HloModule large, entry_computation_layout={(f32[8,6]{1,0})->f32[4,5]{1,0}}
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b), metadata={op_name="sum"}
}
ENTRY e {
  p0 = f32[8,6] parameter(0), metadata={op_name="x"}
  n = f32[8,6] negate(p0)
  z = f32[] constant(0)
  t = f32[] reduce(n, z), dimensions={0,1}, to_apply=add
  b = f32[8,6] broadcast(t), dimensions={}
  m = f32[8,6] multiply(n, b), metadata={op_name="m" source_file="a.py"}
  r = f32[48] reshape(m), metadata={op_name="r"}
  s = f32[20] slice(r), slice={[4:44:2]}
  ROOT v = f32[4,5] reshape(s)
}
END
AFFIRM_FAULT=wrong wants 1 '^graph-reshape-o2i-[a-z-]*: [1-9][0-9]* bytes after' "$affirm" reduce large.hlo --engine "$faulty" --output small.hlo
wants 1 '^wrong: o2i of r, output 0, operand 0' env AFFIRM_FAULT=wrong "$affirm" check small.hlo --instruction r --direction o2i --engine "$faulty"
if [ "$(grep -c '^  ' small.hlo)" -ne 2 ] || grep -q 'metadata\|layout=\|add {' small.hlo || ! grep -q 'reshape(' small.hlo; then
  faults=$((faults + 1)); echo "FAULT: the module is not small"; cat small.hlo
fi
runs=$((runs + 1))
# Few trials are enough, since the instruction of the question is tried alone first.
AFFIRM_FAULT=wrong wants 1 'after 4 trials' "$affirm" reduce large.hlo --trials 4 --engine "$faulty" --output few.hlo
if [ "$(grep -c '^  ' few.hlo)" -ne 2 ] || grep -q 'metadata\|add {' few.hlo; then faults=$((faults + 1)); echo "FAULT: four trials leave more than the instruction"; cat few.hlo; fi
AFFIRM_FAULT=wrong wants 1 '^keeps () -> (1 mod 1)$' "$affirm" reduce maps.txt --engine "$faulty"
AFFIRM_FAULT=wrong wants 1 '"answer":"simplify-other-mod-for-floordiv","size":15,"unit":"bytes"' "$affirm" reduce maps.txt --json --engine "$faulty"
AFFIRM_FAULT=crash wants 1 '^simplify-crashed-SIGSEGV: 15 bytes' "$affirm" reduce maps.txt --engine "$faulty"
AFFIRM_FAULT=crash wants 2 "the engine has no fault of kind 'wrong' here" "$affirm" reduce maps.txt --kind wrong --engine "$faulty"
wants 2 'the engine has no fault here' "$affirm" reduce large.hlo --engine "$built/libengine_mlir.so"
wants 3 "no fault of kind 'order'" "$affirm" reduce maps.txt --kind order --engine "$faulty"
wants 3 'cannot be combined with --target or --rules' "$affirm" reduce maps.txt --rules a.rules --engine "$faulty"
echo 'rule one: x + 0  =>  x' >one.rules
wants 3 'has no module, map or composition' "$affirm" reduce one.rules --engine "$faulty"

# --- the report counts findings by the form of the smallest wrong answer ---
AFFIRM_FAULT=wrong wants 1 '^1 form of the smallest wrong answers' "$affirm" fuzz --engine "$faulty" --runs 300 --target simplify --corpus forms --seeds "$root/corpus/seeds"
grep -q '^  [1-9][0-9]* findings*  *c mod c => c floordiv c$' out || { faults=$((faults + 1)); echo "FAULT: no form"; tail -5 out; }

# --- a time limit also ends a campaign with a number of runs; a corpus of an engine is not minimised ---
AFFIRM_FAULT=wrong wants 1 '^simplify  *[1-9]' timeout 600 "$affirm" fuzz --engine "$faulty" --runs 1000000000 --time 1 --target simplify --corpus timed --seeds "$root/corpus/seeds"
# Making a finding small ends with the campaign too: each answer of this engine takes a second.
cat >slow_wrong.sh <<'END'
tab=$(printf '\t')
while IFS=$tab read -r number verb rest; do
  if [ "$verb" = hello ]; then printf '%s\tengine\t1\tslow\tanalyse\n' "$number"
  else sleep 1; printf '%s\tanswer\tKNOWN EMPTY\n' "$number"; fi
done
END
wants 1 'found slowly/' timeout 60 "$affirm" fuzz --engine-cmd 'sh slow_wrong.sh' --time 2 --target graph --corpus slowly --seeds "$root/corpus/seeds"
grep -qr '^// not the smallest: the campaign ended' slowly || { faults=$((faults + 1)); echo 'FAULT: no finding says that the campaign ended'; }
wants 3 'minimise and --engine exclude each other' "$affirm" fuzz --engine "$faulty" --minimise --corpus timed

# --- an interrupt leaves no process of an engine running, whatever its session ---
cat >leaves.sh <<'END'
tab=$(printf '\t')
while IFS=$tab read -r number verb map; do
  [ "$verb" != simplify ] || { setsid sh -c '(exec >/dev/null 2>&1; exec sleep 3000) & echo $! >left.new'; mv left.new left; exec sleep 3000; }
  printf '%s\tengine\t1\tleaves\tsimplify\n' "$number"
done
END
"$affirm" check maps.txt --engine-time 3000000 --engine-cmd 'sh leaves.sh' >out 2>&1 &
until [ -s left ] || ! kill -0 $! 2>/dev/null; do sleep 0.02; done
kill -TERM $!
wait $!
came=$? runs=$((runs + 1))
if [ $came -ne 2 ] || ! [ -s left ] || kill -9 "$(cat left)" 2>/dev/null || grep -q 'crashed\|broken\|refuted' out; then
  faults=$((faults + 1))
  echo "FAULT: status $came after an interrupt, or a process of the engine is left, or its end is a finding"
  sed 's/^/    | /' out | head -6
fi

# --- a campaign that is interrupted while its engine hangs still prints its report ---
cat >hangs.sh <<'END'
tab=$(printf '\t')
while IFS=$tab read -r number verb map; do
  if [ "$verb" != simplify ]; then printf '%s\tengine\t1\thangs\tsimplify\n' "$number"; continue; fi
  asked=$((asked + 1))
  [ $asked -le 5 ] || { echo >hung; exec sleep 3000; }
  printf '%s\tanswer\t%s\n' "$number" "$map"
done
END
rm -f hung
"$affirm" fuzz --engine-time 3000000 --time 3000 --target simplify --corpus hung.kept --engine-cmd 'exec sh hangs.sh' >out 2>&1 &
until [ -s hung ] || ! kill -0 $! 2>/dev/null; do sleep 0.02; done
kill -INT $!
wait $!
came=$? runs=$((runs + 1))
if [ $came -ne 2 ] || ! grep -q '^simplify  *[1-9][0-9]* inputs' out || ! grep -q '^not counted: the input that was interrupted' out ||
  ! grep -q 'interrupted at input [0-9]* of simplify; what comes after' out; then
  faults=$((faults + 1))
  echo "FAULT: status $came, or no report of an interrupted campaign"
  sed 's/^/    | /' out | head -6
fi

echo "$runs runs, $faults faults"
[ $faults -eq 0 ]
