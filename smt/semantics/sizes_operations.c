/* The claims, one operation at a time: the read relation by the operation semantics (as an equation
 * between positions, without division), and the map with its results. A pattern is a subset of the
 * dimensions as bits, the number of a permutation, or counts in mixed digits. */
#include "smt/semantics/all_sizes.h"

#include <assert.h>

static const char *numbered(SizesClaim *claim, const char *prefix, uint32_t i) {
  return arena_printf(claim->sums->arena, "%s%u", prefix, i);
}

static void unknowns(SizesClaim *claim, const char *prefix, Wide least, uint32_t count, Sum *sums) {
  for (uint32_t i = 0; i < count; i++)
    sums[i] = sizes_unknown(claim, numbered(claim, prefix, i), least);
}

/* A hidden position of `stated` in a dimension of this size. */
static Sum runs_below(SizesClaim *claim, Piece *stated, uint32_t i, Sum size) {
  Sum value = piece_hidden(claim->sums, stated, numbered(claim, "s", i), 0, no_bound);
  piece_inside(claim->sums, stated, value, size);
  return value;
}

/* Adds a <= b to what is known of the unknowns. */
static void give_ordered(SizesClaim *claim, Sum a, Sum b) {
  Piece given = {};
  piece_ordered(claim->sums, &given, a, b);
  *ARENA_PUSH(claim->sums->arena, &claim->work->given) = given.withins.items[0];
}

static uint32_t one_pattern(uint32_t rank) { return rank > 0 ? 1 : 0; }
static uint32_t subsets(uint32_t rank) { return 1u << rank; }
static uint32_t permutations(uint32_t rank) { return rank < 2 ? 1 : rank * permutations(rank - 1); }

/* Solves each equation of the relation for the side that the map goes to. */
static void add_equal(SizesClaim *claim, const Sum *of_index, const Sum *of_element) {
  Piece read = sizes_read_piece(claim), stated = sizes_stated_piece(claim);
  for (uint32_t i = 0; i < claim->element_rank; i++)
    piece_equal(claim->sums, &read, claim->element[i], of_index[i]);
  uint32_t rank = claim->is_inverse ? claim->index_rank : claim->element_rank;
  for (uint32_t i = 0; i < rank; i++)
    sizes_result(claim, &stated, i, claim->is_inverse ? of_element[i] : of_index[i]);
  sizes_add(claim, &read, &stated);
}

/* One tensor has all dimensions, the other one those in `kept`: its position corresponds to every
 * position of the whole with the same index in these. */
static void state_part(SizesClaim *claim, bool is_index_whole, uint32_t kept) {
  Sum sizes[4], kept_sizes[4];
  uint32_t count = 0;
  unknowns(claim, "n", 0, claim->rank, sizes);
  for (uint32_t i = 0; i < claim->rank; i++)
    if (kept >> i & 1) kept_sizes[count++] = sizes[i];
  sizes_index(claim, is_index_whole ? claim->rank : count, is_index_whole ? sizes : kept_sizes);
  sizes_element(claim, is_index_whole ? count : claim->rank, is_index_whole ? kept_sizes : sizes);
  const Sum *whole = is_index_whole ? claim->index : claim->element,
            *part = is_index_whole ? claim->element : claim->index;
  Piece read = sizes_read_piece(claim), stated = sizes_stated_piece(claim);
  for (uint32_t i = 0, at = 0; i < claim->rank; i++) {
    bool is_kept = kept >> i & 1;
    if (is_kept) piece_equal(claim->sums, &read, part[at], whole[i]);
    if (claim->is_inverse == is_index_whole)
      sizes_result(claim, &stated, i, is_kept ? part[at] : runs_below(claim, &stated, i, sizes[i]));
    else if (is_kept) sizes_result(claim, &stated, at, whole[i]);
    at += is_kept;
  }
  sizes_add(claim, &read, &stated);
}

/* The output's dimensions in the subset are the operand's; the others are new. */
static void state_broadcast(SizesClaim *claim) { state_part(claim, true, claim->pattern); }

static void nth_permutation(uint32_t rank, uint32_t n, uint32_t *order) {
  for (uint32_t i = 0; i < rank; i++) order[i] = i;
  for (uint32_t i = 0; i < rank; i++) {
    uint32_t rest = permutations(rank - i - 1), at = i + n / rest, picked = order[at];
    for (; at > i; at--) order[at] = order[at - 1];
    order[i] = picked;
    n %= rest;
  }
}

