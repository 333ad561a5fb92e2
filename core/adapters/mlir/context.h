/* MLIR's context as this directory uses it: one thread, the dialects of the affine form,
 * diagnostics converted to an Error. A context never frees what it has uniqued, so every job
 * creates its own (0.3 ms) and destroys it. Apart from convert.h this is the only header here that
 * exposes MLIR's types; both are only for this directory. */
#ifndef CORE_ADAPTERS_MLIR_CONTEXT_H
#define CORE_ADAPTERS_MLIR_CONTEXT_H

#include <mlir-c/IR.h>
#include <mlir-c/Support.h>

#include "core/base/error.h"
#include "core/base/text.h"

typedef struct MlirSession {
  MlirContext context;
  char diagnostic[256]; /* the first error that MLIR reported since the context was opened */
} MlirSession;

/* GIVE: the caller closes it. It must not move while it is open. */
void mlir_session_open(MlirSession *session);
void mlir_session_close(MlirSession *session);

/* Parses and verifies; a rejection is a fault of affirm or MLIR, and becomes ERROR_ENVIRONMENT with
 * MLIR's message. GIVE: the caller destroys the module before the context is closed. */
[[nodiscard]] bool mlir_session_parse(
    MlirSession *session, const Text *text, MlirModule *module, Error *error);
/* Runs a textual pass pipeline, `builtin.module(...)`, over the module, and verifies after each
 * pass. */
[[nodiscard]] bool mlir_session_passes(
    MlirSession *session, const char *pipeline, MlirModule module, Error *error);
void mlir_session_print(MlirModule module, Text *text);

#endif
