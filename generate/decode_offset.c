/* Offsets: scalars of s32 that are parameters, constants, or arithmetic, of numbers alone (which an
 * engine may fold) or of a value and a number. */
#include <inttypes.h>

#include "generate/decoder.h"

static FuzzValue scalar(Decoder *decoder, const char *text) {
  FuzzValue value = {.type = TYPE_s32};
  begin_value(decoder, &value);
  text_string(&decoder->body, text);
  finish_value(decoder, &value);
  return value;
}

static FuzzValue write_binary(Decoder *decoder, uint32_t which, FuzzValue left, int64_t number) {
  static const char *const operations[] = {"add", "subtract", "multiply", "minimum", "maximum",
      "divide", "remainder", "and", "or", "xor", "shift-left", "shift-right-arithmetic",
      "shift-right-logical"};
  FuzzValue right = add_constant(decoder, TYPE_s32, number);
  return scalar(
      decoder, arena_printf(decoder->arena, "%s(v%u, v%u)", operations[which], left.id, right.id));
}

static FuzzValue write_clamped(Decoder *decoder, FuzzValue value) {
  FuzzValue low = add_constant(decoder, TYPE_s32, 0), high = add_constant(decoder, TYPE_s32, 3);
  return scalar(
      decoder, arena_printf(decoder->arena, "clamp(v%u, v%u, v%u)", low.id, value.id, high.id));
}

static FuzzValue write_selected(Decoder *decoder, FuzzValue value, const char *direction) {
  FuzzValue edge = add_constant(decoder, TYPE_s32, 1), decided = {.type = TYPE_pred};
  begin_value(decoder, &decided);
  text_printf(&decoder->body, "compare(v%u, v%u), direction=%s", value.id, edge.id, direction);
  finish_value(decoder, &decided);
  return scalar(decoder,
      arena_printf(decoder->arena, "select(v%u, v%u, v%u)", decided.id, edge.id, value.id));
}

static FuzzValue write_element_of_iota(Decoder *decoder) {
  FuzzValue all = {.type = TYPE_s32, .rank = 1, .sizes = {5}},
            one = {.type = TYPE_s32, .rank = 1, .sizes = {1}};
  begin_value(decoder, &all);
  text_string(&decoder->body, "iota(), iota_dimension=0");
  finish_value(decoder, &all);
  begin_value(decoder, &one);
  text_printf(&decoder->body, "slice(v%u), slice={[3:4]}", all.id);
  finish_value(decoder, &one);
  return scalar(decoder, arena_printf(decoder->arena, "reshape(v%u)", one.id));
}

/* `how`: 0 to 12 of a value and a number, 13 to 25 of two numbers, then the other forms. */
static FuzzValue add_arithmetic(Decoder *decoder, uint32_t how) {
  static const char *const directions[] = {"LT", "GE"};
  bool of_numbers = how >= 13 && how != 26 && how != 29;
  FuzzValue left =
      of_numbers ? add_constant(decoder, TYPE_s32, edge_or(decoder, 15, (int64_t)(how % 5) - 2))
                 : add_parameter(decoder, (FuzzValue){.type = TYPE_s32});
  if (how < 26)
    return write_binary(decoder, how % 13, left, edge_or(decoder, 14, (int64_t)(how * 5 % 7) - 2));
  switch (how) {
    case 26:
    case 27: return scalar(decoder, arena_printf(decoder->arena, "negate(v%u)", left.id));
    case 28: return scalar(decoder, arena_printf(decoder->arena, "abs(v%u)", left.id));
    case 29: return write_clamped(decoder, left);
    case 30: return write_selected(decoder, left, directions[decoder->next_id % 2]);
    default: return write_element_of_iota(decoder);
  }
}

FuzzValue add_offset(Decoder *decoder, uint32_t selector) {
  if (selector % 8 == 7) return add_arithmetic(decoder, selector / 8 % 32);
  if (selector % 8 == 6)
    return add_constant(decoder, TYPE_s32, edge_of_bits(32, true, selector / 8));
  if (selector % 8 >= 4) return add_constant(decoder, TYPE_s32, (int64_t)(selector / 8 % 8) - 2);
  for (uint32_t i = 0; selector % 8 > 0 && i < decoder->value_count; i++) {
    FuzzValue value = pick_value(decoder, i);
    if (value.type == TYPE_s32 && value.rank == 0) return value;
  }
  return add_parameter(decoder, (FuzzValue){.type = TYPE_s32});
}
