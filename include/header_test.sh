#!/bin/sh
# The public headers compile on their own, as C11 and as C++17, with each available compiler; a faulty file does not.
#   header_test.sh ROOT
set -eu
header=$1/include
tried=0
for compiler in gcc clang clang-22; do
  command -v $compiler >/dev/null || { echo "skipped: no $compiler"; continue; }
  for language in "c c11" "c++ c++17"; do
    set -- $language
    strict="-std=$2 -Wall -Wextra -Wpedantic -Werror -I$header -fsyntax-only -x $1 -"
    printf '#include "affirm_engine.h"\n#include "affirm_engine.h"\nstatic const AffirmEngine engine = {AFFIRM_ENGINE_VERSION, "n", 0, 0, 0, 0, 0};\nconst AffirmEngine *affirm_engine(void) { return &engine; }\n' |
      $compiler $strict
    printf '#include "affirm.h"\n#include "affirm.h"\nint f(AffirmContext *context) { return affirm_maps_same(context, 0, 0, 0) == AFFIRM_FAILED; }\n' | $compiler $strict
    printf '#include "affirm.h"\nint affirm_version(void) { return 0; }\n' | $compiler $strict 2>/dev/null && { echo "$compiler $2 accepts a wrong function"; exit 1; }
    printf '#include "affirm_engine.h"\nint affirm_engine(void) { return 0; }\n' | $compiler $strict 2>/dev/null && { echo "$compiler $2 takes a wrong symbol"; exit 1; }
    tried=$((tried + 1))
  done
done
[ $tried -ge 2 ] || { echo "no compiler was tried"; exit 1; }
echo "compiled $tried times"
