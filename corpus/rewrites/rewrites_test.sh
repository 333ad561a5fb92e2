#!/bin/sh
# Every rewrite of this folder: before and after read the same elements, and the broken twin is refuted with an element that differs.
# A disagreement of judges or an open question is neither.
#   rewrites_test.sh AFFIRM
set -u
affirm=$1
cd "$(dirname "$0")" || exit 1
out=$(mktemp)
trap 'rm -f "$out"' EXIT
rewrites=0
faults=0

fault() { echo "FAULT: $*"; sed 's/^/    | /' "$out"; faults=$((faults + 1)); }
# compare NAME KIND STATUS
compare() {
  # shellcheck disable=SC2046
  timeout 300 "$affirm" equiv "$1.before.hlo" "$1.$2.hlo" $(cat "$1.options" 2>/dev/null) >"$out" 2>&1
  status=$?
  [ $status -eq "$3" ] || fault "$1: $2 ended with $status, not $3"
  if grep -qE '^  (disagree|unknown) ' "$out"; then fault "$1: $2 was not decided"; fi
}

for file in *.hlo; do
  case $file in
  *.before.hlo | *.after.hlo | *.broken.hlo) ;;
  *) out=/dev/null fault "$file belongs to no rewrite" ;;
  esac
  [ -f "${file%.*.hlo}.before.hlo" ] || out=/dev/null fault "$file has no graph before"
done
for before in *.before.hlo; do
  name=${before%.before.hlo}
  compare "$name" after 0
  grep -q '^  same ' "$out" || fault "$name: nothing was the same"
  compare "$name" broken 1
  grep -qE '^  different .*(before|after) only' "$out" || fault "$name: no element that differs was named"
  rewrites=$((rewrites + 1))
done
echo "$rewrites rewrites, $faults faults"
[ $rewrites -ge 18 ] && [ $faults -eq 0 ]
