/* Records of sources (parameters, iotas, constants, device ids) and of a copy in another layout.
 * Also operands: offsets and indices that are parameters, constants, iotas or arithmetic. The
 * arithmetic has only numbers, which an engine may fold, or a value and a number. */
#include "generate/decoder.h"

static bool is_number(ElementType type) { return type == TYPE_f32 || type == TYPE_s32; }

static Tensor tensor_of(const Shape *shape) {
  Tensor tensor = {.rank = shape->rank};
  for (uint32_t i = 0; i < shape->rank; i++) tensor.sizes[i] = shape->sizes[i];
  return tensor;
}

bool decode_unary(Decoder *decoder) {
  static const Opcode opcodes[] = {HLO_NEGATE, HLO_COPY, HLO_SIGN, HLO_ABS};
  Instruction *operand = pick_value(decoder, record_choose(decoder, 1, 64));
  const Shape *shape = operand->shape;
  Opcode opcode = is_number(shape->type) ? opcodes[record_choose(decoder, 2, 4)] : HLO_COPY;
  if (record_choose(decoder, 3, 3) == 2) {
    Tensor tensor = tensor_of(shape);
    opcode = HLO_COPY;
    shape = shape_with_layout(decoder, shape->type, &tensor, record_choose(decoder, 4, 256));
  }
  Instruction *made = hlo_build_begin(&decoder->body, opcode, 1, &operand);
  return add_value(decoder, hlo_build_end(&decoder->body, made, shape)) != nullptr;
}

/* Reduces sizes to 1 from the last dimension on until the number of elements is within the
 * limit. */
static ElementType shape_from_record(const Decoder *decoder, uint32_t at, Tensor *tensor) {
  static const int64_t sizes[] = {3, 4, 2, 1, 5, 6, 8, 7, 9, 12, 16, 0};
  *tensor = (Tensor){.rank = record_choose(decoder, at + 1, 5)};
  for (uint32_t i = 0; i < tensor->rank; i++)
    tensor->sizes[i] = sizes[record_choose(decoder, at + 2 + i, 12)];
  for (uint32_t i = tensor->rank;
      i > 0 && fuzz_capacity(tensor->rank, tensor->sizes) > fuzz_max_elements; i--)
    tensor->sizes[i - 1] = 1;
  return record_choose(decoder, at, 4) == 1 ? TYPE_s32 : TYPE_f32;
}

bool decode_parameter(Decoder *decoder) {
  Tensor tensor;
  ElementType type = shape_from_record(decoder, 1, &tensor);
  uint32_t layout = record_choose(decoder, 8, 2) != 0 ? record_choose(decoder, 7, 256) : 0;
  const Shape *shape = shape_with_layout(decoder, type, &tensor, layout);
  return add_source(decoder, hlo_build_parameter(&decoder->body, shape)) != nullptr;
}

/* Along a dimension. */
static Instruction *add_iota(
    Decoder *decoder, ElementType type, const Tensor *tensor, uint32_t dimension) {
  Instruction *iota = hlo_build_begin(&decoder->body, HLO_IOTA, 0, nullptr);
  if (iota != nullptr) iota->number = dimension;
  const Shape *shape = shape_of_tensor(&decoder->body, type, tensor);
  return add_value(decoder, hlo_build_end(&decoder->body, iota, shape));
}

bool decode_iota(Decoder *decoder) {
  Tensor tensor;
  ElementType type = shape_from_record(decoder, 1, &tensor);
  return tensor.rank > 0 &&
         add_iota(decoder, type, &tensor, record_choose(decoder, 8, tensor.rank)) != nullptr;
}

/* An edge of s32 if the byte asks for it, as a quarter of the byte values do; else `usual`. */
static int64_t edge_or(const Decoder *decoder, uint32_t at, int64_t usual) {
  uint8_t byte = decoder->record[at % fuzz_record_bytes];
  return byte >= 192 ? edge_of_bits(32, true, byte) : usual;
}

bool decode_constant(Decoder *decoder) {
  Tensor tensor;
  if (record_choose(decoder, 3, 4) == 3) {
    (void)shape_from_record(decoder, 4, &tensor);
    return add_literal(decoder, &tensor, record_choose(decoder, 2, 256)) != nullptr;
  }
  ElementType type = record_choose(decoder, 1, 2) != 0 ? TYPE_f32 : TYPE_s32;
  int64_t number = edge_or(decoder, 2, (int64_t)record_choose(decoder, 2, 12) - 3);
  return add_constant(decoder, type, number) != nullptr;
}

bool decode_source(Decoder *decoder) {
  Builder *body = &decoder->body;
  static const Opcode opcodes[] = {HLO_PARTITION_ID, HLO_REPLICA_ID, HLO_RNG_GET_AND_UPDATE_STATE};
  Opcode opcode = opcodes[record_choose(decoder, 2, 3)];
  bool is_state = opcode == HLO_RNG_GET_AND_UPDATE_STATE;
  Instruction *made = hlo_build_begin(body, opcode, 0, nullptr);
  if (is_state) hlo_build_attribute(body, made, "delta", "1");
  const Shape *shape =
      is_state ? shape_of_vector(body, TYPE_u64, 2) : shape_of_scalar(body, TYPE_u32);
  return add_value(decoder, hlo_build_end(body, made, shape)) != nullptr;
}

/* ---- offsets ---- */

