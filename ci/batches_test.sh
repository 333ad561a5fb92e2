#!/bin/sh
# ci/batches separates conflicting files, and the compiler accepts all batches of the tree with the warnings of the build. Only syntax is checked.
#   ci/batches_test.sh COMPILER       AFFIRM_BATCHES_BUILT: the build directory in which ci/test has compiled all batches
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "batches: $*"; exit 1; }

# parted WHAT FIRST SECOND: the two texts must be in different batches. together: in the same.
batches_of() { printf '%s\n' "$1" >"$scratch/a.c"; printf '%s\n' "$2" >"$scratch/b.c"; "$root/ci/batches" "${3:-3000}" "$scratch/a.c" "$scratch/b.c" | cut -d' ' -f1 | sort -u | wc -l; }
parted() { [ "$(batches_of "$2" "$3" "${4:-}")" -eq 2 ] || fail "$1: one batch"; }
together() { [ "$(batches_of "$2" "$3")" -eq 1 ] || fail "$1: two batches"; }
together "two functions" 'static int first_of(void) {' 'static int second_of(void) {'
together "a function and a local variable" 'static int first_of(void) {' 'void f(void) {
  int first_of = 1;'
together "a word in a comment" 'static const int most = 1;' '/* most of all */'
parted "a function in both" 'static int sum_of(int a) {' '[[nodiscard]] static bool sum_of(char b) {'
parted "the second variable of a line and a local one" 'static constexpr int least = 1, most = 1\''000;' 'void f(void) {
  int most = 2;'
parted "an array and a parameter" 'static const char *const kinds[] = {"a"};' 'void f(int kinds) {'
parted "a table of unnamed rows and a word" 'static const struct { int a; }
    forms[] = {' '  int forms = 1;'
parted "an enumerator in both" 'enum { FIRST_KIND = 1 };' 'typedef enum { FIRST_KIND } Kind;'
parted "a macro and a word" '#define ROW(name) name' 'ROW(a)'
parted "a type in both" 'typedef bool Step(int a);' 'typedef bool Step(char a);'
parted "a length" 'int a;
int b;' 'int c;
int d;' 3
parted "an embedded file" 'int a;' '#embed "text"'

# ci/test has compiled all batches with the same warnings before.
if [ -n "${AFFIRM_BATCHES_BUILT:-}" ]; then echo "batches: compiled in $AFFIRM_BATCHES_BUILT"; exit 0; fi
cmake -S "$root" -B "$scratch/build" -G Ninja -DCMAKE_C_COMPILER="$1" -DCMAKE_BUILD_TYPE=Release -DAFFIRM_FUZZ=OFF -DAFFIRM_UNITY=ON >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
# Generated sources must exist.
ninja -C "$scratch/build" generated/cli/group_sources.def >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
sed -n 's/^ *"command": "\(.*\)",$/\1/p' "$scratch/build/compile_commands.json" | grep '/Unity/' | sed -e 's/\\"/"/g' -e 's/\\\\/\\/g' -e 's/ -o [^ ]*/ -fsyntax-only/' -e 's/ -c / /' >"$scratch/commands"
count=$(wc -l <"$scratch/commands")
[ "$count" -gt 50 ] || fail "$count batches"
cd "$scratch/build"
tr '\n' '\0' <"$scratch/commands" | xargs -0 -n 1 -P "$(nproc)" sh -c 'eval "$1"' sh >"$scratch/log" 2>&1 || { head -40 "$scratch/log"; fail "a batch does not compile: rename what meets, or see ci/batches"; }
echo "batches: $count are read without a warning"
