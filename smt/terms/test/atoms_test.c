/* Among hundreds of thousands of sums and atoms some have equal hashes of 32 bits. Each is still
 * itself, and asking for it again finds it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/base/test/length.h"
#include "smt/terms/sums.h"

static const SumAtom *atom_of(const Sums *sums, Sum sum) {
  uint32_t at;
  assert_true(sum_is_atom(sums, sum, &at));
  return &sums->atoms[at];
}

static void check_quotient(Sums *sums, Sum of, Wide divisor) {
  const SumAtom *atom = atom_of(sums, sum_floordiv(sums, of, divisor));
  assert_true(atom->kind == ATOM_QUOTIENT && atom->divisor == divisor && atom->a.at == of.at);
}

static void check_element(Sums *sums, uint32_t at) {
  static const int instructions[2];
  Sum index = sum_of_constant(sums, at);
  for (uint32_t i = 0; i < 2; i++) {
    const SumAtom *atom = atom_of(sums, sum_value(sums, &instructions[i], "v", 1, &index, 0, 1));
    assert_true(atom->kind == ATOM_VALUE && atom->instruction == &instructions[i]);
    assert_true(atom->index_count == 1 && atom->index[0].at == index.at);
  }
}

/* Five atoms; `own` is a variable of its own. */
static void check_atoms_at(Sums *sums, Sum x, Sum y, Sum own, uint32_t at) {
  check_quotient(sums, x, (Wide)at + 2);
  check_quotient(sums, own, 3);
  (void)sum_min(sums, x, sum_add(sums, y, sum_of_constant(sums, at)));
  check_element(sums, at);
}

static void equal_hashes_make_no_equal_atoms(void **) {
  Arena *arena = arena_create();
  Sums *sums = sums_create(arena);
  const uint32_t atoms_of_each = test_length(150'000, 40'000, 4'000);
  Sum x = sum_free(sums, "x"), y = sum_free(sums, "y");
  Sum *own = ARENA_NEW(arena, Sum, atoms_of_each);
  for (uint32_t at = 0; at < atoms_of_each; at++) own[at] = sum_free(sums, "own");
  for (uint32_t at = 0; at < atoms_of_each; at++) check_atoms_at(sums, x, y, own[at], at);
  uint32_t count = sums->atom_count;
  assert_int_equal(count, 2 + 6 * atoms_of_each);
  for (uint32_t at = 0; at < atoms_of_each; at += 7) check_atoms_at(sums, x, y, own[at], at);
  assert_int_equal(sums->atom_count, count);
  assert_false(sums->overflow);
  arena_destroy(arena);
}

static void equal_hashes_make_no_equal_sums(void **) {
  Arena *arena = arena_create();
  Sums *sums = sums_create(arena);
  const uint32_t atoms_of_each = test_length(150'000, 40'000, 4'000);
  Sum x = sum_free(sums, "x"), y = sum_free(sums, "y");
  uint32_t atoms[2];
  assert_true(sum_is_atom(sums, x, &atoms[0]) && sum_is_atom(sums, y, &atoms[1]));
  for (uint32_t i = 0; i < 2 * atoms_of_each; i++) {
    int64_t at = 1 + i / 2;
    Sum of = i % 2 == 0 ? x : y, moved = sum_add(sums, of, sum_of_constant(sums, at)),
        scaled = sum_scale(sums, of, at + 1);
    const SumNode *node = &sums->sums[moved.at];
    assert_true(node->constant == at && node->term_count == 1);
    assert_true(node->terms[0].atom == atoms[i % 2] && node->terms[0].coefficient == 1);
    node = &sums->sums[scaled.at];
    assert_true(node->constant == 0 && node->term_count == 1);
    assert_true(node->terms[0].atom == atoms[i % 2] && node->terms[0].coefficient == at + 1);
    if (i % 7 == 0) assert_true(sum_scale(sums, of, at + 1).at == scaled.at);
  }
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(equal_hashes_make_no_equal_atoms),
      cmocka_unit_test(equal_hashes_make_no_equal_sums)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