/* Dimension k of the output is dimension order[k] of the operand. */
static void state_transpose(SizesClaim *claim) {
  Sum sizes[4] = {}, permuted[4] = {}, of_index[4] = {}, of_element[4] = {};
  uint32_t order[4] = {};
  nth_permutation(claim->rank, claim->pattern, order);
  unknowns(claim, "n", 0, claim->rank, sizes);
  for (uint32_t k = 0; k < claim->rank; k++) permuted[k] = sizes[order[k]];
  sizes_index(claim, claim->rank, permuted);
  sizes_element(claim, claim->rank, sizes);
  for (uint32_t k = 0; k < claim->rank; k++) {
    of_index[order[k]] = claim->index[k];
    of_element[k] = claim->element[order[k]];
  }
  add_equal(claim, of_index, of_element);
}

/* o + e = n - 1 in the reversed dimensions. */
static void state_reverse(SizesClaim *claim) {
  Sums *sums = claim->sums;
  Sum sizes[4] = {}, of_index[4] = {}, of_element[4] = {};
  unknowns(claim, "n", 0, claim->rank, sizes);
  sizes_index(claim, claim->rank, sizes);
  sizes_element(claim, claim->rank, sizes);
  for (uint32_t i = 0; i < claim->rank; i++) {
    bool reversed = claim->pattern >> i & 1;
    Sum last = sum_subtract(sums, sizes[i], sum_of_constant(sums, 1));
    of_index[i] = reversed ? sum_subtract(sums, last, claim->index[i]) : claim->index[i];
    of_element[i] = reversed ? sum_subtract(sums, last, claim->element[i]) : claim->element[i];
  }
  add_equal(claim, of_index, of_element);
}

/* Position i of one tensor is at first + step*i in the other. The map to the positions divides; the
 * map from them can leave the other tensor only if its `sizes` are given. */
static void add_steps(SizesClaim *claim, bool is_index_position, const Sum *firsts,
    const Sum *steps, const Sum *counts, const Sum *sizes) {
  const Sum *positions = is_index_position ? claim->index : claim->element,
            *places = is_index_position ? claim->element : claim->index;
  Sums *sums = claim->sums;
  Piece read = sizes_read_piece(claim), stated = sizes_stated_piece(claim);
  for (uint32_t i = 0; i < claim->rank; i++) {
    Sum place = sum_add(sums, firsts[i], sum_product(sums, steps[i], positions[i]));
    piece_equal(sums, &read, places[i], place);
    if (claim->is_inverse != is_index_position) {
      if (sizes != nullptr) piece_inside(sums, &stated, place, sizes[i]);
      sizes_result(claim, &stated, i, place);
      continue;
    }
    Sum ahead = sum_subtract(sums, places[i], firsts[i]),
        position = sum_ratio(sums, ahead, steps[i]);
    piece_equal(sums, &stated, ahead, sum_product(sums, steps[i], position));
    piece_inside(sums, &stated, position, counts[i]);
    sizes_result(claim, &stated, i, position);
  }
  sizes_add(claim, &read, &stated);
}

/* From `start` in steps of `stride` below `limit`; the output has m positions with stride*(m - 1) <
 * limit - start <= stride*m. */
static void state_slice(SizesClaim *claim) {
  Sums *sums = claim->sums;
  Sum sizes[4], starts[4], limits[4], strides[4], positions[4];
  unknowns(claim, "n", 0, claim->rank, sizes);
  unknowns(claim, "start", 0, claim->rank, starts);
  unknowns(claim, "limit", 0, claim->rank, limits);
  unknowns(claim, "stride", 1, claim->rank, strides);
  unknowns(claim, "m", 0, claim->rank, positions);
  sizes_index(claim, claim->rank, positions);
  sizes_element(claim, claim->rank, sizes);
  Sum one = sum_of_constant(sums, 1);
  for (uint32_t i = 0; i < claim->rank; i++) {
    Sum length = sum_subtract(sums, limits[i], starts[i]),
        covered = sum_product(sums, strides[i], positions[i]);
    give_ordered(claim, starts[i], limits[i]);
    give_ordered(claim, limits[i], sizes[i]);
    give_ordered(claim, length, covered);
    give_ordered(claim, covered, sum_add(sums, length, sum_subtract(sums, strides[i], one)));
  }
  add_steps(claim, true, starts, strides, positions, nullptr);
}

