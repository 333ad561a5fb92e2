/* Test support: ragged dots with random dimensions, a row of group sizes for everything or for each
 * index of the dimensions before the ragged one, and their meaning as a relation between elements.
 */
#ifndef CORE_HLO_TEST_FORMULA_RAGGED_H
#define CORE_HLO_TEST_FORMULA_RAGGED_H

#include "core/hlo/test/formula_sums.h"

typedef enum RaggedMode : uint8_t { RAGGED_KEPT, RAGGED_CONTRACTING, RAGGED_BATCH } RaggedMode;

static RaggedMode ragged_mode;
static int64_t ragged_dim, ragged_group_dim, ragged_groups; /* no group dimension: -1 */
static uint32_t ragged_row_count;
static int64_t ragged_rows[formula_rank];

/* Whether each contracted index has its own row. */
[[maybe_unused]] static bool ragged_rows_are_contracted(const DrawnFormula *formula) {
  return ragged_mode == RAGGED_CONTRACTING && formula->operands[2].rank > 1 &&
         ragged_row_count > dot_batches;
}

/* The group of a position along the ragged dimension, or -1 after the last one. Reads the row. A
 * negative size counts as 0. */
static int64_t ragged_group_of(DrawnFormula *formula, const int64_t *x) {
  int64_t at[formula_rank] = {}, end = 0, found = -1;
  uint32_t last = formula->operands[2].rank - 1;
  for (uint32_t i = 0; i < last; i++) at[i] = x[ragged_rows[i]];
  for (at[last] = 0; at[last] < ragged_groups; at[last]++) {
    int64_t size = formula_read(formula, 2, at);
    if (size > 0) end += size;
    if (found < 0 && x[ragged_dim] < end) found = at[last];
  }
  return found;
}

static void ragged_meaning(DrawnFormula *formula, const int64_t *at) {
  const FormulaDotSide *left = &dot_sides[0], *right = &dot_sides[1];
  const int64_t *from = ragged_mode == RAGGED_CONTRACTING ? at + 1 : at;
  int64_t x[formula_rank] = {}, y[formula_rank] = {};
  do {
    if (!dot_agrees(left, x, from, dot_batches)) continue;
    int64_t group = ragged_group_of(formula, x);
    if (group < 0 || (ragged_mode == RAGGED_CONTRACTING && group != at[0])) continue;
    do {
      bool meets = dot_agrees(right, y, from, dot_batches + left->kept_count) &&
                   (ragged_group_dim < 0 || y[ragged_group_dim] == group);
      for (uint32_t i = 0; i < dot_contracted; i++)
        meets = meets && x[left->contracting[i]] == y[right->contracting[i]];
      if (meets) formula->value += formula_read(formula, 0, x) * formula_read(formula, 1, y);
    } while (tensor_next(&formula->operands[1], y));
  } while (tensor_next(&formula->operands[0], x));
}

static void draw_ragged_right(DrawnFormula *formula, const int64_t *shared) {
  FormulaDotSide *side = &dot_sides[1];
  int64_t order[formula_rank], sizes[formula_rank] = {};
  bool is_used[formula_rank] = {}, has_group = ragged_mode == RAGGED_KEPT;
  uint32_t paired = dot_batches + dot_contracted, kept = (uint32_t)formula_below(formula, 2);
  side->rank = paired + kept + has_group;
  side->kept_count = 0;
  formula_order(formula, side->rank, order);
  for (uint32_t i = 0; i < paired; i++) {
    sizes[order[i]] = shared[i];
    is_used[order[i]] = true;
    if (i < dot_batches) side->batch[i] = order[i];
    else side->contracting[i - dot_batches] = order[i];
  }
  ragged_group_dim = has_group ? order[paired] : -1;
  for (uint32_t i = 0; i < side->rank; i++) {
    if (i == ragged_group_dim) sizes[i] = ragged_groups;
    else if (!is_used[i])
      sizes[i] = formula_between(formula, 1, 2), side->kept[side->kept_count++] = i;
    tensor_add(&formula->operands[1], sizes[i]);
  }
  formula_fill(formula, 1, -9, 9);
}

/* The dimensions that have rows of group sizes of their own. */
static void find_ragged_rows(void) {
  const FormulaDotSide *left = &dot_sides[0];
  ragged_row_count = 0;
  for (uint32_t i = 0; i < dot_batches && left->batch[i] != ragged_dim; i++)
    ragged_rows[ragged_row_count++] = left->batch[i];
  if (ragged_mode == RAGGED_CONTRACTING)
    for (uint32_t i = 0; left->contracting[i] != ragged_dim; i++)
      ragged_rows[ragged_row_count++] = left->contracting[i];
  if (ragged_mode == RAGGED_KEPT)
    for (uint32_t i = 0; left->kept[i] != ragged_dim; i++)
      ragged_rows[ragged_row_count++] = left->kept[i];
}

static void draw_group_sizes(DrawnFormula *formula) {
  find_ragged_rows();
  bool has_rows = formula_below(formula, 3) > 0;
  for (uint32_t i = 0; has_rows && i < ragged_row_count; i++)
    tensor_add(&formula->operands[2], formula->operands[0].sizes[ragged_rows[i]]);
  tensor_add(&formula->operands[2], ragged_groups);
  formula_fill(formula, 2, -1, 2);
}

static bool draw_ragged_dot(DrawnFormula *formula) {
  int64_t shared[5];
  dot_batches = (uint32_t)formula_below(formula, 4);
  dot_contracted = (uint32_t)formula_between(formula, 1, 2);
  for (uint32_t i = 0; i < 5; i++) shared[i] = formula_between(formula, 1, 3);
  draw_side(formula, 0, shared);
  const FormulaDotSide *left = &dot_sides[0];
  ragged_mode = (RaggedMode)formula_below(formula, 3);
  uint32_t choices = ragged_mode == RAGGED_KEPT          ? left->kept_count
                     : ragged_mode == RAGGED_CONTRACTING ? dot_contracted
                                                         : dot_batches;
  if (choices == 0 || formula->operands[0].count > 60) return false;
  const int64_t *list = ragged_mode == RAGGED_KEPT          ? left->kept
                        : ragged_mode == RAGGED_CONTRACTING ? left->contracting
                                                            : left->batch;
  ragged_dim = list[formula_below(formula, choices)];
  ragged_groups = formula_between(formula, 1, 3);
  draw_ragged_right(formula, shared);
  draw_group_sizes(formula);
  if (ragged_mode == RAGGED_CONTRACTING) tensor_add(&formula->output, ragged_groups);
  for (uint32_t i = 0; i < dot_batches; i++) tensor_add(&formula->output, shared[i]);
  for (uint32_t side = 0; side < 2; side++)
    for (uint32_t i = 0; i < dot_sides[side].kept_count; i++)
      tensor_add(&formula->output, formula->operands[side].sizes[dot_sides[side].kept[i]]);
  formula_ints(formula, "lhs_batch_dims", dot_batches, left->batch);
  formula_ints(formula, "rhs_batch_dims", dot_batches, dot_sides[1].batch);
  formula_ints(formula, "lhs_contracting_dims", dot_contracted, left->contracting);
  formula_ints(formula, "rhs_contracting_dims", dot_contracted, dot_sides[1].contracting);
  formula_ints(formula, "lhs_ragged_dims", 1, &ragged_dim);
  formula_ints(formula, "rhs_group_dims", ragged_group_dim >= 0, &ragged_group_dim);
  formula->opcode = "ragged-dot";
  formula->meaning = ragged_meaning;
  return formula->output.count <= 60 && formula->operands[1].count <= 100;
}

#endif
