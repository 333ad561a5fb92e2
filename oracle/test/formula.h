/* Test support: an operation on constants with random attributes, and its meaning as a relation
 * that is tried on all elements. The read sets of the oracle and its values must be those of the
 * relation, and a result with one element changed must be refuted. */
#ifndef ORACLE_TEST_FORMULA_H
#define ORACLE_TEST_FORMULA_H

#include <stdlib.h>

#include "oracle/terms/same_values.h"
#include "oracle/test/test_module.h"

static constexpr uint32_t formula_rank = 7, formula_elements = 600, formula_operands = 5;

typedef struct FormulaTensor {
  const char *type; /* nullptr: s32 */
  uint32_t rank;
  int64_t sizes[formula_rank], count;
  int64_t values[formula_elements];
} FormulaTensor;

typedef struct DrawnFormula DrawnFormula;
typedef void Meaning(DrawnFormula *formula, const int64_t *at);
struct DrawnFormula {
  uint64_t random;
  const char *opcode, *computations;
  Text attributes;
  uint32_t operand_count;
  FormulaTensor operands[formula_operands], output;
  Meaning *meaning; /* of one element of the output: calls formula_read and sets value */
  bool is_read[formula_operands][formula_elements];
  int64_t value;
};

static int64_t formula_below(DrawnFormula *formula, int64_t end) {
  formula->random ^= formula->random << 13;
  formula->random ^= formula->random >> 7;
  formula->random ^= formula->random << 17;
  return (int64_t)(formula->random >> 33) % end;
}

[[maybe_unused]] static int64_t formula_between(DrawnFormula *formula, int64_t lo, int64_t hi) {
  return lo + formula_below(formula, hi - lo + 1);
}

/* A random order of 0 .. count - 1. */
[[maybe_unused]] static void formula_order(DrawnFormula *formula, uint32_t count, int64_t *order) {
  for (uint32_t i = 0; i < count; i++) {
    int64_t at = formula_below(formula, (int64_t)i + 1);
    order[i] = order[at];
    order[at] = i;
  }
}

/* Adds a dimension at the end. */
[[maybe_unused]] static void tensor_add(FormulaTensor *tensor, int64_t size) {
  if (tensor->rank == 0) tensor->count = 1;
  assert_true(tensor->rank < formula_rank);
  tensor->sizes[tensor->rank++] = size;
  tensor->count *= size;
}

static bool tensor_next(const FormulaTensor *tensor, int64_t *at) {
  for (uint32_t i = tensor->rank; i > 0; i--) {
    if (at[i - 1] < tensor->sizes[i - 1] - 1) return at[i - 1]++, true;
    at[i - 1] = 0;
  }
  return false;
}

static int64_t tensor_number(const FormulaTensor *tensor, const int64_t *at) {
  int64_t number = 0, step = tensor->count;
  for (uint32_t i = 0; i < tensor->rank; i++) {
    assert_true(at[i] >= 0 && at[i] < tensor->sizes[i]);
    step /= tensor->sizes[i];
    number += at[i] * step;
  }
  return number;
}

[[maybe_unused]] static int64_t tensor_value(const FormulaTensor *tensor, const int64_t *at) {
  return tensor->values[tensor_number(tensor, at)];
}

/* Gives each operand without a dimension one element, and random values. */
[[maybe_unused]] static void formula_fill(
    DrawnFormula *formula, uint32_t operand, int64_t lo, int64_t hi) {
  FormulaTensor *tensor = &formula->operands[operand];
  if (tensor->rank == 0) tensor->count = 1;
  assert_true(tensor->count <= formula_elements);
  for (int64_t i = 0; i < tensor->count; i++) tensor->values[i] = formula_between(formula, lo, hi);
  if (operand >= formula->operand_count) formula->operand_count = operand + 1;
}

/* The output element depends on this element. Returns its value. */
[[maybe_unused]] static int64_t formula_read(
    DrawnFormula *formula, uint32_t operand, const int64_t *at) {
  int64_t number = tensor_number(&formula->operands[operand], at);
  formula->is_read[operand][number] = true;
  return formula->operands[operand].values[number];
}

