#!/usr/bin/env bash
# Runs build.sh with the variables of a fuzzing service set, on a copy of the tree in which a fault is planted, and checks each product as the service's own
# check does: it starts, finds its libraries in what is shipped, carries its engine and its sanitizer, runs its seeds; and the target graph must crash on the
# planted fault.
#   ci/oss-fuzz/build_test.sh address|undefined|afl
set -euo pipefail
mode=${1:-address}
root=$(cd "$(dirname "$0")/../.." && pwd)
if [ "$mode" = afl ] && ! command -v afl-clang-fast >/dev/null; then
  echo "skipped: afl-clang-fast missing"
  exit 0
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "build_test: $*"; exit 1; }

export SRC=$scratch/src WORK=$scratch/work OUT=$scratch/out
clang=$(command -v clang-22 clang-21 clang-20 clang-19 clang | head -n 1)
common='-O1 -fno-omit-frame-pointer -gline-tables-only -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION'
sanitize_address='-fsanitize=address -fsanitize-address-use-after-scope'
case $mode in
  address) export SANITIZER=address FUZZING_ENGINE=libfuzzer CFLAGS="$common $sanitize_address -fsanitize=fuzzer-no-link" ;;
  undefined) export SANITIZER=undefined FUZZING_ENGINE=libfuzzer CFLAGS="$common -fsanitize=undefined -fno-sanitize-recover=undefined -fsanitize=fuzzer-no-link" ;;
  afl) export SANITIZER=address FUZZING_ENGINE=afl CFLAGS="$common $sanitize_address" ;;
  *) fail "no mode $mode" ;;
esac
if [ "$mode" = afl ]; then
  # The wrapper around the clang that has C23, with the instrumentation of that clang itself: the wrapper's own passes fit the clang that it came with alone.
  export CC=$(command -v afl-clang-fast) CXX=$(command -v afl-clang-fast++) AFL_CC=$clang AFL_CXX=${clang/clang/clang++} AFL_LLVM_INSTRUMENT=LLVM-NATIVE AFL_QUIET=1
  export LIB_FUZZING_ENGINE=$(ls /usr/lib/afl/libAFLDriver.a /usr/local/lib/afl/libAFLDriver.a 2>/dev/null | head -n 1)
  [ -n "$LIB_FUZZING_ENGINE" ] || { echo "skipped: libAFLDriver.a missing"; exit 0; }
  export AFFIRM_FUZZ_TARGETS=${AFFIRM_FUZZ_TARGETS:-graph text simplify}
else
  export CC=${CC:-$clang} LIB_FUZZING_ENGINE=-fsanitize=fuzzer
  export CXX=${CXX:-${CC/clang/clang++}}
fi
export CXXFLAGS=$CFLAGS AFFIRM_FUZZ_TARGETS=${AFFIRM_FUZZ_TARGETS:-graph text mlir}
mkdir -p "$SRC" "$WORK" "$OUT"
(cd "$root" && tar cf - --exclude='./build*' --exclude=./.git --exclude=./.affirm .) | (mkdir "$SRC/affirm" && tar xf - -C "$SRC/affirm")
fault=$root/corpus/faults/reverse_off_by_one.fault
file=$("$root/ci/plant" "$fault" --file)
"$root/ci/plant" "$fault" "$root" "$scratch/planted.c" && cp "$scratch/planted.c" "$SRC/affirm/$file"

bash "$root/ci/oss-fuzz/build.sh" > "$scratch/build.log" 2>&1 || { tail -n 30 "$scratch/build.log"; fail "build.sh failed"; }
mv "$WORK" "$scratch/gone" # nothing may be looked for where it was built

# Everything but the C library must come from what is shipped.
libraries_are_shipped() {
  ldd "$1" > "$scratch/libraries" 2>&1
  grep 'not found' "$scratch/libraries" && return 1
  ! awk '$2 == "=>" { print $3 }' "$scratch/libraries" | grep -Ev "^$OUT/lib/|/(libc|libm|libdl|librt|libpthread|libresolv)\.so"
}

check_engine() {
  local symbols
  symbols=$(nm "$1" 2>/dev/null)
  grep -qE '__asan_init|__ubsan_handle' <<< "$symbols" || fail "$1 is without its sanitizer"
  if [ "$mode" = afl ]; then grep -q '__afl_area_ptr' <<< "$symbols" || fail "$1 is without AFL++"
  else grep -q 'LLVMFuzzerRunDriver' <<< "$symbols" || fail "$1 is without libFuzzer"
  fi
}

# AFL++ itself must take the program: its fork server answers and the seeds run. One is enough to see that.
check_afl_start() {
  mkdir "$scratch/afl-in" && printf 'x' > "$scratch/afl-in/one"
  AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_AFFINITY=1 AFL_NO_UI=1 \
    timeout 60 afl-fuzz -i "$scratch/afl-in" -o "$scratch/afl-out" -m none -t 5000 -V 3 "$1" > "$scratch/log" 2>&1 || true
  grep -aq 'All set and ready to roll' "$scratch/log" || { tail -n 20 "$scratch/log"; fail "afl-fuzz does not take $1"; }
}

run_seeds() {
  if [ "$mode" = afl ]; then (cd "$scratch" && "$1" "$2"/* > "$scratch/log" 2>&1)
  else (cd "$scratch" && "$1" -runs=1 "$2" > "$scratch/log" 2>&1)
  fi
}

for target in $AFFIRM_FUZZ_TARGETS; do
  program=$OUT/fuzz_$target
  for part in "" _seed_corpus.zip .options; do [ -s "$program$part" ] || fail "$program$part is missing"; done
  libraries_are_shipped "$program" || fail "$target lacks a library"
  check_engine "$program"
  mkdir "$scratch/seeds-$target" && (cd "$scratch/seeds-$target" && cmake -E tar xf "${program}_seed_corpus.zip")
  [ "$(ls "$scratch/seeds-$target" | wc -l)" -gt 0 ] || fail "$target has no seeds"
  [ "$mode" = afl ] || "$program" -runs=4 > "$scratch/log" 2>&1 || { tail -n 20 "$scratch/log"; fail "$target does not start"; }
  status=0
  run_seeds "$program" "$scratch/seeds-$target" || status=$?
  if [ "$target" = graph ]; then
    [ $status -ne 0 ] && grep -aq '^# fuzz_found_wrong' "$scratch/log" || fail "graph does not see the planted fault"
  elif [ $status -ne 0 ]; then
    tail -n 20 "$scratch/log"
    fail "$target fails on its seeds"
  fi
done
[[ " $AFFIRM_FUZZ_TARGETS " != *" text "* ]] || [ -s "$OUT/fuzz_text.dict" ] || fail "the dictionary is missing"
if [[ " $AFFIRM_FUZZ_TARGETS " == *" mlir "* ]]; then libraries_are_shipped "$OUT/affirm-mlir.so" || fail "affirm-mlir.so lacks a library"; fi
[ "$mode" != afl ] || check_afl_start "$OUT/fuzz_text"
echo "build_test: $mode, $AFFIRM_FUZZ_TARGETS: products are as a service wants them, $(du -sh "$OUT" | cut -f 1)"
