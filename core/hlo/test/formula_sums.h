/* Test support: contractions, convolutions, reductions and windows with random dimensions and
 * attributes, and their meaning as relations between elements. */
#ifndef CORE_HLO_TEST_FORMULA_SUMS_H
#define CORE_HLO_TEST_FORMULA_SUMS_H

#include "core/hlo/test/formula.h"

#define ADD_S32 \
  "add {\nx = s32[] parameter(0)\ny = s32[] parameter(1)\nROOT s = s32[] add(x, y)\n}\n"
#define GE_S32 \
  "ge {\nx = s32[] parameter(0)\ny = s32[] parameter(1)\nROOT s = pred[] compare(x, y), direction=GE\n}\n"

/* --- dot --- */

typedef struct FormulaDotSide {
  uint32_t rank;
  int64_t batch[3], contracting[2], kept[3]; /* dimensions */
  uint32_t kept_count;
} FormulaDotSide;

static uint32_t dot_batches, dot_contracted;
static FormulaDotSide dot_sides[2];

static bool dot_agrees(
    const FormulaDotSide *side, const int64_t *x, const int64_t *at, uint32_t kept) {
  for (uint32_t i = 0; i < dot_batches; i++)
    if (x[side->batch[i]] != at[i]) return false;
  for (uint32_t i = 0; i < side->kept_count; i++)
    if (x[side->kept[i]] != at[kept + i]) return false;
  return true;
}

static void dot_meaning(DrawnFormula *formula, const int64_t *at) {
  const FormulaDotSide *left = &dot_sides[0], *right = &dot_sides[1];
  int64_t x[formula_rank] = {}, y[formula_rank] = {};
  do {
    if (!dot_agrees(left, x, at, dot_batches)) continue;
    do {
      bool meets = dot_agrees(right, y, at, dot_batches + left->kept_count);
      for (uint32_t i = 0; i < dot_contracted; i++)
        meets = meets && x[left->contracting[i]] == y[right->contracting[i]];
      if (meets) formula->value += formula_read(formula, 0, x) * formula_read(formula, 1, y);
    } while (tensor_next(&formula->operands[1], y));
  } while (tensor_next(&formula->operands[0], x));
}

static void draw_side(DrawnFormula *formula, uint32_t number, const int64_t *shared) {
  FormulaDotSide *side = &dot_sides[number];
  int64_t order[formula_rank], sizes[formula_rank];
  side->kept_count = (uint32_t)formula_below(formula, 3);
  side->rank = dot_batches + dot_contracted + side->kept_count;
  formula_order(formula, side->rank, order);
  for (uint32_t i = 0; i < side->rank; i++) {
    sizes[order[i]] = i < dot_batches + dot_contracted ? shared[i] : formula_between(formula, 1, 3);
    if (i < dot_batches) side->batch[i] = order[i];
    else if (i < dot_batches + dot_contracted) side->contracting[i - dot_batches] = order[i];
  }
  for (uint32_t i = 0, kept = 0; i < side->rank; i++) {
    bool is_kept = true;
    for (uint32_t k = 0; k < dot_batches + dot_contracted; k++) is_kept = is_kept && order[k] != i;
    if (is_kept) side->kept[kept++] = i;
    tensor_add(&formula->operands[number], sizes[i]);
  }
  formula_fill(formula, number, -9, 9);
}

static bool draw_dot(DrawnFormula *formula) {
  int64_t shared[4];
  dot_batches = (uint32_t)formula_below(formula, 3);
  dot_contracted = (uint32_t)formula_below(formula, 3);
  for (uint32_t i = 0; i < 4; i++) shared[i] = formula_between(formula, 1, 3);
  for (uint32_t side = 0; side < 2; side++) draw_side(formula, side, shared);
  for (uint32_t i = 0; i < dot_batches; i++) tensor_add(&formula->output, shared[i]);
  for (uint32_t side = 0; side < 2; side++)
    for (uint32_t i = 0; i < dot_sides[side].kept_count; i++)
      tensor_add(&formula->output, formula->operands[side].sizes[dot_sides[side].kept[i]]);
  formula_ints(formula, "lhs_batch_dims", dot_batches, dot_sides[0].batch);
  formula_ints(formula, "rhs_batch_dims", dot_batches, dot_sides[1].batch);
  formula_ints(formula, "lhs_contracting_dims", dot_contracted, dot_sides[0].contracting);
  formula_ints(formula, "rhs_contracting_dims", dot_contracted, dot_sides[1].contracting);
  formula->opcode = "dot";
  formula->meaning = dot_meaning;
  return formula->output.count <= 100;
}

