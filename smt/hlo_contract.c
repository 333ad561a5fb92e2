/* Products: dot and its kin, convolution.
 * dot: the output has the batch dimensions, then the free ones of the left side, then those of the right; contracted dimensions run.
 * Convolution: place o, window place w: the input at o*stride + w*window_dilation - pad_low of the dilated input; the kernel at w, from
 * the other end where it is reversed. The output feature gives the feature group and the batch group:
 *   input feature = feature group * (kernel input features) + c, input batch = batch group * (input batch / groups) + o. */
#include "smt/hlo_reading.h"

typedef struct DotSide {
  uint32_t operand;
  Ints batch, contracting;
  uint32_t first_free;  /* the output dimension of its first free dimension */
  uint32_t first_batch; /* of its first batch dimension */
} DotSide;

/* The index of one side; a `skipped` dimension (or UINT32_MAX) has no place in the output and is left alone. */
static Access *read_side(Reading *reading, const DotSide *side, uint32_t skipped) {
  Access *access = reading_access(reading, side->operand, 0);
  const Shape *shape = operand_leaf_shape(reading, side->operand, 0);
  uint32_t next = side->first_free, at;
  for (uint32_t i = 0; i < access->rank; i++) {
    if (i == skipped) continue;
    if (reading_finds(side->batch, i, &at)) access->element[i] = reading->index[side->first_batch + at];
    else if (reading_finds(side->contracting, i, &at)) access->element[i] = piece_hidden(reading->sums, &access->piece, "k", 0, (Wide)shape->sizes[i] - 1);
    else access->element[i] = reading->index[next++];
  }
  return access;
}

static DotSide left_side(const Reading *reading) {
  const DotNumbers *dot = reading->instruction->dot;
  return (DotSide){.operand = 0, .batch = dot->lhs_batch, .contracting = dot->lhs_contracting, .first_free = dot->lhs_batch.count};
}

static DotSide right_side(const Reading *reading) {
  const DotNumbers *dot = reading->instruction->dot;
  uint32_t lhs_free = operand_leaf_shape(reading, 0, 0)->rank - dot->lhs_batch.count - dot->lhs_contracting.count;
  return (DotSide){.operand = 1, .batch = dot->rhs_batch, .contracting = dot->rhs_contracting, .first_free = dot->lhs_batch.count + lhs_free};
}

bool reads_of_dot(Reading *reading) {
  if (reading->instruction->dot == nullptr) return reading_lacks(reading, "a dot without dimension numbers");
  DotSide left = left_side(reading), right = right_side(reading);
  (void)read_side(reading, &left, UINT32_MAX);
  (void)read_side(reading, &right, UINT32_MAX);
  return true;
}

static constexpr uint32_t most_groups = 64;

typedef struct Ragged {
  Reading *reading;
  DotSide left, right;
  int64_t lhs_dim, rhs_dim, rhs_group; /* rhs_dim is contracted with lhs_dim, -1 where lhs_dim is free; rhs_group -1 where there is none */
  uint32_t groups;
  Sum *starts;                         /* [groups + 1]: sums of the sizes before each group */
} Ragged;

/* Sizes are of rank 1, or have the batch dimensions in front. */
static bool read_group_sizes(Ragged *ragged) {
  Reading *reading = ragged->reading;
  Sums *sums = reading->sums;
  const Shape *sizes = operand_leaf_shape(reading, 2, 0);
  uint32_t batches = sizes->rank - 1;
  if (sizes->rank == 0 || (batches != 0 && batches != ragged->left.batch.count) || sizes->sizes[batches] > most_groups) return false;
  ragged->groups = (uint32_t)sizes->sizes[batches];
  ragged->starts = ARENA_NEW(sums->arena, Sum, ragged->groups + 1);
  ragged->starts[0] = sum_of_constant(sums, 0);
  for (uint32_t g = 0; g < ragged->groups; g++) {
    Sum *index = ARENA_NEW(sums->arena, Sum, sizes->rank);
    for (uint32_t i = 0; i < batches; i++) index[i] = reading->index[ragged->left.first_batch + i];
    index[batches] = sum_of_constant(sums, g);
    Sum size = hlo_value(sums, reading->frame, reading->instruction->operands[2], 0, index);
    ragged->starts[g + 1] = sum_add(sums, ragged->starts[g], size);
  }
  return true;
}

