/* Every byte string decodes to a map that passes map_check, whatever constants its bytes select. */
#include "generate/decode_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/base/edges.h"
#include "core/expr/visit.h"
#include "core/base/choices.h"
#include "generate/from_rules.h"

/* (d0) -> (d0 OPERATOR constant), for every operator and every byte of a constant. */
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

typedef const Map *GenerateMap(
    MapContext *context, const RuleSet *rules, const uint8_t *bytes, size_t size);

static const Map *decoded(MapContext *context, const RuleSet *, const uint8_t *bytes, size_t size) {
  return fuzz_decode_map(context, bytes, size);
}

/* Sets a bit for each edge that is a constant of the expression. */
static bool note_edge(void *state, Expr, ExprNode node) {
  uint64_t *seen = state;
  for (uint32_t i = 0; node.op == EXPR_CONST && i < edge_count; i++)
    if (node.value == edge_integers[i]) *seen |= UINT64_C(1) << i;
  return false;
}

static void note_edges(MapContext *context, const Map *map, uint64_t *seen) {
  Memo memo = memo_create(context->arena);
  for (uint32_t i = 0; i < map->result_count; i++)
    (void)expr_any(context->pool, &memo, map->results[i], note_edge, seen);
  for (uint32_t i = 0; i < map->constraint_count; i++)
    (void)expr_any(context->pool, &memo, map->constraints[i].expr, note_edge, seen);
}

/* The set of edges that occur as constants in the first 100,000 maps. */
static uint64_t chosen_edges(GenerateMap *generator, const RuleSet *rules) {
  static constexpr uint64_t all = (UINT64_C(1) << edge_count) - 1;
  RandomChoices random = choices_of_seed(5);
  MapContext *context = map_context_create();
  uint64_t seen = 0;
  for (uint32_t i = 0; i < 100'000 && seen != all; i++) {
    MapMark mark = map_context_mark(context);
    uint8_t bytes[48];
    for (size_t b = 0; b < sizeof bytes; b++) bytes[b] = (uint8_t)choose(&random.choices, 256);
    note_edges(context, generator(context, rules, bytes, sizeof bytes), &seen);
    map_context_rewind(context, mark);
  }
  map_context_destroy(context);
  return seen;
}

static void edges_of_8_to_64_bits_are_chosen(GenerateMap *generator) {
  Arena *arena = arena_create();
  RuleSet rules = {};
  Error error = {};
  assert_true(rules_engine(arena, &rules, &error));
  uint64_t seen = chosen_edges(generator, &rules);
  for (uint32_t i = 0; i < edge_count; i++)
    if ((seen >> i & 1) == 0) fail_msg("never a constant: %lld", (long long)edge_integers[i]);
  arena_destroy(arena);
}

static void every_edge_is_a_constant_of_a_random_map(void **) {
  edges_of_8_to_64_bits_are_chosen(decoded);
}

static void every_edge_is_a_constant_of_a_map_from_rules(void **) {
  edges_of_8_to_64_bits_are_chosen(fuzz_map_from_rules);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_constant_makes_a_valid_map),
      cmocka_unit_test(random_strings_are_valid_maps),
      cmocka_unit_test(every_edge_is_a_constant_of_a_random_map),
      cmocka_unit_test(every_edge_is_a_constant_of_a_map_from_rules),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
