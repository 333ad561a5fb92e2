/* Elements of constants against the list from which the constant was written: at each constant
 * index, and at an index that is not known if all elements are equal. Texts of numbers against the
 * integers that they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/test/test_arena.h"
#include "core/hlo/read/read.h"
#include "smt/values/values.h"

static uint64_t state_of_literals = 3;

static uint32_t literal_below(uint32_t end) {
  state_of_literals =
      state_of_literals * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state_of_literals >> 33) % end;
}

static constexpr uint32_t most_rank = 3, most_elements = 27;

typedef struct DrawnConstant {
  uint32_t rank, count;
  int64_t sizes[most_rank], elements[most_elements];
  bool is_uniform;
} DrawnConstant;

static DrawnConstant draw_constant(void) {
  DrawnConstant drawn = {.rank = literal_below(most_rank + 1), .count = 1, .is_uniform = true};
  uint32_t kinds = 1 + literal_below(3);
  for (uint32_t i = 0; i < drawn.rank; i++)
    drawn.count *= (uint32_t)(drawn.sizes[i] = 1 + literal_below(3));
  for (uint32_t i = 0; i < drawn.count; i++) {
    drawn.elements[i] = (int64_t)literal_below(kinds) * 11 - 10;
    drawn.is_uniform = drawn.is_uniform && drawn.elements[i] == drawn.elements[0];
  }
  return drawn;
}

/* The elements from `*at` on, in braces for each dimension from `first` on. */
static void print_elements(Text *text, const DrawnConstant *drawn, uint32_t first, uint32_t *at) {
  if (first == drawn->rank) {
    text_printf(text, "%lld", (long long)drawn->elements[(*at)++]);
    return;
  }
  text_string(text, "{");
  for (int64_t i = 0; i < drawn->sizes[first]; i++) {
    text_string(text, i == 0 ? " " : ", ");
    print_elements(text, drawn, first + 1, at);
  }
  text_string(text, " }");
}

static const Instruction *constant_of(const DrawnConstant *drawn) {
  Text text = text_create(arena);
  uint32_t at = 0;
  text_string(&text, "HloModule m\nENTRY e {\nROOT c = s32[");
  for (uint32_t i = 0; i < drawn->rank; i++)
    text_printf(&text, "%s%d", i == 0 ? "" : ",", (int)drawn->sizes[i]);
  text_string(&text, "] constant(");
  print_elements(&text, drawn, 0, &at);
  text_string(&text, ")\n}\n");
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = (Source){.name = "m", .text = text.bytes, .length = text.length, .first_line = 1};
  const Module *module;
  Error error = {};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s\n%s", text.bytes, error.message);
  return module->entry->root;
}

/* Components of the index that are not known are the bits of `open`. */
static void check_element(ValuesProof *proof, const DrawnConstant *drawn,
    const Instruction *constant, uint32_t number, uint32_t open) {
  Sum index[most_rank];
  bool is_open = false;
  for (uint32_t i = drawn->rank, rest = number; i-- > 0; rest /= (uint32_t)drawn->sizes[i]) {
    bool is_known = (open >> i & 1) == 0;
    is_open = is_open || !is_known;
    index[i] = is_known ? sum_of_constant(proof->sums, rest % (uint32_t)drawn->sizes[i])
                        : sum_free_within(proof->sums, "i", 0, drawn->sizes[i] - 1);
  }
  Spot spot = spot_at(nullptr, constant, 0, index);
  ElementLiteral literal = literal_at(proof, &spot);
  Wide value = 0;
  assert_int_equal(literal.is_known, !is_open || drawn->is_uniform);
  assert_int_equal(literal.is_uniform, drawn->is_uniform);
  assert_int_equal(literal_integer(&literal, &value), literal.is_known);
  if (literal.is_known) assert_int_equal(value, drawn->elements[number]);
  assert_false(literal_is_minus_zero(&literal));
}

static void elements_are_those_that_were_written(void **) {
  for (uint32_t round = 0; round < 400; round++) {
    DrawnConstant drawn = draw_constant();
    const Instruction *constant = constant_of(&drawn);
    ValuesProof proof = {.arena = arena, .sums = sums_create(arena)};
    for (uint32_t number = 0; number < drawn.count; number++)
      for (uint32_t open = 0; open < 1U << drawn.rank; open++)
        check_element(&proof, &drawn, constant, number, open);
    Sum outside[most_rank];
    for (uint32_t i = 0; i < drawn.rank; i++)
      outside[i] = sum_of_constant(proof.sums, round % 2 == 0 ? -1 : drawn.sizes[i]);
    Spot spot = spot_at(nullptr, constant, 0, outside);
    if (drawn.rank > 0) assert_int_equal(literal_at(&proof, &spot).is_known, drawn.is_uniform);
  }
}

static void texts_are_integers_or_none(void **) {
  static constexpr int64_t none = INT64_MIN;
  static const struct {
    const char *text;
    int64_t value;
    bool is_minus_zero;
  } rows[] = {{"0", 0, false}, {"7", 7, false}, {"-7", -7, false}, {"true", 1, false},
      {"false", 0, false}, {"-0", none, true}, {"-0.0", none, true}, {"-0e5", none, true},
      {"0.0", 0, false}, {"1.5", none, false}, {"-0.5", none, false}, {"1e3", 1000, false},
      {"1e9", 1'000'000'000, false}, {"-1e9", -1'000'000'000, false}, {"1e10", none, false},
      {"-1e10", none, false}, {"nan", none, false}, {"inf", none, false}, {"-inf", none, false},
      {"-nan", none, false}, {"", none, false}, {"-", none, false}, {"12x", none, false},
      {"(1, 2)", none, false}, {"trues", none, false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    ElementLiteral literal = {
        .is_known = true, .text = rows[i].text, .length = strlen(rows[i].text)};
    Wide value = none;
    if (literal_integer(&literal, &value) != (rows[i].value != none)) fail_msg("%s", rows[i].text);
    if (rows[i].value != none) assert_int_equal(value, rows[i].value);
    if (literal_is_minus_zero(&literal) != rows[i].is_minus_zero) fail_msg("%s", rows[i].text);
    literal.is_known = false;
    assert_false(literal_integer(&literal, &value) || literal_is_minus_zero(&literal));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(elements_are_those_that_were_written, arena_begin, arena_end),
      cmocka_unit_test(texts_are_integers_or_none),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
