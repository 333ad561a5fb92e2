/* MLIR's context as this directory uses it: one thread, the dialects of the affine form,
 * diagnostics converted to an Error. A context never frees what it has uniqued, so every job
 * creates its own (0.3 ms) and destroys it. Apart from convert.h this is the only header here that
 * exposes MLIR's types; both are only for this directory. */
#ifndef CORE_MLIR_CONTEXT_H
#define CORE_MLIR_CONTEXT_H

#include <mlir-c/IR.h>
#include <mlir-c/Support.h>

#include "core/base/error.h"
#include "core/base/text.h"

typedef struct MlirRoom {
  MlirContext context;
  char diagnostic[256]; /* the first error that MLIR reported since the context was opened */
} MlirRoom;

/* GIVE: the caller closes it. It must not move while it is open. */
void mlir_capacity_open(MlirRoom *capacity);
void mlir_capacity_close(MlirRoom *capacity);

/* Parses and verifies; a rejection is a fault of affirm or MLIR, and becomes ERROR_ENVIRONMENT with
 * MLIR's message. GIVE: the caller destroys the module before the context is closed. */
[[nodiscard]] bool mlir_capacity_parse(
    MlirRoom *capacity, const Text *text, MlirModule *module, Error *error);
/* Runs a textual pass pipeline, `builtin.module(...)`, over the module, and verifies after each
 * pass. */
[[nodiscard]] bool mlir_capacity_passes(
    MlirRoom *capacity, const char *pipeline, MlirModule module, Error *error);
void mlir_capacity_print(MlirModule module, Text *text);

#endif
