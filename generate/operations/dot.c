/* dot: each left dimension is free, contracting or batch. The right side has the shared dimensions
 * in any order and at most one free dimension. ragged-dot and scaled-dot of a matrix contract one
 * of its two dimensions; ragged-dot may also be ragged along a batch dimension. */
#include "generate/operations/operation.h"

typedef enum DimensionRole : uint8_t { DOT_FREE, DOT_CONTRACTING, DOT_BATCH } DimensionRole;
static constexpr uint32_t role_count = DOT_BATCH + 1;

typedef struct Roles {
  uint32_t count[role_count];
  int64_t dimensions[role_count][tensor_max_rank];
} Roles;

static Roles choose_roles(OperationCase *at_hand) {
  Roles roles = {};
  for (uint32_t i = 0; i < at_hand->in.rank; i++) {
    uint64_t role = choose(at_hand->choices, role_count);
    roles.dimensions[role][roles.count[role]++] = i;
  }
  return roles;
}

/* Builds the right side: batch, contracting and free dimensions go to the positions `at`. */
static Tensor right_of(
    OperationCase *at_hand, const Roles *roles, const uint32_t *at, uint32_t rank, int64_t free) {
  uint32_t batch = roles->count[DOT_BATCH], shared = batch + roles->count[DOT_CONTRACTING];
  Tensor right = {.rank = rank}, *out = &at_hand->out;
  *out = (Tensor){};
  for (uint32_t i = 0; i < shared; i++) {
    int64_t from =
        i < batch ? roles->dimensions[DOT_BATCH][i] : roles->dimensions[DOT_CONTRACTING][i - batch];
    right.sizes[at[i]] = at_hand->in.sizes[from];
    if (i < batch) out->sizes[out->rank++] = at_hand->in.sizes[from];
  }
  for (uint32_t i = 0; i < roles->count[DOT_FREE]; i++)
    out->sizes[out->rank++] = at_hand->in.sizes[roles->dimensions[DOT_FREE][i]];
  if (rank > shared) right.sizes[at[shared]] = out->sizes[out->rank++] = free;
  return right;
}

static void build_dot(
    OperationCase *at_hand, const Roles *roles, const uint32_t *at, const Tensor *right) {
  Builder *builder = at_hand->builder;
  uint32_t batch = roles->count[DOT_BATCH], contracting = roles->count[DOT_CONTRACTING];
  int64_t positions[tensor_max_rank];
  for (uint32_t i = 0; i < batch + contracting; i++) positions[i] = at[i];
  DotNumbers numbers = {.lhs_batch = hlo_build_ints(builder, batch, roles->dimensions[DOT_BATCH]),
      .rhs_batch = hlo_build_ints(builder, batch, positions),
      .lhs_contracting = hlo_build_ints(builder, contracting, roles->dimensions[DOT_CONTRACTING]),
      .rhs_contracting = hlo_build_ints(builder, contracting, positions + batch)};
  Instruction *operands[] = {
      at_hand->operand, at_hand->source->array(at_hand->source, TYPE_f32, right)};
  at_hand->result = hlo_build_dot(builder, HLO_DOT, 2, operands, &numbers);
}

bool generate_dot(OperationCase *at_hand) {
  uint32_t at[tensor_max_rank];
  if (at_hand->type != TYPE_f32) return false;
  Roles roles = choose_roles(at_hand);
  uint32_t shared = roles.count[DOT_BATCH] + roles.count[DOT_CONTRACTING];
  operation_join(at_hand, GENERATED_dot, at_hand->in.rank, shared);
  int64_t most = at_hand->limits->added == 0 ? 0 : at_hand->limits->columns,
          free = choose_between(at_hand->choices, 0, most);
  uint32_t rank = shared + (free > 0);
  choose_arrangement(at_hand->choices, rank, rank, at);
  Tensor right = right_of(at_hand, &roles, at, rank, free);
  if (at_hand->builder != nullptr) build_dot(at_hand, &roles, at, &right);
  return true;
}

/* The right side for a matrix: the contracted dimension and the columns, in both orders. */
typedef struct DotSides {
  int64_t left, right; /* contracted dimensions */
  Tensor other;
} DotSides;

static DotSides choose_sides(OperationCase *at_hand) {
  DotSides sides = {.left = choose_bool(at_hand->choices),
      .right = choose_bool(at_hand->choices),
      .other.rank = 2};
  sides.other.sizes[sides.right] = at_hand->in.sizes[sides.left];
  sides.other.sizes[1 - sides.right] =
      choose_between(at_hand->choices, 1, at_hand->limits->columns);
  return sides;
}

static DotNumbers contracted(Builder *builder, int64_t left, int64_t right) {
  return (DotNumbers){.lhs_contracting = hlo_build_ints(builder, 1, &left),
      .rhs_contracting = hlo_build_ints(builder, 1, &right)};
}

