/* Test support: operations that move elements by a fixed rule, with random dimensions and
 * attributes, and their meaning as relations between elements. */
#ifndef CORE_HLO_TEST_FORMULA_MOVES_H
#define CORE_HLO_TEST_FORMULA_MOVES_H

#include "core/hlo/test/formula.h"

static int64_t lows[3], highs[3], steps[3];

static void draw_operand(DrawnFormula *formula, uint32_t operand, uint32_t rank, int64_t most) {
  for (uint32_t d = 0; d < rank; d++)
    tensor_add(&formula->operands[operand], formula_between(formula, 1, most));
  formula_fill(formula, operand, -99, 99);
}

static void pad_meaning(DrawnFormula *formula, const int64_t *at) {
  int64_t x[formula_rank] = {}, none[1];
  bool is_element = false;
  do {
    bool is_it = true;
    for (uint32_t d = 0; d < formula->operands[0].rank; d++)
      is_it = is_it && at[d] == lows[d] + x[d] * (steps[d] + 1);
    if (is_it) is_element = true, formula->value = formula_read(formula, 0, x);
  } while (tensor_next(&formula->operands[0], x));
  if (!is_element) formula->value = formula_read(formula, 1, none);
}

static bool draw_pad(DrawnFormula *formula) {
  uint32_t rank = (uint32_t)formula_between(formula, 1, 3);
  draw_operand(formula, 0, rank, 4);
  formula_fill(formula, 1, 100, 199);
  text_string(&formula->attributes, ", padding=");
  for (uint32_t d = 0; d < rank; d++) {
    lows[d] = formula_between(formula, -2, 2);
    highs[d] = formula_between(formula, -2, 2);
    steps[d] = formula_between(formula, 0, 2);
    int64_t size = lows[d] + highs[d] + (formula->operands[0].sizes[d] - 1) * (steps[d] + 1) + 1;
    if (size < 1) return false;
    tensor_add(&formula->output, size);
    text_printf(&formula->attributes, "%s%lld_%lld_%lld", d == 0 ? "" : "x", (long long)lows[d],
        (long long)highs[d], (long long)steps[d]);
  }
  formula->opcode = "pad";
  formula->meaning = pad_meaning;
  return formula->output.count <= 200;
}

static void slice_meaning(DrawnFormula *formula, const int64_t *at) {
  int64_t x[formula_rank];
  for (uint32_t d = 0; d < formula->output.rank; d++) x[d] = lows[d] + at[d] * steps[d];
  formula->value = formula_read(formula, 0, x);
}

static bool draw_slice(DrawnFormula *formula) {
  uint32_t rank = (uint32_t)formula_between(formula, 1, 3);
  draw_operand(formula, 0, rank, 6);
  text_string(&formula->attributes, ", slice={");
  for (uint32_t d = 0; d < rank; d++) {
    int64_t size = formula->operands[0].sizes[d];
    lows[d] = formula_between(formula, 0, size - 1);
    highs[d] = formula_between(formula, lows[d] + 1, size);
    steps[d] = formula_between(formula, 1, 3);
    tensor_add(&formula->output, (highs[d] - lows[d] + steps[d] - 1) / steps[d]);
    text_printf(&formula->attributes, "%s[%lld:%lld:%lld]", d == 0 ? "" : ", ", (long long)lows[d],
        (long long)highs[d], (long long)steps[d]);
  }
  text_string(&formula->attributes, "}");
  formula->opcode = "slice";
  formula->meaning = slice_meaning;
  return true;
}

static int64_t transposition[4];
static bool is_named[4];
static uint32_t along;

static void transpose_meaning(DrawnFormula *formula, const int64_t *at) {
  int64_t x[formula_rank];
  for (uint32_t d = 0; d < formula->output.rank; d++) x[transposition[d]] = at[d];
  formula->value = formula_read(formula, 0, x);
}

