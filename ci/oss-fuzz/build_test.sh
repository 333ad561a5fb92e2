#!/usr/bin/env bash
# Runs build.sh with the variables of a fuzzing service, on a copy of the tree with a seeded fault, and tests each product as the service does: it
# starts, finds its libraries in the output, contains its engine and its sanitizer, and runs its seeds. The target graph must crash on the mutant.
# With coverage, the report of the other targets' seeds must contain lines of affirm's sources.
#   ci/oss-fuzz/build_test.sh address|undefined|coverage|afl
#   ci/oss-fuzz/build_test.sh targets      builds nothing: which targets build.sh takes if AFFIRM_FUZZ_TARGETS does not select some, as in a service
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

if [ "$mode" = targets ]; then
  mkdir "$scratch/src" "$scratch/bin" && ln -s "$root" "$scratch/src/affirm"
  printf '#!/bin/sh\nexit 1\n' > "$scratch/bin/cmake" && chmod +x "$scratch/bin/cmake"
  export CC=true CXX=true LIB_FUZZING_ENGINE=none SRC=$scratch/src WORK=$scratch OUT=$scratch PATH=$scratch/bin:$PATH
  taken=$(unset AFFIRM_FUZZ_TARGETS FUZZING_ENGINE SANITIZER; bash "$root/ci/oss-fuzz/build.sh" 2>&1 || true)
  for target in "$root"/fuzz/targets/*_target.c; do
    target=$(basename "$target" _target.c)
    [[ " ${taken##*: } " == *" $target "* ]] || fail "build.sh does not take $target: $taken"
  done
  echo "build_test: build.sh takes ${taken##*: }"
  exit 0
fi

export SRC=$scratch/src WORK=$scratch/work OUT=$scratch/out
clang=$(command -v clang-22 clang-21 clang-20 clang-19 clang | head -n 1)
common='-O1 -fno-omit-frame-pointer -gline-tables-only -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION'
sanitize_address='-fsanitize=address -fsanitize-address-use-after-scope'
# The service's settings for undefined behaviour: unsigned overflow guides its engine and is no finding.
findings=bool,array-bounds,float-divide-by-zero,function,integer-divide-by-zero,return,shift,signed-integer-overflow,vla-bound,vptr
sanitize_undefined="-fsanitize=$findings,unsigned-integer-overflow -fno-sanitize-recover=$findings"
export UBSAN_OPTIONS=silence_unsigned_overflow=1
case $mode in
  address) export SANITIZER=address FUZZING_ENGINE=libfuzzer CFLAGS="$common $sanitize_address -fsanitize=fuzzer-no-link" ;;
  undefined) export SANITIZER=undefined FUZZING_ENGINE=libfuzzer CFLAGS="$common $sanitize_undefined -fsanitize=fuzzer-no-link" ;;
  coverage) export SANITIZER=coverage FUZZING_ENGINE=libfuzzer CFLAGS="$common -fprofile-instr-generate -fcoverage-mapping -pthread -Wl,--no-as-needed -Wl,-ldl -Wl,-lm -Wno-unused-command-line-argument" ;;
  afl) export SANITIZER=address FUZZING_ENGINE=afl CFLAGS="$common $sanitize_address" ;;
  *) fail "no mode $mode" ;;
esac
if [ "$mode" = afl ]; then
  # The AFL++ wrapper with a clang that supports C23 and that clang's own instrumentation: the wrapper's passes work only with the clang that it was
  # built for.
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
file=$("$root/ci/seed_mutant" "$fault" --file)
"$root/ci/seed_mutant" "$fault" "$root" "$scratch/seeded.c" && cp "$scratch/seeded.c" "$SRC/affirm/$file"

bash "$root/ci/oss-fuzz/build.sh" > "$scratch/build.log" 2>&1 || { tail -n 30 "$scratch/build.log"; fail "build.sh failed"; }
mv "$WORK" "$scratch/gone" # nothing may be searched in the build directory

# Everything except the C library must be in the output.
libraries_are_shipped() {
  ldd "$1" > "$scratch/libraries" 2>&1
  grep 'not found' "$scratch/libraries" && return 1
  ! awk '$2 == "=>" { print $3 }' "$scratch/libraries" | grep -Ev "^$OUT/lib/|/(libc|libm|libdl|librt|libpthread|libresolv)\.so"
}

check_engine() {
  local symbols wanted
  symbols=$(nm "$1" 2>/dev/null)
  case $mode in undefined) wanted=__ubsan_handle ;; coverage) wanted=__llvm_profile_write_file ;; *) wanted=__asan_init ;; esac
  grep -q "$wanted" <<< "$symbols" || fail "$1 is without its sanitizer"
  if [ "$mode" = afl ]; then grep -q '__afl_area_ptr' <<< "$symbols" || fail "$1 is without AFL++"
  else grep -q 'LLVMFuzzerRunDriver' <<< "$symbols" || fail "$1 is without libFuzzer"
  fi
}

# AFL++ itself must accept the program: its fork server answers and the seeds run. One input suffices.
check_afl_start() {
  mkdir "$scratch/afl-in" && printf 'x' > "$scratch/afl-in/one"
  AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_AFFINITY=1 AFL_NO_UI=1 \
    timeout 60 afl-fuzz -i "$scratch/afl-in" -o "$scratch/afl-out" -m none -t 5000 -V 3 "$1" > "$scratch/log" 2>&1 || true
  grep -aq 'All set and ready to roll' "$scratch/log" || { tail -n 20 "$scratch/log"; fail "afl-fuzz does not take $1"; }
}

# The options file that the service reads beside a program: the files it names exist, and the engine accepts them. Every target with a dictionary has
# one.
check_options() {
  local dictionary
  dictionary=$(sed -n 's/^dict = //p' "$1.options")
  if [ -f "$root/fuzz/$2.dict" ]; then
    [ "$dictionary" = "fuzz_$2.dict" ] && cmp -s "$root/fuzz/$2.dict" "$OUT/$dictionary" || fail "the dictionary of $2 is missing or not named"
    [ "$mode" = afl ] || "$1" -dict="$OUT/$dictionary" -runs=1 > "$scratch/log" 2>&1 || { tail -n 5 "$scratch/log"; fail "$2 does not take its dictionary"; }
  else
    [ -z "$dictionary" ] || fail "$2 names a dictionary that it has not"
  fi
}

# The tools that make a coverage report.
check_coverage() {
  local tools
  tools=$(dirname "$(readlink -f "$CC")")
  "$tools/llvm-profdata" merge -o "$scratch/seeds.profdata" "$scratch/profile-$2" || fail "$2 writes no profile"
  "$tools/llvm-cov" report "$1" -instr-profile "$scratch/seeds.profdata" > "$scratch/report" 2>&1 || fail "no report of what $2 reaches"
  awk '$1 ~ /core\/base\/arena\.c$/ && $8 - $9 > 0 { found = 1 } END { exit !found }' "$scratch/report" || { head -n 20 "$scratch/report"; fail "the seeds of $2 reach no line"; }
}

run_seeds() {
  if [ "$mode" = afl ]; then (cd "$scratch" && "$1" "$2"/* > "$scratch/log" 2>&1)
  else (cd "$scratch" && LLVM_PROFILE_FILE=$scratch/profile-${1##*/fuzz_} "$1" -runs=1 "$2" > "$scratch/log" 2>&1)
  fi
}

