/* MLIR text to machine code in this process, through MLIR's own pipeline: lower-affine, range analysis, scf to cf,
 * everything to the llvm dialect, LLVM at -O3 for this machine, execution engine. About 25 ms for a kernel. */
#ifndef CORE_MLIR_COMPILE_H
#define CORE_MLIR_COMPILE_H

#include <mlir-c/ExecutionEngine.h>

#include "core/mlir/context.h"

typedef struct Compiled {
  MlirRoom room;
  MlirModule module;
  MlirExecutionEngine engine;
  void (*entry)(void **arguments); /* packed: an address for each argument, and one for the results */
} Compiled;

/* GIVE: the caller destroys it, if it was made. `width` is what index becomes, 32 or 64. Must not move while it lives. */
[[nodiscard]] bool compile(const Text *text, const char *entry, uint32_t width, Compiled *compiled, Error *error);
void compiled_destroy(Compiled *compiled);
/* The address of a global of the module; nullptr when there is none. */
[[nodiscard]] void *compiled_global(const Compiled *compiled, const char *name);

#endif
