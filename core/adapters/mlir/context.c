/* Opening and closing MLIR contexts, parsing, passes. Passes are registered once a process: MLIR's
 * registry of them is global. All dialects are registered, for only that way stands in every
 * version's C API; a context loads those it meets. */
#include "core/adapters/mlir/context.h"

#include <assert.h>
#include <mlir-c/Diagnostics.h>
#include <mlir-c/Pass.h>
#include <mlir-c/RegisterEverything.h>
#include <string.h>
#include <threads.h>

static once_flag passes_registered = ONCE_FLAG_INIT;

static void keep_words(MlirStringRef part, void *user) {
  char *words = user;
  size_t used = strlen(words);
  size_t room = sizeof(((MlirRoom *)nullptr)->diagnostic) - 1 - used;
  size_t length = part.length < room ? part.length : room;
  memcpy(words + used, part.data, length);
  words[used + length] = '\0';
}

static MlirLogicalResult keep_first_error(MlirDiagnostic diagnostic, void *user) {
  MlirRoom *room = user;
  if (mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError && room->diagnostic[0] == '\0')
    mlirDiagnosticPrint(diagnostic, keep_words, room->diagnostic);
  return mlirLogicalResultSuccess();
}

void mlir_room_open(MlirRoom *room) {
  call_once(&passes_registered, mlirRegisterAllPasses);
  *room = (MlirRoom){.context = mlirContextCreateWithThreading(false)};
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirContextAppendDialectRegistry(room->context, registry);
  mlirDialectRegistryDestroy(registry);
  (void)mlirContextAttachDiagnosticHandler(room->context, keep_first_error, room, nullptr);
}

void mlir_room_close(MlirRoom *room) {
  assert(!mlirContextIsNull(room->context));
  mlirContextDestroy(room->context);
  room->context = (MlirContext){};
}

bool mlir_room_parse(MlirRoom *room, const Text *text, MlirModule *module, Error *error) {
  assert(text->bytes[text->length] == '\0');
  *module = mlirModuleCreateParse(room->context, mlirStringRefCreate(text->bytes, text->length));
  if (mlirModuleIsNull(*module))
    return error_set(
        error, ERROR_ENVIRONMENT, "MLIR refuses the affine form: %s", room->diagnostic);
  if (mlirOperationVerify(mlirModuleGetOperation(*module))) return true;
  mlirModuleDestroy(*module);
  return error_set(
      error, ERROR_ENVIRONMENT, "MLIR does not verify the affine form: %s", room->diagnostic);
}

bool mlir_room_passes(MlirRoom *room, const char *pipeline, MlirModule module, Error *error) {
  MlirPassManager manager = mlirPassManagerCreate(room->context);
  mlirPassManagerEnableVerifier(manager, true);
  MlirLogicalResult done = mlirParsePassPipeline(mlirPassManagerGetAsOpPassManager(manager),
      mlirStringRefCreateFromCString(pipeline), keep_words, room->diagnostic);
  if (mlirLogicalResultIsSuccess(done))
    done = mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module));
  mlirPassManagerDestroy(manager);
  if (mlirLogicalResultIsSuccess(done)) return true;
  return error_set(error, ERROR_ENVIRONMENT, "MLIR's passes fail: %s", room->diagnostic);
}

static void append_part(MlirStringRef part, void *user) {
  text_append(user, part.data, part.length);
}

void mlir_room_print(MlirModule module, Text *text) {
  mlirOperationPrint(mlirModuleGetOperation(module), append_part, text);
}
