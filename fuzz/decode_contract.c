/* Records of the dots with more operands: ragged-dot, whose groups divide a free or the contracting dimension of the left side, and scaled-dot,
 * whose scales divide their operand in blocks. */
#include "fuzz/decoder.h"

/* The picked value where it is a matrix of f32, a new parameter otherwise. */
static FuzzValue matrix(Decoder *decoder) {
  FuzzValue picked = pick_value(decoder, choose(decoder, 1, 64));
  if (picked.type == TYPE_f32 && picked.rank == 2) return picked;
  return add_parameter(decoder, (FuzzValue){.type = TYPE_f32, .rank = 2, .sizes = {1 + choose(decoder, 3, 5), 1 + choose(decoder, 4, 6)}});
}

bool fuzz_write_ragged_dot(Decoder *decoder) {
  FuzzValue left = matrix(decoder), right = {.type = TYPE_f32}, groups = {.type = TYPE_s32, .rank = 1, .sizes = {1 + choose(decoder, 5, 3)}};
  int64_t others = 1 + choose(decoder, 6, 4), rows = left.sizes[0], columns = left.sizes[1], count = groups.sizes[0];
  bool contracts = choose(decoder, 7, 2) != 0;
  FuzzValue value = contracts ? (FuzzValue){.type = TYPE_f32, .rank = 3, .sizes = {count, rows, others}} : (FuzzValue){.type = TYPE_f32, .rank = 2, .sizes = {rows, others}};
  if (contracts) right = (FuzzValue){.type = TYPE_f32, .rank = 2, .sizes = {columns, others}};
  else right = (FuzzValue){.type = TYPE_f32, .rank = 3, .sizes = {count, columns, others}};
  if (fuzz_room(&value) > fuzz_max_elements || fuzz_room(&right) > fuzz_max_elements) return false;
  right = add_parameter(decoder, right);
  groups = add_parameter(decoder, groups);
  begin_value(decoder, &value);
  text_printf(&decoder->body, "ragged-dot(v%u, v%u, v%u), lhs_contracting_dims={1}, rhs_contracting_dims={%d}, lhs_ragged_dims={%d}%s", left.id, right.id, groups.id,
              contracts ? 0 : 1, contracts ? 1 : 0, contracts ? "" : ", rhs_group_dims={0}");
  finish_value(decoder, &value);
  return true;
}

/* As many blocks along the contracting dimension as divide it, up to three. */
static FuzzValue scale_of(const Decoder *decoder, FuzzValue operand, uint32_t at) {
  int64_t size = operand.sizes[1], blocks = size == 0 ? 0 : 1 + choose(decoder, at, 3);
  if (blocks > 0 && size % blocks != 0) blocks = 1;
  operand.sizes[1] = blocks;
  operand.has_layout = false;
  return operand;
}

bool fuzz_write_scaled_dot(Decoder *decoder) {
  FuzzValue left = matrix(decoder), right = {.type = TYPE_f32, .rank = 2, .sizes = {1 + choose(decoder, 5, 4), left.sizes[1]}};
  FuzzValue value = {.type = TYPE_f32, .rank = 2, .sizes = {left.sizes[0], right.sizes[0]}};
  if (fuzz_room(&value) > fuzz_max_elements || fuzz_room(&right) > fuzz_max_elements) return false;
  right = add_parameter(decoder, right);
  FuzzValue left_scale = add_parameter(decoder, scale_of(decoder, left, 6)), right_scale = add_parameter(decoder, scale_of(decoder, right, 7));
  begin_value(decoder, &value);
  text_printf(&decoder->body, "scaled-dot(v%u, v%u, v%u, v%u), lhs_contracting_dims={1}, rhs_contracting_dims={1}", left.id, right.id, left_scale.id, right_scale.id);
  finish_value(decoder, &value);
  return true;
}
