#!/bin/sh
# A pair of a directory that exhausts the memory is unknown; the pairs before and after it are compared.
#   equiv_memory_test.sh AFFIRM
set -u
affirm=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
faults=0
fault() { echo "FAULT: $*"; sed 's/^/    | /' "$folder/out"; faults=$((faults + 1)); }
says() { grep -qF -- "$1" "$folder/out" || fault "not said: $1"; }

# The address space that a sanitizer reserves exceeds any limit.
if ! (ulimit -v 200000; exec "$affirm" --version) >/dev/null 2>&1; then
  echo "skipped: the build cannot run in 200 MB of address space"
  exit 77
fi
# module NAME OPERATION ELEMENTS
module() {
  cat >"$folder/$1.hlo" <<END
HloModule m

add {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] add(x, y)
}

ENTRY e {
  a = f32[$3] parameter(0)
  b = f32[$3] $2(a)
  z = f32[] constant(0)
  ROOT d = f32[] reduce(b, z), dimensions={0}, to_apply=add
}
END
}
module a.before sine 3
module a.after sine 3
module b.before sine 2000000
module b.after cosine 2000000
module c.before sine 3
module c.after negate 3
compare() { (ulimit -v 200000; exec "$affirm" equiv --dir "$folder" "$@") >"$folder/out" 2>&1; }

compare
[ $? -eq 1 ] || fault "the status is not that of the pair that differs"
says "b.before.hlo: unknown: ended before the comparison, because memory ran out"
says "3 graphs, 1 NOT COMPARED, 2 outputs: 1 same values, 1 different"
compare --json --junit "$folder/junit.xml"
says '"answer":"unknown","reason":"ended before the comparison, because memory ran out"'
says '"answer":"different"'
says '"totals":{"objects":3,"same values":1,"unknown":1,"different":1},"status":1}'
[ "$(grep -c totals "$folder/out")" = 1 ] || fault "there is more than one line of totals"
grep -q 'tests="3" failures="1" errors="1"' "$folder/junit.xml" || fault "the result file has not three rows"
rm "$folder"/c.*
compare
[ $? -eq 2 ] || fault "a pair that is not compared does not make the status 2"
echo "$faults faults"
[ $faults -eq 0 ]
