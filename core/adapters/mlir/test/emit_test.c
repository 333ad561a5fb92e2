/* Emission: the text of the reference cases, verification by MLIR, rejections; deep and shared
 * expressions stay small. */
#include "core/adapters/mlir/emit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/checked.h"
#include "core/base/test/length.h"
#include "core/map/test/random_map.h"
#include "core/adapters/mlir/run.h"
#include "core/adapters/mlir/walk.h"

static void emit_must(bool done, const Error *error) {
  if (!done) error_print(error, stderr);
  assert_true(done);
}

static const char *emitted(
    MapContext *context, const char *name, const char *map, AffineForm form) {
  Text text = text_create(context->arena);
  Error error = {};
  emit_must(affine_emit(context, 1, &(NamedMap){.name = name, .map = walk_parse(context, map)},
                form, &text, &error),
      &error);
  return text.bytes;
}

static void simplified_polyhedral_form_is_printed(void **) {
  MapContext *context = map_context_create();
  assert_string_equal(
      emitted(context, "read",
          "(d0, d1)[s0] -> (d0 * 3 + s0, min(d1, 5) floordiv 2), domain: d0 in [0, 9], d1 in [-3, 4], s0 in [0, 2], d0 + s0 in [3, 7]",
          AFFINE_AS_STATED),
      "func.func private @read.pair(index, index, index, index, index)\n"
      "// (d0, d1)[s0] -> (d0 * 3 + s0, min(d1, 5) floordiv 2), domain: d0 in [0, 9], d1 in [-3, 4], s0 in [0, 2], d0 + s0 in [3, 7]\n"
      "func.func @read() {\n"
      "  affine.for %d0 = 0 to 10 {\n"
      "    affine.for %d1 = -3 to 5 {\n"
      "      affine.for %s0 = 0 to 3 {\n"
      "        affine.if affine_set<(d0, d1) : (d0 + d1 - 3 >= 0, 7 - (d0 + d1) >= 0)>(%d0, %s0) {\n"
      "          %v0 = affine.apply affine_map<(d0, d1) -> ((d0 * 3) + d1)>(%d0, %s0)\n"
      "          %v1 = affine.min affine_map<(d0) -> (d0, 5)>(%d1)\n"
      "          %v2 = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%v1)\n"
      "          func.call @read.pair(%d0, %d1, %s0, %v0, %v2) : (index, index, index, index, index) -> ()\n"
      "        }\n"
      "      }\n"
      "    }\n"
      "  }\n"
      "  return\n"
      "}\n");
  map_context_destroy(context);
}

static void canonical_form_is_mlirs(void **) {
  MapContext *context = map_context_create();
  const char *text =
      emitted(context, "a", "(d0) -> (d0 * 2 * 3 + 0), domain: d0 in [0, 9]", AFFINE_CANONICAL);
  assert_non_null(strstr(text, "affine_map<(d0) -> (d0 * 6)>"));
  assert_non_null(strstr(text, "module {"));
  map_context_destroy(context);
}

static void known_empty_has_no_loop(void **) {
  MapContext *context = map_context_create();
  assert_string_equal(emitted(context, "7 b-", "KNOWN EMPTY", AFFINE_AS_STATED),
      "func.func private @m7_b_.pair()\n// KNOWN EMPTY\nfunc.func @m7_b_() {\n  return\n}\n");
  map_context_destroy(context);
}

static void equal_names_stay_distinct(void **) {
  MapContext *context = map_context_create();
  const Map *map = walk_parse(context, "(d0) -> (d0), domain: d0 in [0, 1]");
  NamedMap maps[] = {{"a", map, nullptr}, {"a", map, nullptr}, {"a.n1", map, nullptr},
      {nullptr, map, nullptr}, {"", map, nullptr}, {"a_pair", map, nullptr}};
  Text text = text_create(context->arena);
  Error error = {};
  emit_must(affine_emit(context, 6, maps, AFFINE_AS_STATED, &text, &error), &error);
  map_context_destroy(context);
}

static void texts_of_one_whole_have_different_names(void **) {
  MapContext *context = map_context_create();
  const Map *map = walk_parse(context, "(d0) -> (d0), domain: d0 in [0, 1]");
  Text stated = text_create(context->arena), text = text_create(context->arena);
  Error error = {};
  NamedMap first = {"a", map, "r in e"}, second = {"b", map, nullptr};
  emit_must(affine_emit(context, 1, &first, AFFINE_AS_STATED, &stated, &error), &error);
  assert_int_equal(strncmp(stated.bytes, "// r in e\nfunc.func private @a.pair", 35), 0);
  emit_must(affine_emit(context, 1, &second, AFFINE_AS_STATED, &stated, &error), &error);
  emit_must(affine_whole(&stated, AFFINE_AS_STATED, &text, &error), &error);
  assert_string_equal(text.bytes, stated.bytes);
  emit_must(affine_whole(&stated, AFFINE_CANONICAL, &text, &error), &error);
  emit_must(affine_emit(context, 1, &second, AFFINE_AS_STATED, &stated, &error), &error);
  assert_false(affine_whole(&stated, AFFINE_AS_STATED, &text, &error));
  map_context_destroy(context);
}