/* --- windows --- */

typedef struct DrawnWindow {
  int64_t size, stride, pad_low, pad_high, base, dilation;
  bool is_reversed;
} DrawnWindow;

static DrawnWindow windows[3];

/* The number of places of the window over `size` elements; below 1: none. */
static int64_t window_positions(const DrawnWindow *window, int64_t size) {
  int64_t padded = window->pad_low + (size - 1) * window->base + 1 + window->pad_high;
  int64_t wide = (window->size - 1) * window->dilation + 1;
  return padded < wide ? 0 : (padded - wide) / window->stride + 1;
}

static bool window_meets(const DrawnWindow *window, int64_t position, int64_t step, int64_t x) {
  return position * window->stride + step * window->dilation == x * window->base + window->pad_low;
}

static void draw_window(DrawnFormula *formula, DrawnWindow *window, bool is_plain) {
  *window = (DrawnWindow){.size = formula_between(formula, 1, 3),
      .stride = formula_between(formula, 1, 3),
      .base = is_plain ? 1 : formula_between(formula, 1, 3),
      .dilation = is_plain ? 1 : formula_between(formula, 1, 3)};
  int64_t least = is_plain ? 0 : -1, most = is_plain ? window->size - 1 : 2;
  window->pad_low = formula_between(formula, least, most);
  window->pad_high = formula_between(formula, least, most);
}

static void print_values(Text *text, uint32_t rank, const char *name, int64_t (*of)(uint32_t)) {
  text_printf(text, " %s=", name);
  for (uint32_t i = 0; i < rank; i++)
    text_printf(text, "%s%lld", i == 0 ? "" : "x", (long long)of(i));
}

static int64_t size_of(uint32_t i) { return windows[i].size; }
static int64_t stride_of(uint32_t i) { return windows[i].stride; }
static int64_t base_of(uint32_t i) { return windows[i].base; }
static int64_t dilation_of(uint32_t i) { return windows[i].dilation; }
static int64_t reversal_of(uint32_t i) { return windows[i].is_reversed; }

static void print_windows(DrawnFormula *formula, uint32_t rank, bool is_plain, bool has_reversal) {
  Text *text = &formula->attributes;
  if (rank == 0) return;
  text_string(text, ", window={");
  print_values(text, rank, "size", size_of);
  print_values(text, rank, "stride", stride_of);
  text_string(text, " pad=");
  for (uint32_t i = 0; i < rank; i++)
    text_printf(text, "%s%lld_%lld", i == 0 ? "" : "x", (long long)windows[i].pad_low,
        (long long)windows[i].pad_high);
  if (!is_plain) print_values(text, rank, "lhs_dilate", base_of);
  if (!is_plain) print_values(text, rank, "rhs_dilate", dilation_of);
  if (has_reversal) print_values(text, rank, "rhs_reversal", reversal_of);
  text_string(text, "}");
}

static void reduce_window_meaning(DrawnFormula *formula, const int64_t *at) {
  int64_t x[formula_rank] = {}, none[1];
  formula->value = formula_read(formula, 1, none);
  do {
    bool is_inside = true;
    for (uint32_t i = 0; i < formula->operands[0].rank; i++) {
      bool meets = false;
      for (int64_t step = 0; step < windows[i].size; step++)
        meets = meets || window_meets(&windows[i], at[i], step, x[i]);
      is_inside = is_inside && meets;
    }
    if (is_inside) formula->value += formula_read(formula, 0, x);
  } while (tensor_next(&formula->operands[0], x));
}

static bool draw_reduce_window(DrawnFormula *formula) {
  uint32_t rank = (uint32_t)formula_between(formula, 1, 3);
  for (uint32_t i = 0; i < rank; i++) {
    int64_t size = formula_between(formula, 1, rank == 1 ? 7 : 4);
    draw_window(formula, &windows[i], false);
    int64_t positions = window_positions(&windows[i], size);
    if (positions < 1) return false;
    tensor_add(&formula->operands[0], size);
    tensor_add(&formula->output, positions);
  }
  formula_fill(formula, 0, -9, 9);
  formula_fill(formula, 1, 0, 0);
  print_windows(formula, rank, false, false);
  text_string(&formula->attributes, ", to_apply=add");
  formula->opcode = "reduce-window";
  formula->computations = ADD_S32;
  formula->meaning = reduce_window_meaning;
  return formula->output.count <= 200;
}

