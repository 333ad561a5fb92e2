#!/usr/bin/env bash
# ci/fewer_judges detects unnoticed additions: a line that the list lacks, a line too many, a rule with an unsatisfiable guard, a rewrite without a
# broken twin.
#   fewer_judges_test.sh BUILD
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
list=$here/../corpus/fewer_judges.txt
faults=0
expect() { # STATUS SAYS ARGUMENT...
  local status=0
  "$here/fewer_judges" "$build" "${@:3}" "$scratch/rewrites" "$scratch/coverage" >"$scratch/said" 2>&1 || status=$?
  { [ $status -eq "$1" ] && grep -q -- "$2" "$scratch/said"; } || { echo "status $status, not $1: $2"; cat "$scratch/said"; faults=$((faults + 1)); }
}
"$build/affirm" prove --coverage >"$scratch/coverage" || exit 1
mkdir "$scratch/rewrites"
cp "$here"/../corpus/rewrites/tuple_forwarding.*.hlo "$scratch/rewrites"
expect 0 '1 rewrites' "$list"
grep -v 'attribute LITERAL: ' "$list" >"$scratch/shorter"
expect 1 '^> fewer: attribute LITERAL: ' "$scratch/shorter"
echo 'fewer: opcode new: no claim at every size' | cat - "$list" >"$scratch/longer"
expect 1 '^< fewer: opcode new: ' "$scratch/longer"
printf 'rule idle\n  x  =>  x + 1\n  when c > 0, c*c < 0\n' >"$scratch/idle.rules"
cp "$scratch/coverage" "$scratch/before"
"$build/affirm" prove --coverage "$scratch/idle.rules" >>"$scratch/coverage" || exit 1
expect 1 '^> fewer: rule idle: no values satisfy the guard' "$list"
cp "$scratch/before" "$scratch/coverage"
rm "$scratch"/rewrites/*.broken.hlo
expect 1 'tuple_forwarding: no broken twin' "$list"
exit $((faults > 0))
