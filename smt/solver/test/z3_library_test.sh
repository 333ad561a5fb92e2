#!/bin/sh
# The solver is opened on first use: the program does not link it, maps need none, and a judgement without it ends with status 3 and a reason.
#   z3_library_test.sh PROGRAM LIBRARY UNLINKED...
# LIBRARY is the solver's name for the dynamic loader. UNLINKED are the libraries that the program must not link.
set -eu
program=$1 library=$2
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "z3_library_test: $*"; exit 1; }
needed=$(objdump -p "$program" | grep NEEDED) || fail "$program has no dynamic section"
for unlinked; do
  ! echo "$needed" | grep -F "$unlinked" || fail "the program links what it should open"
done
map='(d0) -> (d0 mod 8), domain: d0 in [0, 7]'
echo 'rule wide  x mod c => x  when c > 0, 0 <= lo(x), hi(x) <= c' >"$scratch/wide.rules"
status=0
"$program" prove --no-store "$scratch/wide.rules" >"$scratch/out" 2>&1 || status=$?
[ $status = 1 ] && grep -q 'REFUTED at' "$scratch/out" || { cat "$scratch/out"; fail "with the solver: status $status"; }
echo 'no library' >"$scratch/$library"
export LD_LIBRARY_PATH="$scratch"
"$program" simplify "$map" | grep -qx '(d0) -> (d0), domain: d0 in \[0, 7\]' || fail "a map needs the solver"
status=0
"$program" prove --no-store "$scratch/wide.rules" >"$scratch/out" 2>&1 || status=$?
[ $status = 3 ] && grep -q "^affirm: the solver cannot be used: .*$library" "$scratch/out" || { cat "$scratch/out"; fail "without the solver: status $status"; }
