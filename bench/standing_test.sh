#!/bin/sh
# Checks that bench/foreign.md has the table that `affirm score --standing` makes of the kept counts, and that a changed count is noticed.
#   standing_test.sh AFFIRM ROOT
set -u
affirm=$1
cd "$2" || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
faults=0
fault() { echo "FAULT: $*"; faults=$((faults + 1)); }

# same DIRECTORY: succeeds if the counts there make the table of bench/foreign.md
same() {
  "$affirm" score --standing "$1"/*.json >"$scratch/made" || return 2
  sed -n '/^<!-- standing/,/^<!-- end of standing/p' bench/foreign.md | grep '^|' >"$scratch/written"
  [ -s "$scratch/made" ] && cmp -s "$scratch/made" "$scratch/written"
}
same bench/foreign || { fault "bench/foreign.md has another table: bench/standing --table makes it"; diff "$scratch/made" "$scratch/written"; }
[ "$(grep -c '^| ' "$scratch/made")" -ge 6 ] || fault "fewer than five engines"

mkdir "$scratch/bent"
cp bench/foreign/*.json "$scratch/bent"
sed 's/"slowest_nanoseconds":[0-9]*/"slowest_nanoseconds":8000000000000/' bench/foreign/isl.json >"$scratch/bent/isl.json"
same "$scratch/bent" && fault "another count makes the same table"

# Each engine with a campaign of an hour has a row, and a row without a measurement says so.
for name in 'MLIR affine' 'MLIR Presburger' Halide isl sympy; do
  grep -q "^| $name [0-9.]* | 20[0-9-]* | .*affirm fuzz" bench/foreign.md || grep -q "^| $name [0-9.]* | not run |" bench/foreign.md || fault "no campaign of $name"
done

echo "$faults faults"
[ $faults -eq 0 ]
