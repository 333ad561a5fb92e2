/* Offsets and indices that an engine can fold to constants. The array is a separate parameter, and
 * every value leads to a different element or row; the operand is not used. folded_offset: one
 * operation on numbers of ten types. Each type has an ordered list of numbers. For an operand of
 * size n, one number is the n-th and the other is no later, so that sizes up to n cover all pairs
 * of the first n numbers. For types of 4 and 8 bits one operand may be a parameter. For wider types
 * the offset is the lowest or highest byte of the result. folded_indices: eight numbers that count
 * up from a start, of four types, combined with a second number by one operation, or selected by a
 * comparison with it. For an operand of size n, the larger magnitude of start and number is n; for
 * size 1, both may be 0. */
#include "generate/operations/compose.h"

static const ElementType types[] = {
    TYPE_s4, TYPE_u4, TYPE_s8, TYPE_u8, TYPE_s16, TYPE_u16, TYPE_s32, TYPE_u32, TYPE_s64, TYPE_u64};
static constexpr uint32_t type_count = sizeof types / sizeof *types;

static const char *const directions[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};
static const Opcode binaries[] = {HLO_ADD, HLO_SUBTRACT, HLO_MULTIPLY, HLO_DIVIDE, HLO_REMAINDER,
    HLO_MAXIMUM, HLO_MINIMUM, HLO_AND, HLO_OR, HLO_XOR, HLO_SHIFT_LEFT, HLO_SHIFT_RIGHT_ARITHMETIC,
    HLO_SHIFT_RIGHT_LOGICAL};
static const Opcode unaries[] = {
    HLO_NEGATE, HLO_NOT, HLO_ABS, HLO_SIGN, HLO_POPCNT, HLO_COUNT_LEADING_ZEROS};
static constexpr uint32_t direction_count = sizeof directions / sizeof *directions,
                          binary_count = sizeof binaries / sizeof *binaries,
                          unary_count = sizeof unaries / sizeof *unaries;
/* Operation numbers: comparisons, binary operations, unary operations, conversions to each type. */
static constexpr uint32_t first_binary = direction_count, first_unary = first_binary + binary_count,
                          first_convert = first_unary + unary_count,
                          operation_count = first_convert + type_count;

static constexpr uint32_t most_numbers = 16;

/* The low bits of the number, sign-extended for signed types. */
static int64_t number_of_bits(ElementType type, uint64_t number) {
  uint32_t bits = element_type_bits(type);
  if (bits == 64) return (int64_t)number;
  uint64_t sign = UINT64_C(1) << (bits - 1), low = number & (2 * sign - 1);
  return element_type_is_signed(type) ? (int64_t)((low ^ sign) - sign) : (int64_t)low;
}

/* The k-th number: small ones, the type's ends, and shift amounts around the type's width. All are
 * distinct. */
static int64_t number_at(ElementType type, uint64_t k) {
  uint64_t bits = element_type_bits(type), first = UINT64_C(1) << (bits - 1), minus = UINT64_MAX;
  const uint64_t narrow[] = {0, 1, minus, 2, first, first - 1, 3, minus - 1, 4, first + 1, 5,
      minus - 2, 6, minus - 3, minus - 4, minus - 5};
  const uint64_t wide[] = {0, 1, minus, 2, first, first - 1, 3, minus - 1, bits - 1, bits,
      first + 1, 5, minus - 2, 100, 0 - bits, 10};
  assert(k < most_numbers);
  return number_of_bits(type, bits == 4 ? narrow[k] : wide[k]);
}

typedef struct FoldedWay {
  ElementType type;
  uint32_t operation;
  bool is_high; /* use the highest byte of a wide result */
  bool is_parameter[2];
  uint64_t numbers[2]; /* of operands that are not parameters: position in the type's list */
} FoldedWay;

static bool is_compare(const FoldedWay *way) { return way->operation < first_binary; }
static bool has_two(const FoldedWay *way) { return way->operation < first_unary; }
static bool is_convert(const FoldedWay *way) { return way->operation >= first_convert; }
static ElementType result_type(const FoldedWay *way) {
  return is_convert(way) ? types[way->operation - first_convert] : way->type;
}
/* abs and sign need signed types. */
static bool is_legal(const FoldedWay *way) {
  uint32_t unary = way->operation - first_unary;
  return way->operation < first_unary || is_convert(way) || element_type_is_signed(way->type) ||
         (unary != 2 && unary != 3);
}

/* Chooses a pair in which one number is the n-th. Then, for narrow types, a parameter at each
 * position; a unary operation has the parameter only at size 1. */