static uint32_t concatenate_patterns(uint32_t rank) { return 3 * rank; }

/* Three operands along one dimension; the pattern selects the dimension and the operand. */
static void state_concatenate(SizesClaim *claim) {
  Sums *sums = claim->sums;
  Sum sizes[4] = {}, parts[3] = {}, whole[4] = {}, own[4] = {}, of_index[4] = {},
      of_element[4] = {};
  uint32_t dimension = claim->pattern / 3, operand = claim->pattern % 3;
  unknowns(claim, "n", 0, claim->rank, sizes);
  unknowns(claim, "part", 0, 3, parts);
  Sum offset = sum_of_constant(sums, 0);
  for (uint32_t k = 0; k < operand; k++) offset = sum_add(sums, offset, parts[k]);
  for (uint32_t i = 0; i < claim->rank; i++) whole[i] = own[i] = sizes[i];
  whole[dimension] = sum_add(sums, sum_add(sums, parts[0], parts[1]), parts[2]);
  own[dimension] = parts[operand];
  sizes_index(claim, claim->rank, whole);
  sizes_element(claim, claim->rank, own);
  for (uint32_t i = 0; i < claim->rank; i++) {
    of_index[i] = i == dimension ? sum_subtract(sums, claim->index[i], offset) : claim->index[i];
    of_element[i] = i == dimension ? sum_add(sums, claim->element[i], offset) : claim->element[i];
  }
  Piece read = sizes_read_piece(claim), stated = sizes_stated_piece(claim);
  for (uint32_t i = 0; i < claim->rank; i++) {
    piece_equal(sums, &read,
        sum_add(sums, claim->element[i], i == dimension ? offset : sum_of_constant(sums, 0)),
        claim->index[i]);
    sizes_result(claim, &stated, i, claim->is_inverse ? of_element[i] : of_index[i]);
  }
  if (!claim->is_inverse) piece_inside(sums, &stated, of_index[dimension], parts[operand]);
  sizes_add(claim, &read, &stated);
}

typedef struct Padding {
  Sum sizes[4], lows[4], apart[4], positions[4];
} Padding;

static void pad_unknowns(SizesClaim *claim, Padding *padding) {
  Sums *sums = claim->sums;
  unknowns(claim, "n", 0, claim->rank, padding->sizes);
  unknowns(claim, "low", -no_bound, claim->rank, padding->lows);
  unknowns(claim, "interior", 0, claim->rank, padding->apart);
  unknowns(claim, "m", 0, claim->rank, padding->positions);
  for (uint32_t i = 0; i < claim->rank; i++)
    padding->apart[i] = sum_add(sums, padding->apart[i], sum_of_constant(sums, 1));
  sizes_index(claim, claim->rank, padding->positions);
}

/* Element e is at low + e*(interior + 1). Negative edges cut elements off; the bounds of the
 * output's box ensure that. */
static void state_pad(SizesClaim *claim) {
  Padding padding;
  pad_unknowns(claim, &padding);
  sizes_element(claim, claim->rank, padding.sizes);
  add_steps(claim, false, padding.lows, padding.apart, padding.sizes, padding.positions);
}

/* The padding value's part of the output is the rest: before the first element, after the last, or
 * between two, in some dimension. The fault omits the positions between elements. */
