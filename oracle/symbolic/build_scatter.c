/* A scatter of one array as picks. Each row of indices in turn either leaves an element unchanged
 * or combines it with the one update that a window at that position has for it. A window that is
 * not completely inside is skipped, so a pick has one more candidate at both ends. The order of the
 * rows must not matter: the function is a sum, a product, an extremum, a conjunction, a disjunction
 * or an exclusive or, or there is one row. Otherwise, or past most_candidates, the scatter is
 * opaque. Sums and products of floats that may meet have an operation of their own. */
#include "oracle/symbolic/build.h"

#include <string.h>

#include "oracle/semantics/arithmetic.h"
#include "oracle/semantics/indexed.h"

static constexpr int64_t most_candidates = 1 << 11;

typedef struct Rows {
  TermBuilder *builder;
  const Node *node;
  ScatterRows of;
  int64_t widths[oracle_max_rank]; /* of the window, by dimension of the output */
  int64_t at[oracle_max_rank], batch[oracle_max_rank], starts[oracle_max_rank];
  Term function;
  bool is_rounded;  /* the order of the rows decides how sums or products are rounded */
  bool is_counting; /* nothing is combined; has_met is set instead */
  bool has_met;     /* the row may combine its update with the element */
} Rows;

static void set_widths(Rows *rows) {
  for (uint32_t i = 0; i < rows->of.out->rank; i++) {
    uint32_t window = rows->of.window_dimensions[i];
    rows->widths[i] = window == no_operand ? 1 : rows->of.updates->sizes[window];
  }
}

static bool is_inside(const Rows *rows, uint32_t dimension, int64_t start) {
  int64_t offset = rows->at[dimension] - start;
  return start >= 0 && start + rows->widths[dimension] <= rows->of.out->sizes[dimension] &&
         offset >= 0 && offset < rows->widths[dimension];
}

/* Combines the element with the update of a window whose position is known. */
static bool combine(Rows *rows, Term before, Term *term) {
  int64_t at[oracle_max_rank] = {};
  Term arguments[2] = {before};
  rows->has_met = true;
  if (rows->is_counting) return true;
  for (uint32_t i = 0; i < rows->of.batch_rank; i++)
    at[rows->of.batch_dimensions[i]] = rows->batch[i];
  for (uint32_t i = 0; i < rows->of.out->rank; i++)
    if (rows->of.window_dimensions[i] != no_operand)
      at[rows->of.window_dimensions[i]] = rows->at[i] - rows->starts[i];
  if (!builder_element(rows->builder, rows->node->operands[2], 0,
          leaf_element(rows->of.updates, at), &arguments[1]))
    return false;
  *term = rows->is_rounded ? builder_unordered(rows->builder, rows->function,
                                 scatter_rows_count(&rows->of), arguments)
                           : term_substitute(rows->builder->terms, rows->function, arguments);
  return true;
}

/* index + 1, so that every index below 0 picks the first candidate. An index that wraps around lies
 * outside and also picks the first candidate; if the type cannot represent most + 1, the index is
 * widened first. */
static Term one_more(Rows *rows, Term index, int64_t most) {
  ElementType type = rows->of.indices->shape->type;
  Terms *terms = rows->builder->terms;
  if (integer_highest(type) <= most) {
    type = TYPE_s64;
    index = term_apply(terms, signature_of_operation(terms, HLO_CONVERT, type, 1), 1, &index);
  }
  Term one = term_constant(terms, type, 1);
  return term_apply(
      terms, signature_of_operation(terms, HLO_ADD, type, 2), 2, (Term[]){index, one});
}

static bool pick_row(Rows *rows, uint32_t component, Term before, Term *term);

/* Whether some index in 0 .. most lets the row meet the element. */
static bool pick_counted(Rows *rows, uint32_t component, int64_t most) {
  uint32_t dimension = (uint32_t)rows->of.numbers->scatter_dims_to_operand_dims.values[component];
  Term ignored = no_term;
  for (int64_t start = 0; start <= most && !rows->has_met; start++) {
    rows->starts[dimension] = start;
    if (is_inside(rows, dimension, start) && !pick_row(rows, component + 1, ignored, &ignored))
      return false;
  }
  return true;
}

