/* Records of a copy in another layout, and of sources: parameters, iotas, constants. */
#include <assert.h>
#include <inttypes.h>

#include "generate/decoder.h"

static bool is_number(ElementType type) { return type == TYPE_f32 || type == TYPE_s32; }

bool fuzz_write_unary(Decoder *decoder) {
  FuzzValue operand = pick_value(decoder, record_choose(decoder, 1, 64)), value = operand;
  static const char *const operations[] = {"negate", "copy", "sign", "abs"};
  const char *operation =
      is_number(operand.type) ? operations[record_choose(decoder, 2, 4)] : "copy";
  if (record_choose(decoder, 3, 3) == 2) {
    operation = "copy";
    choose_layout(&value, record_choose(decoder, 4, 256));
  }
  begin_value(decoder, &value);
  text_printf(&decoder->body, "%s(v%u)", operation, operand.id);
  finish_value(decoder, &value);
  return true;
}

static FuzzValue shape_from_record(const Decoder *decoder, uint32_t at) {
  static const int64_t sizes[] = {3, 4, 2, 1, 5, 6, 8, 7, 9, 12, 16, 0};
  FuzzValue shape = {.type = record_choose(decoder, at, 4) == 1 ? TYPE_s32 : TYPE_f32,
      .rank = record_choose(decoder, at + 1, 5)};
  for (uint32_t i = 0; i < shape.rank; i++)
    shape.sizes[i] = sizes[record_choose(decoder, at + 2 + i, 12)];
  shrink_to_fit(&shape);
  return shape;
}

bool fuzz_write_parameter(Decoder *decoder) {
  FuzzValue value = shape_from_record(decoder, 1);
  choose_layout(&value, record_choose(decoder, 8, 2) != 0 ? record_choose(decoder, 7, 256) : 0);
  value = add_laid_out_parameter(decoder, value);
  return value.id > 0;
}

bool fuzz_write_iota(Decoder *decoder) {
  FuzzValue value = shape_from_record(decoder, 1);
  if (value.rank == 0) return false;
  begin_value(decoder, &value);
  text_printf(&decoder->body, "iota(), iota_dimension=%u", record_choose(decoder, 8, value.rank));
  finish_value(decoder, &value);
  return true;
}

bool fuzz_write_constant(Decoder *decoder) {
  if (record_choose(decoder, 3, 4) == 3) {
    FuzzValue array =
        add_literal(decoder, shape_from_record(decoder, 4), record_choose(decoder, 2, 256));
    return array.id > 0;
  }
  FuzzValue value = add_constant(decoder, record_choose(decoder, 1, 2) != 0 ? TYPE_f32 : TYPE_s32,
      edge_or(decoder, 2, (int64_t)record_choose(decoder, 2, 12) - 3));
  return value.id > 0;
}
