/* The claims, one operation at a time: the read relation by the operation semantics (as an equation
 * between positions, without division), and the map with its results. A pattern is a subset of the
 * dimensions as bits, the number of a permutation, or counts in mixed digits. */
#include "smt/semantics/all_sizes.h"

#include <assert.h>

static Sum sizes_operations_plus(SizesClaim *claim, Sum a, Sum b) {
  assert(sums_has(claim->sums, a));
  assert(sums_has(claim->sums, b));
  return sum_add(claim->sums, a, b);
}
static Sum sizes_operations_minus(SizesClaim *claim, Sum a, Sum b) {
  assert(sums_has(claim->sums, a));
  assert(sums_has(claim->sums, b));
  return sum_subtract(claim->sums, a, b);
}
static Sum sizes_operations_times(SizesClaim *claim, Sum a, Sum b) {
  assert(sums_has(claim->sums, a));
  assert(sums_has(claim->sums, b));
  return sum_product(claim->sums, a, b);
}
static Sum sizes_operations_number(SizesClaim *claim, Wide value) {
  return sum_of_constant(claim->sums, value);
}

static const char *numbered(SizesClaim *claim, const char *prefix, uint32_t i) {
  return arena_printf(claim->sums->arena, "%s%u", prefix, i);
}

static void unknowns(SizesClaim *claim, const char *prefix, Wide least, uint32_t count, Sum *sums) {
  for (uint32_t i = 0; i < count; i++)
    sums[i] = sizes_unknown(claim, numbered(claim, prefix, i), least);
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

/* The output's dimensions in the subset are the operand's; the others are new. */
static void state_broadcast(SizesClaim *claim) {
  Sum sizes[4], kept[4];
  uint32_t count = 0;
  unknowns(claim, "n", 0, claim->rank, sizes);
  for (uint32_t i = 0; i < claim->rank; i++)
    if (claim->pattern >> i & 1) kept[count++] = sizes[i];
  sizes_index(claim, claim->rank, sizes);
  sizes_element(claim, count, kept);
  Piece read = sizes_read_piece(claim), stated = sizes_stated_piece(claim);
  for (uint32_t i = 0, at = 0; i < claim->rank; i++) {
    bool is_kept = claim->pattern >> i & 1;
    if (is_kept) piece_equal(claim->sums, &read, claim->element[at], claim->index[i]);
    if (claim->is_inverse) {
      Sum added = is_kept
                      ? claim->element[at]
                      : piece_hidden(claim->sums, &stated, numbered(claim, "s", i), 0, no_bound);
      if (!is_kept) sizes_below(claim, &stated, added, sizes[i]);
      sizes_result(claim, &stated, i, added);
    } else if (is_kept) {
      sizes_result(claim, &stated, at, claim->index[i]);
    }
    at += is_kept;
  }
  sizes_add(claim, &read, &stated);
}

static uint32_t broadcast_patterns(uint32_t rank) { return subsets(rank); }

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
  Sum sizes[4] = {}, of_index[4] = {}, of_element[4] = {};
  unknowns(claim, "n", 0, claim->rank, sizes);
  sizes_index(claim, claim->rank, sizes);
  sizes_element(claim, claim->rank, sizes);
  for (uint32_t i = 0; i < claim->rank; i++) {
    bool reversed = claim->pattern >> i & 1;
    Sum last = sizes_operations_minus(claim, sizes[i], sizes_operations_number(claim, 1));
    of_index[i] = reversed ? sizes_operations_minus(claim, last, claim->index[i]) : claim->index[i];
    of_element[i] =
        reversed ? sizes_operations_minus(claim, last, claim->element[i]) : claim->element[i];
  }
  add_equal(claim, of_index, of_element);
}

/* From `start` in steps of `stride` below `limit`; the output has m positions with stride*(m - 1) <
 * limit - start <= stride*m. */
