/* Opens and closes MLIR contexts, parses, and runs passes. Passes are registered once in a process,
 * because MLIR's registry of them is global. All dialects are registered, because every version's C
 * API offers only that; a context loads the dialects that it uses. */
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
  size_t capacity = sizeof(((MlirSession *)nullptr)->diagnostic) - 1 - used;
  size_t length = part.length < capacity ? part.length : capacity;
  memcpy(words + used, part.data, length);
  words[used + length] = '\0';
}

static MlirLogicalResult keep_first_error(MlirDiagnostic diagnostic, void *user) {
  MlirSession *session = user;
  if (mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError &&
      session->diagnostic[0] == '\0')
    mlirDiagnosticPrint(diagnostic, keep_words, session->diagnostic);
  return mlirLogicalResultSuccess();
}

void mlir_session_open(MlirSession *session) {
  call_once(&passes_registered, mlirRegisterAllPasses);
  *session = (MlirSession){.context = mlirContextCreateWithThreading(false)};
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirContextAppendDialectRegistry(session->context, registry);
  mlirDialectRegistryDestroy(registry);
  (void)mlirContextAttachDiagnosticHandler(session->context, keep_first_error, session, nullptr);
}

void mlir_session_close(MlirSession *session) {
  assert(!mlirContextIsNull(session->context));
  mlirContextDestroy(session->context);
  session->context = (MlirContext){};
}

bool mlir_session_parse(MlirSession *session, const Text *text, MlirModule *module, Error *error) {
  assert(text->bytes[text->length] == '\0');
  *module =
      mlirModuleCreateParse(session->context, mlirStringRefCreate(text->bytes, text->length));
  if (mlirModuleIsNull(*module))
    return error_set(
        error, ERROR_ENVIRONMENT, "MLIR rejects the affine form: %s", session->diagnostic);
  if (mlirOperationVerify(mlirModuleGetOperation(*module))) return true;
  mlirModuleDestroy(*module);
  return error_set(
      error, ERROR_ENVIRONMENT, "MLIR does not verify the affine form: %s", session->diagnostic);
}

bool mlir_session_passes(
    MlirSession *session, const char *pipeline, MlirModule module, Error *error) {
  MlirPassManager manager = mlirPassManagerCreate(session->context);
  mlirPassManagerEnableVerifier(manager, true);
  MlirLogicalResult done = mlirParsePassPipeline(mlirPassManagerGetAsOpPassManager(manager),
      mlirStringRefCreateFromCString(pipeline), keep_words, session->diagnostic);
  if (mlirLogicalResultIsSuccess(done))
    done = mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module));
  mlirPassManagerDestroy(manager);
  if (mlirLogicalResultIsSuccess(done)) return true;
  return error_set(error, ERROR_ENVIRONMENT, "MLIR's passes fail: %s", session->diagnostic);
}

static void append_part(MlirStringRef part, void *user) {
  text_append(user, part.data, part.length);
}

void mlir_session_print(MlirModule module, Text *text) {
  mlirOperationPrint(mlirModuleGetOperation(module), append_part, text);
}
