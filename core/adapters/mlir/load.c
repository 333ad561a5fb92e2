/* Finds and opens affirm-mlir.so. Nothing here refers to MLIR. */
#define _GNU_SOURCE /* dladdr */
#include "core/adapters/mlir/load.h"

#include <assert.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

#include "core/base/program.h"

static constexpr char object_name[] = "affirm-mlir.so";

static once_flag looked = ONCE_FLAG_INIT;
static const MlirLibrary *found;
static char reason[256];
static char file[4096];

static void keep_reason(const char *what, const char *why) {
  if (reason[0] == '\0') snprintf(reason, sizeof reason, "%s: %s", what, why);
}

static bool open_object(const char *path) {
  /* The user who runs the command chooses the library, just as they choose the command. */
  void *object = dlopen(path, RTLD_LAZY | RTLD_LOCAL); /* NOLINT(clang-analyzer-optin.taint.*) */
  if (object == nullptr) {
    keep_reason("cannot be opened", dlerror());
    return false;
  }
  const MlirLibrary *library = dlsym(object, mlir_library_symbol);
  if (library == nullptr || library->layout != mlir_library_layout()) {
    keep_reason(path, library == nullptr ? "is not affirm's" : "is of another build of affirm");
    dlclose(object);
    return false;
  }
  assert(found == nullptr);
  found = library;
  Dl_info info;
  if (dladdr(library, &info) != 0 && info.dli_fname != nullptr)
    snprintf(file, sizeof file, "%s", info.dli_fname);
  return true;
}

static bool open_beside_program(const char *directory) {
  char path[4096];
  assert(strlen(directory) < 64);
  if (!program_directory(sizeof path - sizeof object_name - 64, path)) return false;
  size_t length = strlen(path);
  snprintf(path + length, sizeof path - length, "/%s%s", directory, object_name);
  return access(path, R_OK) == 0 && open_object(path);
}

static const char *load_named(void) { return getenv("AFFIRM_MLIR"); }

static void load_look(void) {
  const char *stated = load_named();
  if (stated != nullptr && stated[0] != '\0') (void)open_object(stated);
  else if (!open_beside_program("") && !open_beside_program("../lib/affirm/"))
    keep_reason(object_name, "neither beside the program nor in ../lib/affirm");
}

bool mlir_library(const MlirLibrary **library, Error *error) {
  call_once(&looked, load_look);
  *library = found;
  if (found != nullptr) return true;
  return error_set(error, ERROR_ENVIRONMENT, "this needs MLIR: %s", reason);
}

bool mlir_library_is_as_named(Error *error) {
  const MlirLibrary *library;
  const char *stated = load_named();
  return stated == nullptr || stated[0] == '\0' || mlir_library(&library, error);
}

const char *mlir_library_file(void) { return file[0] == '\0' ? nullptr : file; }
