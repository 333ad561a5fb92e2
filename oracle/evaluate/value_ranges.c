/* Preimages of ranges under HLO's integer arithmetic, in wide arithmetic.
 * A result that is factor * p + offset before it wraps lies in piece k if it is 2^width * k away
 * from its wrapped value. Up to most_pieces pieces are all listed, with a point on each side of
 * their ends. Of more pieces only 0, 1 and -1 are listed: one of them is whole, so the ranges lead
 * to every outcome if the factor is a power of two.
 * Operands of 8 bits and of pred are listed as a whole where nothing better is known. */
#include "oracle/evaluate/value_ranges.h"

#include "oracle/semantics/arithmetic.h"

static constexpr Wide most_pieces = 4;
static constexpr Wide largest_factor = (Wide)1 << 32;

void ranges_set(Ranges *ranges, Wide lo, Wide hi) {
  ranges->count = 1;
  ranges->is_partial = false;
  ranges->is_cut = false;
  ranges->lo[0] = lo;
  ranges->hi[0] = hi;
}

void ranges_add(Ranges *ranges, Wide lo, Wide hi) {
  assert(lo <= hi);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < ranges->count; i++) {
    if (ranges->lo[i] > hi + 1 || ranges->hi[i] < lo - 1) {
      ranges->lo[kept] = ranges->lo[i];
      ranges->hi[kept++] = ranges->hi[i];
      continue;
    }
    lo = wide_min(lo, ranges->lo[i]);
    hi = wide_max(hi, ranges->hi[i]);
  }
  ranges->count = kept;
  if (kept == ranges_capacity) {
    ranges->is_cut = true;
    return;
  }
  ranges->lo[kept] = lo;
  ranges->hi[kept] = hi;
  ranges->count++;
}

bool ranges_contain(const Ranges *ranges, const Ranges *other) {
  for (uint32_t i = 0; i < other->count; i++) {
    bool is_inside = false;
    for (uint32_t k = 0; k < ranges->count; k++)
      is_inside = is_inside || (ranges->lo[k] <= other->lo[i] && ranges->hi[k] >= other->hi[i]);
    if (!is_inside) return false;
  }
  return true;
}

/* Adds the part of lo .. hi that lies in the type. */
static void ranges_add_inside(Ranges *ranges, ElementType type, Wide lo, Wide hi) {
  lo = wide_max(lo, integer_lowest(type));
  hi = wide_min(hi, integer_highest(type));
  if (lo <= hi) ranges_add(ranges, lo, hi);
}

static bool is_small(ElementType type) { return type == TYPE_pred || element_type_bits(type) <= 8; }

static void ranges_add_type(Ranges *ranges, ElementType type) {
  ranges_add(ranges, integer_lowest(type), integer_highest(type));
}

/* Lists a small type as a whole if its ranges are not whole. If no value leads into a range, all
 * values lie in one gap, and any of them stands for it. */
static void ranges_finish(Ranges *ranges, ElementType type) {
  if (is_small(type) && (ranges->is_cut || ranges->is_partial)) {
    *ranges = (Ranges){};
    ranges_add_type(ranges, type);
  }
  if (ranges->count == 0) ranges_add(ranges, integer_lowest(type), integer_lowest(type));
}

/* The result's ranges, cut to its type: a range outside of the type is one point at its end. */
static Ranges ranges_inside(const Ranges *result, ElementType type) {
  Ranges inside = {.is_partial = result->is_partial, .is_cut = result->is_cut};
  Wide lowest = integer_lowest(type), highest = integer_highest(type);
  for (uint32_t i = 0; i < result->count; i++)
    ranges_add(&inside, wide_clamp(result->lo[i], lowest, highest),
        wide_clamp(result->hi[i], lowest, highest));
  return inside;
}

/* --- pieces of wrapping arithmetic --- */

/* factor * p + offset, wrapped to `to`, for p of type `from`. */
typedef struct Wrapped {
  ElementType from, to;
  Wide factor, offset, modulus;
} Wrapped;

static Wide wrapped_before(const Wrapped *wrapped, Wide value) {
  return wrapped->factor * value + wrapped->offset;
}

