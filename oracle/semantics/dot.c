/* Contractions. The output's dimensions are the batch dimensions, then the left operand's
 * dimensions that are neither batch nor contracting, then the right operand's. An output element
 * reads both operands along the contracting dimensions.
 * scaled-dot: operands 2 and 3 scale the first two. An element of a scale covers a block of its
 * operand: in each dimension, the operand's size divided by the scale's.
 * ragged-dot: operand 2 contains the sizes of consecutive groups along one dimension of the left
 * operand, from position 0 on. If that dimension is
 *   kept         the row's group selects the part of the right operand; rows after the last group
 *                read nothing of either operand;
 *   contracting  the output's first dimension is the group, and only that group's positions are
 *                contracted;
 *   batch        a plain contraction, and nothing after the last group.
 * Every output element reads all group sizes of its batch, because the start of a group depends on
 * the sizes before it. A size below 0, which no document defines, counts as 0. */
#include "core/hlo/compare.h"
#include "oracle/semantics/product.h"

typedef enum DotRole : uint8_t { ROLE_BATCH, ROLE_CONTRACTING, ROLE_GROUP, ROLE_KEPT } DotRole;

/* The dimension numbers of one operand of a contraction, and the output dimensions at which its
 * batch and kept dimensions start. */
typedef struct DotOperand {
  const Ints *batch, *contracting, *group;
  uint32_t first_batch, first_kept;
} DotOperand;

/* The role of an operand's dimension, and the output dimension that it corresponds to. */
static DotRole role_of(const DotOperand *operand, uint32_t dimension, uint32_t *output) {
  uint32_t kept = 0;
  assert(operand->first_batch <= operand->first_kept);
  if (operand->group != nullptr && ints_has(operand->group, dimension)) return ROLE_GROUP;
  if (ints_has(operand->contracting, dimension)) return ROLE_CONTRACTING;
  if (ints_has(operand->batch, dimension)) {
    *output = operand->first_batch + ints_find(operand->batch, dimension);
    return ROLE_BATCH;
  }
  for (uint32_t i = 0; i < dimension; i++)
    kept += !ints_has(operand->contracting, i) && !ints_has(operand->batch, i) &&
            !(operand->group != nullptr && ints_has(operand->group, i));
  *output = operand->first_kept + kept;
  return ROLE_KEPT;
}

/* The positions along the ragged dimension that belong to a group: first .. end - 1. */
typedef struct DotRagged {
  int64_t group; /* the group of the right operand that the output element reads; -1 if it has no
                    group dimension */
  uint32_t contracting; /* the position among the contracting dimensions that is restricted,
                           UINT32_MAX for none */
  Wide first, end;
} DotRagged;

static void read_contracted(
    Reading *reading, uint32_t number, const DotOperand *operand, const DotRagged *ragged) {
  Product product;
  product_begin(reading, number, &product);
  for (uint32_t i = 0; i < product.leaf->rank; i++) {
    uint32_t output = 0;
    DotRole role = role_of(operand, i, &output);
    if (role == ROLE_GROUP) product_add(&product, i, ragged->group);
    else if (role != ROLE_CONTRACTING) {
      assert(output < reading->node->leaves[0].rank);
      product_add(&product, i, reading->at[output]);
    } else if (ints_has(operand->contracting, i) &&
               ints_find(operand->contracting, i) == ragged->contracting)
      product_add_range(&product, i, ragged->first, ragged->end - 1);
    else product_add_all(&product, i);
  }
  product_read(reading, &product);
}

/* The left and right operand of a contraction whose output has `first` dimensions before its batch
 * dimensions. */
static void operands_of(Reading *reading, uint32_t first, DotOperand *left, DotOperand *right) {
  const DotNumbers *dot = reading->node->instruction->dot;
  uint32_t batches = dot->lhs_batch.count, left_rank = read_operand(reading, 0)->rank;
  assert(batches == dot->rhs_batch.count && left_rank >= batches + dot->lhs_contracting.count);
  uint32_t left_kept = left_rank - batches - dot->lhs_contracting.count;
  *left = (DotOperand){&dot->lhs_batch, &dot->lhs_contracting, nullptr, first, first + batches};
  *right = (DotOperand){
      &dot->rhs_batch, &dot->rhs_contracting, &dot->rhs_group, first, first + batches + left_kept};
}

bool read_dot(Reading *reading) {
  DotOperand left, right;
  DotRagged whole = {.group = -1, .contracting = UINT32_MAX};
  if (reading->node->instruction->dot == nullptr) return read_unsupported(reading);
  operands_of(reading, 0, &left, &right);
  if (read_wants(reading, 0)) read_contracted(reading, 0, &left, &whole);
  if (read_wants(reading, 1)) read_contracted(reading, 1, &right, &whole);
  return true;
}

