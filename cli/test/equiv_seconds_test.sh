#!/bin/sh
# A pair that takes longer than --seconds is unknown, alone and in a directory; the pairs before and after it are compared.
#   equiv_seconds_test.sh AFFIRM
set -u
affirm=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
faults=0
fault() { echo "FAULT: $*"; sed 's/^/    | /' "$folder/out"; faults=$((faults + 1)); }
says() { grep -qF -- "$1" "$folder/out" || fault "not said: $1"; }

# small NAME OPERATION
small() { printf 'HloModule m\nENTRY e {\n  p = f32[3] parameter(0)\n  ROOT r = f32[3] %s(p)\n}\n' "$2" >"$folder/$1.hlo"; }
# row NAME SUM: 25 branches in a row, each twice its operand or the operand negated
row() {
  {
    echo 'HloModule m'
    i=0
    while [ $i -lt 25 ]; do
      printf 't%d {\n  p = s32[4] parameter(0)\n  o = s32[] constant(2)\n  two = s32[4] broadcast(o), dimensions={}\n  ROOT r = s32[4] %s\n}\n' $i "$2"
      printf 'f%d {\n  p = s32[4] parameter(0)\n  ROOT r = s32[4] negate(p)\n}\n' $i
      i=$((i + 1))
    done
    printf 'ENTRY e {\n  x0 = s32[4] parameter(0)\n'
    i=0
    while [ $i -lt 25 ]; do
      printf '  c%d = pred[] parameter(%d)\n' $i $((i + 1))
      printf '  x%d = s32[4] conditional(c%d, x%d, x%d), true_computation=t%d, false_computation=f%d\n' $((i + 1)) $i $i $i $i $i
      i=$((i + 1))
    done
    printf '  ROOT r = s32[4] copy(x25)\n}\n'
  } >"$folder/$1.hlo"
}
small a.before sine
small a.after sine
row b.before 'add(p, p)'
row b.after 'multiply(p, two)'
small c.before sine
small c.after negate
compare() { "$affirm" equiv "$@" >"$folder/out" 2>&1; }

compare "$folder/b.before.hlo" "$folder/b.after.hlo" --seconds 1
[ $? -eq 2 ] || fault "a pair that takes too long does not make the status 2"
says "b.before.hlo: unknown: takes more than 1 second of processor time"
compare "$folder/b.before.hlo" "$folder/b.after.hlo" --seconds 1 --json --junit "$folder/junit.xml"
[ $? -eq 2 ] || fault "the status with --json is not 2"
says '"answer":"unknown","reason":"takes more than 1 second of processor time"'
grep -q 'tests="1" failures="0" errors="1"' "$folder/junit.xml" || fault "the result file has not one row"
compare --dir "$folder" --seconds 1
[ $? -eq 1 ] || fault "the status is not that of the pair that differs"
says "3 graphs, 1 NOT COMPARED, 2 outputs: 1 same values, 1 different"
compare "$folder/a.before.hlo" "$folder/a.after.hlo" --seconds 60
[ $? -eq 0 ] || fault "a pair within the limit is not compared"
says "1 output: 1 same values"
compare "$folder/c.before.hlo" "$folder/c.after.hlo" --seconds 60
[ $? -eq 1 ] || fault "a pair within the limit has not its status"

# The answers before the limit, or before an interrupt, hold.
mkdir "$folder/several"
for side in before after; do cat "$folder/a.$side.hlo" "$folder/c.$side.hlo" "$folder/b.$side.hlo" >"$folder/several/d.$side.hlo"; done
compare "$folder/several/d.before.hlo" "$folder/several/d.after.hlo" --seconds 1 --json --junit "$folder/junit.xml"
[ $? -eq 1 ] || fault "a difference before the limit does not make the status 1"
says '"answer":"unknown","reason":"takes more than 1 second of processor time, after 2 answers"'
says '"totals":{"objects":3,"same values":1,"different":1,"unknown":1},"status":1}'
grep -q 'tests="3" failures="1" errors="1"' "$folder/junit.xml" || fault "the result file has not the answers before the limit"
compare --dir "$folder/several" --seconds 1
[ $? -eq 1 ] || fault "a difference before the limit does not make the status of a directory 1"
says "3 graphs, 1 NOT COMPARED, 2 outputs: 1 same values, 1 different"
"$affirm" equiv --dir "$folder/several" --json >"$folder/out" 2>&1 &
run=$!
while kill -0 $run 2>/dev/null && ! grep -q '"different"' "$folder/out"; do sleep 0.1; done
kill -TERM $run
wait $run
[ $? -eq 1 ] || fault "a difference before an interrupt does not make the status 1"
says '"totals":{"objects":2,"same values":1,"different":1},"status":1,"interrupted":1}'
echo "$faults faults"
[ $faults -eq 0 ]
