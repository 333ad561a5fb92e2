#!/bin/sh
# affirm equiv and affirm use: exit statuses, verdicts, JSON, bad input.
#   graphs_test.sh AFFIRM SOURCE_DIR
set -u
affirm=$1
cd "$2" || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
faults=0
total=0

fault() { echo "FAULT: $*"; sed 's/^/    | /' "$scratch/out" "$scratch/err" | head -20; faults=$((faults + 1)); }
# expect STATUS ARGUMENT...
expect() {
  wanted=$1
  shift
  total=$((total + 1))
  timeout 600 "$affirm" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
  got=$?
  [ $got -eq "$wanted" ] || fault "affirm $*: exit status $got, not $wanted"
}
says() { grep -qF -- "$1" "$scratch/out" || fault "the output lacks: $1"; }
complains() { grep -qF -- "$1" "$scratch/err" || fault "the errors lack: $1"; }
# module NAME PARAMETER ROOT
module() { printf 'HloModule m\n\nENTRY e {\n  %s\n  ROOT r = %s\n}\n' "$2" "$3" >"$scratch/$1.hlo"; }

# An unknown size is parsed, printed and compared literally; it is not used in arithmetic, and it is neither 0 nor 1.
module unknown 'a = f32[?,4] parameter(0)' 'f32[?,4] negate(a)'
module other 'a = f32[?,4] parameter(0)' 'f32[?,4] abs(a)'
module one 'a = f32[1,4] parameter(0)' 'f32[1,4] negate(a)'
module bounded 'a = f32[<=8,4] parameter(0)' 'f32[<=8,4] negate(a)'
module gathered 'a = f32[?,4] parameter(0)' 'f32[?,4] all-gather(a), replica_groups={{0,1}}, dimensions={0}'
# Nothing is judged by map: UNDEFINED is an answer.
expect 0 map "$scratch/unknown.hlo"; says "# undefined: a size of 'r' is not known"
expect 0 map --json "$scratch/unknown.hlo"; says '"claim":"undefined"'
expect 0 map --help; says "Nothing is judged, so UNDEFINED maps"
expect 2 check "$scratch/unknown.hlo"; says "0 not judged"; says "2 undefined"
expect 2 check "$scratch/gathered.hlo"; says "undefined"
expect 0 map --devices 2 "$scratch/gathered.hlo"; says "a size of 'r' is not known"
expect 2 use "$scratch/unknown.hlo"; says "a size of 'r' is not known"
expect 0 equiv "$scratch/unknown.hlo" "$scratch/unknown.hlo"; says "literal"
expect 2 equiv "$scratch/unknown.hlo" "$scratch/other.hlo"; says "unknown"; says "a size of 'a' is not known"
expect 2 equiv --reads "$scratch/unknown.hlo" "$scratch/other.hlo"; says "a size of 'a' is not known"
for size in 0 1; do module "slices_of_$size" 'a = f32[3] parameter(0) i = s32[] parameter(1)' "f32[] gather(a, i), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=0, slice_sizes={$size}"; done
expect 2 equiv --reads "$scratch/slices_of_0.hlo" "$scratch/slices_of_1.hlo"; says "smt: gather 'r': slices without elements"
expect 3 equiv "$scratch/unknown.hlo" "$scratch/one.hlo"; complains "other sizes"; complains "$scratch/unknown.hlo and $scratch/one.hlo: error: parameters 0 of other sizes: "
expect 3 equiv --laws all "$scratch/one.hlo" "$scratch/one.hlo"; complains "is one of exact ieee fast none, not 'all'"
expect 0 check "$scratch/bounded.hlo"; says "2 exact"
expect 0 equiv "$scratch/bounded.hlo" "$scratch/bounded.hlo"; says "same values"
sed 's/f32\[3,3\] parameter(0)/f32[?,3] parameter(0)/' corpus/hazards/aliased_in_its_place.hlo >"$scratch/hazard.hlo"
expect 2 hazard "$scratch/hazard.hlo"; says "is not known"
# At grade ieee the sign of a zero decides nothing, and the reason says so.
printf 'ENTRY e {\n  x = f32[] parameter(0)\n  z = f32[] subtract(x, x)\n  ROOT r = s32[] bitcast-convert(z)\n}\n' >"$scratch/sign.hlo"
printf 'ENTRY e {\n  x = f32[] parameter(0)\n  z = f32[] subtract(x, x)\n  b = s32[] bitcast-convert(z)\n  c = s32[] constant(5)\n  ROOT r = s32[] add(b, c)\n}\n' >"$scratch/sign.after.hlo"
expect 1 equiv "$scratch/sign.hlo" "$scratch/sign.after.hlo"
expect 2 equiv --laws ieee "$scratch/sign.hlo" "$scratch/sign.after.hlo"; says 'bitcast-convert of s32, whose result the sign of a zero may decide'