/* Reads the elements of a scale whose blocks contain positions that the operand reads. */
static void read_scale(
    Reading *reading, uint32_t number, uint32_t scaled, const DotOperand *operand) {
  Product product;
  const Leaf *of = read_operand(reading, scaled);
  product_begin(reading, number, &product);
  for (uint32_t i = 0; i < product.leaf->rank; i++) {
    uint32_t output = 0;
    if (of->sizes[i] == 0) return; /* nothing is contracted: a block has no position */
    int64_t block = product.leaf->sizes[i] == 0 ? 1 : of->sizes[i] / product.leaf->sizes[i];
    if (role_of(operand, i, &output) == ROLE_CONTRACTING) product_add_all(&product, i);
    else product_add(&product, i, reading->at[output] / block);
  }
  product_read(reading, &product);
}

static bool is_scale_of(const Leaf *scale, const Leaf *operand) {
  bool fits = scale->rank == operand->rank;
  for (uint32_t i = 0; fits && i < scale->rank; i++)
    fits = scale->sizes[i] == operand->sizes[i] ||
           (scale->sizes[i] > 0 && operand->sizes[i] % scale->sizes[i] == 0);
  return fits || scale->rank == 0;
}

bool read_scaled_dot(Reading *reading) {
  const Instruction *instruction = reading->node->instruction;
  DotOperand operands[2];
  if (instruction->dot == nullptr || instruction->operand_count == 3)
    return read_unsupported(reading);
  operands_of(reading, 0, &operands[0], &operands[1]);
  if (!read_dot(reading)) return false;
  for (uint32_t i = 2; i < instruction->operand_count; i++) {
    if (!is_scale_of(read_operand(reading, i), read_operand(reading, i - 2)))
      return read_unsupported(reading);
    if (!read_wants(reading, i)) continue;
    if (read_operand(reading, i)->rank == 0) read_element(reading, i, 0);
    else read_scale(reading, i, i - 2, &operands[i - 2]);
  }
  return true;
}

/* The row of group sizes. Their leading dimensions are the left side's batch dimensions, or those
 * before the ragged one in their list if it is one of them; then, of the dimensions with the ragged
 * one's role, those before it: contracting ones in their list, kept ones in the operand. */
typedef struct DotGroups {
  uint32_t ragged; /* dimension of the left operand */
  DotRole role;
  int64_t prefix[oracle_max_rank]; /* index of the row of group sizes */
  bool is_open[oracle_max_rank];   /* contracted: every row is used */
  uint32_t prefix_rank;
  int64_t count;
} DotGroups;

static void add_prefix(DotGroups *groups, int64_t position, bool is_open) {
  assert(groups->prefix_rank < oracle_max_rank);
  groups->is_open[groups->prefix_rank] = is_open;
  groups->prefix[groups->prefix_rank++] = position;
}

/* Finds the row of group sizes that an output element uses. False if group sizes have another form
 * than described. */
static bool find_groups(Reading *reading, const DotOperand *left, DotGroups *groups) {
  const DotNumbers *dot = reading->node->instruction->dot;
  const Leaf *sizes = read_operand(reading, 2);
  uint32_t output;
  *groups = (DotGroups){.ragged = (uint32_t)dot->lhs_ragged.values[0]};
  groups->role = role_of(left, groups->ragged, &output);
  for (uint32_t i = 0; i < dot->lhs_batch.count && dot->lhs_batch.values[i] != groups->ragged; i++)
    add_prefix(groups, reading->at[left->first_batch + i], false);
  if (ints_has(left->contracting, groups->ragged))
    for (uint32_t i = 0; i < ints_find(left->contracting, groups->ragged); i++)
      add_prefix(groups, 0, true);
  for (uint32_t i = 0; groups->role == ROLE_KEPT && i < groups->ragged; i++)
    if (role_of(left, i, &output) == ROLE_KEPT) add_prefix(groups, reading->at[output], false);
  if (sizes->rank == 1) groups->prefix_rank = 0;
  groups->count = sizes->rank == 0 ? 0 : sizes->sizes[sizes->rank - 1];
  return sizes->rank == groups->prefix_rank + 1;
}

/* Sums the sizes of the groups before `group` in one row: the start of that group, or the end of
 * all groups. */
