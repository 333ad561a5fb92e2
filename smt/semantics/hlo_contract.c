/* Products: dot and its variants, and convolution.
 * dot: the output has the batch dimensions, then the left side's free dimensions, then the right
 * side's; contracted dimensions are hidden integers.
 * Convolution: output position o and window position w read the input at o*stride +
 * w*window_dilation - pad_low of the dilated input. They read the kernel at w, counted from the
 * other end if it is reversed. The output feature determines the feature group and the batch group:
 *   input feature = feature group * (kernel input features) + c,
 *   input batch = batch group * (input batch / groups) + o. */
#include "smt/semantics/hlo_reading.h"

#include <assert.h>

typedef struct DotSide {
  uint32_t operand;
  Ints batch, contracting;
  uint32_t first_free;  /* the output dimension of its first free dimension */
  uint32_t first_batch; /* of its first batch dimension */
} DotSide;

/* Reads one side; a `skipped` dimension (or UINT32_MAX) is not in the output and is left at 0. */
static Access *read_side(SmtReading *reading, const DotSide *side, uint32_t skipped) {
  Access *access = reading_access(reading, side->operand, 0);
  const Shape *shape = operand_leaf_shape(reading, side->operand, 0);
  uint32_t next = side->first_free, at;
  for (uint32_t i = 0; i < access->rank; i++) {
    if (i == skipped) continue;
    if (reading_finds(side->batch, i, &at))
      access->element[i] = reading->index[side->first_batch + at];
    else if (reading_finds(side->contracting, i, &at))
      access->element[i] =
          piece_hidden(reading->sums, &access->piece, "k", 0, (Wide)shape->sizes[i] - 1);
    else access->element[i] = reading->index[next++];
  }
  return access;
}

static DotSide left_side(const SmtReading *reading) {
  const DotNumbers *dot = reading->instruction->dot;
  return (DotSide){.operand = 0,
      .batch = dot->lhs_batch,
      .contracting = dot->lhs_contracting,
      .first_free = dot->lhs_batch.count};
}

static DotSide right_side(const SmtReading *reading) {
  const DotNumbers *dot = reading->instruction->dot;
  uint32_t lhs_free =
      operand_leaf_shape(reading, 0, 0)->rank - dot->lhs_batch.count - dot->lhs_contracting.count;
  return (DotSide){.operand = 1,
      .batch = dot->rhs_batch,
      .contracting = dot->rhs_contracting,
      .first_free = dot->lhs_batch.count + lhs_free};
}

bool reads_of_dot(SmtReading *reading) {
  if (reading->instruction->dot == nullptr)
    return reading_lacks(reading, "a dot without dimension numbers");
  DotSide left = left_side(reading), right = right_side(reading);
  (void)read_side(reading, &left, UINT32_MAX);
  (void)read_side(reading, &right, UINT32_MAX);
  return true;
}

static constexpr uint32_t most_groups = 64;

/* Group g has the positions from the sum of the earlier sizes on. Sizes have rank 1, or leading
 * dimensions according to the mode:
 *   rows are free:       the batch dimensions and the free dimensions outside the ragged one;
 *   rows are contracted: the batch dimensions and the contracted dimensions before it;
 *   rows are a batch:    the batch dimensions before it. */
typedef struct HloContractRagged {
  SmtReading *reading;
  const DotNumbers *dot;
  DotSide left, right;
  int64_t lhs_dim, rhs_dim, rhs_group; /* rhs_dim is contracted with lhs_dim, -1 if it is not
                                          contracted; rhs_group -1 if there is no group dimension */
  uint32_t groups, outer_count;
  uint32_t *outer; /* [outer_count]: dimensions of the left side, in the order of the sizes' leading
                      dimensions */
} HloContractRagged;

static void add_outer(HloContractRagged *ragged, Ints list, bool all) {
  for (uint32_t i = 0; i < list.count && (all || list.values[i] != ragged->lhs_dim); i++)
    ragged->outer[ragged->outer_count++] = (uint32_t)list.values[i];
}