# A pair that is not compared is counted and has a row, also if another pair differs. A file without its pair is such a pair.
mkdir "$scratch/lost"
cp "$scratch/sign.hlo" "$scratch/lost/a.before.hlo"; cp "$scratch/sign.after.hlo" "$scratch/lost/a.after.hlo"
cp "$scratch/sign.hlo" "$scratch/lost/b.before.hlo"
cp "$scratch/sign.hlo" "$scratch/lost/c.after.hlo"
cp "$scratch/sign.hlo" "$scratch/lost/d.before.hlo"; printf 'ENTRY e {' >"$scratch/lost/d.after.hlo"
cp "$scratch/one.hlo" "$scratch/lost/e.before.hlo"; cp "$scratch/sign.hlo" "$scratch/lost/e.after.hlo"
expect 1 equiv --dir "$scratch/lost" --junit "$scratch/junit.xml" --github
says '5 graphs, 4 NOT COMPARED, 1 output: 0 same values, 1 different'; says '0 passed, 1 refuted, 0 open, 4 bad input'
for row in a.after.hlo b.after.hlo c.before.hlo d.after.hlo e.after.hlo; do
  grep -q "$row" "$scratch/junit.xml" || fault "no row of the pair of $row"
done
[ "$(grep -c '<error' "$scratch/junit.xml")" = 4 ] || fault "not four errors in the JUnit file"
rm "$scratch"/lost/[ade].*
expect 3 equiv --dir "$scratch/lost"; says '2 graphs, 2 NOT COMPARED, 0 outputs: 0 same values'

# Interrupted in a pair that lasts for minutes, after a pair with a hazard: refuted. Later signals reach it on a busy machine.
{
  printf 'HloModule h, input_output_alias={ {0}: (0, {}, must-alias), {1}: (1, {}, must-alias) }\n'
  for fusion in 'small 9' 'large 900'; do
    set -- $fusion
    printf '%s {\n  x = f32[%s,%s] parameter(0)\n  t = f32[%s,%s] transpose(x), dimensions={1,0}\n  ROOT r = f32[%s,%s] add(x, t)\n}\n' $1 $2 $2 $2 $2 $2 $2
  done
  printf 'ENTRY e {\n  x = f32[9,9] parameter(0)\n  y = f32[900,900] parameter(1)\n'
  printf '  f = f32[9,9] fusion(x), kind=kLoop, calls=small\n  g = f32[900,900] fusion(y), kind=kLoop, calls=large\n  ROOT r = (f32[9,9], f32[900,900]) tuple(f, g)\n}\n'
} >"$scratch/long.hlo"
total=$((total + 1))
for delay in 0.5 1 2 4 8 16 32 64; do
  timeout --preserve-status -s INT $delay "$affirm" hazard "$scratch/long.hlo" >"$scratch/out" 2>"$scratch/err" </dev/null
  got=$?
  if grep -q 'interrupted at g of' "$scratch/err"; then break; fi
done
complains 'interrupted at g of'
[ $got -eq 1 ] || fault "hazard, interrupted after a hazard: exit status $got"
for order in 7,3 0,0 1; do expect 3 hazard "$scratch/hazard.hlo" --order $order; complains "--order $order: an order of "; done

