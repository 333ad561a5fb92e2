/* Test support: compares the oracle's read sets and values of a randomly chosen operation with the
 * operation's meaning. A result with one changed element must be refuted. */
#ifndef ORACLE_SEMANTICS_TEST_FORMULA_H
#define ORACLE_SEMANTICS_TEST_FORMULA_H

#include "core/base/test/length.h"
#include "core/hlo/test/formula.h"
#include "oracle/equivalence/same_values.h"
#include "oracle/test/test_module.h"

[[maybe_unused]] static const char *formula_module(
    OracleFixture *bench, const DrawnFormula *formula) {
  return formula_text_of(bench->arena, formula, false);
}

static void print_read(Text *text, const DrawnFormula *formula, uint32_t operand, bool is_first) {
  text_string(text, is_first ? "" : "|");
  for (int64_t i = 0, first = 1; i < formula->operands[operand].count; i++)
    if (formula->is_read[operand][i])
      text_printf(text, first ? "%lld" : " %lld", (long long)i), first = 0;
}

/* The values of the output, and what it reads of each operand. */
static void formula_evaluate(DrawnFormula *formula, Text reads[formula_operands]) {
  int64_t at[formula_rank] = {}, element = 0;
  if (formula->output.rank == 0) formula->output.count = 1;
  do {
    formula_element(formula, at);
    formula->output.values[element] = formula->value;
    for (uint32_t i = 0; i < formula->operand_count; i++)
      print_read(&reads[i], formula, i, element == 0);
    element++;
  } while (tensor_next(&formula->output, at));
  assert_int_equal(element, formula->output.count);
}

/* Whether the answer is the expected one; otherwise prints both modules. */
static bool has_answer(
    OracleFixture *bench, const char *one, const char *other, VerdictReason expected) {
  const Module *before = nullptr, *after = nullptr;
  Error error = {};
  if (!hlo_read(bench->arena, source_of(bench, one), &before, &error) ||
      !hlo_read(bench->arena, source_of(bench, other), &after, &error))
    fail_msg("%s\n%s%s", error.message, one, other);
  const ValuesLimits limits = {.grade = LAW_EXACT};
  ValuesVerdict verdict;
  OracleValues *values = oracle_values_create(bench->arena, before->entry, after->entry, &limits);
  oracle_values_query(values, 0, &verdict);
  return verdict.answer == expected;
}

static void check_modules(
    OracleFixture *bench, const char *one, const char *other, VerdictReason expected) {
  if (!has_answer(bench, one, other, expected))
    fail_msg("the answer is not %u:\n%s%s", expected, one, other);
}

static void check_answer(
    OracleFixture *bench, const char *module, const DrawnFormula *formula, VerdictReason expected) {
  Text text = text_create(bench->arena);
  text_string(&text, "HloModule m\nENTRY e {\n");
  tensor_print(&text, "ROOT r", &formula->output);
  text_string(&text, "}\n");
  check_modules(bench, module, text.bytes, expected);
}

[[maybe_unused]] static bool formula_check(OracleFixture *bench, DrawnFormula *formula) {
  Text reads[formula_operands];
  for (uint32_t i = 0; i < formula_operands; i++) reads[i] = text_create(bench->arena);
  formula_evaluate(formula, reads);
  const char *module = formula_module(bench, formula);
  for (uint32_t i = 0; i < formula->operand_count; i++) {
    const char *found = reads_of(bench, read_root(bench, module), i);
    if (strcmp(found, reads[i].bytes) != 0)
      fail_msg("operand %u: %s\nexpected: %s\n%s", i, found, reads[i].bytes, module);
  }
  check_answer(bench, module, formula, REASON_EXACT);
  formula->output.values[formula_below(formula, formula->output.count)]++;
  check_answer(bench, module, formula, REASON_DIFFERENT);
  return true;
}

typedef bool FormulaCheck(OracleFixture *bench, DrawnFormula *formula);
/* Draws the operation until `rounds` drawings are checked, a part where tests are slow. A drawing
 * that either function rejects does not count. */
[[maybe_unused]] static void formula_rounds_with(
    DrawFormula *draw, FormulaCheck *check, uint32_t rounds) {
  static DrawnFormula formula;
  uint64_t random = UINT64_C(0x9e3779b97f4a7c15);
  rounds /= test_length(1, 5, 10);
  for (uint32_t round = 0; round < rounds;) {
    OracleFixture bench = bench_create();
    formula = (DrawnFormula){
        .random = random, .computations = "", .attributes = text_create(bench.arena)};
    if (draw(&formula) && check(&bench, &formula)) round++;
    random = formula.random;
    bench_destroy(&bench);
  }
}

[[maybe_unused]] static void formula_rounds(DrawFormula *draw, uint32_t rounds) {
  formula_rounds_with(draw, formula_check, rounds);
}

#endif
