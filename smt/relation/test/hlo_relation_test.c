/* The read relation of each operation, compared with maps written by hand. At production sizes a
 * correct map is exact and a wider map is an over-approximation. A map that misses a read, leaves
 * the tensor or exchanges two offsets is wrong, with a pair as witness. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/clock.h"
#include "core/base/test/length.h"
#include "core/hlo/read/read.h"
#include "core/map/text.h"
#include "smt/smt.h"

typedef struct HloRelationRow {
  const char *name, *hlo;
  uint32_t output_leaf, operand, operand_leaf;
  char direction; /* 'o' output to input, 'i' input to output */
  const char *maps[4];
  VerdictReason cover;
  const char *text; /* how the verdict's text begins */
} HloRelationRow;

#define ENTRY "HloModule m\nENTRY e {\n"
#define ADDER \
  "HloModule m\nadd { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] add(x, y) }\nENTRY e {\n"

static const HloRelationRow rows[] = {
#include "smt/relation/test/hlo_relation_rows.inc"
};

static const Map *hlo_relation_parse(MapContext *context, const char *name, const char *text) {
  Source source = {.name = name, .text = text, .length = strlen(text), .first_line = 1};
  const Map *map = nullptr;
  Error error = {};
  if (map_parse(context, &source, &map, &error)) return map;
  error_print(&error, stderr);
  fail_msg("%s: %s", name, text);
  return nullptr;
}

static bool check_row(const HloRelationRow *row, double *taken) {
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, nullptr);
  const Module *module = nullptr;
  Error error = {};
  Source source = {
      .name = row->name, .text = row->hlo, .length = strlen(row->hlo), .first_line = 1};
  const Map *maps[4];
  uint32_t count = 0;
  if (!hlo_read(context->arena, &source, &module, &error)) {
    error_print(&error, stderr);
    fail_msg("%s", row->name);
  }
  for (; count < 4 && row->maps[count] != nullptr; count++)
    maps[count] = hlo_relation_parse(context, row->name, row->maps[count]);
  const Instruction *root = module->entry->root;
  Verdict verdict;
  double start = 1e3 * clock_processor();
  bool answered = row->direction == 'o'
                      ? smt_output_to_input(smt, root, row->output_leaf, row->operand,
                            row->operand_leaf, count, maps, &verdict, &error)
                      : smt_input_to_output(smt, root, row->operand, row->operand_leaf,
                            row->output_leaf, count, maps, &verdict, &error);
  *taken = 1e3 * clock_processor() - start;
  bool good = answered && verdict.reason == row->cover &&
              strncmp(verdict_text(&verdict), row->text, strlen(row->text)) == 0;
  if (!answered) print_message("%s: error: %s\n", row->name, error.message);
  else if (!good)
    print_message("%s: %s, '%s'; wanted %s, '%s'\n", row->name, verdict_reason_name(verdict.reason),
        verdict_text(&verdict), verdict_reason_name(row->cover), row->text);
  smt_destroy(smt);
  map_context_destroy(context);
  return good;
}

static void hlo_relation_rows(void **state) {
  (void)state;
  double worst = 0, total = 0, taken;
  const char *slowest = "";
  const char *only = getenv("AFFIRM_ROW"); /* of the row that detects a mutant */
  uint32_t failed = 0, asked = 0, count = sizeof rows / sizeof rows[0];
  if (only == nullptr && test_is_brief())
    print_message("skipped: of each module all rows but the first\n");
  for (uint32_t i = 0; i < count; i++) {
    /* The rows of a module follow each other. A brief run has the first one, and the only row
     * whose proof needs a quantifier. */
    bool is_brief = i == 0 || strcmp(rows[i].hlo, rows[i - 1].hlo) != 0 ||
                    strcmp(rows[i].name, "pool_of_convolution_i2o_last_tap_lost") == 0;
    if (only == nullptr && test_is_brief() && !is_brief) continue;
    if (only != nullptr && strcmp(only, rows[i].name) != 0) continue;
    asked++;
    failed += !check_row(&rows[i], &taken);
    total += taken;
    if (taken > worst) {
      worst = taken;
      slowest = rows[i].name;
    }
  }
  assert_int_not_equal(asked, 0);
  print_message(
      "%u questions, mean %.2f ms, worst %.2f ms (%s)\n", asked, total / asked, worst, slowest);
  assert_int_equal(failed, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(hlo_relation_rows)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