rewrites=corpus/rewrites
expect 0 equiv --help; says "affirm equiv"
expect 0 equiv $rewrites/fusion_merging.before.hlo $rewrites/fusion_merging.after.hlo; says "2 same values"
expect 1 equiv $rewrites/gemm_padding.before.hlo $rewrites/gemm_padding.broken.hlo; says "different"; says "before, "
expect 1 equiv $rewrites/gemm_padding.before.hlo $rewrites/gemm_padding.broken.hlo --json; says '"answer":"different"'; says '"by":"values"'
expect 2 equiv $rewrites/gemm_padding.before.hlo $rewrites/gemm_padding.after.hlo; says "same reads"
expect 3 equiv
expect 3 equiv --reads $rewrites/gemm_padding.before.hlo
expect 3 equiv --reads $rewrites/gemm_padding.before.hlo "$scratch/nothing.hlo"; complains "No such file"
expect 0 equiv --reads $rewrites/gemm_padding.before.hlo $rewrites/gemm_padding.after.hlo; says "2 same"; grep -q neither "$scratch/out" && fault "0 pairs that neither graph reads are counted"
expect 1 equiv --reads $rewrites/gemm_padding.before.hlo $rewrites/gemm_padding.broken.hlo; says "different"; says "before only"
expect 0 equiv --reads $rewrites/gemm_padding.before.hlo $rewrites/gemm_padding.broken.hlo --parameter 1
expect 1 equiv --reads $rewrites/gemm_padding.before.hlo $rewrites/gemm_padding.broken.hlo --json; says '"answer":"different"'; says '"element":[0,0]'
[ "$(wc -l <"$scratch/out")" = 3 ] || fault "two pairs, two lines of JSON and the totals"
expect 3 equiv --reads $rewrites/gemm_padding.before.hlo $rewrites/reduction_splitting.before.hlo; complains "parameters"
expect 3 equiv --reads $rewrites/gemm_padding.before.hlo $rewrites/gemm_padding.after.hlo --parameter 7; complains "no such output or parameter"
# Options of another question are no silent answer to this one.
for option in '--parameter 1' '--more 1'; do
  expect 3 equiv $rewrites/gemm_padding.before.hlo $rewrites/gemm_padding.broken.hlo $option; complains "need --reads"
done
expect 3 equiv $rewrites/gemm_padding.before.hlo $rewrites/gemm_padding.after.hlo --reads --laws fast; complains "--laws has no effect on --reads"
expect 3 equiv --reads $rewrites/gemm_padding.before.hlo $rewrites/gemm_padding.after.hlo --more x; complains "--more needs"

# Reading more is a counterexample unless --more allows it for that parameter.
legal=$rewrites/convolution_padding_legalization
expect 1 equiv --reads $legal.before.hlo $legal.after.hlo; says "more"; says "after only"
expect 1 equiv --reads $legal.before.hlo $legal.after.hlo --more 0
expect 0 equiv --reads $legal.before.hlo $legal.after.hlo --more 1; says "allowed by --more"
expect 3 equiv --reads $legal.before.hlo $legal.before.hlo --more 7; complains "no parameter is that of --more"
expect 1 equiv --reads $legal.before.hlo $legal.after.hlo --more 1.1; complains "no parameter is that of --more"
expect 1 equiv --reads $legal.after.hlo $legal.before.hlo --more 1; says "different"

# The proof alone: the updates of a scatter at an offset.
updates() { printf 'HloModule m\n\nadd {\n  a = s32[] parameter(0)\n  b = s32[] parameter(1)\n  ROOT s = s32[] add(a, b)\n}\n\nENTRY e {\n  p = s32[2] parameter(0)\n  i = s32[1,1] parameter(1)\n  u = s32[2] parameter(2)\n  x = s32[1] slice(u), slice={[0:1]}\n  y = s32[1] slice(u), slice={[1:2]}\n  v = s32[1] add(%s)\n  ROOT r = s32[2] scatter(p, i, v), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add\n}\n' "$2" >"$scratch/$1.hlo"; }
updates few 'x, x'
updates many 'x, y'
expect 1 equiv --reads "$scratch/few.hlo" "$scratch/many.hlo"; says "1 more"; says "where i(0, 0) = 0: (0) reads (1) after only"
expect 0 equiv --reads "$scratch/few.hlo" "$scratch/many.hlo" --more 2; says "allowed by --more"
expect 1 equiv --reads "$scratch/many.hlo" "$scratch/few.hlo" --more 2; says "different"

# An operation without semantics is unknown, even if both graphs are the same text.
module opaque 'p = f32[4] parameter(0)' 'f32[4] custom-call(p), custom_call_target="f"'
expect 2 equiv --reads "$scratch/opaque.hlo" "$scratch/opaque.hlo"; says "unknown"; says "custom-call"
cat "$scratch/opaque.hlo" "$scratch/opaque.hlo" >"$scratch/two.hlo"
expect 3 equiv --json --reads "$scratch/two.hlo" "$scratch/opaque.hlo"; complains "opaque.hlo: error: 1 module in it, and 2 in "; says 'opaque.hlo","line":0,"answer":"bad input"'
module one 'p = s32[2] parameter(0)
  c = s32[2] constant({1, 2})' 's32[2] add(p, c)'
module other 'p = s32[2] parameter(0)
  c = s32[2] constant({1, 3})' 's32[2] add(p, c)'