static bool group_start(Reading *reading, const DotGroups *groups, int64_t group, Wide *start) {
  const Leaf *sizes = read_operand(reading, 2);
  int64_t at[oracle_max_rank] = {}, most = read_operand(reading, 0)->sizes[groups->ragged];
  assert(group >= 0 && group <= groups->count && sizes->rank == groups->prefix_rank + 1);
  *start = 0;
  for (uint32_t i = 0; i < groups->prefix_rank; i++) at[i] = groups->prefix[i];
  for (int64_t g = 0; g < group; g++) {
    Wide size;
    at[groups->prefix_rank] = g;
    if (!reading->read_value(reading, 2, leaf_element(sizes, at), 0, most, &size)) return false;
    *start += wide_max(size, 0);
  }
  return true;
}

static bool read_kept_group(
    Reading *reading, const DotGroups *groups, const DotOperand *left, const DotOperand *right) {
  uint32_t output = 0;
  DotRagged ragged = {.contracting = UINT32_MAX};
  assert(groups->role == ROLE_KEPT);
  (void)role_of(left, groups->ragged, &output);
  for (ragged.group = 0; ragged.group < groups->count; ragged.group++) {
    Wide end;
    if (!group_start(reading, groups, ragged.group + 1, &end)) return false;
    if (reading->at[output] >= end) continue;
    if (read_wants(reading, 0)) read_contracted(reading, 0, left, &ragged);
    if (read_wants(reading, 1)) read_contracted(reading, 1, right, &ragged);
    return true;
  }
  return true;
}

static bool read_contracted_group(
    Reading *reading, const DotGroups *groups, const DotOperand *left, const DotOperand *right) {
  DotRagged ragged = {.group = -1, .contracting = UINT32_MAX};
  bool is_split = false;
  assert(groups->role == ROLE_CONTRACTING);
  for (uint32_t i = 0; i < groups->prefix_rank; i++) is_split = is_split || groups->is_open[i];
  if (is_split)
    return reject(reading->rejection, REASON_UNSUPPORTED,
        "'%s' has a row of groups for each contracted place", reading->node->instruction->name);
  ragged.contracting = ints_find(left->contracting, groups->ragged);
  if (!group_start(reading, groups, reading->at[0], &ragged.first) ||
      !group_start(reading, groups, reading->at[0] + 1, &ragged.end))
    return false;
  if (read_wants(reading, 0)) read_contracted(reading, 0, left, &ragged);
  if (read_wants(reading, 1)) read_contracted(reading, 1, right, &ragged);
  return true;
}

static bool read_batch_group(
    Reading *reading, const DotGroups *groups, const DotOperand *left, const DotOperand *right) {
  DotRagged whole = {.group = -1, .contracting = UINT32_MAX};
  uint32_t output = 0;
  Wide end;
  assert(groups->role == ROLE_BATCH);
  (void)role_of(left, groups->ragged, &output);
  if (!group_start(reading, groups, groups->count, &end)) return false;
  if (reading->at[output] >= end) return true;
  if (read_wants(reading, 0)) read_contracted(reading, 0, left, &whole);
  if (read_wants(reading, 1)) read_contracted(reading, 1, right, &whole);
  return true;
}

static void read_group_sizes(Reading *reading, const DotGroups *groups) {
  Product product;
  product_begin(reading, 2, &product);
  for (uint32_t i = 0; i < groups->prefix_rank; i++) {
    if (groups->is_open[i]) product_add_all(&product, i);
    else product_add(&product, i, groups->prefix[i]);
  }
  product_add_all(&product, groups->prefix_rank);
  product_read(reading, &product);
}

bool read_ragged_dot(Reading *reading) {
  const DotNumbers *dot = reading->node->instruction->dot;
  DotOperand left, right;
  DotGroups groups;
  if (dot == nullptr || dot->lhs_ragged.count != 1) return read_unsupported(reading);
  bool is_contracted = ints_has(&dot->lhs_contracting, dot->lhs_ragged.values[0]);
  operands_of(reading, is_contracted ? 1 : 0, &left, &right);
  if (!find_groups(reading, &left, &groups)) return read_unsupported(reading);
  if (read_wants(reading, 2)) read_group_sizes(reading, &groups);
  if (!read_wants(reading, 0) && !read_wants(reading, 1)) return true;
  switch (groups.role) {
    case ROLE_KEPT: return read_kept_group(reading, &groups, &left, &right);
    case ROLE_CONTRACTING: return read_contracted_group(reading, &groups, &left, &right);
    case ROLE_BATCH: return read_batch_group(reading, &groups, &left, &right);
    case ROLE_GROUP: break;
  }
  return read_unsupported(reading);
}
