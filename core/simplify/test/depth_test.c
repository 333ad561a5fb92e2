/* Expressions nested to the maximum depth: parsed, printed, parsed again, evaluated, bounded,
 * substituted, simplified, and simplified again, on a stack smaller than that of a main thread.
 * Three times the depth is rejected as a limit. AFFIRM_FEW: only some of the nests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/test/length.h"
#include "core/map/evaluate.h"
#include "core/map/text.h"
#include "core/simplify/simplify.h"

static constexpr size_t stack_bytes = 7u << 20;
static constexpr uint32_t deep = 10000;

/* One level is `before`, the inner part and `after`, and adds `depth` to the tree. */
typedef struct DepthNest {
  const char *before, *after;
  uint32_t depth;
} DepthNest;

static const DepthNest nests[] = {
    {"(", ") floordiv 2", 1},
    {"(d1 + (", ") mod 7)", 2},
    {"(", " + d1) ceildiv 2", 2},
    {"(", " + 1) floordiv 2", 2},
    {"((", ") * 3 + d1) mod 5", 3},
    {"min(d1, ", ")", 1},
    {"min(max(d0, ", "), d1)", 2},
    {"max(", ", d1 mod 3) mod 11", 2},
    {"-(d0 + ", ")", 2},
    {"d0 + (", ")", 1},
    {"d1 - (", ") mod 6", 3},
    {"(d0 - (", ")) mod 9 + min(d1, d0)", 4},
    {"(", " * d0 - d1 * 2) mod 13", 3},
};

static char *nested(Arena *arena, const DepthNest *nest, uint32_t depth, const char *domain) {
  Text text = text_create(arena);
  uint32_t levels = (depth - 1) / nest->depth;
  text_string(&text, "(d0, d1) -> (");
  for (uint32_t i = 0; i < levels; i++) text_string(&text, nest->before);
  text_string(&text, "d0");
  for (uint32_t i = 0; i < levels; i++) text_string(&text, nest->after);
  text_printf(&text, "), domain: %s", domain);
  return text.bytes;
}

static const Map *depth_parse(MapContext *context, const char *bytes, Error *error) {
  Source source = {.name = "nested", .text = bytes, .length = strlen(bytes), .first_line = 1};
  const Map *map = nullptr;
  return map_parse(context, &source, &map, error) ? map : nullptr;
}

static char *depth_print(MapContext *context, const Map *map) {
  Text text = text_create(context->arena);
  map_print(&text, context, map, MAP_STYLE_LINE);
  return text.bytes;
}

static bool same_text_back(MapContext *context, const Map *map) {
  Error error = {};
  const Map *back = depth_parse(context, depth_print(context, map), &error);
  return back != nullptr && map_identical(context, map, back);
}

static bool same_value(
    MapContext *context, const Map *map, const Map *simplified, int64_t d0, int64_t d1) {
  int64_t values[] = {d0, d1}, a = 0, b = 0;
  Point point = {.dims = values};
  return map_evaluate(context, map, &point, &a) == POINT_INSIDE &&
         map_evaluate(context, simplified, &point, &b) == POINT_INSIDE && a == b;
}

static bool simplifies(MapContext *context, Simplifier *simplifier, const Map *map) {
  const Map *simplified, *again;
  Error error = {};
  if (!simplify_map(simplifier, map, nullptr, &simplified, nullptr, &error))
    return error_print(&error, stderr), false;
  if (!simplify_map(simplifier, simplified, nullptr, &again, nullptr, &error))
    return error_print(&error, stderr), false;
  const char *wrong = !map_identical(context, simplified, again)    ? "simplifying again changes it"
                      : !same_text_back(context, simplified)        ? "its text does not read back"
                      : !map_check(context, simplified, &error)     ? error.message
                      : !same_value(context, map, simplified, 0, 0) ? "another value at (0, 0)"
                      : !same_value(context, map, simplified, 1, 2) ? "another value at (1, 2)"
                                                                    : nullptr;
  if (wrong != nullptr) print_message("%s: %.300s\n", wrong, depth_print(context, simplified));
  return wrong == nullptr;
}

static bool substitutes(MapContext *context, const Map *map) {
  Expr dims[] = {expr_var(context->pool, VAR_DIM, 1), expr_var(context->pool, VAR_DIM, 0)}, swapped,
       back;
  Error error = {};
  return expr_substitute(context->pool, context->arena, &(Substitution){.dims = dims}, 1,
             map->results, &swapped, &error) &&
         expr_substitute(context->pool, context->arena, &(Substitution){.dims = dims}, 1, &swapped,
             &back, &error) &&
         expr_same(back, map->results[0]) &&
         expr_count(context->pool, context->arena, 1, &back) > 0;
}

/* nullptr if everything succeeded; else what failed. */
static void *depth_work(void *unused) {
  (void)unused;
  static const char *const domains[] = {
      "d0 in [0, 1], d1 in [0, 2]", "d0 in [-5, 90], d1 in [-3, 77]"};
  const char *failed = nullptr;
  size_t step = test_length(1, 5, 9);
  for (size_t i = 0; failed == nullptr && i < 2 * sizeof nests / sizeof *nests; i += step) {
    const DepthNest *nest = &nests[i / 2];
    MapContext *context = map_context_create();
    Error error = {};
    Simplifier *simplifier = simplifier_create(context, nullptr, &error);
    const Map *map =
        depth_parse(context, nested(context->arena, nest, deep, domains[i % 2]), &error);
    if (map == nullptr && error.kind != ERROR_OVERFLOW) failed = "reading";
    if (map != nullptr && !same_text_back(context, map)) failed = "reading back";
    if (map != nullptr && !substitutes(context, map)) failed = "substituting";
    if (map != nullptr && !simplifies(context, simplifier, map)) failed = "simplifying";
    error = (Error){};
    if (depth_parse(context, nested(context->arena, nest, 3 * expr_max_depth, domains[i % 2]),
            &error) != nullptr ||
        error.kind != ERROR_LIMIT)
      failed = "rejecting";
    if (failed != nullptr) print_message("%s: %s\n", nest->after, failed);
    simplifier_destroy(simplifier);
    map_context_destroy(context);
  }
  return (void *)failed;
}

static void deep_expressions_fit_the_stack(void **state) {
  (void)state;
  pthread_attr_t attributes;
  pthread_t thread;
  void *failed;
  assert_int_equal(pthread_attr_init(&attributes), 0);
  assert_int_equal(pthread_attr_setstacksize(&attributes, stack_bytes), 0);
  assert_int_equal(pthread_create(&thread, &attributes, depth_work, nullptr), 0);
  assert_int_equal(pthread_join(thread, &failed), 0);
  assert_null(failed);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(deep_expressions_fit_the_stack)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