static void wrapped_add_piece(
    Ranges *ranges, const Wrapped *wrapped, Wide piece, const Ranges *result) {
  Wide shift = piece * wrapped->modulus - wrapped->offset, factor = wrapped->factor;
  Wide size = factor < 0 ? -factor : factor;
  for (uint32_t i = 0; i < result->count; i++) {
    Wide lo = factor > 0 ? result->lo[i] + shift : -result->hi[i] - shift;
    Wide hi = factor > 0 ? result->hi[i] + shift : -result->lo[i] - shift;
    ranges_add_inside(ranges, wrapped->from, wide_floordiv(lo, size), wide_ceildiv(hi, size));
  }
  Wide last = integer_highest(wrapped->to) + shift;
  Wide end = wide_floordiv(factor > 0 ? last : -last - 1, size);
  if (end >= integer_lowest(wrapped->from) && end < integer_highest(wrapped->from))
    ranges_add(ranges, end, end + 1);
}

static bool is_power_of_two(Wide size) { return size > 0 && (size & (size - 1)) == 0; }

static void ranges_of_pieces(Ranges *ranges, const Wrapped *wrapped, const Ranges *result) {
  assert(wrapped->factor != 0);
  Wide a = wrapped_before(wrapped, integer_lowest(wrapped->from));
  Wide b = wrapped_before(wrapped, integer_highest(wrapped->from));
  Wide lowest = integer_lowest(wrapped->to);
  Wide first = wide_floordiv(wide_min(a, b) - lowest, wrapped->modulus);
  Wide last = wide_floordiv(wide_max(a, b) - lowest, wrapped->modulus);
  if (first <= 0 && last >= 0) wrapped_add_piece(ranges, wrapped, 0, result);
  if (last - first < most_pieces) {
    for (Wide piece = first; piece <= last; piece++)
      if (piece != 0) wrapped_add_piece(ranges, wrapped, piece, result);
    return;
  }
  if (last >= 1) wrapped_add_piece(ranges, wrapped, 1, result);
  if (first <= -1) wrapped_add_piece(ranges, wrapped, -1, result);
  Wide size = wrapped->factor < 0 ? -wrapped->factor : wrapped->factor;
  ranges->is_partial = true;
  ranges->is_cut = ranges->is_cut || !is_power_of_two(size);
}

static void ranges_of_affine(Ranges *ranges, ElementType from, ElementType to, Wide factor,
    Wide offset, const Ranges *result) {
  if (factor == 0) {
    ranges_add_inside(ranges, from, 0, 0);
    return;
  }
  Wide modulus = (Wide)1 << element_type_bits(to);
  factor = wide_mod(factor, modulus);
  if (factor > modulus / 2) factor -= modulus;
  if (factor > largest_factor || factor < -largest_factor) {
    for (uint32_t i = 0; i < result->count; i++)
      ranges_add_inside(ranges, from, result->lo[i], result->hi[i]);
    ranges_add_inside(ranges, from, 0, 1);
    ranges->is_cut = true;
    return;
  }
  Wrapped wrapped = {
      .from = from, .to = to, .factor = factor, .offset = offset, .modulus = modulus};
  ranges_of_pieces(ranges, &wrapped, result);
}

void ranges_of_wrapped(Ranges *ranges, ElementType from, ElementType to, const Ranges *result) {
  *ranges = (Ranges){.is_partial = result->is_partial, .is_cut = result->is_cut};
  Ranges inside = ranges_inside(result, to);
  if (from == TYPE_pred) ranges_add_type(ranges, from);
  else if (to == TYPE_pred) ranges_add_inside(ranges, from, -1, 1);
  else ranges_of_affine(ranges, from, to, 1, 0, &inside);
  ranges_finish(ranges, from);
}

/* --- other arithmetic, with a fixed other operand --- */

/* The quotient rounds towards zero. */
static void ranges_of_quotient(
    Ranges *ranges, ElementType type, Wide divisor, const Ranges *result) {
  if (divisor == -1 || divisor == 1) {
    ranges_of_affine(ranges, type, type, divisor, 0, result);
    return;
  }
  if (divisor == 0) {
    ranges_add(ranges, 0, 0);
    return;
  }
  Wide size = divisor < 0 ? -divisor : divisor;
  for (uint32_t i = 0; i < result->count; i++) {
    Wide lo = divisor > 0 ? result->lo[i] : -result->hi[i];
    Wide hi = divisor > 0 ? result->hi[i] : -result->lo[i];
    ranges_add_inside(
        ranges, type, lo * size - (lo > 0 ? 0 : size - 1), hi * size + (hi < 0 ? 0 : size - 1));
  }
}