static void find_outer(HloContractRagged *ragged) {
  const DotNumbers *dot = ragged->dot;
  uint32_t at, rank = operand_leaf_shape(ragged->reading, 0, 0)->rank;
  bool is_batch = reading_finds(dot->lhs_batch, ragged->lhs_dim, &at);
  ragged->outer = ARENA_NEW(ragged->reading->sums->arena, uint32_t, 2 * rank);
  add_outer(ragged, dot->lhs_batch, !is_batch);
  if (ragged->rhs_dim >= 0) add_outer(ragged, dot->lhs_contracting, false);
  for (uint32_t i = 0; i < rank && i < ragged->lhs_dim && !is_batch && ragged->rhs_dim < 0; i++)
    if (!reading_finds(dot->lhs_batch, i, &at) && !reading_finds(dot->lhs_contracting, i, &at))
      ragged->outer[ragged->outer_count++] = i;
}

static bool has_group_sizes(HloContractRagged *ragged) {
  const Shape *sizes = operand_leaf_shape(ragged->reading, 2, 0);
  find_outer(ragged);
  if (sizes->rank == 0 || (sizes->rank != 1 && sizes->rank != ragged->outer_count + 1))
    return false;
  if (sizes->rank == 1) ragged->outer_count = 0;
  ragged->groups = (uint32_t)sizes->sizes[sizes->rank - 1];
  return sizes->sizes[sizes->rank - 1] <= most_groups;
}

/* The sum of the sizes of the groups before `group`, in the row of sizes of the left side's
 * element. A size below 0, which no document defines, counts as 0. */
static Sum group_start(const HloContractRagged *ragged, const Sum *left, uint32_t group) {
  Sums *sums = ragged->reading->sums;
  Sum start = sum_of_constant(sums, 0);
  for (uint32_t g = 0; g < group; g++) {
    Sum *index = ARENA_NEW(sums->arena, Sum, ragged->outer_count + 1);
    for (uint32_t i = 0; i < ragged->outer_count; i++) index[i] = left[ragged->outer[i]];
    index[ragged->outer_count] = sum_of_constant(sums, g);
    Sum size = ragged->reading->value(
        sums, ragged->reading->frame, ragged->reading->instruction->operands[2], 0, index);
    start = sum_add(sums, start, sum_max(sums, size, sum_of_constant(sums, 0)));
  }
  return start;
}

/* Constrains the row to the groups first .. last - 1. */
static void within_groups(const HloContractRagged *ragged, Access *access, const Sum *left, Sum row,
    uint32_t first, uint32_t last) {
  Sums *sums = ragged->reading->sums;
  piece_within(
      sums, &access->piece, sum_subtract(sums, row, group_start(ragged, left, first)), 0, no_bound);
  piece_within(
      sums, &access->piece, sum_subtract(sums, group_start(ragged, left, last), row), 1, no_bound);
}

/* Reads all sizes in the row of the left side's element, because together they determine where
 * groups begin and end. Every contracted position reads its own row. */
static void read_sizes(HloContractRagged *ragged, const Sum *left) {
  Access *access = reading_access(ragged->reading, 2, 0);
  uint32_t at;
  for (uint32_t i = 0; i < ragged->outer_count; i++) {
    uint32_t dimension = ragged->outer[i];
    bool is_contracted = reading_finds(ragged->dot->lhs_contracting, dimension, &at);
    int64_t size = operand_leaf_shape(ragged->reading, 0, 0)->sizes[dimension];
    access->element[i] = is_contracted ? piece_hidden(ragged->reading->sums, &access->piece,
                                             "outer", 0, (Wide)size - 1)
                                       : left[dimension];
  }
  access->element[ragged->outer_count] =
      piece_hidden(ragged->reading->sums, &access->piece, "group", 0, (Wide)ragged->groups - 1);
}

/* Free rows: a row reads the right side of its group; a row after all groups reads nothing. */
static void read_ragged_rows(HloContractRagged *ragged, uint32_t group) {
  Access *left = read_side(ragged->reading, &ragged->left, UINT32_MAX);
  if (group == 0) read_sizes(ragged, left->element);
  Sum row = left->element[ragged->lhs_dim];
  within_groups(ragged, left, left->element, row, group, group + 1);
  Access *right = read_side(ragged->reading, &ragged->right, (uint32_t)ragged->rhs_group);
  right->element[ragged->rhs_group] = sum_of_constant(ragged->reading->sums, group);
  within_groups(ragged, right, left->element, row, group, group + 1);
}

/* The left side's element that is multiplied with an element of the right side, in the dimensions
 * that both share. */
