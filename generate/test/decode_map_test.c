/* Every byte string is a map that passes map_check, whatever constants its bytes choose. */
#include "generate/decode_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "generate/choices/drivers.h"

/* (d0) -> (d0 OPERATOR constant), of every operator and every byte of a constant. */
static void every_constant_makes_a_valid_map(void **) {
  uint32_t divisions = 0;
  for (uint32_t operator= 1; operator<12; operator++)
    for (uint32_t byte = 0; byte < 256; byte++) {
      const uint8_t bytes[] = {1, 1, 0, 0, 5, (uint8_t)operator, 12, 0, (uint8_t)byte};
      MapContext *context = map_context_create();
      const Map *map = fuzz_decode_map(context, bytes, sizeof bytes);
      Error error = {};
      if (!map_check(context, map, &error))
        fail_msg("operator %u, byte %u: %s", operator, byte, error.message);
      const ExprNode *root = expr_node(context->pool, map->results[0]);
      bool divides = root->op == EXPR_FLOORDIV || root->op == EXPR_CEILDIV || root->op == EXPR_MOD;
      divisions += divides;
      int64_t divisor;
      if (divides && expr_is_const(context->pool, root->right, &divisor)) assert_true(divisor > 0);
      map_context_destroy(context);
    }
  assert_int_equal(divisions, 5 * 256);
}

static void random_strings_are_valid_maps(void **) {
  RandomChoices random = choices_of_seed(3);
  MapContext *context = map_context_create();
  for (uint32_t i = 0; i < 20'000; i++) {
    MapMark mark = map_context_mark(context);
    uint8_t bytes[48];
    for (size_t b = 0; b < sizeof bytes; b++) bytes[b] = (uint8_t)choose(&random.choices, 256);
    Error error = {};
    if (!map_check(context, fuzz_decode_map(context, bytes, sizeof bytes), &error))
      fail_msg("string %u: %s", i, error.message);
    map_context_rewind(context, mark);
  }
  map_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_constant_makes_a_valid_map),
      cmocka_unit_test(random_strings_are_valid_maps),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
