#!/usr/bin/env bash
# Runs build.sh with the variables of a fuzzing service set, on a copy of the tree in which a fault is planted, and checks each product as the service's own
# check does: it starts, finds its libraries, runs its seeds; and the target graph must crash on the planted fault.
#   ci/oss-fuzz/build_test.sh address|undefined
set -euo pipefail
sanitizer=${1:-address}
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "build_test: $*"; exit 1; }

export SRC=$scratch/src WORK=$scratch/work OUT=$scratch/out SANITIZER=$sanitizer FUZZING_ENGINE=libfuzzer
export CC=${CC:-$(command -v clang-22 clang-21 clang-20 clang-19 clang | head -n 1)} LIB_FUZZING_ENGINE=-fsanitize=fuzzer
export CXX=${CXX:-${CC/clang/clang++}}
common='-O1 -fno-omit-frame-pointer -gline-tables-only -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION -fsanitize=fuzzer-no-link'
case $sanitizer in
  address) export CFLAGS="$common -fsanitize=address -fsanitize-address-use-after-scope" ;;
  undefined) export CFLAGS="$common -fsanitize=undefined -fno-sanitize-recover=undefined" ;;
  *) fail "no sanitizer $sanitizer" ;;
esac
export CXXFLAGS=$CFLAGS AFFIRM_FUZZ_TARGETS=${AFFIRM_FUZZ_TARGETS:-graph layout text}
mkdir -p "$SRC" "$WORK" "$OUT"
(cd "$root" && tar cf - --exclude='./build*' --exclude=./.git --exclude=./.affirm .) | (mkdir "$SRC/affirm" && tar xf - -C "$SRC/affirm")
fault=$root/corpus/faults/reverse_off_by_one.fault
file=$("$root/ci/plant" "$fault" --file)
"$root/ci/plant" "$fault" "$root" "$scratch/planted.c" && cp "$scratch/planted.c" "$SRC/affirm/$file"

bash "$root/ci/oss-fuzz/build.sh" || fail "build.sh failed"
for target in $AFFIRM_FUZZ_TARGETS; do
  program=$OUT/fuzz_$target
  for part in "" _seed_corpus.zip .options; do [ -s "$program$part" ] || fail "$program$part is missing"; done
  ldd "$program" | grep 'not found' && fail "$target lacks a library"
  [ "$(nm "$program" 2>/dev/null | grep -cE '__asan_init|__ubsan_handle')" -gt 0 ] || fail "$target is without its sanitizer"
  mkdir "$scratch/seeds-$target" && (cd "$scratch/seeds-$target" && cmake -E tar xf "${program}_seed_corpus.zip")
  "$program" -help=1 > "$scratch/log" 2>&1 || fail "$target does not start"
  status=0
  (cd "$scratch" && "$program" -runs=1 "$scratch/seeds-$target" > "$scratch/log" 2>&1) || status=$?
  if [ "$target" = graph ]; then
    [ $status -ne 0 ] && grep -aq '^# fuzz_found_wrong' "$scratch/log" || fail "graph does not see the planted fault"
  elif [ $status -ne 0 ]; then
    tail -n 20 "$scratch/log"
    fail "$target fails on its seeds"
  fi
done
[ -s "$OUT/fuzz_text.dict" ] || [[ " $AFFIRM_FUZZ_TARGETS " != *" text "* ]] || fail "the dictionary is missing"
echo "build_test: $sanitizer, $AFFIRM_FUZZ_TARGETS: products are as a service wants them"
