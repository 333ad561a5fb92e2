#!/usr/bin/env bash
# Builds the fuzz targets as fuzzing services require: CC, CXX, CFLAGS, CXXFLAGS and LIB_FUZZING_ENGINE select the build, sources are in $SRC/affirm,
# objects go to $WORK, and programs with their seeds, dictionaries and options to $OUT. SANITIZER and FUZZING_ENGINE are already part of those flags
# and are only printed. AFFIRM_FUZZ_TARGETS selects some targets instead of all.
# The machine that runs them has only the C library. Shared libraries go to $OUT/lib, where programs and libraries find them by their own rpath
# ($ORIGIN/lib; the old kind, which also applies to libraries of libraries). The target mlir opens affirm-mlir.so beside it
# (docs/decisions/0011-fuzzing-services.md).
set -euo pipefail
: "${CC:?}" "${CXX:?}" "${LIB_FUZZING_ENGINE:?}" "${OUT:?}" "${SRC:?}" "${WORK:?}"
source=$SRC/affirm
targets=${AFFIRM_FUZZ_TARGETS:-$(cd "$source/fuzz/targets" && ls ./*_target.c | sed 's|^\./||; s|_target\.c$||')}
# AFL++ rejects an instrumented library that is opened after its fork server has started, as the target mlir does.
if [ "${FUZZING_ENGINE:-}" = afl ]; then targets=$(printf '%s\n' $targets | grep -vx mlir); fi
echo "build.sh: engine ${FUZZING_ENGINE:-of LIB_FUZZING_ENGINE}, sanitizer ${SANITIZER:-of CFLAGS}:" $targets >&2

rpath="-Wl,--disable-new-dtags,-rpath,'\$ORIGIN/lib'" # quoted once more for the shell that links
cmake -S "$source" -B "$WORK/affirm" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DAFFIRM_FUZZ=ON -DCMAKE_ENABLE_EXPORTS=ON -DCMAKE_SKIP_RPATH=ON \
  -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_C_FLAGS="${CFLAGS:-}" -DCMAKE_CXX_FLAGS="${CXXFLAGS:-}" \
  -DCMAKE_C_FLAGS_DEBUG= -DCMAKE_CXX_FLAGS_DEBUG= -DCMAKE_EXE_LINKER_FLAGS="$rpath" -DCMAKE_MODULE_LINKER_FLAGS="$rpath" >&2
cmake --build "$WORK/affirm" --target $(printf 'fuzz_%s ' $targets) >&2

# Copies every shared library that $1 needs, except those of the C library.
ship_libraries() {
  mkdir -p "$OUT/lib"
  ldd "$1" | awk -v out="$OUT/" '$2 == "=>" && $3 ~ /^\// && $3 !~ /\/(libc|libm|libdl|librt|libpthread|libresolv)\.so/ && index($3, out) != 1 { print $3 }' | xargs -r cp -Lu -t "$OUT/lib"
}

for target in $targets; do
  program=$OUT/fuzz_$target
  cp "$WORK/affirm/fuzz_$target" "$program"
  ship_libraries "$program"
  (cd "$source/corpus/seeds/$target" && cmake -E tar cf "${program}_seed_corpus.zip" --format=zip .)
  printf '[libfuzzer]\nmax_len = 4096\ntimeout = 30\n' > "$program.options"
  if [ -f "$source/fuzz/$target.dict" ]; then
    cp "$source/fuzz/$target.dict" "$program.dict"
    printf 'dict = fuzz_%s.dict\n' "$target" >> "$program.options"
  fi
  if [ "$target" = mlir ]; then
    cp "$WORK/affirm/affirm-mlir.so" "$OUT/"
    LD_LIBRARY_PATH=$(sed -n 's/^MLIR_INCLUDE:PATH=\(.*\)\/include$/\1\/lib/p' "$WORK/affirm/CMakeCache.txt") ship_libraries "$OUT/affirm-mlir.so"
  fi
done