/* starts[group] <= row < starts[group + 1]. */
static void within_group(Ragged *ragged, Access *access, Sum row, uint32_t group) {
  Sums *sums = ragged->reading->sums;
  piece_within(sums, &access->piece, sum_subtract(sums, row, ragged->starts[group]), 0, no_bound);
  piece_within(sums, &access->piece, sum_subtract(sums, ragged->starts[group + 1], row), 1, no_bound);
}

/* Rows are free: a row meets the right side of its group; a row behind all groups meets none, and is not read. */
static void read_ragged_rows(Ragged *ragged, uint32_t group) {
  Access *left = read_side(ragged->reading, &ragged->left, UINT32_MAX);
  Sum row = left->element[ragged->lhs_dim];
  within_group(ragged, left, row, group);
  Access *right = read_side(ragged->reading, &ragged->right, (uint32_t)ragged->rhs_group);
  right->element[ragged->rhs_group] = sum_of_constant(ragged->reading->sums, group);
  within_group(ragged, right, row, group);
}

/* Contracted: the output's first dimension is the group, and the contraction runs over the group alone. */
static void read_ragged_contraction(Ragged *ragged, uint32_t group) {
  Access *sides[] = {read_side(ragged->reading, &ragged->left, UINT32_MAX), read_side(ragged->reading, &ragged->right, UINT32_MAX)};
  for (uint32_t i = 0; i < 2; i++) {
    piece_within(ragged->reading->sums, &sides[i]->piece, ragged->reading->index[0], group, group);
    within_group(ragged, sides[i], sides[i]->element[i == 0 ? ragged->lhs_dim : ragged->rhs_dim], group);
  }
}

/* Which elements meet is a matter of the group sizes' values: group g has the rows from the sum of the sizes before it. */
bool reads_of_ragged_dot(Reading *reading) {
  const DotNumbers *dot = reading->instruction->dot;
  uint32_t at;
  if (dot == nullptr || dot->lhs_ragged.count != 1) return reading_lacks(reading, "a ragged dot without one ragged dimension");
  Ragged ragged = {.reading = reading, .left = left_side(reading), .right = right_side(reading), .lhs_dim = dot->lhs_ragged.values[0], .rhs_dim = -1, .rhs_group = -1};
  if (reading_finds(dot->lhs_contracting, ragged.lhs_dim, &at)) {
    ragged.rhs_dim = dot->rhs_contracting.values[at];
    ragged.left.first_batch = ragged.right.first_batch = 1;
    ragged.left.first_free++;
    ragged.right.first_free++;
  }
  if (dot->rhs_group.count == 1) ragged.rhs_group = dot->rhs_group.values[0];
  bool batch = reading_finds(dot->lhs_batch, ragged.lhs_dim, &at);
  if (batch || (ragged.rhs_dim < 0 && ragged.rhs_group < 0) || !read_group_sizes(&ragged))
    return reading_lacks(reading, "a ragged dot with group sizes that are not followed");
  for (uint32_t g = 0; g < ragged.groups; g++) {
    if (ragged.rhs_dim >= 0) read_ragged_contraction(&ragged, g);
    else read_ragged_rows(&ragged, g);
  }
  reading_lacks_operand(reading, 2, "how many group sizes are looked at depends on their values");
  return true;
}

/* A scale covers a block of its operand: as many blocks in each dimension as the scale has places. */
static void read_scale(Reading *reading, uint32_t operand, const DotSide *side) {
  const Shape *scale = operand_leaf_shape(reading, operand, 0), *shape = operand_leaf_shape(reading, side->operand, 0);
  if (scale->rank == 0) {
    reading_scalar(reading, operand);
    return;
  }
  Access *of_side = read_side(reading, side, UINT32_MAX), *access = reading_access(reading, operand, 0);
  reading->accesses.count -= 2;
  access->piece = of_side->piece;
  for (uint32_t i = 0; i < scale->rank; i++) {
    Wide block = scale->sizes[i] > 0 ? shape->sizes[i] / scale->sizes[i] : 1;
    access->element[i] = block > 0 ? sum_floordiv(reading->sums, of_side->element[i], block) : of_side->element[i];
  }
  reading->accesses.items[reading->accesses.count++] = access;
}

bool reads_of_scaled_dot(Reading *reading) {
  if (!reads_of_dot(reading)) return false;
  DotSide left = left_side(reading), right = right_side(reading);
  for (uint32_t i = 2; i < reading->instruction->operand_count; i++) read_scale(reading, i, i == 2 ? &left : &right);
  return true;
}

