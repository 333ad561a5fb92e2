/* Records of the dynamic slices. Offsets are parameters, constants or arithmetic of those; an
 * update is a value made before or a parameter. */
#include "generate/decoder.h"

bool fuzz_write_dynamic_slice(Decoder *decoder) {
  FuzzValue operand = pick_value(decoder, record_choose(decoder, 1, 64)), value = operand,
            offsets[fuzz_max_rank];
  if (operand.rank == 0) return false;
  decoder->bound = operand.rank;
  value.has_layout = false;
  for (uint32_t i = 0; i < operand.rank; i++) {
    value.sizes[i] =
        operand.sizes[i] - record_choose(decoder, 2 + 2 * i, (uint32_t)operand.sizes[i] + 1);
    offsets[i] = add_offset(decoder, decoder->record[3 + 2 * i]);
  }
  begin_value(decoder, &value);
  text_printf(&decoder->body, "dynamic-slice(v%u", operand.id);
  for (uint32_t i = 0; i < operand.rank; i++) text_printf(&decoder->body, ", v%u", offsets[i].id);
  text_string(&decoder->body, ")");
  print_numbers(&decoder->body, "dynamic_slice_sizes", value.rank, value.sizes);
  finish_value(decoder, &value);
  return true;
}

bool fuzz_write_dynamic_update_slice(Decoder *decoder) {
  FuzzValue operand = pick_value(decoder, record_choose(decoder, 1, 64)), update = operand,
            offsets[fuzz_max_rank];
  uint32_t pieces = 0;
  if (operand.rank == 0) return false;
  decoder->bound = operand.rank;
  for (uint32_t i = 0; i < operand.rank; i++) {
    update.sizes[i] =
        operand.sizes[i] - record_choose(decoder, 2 + 2 * i, (uint32_t)operand.sizes[i] + 1);
    pieces += update.sizes[i] < operand.sizes[i] ? 2 : 0;
    offsets[i] = add_offset(decoder, decoder->record[3 + 2 * i]);
  }
  update = record_choose(decoder, 10, 2) != 0
               ? value_or_parameter(decoder, update, record_choose(decoder, 11, 64))
               : add_parameter(decoder, update);
  FuzzValue value = operand;
  decoder->pieces = pieces > 1 ? pieces : 1;
  begin_value(decoder, &value);
  text_printf(&decoder->body, "dynamic-update-slice(v%u, v%u", operand.id, update.id);
  for (uint32_t i = 0; i < operand.rank; i++) text_printf(&decoder->body, ", v%u", offsets[i].id);
  text_string(&decoder->body, ")");
  finish_value(decoder, &value);
  return true;
}
