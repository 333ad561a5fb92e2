/* Contractions: the result has the batch dimensions, then the free ones of the left side, then the
 * free ones of the right side. The instruction decides the element type. A ragged dot's groups
 * divide a free, a contracting or a batch dimension of the left side; if it is a contracting one,
 * the result has the groups as its first dimension. Scales of a scaled dot divide their operand
 * into blocks. */
#include <inttypes.h>

#include "core/hlo/compare.h"
#include "core/hlo/verify/check.h"

typedef struct VerifyDotSide {
  const char *batch_name, *contracting_name;
  const Shape *shape;
  Ints batch, contracting;
  bool *used; /* batch and contracting dimensions, and those that a caller adds */
} VerifyDotSide;

static bool check_side(const Check *check, VerifyDotSide *side) {
  if (!check_dimensions(check, side->batch_name, side->batch, side->shape->rank) ||
      !check_dimensions(check, side->contracting_name, side->contracting, side->shape->rank)) {
    return false;
  }
  side->used = dimension_set(check, side->shape->rank);
  dimension_set_add(side->used, side->batch);
  for (uint32_t i = 0; i < side->contracting.count; i++) {
    if (!side->used[side->contracting.values[i]]) continue;
    return check_fail_at(check, side->contracting_name,
        "dimension %" PRId64 " is both batch and contracting", side->contracting.values[i]);
  }
  dimension_set_add(side->used, side->contracting);
  return true;
}

static bool check_pairs(const Check *check, const VerifyDotSide *lhs, Ints left,
    const VerifyDotSide *rhs, Ints right, const char *name) {
  if (left.count != right.count) {
    return check_fail_at(
        check, name, "%u and %s are paired", left.count, counted(right.count, "dimension"));
  }
  for (uint32_t i = 0; i < left.count; i++) {
    int64_t a = lhs->shape->sizes[left.values[i]], b = rhs->shape->sizes[right.values[i]];
    if (a == b) continue;
    return check_fail_at(check, name,
        "lhs dimension %" PRId64 " of size %" PRId64 " is paired with rhs dimension %" PRId64
        " of size %" PRId64,
        left.values[i], a, right.values[i], b);
  }
  return true;
}

static bool check_sides(const Check *check, VerifyDotSide *lhs, VerifyDotSide *rhs) {
  const DotNumbers *dot = check->instruction->dot;
  if (!check_arrays(check)) return false;
  if (dot == nullptr) return check_fail(check, "the dimension numbers are missing");
  *lhs = (VerifyDotSide){"lhs_batch_dims", "lhs_contracting_dims", operand_shape(check, 0),
      dot->lhs_batch, dot->lhs_contracting, nullptr};
  *rhs = (VerifyDotSide){"rhs_batch_dims", "rhs_contracting_dims", operand_shape(check, 1),
      dot->rhs_batch, dot->rhs_contracting, nullptr};
  return check_contracted_types(check) && check_side(check, lhs) && check_side(check, rhs) &&
         check_pairs(check, lhs, lhs->batch, rhs, rhs->batch, "lhs_batch_dims") &&
         check_pairs(check, lhs, lhs->contracting, rhs, rhs->contracting, "lhs_contracting_dims");
}

typedef struct Sizes {
  uint32_t rank;
  int64_t *values;
  bool *bounds; /* whether each is an upper bound */
} Sizes;

static void add_size(Sizes *sizes, int64_t size, bool is_bound) {
  sizes->bounds[sizes->rank] = is_bound;
  sizes->values[sizes->rank++] = size;
}

static void add_size_of(Sizes *sizes, const Shape *shape, uint32_t dimension) {
  add_size(sizes, shape->sizes[dimension], shape_has_bound(shape, dimension));
}

static void add_free(Sizes *sizes, const VerifyDotSide *side) {
  for (uint32_t i = 0; i < side->shape->rank; i++) {
    if (!side->used[i]) add_size_of(sizes, side->shape, i);
  }
}

static bool dot_result(const Check *check, Sizes *sizes, const VerifyDotSide *lhs,
    const VerifyDotSide *rhs, const Shape **shape) {
  const Shape *declared = check->instruction->shape;
  if (declared != nullptr && !shape_is_array(declared)) {
    return check_fail(check, "the result is %s, not an array", shape_words(check, declared));
  }
  for (uint32_t i = 0; i < lhs->batch.count; i++)
    add_size_of(sizes, lhs->shape, (uint32_t)lhs->batch.values[i]);
  add_free(sizes, lhs);
  add_free(sizes, rhs);
  return make_bounded(check, declared == nullptr ? lhs->shape->type : declared->type, sizes->rank,
      sizes->values, sizes->bounds, shape);
}

static Sizes sizes_for(const Check *check, const VerifyDotSide *lhs, const VerifyDotSide *rhs) {
  uint32_t most = lhs->shape->rank + rhs->shape->rank + 1;
  return (Sizes){
      .values = ARENA_NEW(check->arena, int64_t, most), .bounds = dimension_set(check, most)};
}

bool infer_dot(const Check *check, const Shape **shape) {
  VerifyDotSide lhs, rhs;
  if (!check_sides(check, &lhs, &rhs)) return false;
  Sizes sizes = sizes_for(check, &lhs, &rhs);
  return dot_result(check, &sizes, &lhs, &rhs, shape);
}

/* The last dimension of the group sizes is the number of groups. */
static bool group_count(const Check *check, int64_t *count) {
  const Shape *groups = operand_shape(check, 2);
  if (!element_type_is_integral(groups->type)) {
    return check_fail(
        check, "the group sizes have element type %s", element_type_name(groups->type));
  }
  if (groups->rank == 0) return check_fail(check, "the group sizes are a scalar");
  *count = groups->sizes[groups->rank - 1];
  return true;
}