static void state_pad_value(SizesClaim *claim) {
  Padding padding;
  Sums *sums = claim->sums;
  pad_unknowns(claim, &padding);
  claim->is_complement = true;
  Piece real = sizes_stated_piece(claim);
  for (uint32_t i = 0; i < claim->rank; i++) {
    Sum ahead = sum_subtract(sums, claim->index[i], padding.lows[i]),
        element = sum_ratio(sums, ahead, padding.apart[i]);
    Sum rest = sum_subtract(sums, ahead, sum_product(sums, padding.apart[i], element));
    Sum last = sum_product(
        sums, padding.apart[i], sum_subtract(sums, padding.sizes[i], sum_of_constant(sums, 1)));
    piece_equal(sums, &real, rest, sum_of_constant(sums, 0));
    piece_inside(sums, &real, element, padding.sizes[i]);
    Piece before = sizes_stated_piece(claim), after = sizes_stated_piece(claim),
          between = sizes_stated_piece(claim);
    piece_ordered(sums, &before, ahead, sum_of_constant(sums, -1));
    piece_ordered(sums, &after, sum_add(sums, last, sum_of_constant(sums, 1)), ahead);
    piece_ordered(sums, &between, sum_of_constant(sums, 1), rest);
    sizes_add(claim, nullptr, &before);
    sizes_add(claim, nullptr, &after);
    if (!claim->fault) sizes_add(claim, nullptr, &between);
  }
  sizes_add(claim, &real, nullptr);
}

/* The output's dimensions are the operand's outside of the subset. */
static void state_reduce(SizesClaim *claim) { state_part(claim, false, ~claim->pattern); }

/* The batch, free and contracted dimensions of one side, `rank` in total; the other side has one
 * free dimension. Two patterns for each split: the left side, the right side. */
static uint32_t dot_patterns(uint32_t rank) { return 2 * (rank + 1) * (rank + 2) / 2; }

static void dot_split(uint32_t rank, uint32_t n, uint32_t *batch, uint32_t *contracted) {
  for (*batch = 0; n > rank - *batch; ++*batch) n -= rank - *batch + 1;
  *contracted = n;
}

static void state_dot(SizesClaim *claim) {
  uint32_t rank = claim->rank;
  assert(rank <= 4);
  Sum sizes[4] = {}, other[1] = {}, index_sizes[8] = {}, element_sizes[8] = {};
  uint32_t batch, contracted, outputs = 0, elements = 0;
  bool right = claim->pattern % 2 == 1;
  dot_split(rank, claim->pattern / 2, &batch, &contracted);
  assert(batch + contracted <= rank);
  uint32_t kept = rank - contracted;
  unknowns(claim, "n", 0, rank, sizes);
  unknowns(claim, "other", 0, 1, other);
  for (uint32_t i = 0; i < batch; i++)
    index_sizes[outputs++] = element_sizes[elements++] = sizes[i];
  if (right) index_sizes[outputs++] = other[0];
  for (uint32_t i = batch; i < kept; i++)
    index_sizes[outputs++] = element_sizes[elements++] = sizes[i];
  if (!right) index_sizes[outputs++] = other[0];
  for (uint32_t i = kept; i < rank; i++) element_sizes[elements++] = sizes[i];
  sizes_index(claim, outputs, index_sizes);
  sizes_element(claim, elements, element_sizes);
  Piece read = sizes_read_piece(claim), stated = sizes_stated_piece(claim);
  for (uint32_t i = 0; i < kept; i++)
    piece_equal(
        claim->sums, &read, claim->element[i], claim->index[i < batch || !right ? i : i + 1]);
  uint32_t results = claim->is_inverse ? outputs : elements, foreign = right ? batch : outputs - 1;
  for (uint32_t i = 0; i < results; i++) {
    bool runs = claim->is_inverse ? i == foreign : i >= kept;
    Sum value =
        runs ? runs_below(claim, &stated, i, claim->is_inverse ? index_sizes[i] : element_sizes[i])
        : claim->is_inverse ? claim->element[right && i > batch ? i - 1 : i]
                            : claim->index[right && i >= batch ? i + 1 : i];
    sizes_result(claim, &stated, i, value);
  }
  sizes_add(claim, &read, &stated);
}

typedef struct SizesOperationsOffsets {
  Sum sizes[4], parts[4], starts[4];
} SizesOperationsOffsets;

/* start = max(0, min(value, n - part)), for any value. */
static void clamped_offsets(SizesClaim *claim, SizesOperationsOffsets *offsets) {
  Sums *sums = claim->sums;
  unknowns(claim, "n", 0, claim->rank, offsets->sizes);
  unknowns(claim, "part", 0, claim->rank, offsets->parts);
  unknowns(claim, "value", -no_bound, claim->rank, offsets->starts);
  for (uint32_t i = 0; i < claim->rank; i++) {
    Sum capacity = sum_subtract(sums, offsets->sizes[i], offsets->parts[i]);
    give_ordered(claim, offsets->parts[i], offsets->sizes[i]);
    offsets->starts[i] =
        sum_max(sums, sum_of_constant(sums, 0), sum_min(sums, offsets->starts[i], capacity));
  }
}

