/* Tests of the limits of the search for refutations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "proof/write/simplex.h"
#include "proof/write/tree.h"

static void variables_past_the_capacity_are_not_added(void **) {
  Arena *arena = arena_create();
  Simplex *simplex = simplex_create(arena, 3);
  for (uint32_t i = 0; i < 5; i++) {
    assert_int_equal(simplex->overflow, i > 3);
    (void)simplex_free(simplex);
  }
  assert_true(simplex->overflow);
  assert_int_equal(simplex->count, 3);
  assert_int_equal(simplex->column_count, 3);
  arena_destroy(arena);
}

/* Each refutation within another is one deeper. */
static void depths_are_those_of_the_format(void **) {
  Premise two_cases = {.clause = {.count = 2}};
  Premises premises = {.count = 1, .items = &two_cases};
  Tree sum = {.kind = TREE_SUM}, round = {.kind = TREE_ROUND, .children = (Tree *[]){&sum}},
       outer = {.kind = TREE_ROUND, .children = (Tree *[]){&round}},
       cases = {.kind = TREE_CASES, .children = (Tree *[]){&sum, &outer}};
  assert_int_equal(tree_depth(&sum, &premises), 1);
  assert_int_equal(tree_depth(&outer, &premises), 3);
  assert_int_equal(tree_depth(&cases, &premises), 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(variables_past_the_capacity_are_not_added),
      cmocka_unit_test(depths_are_those_of_the_format),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