expect 1 equiv --json "$scratch/one.hlo" "$scratch/other.hlo"; says '"at":{},'
expect 3 equiv "$scratch/one.hlo" "$scratch/one.hlo" --output 3; complains "no such output"
module token 't = token[] parameter(0)' 'token[] after-all(t)'
expect 2 equiv --reads "$scratch/token.hlo" "$scratch/token.hlo"; complains "nothing to compare"
expect 2 equiv --json "$scratch/token.hlo" "$scratch/token.hlo"; says '"answer":"unknown","reason":"no output is an array"'; says '"objects":1'
expect 2 equiv --reads --json "$scratch/token.hlo" "$scratch/token.hlo"; says '"answer":"unknown","reason":"no output or no parameter'; says '"objects":1'

module turn 'x = f32[64,64] parameter(0)' 'f32[64,64] transpose(x), dimensions={1,0}'
expect 0 use --help; says "affirm use"
expect 3 use
expect 3 use "$scratch/turn.hlo" --order 0,0; complains "--order needs"
expect 3 use "$scratch/turn.hlo" --tile 0:0,0:1; complains "--tile needs"
expect 3 use "$scratch/turn.hlo" --tile 9223372036854775807:2,0:1; complains "--tile needs"
expect 3 use "$scratch/turn.hlo" --width 7; complains "no element type"
expect 3 use "$scratch/turn.hlo" --width 0; complains "no element type has 0 bits"
printf 'ENTRY e {\n  p = f32[4] parameter(0)\n  ROOT r = f32[4] reverse(p), dimensions={0}\n}\n' >"$scratch/four.hlo"
expect 0 use "$scratch/four.hlo"; says "1 warp access touches 1 segment of 128 bytes"
expect 3 use "$scratch/turn.hlo" --lanes 0; complains "lanes"
expect 3 use "$scratch/turn.hlo" --instruction nobody; complains "no instruction 'nobody'"
expect 0 use "$scratch/turn.hlo" --tile 8:16:2,0:32
says "4096 of 4096 elements (100.00%)"; says "128 warp accesses touch 4096 segments of 128 bytes; packed 128, at worst 32"; says "0:32,8:16:2"
expect 0 use "$scratch/turn.hlo" --order 0,1; says "128 warp accesses touch 128 segments"
expect 0 use "$scratch/turn.hlo" --order 0,1 --width 64; says "touch 256 segments"
expect 0 use "$scratch/turn.hlo" --order 0,1 --width 4 --segment 8; says "touch 256 segments of 8 bytes; packed 256"
expect 0 use "$scratch/turn.hlo" --points 64; says "(a sample)"
expect 2 use "$scratch/turn.hlo" --tile 0:3; says "unknown: the tile has 1 dimension"
expect 2 use "$scratch/turn.hlo" --order 0; says "unknown: the order has 1 dimension"
expect 0 use "$scratch/turn.hlo" --json; says '"read":4096'; says '"segments":4096'
expect 2 use "$scratch/opaque.hlo"; says "unknown"
module part 'x = f32[6,5] parameter(0)' 'f32[3,2] slice(x), slice={[0:6:2], [1:5:3]}'
expect 0 use "$scratch/part.hlo" --tile 0:3,0:2; says "6 of 30 elements (20.00%)"; says "0:3:2,1:2:3"
module flat 'x = f32[8,8] parameter(0)' 'f32[64] reshape(x)'
expect 0 use "$scratch/flat.hlo" --tile 4:12; says "no box"
module rows 'x = f32[100,64] parameter(0)
i = s32[9] parameter(1)' 'f32[9,64] gather(x, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,64}'
expect 0 use "$scratch/rows.hlo" --tile 3:1,0:8; says "at most 576 of 6400"; says "over 100 assignments of runtime values"; says "rt0 + 0:1,0:8"
expect 2 use "$scratch/rows.hlo" --order 0,1 --tile 3:2,0:8; says "different runtime indices"; says "no box"
module bare 'x = f32[0,64] parameter(0)' 'f32[0] reshape(x)'
expect 0 use "$scratch/bare.hlo"; says "0 of 0 elements"
if [ -w /dev/full ]; then
  "$affirm" use "$scratch/turn.hlo" >/dev/full 2>"$scratch/err"
  [ $? -eq 3 ] || fault "use to a full disk"
  "$affirm" equiv --reads $legal.before.hlo $legal.after.hlo --more 1 >/dev/full 2>"$scratch/err"
  [ $? -eq 3 ] || fault "equiv to a full disk"
fi

echo "$total runs, $faults faults"
[ $faults -eq 0 ]
