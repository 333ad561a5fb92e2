/* The store of terms: equal parts make one term, different parts different terms, also after the
 * tables have grown. Positions of offsets are clamped. */
#include "oracle/terms/term.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static constexpr uint32_t many = 6000;

static void equal_parts_make_one_term(void **state) {
  (void)state;
  Arena *arena = arena_create();
  Terms *terms = terms_create(arena);
  uint32_t signature = signature_of(terms, "s", "s");
  Term *made = ARENA_NEW(arena, Term, many);
  for (int round = 0; round < 2; round++)
    for (uint32_t i = 0; i < many; i++) {
      Term children[] = {made[i / 2], made[i / 3]};
      Term term = i % 2 == 0 || i < 4
                      ? term_constant(terms, TYPE_s64, i)
                      : term_make(terms, TERM_TUPLE, TYPE_s64, signature, 0, 2, children);
      if (round == 0) made[i] = term;
      assert_int_equal(made[i], term);
    }
  assert_true(terms_count(terms) <= many);
  for (uint32_t i = 4; i < many; i += 2) {
    assert_int_equal(term_data(terms, made[i])->payload, i);
    assert_true(made[i] != made[i - 2]);
  }
  assert_int_equal(term_children(terms, made[4001])[0], made[2000]);
  assert_int_equal(term_children(terms, made[4001])[1], made[1333]);
  arena_destroy(arena);
}

static void each_part_makes_another_term(void **state) {
  (void)state;
  Arena *arena = arena_create();
  Terms *terms = terms_create(arena);
  uint32_t s = signature_of(terms, "s", "s"), t = signature_of(terms, "t", "s");
  Term a = term_constant(terms, TYPE_s32, 1), b = term_constant(terms, TYPE_s32, 2);
  const Term ab[] = {a, b}, ba[] = {b, a};
  const Term made[] = {term_make(terms, TERM_TUPLE, TYPE_s32, s, 0, 2, ab),
      term_make(terms, TERM_ARRAY, TYPE_s32, s, 0, 2, ab),
      term_make(terms, TERM_TUPLE, TYPE_s64, s, 0, 2, ab),
      term_make(terms, TERM_TUPLE, TYPE_s32, t, 0, 2, ab),
      term_make(terms, TERM_TUPLE, TYPE_s32, s, 1, 2, ab),
      term_make(terms, TERM_TUPLE, TYPE_s32, s, 0, 1, ab),
      term_make(terms, TERM_TUPLE, TYPE_s32, s, 0, 2, ba)};
  for (size_t i = 0; i < sizeof made / sizeof *made; i++)
    for (size_t k = 0; k < i; k++) assert_true(made[i] != made[k]);
  assert_true(s != t);
  arena_destroy(arena);
}

static void texts_make_one_signature(void **state) {
  (void)state;
  Arena *arena = arena_create();
  Terms *terms = terms_create(arena);
  for (int round = 0; round < 2; round++)
    for (uint32_t i = 0; i < 2000; i++) {
      uint32_t signature = signature_of(terms, arena_printf(arena, "text %u", i), "name");
      assert_int_equal(signature, i);
      assert_string_equal(signature_at(terms, signature)->text, arena_printf(arena, "text %u", i));
    }
  arena_destroy(arena);
}

static void operations_are_made_once(void **state) {
  (void)state;
  Arena *arena = arena_create();
  Terms *terms = terms_create(arena);
  uint32_t sum = signature_of_operation(terms, HLO_ADD, TYPE_s8, 2);
  const Instruction *made = signature_at(terms, sum)->instruction;
  assert_true(made->opcode == HLO_ADD && made->operand_count == 2 && made->shape->type == TYPE_s8);
  assert_int_equal(sum, signature_of_operation(terms, HLO_ADD, TYPE_s8, 2));
  assert_true(made == signature_at(terms, sum)->instruction);
  assert_true(sum != signature_of_operation(terms, HLO_ADD, TYPE_s16, 2));
  assert_true(sum != signature_of_operation(terms, HLO_SUBTRACT, TYPE_s8, 2));
  Term operands[] = {term_constant(terms, TYPE_s8, 100), term_constant(terms, TYPE_s8, 100)};
  int64_t value;
  assert_true(terms_is_constant(terms, term_apply(terms, sum, 2, operands), &value));
  assert_int_equal(value, -56);
  arena_destroy(arena);
}