[[maybe_unused]] static void formula_read_all(DrawnFormula *formula, uint32_t operand) {
  for (int64_t i = 0; i < formula->operands[operand].count; i++)
    formula->is_read[operand][i] = true;
}

[[maybe_unused]] static void formula_ints(
    DrawnFormula *formula, const char *name, uint32_t count, const int64_t *values) {
  Text *text = &formula->attributes;
  text_printf(text, ", %s={", name);
  for (uint32_t i = 0; i < count; i++)
    text_printf(text, "%s%lld", i == 0 ? "" : ",", (long long)values[i]);
  text_string(text, "}");
}

static void tensor_print_type(Text *text, const FormulaTensor *tensor) {
  text_printf(text, "%s[", tensor->type == nullptr ? "s32" : tensor->type);
  for (uint32_t i = 0; i < tensor->rank; i++)
    text_printf(text, "%s%lld", i == 0 ? "" : ",", (long long)tensor->sizes[i]);
  text_string(text, "]");
}

static void tensor_print_values(
    Text *text, const FormulaTensor *tensor, uint32_t dimension, const int64_t **next) {
  if (dimension == tensor->rank) {
    text_printf(text, "%lld", (long long)*(*next)++);
    return;
  }
  text_string(text, "{");
  for (int64_t i = 0; i < tensor->sizes[dimension]; i++) {
    text_string(text, i == 0 ? "" : ", ");
    tensor_print_values(text, tensor, dimension + 1, next);
  }
  text_string(text, "}");
}

static void tensor_print(Text *text, const char *name, const FormulaTensor *tensor) {
  const int64_t *next = tensor->values;
  text_printf(text, "%s = ", name);
  tensor_print_type(text, tensor);
  text_string(text, " constant(");
  tensor_print_values(text, tensor, 0, &next);
  text_string(text, ")\n");
}

static const char *formula_module(OracleFixture *bench, const DrawnFormula *formula) {
  Text text = text_create(bench->arena);
  text_printf(&text, "HloModule m\n%sENTRY e {\n", formula->computations);
  for (uint32_t i = 0; i < formula->operand_count; i++)
    tensor_print(&text, arena_printf(bench->arena, "c%u", i), &formula->operands[i]);
  text_string(&text, "ROOT r = ");
  tensor_print_type(&text, &formula->output);
  text_printf(&text, " %s(", formula->opcode);
  for (uint32_t i = 0; i < formula->operand_count; i++)
    text_printf(&text, "%sc%u", i == 0 ? "" : ", ", i);
  text_printf(&text, ")%s\n}\n", formula->attributes.bytes);
  return text.bytes;
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
    memset(formula->is_read, 0, sizeof formula->is_read);
    formula->value = 0;
    formula->meaning(formula, at);
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

typedef bool Drawing(DrawnFormula *formula);
typedef bool FormulaCheck(OracleFixture *bench, DrawnFormula *formula);
/* Draws the operation until `rounds` drawings are checked, a fifth where tests are slow. A drawing
 * that either function rejects does not count. */
[[maybe_unused]] static void formula_rounds_with(
    Drawing *draw, FormulaCheck *check, uint32_t rounds) {
  static DrawnFormula formula;
  uint64_t random = UINT64_C(0x9e3779b97f4a7c15);
  if (getenv("AFFIRM_FEW") != nullptr) rounds /= 5;
  for (uint32_t round = 0; round < rounds;) {
    OracleFixture bench = bench_create();
    formula = (DrawnFormula){
        .random = random, .computations = "", .attributes = text_create(bench.arena)};
    if (draw(&formula) && check(&bench, &formula)) round++;
    random = formula.random;
    bench_destroy(&bench);
  }
}

[[maybe_unused]] static void formula_rounds(Drawing *draw, uint32_t rounds) {
  formula_rounds_with(draw, formula_check, rounds);
}

#endif