/* --- select-and-scatter --- */

static bool is_in_window(uint32_t rank, const int64_t *position, const int64_t *x) {
  for (uint32_t i = 0; i < rank; i++) {
    int64_t first = position[i] * windows[i].stride - windows[i].pad_low;
    if (x[i] < first || x[i] >= first + windows[i].size) return false;
  }
  return true;
}

/* Whether the window selects `at`: no earlier element is as large, and no later one larger. */
static bool is_selected(const FormulaTensor *operand, const int64_t *position, const int64_t *at) {
  int64_t x[formula_rank] = {}, own = tensor_value(operand, at);
  do {
    bool is_earlier = tensor_number(operand, x) < tensor_number(operand, at);
    int64_t other = tensor_value(operand, x);
    if (is_in_window(operand->rank, position, x) && (is_earlier ? other >= own : other > own))
      return false;
  } while (tensor_next(operand, x));
  return true;
}

static void select_meaning(DrawnFormula *formula, const int64_t *at) {
  const FormulaTensor *operand = &formula->operands[0];
  int64_t position[formula_rank] = {}, none[1];
  formula->value = formula_read(formula, 2, none);
  do {
    int64_t x[formula_rank] = {};
    if (!is_in_window(operand->rank, position, at)) continue;
    int64_t source = formula_read(formula, 1, position);
    if (is_selected(operand, position, at)) formula->value += source;
    do
      if (is_in_window(operand->rank, position, x)) (void)formula_read(formula, 0, x);
    while (tensor_next(operand, x));
  } while (tensor_next(&formula->operands[1], position));
}

static bool draw_select(DrawnFormula *formula) {
  uint32_t rank = (uint32_t)formula_between(formula, 1, 2);
  for (uint32_t i = 0; i < rank; i++) {
    int64_t size = formula_between(formula, 1, rank == 1 ? 7 : 4);
    draw_window(formula, &windows[i], true);
    if (window_positions(&windows[i], size) < 1) return false;
    tensor_add(&formula->operands[0], size);
    tensor_add(&formula->operands[1], window_positions(&windows[i], size));
    tensor_add(&formula->output, size);
  }
  formula_fill(formula, 0, -3, 3);
  formula_fill(formula, 1, 1, 99);
  formula_fill(formula, 2, 0, 0);
  print_windows(formula, rank, true, false);
  text_string(&formula->attributes, ", select=ge, scatter=add");
  formula->opcode = "select-and-scatter";
  formula->computations = ADD_S32 GE_S32;
  formula->meaning = select_meaning;
  return true;
}

/* --- reduce --- */

static bool is_reduced[4];

static void reduce_meaning(DrawnFormula *formula, const int64_t *at) {
  int64_t x[formula_rank] = {}, none[1];
  formula->value = formula_read(formula, 1, none);
  do {
    bool agrees = true;
    for (uint32_t i = 0, kept = 0; i < formula->operands[0].rank; i++)
      if (!is_reduced[i]) agrees = agrees && x[i] == at[kept++];
    if (agrees) formula->value += formula_read(formula, 0, x);
  } while (tensor_next(&formula->operands[0], x));
}

static bool draw_reduce(DrawnFormula *formula) {
  uint32_t rank = (uint32_t)formula_between(formula, 1, 4), count = 0;
  int64_t dimensions[4];
  for (uint32_t i = 0; i < rank; i++) {
    int64_t size = formula_between(formula, 1, 4);
    is_reduced[i] = formula_below(formula, 2) == 0;
    if (is_reduced[i]) dimensions[count++] = i;
    else tensor_add(&formula->output, size);
    tensor_add(&formula->operands[0], size);
  }
  formula_fill(formula, 0, -9, 9);
  formula_fill(formula, 1, -9, 9);
  formula_ints(formula, "dimensions", count, dimensions);
  text_string(&formula->attributes, ", to_apply=add");
  formula->opcode = "reduce";
  formula->computations = ADD_S32;
  formula->meaning = reduce_meaning;
  return true;
}

/* --- convolution --- */

/* The dimensions of one array: batch or output features, features, spatial. */
typedef struct ConvolutionLabels {
  int64_t first, second, spatial[2];
} ConvolutionLabels;