/* The part is a block of the other tensor, from the clamped offsets on. */
static void state_block(
    SizesClaim *claim, bool is_index_part, const SizesOperationsOffsets *offsets) {
  sizes_index(claim, claim->rank, is_index_part ? offsets->parts : offsets->sizes);
  sizes_element(claim, claim->rank, is_index_part ? offsets->sizes : offsets->parts);
  const Sum *part = is_index_part ? claim->index : claim->element,
            *whole = is_index_part ? claim->element : claim->index;
  Piece read = sizes_read_piece(claim), stated = sizes_stated_piece(claim);
  for (uint32_t i = 0; i < claim->rank; i++) {
    Sum back = sum_subtract(claim->sums, whole[i], offsets->starts[i]);
    bool is_to_part = claim->is_inverse == is_index_part;
    piece_equal(claim->sums, &read, part[i], back);
    if (is_to_part) piece_inside(claim->sums, &stated, back, offsets->parts[i]);
    sizes_result(
        claim, &stated, i, is_to_part ? back : sum_add(claim->sums, part[i], offsets->starts[i]));
  }
  sizes_add(claim, &read, &stated);
}

static void state_dynamic_slice(SizesClaim *claim) {
  SizesOperationsOffsets offsets;
  clamped_offsets(claim, &offsets);
  state_block(claim, true, &offsets);
}

/* Pattern 0: the update. Pattern 1: the operand, with the rest of the output as a union over the
 * dimensions. */
static uint32_t update_patterns(uint32_t rank) { return rank > 0 ? 2 : 0; }

static void state_untouched(SizesClaim *claim, const SizesOperationsOffsets *offsets) {
  Sums *sums = claim->sums;
  sizes_index(claim, claim->rank, offsets->sizes);
  sizes_element(claim, claim->rank, offsets->sizes);
  for (uint32_t i = 0; i < claim->rank; i++) {
    for (uint32_t side = 0; side < 2; side++) {
      Piece stated = sizes_stated_piece(claim);
      Sum position = sum_subtract(
          sums, claim->is_inverse ? claim->element[i] : claim->index[i], offsets->starts[i]);
      if (side == 0) piece_ordered(sums, &stated, position, sum_of_constant(sums, -1));
      else piece_ordered(sums, &stated, offsets->parts[i], position);
      for (uint32_t k = 0; k < claim->rank; k++)
        sizes_result(claim, &stated, k, claim->is_inverse ? claim->element[k] : claim->index[k]);
      Piece read = sizes_read_piece(claim);
      Sum at = sum_subtract(sums, claim->index[i], offsets->starts[i]);
      if (side == 0) piece_within(sums, &read, at, -no_bound, -1);
      else piece_within(sums, &read, sum_subtract(sums, at, offsets->parts[i]), 0, no_bound);
      for (uint32_t k = 0; k < claim->rank; k++)
        piece_equal(sums, &read, claim->element[k], claim->index[k]);
      sizes_add(claim, &read, &stated);
    }
  }
}

static void state_dynamic_update_slice(SizesClaim *claim) {
  SizesOperationsOffsets offsets;
  clamped_offsets(claim, &offsets);
  if (claim->pattern == 1) state_untouched(claim, &offsets);
  else state_block(claim, false, &offsets);
}

