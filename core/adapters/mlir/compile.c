/* The compile pipeline. On failure everything created so far is destroyed. */
#include "core/adapters/mlir/compile.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

static void pipeline_of(uint32_t width, char *pipeline, size_t capacity) {
  [[maybe_unused]] int length = snprintf(pipeline, capacity,
      "builtin.module(lower-affine,func.func(canonicalize,int-range-optimizations,"
      "arith-unsigned-when-equivalent,canonicalize),convert-scf-to-cf,finalize-memref-to-llvm,"
      "convert-arith-to-llvm{index-bitwidth=%" PRIu32
      "},convert-func-to-llvm{index-bitwidth=%" PRIu32
      "},convert-cf-to-llvm{index-bitwidth=%" PRIu32 "},reconcile-unrealized-casts)",
      width, width, width);
  assert(length > 0 && (size_t)length < capacity);
}

static int level_of(CompileFor use) {
  switch (use) {
    case COMPILE_FOR_SPEED: return 3;
    case COMPILE_FOR_ONCE: return 0;
  }
  return 3;
}

static MlirExecutionEngine create_engine(MlirModule module, CompileFor use) {
#ifdef AFFIRM_MLIR_ENGINE_HAS_PIC
  return mlirExecutionEngineCreate(module, level_of(use), 0, nullptr, false, false);
#else
  return mlirExecutionEngineCreate(module, level_of(use), 0, nullptr, false);
#endif
}

static bool make_engine(Compiled *compiled, const char *entry, CompileFor use, Error *error) {
  compiled->engine = create_engine(compiled->module, use);
  if (mlirExecutionEngineIsNull(compiled->engine))
    return error_set(error, ERROR_ENVIRONMENT, "MLIR makes no execution engine: %s",
        compiled->session.diagnostic);
  void *address =
      mlirExecutionEngineLookupPacked(compiled->engine, mlirStringRefCreateFromCString(entry));
  if (address == nullptr) {
    mlirExecutionEngineDestroy(compiled->engine);
    return error_set(error, ERROR_ENVIRONMENT, "MLIR compiles no function %s", entry);
  }
  compiled->entry = (void (*)(void **))address;
  return true;
}

static bool kernel_lower(
    Compiled *compiled, const char *entry, uint32_t width, CompileFor use, Error *error) {
  char pipeline[512];
  pipeline_of(width, pipeline, sizeof pipeline);
  return mlir_session_passes(&compiled->session, pipeline, compiled->module, error) &&
         make_engine(compiled, entry, use, error);
}

bool compile(const Text *text, const char *entry, uint32_t width, CompileFor use,
    Compiled *compiled, Error *error) {
  assert(width == 32 || width == 64);
  mlir_session_open(&compiled->session);
  if (mlir_session_parse(&compiled->session, text, &compiled->module, error)) {
    if (kernel_lower(compiled, entry, width, use, error)) return true;
    mlirModuleDestroy(compiled->module);
  }
  mlir_session_close(&compiled->session);
  return false;
}

void compiled_destroy(Compiled *compiled) {
  assert(compiled->entry != nullptr);
  mlirExecutionEngineDestroy(compiled->engine);
  mlirModuleDestroy(compiled->module);
  mlir_session_close(&compiled->session);
}

void *compiled_global(const Compiled *compiled, const char *name) {
  return mlirExecutionEngineLookup(compiled->engine, mlirStringRefCreateFromCString(name));
}
