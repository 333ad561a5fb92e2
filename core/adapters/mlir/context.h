/* MLIR's context as this directory uses it: one thread, the dialects of the affine form,
 * diagnostics kept as an Error. A context never frees what it has uniqued, so every job makes one
 * of its own (0.3 ms) and destroys it: no growth. The only header here besides convert.h that shows
 * MLIR's types; both are for this directory alone. */
#ifndef CORE_MLIR_CONTEXT_H
#define CORE_MLIR_CONTEXT_H

#include <mlir-c/IR.h>
#include <mlir-c/Support.h>

#include "core/base/error.h"
#include "core/base/text.h"

typedef struct MlirRoom {
  MlirContext context;
  char diagnostic[256]; /* the first error MLIR reported since the room was opened */
} MlirRoom;

/* GIVE: the caller closes it. The room must not move while it is open. */
void mlir_capacity_open(MlirRoom *capacity);
void mlir_capacity_close(MlirRoom *capacity);

/* Parses and verifies; a rejection is our own fault or MLIR's and comes back as ERROR_ENVIRONMENT
 * with MLIR's words. GIVE: the module is the caller's to destroy, before the room closes. */
[[nodiscard]] bool mlir_capacity_parse(
    MlirRoom *capacity, const Text *text, MlirModule *module, Error *error);
/* Runs a textual pass pipeline, `builtin.module(...)`, over the module, verifying after each
 * pass. */
[[nodiscard]] bool mlir_capacity_passes(
    MlirRoom *capacity, const char *pipeline, MlirModule module, Error *error);
void mlir_capacity_print(MlirModule module, Text *text);

#endif
