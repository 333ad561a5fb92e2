/* Dynamic-slice: d + rt, where rt is the offset clamped to [0, size - slice].
 *
 * Dynamic-update-slice: the update if d - rt lies in it; else the operand, as a union of boxes
 * around the update. Each box belongs to the first dimension k that is outside the update:
 * dimensions before k are inside it, k is before or after it, later ones are free.
 *
 * Offsets are scalars, one for each dimension, or one vector of them; every output element reads
 * them. */
#include <assert.h>

#include "core/index/family.h"

typedef struct DynamicOffsets {
  const Instruction *instruction;
  uint32_t first; /* operand number of the first offset */
  const Shape *whole, *part;
} DynamicOffsets;

static bool is_vector(const DynamicOffsets *offsets) {
  return offsets->instruction->operands[offsets->first]->shape->rank == 1;
}

static Expr offset_of(Build *build, const DynamicOffsets *offsets, uint32_t dimension) {
  assert(dimension < offsets->whole->rank &&
         offsets->whole->sizes[dimension] >= offsets->part->sizes[dimension]);
  Interval clamp = {0, offsets->whole->sizes[dimension] - offsets->part->sizes[dimension]};
  const Instruction *const *operands = (const Instruction *const *)offsets->instruction->operands;
  if (!is_vector(offsets))
    return build_runtime(build, clamp, operands[offsets->first + dimension], 0, nullptr);
  Expr position = build_const(build, dimension);
  return build_runtime(build, clamp, operands[offsets->first], 1, &position);
}

/* The offset operands themselves: a scalar, or the whole vector. */
static bool reads_offset(const IndexQuery *query, IndexResult *answer, Error *error) {
  return answer_everything(query, answer, error);
}

bool reads_dynamic_slice(const IndexQuery *query, IndexResult *answer, Error *error) {
  if (query->operand > 0) return reads_offset(query, answer, error);
  DynamicOffsets offsets = {query->instruction, 1, query->input, query->output};
  Build build = build_over(query->context, query->output);
  for (uint32_t i = 0; i < query->input->rank; i++)
    build_result(&build, build_plus(&build, build_dim(&build, i), offset_of(&build, &offsets, i)));
  return answer_finish(query, answer, &build, error);
}

static Expr from_offset(Build *build, const DynamicOffsets *offsets, uint32_t dimension) {
  return build_minus(build, build_dim(build, dimension), offset_of(build, offsets, dimension));
}

static void on_update(Build *build, const DynamicOffsets *offsets, uint32_t dimension) {
  build_require(
      build, from_offset(build, offsets, dimension), 0, offsets->part->sizes[dimension] - 1);
}

static bool reads_update(
    const IndexQuery *query, const DynamicOffsets *offsets, IndexResult *answer, Error *error) {
  Build build = build_over(query->context, query->output);
  for (uint32_t i = 0; i < query->input->rank; i++) {
    Expr element = from_offset(&build, offsets, i);
    build_require(&build, element, 0, query->input->sizes[i] - 1);
    build_result(&build, element);
  }
  return answer_finish(query, answer, &build, error);
}

static bool reads_beside(const IndexQuery *query, const DynamicOffsets *offsets, uint32_t first_off,
    bool before, IndexResult *answer, Error *error) {
  int64_t whole = offsets->whole->sizes[first_off], part = offsets->part->sizes[first_off];
  if (whole == part) return true;
  Build build = build_over(query->context, query->output);
  for (uint32_t i = 0; i < first_off; i++) on_update(&build, offsets, i);
  Expr element = from_offset(&build, offsets, first_off);
  if (before) build_require(&build, element, part - whole, -1);
  else build_require(&build, element, part, whole - 1);
  for (uint32_t i = 0; i < query->output->rank; i++) build_result(&build, build_dim(&build, i));
  return answer_finish(query, answer, &build, error);
}

bool reads_dynamic_update_slice(const IndexQuery *query, IndexResult *answer, Error *error) {
  if (query->operand > 1) return reads_offset(query, answer, error);
  DynamicOffsets offsets = {
      query->instruction, 2, query->output, query->instruction->operands[1]->shape};
  if (query->operand == 1) return reads_update(query, &offsets, answer, error);
  if (shape_elements(offsets.part) == 0) return answer_identity(query, answer, error);
  for (uint32_t i = 0; i < query->output->rank; i++)
    if (!reads_beside(query, &offsets, i, true, answer, error) ||
        !reads_beside(query, &offsets, i, false, answer, error))
      return false;
  return true;
}
