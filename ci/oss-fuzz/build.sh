#!/usr/bin/env bash
# Builds the fuzz targets the way fuzzing services ask for them: CC, CXX, CFLAGS, CXXFLAGS and LIB_FUZZING_ENGINE say how, sources stand in $SRC/affirm,
# objects go to $WORK, programs with their seeds, dictionaries and options to $OUT. Shared libraries that the machine which runs them may lack go to
# $OUT/lib, where the programs look for them. AFFIRM_FUZZ_TARGETS names some of the targets instead of all.
# The target mlir is left out: it would carry all of MLIR along.
set -euo pipefail
: "${CC:?}" "${CXX:?}" "${LIB_FUZZING_ENGINE:?}" "${OUT:?}" "${SRC:?}" "${WORK:?}"
source=$SRC/affirm
targets=${AFFIRM_FUZZ_TARGETS:-graph simplify compose layout rules text}

cmake -S "$source" -B "$WORK/affirm" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DAFFIRM_FUZZ=ON \
  -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_C_FLAGS="${CFLAGS:-}" -DCMAKE_CXX_FLAGS="${CXXFLAGS:-}" \
  -DCMAKE_C_FLAGS_DEBUG= -DCMAKE_CXX_FLAGS_DEBUG= -DCMAKE_EXE_LINKER_FLAGS='-Wl,-rpath,$ORIGIN/lib' >&2
cmake --build "$WORK/affirm" --target $(printf 'fuzz_%s ' $targets) >&2

mkdir -p "$OUT/lib"
for target in $targets; do
  program=$OUT/fuzz_$target
  cp "$WORK/affirm/fuzz_$target" "$program"
  ldd "$program" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | grep -Ev '/(libc|libm|libdl|librt|libpthread|libresolv)\.so' | xargs -r cp -Lu -t "$OUT/lib"
  (cd "$source/corpus/seeds/$target" && cmake -E tar cf "${program}_seed_corpus.zip" --format=zip .)
  printf '[libfuzzer]\nmax_len = 4096\ntimeout = 30\n' > "$program.options"
  if [ -f "$source/fuzz/$target.dict" ]; then
    cp "$source/fuzz/$target.dict" "$program.dict"
    printf 'dict = fuzz_%s.dict\n' "$target" >> "$program.options"
  fi
done