static void choose_numbers(Choices *choices, uint64_t n, FoldedWay *way) {
  bool two = has_two(way), is_narrow = element_type_bits(way->type) <= 8;
  uint64_t pairs = two ? 2 * n - 1 : 1,
           parameters = !is_narrow ? 0
                        : two      ? 2
                                   : n == 1,
           chosen = choose(choices, pairs + parameters);
  way->numbers[0] = chosen < n ? chosen : n - 1;
  way->numbers[1] = chosen < n ? n - 1 : chosen - n;
  if (!two) way->numbers[0] = n - 1;
  if (chosen >= pairs) way->is_parameter[chosen - pairs] = true;
}

static bool choose_folded(Choices *choices, uint64_t n, FoldedWay *way) {
  way->type = types[choose(choices, type_count)];
  way->operation = (uint32_t)choose(choices, operation_count);
  if (!is_legal(way)) return false;
  way->is_high =
      !is_compare(way) && element_type_bits(result_type(way)) > 8 && choose_bool(choices);
  choose_numbers(choices, n, way);
  return true;
}

static Instruction *folded_operand(
    OperationCase *at_hand, const FoldedWay *way, uint32_t position) {
  return way->is_parameter[position] ? scalar_given(at_hand, way->type)
                                     : build_number(at_hand->builder, way->type,
                                           number_at(way->type, way->numbers[position]));
}

static Instruction *folded_result(OperationCase *at_hand, const FoldedWay *way) {
  Builder *builder = at_hand->builder;
  Instruction *a = folded_operand(at_hand, way, 0),
              *b = has_two(way) ? folded_operand(at_hand, way, 1) : nullptr;
  if (is_compare(way)) return build_compare(builder, a, b, directions[way->operation]);
  if (is_convert(way))
    return BUILD_AS(builder, shape_of_scalar(builder, result_type(way)), CONVERT, a);
  Opcode opcode = has_two(way) ? binaries[way->operation - first_binary]
                               : unaries[way->operation - first_unary];
  return hlo_build_elementwise(builder, opcode, has_two(way) ? 2 : 1, (Instruction *[]){a, b});
}

/* Converts the result to an offset of at least 0, a different one for each value. */
static Instruction *offset_of(Builder *builder, const FoldedWay *way, Instruction *from) {
  ElementType type = result_type(way);
  uint32_t bits = element_type_bits(type);
  const Shape *number = shape_of_scalar(builder, TYPE_s32);
  if (!is_compare(way) && bits > 8) {
    Instruction *byte = build_number(builder, type, way->is_high ? bits - 8 : 255);
    from = way->is_high ? BUILD(builder, SHIFT_RIGHT_LOGICAL, from, byte)
                        : BUILD(builder, AND, from, byte);
  }
  Instruction *offset = BUILD_AS(builder, number, CONVERT, from);
  if (is_compare(way) || bits > 8 || !element_type_is_signed(type)) return offset;
  return BUILD(builder, ADD, offset, build_number(builder, TYPE_s32, INT64_C(1) << (bits - 1)));
}

static Instruction *array_of_size(OperationCase *at_hand, int64_t size) {
  return at_hand->source->array(at_hand->source, at_hand->type, &(Tensor){1, {size}});
}

bool generate_folded_offset(OperationCase *at_hand) {
  FoldedWay way = {};
  if (at_hand->in.rank != 1 || at_hand->in.sizes[0] > most_numbers ||
      !choose_folded(at_hand->choices, (uint64_t)at_hand->in.sizes[0], &way))
    return false;
  at_hand->out = (Tensor){.rank = 1, .sizes = {1}};
  if (at_hand->builder == nullptr) return true;
  int64_t values = is_compare(&way) ? 2 : element_type_bits(result_type(&way)) == 4 ? 16 : 256;
  Instruction *array = array_of_size(at_hand, values);
  Instruction *offset = offset_of(at_hand->builder, &way, folded_result(at_hand, &way));
  at_hand->result = hlo_build_dynamic_slice(
      at_hand->builder, 2, (Instruction *[]){array, offset}, at_hand->out.sizes);
  return true;
}