static const Opcode binaries[] = {HLO_ADD, HLO_SUBTRACT, HLO_MULTIPLY, HLO_MINIMUM, HLO_MAXIMUM,
    HLO_DIVIDE, HLO_REMAINDER, HLO_AND, HLO_OR, HLO_XOR, HLO_SHIFT_LEFT, HLO_SHIFT_RIGHT_ARITHMETIC,
    HLO_SHIFT_RIGHT_LOGICAL};
static constexpr uint32_t binary_count = sizeof binaries / sizeof *binaries;

static Instruction *number_of(Decoder *decoder, int64_t number) {
  return add_constant(decoder, TYPE_s32, number);
}

static Instruction *add_built(
    Decoder *decoder, Opcode opcode, uint32_t count, Instruction *const *operands) {
  return add_value(decoder, hlo_build_elementwise(&decoder->body, opcode, count, operands));
}

static Instruction *add_clamped(Decoder *decoder, Instruction *value) {
  Instruction *low = number_of(decoder, 0), *high = number_of(decoder, 3);
  return add_built(decoder, HLO_CLAMP, OPERANDS(low, value, high));
}

static Instruction *add_selected(Decoder *decoder, Instruction *value, const char *direction) {
  Instruction *edge = number_of(decoder, 1),
              *decided = add_value(decoder, build_compare(&decoder->body, value, edge, direction));
  return add_built(decoder, HLO_SELECT, OPERANDS(decided, edge, value));
}

static Instruction *add_element_of_iota(Decoder *decoder) {
  static const int64_t first = 3, limit = 4, stride = 1;
  Builder *body = &decoder->body;
  Instruction *all = add_iota(decoder, TYPE_s32, &(Tensor){1, {5}}, 0);
  Instruction *one = add_value(decoder, hlo_build_slice(body, all, &first, &limit, &stride));
  return add_value(decoder, BUILD_AS(body, shape_of_scalar(body, TYPE_s32), RESHAPE, one));
}

/* `how`: 0 to 12: a value and a number; 13 to 25: two numbers; above: the other forms. */
static Instruction *add_arithmetic(Decoder *decoder, uint32_t how) {
  static const char *const directions[] = {"LT", "GE"};
  bool of_numbers = how >= 13 && how != 26 && how != 29;
  Instruction *left = of_numbers ? number_of(decoder, edge_or(decoder, 15, (int64_t)(how % 5) - 2))
                                 : add_parameter(decoder, TYPE_s32, &(Tensor){});
  if (how < 2 * binary_count) {
    Instruction *right = number_of(decoder, edge_or(decoder, 14, (int64_t)(how * 5 % 7) - 2));
    return add_built(decoder, binaries[how % binary_count], OPERANDS(left, right));
  }
  switch (how) {
    case 26:
    case 27: return add_built(decoder, HLO_NEGATE, OPERANDS(left));
    case 28: return add_built(decoder, HLO_ABS, OPERANDS(left));
    case 29: return add_clamped(decoder, left);
    case 30: return add_selected(decoder, left, directions[decoder->value_count % 2]);
    default: return add_element_of_iota(decoder);
  }
}

Instruction *add_offset(Decoder *decoder, uint32_t selector) {
  if (selector % 8 == 7) return add_arithmetic(decoder, selector / 8 % 32);
  if (selector % 8 == 6) return number_of(decoder, edge_of_bits(32, true, selector / 8));
  if (selector % 8 >= 4) return number_of(decoder, (int64_t)(selector / 8 % 8) - 2);
  return selector % 8 > 0 ? value_or_parameter(decoder, TYPE_s32, &(Tensor){}, 0)
                          : add_parameter(decoder, TYPE_s32, &(Tensor){});
}

/* ---- indices ---- */

/* Combines an iota and a number, which an engine may fold into an expression of the index. */
static Instruction *add_computed_indices(Decoder *decoder, const Tensor *tensor, uint32_t how) {
  static constexpr uint32_t index_binaries = 7;
  Instruction *iota = add_iota(decoder, TYPE_s32, tensor, how % tensor->rank);
  if (how % 16 == 15) return add_built(decoder, HLO_NEGATE, OPERANDS(iota));
  Instruction *number = number_of(decoder, (int64_t)(how / 8) - 2);
  if (how % 16 == 14) return add_built(decoder, HLO_CLAMP, OPERANDS(number, iota, number));
  const Shape *shape = shape_of_tensor(&decoder->body, TYPE_s32, tensor);
  Instruction *all = add_value(decoder, build_filled(&decoder->body, number, shape));
  bool is_exchanged = how % 16 >= index_binaries;
  return add_built(decoder, binaries[how % index_binaries],
      OPERANDS(is_exchanged ? all : iota, is_exchanged ? iota : all));
}

Instruction *add_indices(Decoder *decoder, const Tensor *tensor) {
  Choices *choices = &decoder->choices.choices;
  uint64_t way = choose(choices, 6);
  uint32_t how = way > 1 ? (uint32_t)choose(choices, 256) : 0;
  if (way == 4) return add_literal(decoder, tensor, how);
  if (way == 5) return value_or_parameter(decoder, TYPE_s32, tensor, how);
  if (way < 2 || tensor->rank == 0) return add_parameter(decoder, TYPE_s32, tensor);
  return way == 3 ? add_computed_indices(decoder, tensor, how % 64)
                  : add_iota(decoder, TYPE_s32, tensor, how % tensor->rank);
}