static ConvolutionLabels of_input, of_kernel, of_output;
static uint32_t spatial_rank;
static int64_t feature_groups, batch_groups, features_of_group;

static bool convolution_meets(
    const DrawnFormula *formula, const int64_t *at, const int64_t *x, const int64_t *k) {
  const FormulaTensor *output = &formula->output;
  int64_t f = at[of_output.second], features = output->sizes[of_output.second];
  int64_t feature_group = f * feature_groups / features, batch_group = f * batch_groups / features;
  bool meets =
      k[of_kernel.second] == f &&
      x[of_input.first] == batch_group * output->sizes[of_output.first] + at[of_output.first] &&
      x[of_input.second] == feature_group * features_of_group + k[of_kernel.first];
  for (uint32_t i = 0; i < spatial_rank; i++) {
    int64_t step = k[of_kernel.spatial[i]];
    if (windows[i].is_reversed) step = windows[i].size - 1 - step;
    meets =
        meets && window_meets(&windows[i], at[of_output.spatial[i]], step, x[of_input.spatial[i]]);
  }
  return meets;
}

static void convolution_meaning(DrawnFormula *formula, const int64_t *at) {
  int64_t x[formula_rank] = {};
  do {
    int64_t k[formula_rank] = {};
    do
      if (convolution_meets(formula, at, x, k))
        formula->value += formula_read(formula, 0, x) * formula_read(formula, 1, k);
    while (tensor_next(&formula->operands[1], k));
  } while (tensor_next(&formula->operands[0], x));
}

/* Adds the dimensions in a random order and prints their letters. */
static void draw_labels(DrawnFormula *formula, ConvolutionLabels *labels, FormulaTensor *tensor,
    const char *letters, const int64_t sizes[4]) {
  int64_t order[4];
  formula_order(formula, spatial_rank + 2, order);
  for (uint32_t i = 0; i < spatial_rank + 2; i++) {
    int64_t of = order[i];
    *(of == 0 ? &labels->first : of == 1 ? &labels->second : &labels->spatial[of - 2]) = i;
    text_printf(&formula->attributes, "%c", letters[of]);
    tensor_add(tensor, sizes[of]);
  }
}

static bool draw_positions(
    DrawnFormula *formula, int64_t inputs[4], int64_t kernels[4], int64_t outputs[4]) {
  for (uint32_t i = 0; i < spatial_rank; i++) {
    inputs[2 + i] = formula_between(formula, 1, spatial_rank == 1 ? 6 : 3);
    draw_window(formula, &windows[i], false);
    windows[i].is_reversed = formula_below(formula, 3) == 0;
    kernels[2 + i] = windows[i].size;
    outputs[2 + i] = window_positions(&windows[i], inputs[2 + i]);
    if (outputs[2 + i] < 1) return false;
  }
  return true;
}

static bool draw_convolution(DrawnFormula *formula) {
  spatial_rank = (uint32_t)formula_below(formula, 3);
  feature_groups = formula_between(formula, 1, 2);
  batch_groups = feature_groups > 1 ? 1 : formula_between(formula, 1, 2);
  features_of_group = formula_between(formula, 1, 2);
  int64_t batch = formula_between(formula, 1, 2),
          features = formula_between(formula, 1, 2) * feature_groups * batch_groups;
  int64_t inputs[4] = {batch * batch_groups, features_of_group * feature_groups},
          kernels[4] = {features_of_group, features}, outputs[4] = {batch, features};
  if (!draw_positions(formula, inputs, kernels, outputs)) return false;
  print_windows(formula, spatial_rank, false, true);
  text_string(&formula->attributes, ", dim_labels=");
  draw_labels(formula, &of_input, &formula->operands[0], "bf01", inputs);
  text_string(&formula->attributes, "_");
  draw_labels(formula, &of_kernel, &formula->operands[1], "io01", kernels);
  text_string(&formula->attributes, "->");
  draw_labels(formula, &of_output, &formula->output, "bf01", outputs);
  text_printf(&formula->attributes, ", feature_group_count=%lld, batch_group_count=%lld",
      (long long)feature_groups, (long long)batch_groups);
  formula_fill(formula, 0, -9, 9);
  formula_fill(formula, 1, -9, 9);
  formula->opcode = "convolution";
  formula->meaning = convolution_meaning;
  return formula->output.count <= 80;
}

#endif
