/* Functions of whose terms each one has the one before it twice: the time is that of the terms, not
 * of the paths through them. */
#include "core/base/text.h"
#include "oracle/equivalence/test/values_cases.h"

/* `head` computes x0; each further x is the sum of the one before it and itself. */
static const char *text_doubled(Arena *arena, const char *head, int count, const char *tail) {
  Text text = text_create(arena);
  text_string(&text, head);
  for (int i = 0; i < count; i++) text_printf(&text, " x%d = s64[] add(x%d, x%d)\n", i + 1, i, i);
  text_printf(&text, tail, count);
  return text.bytes;
}

#define TWO "HloModule m\nf {\n a = s64[] parameter(0)\n b = s64[] parameter(1)\n"
#define AND_TWO " c = s64[] parameter(2)\n d = s64[] parameter(3)\n"
#define FOUR "ENTRY e {\n p = s64[4] parameter(0)\n z = s64[] constant(0)\n"

typedef struct DoubledRow {
  const char *name, *head, *tail;
} DoubledRow;

/* 2^64 and 2^65 times x0 are both 0. */
static void a_function_takes_no_longer_than_its_terms(void **) {
  static const DoubledRow rows[] = {
      {"map", TWO " x0 = s64[] add(a, b)\n",
          " ROOT r = s64[] add(x%d, b)\n}\n" FOUR
          " ROOT r = s64[4] map(p, p), dimensions={0}, to_apply=f\n}\n"},
      {"reduce", TWO " x0 = s64[] subtract(a, b)\n",
          " ROOT r = s64[] maximum(x%d, b)\n}\n" FOUR
          " ROOT r = s64[] reduce(p, z), dimensions={0}, to_apply=f\n}\n"},
      {"reduce of two", TWO AND_TWO " x0 = s64[] subtract(a, c)\n",
          " e = s64[] add(b, d)\n ROOT r = (s64[], s64[]) tuple(x%d, e)\n}\n" FOUR
          " s = (s64[], s64[]) reduce(p, p, z, z), dimensions={0}, to_apply=f\n"
          " ROOT r = s64[] get-tuple-element(s), index=0\n}\n"},
      {"sort", TWO " x0 = s64[] subtract(a, b)\n",
          " n = s64[] constant(0)\n ROOT r = pred[] compare(x%d, n), direction=LT\n}\n" FOUR
          " ROOT r = s64[4] sort(p), dimensions={0}, is_stable=true, to_apply=f\n}\n"},
  };
  ValuesLimits limits = {.grade = LAW_EXACT};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    OracleFixture bench = bench_create();
    ValuesCase row = {rows[i].name, text_doubled(bench.arena, rows[i].head, 64, rows[i].tail),
        text_doubled(bench.arena, rows[i].head, 65, rows[i].tail),
        i == 0 ? "same values" : "same reads"};
    assert_int_equal(values_cases_faults(1, &row, &limits), 0);
    bench_destroy(&bench);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_function_takes_no_longer_than_its_terms)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