static bool draw_transpose(DrawnFormula *formula) {
  uint32_t rank = (uint32_t)formula_between(formula, 1, 4);
  draw_operand(formula, 0, rank, 4);
  formula_order(formula, rank, transposition);
  for (uint32_t d = 0; d < rank; d++)
    tensor_add(&formula->output, formula->operands[0].sizes[transposition[d]]);
  formula_ints(formula, "dimensions", rank, transposition);
  formula->opcode = "transpose";
  formula->meaning = transpose_meaning;
  return true;
}

static void reverse_meaning(DrawnFormula *formula, const int64_t *at) {
  int64_t x[formula_rank];
  for (uint32_t d = 0; d < formula->output.rank; d++)
    x[d] = is_named[d] ? formula->output.sizes[d] - 1 - at[d] : at[d];
  formula->value = formula_read(formula, 0, x);
}

static bool draw_reverse(DrawnFormula *formula) {
  uint32_t rank = (uint32_t)formula_between(formula, 1, 4), count = 0;
  int64_t named[4];
  draw_operand(formula, 0, rank, 4);
  for (uint32_t d = 0; d < rank; d++) {
    is_named[d] = formula_below(formula, 2) == 0;
    if (is_named[d]) named[count++] = d;
  }
  formula->output = formula->operands[0];
  formula_ints(formula, "dimensions", count, named);
  formula->opcode = "reverse";
  formula->meaning = reverse_meaning;
  return true;
}

static void broadcast_meaning(DrawnFormula *formula, const int64_t *at) {
  int64_t x[formula_rank];
  for (uint32_t d = 0, next = 0; d < formula->output.rank; d++)
    if (is_named[d]) x[next++] = at[d];
  formula->value = formula_read(formula, 0, x);
}

static bool draw_broadcast(DrawnFormula *formula) {
  uint32_t rank = (uint32_t)formula_between(formula, 1, 4), count = 0;
  int64_t named[4];
  for (uint32_t d = 0; d < rank; d++) {
    int64_t size = formula_between(formula, 1, 4);
    is_named[d] = formula_below(formula, 2) == 0;
    if (is_named[d]) named[count++] = d, tensor_add(&formula->operands[0], size);
    tensor_add(&formula->output, size);
  }
  formula_fill(formula, 0, -99, 99);
  formula_ints(formula, "dimensions", count, named);
  formula->opcode = "broadcast";
  formula->meaning = broadcast_meaning;
  return true;
}

static void concatenate_meaning(DrawnFormula *formula, const int64_t *at) {
  int64_t before = 0;
  for (uint32_t i = 0; i < formula->operand_count; i++) {
    int64_t x[formula_rank] = {};
    do {
      bool is_it = true;
      for (uint32_t d = 0; d < formula->output.rank; d++)
        is_it = is_it && at[d] == x[d] + (d == along ? before : 0);
      if (is_it) formula->value = formula_read(formula, i, x);
    } while (tensor_next(&formula->operands[i], x));
    before += formula->operands[i].sizes[along];
  }
}

static bool draw_concatenate(DrawnFormula *formula) {
  uint32_t rank = (uint32_t)formula_between(formula, 1, 3),
           count = (uint32_t)formula_between(formula, 1, 4);
  int64_t sizes[3], total = 0;
  along = (uint32_t)formula_below(formula, rank);
  for (uint32_t d = 0; d < rank; d++) sizes[d] = formula_between(formula, 1, 3);
  for (uint32_t i = 0; i < count; i++) {
    int64_t own = formula_between(formula, 1, 3);
    for (uint32_t d = 0; d < rank; d++)
      tensor_add(&formula->operands[i], d == along ? own : sizes[d]);
    formula_fill(formula, i, -99, 99);
    total += own;
  }
  for (uint32_t d = 0; d < rank; d++) tensor_add(&formula->output, d == along ? total : sizes[d]);
  formula_ints(formula, "dimensions", 1, (int64_t[]){along});
  formula->opcode = "concatenate";
  formula->meaning = concatenate_meaning;
  return true;
}

#endif
