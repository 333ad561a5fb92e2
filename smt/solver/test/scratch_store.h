/* A store of proofs in its own directory, which is removed with the test. */
#ifndef SMT_SOLVER_TEST_SCRATCH_STORE_H
#define SMT_SOLVER_TEST_SCRATCH_STORE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/file.h"
#include "smt/solver/store.h"

static Arena *arena;
static char directory[512];
static char path[544];

static inline int store_begin(void **state) {
  (void)state;
  arena = arena_create();
  file_scratch(sizeof directory, directory, "store");
  if (mkdtemp(directory) == nullptr) return -1;
  snprintf(path, sizeof path, "%s/proofs.sqlite", directory);
  return 0;
}

static inline int store_end(void **state) {
  (void)state;
  static const char *const tails[] = {"", "-wal", "-shm"};
  for (size_t i = 0; i < 3; i++) {
    char file[560];
    snprintf(file, sizeof file, "%s%s", path, tails[i]);
    unlink(file);
  }
  rmdir(directory);
  arena_destroy(arena);
  return 0;
}

static inline Store *open_store(void) {
  Store *store;
  Error error = {};
  if (!store_open(path, nullptr, &store, &error)) fail_msg("%s", error.message);
  return store;
}

static inline void store_put_file(
    Store *store, const char *key, VerdictStatus answer, const char *detail) {
  Error error = {};
  if (!store_put(store, key, &(StoreEntry){.answer = answer, .detail = detail}, &error))
    fail_msg("%s", error.message);
}

#endif