for target in $AFFIRM_FUZZ_TARGETS; do
  program=$OUT/fuzz_$target
  for part in "" _seed_corpus.zip .options; do [ -s "$program$part" ] || fail "$program$part is missing"; done
  libraries_are_shipped "$program" || fail "$target lacks a library"
  check_engine "$program"
  mkdir "$scratch/seeds-$target" && (cd "$scratch/seeds-$target" && cmake -E tar xf "${program}_seed_corpus.zip")
  diff -r "$scratch/seeds-$target" "$root/corpus/seeds/$target" > "$scratch/log" || { head -n 3 "$scratch/log"; fail "$target has other seeds"; }
  check_options "$program" "$target"
  [ "$mode" = afl ] || "$program" -runs=4 > "$scratch/log" 2>&1 || { tail -n 20 "$scratch/log"; fail "$target does not start"; }
  status=0
  run_seeds "$program" "$scratch/seeds-$target" || status=$?
  if [ "$target" = graph ]; then
    [ $status -ne 0 ] && grep -aq '^# fuzz_found_wrong' "$scratch/log" || fail "graph does not see the mutant"
  elif [ $status -ne 0 ]; then
    tail -n 20 "$scratch/log"
    fail "$target fails on its seeds"
  elif [ "$mode" = coverage ]; then
    check_coverage "$program" "$target"
  fi
done
if [[ " $AFFIRM_FUZZ_TARGETS " == *" mlir "* ]]; then libraries_are_shipped "$OUT/affirm-mlir.so" || fail "affirm-mlir.so lacks a library"; fi
[ "$mode" != afl ] || check_afl_start "$OUT/fuzz_text"
echo "build_test: $mode, $AFFIRM_FUZZ_TARGETS: products are as a service wants them, $(du -sh "$OUT" | cut -f 1)"