/* x rem c has the sign of x and equals x if |x| < |c|. */
static void ranges_of_remainder(
    Ranges *ranges, ElementType type, Wide divisor, const Ranges *result) {
  if (divisor == 0) {
    for (uint32_t i = 0; i < result->count; i++) ranges_add(ranges, result->lo[i], result->hi[i]);
    return;
  }
  Wide size = divisor < 0 ? -divisor : divisor;
  for (uint32_t i = 0; i < result->count; i++) {
    Wide lo = wide_clamp(result->lo[i], 1 - size, size - 1);
    Wide hi = wide_clamp(result->hi[i], 1 - size, size - 1);
    ranges_add_inside(ranges, type, lo, hi);
    if (hi >= 0) ranges_add_inside(ranges, type, wide_max(lo, 0) + size, hi + size);
    if (lo <= 0) ranges_add_inside(ranges, type, lo - size, wide_min(hi, 0) - size);
  }
  ranges->is_partial = true;
}

/* Numbers without other bits than the mask are their own results; the mask itself, and its part
 * without a sign, give the largest ones. A bit outside of the mask makes no difference. */
static void ranges_of_mask(Ranges *ranges, ElementType type, Wide mask, const Ranges *result) {
  Wide lowest = integer_lowest(type), highest = integer_highest(type), bit = 1;
  for (uint32_t i = 0; i < result->count; i++) {
    while (bit <= highest && (bit <= result->hi[i] || (mask & bit) != 0)) bit *= 2;
    ranges_add(ranges, result->lo[i], result->hi[i]);
  }
  ranges_add(ranges, mask, mask);
  ranges_add(ranges, mask & highest, mask & highest);
  if (mask < 0) ranges_add(ranges, lowest, lowest);
  for (uint32_t i = 0; i < result->count; i++)
    if (bit <= highest && result->hi[i] >= 0)
      ranges_add_inside(ranges, type, wide_max(result->lo[i], 0) + bit, result->hi[i] + bit);
  ranges->is_partial = true;
  ranges->is_cut = ranges->is_cut || result->count > 1;
}

/* The shifted number is p, or p with 2^width added or taken away where `piece` says so: in a
 * logical shift of a negative number, and in an arithmetic shift of a large unsigned one. */
static void ranges_of_shift_right(
    Ranges *ranges, ElementType type, Wide bits, bool is_arithmetic, const Ranges *result) {
  bool is_signed = element_type_is_signed(type);
  Wide modulus = (Wide)1 << element_type_bits(type), half = modulus / 2;
  Wide size = bits < element_type_bits(type) ? (Wide)1 << (uint32_t)bits : 0;
  if (size == 0) ranges_add(ranges, 0, 0);
  for (uint32_t i = 0; size > 0 && i < result->count; i++) {
    Wide lo = result->lo[i], hi = result->hi[i];
    ranges_add_inside(ranges, type, lo * size, hi * size + size - 1);
    if (is_signed && !is_arithmetic)
      ranges_add_inside(ranges, type, lo * size - modulus, hi * size + size - 1 - modulus);
    if (!is_signed && is_arithmetic)
      ranges_add_inside(ranges, type, (lo - modulus) * size + modulus,
          (hi - modulus) * size + size - 1 + modulus);
  }
  if (is_signed) ranges_add(ranges, -1, 0);
  else if (is_arithmetic) ranges_add(ranges, half - 1, half);
}

/* Both signs; the lowest number is its own absolute value. */
static void ranges_of_abs(Ranges *ranges, ElementType type, const Ranges *result) {
  for (uint32_t i = 0; i < result->count; i++) {
    ranges_add_inside(ranges, type, result->lo[i], result->hi[i]);
    if (element_type_is_signed(type))
      ranges_add_inside(ranges, type, -result->hi[i], -result->lo[i]);
  }
  if (element_type_is_signed(type))
    ranges_add(ranges, integer_lowest(type), integer_lowest(type) + 1);
}

