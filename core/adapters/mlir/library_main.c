/* The table that affirm-mlir.so exports. A constructor sets the layout, because it is computed. */
#include "core/adapters/mlir/load.h"

#ifndef AFFIRM_LLVM_VERSION
#define AFFIRM_LLVM_VERSION "unknown"
#endif

extern MlirLibrary affirm_mlir_library;

[[gnu::visibility("default")]] MlirLibrary affirm_mlir_library = {
    .version = AFFIRM_LLVM_VERSION,
#define FUNCTION(name) .name = name,
#include "core/adapters/mlir/library.def"
#undef FUNCTION
};

[[gnu::constructor]] static void fill_layout(void) {
  affirm_mlir_library.layout = mlir_library_layout();
}
