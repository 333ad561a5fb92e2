/* Generators of maps of scopes under a driver that draws at random: every map is well-formed and
 * reads back as it prints. */
#include "generate/maps/map_generator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/test/length.h"
#include "core/map/text.h"

static void map_is_read_back(MapContext *context, const Map *map) {
  const char *text = map_text(context->arena, context, map, MAP_STYLE_STATED);
  const Source source = {.name = "map", .text = text, .length = strlen(text), .first_line = 1};
  const Map *read = nullptr;
  Error error = {};
  if (!map_check(context, map, &error) || !map_parse(context, &source, &read, &error))
    fail_msg("%s: %s", text, error.message);
  if (!map_identical(context, map, read)) fail_msg("%s reads back as another map", text);
}

static void drawn_maps_are_well_formed(void **) {
  for (MapGeneratorId id = 0; id < map_generator_count; id++) {
    RandomChoices choices = choices_of_seed(id);
    for (uint32_t i = 0; i < test_length(3000, 300, 30); i++) {
      MapContext *context = map_context_create();
      MadeMaps made =
          map_generate(id, &choices.choices, &(MapLimits){1 + i % 3, 1 + i % 2}, context);
      assert_non_null(made.maps[0]);
      assert_int_equal(made.maps[1] != nullptr, id == MAPS_compositions || id == MAPS_pairs);
      for (uint32_t k = 0; k < 2 && made.maps[k] != nullptr; k++)
        map_is_read_back(context, made.maps[k]);
      map_context_destroy(context);
    }
  }
}

/* Counting makes the same choices as making the maps. */
static void choices_do_not_depend_on_the_maps(void **) {
  for (MapGeneratorId id = 0; id < map_generator_count; id++)
    for (uint64_t seed = 0; seed < 50; seed++) {
      MapContext *context = map_context_create();
      RandomChoices with = choices_of_seed(seed), without = with;
      const MapLimits limits = {3, 1};
      MadeMaps made = map_generate(id, &with.choices, &limits, context),
               none = map_generate(id, &without.choices, &limits, nullptr);
      assert_true(made.maps[0] != nullptr && none.maps[0] == nullptr);
      assert_true(with.state == without.state);
      map_context_destroy(context);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drawn_maps_are_well_formed),
      cmocka_unit_test(choices_do_not_depend_on_the_maps)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