static void state_slice(SizesClaim *claim) {
  Sum sizes[4], starts[4], limits[4], strides[4], positions[4];
  unknowns(claim, "n", 0, claim->rank, sizes);
  unknowns(claim, "start", 0, claim->rank, starts);
  unknowns(claim, "limit", 0, claim->rank, limits);
  unknowns(claim, "stride", 1, claim->rank, strides);
  unknowns(claim, "m", 0, claim->rank, positions);
  sizes_index(claim, claim->rank, positions);
  sizes_element(claim, claim->rank, sizes);
  Piece given = {};
  for (uint32_t i = 0; i < claim->rank; i++) {
    Sum length = sizes_operations_minus(claim, limits[i], starts[i]),
        covered = sizes_operations_times(claim, strides[i], positions[i]);
    sizes_ordered(claim, &given, starts[i], limits[i]);
    sizes_ordered(claim, &given, limits[i], sizes[i]);
    sizes_ordered(claim, &given, length, covered);
    sizes_ordered(claim, &given, covered,
        sizes_operations_plus(claim, length,
            sizes_operations_minus(claim, strides[i], sizes_operations_number(claim, 1))));
  }
  for (uint32_t i = 0; i < given.withins.count; i++)
    *ARENA_PUSH(claim->sums->arena, &claim->work->given) = given.withins.items[i];
  Piece read = sizes_read_piece(claim), stated = sizes_stated_piece(claim);
  for (uint32_t i = 0; i < claim->rank; i++) {
    Sum position = sizes_operations_plus(
        claim, starts[i], sizes_operations_times(claim, strides[i], claim->index[i]));
    piece_equal(claim->sums, &read, claim->element[i], position);
    if (!claim->is_inverse) {
      sizes_result(claim, &stated, i, position);
      continue;
    }
    Sum ahead = sizes_operations_minus(claim, claim->element[i], starts[i]),
        step = sum_ratio(claim->sums, ahead, strides[i]);
    piece_equal(claim->sums, &stated, ahead, sizes_operations_times(claim, strides[i], step));
    sizes_below(claim, &stated, step, positions[i]);
    sizes_result(claim, &stated, i, step);
  }
  sizes_add(claim, &read, &stated);
}

static uint32_t concatenate_patterns(uint32_t rank) { return 3 * rank; }

/* Three operands along one dimension; the pattern selects the dimension and the operand. */
static void state_concatenate(SizesClaim *claim) {
  Sum sizes[4] = {}, parts[3] = {}, whole[4] = {}, own[4] = {}, of_index[4] = {},
      of_element[4] = {};
  uint32_t dimension = claim->pattern / 3, operand = claim->pattern % 3;
  unknowns(claim, "n", 0, claim->rank, sizes);
  unknowns(claim, "part", 0, 3, parts);
  Sum offset = sizes_operations_number(claim, 0);
  for (uint32_t k = 0; k < operand; k++) offset = sizes_operations_plus(claim, offset, parts[k]);
  for (uint32_t i = 0; i < claim->rank; i++) whole[i] = own[i] = sizes[i];
  whole[dimension] =
      sizes_operations_plus(claim, sizes_operations_plus(claim, parts[0], parts[1]), parts[2]);
  own[dimension] = parts[operand];
  sizes_index(claim, claim->rank, whole);
  sizes_element(claim, claim->rank, own);
  for (uint32_t i = 0; i < claim->rank; i++) {
    of_index[i] =
        i == dimension ? sizes_operations_minus(claim, claim->index[i], offset) : claim->index[i];
    of_element[i] = i == dimension ? sizes_operations_plus(claim, claim->element[i], offset)
                                   : claim->element[i];
  }
  Piece read = sizes_read_piece(claim), stated = sizes_stated_piece(claim);
  for (uint32_t i = 0; i < claim->rank; i++) {
    piece_equal(claim->sums, &read,
        sizes_operations_plus(
            claim, claim->element[i], i == dimension ? offset : sizes_operations_number(claim, 0)),
        claim->index[i]);
    sizes_result(claim, &stated, i, claim->is_inverse ? of_element[i] : of_index[i]);
  }
  if (!claim->is_inverse) sizes_below(claim, &stated, of_index[dimension], parts[operand]);
  sizes_add(claim, &read, &stated);
}

typedef struct Padding {
  Sum sizes[4], lows[4], apart[4], positions[4];
} Padding;

