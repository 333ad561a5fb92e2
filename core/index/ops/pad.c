/* Pad. Along one dimension the operand's element x is at low + x * (interior + 1). `inside` is the
 * part of the output from the first to the last operand element that negative padding keeps.
 *
 * Operand: (d - low) floordiv step on `inside`, if (d - low) mod step = 0.
 *
 * Padding value: every other output element, split into disjoint maps. Each map belongs to the
 * first dimension k without an operand element: dimensions before k have operand elements; k is
 * before `inside`, after it, or between two elements; later ones are free. Sums that leave int64
 * are rejected. */
#include "core/base/checked.h"

#include <assert.h>
#include "core/index/family.h"

typedef struct Lane {
  int64_t size; /* of the output */
  int64_t low, step;
  Interval inside; /* empty if no operand element is left */
} Lane;

static Lane lane_of(Build *build, const PadDim *pad, int64_t output_size, int64_t input_size) {
  Lane lane = {.size = output_size, .low = pad->low, .step = build_sum(build, pad->interior, 1)};
  int64_t last = build_sum(build, pad->low, build_product(build, input_size - 1, lane.step));
  lane.inside = (Interval){0, -1};
  if (build->overflow || lane.step <= 0 || input_size == 0) return lane;
  int64_t before = pad->low < 0 ? ceildiv64(build_difference(build, 0, pad->low), lane.step) : 0;
  int64_t excess = last >= output_size
                       ? ceildiv64(build_difference(build, last, output_size - 1), lane.step)
                       : 0;
  assert(before >= 0 && excess >= 0);
  lane.inside.lo = build_sum(build, pad->low, build_product(build, before, lane.step));
  lane.inside.hi = build_difference(build, last, build_product(build, excess, lane.step));
  return lane;
}

static Expr pad_distance(Build *build, const Lane *lane, Expr dim) {
  return build_plus_const(build, dim, build_difference(build, 0, lane->low));
}

static Expr on_element(Build *build, const Lane *lane) {
  Expr from_low = pad_distance(build, lane, build_add_dim(build, lane->inside));
  if (lane->step > 1) build_require(build, build_mod(build, from_low, lane->step), 0, 0);
  return from_low;
}

static bool reads_operand(const IndexQuery *query, IndexResult *answer, Error *error) {
  Build build = build_start(query->context);
  for (uint32_t i = 0; i < query->output->rank; i++) {
    Lane lane = lane_of(
        &build, &query->instruction->padding[i], query->output->sizes[i], query->input->sizes[i]);
    if (build.overflow) break;
    Expr from_low = on_element(&build, &lane);
    build_result(&build, build_floordiv(&build, from_low, lane.step));
  }
  if (build.overflow) return error_set(error, ERROR_OVERFLOW, "a padding edge leaves int64");
  return answer_finish(query, answer, &build, error);
}

typedef enum PadPosition : uint8_t {
  POSITION_BEFORE,
  POSITION_BETWEEN,
  POSITION_AFTER
} PadPosition;

/* Adds dimension k outside the operand at `place`; false if dimension k has no such position. */
static bool off_operand(Build *build, const Lane *lane, PadPosition position) {
  bool none_inside = lane->inside.lo > lane->inside.hi;
  switch (position) {
    case POSITION_BEFORE:
      build_add_dim(build, (Interval){0, none_inside ? lane->size - 1 : lane->inside.lo - 1});
      return none_inside || lane->inside.lo > 0;
    case POSITION_BETWEEN:
      if (none_inside || lane->step == 1) return false;
      build_require(build,
          build_mod(
              build, pad_distance(build, lane, build_add_dim(build, lane->inside)), lane->step),
          1, lane->step - 1);
      return true;
    case POSITION_AFTER:
      build_add_dim(build, (Interval){lane->inside.hi + 1, lane->size - 1});
      return !none_inside && lane->inside.hi < lane->size - 1;
  }
  return false;
}

static bool padded_first_at(const IndexQuery *query, const Lane *lanes, uint32_t first,
    PadPosition position, IndexResult *answer, Error *error) {
  Build build = build_start(query->context);
  for (uint32_t i = 0; i < first; i++) (void)on_element(&build, &lanes[i]);
  if (!off_operand(&build, &lanes[first], position)) return true;
  for (uint32_t i = first + 1; i < query->output->rank; i++)
    build_add_dim(&build, (Interval){0, lanes[i].size - 1});
  return answer_finish(query, answer, &build, error);
}

static bool reads_padding_value(const IndexQuery *query, IndexResult *answer, Error *error) {
  uint32_t rank = query->output->rank;
  const Shape *operand = query->instruction->operands[0]->shape;
  assert(operand->rank == rank && query->input->rank == 0);
  Build build = build_start(query->context);
  Lane *lanes = ARENA_NEW(query->context->arena, Lane, rank);
  for (uint32_t i = 0; i < rank; i++)
    lanes[i] = lane_of(
        &build, &query->instruction->padding[i], query->output->sizes[i], operand->sizes[i]);
  if (build.overflow) return error_set(error, ERROR_OVERFLOW, "a padding edge leaves int64");
  for (uint32_t first = 0; first < rank; first++) {
    for (PadPosition position = POSITION_BEFORE; position <= POSITION_AFTER; position++)
      if (!padded_first_at(query, lanes, first, position, answer, error)) return false;
    if (lanes[first].inside.lo > lanes[first].inside.hi) break;
  }
  return true;
}

bool reads_pad(const IndexQuery *query, IndexResult *answer, Error *error) {
  return query->operand == 0 ? reads_operand(query, answer, error)
                             : reads_padding_value(query, answer, error);
}
