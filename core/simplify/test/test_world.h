/* Shared by the tests of this directory: a context, a simplifier with the engine's own rules,
 * random maps; parsing and printing of maps. */
#ifndef CORE_SIMPLIFY_TEST_TEST_WORLD_H
#define CORE_SIMPLIFY_TEST_TEST_WORLD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "core/map/test/random_map.h"
#include "core/map/text.h"
#include "core/simplify/simplify.h"

typedef struct SimplifyFixture {
  MapContext *context;
  Simplifier *simplifier;
  RandomMaps random;
} SimplifyFixture;

[[maybe_unused]] static SimplifyFixture open_world(void) {
  SimplifyFixture world = {.context = map_context_create()};
  Error error = {};
  world.simplifier = simplifier_create(world.context, nullptr, &error);
  if (world.simplifier == nullptr) error_print(&error, stderr);
  assert_non_null(world.simplifier);
  return world;
}

[[maybe_unused]] static void close_world(SimplifyFixture *world) {
  simplifier_destroy(world->simplifier);
  map_context_destroy(world->context);
}

[[maybe_unused]] static const Map *fixture_parse(SimplifyFixture *world, const char *text) {
  Source source = {.name = "test", .text = text, .length = strlen(text), .first_line = 1};
  const Map *map;
  Error error = {};
  if (!map_parse(world->context, &source, &map, &error)) {
    error_print(&error, stderr);
    fail();
  }
  return map;
}

[[maybe_unused]] static char *fixture_print(const SimplifyFixture *world, const Map *map) {
  Text text = text_create(world->context->arena);
  map_print(&text, world->context, map, MAP_STYLE_LINE);
  return text.bytes;
}

#endif
