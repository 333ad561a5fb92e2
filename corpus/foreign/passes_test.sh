#!/bin/sh
# What passes did wrong, as small modules of ours: wrong is refuted with both values, right has the same values by both judges.
#   passes_test.sh AFFIRM
set -u
affirm=$1
cd "$(dirname "$0")" || exit 1
out=$(mktemp)
trap 'rm -f "$out"' EXIT
pairs=0
faults=0
# compare NAME KIND STATUS WORDS
compare() {
  "$affirm" equiv "passes_$1.before.hlo" "passes_$1.$2.hlo" >"$out" 2>&1
  status=$?
  pairs=$((pairs + 1))
  if [ $status -ne "$3" ] || ! grep -qE "$4" "$out"; then
    echo "FAULT: $1: $2 ended with $status and does not say $4"
    sed 's/^/    | /' "$out"
    faults=$((faults + 1))
  fi
}
for before in passes_*.before.hlo; do
  name=${before#passes_}
  name=${name%.before.hlo}
  compare "$name" wrong 1 '^  different .* before, .* after, where '
  compare "$name" right 0 '^  same values .* oracle\+smt '
  grep -q "^| .$name. " passes.md || { echo "FAULT: $name: passes.md does not name it"; faults=$((faults + 1)); }
done
echo "$pairs pairs, $faults faults"
[ $pairs -ge 10 ] && [ $faults -eq 0 ]
