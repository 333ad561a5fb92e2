/* Bytes are a map, or, where the first is 128 or more, choices of rules that it is made to match or nearly match. Simplified it must be the same map by enumeration, simplify to itself, print no larger, and come out the same whatever
 * the order in which summands and constraints stood. What the engine refuses (overflow, a limit) is counted and not judged further. */
#include "fuzz/decode_map.h"
#include "fuzz/from_rules.h"
#include "fuzz/harness.h"
#include "fuzz/target.h"

#include <string.h>

static constexpr uint64_t most_points = 1 << 16;

static const Map *simplified(Harness *harness, const Map *map, const char *body) {
  const Map *result;
  Error error = {};
  if (simplify_map(harness->simplifier, map, &(SimplifyOptions){}, &result, nullptr, &error)) return result;
  if (error.kind != ERROR_OVERFLOW && error.kind != ERROR_LIMIT) harness_fail("refused", body, "%s", error.message);
  harness->refused++;
  return nullptr;
}

static void check_same(Harness *harness, const Map *map, const Map *result, const char *body) {
  SameVerdict verdict;
  Error error = {};
  if (!oracle_same_map(harness->oracle, map, result, most_points, &verdict, &error)) harness_fail("oracle", body, "%s", error.message);
  harness->answers[verdict.answer == SAME_TOO_LARGE ? ORACLE_TOO_LARGE : ORACLE_EXACT]++;
  if (verdict.answer == SAME_NO) harness_fail("unsound", body, "becomes %s: %s", harness_map_text(harness, result), verdict.text);
}

/* The same map with the operands of every commutative operator and all constraints turned around. */
static Expr turned(Harness *harness, Expr expr) {
  const ExprNode node = *expr_node(harness->context->pool, expr);
  if (node.op == EXPR_CONST || node.op == EXPR_VAR) return expr;
  Expr left = turned(harness, node.left), right = turned(harness, node.right);
  bool commutes = node.op == EXPR_ADD || node.op == EXPR_MIN || node.op == EXPR_MAX;
  return expr_binary(harness->context->pool, node.op, commutes ? right : left, commutes ? left : right);
}

static const Map *turned_map(Harness *harness, const Map *map) {
  Map *copy = map_create(harness->context, map->dim_count, map->range_count, map->runtime_count, map->result_count, map->constraint_count);
  memcpy(copy->dims, map->dims, map->dim_count * sizeof *map->dims);
  memcpy(copy->ranges, map->ranges, map->range_count * sizeof *map->ranges);
  memcpy(copy->runtimes, map->runtimes, map->runtime_count * sizeof *map->runtimes);
  for (uint32_t i = 0; i < map->result_count; i++) copy->results[i] = turned(harness, map->results[i]);
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    const Constraint *from = &map->constraints[map->constraint_count - 1 - i];
    copy->constraints[i] = (Constraint){.expr = turned(harness, from->expr), .in = from->in};
  }
  return copy;
}

static void require_alike(Harness *harness, const char *kind, const char *body, const char *text, const Map *other) {
  if (other != nullptr && strcmp(text, harness_map_text(harness, other)) != 0)
    harness_fail(kind, body, "becomes %s, and %s", text, harness_map_text(harness, other));
}

static const RuleSet *engine_rules(void) {
  static RuleSet rules;
  static Arena *arena;
  Error error = {};
  if (arena == nullptr && !rules_engine(arena = arena_create(), &rules, &error)) harness_fail("rules", "", "%s", error.message);
  return &rules;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  Harness *harness = harness_begin();
  bool by_rules = size > 0 && bytes[0] >= 128;
  const Map *map = by_rules ? fuzz_map_from_rules(harness->context, engine_rules(), bytes + 1, size - 1) : fuzz_decode_map(harness->context, bytes, size);
  const char *body = arena_printf(harness->arena, "simplify %s", harness_map_text(harness, map));
  const Map *result = simplified(harness, map, body);
  if (result == nullptr) return 0;
  const char *text = harness_map_text(harness, result);
  check_same(harness, map, result, body);
  require_alike(harness, "idempotent", body, text, simplified(harness, result, body));
  require_alike(harness, "order", body, text, simplified(harness, turned_map(harness, map), body));
  return 0;
}
