/* Maps are known if they are the same in every word, and only then. */
#include "exhaust/known_maps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/text.h"
#include "core/map/text.h"

static const Map *known_maps_read(MapContext *context, const char *text) {
  Source source = {.name = "map", .text = text, .length = strlen(text), .first_line = 1};
  const Map *map;
  Error error = {};
  if (!map_parse(context, &source, &map, &error)) fail_msg("%s: %s", text, error.message);
  for (uint32_t i = 0; map->sources != nullptr && i < map->runtime_count; i++)
    map->sources[i].instruction = map->sources[i].name;
  return map;
}

#define RUNTIME(clamp, index) \
  "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 3], rt0 in " clamp \
  "\nruntime variables:\nrt0: i; (d0){rt0} -> (" index "), domain: d0 in [0, 3], rt0 in " clamp

static const char *const different[] = {
    "(d0) -> (d0), domain: d0 in [0, 3]",
    "(d0) -> (d0), domain: d0 in [0, 4]",
    "(d0) -> (d0), domain: d0 in [1, 3]",
    "(d0) -> (3), domain: d0 in [0, 3]",
    "(d0) -> (), domain: d0 in [0, 3]",
    "(d0) -> (d0, d0), domain: d0 in [0, 3]",
    "(d0)[s0] -> (d0), domain: d0 in [0, 3], s0 in [0, 3]",
    "(d0)[s0] -> (s0), domain: d0 in [0, 3], s0 in [0, 3]",
    "(d0, d1) -> (d0), domain: d0 in [0, 3], d1 in [0, 3]",
    "(d0, d1) -> (d1), domain: d0 in [0, 3], d1 in [0, 3]",
    "(d0) -> (d0 + 2), domain: d0 in [0, 3]",
    "(d0) -> (2 + d0), domain: d0 in [0, 3]",
    "(d0) -> (d0 * 2), domain: d0 in [0, 3]",
    "(d0) -> (d0 mod 2), domain: d0 in [0, 3]",
    "(d0) -> (d0), domain: d0 in [0, 3], d0 mod 2 in [0, 0]",
    "(d0) -> (d0), domain: d0 in [0, 3], d0 mod 2 in [1, 1]",
    "(d0) -> (d0), domain: d0 in [0, 3], d0 mod 3 in [0, 0]",
    RUNTIME("[0, 5]", ""),
    RUNTIME("[0, 6]", ""),
    RUNTIME("[0, 5]", "d0"),
};
static constexpr uint32_t different_count = sizeof different / sizeof *different;

static void each_map_is_known_as_itself(void **) {
  KnownMaps *known = known_maps_create();
  MapContext *context = map_context_create();
  MapMark mark = map_context_mark(context);
  KnownMap *first[different_count];
  for (uint32_t round = 0; round < 2; round++) {
    for (uint32_t i = 0; i < different_count; i++) {
      uint32_t number = round == 0 ? i : different_count - 1 - i; /* so that handles differ */
      KnownMap *found =
          known_map(known, context->pool, known_maps_read(context, different[number]));
      assert_non_null(found);
      for (uint32_t k = 0; k < i && round == 0; k++)
        if (found == first[k]) fail_msg("%s is known as %s", different[i], different[k]);
      if (round == 0) first[i] = found;
      if (found != first[number]) fail_msg("%s is not known", different[number]);
    }
    map_context_rewind(context, mark);
  }
  map_context_destroy(context);
  known_maps_destroy(known);
}

static void names_and_large_maps_are_never_known(void **) {
  KnownMaps *known = known_maps_create();
  MapContext *context = map_context_create();
  Text large = text_create(context->arena);
  text_string(&large, "(d0) -> (d0");
  for (int i = 0; i < 300; i++) text_string(&large, " + d0");
  text_string(&large, "), domain: d0 in [0, 3]");
  Map *named =
      map_copy(context->arena, known_maps_read(context, "(d0) -> (d0), domain: d0 in [0, 3]"));
  assert_non_null(known_map(known, context->pool, named));
  named->dims[0].name = "th_x";
  assert_null(known_map(known, context->pool, named));
  assert_null(known_map(known, context->pool, known_maps_read(context, large.bytes)));
  assert_null(known_map(known, context->pool, map_known_empty(context)));
  map_context_destroy(context);
  known_maps_destroy(known);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_map_is_known_as_itself),
      cmocka_unit_test(names_and_large_maps_are_never_known)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