/* False if no preimage is known. */
static bool ranges_of_known(Ranges *ranges, const Node *node, uint32_t operand, Wide other,
    ElementType type, const Ranges *result) {
  Opcode opcode = node->instruction->opcode;
  if (opcode == HLO_ADD) ranges_of_affine(ranges, type, type, 1, other, result);
  else if (opcode == HLO_SUBTRACT && operand == 0)
    ranges_of_affine(ranges, type, type, 1, -other, result);
  else if (opcode == HLO_SUBTRACT) ranges_of_affine(ranges, type, type, -1, other, result);
  else if (opcode == HLO_MULTIPLY) ranges_of_affine(ranges, type, type, other, 0, result);
  else if (opcode == HLO_COMPARE) ranges_add_inside(ranges, type, other - 1, other + 1);
  else if (opcode == HLO_AND) ranges_of_mask(ranges, type, other, result);
  else if (operand == 1) return false;
  else if (opcode == HLO_DIVIDE) ranges_of_quotient(ranges, type, other, result);
  else if (opcode == HLO_REMAINDER) ranges_of_remainder(ranges, type, other, result);
  else {
    Wide bits = wide_mod(other, (Wide)1 << element_type_bits(type));
    Wide width = element_type_bits(type);
    if (opcode == HLO_SHIFT_LEFT)
      ranges_of_affine(ranges, type, type, bits < width ? (Wide)1 << (uint32_t)bits : 0, 0, result);
    else if (opcode == HLO_SHIFT_RIGHT_LOGICAL || opcode == HLO_SHIFT_RIGHT_ARITHMETIC)
      ranges_of_shift_right(ranges, type, bits, opcode == HLO_SHIFT_RIGHT_ARITHMETIC, result);
    else return false;
  }
  return true;
}

/* Two operands of which none is fixed: every result is found if the second one is neutral. Two
 * operands that are one value have no such choice. */
static bool ranges_of_unknown(
    Ranges *ranges, const Node *node, uint32_t operand, ElementType type, const Ranges *result) {
  Opcode opcode = node->instruction->opcode;
  if (opcode == HLO_COMPARE) {
    ranges_add(ranges, 0, 1);
  } else if (opcode == HLO_ADD || opcode == HLO_SUBTRACT || opcode == HLO_MULTIPLY) {
    Wide neutral = opcode == HLO_MULTIPLY;
    for (uint32_t i = 0; i < result->count; i++) ranges_add(ranges, result->lo[i], result->hi[i]);
    if (operand == 1) ranges_add(ranges, neutral, neutral);
    Wide far = opcode == HLO_MULTIPLY ? (Wide)1 << (element_type_bits(type) + 1) / 2
                                      : integer_highest(type);
    ranges_add_inside(ranges, type, far, far);
  } else {
    return false;
  }
  ranges->is_partial = true;
  ranges->is_cut = ranges->is_cut || node->operands[0] == node->operands[1];
  return true;
}

/* Operations that commute with a monotone function of all of their values, and select, pass the
 * result's ranges on. */
static bool passes_ranges(Opcode opcode) {
  return opcode == HLO_MAXIMUM || opcode == HLO_MINIMUM || opcode == HLO_CLAMP ||
         opcode == HLO_SELECT;
}

static bool ranges_of_single(
    Ranges *ranges, Opcode opcode, ElementType type, const Ranges *result) {
  if (opcode == HLO_NEGATE) ranges_of_affine(ranges, type, type, -1, 0, result);
  else if (opcode == HLO_NOT) ranges_of_affine(ranges, type, type, -1, -1, result);
  else if (opcode == HLO_ABS) ranges_of_abs(ranges, type, result);
  else if (opcode == HLO_SIGN) ranges_add_inside(ranges, type, -1, 1);
  else return false;
  return true;
}

void ranges_of_operand(
    Ranges *ranges, const Node *node, uint32_t operand, const Wide *other, const Ranges *result) {
  Opcode opcode = node->instruction->opcode;
  ElementType type = node->operands[operand]->leaves[0].shape->type;
  ElementType to = node->leaves[0].shape->type;
  if (opcode == HLO_CONVERT) {
    ranges_of_wrapped(ranges, type, to, result);
    return;
  }
  *ranges = (Ranges){.is_partial = result->is_partial, .is_cut = result->is_cut};
  Ranges inside = ranges_inside(result, to);
  if (type == TYPE_pred) {
    *ranges = (Ranges){};
    ranges_add_type(ranges, type);
    return;
  }
  if (passes_ranges(opcode)) {
    *ranges = inside;
    return;
  }
  bool is_known = node->operand_count == 1 ? ranges_of_single(ranges, opcode, type, &inside)
                  : other != nullptr ? ranges_of_known(ranges, node, operand, *other, type, &inside)
                                     : ranges_of_unknown(ranges, node, operand, type, &inside);
  if (!is_known) {
    for (uint32_t i = 0; i < inside.count; i++)
      ranges_add_inside(ranges, type, inside.lo[i], inside.hi[i]);
    ranges->is_cut = true;
  }
  bool is_alone = other != nullptr || node->operand_count == 1;
  if (is_alone) ranges_finish(ranges, type);
}