static const Sum *left_of(
    const HloContractRagged *ragged, const Access *right, const Access *left) {
  Sum *element = ARENA_NEW(ragged->reading->sums->arena, Sum, left->rank);
  for (uint32_t i = 0; i < left->rank; i++) element[i] = left->element[i];
  for (uint32_t i = 0; i < ragged->dot->lhs_contracting.count; i++)
    element[ragged->dot->lhs_contracting.values[i]] =
        right->element[ragged->dot->rhs_contracting.values[i]];
  return element;
}

/* Contracted rows: the output's first dimension is the group, and the contraction is over that
 * group only. */
static void read_ragged_contraction(HloContractRagged *ragged, uint32_t group) {
  Access *left = read_side(ragged->reading, &ragged->left, UINT32_MAX),
         *right = read_side(ragged->reading, &ragged->right, UINT32_MAX);
  const Sum *of_right = left_of(ragged, right, left);
  if (group == 0) read_sizes(ragged, left->element);
  piece_within(ragged->reading->sums, &left->piece, ragged->reading->index[0], group, group);
  piece_within(ragged->reading->sums, &right->piece, ragged->reading->index[0], group, group);
  within_groups(ragged, left, left->element, left->element[ragged->lhs_dim], group, group + 1);
  within_groups(ragged, right, of_right, right->element[ragged->rhs_dim], group, group + 1);
}

/* A ragged batch: the positions of all groups, and none after them. */
static void read_ragged_batch(HloContractRagged *ragged) {
  Access *left = read_side(ragged->reading, &ragged->left, UINT32_MAX),
         *right = read_side(ragged->reading, &ragged->right, UINT32_MAX);
  Sum row = left->element[ragged->lhs_dim];
  if (ragged->groups > 0) read_sizes(ragged, left->element);
  within_groups(ragged, left, left->element, row, 0, ragged->groups);
  within_groups(ragged, right, left->element, row, 0, ragged->groups);
}

/* The values of the group sizes determine which elements are multiplied. */
bool reads_of_ragged_dot(SmtReading *reading) {
  const DotNumbers *dot = reading->instruction->dot;
  uint32_t at;
  if (dot == nullptr || dot->lhs_ragged.count != 1)
    return reading_lacks(reading, "a ragged dot without one ragged dimension");
  HloContractRagged ragged = {.reading = reading,
      .dot = dot,
      .left = left_side(reading),
      .right = right_side(reading),
      .lhs_dim = dot->lhs_ragged.values[0],
      .rhs_dim = -1,
      .rhs_group = -1};
  bool is_batch = reading_finds(dot->lhs_batch, ragged.lhs_dim, &at);
  if (reading_finds(dot->lhs_contracting, ragged.lhs_dim, &at)) {
    ragged.rhs_dim = dot->rhs_contracting.values[at];
    ragged.left.first_batch = ragged.right.first_batch = 1;
    ragged.left.first_free++;
    ragged.right.first_free++;
  }
  if (dot->rhs_group.count == 1) ragged.rhs_group = dot->rhs_group.values[0];
  if ((!is_batch && ragged.rhs_dim < 0 && ragged.rhs_group < 0) || !has_group_sizes(&ragged))
    return reading_lacks(reading, "a ragged dot with group sizes that are not followed");
  for (uint32_t g = 0; g < ragged.groups && !is_batch; g++) {
    if (ragged.rhs_dim >= 0) read_ragged_contraction(&ragged, g);
    else read_ragged_rows(&ragged, g);
  }
  if (is_batch) read_ragged_batch(&ragged);
  return true;
}

/* A scale covers a block of its operand; the number of blocks in each dimension is the scale's
 * size. */
static void read_scale(SmtReading *reading, uint32_t operand, const DotSide *side) {
  assert(operand < reading->instruction->operand_count);
  const Shape *scale = operand_leaf_shape(reading, operand, 0),
              *shape = operand_leaf_shape(reading, side->operand, 0);
  if (scale->rank == 0) {
    reading_scalar(reading, operand);
    return;
  }
  Access *of_side = read_side(reading, side, UINT32_MAX),
         *access = reading_access(reading, operand, 0);
  reading->accesses.count -= 2;
  access->piece = of_side->piece;
  for (uint32_t i = 0; i < scale->rank; i++) {
    Wide block = scale->sizes[i] > 0 ? shape->sizes[i] / scale->sizes[i] : 1;
    access->element[i] =
        block > 0 ? sum_floordiv(reading->sums, of_side->element[i], block) : of_side->element[i];
  }
  reading->accesses.items[reading->accesses.count++] = access;
}

