/* Bitcast: the same memory under another shape. The index goes through the order of memory: output dimensions from major to
 * minor, a reshape by minimal groups, operand dimensions from major to minor; a transpose when the sizes in memory order
 * agree, a plain reshape when both layouts are row-major.
 * Refuses (undefined, said) element widths or counts that differ and tiled layouts that are not the same memory order.
 * Bitcast-convert: the same element, or with another element width one minor dimension more on the narrower side. */
#include <assert.h>
#include <string.h>

#include "core/index/family.h"
#include "core/index/reshape.h"

static bool is_tiled(const Shape *shape) { return shape->layout_rest != nullptr && strstr(shape->layout_rest, "T(") != nullptr; }

/* Sizes from major to minor; `order[i]` is the logical dimension at place i. */
static Ints memory_sizes(Arena *arena, const Shape *shape, uint32_t *order) {
  shape_minor_to_major(shape, order);
  Ints sizes = {shape->rank, ARENA_NEW(arena, int64_t, shape->rank)};
  for (uint32_t i = 0; i < shape->rank / 2; i++) {
    uint32_t swapped = order[i];
    order[i] = order[shape->rank - 1 - i];
    order[shape->rank - 1 - i] = swapped;
  }
  for (uint32_t i = 0; i < shape->rank; i++) sizes.values[i] = shape->sizes[order[i]];
  return sizes;
}

static bool same_ints(Ints a, Ints b) {
  return a.count == b.count && (a.count == 0 || memcmp(a.values, b.values, a.count * sizeof(int64_t)) == 0);
}

static bool bitcast_between(const Ask *ask, const Shape *from, const Shape *to, Answer *answer, Build *build) {
  Arena *arena = ask->context->arena;
  uint32_t *from_order = ARENA_NEW(arena, uint32_t, from->rank), *to_order = ARENA_NEW(arena, uint32_t, to->rank);
  Ints from_sizes = memory_sizes(arena, from, from_order), to_sizes = memory_sizes(arena, to, to_order);
  bool same_order = same_ints(from_sizes, to_sizes);
  assert(shape_elements(from) == shape_elements(to));
  if ((is_tiled(from) || is_tiled(to)) && !same_order) {
    answer_claim(answer, INDEX_UNDEFINED, "bitcast between tiled layouts");
    return false;
  }
  Expr *index = ARENA_NEW(arena, Expr, from->rank), *moved = ARENA_NEW(arena, Expr, to->rank);
  for (uint32_t i = 0; i < from->rank; i++) index[i] = build_dim(build, from_order[i]);
  if (same_order)
    memcpy(moved, index, to->rank * sizeof *moved);
  else
    reshape_index(build, from_sizes, index, to_sizes, moved);
  Expr *results = ARENA_NEW(arena, Expr, to->rank);
  for (uint32_t i = 0; i < to->rank; i++) {
    assert(to_order[i] < to->rank && results[to_order[i]].at == 0);
    results[to_order[i]] = moved[i];
  }
  for (uint32_t i = 0; i < to->rank; i++) build_result(build, results[i]);
  return true;
}

bool reads_bitcast(const Ask *ask, Answer *answer, Error *error) {
  const Shape *output = ask->output, *input = ask->input;
  if (element_type_bits(output->type) != element_type_bits(input->type) || shape_elements(output) != shape_elements(input)) {
    answer_claim(answer, INDEX_UNDEFINED, "bitcast between element widths or counts");
    return true;
  }
  Build build = build_over(ask->context, output);
  return !bitcast_between(ask, output, input, answer, &build) || answer_finish(ask, answer, &build, error);
}

bool reached_bitcast(const Ask *ask, Answer *answer, Error *error) {
  Ask turned = *ask;
  turned.output = ask->input;
  turned.input = ask->output;
  return reads_bitcast(&turned, answer, error);
}

bool reads_bitcast_convert(const Ask *ask, Answer *answer, Error *error) {
  const Shape *output = ask->output, *input = ask->input;
  if (output->rank == input->rank) return answer_identity(ask, answer, error);
  Build build = build_over(ask->context, output);
  for (uint32_t i = 0; i < input->rank; i++)
    build_result(&build, i < output->rank ? build_dim(&build, i) : build_span(&build, input->sizes[i]));
  return answer_finish(ask, answer, &build, error);
}
