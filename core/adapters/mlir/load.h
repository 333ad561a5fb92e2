/* MLIR on demand. Linking libMLIR would cost every start of a program 16 ms. Code that uses it is
 * therefore in a shared object, affirm-mlir.so, which is opened when a command first needs it
 * (docs/decisions/0005-mlir-loading.md). Calls go through the table:
 *   const MlirLibrary *mlir;
 *   if (!mlir_library(&mlir, error)) return false;
 *   return mlir->affine_emit(context, 1, &named, AFFINE_AS_STATED, text, error);
 * The object is searched in this order: the path in the environment variable AFFIRM_MLIR, beside
 * the running program, and in ../lib/affirm from there. Programs that link core_adapters_mlir
 * itself (its own tests) do not need the object. */
#ifndef CORE_ADAPTERS_MLIR_LOAD_H
#define CORE_ADAPTERS_MLIR_LOAD_H

#include "core/adapters/mlir/emit.h"
#include "core/adapters/mlir/peer.h"
#include "core/adapters/mlir/run.h"

typedef struct MlirLibrary {
  uint64_t layout;     /* a hash of the sizes of the types that both sides share; it differs if they
                        * were built from different headers */
  const char *version; /* version of LLVM */
#define FUNCTION(name) typeof(name) *name;
#include "core/adapters/mlir/library.def"
#undef FUNCTION
} MlirLibrary;

/* Opens the object once in a process and keeps it open. ERROR_ENVIRONMENT if it is missing, is not
 * affirm's, or is of another build. */
[[nodiscard]] bool mlir_library(const MlirLibrary **library, Error *error);
/* False if AFFIRM_MLIR names an object that mlir_library cannot open: a judge that the user named
 * must not be lost unseen. */
[[nodiscard]] bool mlir_library_is_as_named(Error *error);
/* The path of the object that mlir_library has opened; nullptr if there is none. */
[[nodiscard]] const char *mlir_library_file(void);

/* True if a map may fail to be converted for this reason: it has a form that MLIR lacks (min, max),
 * or is past a limit or int64. Every other error of a round trip is a fault. */
[[nodiscard]] static inline bool mlir_may_reject(const Error *error) {
  return error->kind == ERROR_UNSUPPORTED || error->kind == ERROR_LIMIT ||
         error->kind == ERROR_OVERFLOW;
}

/* The one symbol that affirm-mlir.so exports. */
static constexpr char mlir_library_symbol[] = "affirm_mlir_library";

[[nodiscard]] static inline uint64_t mlir_library_layout(void) {
  uint64_t layout = sizeof(MlirLibrary);
  const size_t sizes[] = {sizeof(MapContext), sizeof(Map), sizeof(Variable), sizeof(RuntimeSource),
      sizeof(ExprNode), sizeof(ExprPool), sizeof(Error), sizeof(Text), sizeof(NamedMap),
      sizeof(RunReport), sizeof(SameMapRun), sizeof(CountRun), sizeof(ImageRun), sizeof(PairsRun),
      EXPR_MAX};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) layout = layout * 1000003 + sizes[i];
  return layout;
}

#endif
