/* Records of any elementwise operation, by the table of opcodes, so that a new row comes up here by
 * itself. An operand that has not the element type that the operation is about (bits, fractions,
 * complex parts) is converted first. Select, clamp and map have records of their own. */
#include <assert.h>

#include "core/hlo/graph.h"
#include "generate/decoder.h"

static bool is_written_here(Opcode opcode) {
  return opcode_family(opcode) == FAMILY_ELEMENTWISE && opcode != HLO_SELECT &&
         opcode != HLO_CLAMP && opcode != HLO_MAP;
}

static Opcode choose_opcode(const Decoder *decoder, uint32_t at) {
  Opcode found[opcode_count];
  uint32_t count = 0;
  for (uint32_t i = 0; i < opcode_count; i++)
    if (is_written_here((Opcode)i)) found[count++] = (Opcode)i;
  assert(count > 0 && count <= 256);
  return found[record_choose(decoder, at, count)];
}

static bool is_one_of(Opcode opcode, uint32_t count, const Opcode *list) {
  for (uint32_t i = 0; i < count; i++)
    if (list[i] == opcode) return true;
  return false;
}

static bool works_on_bits(Opcode opcode) {
  static const Opcode list[] = {HLO_AND, HLO_COUNT_LEADING_ZEROS, HLO_NOT, HLO_OR, HLO_POPCNT,
      HLO_SHIFT_LEFT, HLO_SHIFT_RIGHT_ARITHMETIC, HLO_SHIFT_RIGHT_LOGICAL, HLO_XOR};
  return is_one_of(opcode, sizeof list / sizeof *list, list);
}

static bool works_on_any(Opcode opcode) {
  static const Opcode list[] = {HLO_ABS, HLO_ADD, HLO_COMPARE, HLO_CONVERT, HLO_COPY, HLO_DIVIDE,
      HLO_MAXIMUM, HLO_MINIMUM, HLO_MULTIPLY, HLO_NEGATE, HLO_POWER, HLO_REMAINDER, HLO_SIGN,
      HLO_SUBTRACT};
  return is_one_of(opcode, sizeof list / sizeof *list, list);
}

/* The element type that the first operand must have. */
static ElementType operand_type(Opcode opcode, ElementType type) {
  if (works_on_bits(opcode)) return TYPE_s32;
  if (opcode == HLO_REAL || opcode == HLO_IMAG) return type == TYPE_c64 ? TYPE_c64 : TYPE_f32;
  if (works_on_any(opcode)) return type == TYPE_s32 ? TYPE_s32 : TYPE_f32;
  return TYPE_f32;
}

static ElementType result_type(const Decoder *decoder, Opcode opcode, ElementType type) {
  static const ElementType converted[] = {
      TYPE_s32, TYPE_f32, TYPE_s8, TYPE_bf16, TYPE_f64, TYPE_u8, TYPE_pred, TYPE_c64};
  if (opcode == HLO_COMPARE || opcode == HLO_IS_FINITE) return TYPE_pred;
  if (opcode == HLO_COMPLEX) return TYPE_c64;
  if (opcode == HLO_REAL || opcode == HLO_IMAG) return TYPE_f32;
  if (opcode == HLO_CONVERT) return converted[record_choose(decoder, 3, 8)];
  return opcode == HLO_STOCHASTIC_CONVERT ? TYPE_s8 : type;
}

static FuzzValue converted(Decoder *decoder, FuzzValue value, ElementType type) {
  if (value.type == type) return value;
  FuzzValue result = value;
  result.type = type;
  begin_value(decoder, &result);
  text_printf(&decoder->body, "convert(v%u)", value.id);
  finish_value(decoder, &result);
  return result;
}

static FuzzValue second_operand(Decoder *decoder, Opcode opcode, FuzzValue first) {
  if (opcode != HLO_STOCHASTIC_CONVERT)
    return pick_alike(decoder, first, record_choose(decoder, 4, 64));
  first.type = TYPE_u32;
  return add_parameter(decoder, first);
}

static const char *attributes_of(const Decoder *decoder, Opcode opcode) {
  static const char *const directions[] = {", direction=EQ", ", direction=GT",
      ", direction=LE, type=TOTALORDER", ", direction=LT", ", direction=NE", ", direction=GE"};
  if (opcode == HLO_COMPARE) return directions[record_choose(decoder, 3, 6)];
  return opcode == HLO_REDUCE_PRECISION ? ", exponent_bits=5, mantissa_bits=10" : "";
}

bool fuzz_write_elementwise(Decoder *decoder) {
  FuzzValue operand = pick_value(decoder, record_choose(decoder, 1, 64));
  Opcode opcode = choose_opcode(decoder, 2);
  uint32_t count = opcode_least_operands(opcode);
  assert(count == 1 || count == 2);
  operand = converted(decoder, operand, operand_type(opcode, operand.type));
  FuzzValue second = count == 2 ? second_operand(decoder, opcode, operand) : operand,
            value = operand;
  value.type = result_type(decoder, opcode, operand.type);
  begin_value(decoder, &value);
  text_printf(&decoder->body, "%s(v%u", opcode_name(opcode), operand.id);
  if (count == 2) text_printf(&decoder->body, ", v%u", second.id);
  text_printf(&decoder->body, ")%s", attributes_of(decoder, opcode));
  finish_value(decoder, &value);
  return true;
}

static void write_map_of_one(
    Decoder *decoder, const FuzzValue *operand, const int64_t *dimensions) {
  FuzzValue value = *operand;
  const char *type = element_type_name(operand->type);
  uint32_t number = decoder->next_id++;
  text_printf(&decoder->computations,
      "call_%u {\n  p = %s[] parameter(0)\n  ROOT r = %s[] negate(p)\n}\n\n", number, type, type);
  begin_value(decoder, &value);
  text_printf(&decoder->body, "map(v%u)", operand->id);
  print_numbers(&decoder->body, "dimensions", operand->rank, dimensions);
  text_printf(&decoder->body, ", to_apply=call_%u", number);
  finish_value(decoder, &value);
}

/* One or two operands, through a computation of scalars. */
bool fuzz_write_map(Decoder *decoder) {
  FuzzValue operand = pick_value(decoder, record_choose(decoder, 1, 64)),
            second = pick_alike(decoder, operand, record_choose(decoder, 2, 64)), value = operand;
  if (operand.type != TYPE_f32 && operand.type != TYPE_s32) return false;
  int64_t dimensions[fuzz_max_rank];
  for (uint32_t i = 0; i < operand.rank; i++) dimensions[i] = i;
  if (record_choose(decoder, 3, 3) == 2) {
    write_map_of_one(decoder, &operand, dimensions);
    return true;
  }
  const char *mapped = reducer_name(decoder, 1, &operand);
  begin_value(decoder, &value);
  text_printf(&decoder->body, "map(v%u, v%u)", operand.id, second.id);
  print_numbers(&decoder->body, "dimensions", operand.rank, dimensions);
  text_printf(&decoder->body, ", to_apply=%s", mapped);
  finish_value(decoder, &value);
  return true;
}
