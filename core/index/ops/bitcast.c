/* Bitcast: the same memory under another shape. The index goes through its position in memory
 * (memory.h): the position of the output's element, a reshape by minimal groups, the operand's
 * element at that position. That is a transpose if both sides have the same sizes in memory order,
 * and a plain reshape if both layouts are row-major. If the element widths differ, the wider side
 * gets one more minor dimension: their ratio. A position that is padding of the operand's tiles is
 * no element, and nothing is read there. A bitcast of a tuple is one of each leaf.
 *
 * Layouts that memory.h rejects, and sides with different amounts of memory, are undefined, with a
 * reason.
 *
 * Bitcast-convert: the same element, or for different element widths one more minor dimension on
 * the narrower side. */
#include <assert.h>
#include <string.h>

#include "core/base/checked.h"
#include "core/hlo/compare.h"
#include "core/index/family.h"
#include "core/index/ops/memory.h"
#include "core/index/ops/reshape.h"

typedef struct BitcastPlaced {
  MemoryOrder memory;
  Ints sizes;    /* of the memory, followed by the ratio of widths if this side is the wider one */
  int64_t parts; /* that ratio; 1 on the narrower side */
} BitcastPlaced;

static bool same_stages(const MemoryOrder *a, const MemoryOrder *b) {
  if (a->tile_count != b->tile_count || a->shape->rank != b->shape->rank) return false;
  for (uint32_t i = 0; i <= a->tile_count; i++)
    if (!ints_equal(a->stages[i], b->stages[i])) return false;
  return true;
}

static bool bitcast_side_placed(Arena *arena, const Shape *shape, const Shape *other,
    BitcastPlaced *side, const char **reason) {
  uint32_t own = shape_stored_bits(shape), others = shape_stored_bits(other);
  if (!memory_order(arena, shape, &side->memory, reason)) return false;
  *reason = "bitcast between layouts of which one gives elements less room than they need";
  if (own < element_type_bits(shape->type)) return false;
  assert(own > 0 && others > 0);
  side->parts = own > others ? own / others : 1;
  Ints sizes = memory_sizes(&side->memory);
  side->sizes = (Ints){sizes.count + 1, ARENA_NEW(arena, int64_t, sizes.count + 1)};
  if (sizes.count > 0) memcpy(side->sizes.values, sizes.values, sizes.count * sizeof *sizes.values);
  side->sizes.values[sizes.count] = side->parts;
  *reason = "bitcast between element widths of which neither divides the other";
  return own % others == 0 || others % own == 0;
}

/* Checks that both sides have the same number of positions in memory. */
static bool take_same_memory(
    const BitcastPlaced *from, const BitcastPlaced *to, const char **reason) {
  int64_t here, there;
  *reason = "bitcast between layouts that take different amounts of memory";
  return mul64(memory_positions(&from->memory), from->parts, &here) &&
         mul64(memory_positions(&to->memory), to->parts, &there) && here == there;
}

/* The operand's elements at the positions of the output's element, or of all of its parts if the
 * output is wider. */
static void bitcast_move(Build *build, const BitcastPlaced *from, const BitcastPlaced *to,
    const Expr *index, Expr *results) {
  Arena *arena = build->context->arena;
  Expr *position = ARENA_NEW(arena, Expr, from->sizes.count),
       *moved = ARENA_NEW(arena, Expr, to->sizes.count);
  memory_position(build, &from->memory, index, position);
  position[from->sizes.count - 1] = build_span(build, from->parts);
  reshape_index(build, from->sizes, position, to->sizes, moved);
  memory_element(build, &to->memory, moved, results);
}

static bool bitcast_between(
    Build *build, const Shape *output, const Shape *input, const char **reason) {
  BitcastPlaced from, to;
  Arena *arena = build->context->arena;
  if (!bitcast_side_placed(arena, output, input, &from, reason) ||
      !bitcast_side_placed(arena, input, output, &to, reason))
    return false;
  Expr *index = ARENA_NEW(arena, Expr, output->rank),
       *results = ARENA_NEW(arena, Expr, input->rank);
  for (uint32_t i = 0; i < output->rank; i++) index[i] = build_dim(build, i);
  if (same_stages(&from.memory, &to.memory) && from.parts == to.parts)
    for (uint32_t i = 0; i < input->rank; i++)
      results[to.memory.order[i]] = index[from.memory.order[i]];
  else if (take_same_memory(&from, &to, reason)) bitcast_move(build, &from, &to, index, results);
  else return false;
  for (uint32_t i = 0; i < input->rank; i++) build_result(build, results[i]);
  return true;
}

bool reads_bitcast(const IndexQuery *query, IndexResult *answer, Error *error) {
  if (query->output_leaf != query->operand_leaf) return true;
  Build build = build_over(query->context, query->output);
  const char *reason;
  if (bitcast_between(&build, query->output, query->input, &reason))
    return answer_finish(query, answer, &build, error);
  answer_claim(answer, INDEX_UNDEFINED, reason);
  return true;
}

bool reached_bitcast(const IndexQuery *query, IndexResult *answer, Error *error) {
  IndexQuery reversed = *query;
  reversed.output = query->input;
  reversed.input = query->output;
  return reads_bitcast(&reversed, answer, error);
}

bool reads_bitcast_convert(const IndexQuery *query, IndexResult *answer, Error *error) {
  const Shape *output = query->output, *input = query->input;
  if (output->rank == input->rank) return answer_identity(query, answer, error);
  Build build = build_over(query->context, output);
  for (uint32_t i = 0; i < input->rank; i++)
    build_result(
        &build, i < output->rank ? build_dim(&build, i) : build_span(&build, input->sizes[i]));
  return answer_finish(query, answer, &build, error);
}