/* The left side's dimensions that have rows of group sizes of their own, in this order: the batch
 * dimensions, or those before the ragged one in their list if it is one of them; and the dimensions
 * before the ragged one that are contracting, in their list, or free, as it is itself. */
static Ints dimensions_of_rows(const Check *check, uint32_t rank, bool contracting) {
  const DotNumbers *dot = check->instruction->dot;
  int64_t ragged = dot->lhs_ragged.values[0];
  Ints rows = {.values = ARENA_NEW(check->arena, int64_t, rank)};
  for (uint32_t i = 0; i < dot->lhs_batch.count; i++) {
    if (dot->lhs_batch.values[i] == ragged) return rows;
    rows.values[rows.count++] = dot->lhs_batch.values[i];
  }
  for (uint32_t i = 0; contracting && dot->lhs_contracting.values[i] != ragged; i++)
    rows.values[rows.count++] = dot->lhs_contracting.values[i];
  for (int64_t i = 0; !contracting && i < ragged; i++)
    if (!ints_has(&dot->lhs_batch, i) && !ints_has(&dot->lhs_contracting, i))
      rows.values[rows.count++] = i;
  return rows;
}

/* Group sizes are one row for everything, or one for each index of these dimensions. */
static bool check_rows(const Check *check, const Shape *lhs, bool contracting) {
  const Shape *groups = operand_shape(check, 2);
  if (groups->rank == 1) return true;
  Ints rows = dimensions_of_rows(check, lhs->rank, contracting);
  if (groups->rank != rows.count + 1) {
    return check_fail(check, "the group sizes have rank %u, not 1%s", groups->rank,
        rows.count == 0 ? "" : arena_printf(check->arena, " or %u", rows.count + 1));
  }
  for (uint32_t i = 0; i < rows.count; i++) {
    int64_t size = lhs->sizes[rows.values[i]];
    if (groups->sizes[i] == size) continue;
    return check_fail(check,
        "dimension %u of the group sizes has the size %" PRId64 " for %" PRId64
        " of dimension %" PRId64,
        i, groups->sizes[i], size, rows.values[i]);
  }
  return true;
}

static bool check_ragged(const Check *check, const VerifyDotSide *lhs, const VerifyDotSide *rhs,
    int64_t groups, bool *contracting) {
  const DotNumbers *dot = check->instruction->dot;
  if (!check_count(check, "lhs_ragged_dims", dot->lhs_ragged.count, 1) ||
      !check_dimensions(check, "lhs_ragged_dims", dot->lhs_ragged, lhs->shape->rank) ||
      !check_dimensions(check, "rhs_group_dims", dot->rhs_group, rhs->shape->rank)) {
    return false;
  }
  int64_t ragged = dot->lhs_ragged.values[0];
  *contracting = ints_has(&dot->lhs_contracting, ragged);
  bool free = !*contracting && !ints_has(&dot->lhs_batch, ragged);
  if (!check_rows(check, lhs->shape, *contracting) ||
      !check_count(check, "rhs_group_dims", dot->rhs_group.count, free ? 1 : 0)) {
    return false;
  }
  if (!free) return true;
  int64_t group = dot->rhs_group.values[0];
  if (rhs->used[group]) {
    return check_fail_at(
        check, "rhs_group_dims", "dimension %" PRId64 " is batch or contracting too", group);
  }
  rhs->used[group] = true;
  return rhs->shape->sizes[group] == groups ||
         check_fail_at(check, "rhs_group_dims",
             "dimension %" PRId64 " has the size %" PRId64 " for %" PRId64 " groups", group,
             rhs->shape->sizes[group], groups);
}

bool infer_ragged_dot(const Check *check, const Shape **shape) {
  VerifyDotSide lhs, rhs;
  int64_t groups;
  bool contracting;
  if (!check_sides(check, &lhs, &rhs) || !group_count(check, &groups) ||
      !check_ragged(check, &lhs, &rhs, groups, &contracting)) {
    return false;
  }
  Sizes sizes = sizes_for(check, &lhs, &rhs);
  if (contracting) add_size(&sizes, groups, false);
  return dot_result(check, &sizes, &lhs, &rhs, shape);
}

static bool check_scale(const Check *check, uint32_t operand, const VerifyDotSide *side) {
  const Shape *scale = operand_shape(check, operand);
  if (scale->rank == 0) return true;
  if (scale->rank != side->shape->rank) {
    return check_fail(check, "scale %s has not the rank of its operand %s",
        shape_words(check, scale), shape_words(check, side->shape));
  }
  for (uint32_t i = 0; i < scale->rank; i++) {
    int64_t size = side->shape->sizes[i], blocks = scale->sizes[i];
    if (blocks == size || (blocks > 0 && size % blocks == 0)) continue;
    return check_fail(
        check, "dimension %u of size %" PRId64 " is not %" PRId64 " equal blocks", i, size, blocks);
  }
  return true;
}

bool infer_scaled_dot(const Check *check, const Shape **shape) {
  VerifyDotSide lhs, rhs;
  if (!check_sides(check, &lhs, &rhs)) return false;
  for (uint32_t i = 2; i < check->instruction->operand_count; i++) {
    if (!check_scale(check, i, i == 2 ? &lhs : &rhs)) return false;
  }
  Sizes sizes = sizes_for(check, &lhs, &rhs);
  return dot_result(check, &sizes, &lhs, &rhs, shape);
}
