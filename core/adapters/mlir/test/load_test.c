/* The shared object is found beside the program and works; a missing or foreign one is an error
 * with that reason. Each case is its own process, because the object is searched only once. */
#include "core/adapters/mlir/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/map/text.h"

static const Map *load_parse(MapContext *context, const char *text) {
  Source source = {.name = "map", .text = text, .length = strlen(text), .first_line = 1};
  const Map *map;
  Error error = {};
  if (!map_parse(context, &source, &map, &error)) abort();
  return map;
}

static bool emits_and_runs(const MlirLibrary *mlir) {
  MapContext *context = map_context_create();
  const Map *map = load_parse(context, "(d0) -> (d0 mod 7), domain: d0 in [0, 99]"), *folded;
  Text text = text_create(context->arena);
  Error error = {};
  CountRun count;
  bool done = mlir->affine_emit(context, 1, &(NamedMap){.name = "m", .map = map}, AFFINE_AS_STATED,
                  &text, &error) &&
              strstr(text.bytes, "affine.for %d0 = 0 to 100") != nullptr &&
              mlir->mlir_count(context, map, nullptr, &count, &error) && count.run.inside == 100;
  Peer *peer = mlir->mlir_peer_create();
  done = done && mlir->mlir_peer_map(peer, context, map, PEER_FOLD, &folded, &error) &&
         map_identical(context, map, folded);
  mlir->mlir_peer_destroy(peer);
  map_context_destroy(context);
  return done;
}

static bool works(void) {
  const MlirLibrary *mlir;
  Error error = {};
  if (!mlir_library(&mlir, &error)) error_print(&error, stderr);
  return error.kind == ERROR_NONE && emits_and_runs(mlir) &&
         strncmp(mlir->version, "llvm-", 5) == 0;
}

static bool is_rejected(const char *path, const char *why) {
  const MlirLibrary *mlir;
  Error error = {};
  setenv("AFFIRM_MLIR", path, 1);
  bool rejected =
      !mlir_library(&mlir, &error) && error.kind == ERROR_ENVIRONMENT && mlir == nullptr;
  if (rejected && strstr(error.message, why) == nullptr) error_print(&error, stderr);
  return rejected && strstr(error.message, why) != nullptr;
}

static bool missing_is_rejected(void) {
  return is_rejected("/nowhere/affirm-mlir.so", "cannot be opened");
}
static bool foreign_is_rejected(void) { return is_rejected("libm.so.6", "is not affirm's"); }

static void in_a_process(bool (*check)(void)) {
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) _exit(check() ? 0 : 1);
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
}

static void the_object_is_found_and_works(void **) { in_a_process(works); }
static void a_missing_object_is_named(void **) { in_a_process(missing_is_rejected); }
static void a_foreign_object_is_rejected(void **) { in_a_process(foreign_is_rejected); }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_object_is_found_and_works),
      cmocka_unit_test(a_missing_object_is_named),
      cmocka_unit_test(a_foreign_object_is_rejected),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
