/* Operations that move elements without computing: each output element is one operand element, or
 * padding. A reshape keeps the row-major position. */
#include "smt/semantics/hlo_reading.h"

static uint32_t *row_major(Sums *sums, uint32_t rank) {
  uint32_t *order = ARENA_NEW(sums->arena, uint32_t, rank);
  for (uint32_t i = 0; i < rank; i++) order[i] = rank - 1 - i;
  return order;
}

bool reads_of_reshape(SmtReading *reading) {
  Sums *sums = reading->sums;
  const Shape *from = reading->shape, *to = operand_leaf_shape(reading, 0, 0);
  Access *access = reading_access(reading, 0, 0);
  Sum position =
      position_of(sums, from->rank, from->sizes, row_major(sums, from->rank), reading->index);
  index_at(sums, to->rank, to->sizes, row_major(sums, to->rank), position, access->element);
  return true;
}

/* A wider output element consists of the operand's whole last dimension; a narrower one is a part
 * of one element. */
bool reads_of_bitcast_convert(SmtReading *reading) {
  const Shape *from = reading->shape, *to = operand_leaf_shape(reading, 0, 0);
  Access *access = reading_access(reading, 0, 0);
  uint32_t shared = from->rank < to->rank ? from->rank : to->rank;
  if (from->rank > to->rank + 1 || to->rank > from->rank + 1)
    return reading_lacks(reading, "ranks that differ by more than one");
  for (uint32_t i = 0; i < shared; i++) access->element[i] = reading->index[i];
  if (to->rank > from->rank)
    access->element[shared] =
        piece_hidden(reading->sums, &access->piece, "part", 0, to->sizes[shared] - 1);
  return true;
}

bool reads_of_broadcast(SmtReading *reading) {
  Access *access = reading_access(reading, 0, 0);
  for (uint32_t i = 0; i < access->rank; i++)
    access->element[i] = reading->index[reading->instruction->dimensions.values[i]];
  return true;
}

/* Dimension k of the output is dimension dimensions[k] of the operand. */
bool reads_of_transpose(SmtReading *reading) {
  Access *access = reading_access(reading, 0, 0);
  for (uint32_t k = 0; k < access->rank; k++)
    access->element[reading->instruction->dimensions.values[k]] = reading->index[k];
  return true;
}

bool reads_of_reverse(SmtReading *reading) {
  Sums *sums = reading->sums;
  Access *access = reading_access(reading, 0, 0);
  Ints reversed = reading->instruction->dimensions;
  for (uint32_t i = 0; i < access->rank; i++) access->element[i] = reading->index[i];
  for (uint32_t k = 0; k < reversed.count; k++) {
    int64_t at = reversed.values[k];
    access->element[at] =
        sum_plus(sums, sum_scale(sums, reading->index[at], -1), reading->shape->sizes[at] - 1);
  }
  return true;
}

bool reads_of_slice(SmtReading *reading) {
  Sums *sums = reading->sums;
  const Instruction *slice = reading->instruction;
  Access *access = reading_access(reading, 0, 0);
  for (uint32_t i = 0; i < access->rank; i++) {
    Wide stride = slice->strides.count == 0 ? 1 : slice->strides.values[i];
    access->element[i] =
        sum_plus(sums, sum_scale(sums, reading->index[i], stride), slice->starts.values[i]);
  }
  return true;
}

/* Operand k contains the output's positions [offset, offset + size) along the dimension. */
bool reads_of_concatenate(SmtReading *reading) {
  Sums *sums = reading->sums;
  uint32_t dimension = (uint32_t)reading->instruction->dimensions.values[0];
  Wide offset = 0;
  for (uint32_t k = 0; k < reading->instruction->operand_count; k++) {
    int64_t size = operand_leaf_shape(reading, k, 0)->sizes[dimension];
    Access *access = reading_access(reading, k, 0);
    for (uint32_t i = 0; i < access->rank; i++) access->element[i] = reading->index[i];
    access->element[dimension] = sum_plus(sums, reading->index[dimension], -offset);
    piece_within(sums, &access->piece, access->element[dimension], 0, (Wide)size - 1);
    offset += size;
  }
  return true;
}

/* The output index relative to the first operand element; operand elements are `interior + 1`
 * apart. */
static Sum pad_position(const SmtReading *reading, uint32_t dimension) {
  return sum_plus(reading->sums, reading->index[dimension],
      -(Wide)reading->instruction->padding[dimension].low);
}

static void read_padded_operand(SmtReading *reading) {
  Sums *sums = reading->sums;
  const Shape *operand = operand_leaf_shape(reading, 0, 0);
  Access *access = reading_access(reading, 0, 0);
  for (uint32_t i = 0; i < access->rank; i++) {
    Wide apart = (Wide)reading->instruction->padding[i].interior + 1;
    Sum position = pad_position(reading, i);
    access->element[i] = sum_floordiv(sums, position, apart);
    piece_within(sums, &access->piece, sum_mod(sums, position, apart), 0, 0);
    piece_within(sums, &access->piece, access->element[i], 0, (Wide)operand->sizes[i] - 1);
  }
}

/* A position is padding if, in some dimension, it is before the first element, after the last, or
 * between two. */
bool reads_of_pad(SmtReading *reading) {
  Sums *sums = reading->sums;
  const Shape *operand = operand_leaf_shape(reading, 0, 0);
  read_padded_operand(reading);
  for (uint32_t i = 0; i < operand->rank; i++) {
    Wide apart = (Wide)reading->instruction->padding[i].interior + 1,
         last = ((Wide)operand->sizes[i] - 1) * apart;
    Sum position = pad_position(reading, i);
    Piece *before = &reading_access(reading, 1, 0)->piece;
    piece_within(sums, before, position, -no_bound, -1);
    Piece *after = &reading_access(reading, 1, 0)->piece;
    piece_within(sums, after, position, operand->sizes[i] == 0 ? 0 : last + 1, no_bound);
    if (apart == 1) continue;
    Piece *between = &reading_access(reading, 1, 0)->piece;
    piece_within(sums, between, sum_mod(sums, position, apart), 1, apart - 1);
  }
  return true;
}