static void bodies_are_found_again(void **state) {
  (void)state;
  Arena *arena = arena_create();
  Terms *terms = terms_create(arena);
  Computation computations[3] = {};
  const Term results[] = {7, 8, 9};
  for (uint32_t i = 0; i < 3; i++) {
    assert_null(terms_find_body(terms, &computations[i]));
    terms_add_body(terms, &computations[i], i + 1, results);
  }
  for (uint32_t i = 0; i < 3; i++) {
    const TermsBody *found = terms_find_body(terms, &computations[i]);
    assert_true(found != nullptr && found->computation == &computations[i]);
    assert_true(found->count == i + 1 && found->results == results);
  }
  arena_destroy(arena);
}

static void offsets_are_clamped(void **state) {
  (void)state;
  for (int64_t count = 1; count < 6; count++)
    for (int64_t value = -4; value < 9; value++) {
      int64_t expected = value <= 0 ? 0 : value < count ? value : count - 1;
      assert_int_equal(offset_clamp(TYPE_s64, value, count), expected);
      assert_int_equal(offset_clamp(TYPE_s8, value, count), expected);
      assert_int_equal(offset_clamp(TYPE_u64, value, count), value < 0 ? count - 1 : expected);
    }
}

/* A pick of equal candidates, or at a constant offset, is the candidate. */
static void picks_are_decided_early(void **state) {
  (void)state;
  Arena *arena = arena_create();
  Terms *terms = terms_create(arena);
  uint32_t atoms = signature_of(terms, "parameter 0.0", "p0");
  Term offset = term_make(terms, TERM_ATOM, TYPE_s32, atoms, 0, 0, nullptr), candidates[5];
  for (uint32_t count = 1; count <= 5; count++) {
    for (uint32_t i = 0; i < count; i++) candidates[i] = term_constant(terms, TYPE_s8, 10 + i);
    for (int64_t at = -1; at < 7; at++)
      assert_int_equal(term_pick(terms, term_constant(terms, TYPE_s32, at), count, candidates),
          candidates[offset_clamp(TYPE_s32, at, count)]);
    Term pick = term_pick(terms, offset, count, candidates);
    assert_true(term_data(terms, pick)->kind == (count == 1 ? TERM_CONSTANT : TERM_PICK));
    for (uint32_t i = 0; count > 1 && i < count; i++)
      assert_int_equal(term_children(terms, pick)[1 + i], candidates[i]);
    for (uint32_t i = 0; i < count; i++) candidates[i] = candidates[0];
    assert_int_equal(term_pick(terms, offset, count, candidates), candidates[0]);
  }
  arena_destroy(arena);
}

static void every_nan_is_one_constant(void **state) {
  (void)state;
  Arena *arena = arena_create();
  Terms *terms = terms_create(arena);
  int64_t value;
  assert_int_equal(
      term_float(terms, TYPE_f32, (double)NAN), term_float(terms, TYPE_f32, -(double)NAN));
  assert_true(term_float(terms, TYPE_f32, 0) != term_float(terms, TYPE_f32, -0.0));
  assert_true(term_float(terms, TYPE_f32, 1) != term_float(terms, TYPE_f64, 1));
  assert_false(terms_is_constant(terms, term_float(terms, TYPE_f32, 1), &value));
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_parts_make_one_term),
      cmocka_unit_test(each_part_makes_another_term),
      cmocka_unit_test(texts_make_one_signature),
      cmocka_unit_test(operations_are_made_once),
      cmocka_unit_test(bodies_are_found_again),
      cmocka_unit_test(offsets_are_clamped),
      cmocka_unit_test(picks_are_decided_early),
      cmocka_unit_test(every_nan_is_one_constant),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
