/* Test support: gathers, scatters, and slices and updates at offsets, with random dimension numbers
 * and indices on both sides of their limits, and their meaning as relations. */
#ifndef CORE_HLO_TEST_FORMULA_OFFSETS_H
#define CORE_HLO_TEST_FORMULA_OFFSETS_H

#include "core/hlo/test/formula.h"

#define ADD_S32 \
  "add {\nx = s32[] parameter(0)\ny = s32[] parameter(1)\nROOT s = s32[] add(x, y)\n}\n"

static int64_t clamped(int64_t x, int64_t lo, int64_t hi) { return x < lo ? lo : x > hi ? hi : x; }

/* --- gather and scatter --- */

typedef enum Role : uint8_t { ROW_WINDOW, ROW_DROPPED, ROW_BATCH } Role;

/* Rows of indices: a row places a window in the array whose dimensions have these roles. */
static struct {
  uint32_t rank, batch_rank, component_count, window_count;
  Role roles[3];
  int64_t component_of[3]; /* by dimension: its number in a row, -1: none */
  int64_t components[3];   /* by number: the dimension */
  int64_t batch_of[3];     /* by dimension with ROW_BATCH: its place in the batch */
  int64_t batch_sizes[5], window_sizes[3];
  int64_t vector_dimension;
  bool has_vector; /* else a row is one number */
  bool is_window[formula_rank];
} rows;

/* The row's index for a component, by the batch index. */
static int64_t row_index(DrawnFormula *formula, uint32_t operand, const int64_t *batch,
    int64_t component, bool is_read) {
  int64_t at[formula_rank] = {};
  for (uint32_t i = 0, next = 0; i < rows.batch_rank + rows.has_vector; i++)
    at[i] = rows.has_vector && i == rows.vector_dimension ? component : batch[next++];
  if (is_read) return formula_read(formula, operand, at);
  return tensor_value(&formula->operands[operand], at);
}

static void split(const int64_t *at, uint32_t rank, int64_t *batch, int64_t *window) {
  for (uint32_t i = 0; i < rank; i++) {
    if (rows.is_window[i]) *window++ = at[i];
    else *batch++ = at[i];
  }
}

/* The offset inside the window along a dimension, given the window's index. */
static int64_t offset_in_window(uint32_t dimension, const int64_t *window) {
  uint32_t number = 0;
  for (uint32_t i = 0; i < dimension; i++) number += rows.roles[i] == ROW_WINDOW;
  return rows.roles[dimension] == ROW_WINDOW ? window[number] : 0;
}

static void gather_meaning(DrawnFormula *formula, const int64_t *at) {
  int64_t batch[formula_rank] = {}, window[formula_rank] = {}, x[formula_rank] = {};
  split(at, formula->output.rank, batch, window);
  for (uint32_t i = 0; i < rows.component_count; i++) (void)row_index(formula, 1, batch, i, true);
  do {
    bool is_it = true;
    for (uint32_t d = 0; d < rows.rank; d++) {
      int64_t start = 0, last = formula->operands[0].sizes[d] - rows.window_sizes[d];
      if (rows.component_of[d] >= 0)
        start = clamped(row_index(formula, 1, batch, rows.component_of[d], false), 0, last);
      if (rows.roles[d] == ROW_BATCH) start = batch[rows.batch_of[d]];
      is_it = is_it && x[d] == start + offset_in_window(d, window);
    }
    if (is_it) formula->value = formula_read(formula, 0, x);
  } while (tensor_next(&formula->operands[0], x));
}

/* Whether the window of a row is inside and has its element `window` at `at`. */
static bool row_positions(
    DrawnFormula *formula, const int64_t *batch, const int64_t *window, const int64_t *at) {
  for (uint32_t d = 0; d < rows.rank; d++) {
    int64_t start = 0;
    if (rows.component_of[d] >= 0)
      start = row_index(formula, 1, batch, rows.component_of[d], false);
    if (rows.roles[d] == ROW_BATCH) start = batch[rows.batch_of[d]];
    if (start < 0 || start + rows.window_sizes[d] > formula->operands[0].sizes[d]) return false;
    if (start + offset_in_window(d, window) != at[d]) return false;
  }
  return true;
}

/* Whether the row can have its element `window` at `at`, for some values of its components. */
static bool row_may_position(
    DrawnFormula *formula, const int64_t *batch, const int64_t *window, const int64_t *at) {
  for (uint32_t d = 0; d < rows.rank; d++) {
    bool is_it = false;
    for (int64_t start = 0; start + rows.window_sizes[d] <= formula->operands[0].sizes[d]; start++)
      if (rows.component_of[d] >= 0 ||
          start == (rows.roles[d] == ROW_BATCH ? batch[rows.batch_of[d]] : 0))
        is_it = is_it || start + offset_in_window(d, window) == at[d];
    if (!is_it) return false;
  }
  return true;
}

