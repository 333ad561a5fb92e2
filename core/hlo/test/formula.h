/* Test support: an operation on constants with random attributes. Its meaning is a relation that
 * the test evaluates on all elements. Each judge's own tests compare the judge with this
 * relation. */
#ifndef CORE_HLO_TEST_FORMULA_H
#define CORE_HLO_TEST_FORMULA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/text.h"

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

static void tensor_print_parameter(Text *text, uint32_t number, const FormulaTensor *tensor) {
  text_printf(text, "c%u = ", number);
  tensor_print_type(text, tensor);
  text_printf(text, " parameter(%u)\n", number);
}

/* A module with the operation; its operands are constants or parameters. */
[[maybe_unused]] static const char *formula_text_of(
    Arena *arena, const DrawnFormula *formula, bool has_parameters) {
  Text text = text_create(arena);
  text_printf(&text, "HloModule m\n%sENTRY e {\n", formula->computations);
  for (uint32_t i = 0; i < formula->operand_count; i++) {
    if (has_parameters) tensor_print_parameter(&text, i, &formula->operands[i]);
    else tensor_print(&text, arena_printf(arena, "c%u", i), &formula->operands[i]);
  }
  text_string(&text, "ROOT r = ");
  tensor_print_type(&text, &formula->output);
  text_printf(&text, " %s(", formula->opcode);
  for (uint32_t i = 0; i < formula->operand_count; i++)
    text_printf(&text, "%sc%u", i == 0 ? "" : ", ", i);
  text_printf(&text, ")%s\n}\n", formula->attributes.bytes);
  return text.bytes;
}

/* One element of the output, after which is_read and value are set. */
[[maybe_unused]] static void formula_element(DrawnFormula *formula, const int64_t *at) {
  memset(formula->is_read, 0, sizeof formula->is_read);
  formula->value = 0;
  formula->meaning(formula, at);
}

typedef bool DrawFormula(DrawnFormula *formula);

#endif