static void pad_unknowns(SizesClaim *claim, Padding *padding) {
  unknowns(claim, "n", 0, claim->rank, padding->sizes);
  unknowns(claim, "low", -no_bound, claim->rank, padding->lows);
  unknowns(claim, "interior", 0, claim->rank, padding->apart);
  unknowns(claim, "m", 0, claim->rank, padding->positions);
  for (uint32_t i = 0; i < claim->rank; i++)
    padding->apart[i] =
        sizes_operations_plus(claim, padding->apart[i], sizes_operations_number(claim, 1));
  sizes_index(claim, claim->rank, padding->positions);
}

/* Element e is at low + e*(interior + 1). Negative edges cut elements off; the bounds of the
 * output's box ensure that. */
static void state_pad(SizesClaim *claim) {
  Padding padding;
  pad_unknowns(claim, &padding);
  sizes_element(claim, claim->rank, padding.sizes);
  Piece read = sizes_read_piece(claim), stated = sizes_stated_piece(claim);
  for (uint32_t i = 0; i < claim->rank; i++) {
    Sum position = sizes_operations_plus(
        claim, padding.lows[i], sizes_operations_times(claim, claim->element[i], padding.apart[i]));
    piece_equal(claim->sums, &read, claim->index[i], position);
    if (claim->is_inverse) {
      sizes_below(claim, &stated, position, padding.positions[i]);
      sizes_result(claim, &stated, i, position);
      continue;
    }
    Sum ahead = sizes_operations_minus(claim, claim->index[i], padding.lows[i]),
        element = sum_ratio(claim->sums, ahead, padding.apart[i]);
    piece_equal(
        claim->sums, &stated, ahead, sizes_operations_times(claim, padding.apart[i], element));
    sizes_below(claim, &stated, element, padding.sizes[i]);
    sizes_result(claim, &stated, i, element);
  }
  sizes_add(claim, &read, &stated);
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
    Sum ahead = sizes_operations_minus(claim, claim->index[i], padding.lows[i]),
        element = sum_ratio(sums, ahead, padding.apart[i]);
    Sum rest = sizes_operations_minus(
        claim, ahead, sizes_operations_times(claim, padding.apart[i], element));
    Sum last = sizes_operations_times(claim, padding.apart[i],
        sizes_operations_minus(claim, padding.sizes[i], sizes_operations_number(claim, 1)));
    piece_equal(sums, &real, rest, sizes_operations_number(claim, 0));
    sizes_below(claim, &real, element, padding.sizes[i]);
    Piece before = sizes_stated_piece(claim), after = sizes_stated_piece(claim),
          between = sizes_stated_piece(claim);
    sizes_ordered(claim, &before, ahead, sizes_operations_number(claim, -1));
    sizes_ordered(claim, &after,
        sizes_operations_plus(claim, last, sizes_operations_number(claim, 1)), ahead);
    sizes_ordered(claim, &between, sizes_operations_number(claim, 1), rest);
    sizes_add(claim, nullptr, &before);
    sizes_add(claim, nullptr, &after);
    if (!claim->fault) sizes_add(claim, nullptr, &between);
  }
  sizes_add(claim, &real, nullptr);
}

static void state_reduce(SizesClaim *claim) {
  Sum sizes[4], kept[4];
  uint32_t count = 0;
  unknowns(claim, "n", 0, claim->rank, sizes);
  for (uint32_t i = 0; i < claim->rank; i++)
    if (!(claim->pattern >> i & 1)) kept[count++] = sizes[i];
  sizes_index(claim, count, kept);
  sizes_element(claim, claim->rank, sizes);
  Piece read = sizes_read_piece(claim), stated = sizes_stated_piece(claim);
  for (uint32_t i = 0, at = 0; i < claim->rank; i++) {
    bool folded = claim->pattern >> i & 1;
    if (!folded) piece_equal(claim->sums, &read, claim->index[at], claim->element[i]);
    if (!claim->is_inverse) {
      Sum value = folded ? piece_hidden(claim->sums, &stated, numbered(claim, "s", i), 0, no_bound)
                         : claim->index[at];
      if (folded) sizes_below(claim, &stated, value, sizes[i]);
      sizes_result(claim, &stated, i, value);
    } else if (!folded) {
      sizes_result(claim, &stated, at, claim->element[i]);
    }
    at += !folded;
  }
  sizes_add(claim, &read, &stated);
}

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
    Sum size = claim->is_inverse ? index_sizes[i] : element_sizes[i], value;
    if (runs) {
      value = piece_hidden(claim->sums, &stated, numbered(claim, "s", i), 0, no_bound);
      sizes_below(claim, &stated, value, size);
    } else {
      value = claim->is_inverse ? claim->element[right && i > batch ? i - 1 : i]
                                : claim->index[right && i >= batch ? i + 1 : i];
    }
    sizes_result(claim, &stated, i, value);
  }
  sizes_add(claim, &read, &stated);
}