/* base*e = stride*o + dilation*w - low for some position w of the window. */
static void state_reduce_window(SizesClaim *claim) {
  Sums *sums = claim->sums;
  Sum sizes[4], positions[4], windows[4], strides[4], dilations[4], bases[4], lows[4];
  unknowns(claim, "n", 0, claim->rank, sizes);
  unknowns(claim, "m", 0, claim->rank, positions);
  unknowns(claim, "window", 1, claim->rank, windows);
  unknowns(claim, "stride", 1, claim->rank, strides);
  unknowns(claim, "dilation", 1, claim->rank, dilations);
  unknowns(claim, "base", 1, claim->rank, bases);
  unknowns(claim, "low", -no_bound, claim->rank, lows);
  sizes_index(claim, claim->rank, positions);
  sizes_element(claim, claim->rank, sizes);
  Piece read = sizes_read_piece(claim), stated = sizes_stated_piece(claim);
  for (uint32_t i = 0; i < claim->rank; i++) {
    Sum w = piece_hidden(sums, &read, numbered(claim, "w", i), 0, no_bound);
    piece_inside(sums, &read, w, windows[i]);
    Sum s = runs_below(claim, &stated, i, windows[i]),
        first = sum_product(sums, strides[i], claim->index[i]),
        at_w = sum_add(sums, first, sum_product(sums, dilations[i], w)),
        dilated = sum_product(sums, bases[i], claim->element[i]),
        in_window = sum_product(sums, dilations[i], s);
    piece_equal(sums, &read, dilated, sum_subtract(sums, at_w, lows[i]));
    Sum from = claim->is_inverse ? sum_subtract(sums, sum_add(sums, dilated, lows[i]), in_window)
                                 : sum_subtract(sums, sum_add(sums, first, in_window), lows[i]);
    Sum divisor = claim->is_inverse ? strides[i] : bases[i],
        result = sum_ratio(sums, from, divisor);
    piece_equal(sums, &stated, from, sum_product(sums, divisor, result));
    piece_inside(sums, &stated, result, claim->is_inverse ? positions[i] : sizes[i]);
    sizes_result(claim, &stated, i, result);
  }
  sizes_add(claim, &read, &stated);
}

/* Pattern 0 collapses two dimensions into one, pattern 1 expands one into two; at rank 2 to 4, with
 * unchanged dimensions in front. */
static uint32_t reshape_patterns(uint32_t rank) { return rank < 2 ? 0 : 2; }

static void state_reshape(SizesClaim *claim) {
  Sums *sums = claim->sums;
  Sum sizes[4], flat[4];
  uint32_t pair = claim->rank - 2;
  unknowns(claim, "n", 0, claim->rank, sizes);
  for (uint32_t i = 0; i < pair; i++) flat[i] = sizes[i];
  flat[pair] = sum_product(sums, sizes[pair], sizes[pair + 1]);
  bool expands = claim->pattern == 1;
  sizes_index(claim, expands ? claim->rank : claim->rank - 1, expands ? sizes : flat);
  sizes_element(claim, expands ? claim->rank - 1 : claim->rank, expands ? flat : sizes);
  const Sum *two = expands ? claim->index : claim->element,
            *one = expands ? claim->element : claim->index;
  Piece read = sizes_read_piece(claim), stated = sizes_stated_piece(claim);
  Sum position = sum_add(sums, sum_product(sums, two[pair], sizes[pair + 1]), two[pair + 1]);
  for (uint32_t i = 0; i < pair; i++) {
    piece_equal(sums, &read, claim->element[i], claim->index[i]);
    sizes_result(claim, &stated, i, claim->is_inverse ? claim->element[i] : claim->index[i]);
  }
  piece_equal(sums, &read, position, one[pair]);
  if (claim->is_inverse == expands) {
    Sum row = sum_ratio(sums, one[pair], sizes[pair + 1]);
    sizes_result(claim, &stated, pair, row);
    sizes_result(claim, &stated, pair + 1,
        sum_subtract(sums, one[pair], sum_product(sums, sizes[pair + 1], row)));
  } else {
    sizes_result(claim, &stated, pair, position);
  }
  sizes_add(claim, &read, &stated);
}

const SizesOperation sizes_operations[] = {
    {"broadcast", subsets, state_broadcast, false},
    {"transpose", permutations, state_transpose, false},
    {"reverse", subsets, state_reverse, false},
    {"slice", one_pattern, state_slice, false},
    {"concatenate", concatenate_patterns, state_concatenate, false},
    {"pad", one_pattern, state_pad, false},
    {"pad value", one_pattern, state_pad_value, true},
    {"reduce", subsets, state_reduce, false},
    {"dot", dot_patterns, state_dot, false},
    {"dynamic-slice", one_pattern, state_dynamic_slice, false},
    {"dynamic-update-slice", update_patterns, state_dynamic_update_slice, false},
    {"reduce-window", one_pattern, state_reduce_window, false},
    {"reshape", reshape_patterns, state_reshape, false},
};
const uint32_t sizes_operation_count = sizeof sizes_operations / sizeof sizes_operations[0];