static const ElementType index_types[] = {TYPE_s8, TYPE_u8, TYPE_s32, TYPE_s64};
static constexpr uint32_t index_type_count = sizeof index_types / sizeof *index_types;
/* The indices and the number, or exchanged. */
static const struct {
  Opcode opcode;
  bool is_exchanged;
} index_forms[] = {{HLO_ADD, false}, {HLO_SUBTRACT, false}, {HLO_SUBTRACT, true},
    {HLO_MULTIPLY, false}, {HLO_DIVIDE, false}, {HLO_DIVIDE, true}, {HLO_REMAINDER, false},
    {HLO_REMAINDER, true}, {HLO_MAXIMUM, false}, {HLO_MINIMUM, false}, {HLO_AND, false},
    {HLO_SHIFT_LEFT, false}, {HLO_SHIFT_RIGHT_ARITHMETIC, false}, {HLO_SHIFT_RIGHT_LOGICAL, false},
    {HLO_NEGATE, false}, {HLO_ABS, false}};
static constexpr uint32_t index_form_count = sizeof index_forms / sizeof *index_forms;
static constexpr int64_t index_count = 8;

/* Pairs on the boundary of a square around 0. */
static uint64_t pairs_of(uint64_t n) { return n == 1 ? 9 : 8 * n; }

static void pair_at(int64_t n, int64_t k, int64_t *first, int64_t *second) {
  int64_t side = k / (2 * n), along = k % (2 * n) - n;
  *first = side == 0 ? -n : side == 1 ? along : side == 2 ? n : side == 3 ? -along : 0;
  *second = side == 0 ? along : side == 1 ? n : side == 2 ? -along : side == 3 ? -n : 0;
}

static Instruction *indices_filled(Builder *builder, ElementType type, int64_t number) {
  return build_filled(builder, build_number(builder, type, number_of_bits(type, (uint64_t)number)),
      shape_of_vector(builder, type, index_count));
}

/* Combines the indices with the number. Where a comparison holds, selects the iota, else the
 * number. The compared values would hide an error: they are equal where the bounds touch. */
static Instruction *indices_after(
    Builder *builder, ElementType type, uint64_t form, int64_t from, int64_t number) {
  Instruction *iota = build_iota(builder, shape_of_vector(builder, type, index_count)),
              *x = BUILD(builder, ADD, iota, indices_filled(builder, type, from)),
              *k = indices_filled(builder, type, number);
  if (form >= index_form_count) {
    Instruction *holds = build_compare(builder, x, k, directions[form - index_form_count]);
    return BUILD(builder, SELECT, holds, iota, k);
  }
  Opcode opcode = index_forms[form].opcode;
  bool is_exchanged = index_forms[form].is_exchanged;
  return hlo_build_elementwise(builder, opcode, opcode_least_operands(opcode),
      (Instruction *[]){is_exchanged ? k : x, is_exchanged ? x : k});
}

/* Shifts the indices so that every value from -128 to 127 leads to a different row. */
static Instruction *rows_of(Builder *builder, Instruction *indices) {
  bool is_signed = element_type_is_signed(indices->shape->type);
  const Shape *vector = shape_of_vector(builder, TYPE_s32, index_count);
  Instruction *converted = BUILD_AS(builder, vector, CONVERT, indices);
  Instruction *moved =
      BUILD(builder, ADD, converted, indices_filled(builder, TYPE_s32, is_signed ? 128 : 0));
  return BUILD_AS(
      builder, shape_of_tensor(builder, TYPE_s32, &(Tensor){2, {index_count, 1}}), RESHAPE, moved);
}

bool generate_folded_indices(OperationCase *at_hand) {
  Choices *choices = at_hand->choices;
  int64_t n = at_hand->in.rank == 1 ? at_hand->in.sizes[0] : 0, from, number;
  if (n == 0 || n > most_numbers) return false;
  ElementType type = index_types[choose(choices, index_type_count)];
  uint64_t form = choose(choices, index_form_count + direction_count);
  bool is_abs = form < index_form_count && index_forms[form].opcode == HLO_ABS;
  if (is_abs && !element_type_is_signed(type)) return false;
  pair_at(n, (int64_t)choose(choices, pairs_of((uint64_t)n)), &from, &number);
  at_hand->out = (Tensor){.rank = 2, .sizes = {index_count, 1}};
  if (at_hand->builder == nullptr) return true;
  Builder *builder = at_hand->builder;
  Instruction *array = array_of_size(at_hand, 256);
  Instruction *indices = indices_after(builder, type, form, from, number);
  const GatherNumbers numbers = {.offset_dims = hlo_build_ints(builder, 1, (int64_t[]){1}),
      .start_index_map = hlo_build_ints(builder, 1, (int64_t[]){0}),
      .slice_sizes = hlo_build_ints(builder, 1, (int64_t[]){1}),
      .index_vector_dim = 1};
  if (indices == nullptr) return false;
  at_hand->result = hlo_build_gather(builder, array, rows_of(builder, indices), &numbers);
  return true;
}