typedef struct SizesOperationsOffsets {
  Sum sizes[4], parts[4], starts[4];
} SizesOperationsOffsets;

/* start = max(0, min(value, n - part)), for any value. */
static void clamped_offsets(SizesClaim *claim, SizesOperationsOffsets *offsets) {
  unknowns(claim, "n", 0, claim->rank, offsets->sizes);
  unknowns(claim, "part", 0, claim->rank, offsets->parts);
  unknowns(claim, "value", -no_bound, claim->rank, offsets->starts);
  Piece given = {};
  for (uint32_t i = 0; i < claim->rank; i++) {
    Sum capacity = sizes_operations_minus(claim, offsets->sizes[i], offsets->parts[i]);
    sizes_ordered(claim, &given, offsets->parts[i], offsets->sizes[i]);
    offsets->starts[i] = sum_max(claim->sums, sizes_operations_number(claim, 0),
        sum_min(claim->sums, offsets->starts[i], capacity));
  }
  for (uint32_t i = 0; i < given.withins.count; i++)
    *ARENA_PUSH(claim->sums->arena, &claim->work->given) = given.withins.items[i];
}

static void state_dynamic_slice(SizesClaim *claim) {
  SizesOperationsOffsets offsets;
  clamped_offsets(claim, &offsets);
  sizes_index(claim, claim->rank, offsets.parts);
  sizes_element(claim, claim->rank, offsets.sizes);
  Piece read = sizes_read_piece(claim), stated = sizes_stated_piece(claim);
  for (uint32_t i = 0; i < claim->rank; i++) {
    Sum back = sizes_operations_minus(claim, claim->element[i], offsets.starts[i]);
    piece_equal(claim->sums, &read, claim->index[i], back);
    if (claim->is_inverse) sizes_below(claim, &stated, back, offsets.parts[i]);
    sizes_result(claim, &stated, i,
        claim->is_inverse ? back
                          : sizes_operations_plus(claim, claim->index[i], offsets.starts[i]));
  }
  sizes_add(claim, &read, &stated);
}

/* Pattern 0: the update. Pattern 1: the operand, with the rest of the output as a union over the
 * dimensions. */
static uint32_t update_patterns(uint32_t rank) { return rank > 0 ? 2 : 0; }

static void state_untouched(SizesClaim *claim, const SizesOperationsOffsets *offsets) {
  sizes_element(claim, claim->rank, offsets->sizes);
  for (uint32_t i = 0; i < claim->rank; i++) {
    for (uint32_t side = 0; side < 2; side++) {
      Piece stated = sizes_stated_piece(claim);
      Sum position = sizes_operations_minus(
          claim, claim->is_inverse ? claim->element[i] : claim->index[i], offsets->starts[i]);
      if (side == 0) sizes_ordered(claim, &stated, position, sizes_operations_number(claim, -1));
      else sizes_ordered(claim, &stated, offsets->parts[i], position);
      for (uint32_t k = 0; k < claim->rank; k++)
        sizes_result(claim, &stated, k, claim->is_inverse ? claim->element[k] : claim->index[k]);
      Piece read = sizes_read_piece(claim);
      Sum at = sizes_operations_minus(claim, claim->index[i], offsets->starts[i]);
      if (side == 0) piece_within(claim->sums, &read, at, -no_bound, -1);
      else
        piece_within(
            claim->sums, &read, sizes_operations_minus(claim, at, offsets->parts[i]), 0, no_bound);
      for (uint32_t k = 0; k < claim->rank; k++)
        piece_equal(claim->sums, &read, claim->element[k], claim->index[k]);
      sizes_add(claim, &read, &stated);
    }
  }
}