bool reads_of_scaled_dot(SmtReading *reading) {
  if (!reads_of_dot(reading)) return false;
  DotSide left = left_side(reading), right = right_side(reading);
  for (uint32_t i = 2; i < reading->instruction->operand_count; i++)
    read_scale(reading, i, i == 2 ? &left : &right);
  return true;
}

typedef struct HloContractConvolving {
  SmtReading *reading;
  const ConvolutionNumbers *numbers;
  const Shape *input, *kernel;
  Wide output_features;
} HloContractConvolving;

/* The input position at window position `within`; constrained to be an input element. */
static Sum input_position(
    const HloContractConvolving *work, Piece *piece, uint32_t spatial, Sum within) {
  return reading_in_window(work->reading->sums, piece,
      &work->reading->instruction->window->dims[spatial],
      work->reading->index[work->numbers->output_spatial.values[spatial]], within,
      work->input->sizes[work->numbers->input_spatial.values[spatial]]);
}

static Sum output_feature(const HloContractConvolving *work) {
  return work->reading->index[work->numbers->output_feature];
}

static Sum window_position(const HloContractConvolving *work, Piece *piece, uint32_t spatial) {
  return piece_hidden(work->reading->sums, piece, "w", 0,
      (Wide)work->reading->instruction->window->dims[spatial].size - 1);
}

static Sum group_of(const HloContractConvolving *work, Wide groups) {
  Wide features = work->output_features / groups;
  return sum_floordiv(work->reading->sums, output_feature(work), features > 0 ? features : 1);
}

static void read_input(const HloContractConvolving *work) {
  SmtReading *reading = work->reading;
  Sums *sums = reading->sums;
  const Instruction *convolution = reading->instruction;
  Access *access = reading_access(reading, 0, 0);
  Wide channels = work->kernel->sizes[work->numbers->kernel_input_feature];
  Sum channel = piece_hidden(sums, &access->piece, "c", 0, channels - 1);
  Wide batch = work->input->sizes[work->numbers->input_batch] / convolution->batch_group_count;
  Sum first = sum_scale(sums, group_of(work, convolution->batch_group_count), batch);
  access->element[work->numbers->input_batch] =
      sum_add(sums, first, reading->index[work->numbers->output_batch]);
  access->element[work->numbers->input_feature] =
      sum_add(sums, sum_scale(sums, group_of(work, convolution->number), channels), channel);
  for (uint32_t i = 0; i < work->numbers->input_spatial.count; i++)
    access->element[work->numbers->input_spatial.values[i]] =
        input_position(work, &access->piece, i, window_position(work, &access->piece, i));
}

/* A kernel element is read only if it is multiplied with an input element, not with padding or a
 * hole of the dilation only. */
static void read_kernel(const HloContractConvolving *work) {
  SmtReading *reading = work->reading;
  Sums *sums = reading->sums;
  Access *access = reading_access(reading, 1, 0);
  access->element[work->numbers->kernel_input_feature] = piece_hidden(sums, &access->piece, "c", 0,
      (Wide)work->kernel->sizes[work->numbers->kernel_input_feature] - 1);
  access->element[work->numbers->kernel_output_feature] = output_feature(work);
  for (uint32_t i = 0; i < work->numbers->input_spatial.count; i++) {
    const WindowDim *window = &reading->instruction->window->dims[i];
    Sum within = window_position(work, &access->piece, i);
    Sum mirrored = sum_plus(sums, sum_scale(sums, within, -1), (Wide)window->size - 1);
    access->element[work->numbers->kernel_spatial.values[i]] = window->reversal ? mirrored : within;
    (void)input_position(work, &access->piece, i, within);
  }
}

bool reads_of_convolution(SmtReading *reading) {
  const Instruction *convolution = reading->instruction;
  const ConvolutionNumbers *numbers = convolution->convolution;
  uint32_t window_rank = convolution->window == nullptr ? 0 : convolution->window->rank;
  if (numbers == nullptr || window_rank != numbers->input_spatial.count ||
      convolution->batch_group_count < 1 || convolution->number < 1)
    return reading_lacks(reading, "a convolution without its numbers");
  HloContractConvolving work = {.reading = reading, .numbers = numbers};
  work.input = operand_leaf_shape(reading, 0, 0);
  work.kernel = operand_leaf_shape(reading, 1, 0);
  work.output_features = work.kernel->sizes[numbers->kernel_output_feature];
  read_kernel(&work);
  read_input(&work);
  return true;
}
