/* The SMT-LIB text of a map, parsed by Z3: true of each pair of the map, false of every other pair
 * of the box. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include <z3.h>

#include "core/base/test/length.h"
#include "core/map/evaluate.h"
#include "core/map/text.h"
#include "smt/terms/map_text.h"

static const char *const maps[] = {
    "(d0) -> (d0 floordiv 3, d0 mod 3), domain: d0 in [-7, 7]",
    "(d0) -> (d0 ceildiv 4 - 2, -d0), domain: d0 in [-9, 5], d0 mod 2 in [1, 1]",
    "(d0) -> (min(d0, 3) * 2, max(d0 - 1, -1)), domain: d0 in [-4, 6], d0 + 1 in [-2, 5]",
};

/* Whether Z3 finds the text's assertion satisfiable. */
static bool map_text_holds(Z3_context z3, const char *text) {
  Z3_solver solver = Z3_mk_solver(z3);
  Z3_solver_inc_ref(z3, solver);
  Z3_solver_from_string(z3, solver, text);
  assert_int_equal(Z3_get_error_code(z3), Z3_OK);
  Z3_lbool answer = Z3_solver_check(z3, solver);
  Z3_solver_dec_ref(z3, solver);
  assert_int_not_equal(answer, Z3_L_UNDEF);
  return answer == Z3_L_TRUE;
}

static void the_text_is_the_relation(void **state) {
  (void)state;
  Z3_config config = Z3_mk_config();
  Z3_context z3 = Z3_mk_context(config);
  MapContext *context = map_context_create();
  for (size_t m = 0; m < sizeof maps / sizeof *maps; m++) {
    Source source = {.name = "map", .text = maps[m], .length = strlen(maps[m]), .first_line = 1};
    const Map *map;
    Error error = {};
    Text text = text_create(context->arena);
    assert_true(map_parse(context, &source, &map, &error) &&
                map_smtlib(&text, context, "a map", map, false, &error));
    for (int64_t d = map->dims[0].bounds.lo - 1; d <= map->dims[0].bounds.hi + 1;
        d += test_length(1, 1, 5)) {
      int64_t e[2] = {};
      bool inside = map_evaluate(context, map, &(Point){.dims = &d}, e) == POINT_INSIDE;
      for (int shift = 0; shift < 2; shift++)
        assert_int_equal(
            map_text_holds(
                z3, arena_printf(context->arena, "%s(assert (|a map| (- %lld) (- %lld) (- %lld)))",
                        text.bytes, (long long)-d, (long long)-e[0], (long long)-(e[1] + shift))),
            inside && shift == 0);
    }
  }
  map_context_destroy(context);
  Z3_del_context(z3);
  Z3_del_config(config);
}

static void ranges_are_bound_and_undefined_is_rejected(void **state) {
  (void)state;
  MapContext *context = map_context_create();
  Text text = text_create(context->arena);
  Source source = {.name = "map",
      .text = "(d0)[s0]{rt0} -> (s0 + rt0), domain: d0 in [0, 1], s0 in [0, 2], rt0 in [0, 3]",
      .first_line = 1};
  source.length = strlen(source.text);
  const Map *map;
  Error error = {};
  assert_true(map_parse(context, &source, &map, &error) &&
              map_smtlib(&text, context, "m", map, true, &error));
  assert_non_null(
      strstr(text.bytes, "(define-fun |m| ((d0 Int)(rt0 Int)(e0 Int)) Bool\n  (exists ((s0 Int))"));
  assert_false(map_smtlib(&text, context, "m", map_undefined(context), true, &error));
  map_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_text_is_the_relation),
      cmocka_unit_test(ranges_are_bound_and_undefined_is_rejected),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
