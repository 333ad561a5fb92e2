/* A select-and-scatter of one array as picks. Each window in turn leaves an element unchanged or
 * combines it with the window's element of the source, if the window selects the element. A window
 * begins with its first element inside the array and keeps its selection as long as the comparison
 * is true. The function that combines must commute: XLA's evaluator calls it with the source first,
 * some backends and StableHLO with the source second. Otherwise, or past most_steps, the operation
 * is opaque. */
#include "oracle/symbolic/build.h"

#include <string.h>

static constexpr int64_t most_steps = 1 << 10;

typedef struct WindowSelection {
  TermBuilder *builder;
  const Node *node;
  const Leaf *output, *source;
  Term select, scatter;
  int64_t at[oracle_max_rank]; /* the element */
  Term value, flag; /* of the window so far: the selected value, and whether it is the element's */
  bool has_value;
  bool is_rounded; /* the operation has operands in an order that is not stated */
} WindowSelection;

static const WindowDim *window_of(const WindowSelection *selection, uint32_t dimension) {
  return &selection->node->instruction->window->dims[dimension];
}

/* Compares the next element of a window with the selection. */
static bool selection_step(WindowSelection *selection, const int64_t *at) {
  Terms *terms = selection->builder->terms;
  bool is_element = memcmp(at, selection->at, selection->output->rank * sizeof *at) == 0;
  Term flag = term_constant(terms, TYPE_pred, is_element), value;
  const Leaf *operand = &selection->node->operands[0]->leaves[0];
  if (!builder_element(
          selection->builder, selection->node->operands[0], 0, leaf_element(operand, at), &value))
    return false;
  if (selection->has_value) {
    Term keeps = term_substitute(terms, selection->select, (Term[]){selection->value, value});
    flag = term_pick(terms, keeps, 2, (Term[]){flag, selection->flag});
    value = term_pick(terms, keeps, 2, (Term[]){value, selection->value});
  }
  selection->has_value = true;
  selection->value = value;
  selection->flag = flag;
  return builder_spend(selection->builder, selection->node, 1);
}

/* Steps through the elements of the window at source position `place`, in row-major order. */
static bool selection_window(
    WindowSelection *selection, const int64_t *position, uint32_t dimension, int64_t *at) {
  if (dimension == selection->output->rank) return selection_step(selection, at);
  const WindowDim *window = window_of(selection, dimension);
  int64_t first = position[dimension] * window->stride - window->pad_low;
  for (int64_t step = 0; step < window->size; step++) {
    at[dimension] = first + step;
    if (at[dimension] >= 0 && at[dimension] < selection->output->sizes[dimension] &&
        !selection_window(selection, position, dimension + 1, at))
      return false;
  }
  return true;
}

/* Whether the window at source position `place` contains the element. */
static bool is_in_window(const WindowSelection *selection, const int64_t *position) {
  for (uint32_t i = 0; i < selection->output->rank; i++) {
    const WindowDim *window = window_of(selection, i);
    int64_t offset = selection->at[i] - (position[i] * window->stride - window->pad_low);
    if (offset < 0 || offset >= window->size) return false;
  }
  return true;
}

/* Combines the element with the window at `place`, if that window selects it. */
static bool selection_combine(
    WindowSelection *selection, const int64_t *position, int64_t element, Term *term) {
  int64_t at[oracle_max_rank] = {};
  Term arguments[2] = {*term};
  selection->has_value = false;
  if (!selection_window(selection, position, 0, at) ||
      !builder_element(selection->builder, selection->node->operands[1], 0, element, &arguments[1]))
    return false;
  Terms *terms = selection->builder->terms;
  Term combined = selection->is_rounded ? builder_unordered(selection->builder, selection->scatter,
                                              selection->source->elements, arguments)
                                        : term_substitute(terms, selection->scatter, arguments);
  *term = term_pick(terms, selection->flag, 2, (Term[]){*term, combined});
  return true;
}

/* Builds the two functions, each of two scalars. */
static bool selection_functions(WindowSelection *selection) {
  const Instruction *instruction = selection->node->instruction;
  for (uint32_t i = 0; i < instruction->called_count; i++) {
    uint32_t count;
    Term *results;
    if (!builder_body(selection->builder, instruction->called[i], &count, &results) || count != 1)
      return false;
    bool selects = strcmp(instruction->called_roles[i], "select") == 0;
    *(selects ? &selection->select : &selection->scatter) = results[0];
  }
  return instruction->called_count == 2;
}

static bool selection_is_followed(WindowSelection *selection) {
  const Node *node = selection->node;
  const Window *window = node->instruction->window;
  int64_t steps = 1;
  if (node->leaf_count != 1 || node->operand_count != 3 || window == nullptr ||
      window->rank != selection->output->rank || selection->source->rank != window->rank)
    return false;
  for (uint32_t i = 0; i < window->rank && steps <= most_steps; i++) {
    const WindowDim *dim = &window->dims[i];
    if (dim->base_dilation != 1 || dim->window_dilation != 1 || dim->stride < 1) return false;
    steps *= dim->size * ((dim->size + dim->stride - 1) / dim->stride);
  }
  return steps > 0 && steps <= most_steps && selection->source->elements <= most_steps &&
         selection_functions(selection);
}

/* The number of windows that contain the element. */
static uint32_t selection_meetings(const WindowSelection *selection) {
  uint32_t count = 0;
  for (int64_t i = 0; i < selection->source->elements; i++) {
    int64_t position[oracle_max_rank] = {};
    leaf_index(selection->source, i, position);
    count += is_in_window(selection, position);
  }
  return count;
}

bool build_select_and_scatter(TermBuilder *builder, const Node *node, int64_t element, Term *term) {
  WindowSelection selection = {.builder = builder,
      .node = node,
      .output = &node->leaves[0],
      .source = node->operand_count > 1 ? &node->operands[1]->leaves[0] : nullptr,
      .select = no_term,
      .scatter = no_term};
  if (selection.source == nullptr || !selection_is_followed(&selection) ||
      selection.select == no_term || selection.scatter == no_term)
    return !builder->rejection->is_set && build_opaque(builder, node, 0, element, term);
  leaf_index(selection.output, element, selection.at);
  if (!term_is_free_of_order(builder->terms, selection.scatter))
    return build_opaque(builder, node, 0, element, term);
  selection.is_rounded = builder_rounds_in_order(builder, selection.scatter) &&
                         (!terms_has_one_nan(builder->terms) || selection_meetings(&selection) > 1);
  if (!builder_element(builder, node->operands[2], 0, 0, term)) return false;
  for (int64_t i = 0; i < selection.source->elements; i++) {
    int64_t position[oracle_max_rank] = {};
    leaf_index(selection.source, i, position);
    if (is_in_window(&selection, position) && !selection_combine(&selection, position, i, term))
      return false;
  }
  return true;
}