/* Picks by the indices of one row, from `component` on. */
static bool pick_row(Rows *rows, uint32_t component, Term before, Term *term) {
  const Ints *placed = &rows->of.numbers->scatter_dims_to_operand_dims;
  TermBuilder *builder = rows->builder;
  int64_t value;
  Term index;
  if (component == placed->count) return combine(rows, before, term);
  uint32_t dimension = (uint32_t)placed->values[component];
  int64_t most = rows->of.out->sizes[dimension] - rows->widths[dimension];
  int64_t element =
      index_element(rows->of.indices, rows->of.numbers->index_vector_dim, rows->batch, component);
  *term = before;
  if (most < 0) return true;
  if (!builder_element(builder, rows->node->operands[1], 0, element, &index)) return false;
  if (terms_is_constant(builder->terms, index, &value)) {
    if (value < 0 || value > most || !is_inside(rows, dimension, value)) return true;
    rows->starts[dimension] = value;
    return pick_row(rows, component + 1, before, term);
  }
  if (!builder_spend(builder, rows->node, (uint64_t)most + 3)) return false;
  if (rows->is_counting) return pick_counted(rows, component, most);
  Term *candidates = ARENA_NEW(builder->arena, Term, most + 3);
  candidates[0] = candidates[most + 2] = before;
  for (int64_t start = 0; start <= most; start++) {
    candidates[start + 1] = before;
    rows->starts[dimension] = start;
    if (is_inside(rows, dimension, start) &&
        !pick_row(rows, component + 1, before, &candidates[start + 1]))
      return false;
  }
  *term = term_pick(builder->terms, one_more(rows, index, most), (uint32_t)most + 3, candidates);
  return true;
}

/* Whether the row's window contains the element in all dimensions that no index places. */
static bool is_covered(Rows *rows) {
  for (uint32_t i = 0; i < rows->of.out->rank; i++) {
    if (ints_has(&rows->of.numbers->scatter_dims_to_operand_dims, i)) continue;
    rows->starts[i] = scatter_batch_start(&rows->of, rows->batch, i);
    if (!is_inside(rows, i, rows->starts[i])) return false;
  }
  return true;
}

static bool is_small(const Rows *rows) {
  int64_t candidates = scatter_rows_count(&rows->of);
  const Ints *placed = &rows->of.numbers->scatter_dims_to_operand_dims;
  for (uint32_t i = 0; i < placed->count && candidates <= most_candidates; i++)
    candidates *= rows->of.out->sizes[placed->values[i]] + 3;
  return candidates <= most_candidates;
}

/* Whether sums or products of floats may meet in one element, in an order that is not stated. */
static bool rounds_in_order(const Rows *rows) {
  const Attribute *unique = instruction_attribute(rows->node->instruction, "unique_indices");
  bool is_unique = unique != nullptr && strcmp(unique->text, "true") == 0;
  return !is_unique && builder_rounds_in_order(rows->builder, rows->function);
}

static bool is_followed(Rows *rows) {
  const Instruction *scatter = rows->node->instruction;
  uint32_t count;
  Term *results;
  if (scatter->scatter == nullptr || scatter->operand_count != 3 || scatter->called_count != 1)
    return false;
  rows->of = scatter_rows(rows->node);
  if (!element_type_is_integral(rows->of.indices->shape->type) || rows->of.out->elements == 0 ||
      rows->of.indices->elements == 0)
    return false;
  set_widths(rows);
  if (!is_small(rows) || !builder_body(rows->builder, scatter->called[0], &count, &results) ||
      count != 1)
    return false;
  rows->function = results[0];
  ElementType type = rows->of.out->shape->type; /* another one may round */
  if (rows->of.updates->shape->type != type || scatter->operands[0]->shape->type != type ||
      term_data(rows->builder->terms, rows->function)->type != type)
    return false;
  rows->is_rounded = rounds_in_order(rows);
  return scatter_rows_count(&rows->of) == 1 ||
         term_is_free_of_order(rows->builder->terms, rows->function);
}

static void set_row(Rows *rows, int64_t row) {
  for (uint32_t i = rows->of.batch_rank; i-- > 0;) {
    int64_t size = rows->of.updates->sizes[rows->of.batch_dimensions[i]];
    rows->batch[i] = row % size;
    row /= size;
  }
}

/* Whether several rows may meet in the element. False, with a rejection, if an index has none. */
static bool count_meeting(Rows *rows, bool *has_several) {
  Term ignored = no_term;
  uint32_t meeting = 0;
  rows->is_counting = true;
  for (int64_t row = 0; row < scatter_rows_count(&rows->of) && meeting < 2; row++) {
    set_row(rows, row);
    rows->has_met = false;
    if (is_covered(rows) && !pick_row(rows, 0, ignored, &ignored)) return false;
    meeting += rows->has_met;
  }
  rows->is_counting = false;
  *has_several = meeting > 1;
  return true;
}

bool build_scatter(TermBuilder *builder, const Node *node, int64_t element, Term *term) {
  Rows rows = {.builder = builder, .node = node};
  bool has_none = node->operand_count == 3 && node->operands[2]->leaves[0].elements == 0;
  if (has_none) return builder_element(builder, node->operands[0], 0, element, term);
  if (!is_followed(&rows))
    return !builder->rejection->is_set && build_opaque(builder, node, 0, element, term);
  leaf_index(rows.of.out, element, rows.at);
  if (!builder_element(builder, node->operands[0], 0, element, term)) return false;
  if (rows.is_rounded && !count_meeting(&rows, &rows.is_rounded)) return false;
  int64_t count = scatter_rows_count(&rows.of);
  for (int64_t row = 0; row < count; row++) {
    Term before = *term;
    set_row(&rows, row);
    if (is_covered(&rows) && !pick_row(&rows, 0, before, term)) return false;
  }
  return true;
}
