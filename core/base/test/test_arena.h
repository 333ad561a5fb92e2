/* The arena of a test program, for its group's setup and teardown. */
#ifndef CORE_BASE_TEST_TEST_ARENA_H
#define CORE_BASE_TEST_TEST_ARENA_H

#include "core/base/arena.h"

static Arena *arena;

static int arena_begin(void **) {
  arena = arena_create();
  return 0;
}

static int arena_end(void **) {
  arena_destroy(arena);
  return 0;
}

#endif