static void scatter_meaning(DrawnFormula *formula, const int64_t *at) {
  int64_t u[formula_rank] = {};
  formula->value = formula_read(formula, 0, at);
  do {
    int64_t batch[formula_rank] = {}, window[formula_rank] = {};
    split(u, formula->operands[2].rank, batch, window);
    for (uint32_t i = 0; i < rows.component_count; i++)
      if (row_may_position(formula, batch, window, at)) (void)row_index(formula, 1, batch, i, true);
    if (row_positions(formula, batch, window, at)) formula->value += formula_read(formula, 2, u);
  } while (tensor_next(&formula->operands[2], u));
}

static void draw_roles(DrawnFormula *formula) {
  rows.rank = (uint32_t)formula_between(formula, 1, 3);
  for (uint32_t d = 0; d < rows.rank; d++) {
    int64_t size = formula_between(formula, 1, 4), kind = formula_below(formula, 4);
    rows.roles[d] = kind == 0 ? ROW_BATCH : kind == 1 ? ROW_DROPPED : ROW_WINDOW;
    rows.window_sizes[d] = rows.roles[d] == ROW_WINDOW ? formula_between(formula, 1, size) : 1;
    rows.window_count += rows.roles[d] == ROW_WINDOW;
    tensor_add(&formula->operands[0], size);
  }
  formula_fill(formula, 0, -99, 99);
}

static void draw_components(DrawnFormula *formula) {
  int64_t order[3];
  formula_order(formula, rows.rank, order);
  for (uint32_t d = 0; d < rows.rank; d++) rows.component_of[d] = -1;
  for (uint32_t i = 0; i < rows.rank; i++) {
    if (rows.roles[order[i]] == ROW_BATCH || formula_below(formula, 4) == 0) continue;
    rows.component_of[order[i]] = rows.component_count;
    rows.components[rows.component_count++] = order[i];
  }
}

/* The batch has the dimensions of ROW_BATCH and up to two others, in any order. */
static void draw_batch(DrawnFormula *formula) {
  int64_t order[5];
  uint32_t others = (uint32_t)formula_below(formula, 3), next = 0;
  for (uint32_t d = 0; d < rows.rank; d++) rows.batch_rank += rows.roles[d] == ROW_BATCH;
  rows.batch_rank += others;
  formula_order(formula, rows.batch_rank, order);
  for (uint32_t d = 0; d < rows.rank; d++)
    if (rows.roles[d] == ROW_BATCH) {
      rows.batch_of[d] = order[next];
      rows.batch_sizes[order[next++]] = formula->operands[0].sizes[d];
    }
  for (; next < rows.batch_rank; next++)
    rows.batch_sizes[order[next]] = formula_between(formula, 1, 3);
}

static void draw_indices(DrawnFormula *formula) {
  rows.has_vector = rows.component_count != 1 || formula_below(formula, 3) > 0;
  rows.vector_dimension =
      rows.has_vector ? formula_between(formula, 0, rows.batch_rank) : rows.batch_rank;
  for (uint32_t i = 0, next = 0; i < rows.batch_rank + rows.has_vector; i++)
    tensor_add(&formula->operands[1], rows.has_vector && i == rows.vector_dimension
                                          ? rows.component_count
                                          : rows.batch_sizes[next++]);
  formula_fill(formula, 1, -2, 5);
}

/* The dimensions of the result of a gather, or of the updates of a scatter. */
static void draw_result(DrawnFormula *formula, FormulaTensor *tensor) {
  uint32_t rank = rows.batch_rank + rows.window_count, left = rows.window_count;
  uint32_t batch = 0, d = 0;
  for (uint32_t i = 0; i < rank; i++) {
    rows.is_window[i] = formula_below(formula, rank - i) < left;
    left -= rows.is_window[i];
    if (rows.is_window[i]) {
      while (rows.roles[d] != ROW_WINDOW) d++;
      tensor_add(tensor, rows.window_sizes[d++]);
    } else tensor_add(tensor, rows.batch_sizes[batch++]);
  }
}

static void print_roles(DrawnFormula *formula, const char *name, Role role) {
  int64_t dimensions[3];
  uint32_t count = 0;
  for (uint32_t d = 0; d < rows.rank; d++)
    if (rows.roles[d] == role) dimensions[count++] = d;
  formula_ints(formula, name, count, dimensions);
}

