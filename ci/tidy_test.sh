#!/bin/sh
# Tests that ci/tidy passes on clean sources, and that it reports findings in a source and in a header, a source that does not compile, one that
# is missing, and a .clang-tidy that cannot be read. Exit status 77 without clang-tidy.
#   ci/tidy_test.sh COMPILER
set -u
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
tree=$scratch/tree
failed=0

lay() { # a project of two sources, one of them in no build, with a header and a test
  rm -rf "$tree"
  mkdir -p "$tree/ci" "$tree/core/test" "$tree/build"
  cp "$here/tidy" "$tree/ci/"
  cp "$here/../.clang-tidy" "$tree/"
  printf 'static inline int twice(int number) { return 2 * number; }\n' >"$tree/core/twice.h"
  printf '#include "core/twice.h"\nint four(void);\nint four(void) { return twice(2); }\n' >"$tree/core/four.c"
  cp "$tree/core/four.c" "$tree/core/script.c"
  printf 'no C\n' >"$tree/core/test/four_test.c"
  printf 'rule cc\n  command = %s -std=gnu2x -DNDEBUG -I%s -c %s/core/four.c -o four.o\nbuild four.o: cc %s/core/four.c\n' "$1" "$tree" "$tree" "$tree" >"$tree/build/build.ninja"
}
expect() { # expect STATUS WORDS [OPTIONS..]: ci/tidy ends so and says so
  wanted=$1 words=$2
  shift 2
  "$tree/ci/tidy" "$tree/build" "$@" >"$scratch/out" 2>&1
  status=$?
  if [ $status -ne "$wanted" ] || ! grep -q -- "$words" "$scratch/out"; then
    echo "failed: expected exit status $wanted and '$words', found $status and"
    cat "$scratch/out"
    failed=1
  fi
}
says() { grep -q -- "$1" "$scratch/out" || { echo "failed: '$1' is not said in"; cat "$scratch/out"; failed=1; }; }
plant() { printf "$2" >>"$tree/core/$1"; }

lay "$1"
plant four.c '#include <assert.h>\nint first_of(int *at);\nint first_of(int *at) { assert(at != 0); return at == 0 ? *at : 0; }\n'
expect 0 '^tidy: 2 sources, [1-9][0-9]* checks, 0 findings, 0 not checked$' # assertions are on
case $(cat "$scratch/out") in *"no clang-tidy"*) echo "skipped: no clang-tidy"; exit 77 ;; esac
says '^tidy: left out 1 sources of tests$'
lay "$1"
read_of='int read_of(int *at);\nint read_of(int *at) { return at == 0 ? *at : 0; }\n'
half_of='static inline double half_of(int number) { return number / 2; }\n'
plant four.c "$read_of"
plant script.c "$read_of"
plant twice.h "$half_of"
expect 1 '^tidy: 2 sources, [0-9]* checks, 3 findings, 0 not checked$'
says '^core/four.c:5:.*clang-analyzer-core.NullDereference'
says '^core/script.c:5:.*clang-analyzer-core.NullDereference'
says '^core/twice.h:2:.*bugprone-integer-division'
lay "$1"
plant script.c 'int half(int number) { return number / 2 }\n'
rm "$tree/core/four.c"
expect 1 '^tidy: 2 sources, [0-9]* checks, 1 findings, 1 not checked$'
says '^core/script.c:4:.*clang-diagnostic-error'
says '^core/four.c: not checked: exit status'
lay "$1"
echo 'Checks: [' >"$tree/.clang-tidy"
expect 3 '^tidy: no check bugprone-\* is on'
lay "$1"
echo 'Checks: "-*,clang-analyzer-*,cert-*"' >"$tree/.clang-tidy"
expect 3 '^tidy: no check bugprone-\* is on'
lay "$1"
expect 3 '^tidy: no sources in judge$' judge
git -C "$tree" init -q && git -C "$tree" add core && git -C "$tree" -c user.name=a -c user.email=a@a commit -qm a || failed=1
expect 0 '^tidy: 0 sources' --changed HEAD
plant script.c "$read_of"
expect 1 '^tidy: 1 sources.* 1 findings' --changed HEAD
plant twice.h "$half_of"
expect 1 '^tidy: 2 sources.* 2 findings' --changed HEAD
expect 3 '^tidy: no changes since nothing' --changed nothing
lay "$1"
echo >"$tree/build/build.ninja"
expect 3 'compiles no source of the project$'
exit $failed