/* Chooses a scale: a scalar, or a matrix of blocks. */
static Tensor choose_scale(Choices *choices, const Tensor *of) {
  Tensor scale = {};
  if (!choose_bool(choices)) return scale;
  scale.rank = 2;
  for (uint32_t i = 0; i < 2; i++) scale.sizes[i] = choose_divisor(choices, of->sizes[i]);
  return scale;
}

bool generate_scaled_dot(OperationCase *at_hand) {
  if (at_hand->in.rank != 2 || at_hand->type != TYPE_f32) return false;
  DotSides sides = choose_sides(at_hand);
  Tensor left = choose_scale(at_hand->choices, &at_hand->in),
         right = choose_scale(at_hand->choices, &sides.other);
  at_hand->out = (Tensor){
      .rank = 2, .sizes = {at_hand->in.sizes[1 - sides.left], sides.other.sizes[1 - sides.right]}};
  if (at_hand->builder == nullptr) return true;
  OperandSource *source = at_hand->source;
  Instruction *operands[] = {at_hand->operand, source->array(source, TYPE_f32, &sides.other),
      source->array(source, TYPE_f32, &left), source->array(source, TYPE_f32, &right)};
  DotNumbers numbers = contracted(at_hand->builder, sides.left, sides.right);
  at_hand->result = hlo_build_dot(at_hand->builder, HLO_SCALED_DOT, 4, operands, &numbers);
  return true;
}

static constexpr uint32_t group_capacity = 4;

/* Group sizes: a parameter, or constants from 0 to the ragged size. */
typedef struct Groups {
  uint32_t count;
  bool is_known;
  int64_t sizes[group_capacity];
} Groups;

static Groups choose_groups(OperationCase *at_hand, int64_t size) {
  Groups groups = {
      .count = (uint32_t)choose_between(at_hand->choices, 1, at_hand->limits->ragged_groups)};
  groups.is_known = at_hand->limits->knows_groups && choose_bool(at_hand->choices);
  for (uint32_t i = 0; groups.is_known && i < groups.count; i++)
    groups.sizes[i] = choose_between(at_hand->choices, 0, size);
  return groups;
}

static void build_ragged(
    OperationCase *at_hand, const Tensor *other, const Groups *groups, DotNumbers numbers) {
  OperandSource *source = at_hand->source;
  Tensor shape = {.rank = 1, .sizes = {groups->count}};
  Instruction *right = source->array(source, TYPE_f32, other),
              *sizes = groups->is_known ? source->constants(source, &shape, groups->sizes)
                                        : source->array(source, TYPE_s32, &shape);
  at_hand->result = hlo_build_dot(at_hand->builder, HLO_RAGGED_DOT, 3,
      (Instruction *[]){at_hand->operand, right, sizes}, &numbers);
}

/* Builds a ragged-dot whose batch dimension is ragged: the groups divide it on both sides. */
static bool ragged_batch(OperationCase *at_hand) {
  const int64_t *sizes = at_hand->in.sizes, zero = 0;
  Tensor other = {.rank = 3,
      .sizes = {sizes[0], sizes[2], choose_between(at_hand->choices, 1, at_hand->limits->columns)}};
  Groups groups = choose_groups(at_hand, sizes[0]);
  at_hand->out = (Tensor){.rank = 3, .sizes = {sizes[0], sizes[1], other.sizes[2]}};
  if (at_hand->builder == nullptr) return true;
  DotNumbers numbers = contracted(at_hand->builder, 2, 1);
  numbers.lhs_batch = numbers.rhs_batch = numbers.lhs_ragged =
      hlo_build_ints(at_hand->builder, 1, &zero);
  build_ragged(at_hand, &other, &groups, numbers);
  return true;
}

bool generate_ragged_dot(OperationCase *at_hand) {
  if (at_hand->type != TYPE_f32) return false;
  if (at_hand->in.rank == 3 && at_hand->limits->has_ragged_batch) return ragged_batch(at_hand);
  if (at_hand->in.rank != 2) return false;
  DotSides sides = choose_sides(at_hand);
  int64_t ragged = choose_bool(at_hand->choices), zero = 0;
  Groups groups = choose_groups(at_hand, at_hand->in.sizes[ragged]);
  bool is_contracted = ragged == sides.left;
  int64_t rows = at_hand->in.sizes[1 - sides.left], columns = sides.other.sizes[1 - sides.right];
  Tensor other = sides.other;
  at_hand->out = is_contracted ? (Tensor){.rank = 3, .sizes = {groups.count, rows, columns}}
                               : (Tensor){.rank = 2, .sizes = {rows, columns}};
  if (!is_contracted)
    other = (Tensor){.rank = 3, .sizes = {groups.count, other.sizes[0], other.sizes[1]}};
  if (at_hand->builder == nullptr) return true;
  DotNumbers numbers = contracted(at_hand->builder, sides.left, sides.right + !is_contracted);
  numbers.lhs_ragged = hlo_build_ints(at_hand->builder, 1, &ragged);
  if (!is_contracted) numbers.rhs_group = hlo_build_ints(at_hand->builder, 1, &zero);
  build_ragged(at_hand, &other, &groups, numbers);
  return true;
}