static void random_maps_verify(void **) {
  RandomMaps random = {.state = 3,
      .max_variables = 5,
      .max_depth = 6,
      .max_results = 4,
      .max_constraints = 3,
      .max_coefficient = 100,
      .max_bound = 50};
  int verified = 0;
  const int rounds = (int)test_length(300, 300, 100);
  for (int i = 0; i < rounds; i++) {
    MapContext *context = map_context_create();
    Text text = text_create(context->arena);
    Error error = {};
    bool fits =
        affine_emit(context, 1, &(NamedMap){.name = "m", .map = random_map(context, &random)},
            (AffineForm)(i % 2), &text, &error);
    emit_must(fits || error.kind == ERROR_OVERFLOW, &error);
    verified += fits;
    map_context_destroy(context);
  }
  assert_true(verified > rounds / 5);
}

/* x = (x + x) mod 1000, repeated: a tree of 2^60 nodes, and a chain 5,000 deep. */
static void deep_and_shared_expressions_stay_small(void **) {
  MapContext *context = map_context_create();
  Expr two = expr_var(context->pool, VAR_DIM, 0), deep = two;
  for (int i = 0; i < 60; i++) {
    Expr sum = expr_binary(context->pool, EXPR_ADD, two, two);
    two = expr_binary(context->pool, EXPR_MOD,
        expr_binary(context->pool, EXPR_ADD, sum, expr_const(context->pool, i)),
        expr_const(context->pool, 1000));
  }
  const int depth = (int)test_length(2500, 2500, 600);
  for (int i = 0; i < depth; i++)
    deep = expr_binary(context->pool, EXPR_MOD,
        expr_binary(context->pool, EXPR_ADD, deep, expr_const(context->pool, i % 7)),
        expr_const(context->pool, 50 + i % 3));
  Map *map = map_create(context, 1, 0, 0, 2, 0);
  map->dims[0].bounds = (Interval){-5, 70};
  map->results[0] = two;
  map->results[1] = deep;
  Text text = text_create(context->arena);
  Error error = {};
  emit_must(affine_emit(
                context, 1, &(NamedMap){.name = "m", .map = map}, AFFINE_AS_STATED, &text, &error),
      &error);
  assert_true(text.length < 200000);
  PairsRun pairs;
  emit_must(mlir_pairs(context, map, 1000, &pairs, &error), &error);
  assert_int_equal(pairs.count, 76);
  for (uint32_t i = 0; i < 76; i++) {
    int64_t d = pairs.values[i * 3], left = d, right = d;
    for (int k = 0; k < 60; k++) left = mod64(left + left + k, 1000);
    for (int k = 0; k < depth; k++) right = mod64(right + k % 7, 50 + k % 3);
    assert_int_equal(pairs.values[i * 3 + 1], left);
    assert_int_equal(pairs.values[i * 3 + 2], right);
  }
  map_context_destroy(context);
}

static void rejections_are_named(void **) {
  static const struct {
    const char *map;
    ErrorKind kind;
  } rejected[] = {
      {"UNDEFINED", ERROR_UNSUPPORTED},
      {"(d0) -> (d0 * 9223372036854775807 * 4), domain: d0 in [0, 0]", ERROR_OVERFLOW},
      {"(d0) -> (d0), domain: d0 in [0, 9223372036854775806]", ERROR_OVERFLOW},
      {"(d0) -> (d0), domain: d0 in [0, 1], d0 + 4611686018427387904 in [0, 1]", ERROR_OVERFLOW},
  };
  for (size_t i = 0; i < sizeof rejected / sizeof *rejected; i++) {
    MapContext *context = map_context_create();
    Text text = text_create(context->arena);
    Error error = {};
    assert_false(affine_emit(context, 1,
        &(NamedMap){.name = "m", .map = walk_parse(context, rejected[i].map)}, AFFINE_AS_STATED,
        &text, &error));
    assert_int_equal(error.kind, rejected[i].kind);
    assert_int_equal(text.length, 0);
    map_context_destroy(context);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(simplified_polyhedral_form_is_printed),
      cmocka_unit_test(canonical_form_is_mlirs),
      cmocka_unit_test(known_empty_has_no_loop),
      cmocka_unit_test(equal_names_stay_distinct),
      cmocka_unit_test(texts_of_one_whole_have_different_names),
      cmocka_unit_test(random_maps_verify),
      cmocka_unit_test(deep_and_shared_expressions_stay_small),
      cmocka_unit_test(rejections_are_named),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
