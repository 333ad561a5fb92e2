/* Compiles MLIR text to machine code in this process, through MLIR's own pipeline: lower-affine,
 * range analysis, scf to cf, everything to the llvm dialect, LLVM for this machine, execution
 * engine. About 25 ms for a kernel at -O3. */
#ifndef CORE_ADAPTERS_MLIR_COMPILE_H
#define CORE_ADAPTERS_MLIR_COMPILE_H

#include <mlir-c/ExecutionEngine.h>

#include "core/adapters/mlir/context.h"

typedef struct Compiled {
  MlirSession session;
  MlirModule module;
  MlirExecutionEngine engine;
  void (*entry)(
      void **arguments); /* packed: one address for each argument, and one for the results */
} Compiled;

/* The use of the code: fast code for billions of points (-O3), or quickly compiled code for a few
 * thousand points (-O0). */
typedef enum CompileFor : uint8_t { COMPILE_FOR_SPEED, COMPILE_FOR_ONCE } CompileFor;

/* GIVE: on success the caller destroys it. `width` is the width of index, 32 or 64. KEEP: it must
 * not move while it lives. */
[[nodiscard]] bool compile(const Text *text, const char *entry, uint32_t width, CompileFor use,
    Compiled *compiled, Error *error);
void compiled_destroy(Compiled *compiled);
/* The address of a global of the module; nullptr if there is none. */
[[nodiscard]] void *compiled_global(const Compiled *compiled, const char *name);

#endif