static void state_dynamic_update_slice(SizesClaim *claim) {
  SizesOperationsOffsets offsets;
  clamped_offsets(claim, &offsets);
  sizes_index(claim, claim->rank, offsets.sizes);
  if (claim->pattern == 1) {
    state_untouched(claim, &offsets);
    return;
  }
  sizes_element(claim, claim->rank, offsets.parts);
  Piece read = sizes_read_piece(claim), stated = sizes_stated_piece(claim);
  for (uint32_t i = 0; i < claim->rank; i++) {
    piece_equal(claim->sums, &read,
        sizes_operations_plus(claim, claim->element[i], offsets.starts[i]), claim->index[i]);
    Sum back = sizes_operations_minus(claim, claim->index[i], offsets.starts[i]);
    if (!claim->is_inverse) sizes_below(claim, &stated, back, offsets.parts[i]);
    sizes_result(claim, &stated, i,
        claim->is_inverse ? sizes_operations_plus(claim, claim->element[i], offsets.starts[i])
                          : back);
  }
  sizes_add(claim, &read, &stated);
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
    Sum w = piece_hidden(sums, &read, numbered(claim, "w", i), 0, no_bound),
        s = piece_hidden(sums, &stated, numbered(claim, "s", i), 0, no_bound);
    sizes_below(claim, &read, w, windows[i]);
    sizes_below(claim, &stated, s, windows[i]);
    Sum position = sizes_operations_minus(claim,
        sizes_operations_plus(claim, sizes_operations_times(claim, strides[i], claim->index[i]),
            sizes_operations_times(claim, dilations[i], w)),
        lows[i]);
    piece_equal(sums, &read, sizes_operations_times(claim, bases[i], claim->element[i]), position);
    Sum from = claim->is_inverse
                   ? sizes_operations_minus(claim,
                         sizes_operations_plus(claim,
                             sizes_operations_times(claim, bases[i], claim->element[i]), lows[i]),
                         sizes_operations_times(claim, dilations[i], s))
                   : sizes_operations_minus(claim,
                         sizes_operations_plus(claim,
                             sizes_operations_times(claim, strides[i], claim->index[i]),
                             sizes_operations_times(claim, dilations[i], s)),
                         lows[i]);
    Sum divisor = claim->is_inverse ? strides[i] : bases[i],
        result = sum_ratio(sums, from, divisor);
    piece_equal(sums, &stated, from, sizes_operations_times(claim, divisor, result));
    sizes_below(claim, &stated, result, claim->is_inverse ? positions[i] : sizes[i]);
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
  flat[pair] = sizes_operations_times(claim, sizes[pair], sizes[pair + 1]);
  bool expands = claim->pattern == 1;
  sizes_index(claim, expands ? claim->rank : claim->rank - 1, expands ? sizes : flat);
  sizes_element(claim, expands ? claim->rank - 1 : claim->rank, expands ? flat : sizes);
  const Sum *two = expands ? claim->index : claim->element,
            *one = expands ? claim->element : claim->index;
  Piece read = sizes_read_piece(claim), stated = sizes_stated_piece(claim);
  Sum position = sizes_operations_plus(
      claim, sizes_operations_times(claim, two[pair], sizes[pair + 1]), two[pair + 1]);
  for (uint32_t i = 0; i < pair; i++) {
    piece_equal(sums, &read, claim->element[i], claim->index[i]);
    sizes_result(claim, &stated, i, claim->is_inverse ? claim->element[i] : claim->index[i]);
  }
  piece_equal(sums, &read, position, one[pair]);
  if (claim->is_inverse == expands) {
    Sum row = sum_ratio(sums, one[pair], sizes[pair + 1]);
    sizes_result(claim, &stated, pair, row);
    sizes_result(claim, &stated, pair + 1,
        sizes_operations_minus(
            claim, one[pair], sizes_operations_times(claim, sizes[pair + 1], row)));
  } else {
    sizes_result(claim, &stated, pair, position);
  }
  sizes_add(claim, &read, &stated);
}

const SizesOperation sizes_operations[] = {
    {"broadcast", broadcast_patterns, state_broadcast, false},
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