static void print_numbers(DrawnFormula *formula, const char *const names[5], uint32_t rank) {
  int64_t windows[formula_rank], batches[3];
  uint32_t window_count = 0, batch_count = 0;
  for (uint32_t i = 0; i < rank; i++)
    if (rows.is_window[i]) windows[window_count++] = i;
  for (uint32_t d = 0; d < rows.rank; d++)
    if (rows.roles[d] == ROW_BATCH)
      batches[batch_count++] = rows.batch_of[d] + (rows.batch_of[d] >= rows.vector_dimension);
  formula_ints(formula, names[0], window_count, windows);
  print_roles(formula, names[1], ROW_DROPPED);
  print_roles(formula, names[2], ROW_BATCH);
  formula_ints(formula, names[3], batch_count, batches);
  formula_ints(formula, names[4], rows.component_count, rows.components);
  text_printf(&formula->attributes, ", index_vector_dim=%lld", (long long)rows.vector_dimension);
}

/* False if there is no index at all. */
static bool draw_rows(DrawnFormula *formula) {
  memset(&rows, 0, sizeof rows);
  draw_roles(formula);
  draw_components(formula);
  if (rows.component_count == 0) return false;
  draw_batch(formula);
  draw_indices(formula);
  return true;
}

static bool draw_gather(DrawnFormula *formula) {
  static const char *const names[] = {"offset_dims", "collapsed_slice_dims",
      "operand_batching_dims", "start_indices_batching_dims", "start_index_map"};
  if (!draw_rows(formula)) return false;
  draw_result(formula, &formula->output);
  print_numbers(formula, names, formula->output.rank);
  formula_ints(formula, "slice_sizes", rows.rank, rows.window_sizes);
  formula->opcode = "gather";
  formula->meaning = gather_meaning;
  return formula->output.count <= 200;
}

static bool draw_scatter(DrawnFormula *formula) {
  static const char *const names[] = {"update_window_dims", "inserted_window_dims",
      "input_batching_dims", "scatter_indices_batching_dims", "scatter_dims_to_operand_dims"};
  if (!draw_rows(formula)) return false;
  draw_result(formula, &formula->operands[2]);
  if (formula->operands[2].count > 200) return false;
  formula_fill(formula, 2, 1, 99);
  formula->output = formula->operands[0];
  print_numbers(formula, names, formula->operands[2].rank);
  text_string(&formula->attributes, ", to_apply=add");
  formula->opcode = "scatter";
  formula->computations = ADD_S32;
  formula->meaning = scatter_meaning;
  return true;
}

/* --- slices at offsets --- */

static int64_t window_sizes[3];

static int64_t offset_of(DrawnFormula *formula, uint32_t first, uint32_t d) {
  return clamped(
      formula->operands[first + d].values[0], 0, formula->operands[0].sizes[d] - window_sizes[d]);
}

static void dynamic_slice_meaning(DrawnFormula *formula, const int64_t *at) {
  int64_t x[formula_rank];
  for (uint32_t d = 0; d < formula->operands[0].rank; d++) {
    x[d] = at[d] + offset_of(formula, 1, d);
    formula_read_all(formula, 1 + d);
  }
  formula->value = formula_read(formula, 0, x);
}

static void dynamic_update_meaning(DrawnFormula *formula, const int64_t *at) {
  int64_t u[formula_rank] = {};
  bool is_updated = false;
  for (uint32_t d = 0; d < formula->operands[0].rank; d++) formula_read_all(formula, 2 + d);
  do {
    bool is_it = true;
    for (uint32_t d = 0; d < formula->operands[0].rank; d++)
      is_it = is_it && u[d] + offset_of(formula, 2, d) == at[d];
    if (is_it) is_updated = true, formula->value = formula_read(formula, 1, u);
  } while (tensor_next(&formula->operands[1], u));
  if (!is_updated) formula->value = formula_read(formula, 0, at);
}

static bool draw_offsets(DrawnFormula *formula, bool is_update) {
  uint32_t rank = (uint32_t)formula_between(formula, 1, 3);
  FormulaTensor *window = is_update ? &formula->operands[1] : &formula->output;
  for (uint32_t d = 0; d < rank; d++) {
    int64_t size = formula_between(formula, 1, 4);
    window_sizes[d] = formula_between(formula, 1, size);
    tensor_add(&formula->operands[0], size);
    tensor_add(window, window_sizes[d]);
  }
  formula_fill(formula, 0, -99, 99);
  if (is_update) formula_fill(formula, 1, 100, 199);
  for (uint32_t d = 0; d < rank; d++) formula_fill(formula, 1 + is_update + d, -2, 5);
  if (is_update) formula->output = formula->operands[0];
  else formula_ints(formula, "dynamic_slice_sizes", rank, window_sizes);
  formula->opcode = is_update ? "dynamic-update-slice" : "dynamic-slice";
  formula->meaning = is_update ? dynamic_update_meaning : dynamic_slice_meaning;
  return true;
}

static bool draw_dynamic_slice(DrawnFormula *formula) { return draw_offsets(formula, false); }
static bool draw_dynamic_update(DrawnFormula *formula) { return draw_offsets(formula, true); }

#endif
