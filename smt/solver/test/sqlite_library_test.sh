#!/bin/sh
# SQLite and isl are opened on first use: the program does not link them. Without SQLite a named store is an error, and the usual one is done without,
# which is reported; no verdict is lost. Without isl nothing passes that isl is asked about.
#   sqlite_library_test.sh PROGRAM LIBRARY
# LIBRARY is SQLite's name for the dynamic loader.
set -eu
program=$1 library=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { cat "$scratch/out" "$scratch/err"; echo "sqlite_library_test: $*"; exit 1; }
: >"$scratch/out" >"$scratch/err"
! objdump -p "$program" | grep NEEDED | grep -E 'sqlite|isl|gmp' || fail "the program links what it should open"
echo 'rule same  x + 0 => x' >"$scratch/same.rules"
export XDG_CACHE_HOME="$scratch/cache"
unset CI # with it there is no usual store
prove() { # prove STATUS ARGUMENT...
  wanted=$1 status=0
  shift
  "$program" prove "$@" "$scratch/same.rules" >"$scratch/out" 2>"$scratch/err" || status=$?
  [ $status = "$wanted" ] || fail "status $status, not $wanted"
}
prove 0 --store "$scratch/kept.sqlite"
[ -s "$scratch/kept.sqlite" ] && [ ! -s "$scratch/err" ] || fail "no store was written"
echo 'no library' >"$scratch/$library"
export LD_LIBRARY_PATH="$scratch"
prove 3 --store "$scratch/none.sqlite"
grep -q "the proof store cannot be opened: .*$library" "$scratch/err" || fail "the missing library is not reported"
prove 0
grep -q '^same PROVED' "$scratch/out" && grep -q 'continuing without a proof store' "$scratch/err" || fail "the usual store is not done without"
[ ! -e "$scratch/none.sqlite" ] && [ ! -e "$scratch/cache" ] || fail "a store was written without the library"
isl=$(objdump -p "${program%/*}/libengine_isl.so" 2>/dev/null | sed -n 's/.*NEEDED *\(libisl.*\)/\1/p')
if [ -n "$isl" ]; then
  rm "$scratch/$library"
  status=0
  "$program" exhaust --scope reverse --jobs 1 >"$scratch/out" 2>"$scratch/err" || status=$?
  [ $status = 0 ] || fail "the scope fails with isl: $status"
  echo 'no library' >"$scratch/$isl"
  "$program" exhaust --scope reverse --jobs 1 >"$scratch/out" 2>"$scratch/err" && fail "the scope passes without isl"
  grep -q "isl cannot be used: .*$isl" "$scratch/out" "$scratch/err" || fail "the missing isl is not named"
fi