typedef struct Convolving {
  Reading *reading;
  const ConvolutionNumbers *numbers;
  const Shape *input, *kernel;
  Wide output_features;
} Convolving;

/* The input place under window place `within`; real input elements only. */
static Sum input_place(const Convolving *work, Piece *piece, uint32_t spatial, Sum within) {
  Sums *sums = work->reading->sums;
  const WindowDim *window = &work->reading->instruction->window->dims[spatial];
  Sum at = work->reading->index[work->numbers->output_spatial.values[spatial]];
  Sum place = sum_add(sums, sum_scale(sums, at, window->stride), sum_scale(sums, within, window->window_dilation));
  place = sum_plus(sums, place, -(Wide)window->pad_low);
  Sum element = sum_floordiv(sums, place, window->base_dilation);
  piece_within(sums, piece, sum_mod(sums, place, window->base_dilation), 0, 0);
  piece_within(sums, piece, element, 0, (Wide)work->input->sizes[work->numbers->input_spatial.values[spatial]] - 1);
  return element;
}

static Sum output_feature(const Convolving *work) { return work->reading->index[work->numbers->output_feature]; }

static Sum window_place(const Convolving *work, Piece *piece, uint32_t spatial) {
  return piece_hidden(work->reading->sums, piece, "w", 0, (Wide)work->reading->instruction->window->dims[spatial].size - 1);
}

static Sum group_of(const Convolving *work, Wide groups) {
  Wide features = work->output_features / groups;
  return sum_floordiv(work->reading->sums, output_feature(work), features > 0 ? features : 1);
}

static void read_input(const Convolving *work) {
  Reading *reading = work->reading;
  Sums *sums = reading->sums;
  const Instruction *convolution = reading->instruction;
  Access *access = reading_access(reading, 0, 0);
  Wide channels = work->kernel->sizes[work->numbers->kernel_input_feature];
  Sum channel = piece_hidden(sums, &access->piece, "c", 0, channels - 1);
  Wide batch = work->input->sizes[work->numbers->input_batch] / convolution->batch_group_count;
  Sum first = sum_scale(sums, group_of(work, convolution->batch_group_count), batch);
  access->element[work->numbers->input_batch] = sum_add(sums, first, reading->index[work->numbers->output_batch]);
  access->element[work->numbers->input_feature] = sum_add(sums, sum_scale(sums, group_of(work, convolution->number), channels), channel);
  for (uint32_t i = 0; i < convolution->window->rank; i++)
    access->element[work->numbers->input_spatial.values[i]] = input_place(work, &access->piece, i, window_place(work, &access->piece, i));
}

/* A kernel element that meets padding alone need not be read, and may be. */
static void read_kernel(const Convolving *work, bool meets_input) {
  Reading *reading = work->reading;
  Sums *sums = reading->sums;
  Access *access = reading_access(reading, 1, 0);
  access->piece.optional = !meets_input;
  access->element[work->numbers->kernel_input_feature] =
      piece_hidden(sums, &access->piece, "c", 0, (Wide)work->kernel->sizes[work->numbers->kernel_input_feature] - 1);
  access->element[work->numbers->kernel_output_feature] = output_feature(work);
  for (uint32_t i = 0; i < reading->instruction->window->rank; i++) {
    const WindowDim *window = &reading->instruction->window->dims[i];
    Sum within = window_place(work, &access->piece, i);
    Sum mirrored = sum_plus(sums, sum_scale(sums, within, -1), (Wide)window->size - 1);
    access->element[work->numbers->kernel_spatial.values[i]] = window->reversal ? mirrored : within;
    if (meets_input) (void)input_place(work, &access->piece, i, within);
  }
}

bool reads_of_convolution(Reading *reading) {
  const Instruction *convolution = reading->instruction;
  const ConvolutionNumbers *numbers = convolution->convolution;
  if (numbers == nullptr || convolution->window == nullptr || convolution->window->rank != numbers->input_spatial.count ||
      convolution->batch_group_count < 1 || convolution->number < 1)
    return reading_lacks(reading, "a convolution without its numbers");
  Convolving work = {.reading = reading, .numbers = numbers};
  work.input = operand_leaf_shape(reading, 0, 0);
  work.kernel = operand_leaf_shape(reading, 1, 0);
  work.output_features = work.kernel->sizes[numbers->kernel_output_feature];
  read_input(&work);
  read_kernel(&work, true);
  read_kernel(&work, false);
  return true;
}
