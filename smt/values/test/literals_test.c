/* Literals of floats in constants whose elements are compared: texts of the same number of the type
 * are equal, all others differ. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "smt/values/test/values_status.h"

typedef struct LiteralRow {
  const char *type, *one, *other;
  bool is_same;
} LiteralRow;

static const LiteralRow rows[] = {{"f32", "0.1", "0.100000001490116", true},
    {"f32", "0.1", "0.10000001", false}, {"f32", "16777217", "16777216", true},
    {"f32", "16777219", "16777220", true}, {"f32", "16777218", "16777216", false},
    {"f32", "1e-46", "0", true}, {"f32", "-1e-46", "0", false}, {"f32", "1e-45", "0", false},
    {"f32", "1e38", "100000000000000000000000000000000000000", true},
    {"f64", "0.1", "0.10000000000000001", true}, {"f64", "0.1", "0.1000000000000001", false},
    {"f64", "0.1", "0.100000001490116", false}, {"bf16", "1.0001", "1", true},
    {"bf16", "1.00390625", "1", true}, {"bf16", "1.01171875", "1.015625", true},
    {"bf16", "1.0078125", "1", false}, {"bf16", "257", "256", true}, {"bf16", "259", "260", true},
    {"bf16", "258", "256", false}, {"f16", "2049", "2048", true}, {"f16", "2051", "2052", true},
    {"f16", "2050", "2048", false}, {"f16", "1e-8", "0", true}, {"f16", "5e-8", "0", false},
    {"f16", "5e-8", "6e-8", true}, {"f16", "1.000488281251", "1", true},
    {"f16", "1.0005", "1", false}, {"bf16", "1.00390625000001", "1", true},
    {"bf16", "1.00391", "1", false}, {"f8e4m3fn", "17", "16", true},
    {"f8e4m3fn", "18", "16", false}, {"f8e4m3fn", "464", "448", true},
    {"f8e5m2", "-61439", "-57344", true}, {"f4e2m1fn", "100", "6", true},
    {"f4e2m1fn", "-7", "-6", true}, {"f4e2m1fn", "7", "-6", false}, {"f8e5m2", "9", "8", true},
    {"f8e5m2", "10", "8", false}, {"f8e3m4", "1.02", "1", true}, {"f4e2m1fn", "2.4", "2", true},
    {"f4e2m1fn", "3", "2", false}, {"s32", "2", "3", false}};

static const Computation *constant_graph(const char *type, const char *literal) {
  char *text = arena_printf(arena,
      "HloModule m\nENTRY e {\n  c = %s[] constant(%s)\n  ROOT r = %s[4096] broadcast(c), "
      "dimensions={}\n}\n",
      type, literal, type);
  return values_entry(text);
}

static void texts_of_one_float_are_the_same(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const LiteralRow *row = &rows[i];
    VerdictStatus status = values_status(
        constant_graph(row->type, row->one), constant_graph(row->type, row->other), LAW_EXACT);
    if ((status == VERDICT_PROVED) != row->is_same)
      fail_msg("%s %s and %s", row->type, row->one, row->other);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(texts_of_one_float_are_the_same)};
  return cmocka_run_group_tests(tests, arena_begin, arena_end);
}
