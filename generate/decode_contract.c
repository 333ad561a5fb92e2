/* Records of the dots: the plain one, ragged-dot, whose groups divide a free, the contracting or a
 * batch dimension of the left side, and scaled-dot, whose scales divide their operand in blocks. */
#include "generate/decoder.h"

/* Each dimension of the left side is batch, free or contracting, by two bits; the right side is a
 * new parameter, or a value made before, with its dimensions in an order of its own. */
bool fuzz_write_dot(Decoder *decoder) {
  FuzzValue left = pick_value(decoder, record_choose(decoder, 1, 64));
  if (left.type != TYPE_f32) return false;
  FuzzValue right = {.type = TYPE_f32}, value = {.type = TYPE_f32};
  int64_t batch[2][fuzz_max_rank], contracting[2][fuzz_max_rank], free_sizes[fuzz_max_rank];
  uint32_t batch_count = 0, contracting_count = 0, free_count = 0;
  for (uint32_t i = 0; i < left.rank; i++) {
    uint32_t role = choose_bits(decoder, 8 + i);
    if (role == 1) batch[0][batch_count++] = i;
    if (role >= 2) contracting[0][contracting_count++] = i;
    if (role == 0) free_sizes[free_count++] = left.sizes[i];
  }
  for (uint32_t i = 0; i < batch_count; i++) value.sizes[value.rank++] = left.sizes[batch[0][i]];
  for (uint32_t i = 0; i < free_count; i++) value.sizes[value.rank++] = free_sizes[i];
  bool contracts_first = record_choose(decoder, 5, 2) != 0,
       has_free = record_choose(decoder, 4, 2) != 0 && value.rank < fuzz_max_rank &&
                  batch_count + contracting_count < fuzz_max_rank;
  for (uint32_t pass = 0; pass < 2; pass++) {
    bool contracts = (pass == 0) == contracts_first;
    for (uint32_t i = 0; i < (contracts ? contracting_count : batch_count); i++) {
      (contracts ? contracting : batch)[1][i] = right.rank;
      right.sizes[right.rank++] = left.sizes[(contracts ? contracting : batch)[0][i]];
    }
    if (pass == 0 && has_free)
      right.sizes[right.rank++] = value.sizes[value.rank++] = 1 + record_choose(decoder, 6, 4);
  }
  if (fuzz_room(&value) > fuzz_max_elements || fuzz_room(&right) > fuzz_max_elements) return false;
  right = record_choose(decoder, 7, 2) != 0
              ? value_or_parameter(decoder, right, record_choose(decoder, 8, 64))
              : add_parameter(decoder, right);
  begin_value(decoder, &value);
  text_printf(&decoder->body, "dot(v%u, v%u)", left.id, right.id);
  print_numbers(&decoder->body, "lhs_batch_dims", batch_count, batch[0]);
  print_numbers(&decoder->body, "lhs_contracting_dims", contracting_count, contracting[0]);
  print_numbers(&decoder->body, "rhs_batch_dims", batch_count, batch[1]);
  print_numbers(&decoder->body, "rhs_contracting_dims", contracting_count, contracting[1]);
  finish_value(decoder, &value);
  return true;
}

/* The picked value where it is a matrix of f32, a new parameter otherwise. */
static FuzzValue matrix(Decoder *decoder) {
  FuzzValue picked = pick_value(decoder, record_choose(decoder, 1, 64));
  if (picked.type == TYPE_f32 && picked.rank == 2) return picked;
  return add_parameter(
      decoder, (FuzzValue){.type = TYPE_f32,
                   .rank = 2,
                   .sizes = {1 + record_choose(decoder, 3, 5), 1 + record_choose(decoder, 4, 6)}});
}

/* The batch dimension is the ragged one: the groups divide it on both sides alike. */
static bool write_ragged_batch(Decoder *decoder) {
  FuzzValue left = {.type = TYPE_f32,
      .rank = 3,
      .sizes = {1 + record_choose(decoder, 3, 4), 1 + record_choose(decoder, 4, 4),
          1 + record_choose(decoder, 5, 4)}};
  FuzzValue right = left, value = left,
            groups = {.type = TYPE_s32, .rank = 1, .sizes = {1 + record_choose(decoder, 6, 3)}};
  right.sizes[1] = left.sizes[2];
  right.sizes[2] = value.sizes[2] = 1 + record_choose(decoder, 9, 4);
  left = value_or_parameter(decoder, left, record_choose(decoder, 1, 64));
  right = add_parameter(decoder, right);
  groups = add_parameter(decoder, groups);
  begin_value(decoder, &value);
  text_printf(&decoder->body,
      "ragged-dot(v%u, v%u, v%u), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1}, lhs_ragged_dims={0}",
      left.id, right.id, groups.id);
  finish_value(decoder, &value);
  return true;
}

bool fuzz_write_ragged_dot(Decoder *decoder) {
  if (record_choose(decoder, 8, 4) == 3) return write_ragged_batch(decoder);
  FuzzValue left = matrix(decoder), right = {.type = TYPE_f32},
            groups = {.type = TYPE_s32, .rank = 1, .sizes = {1 + record_choose(decoder, 5, 3)}};
  int64_t others = 1 + record_choose(decoder, 6, 4), rows = left.sizes[0], columns = left.sizes[1],
          count = groups.sizes[0];
  bool contracts = record_choose(decoder, 7, 2) != 0;
  FuzzValue value = contracts
                        ? (FuzzValue){.type = TYPE_f32, .rank = 3, .sizes = {count, rows, others}}
                        : (FuzzValue){.type = TYPE_f32, .rank = 2, .sizes = {rows, others}};
  if (contracts) right = (FuzzValue){.type = TYPE_f32, .rank = 2, .sizes = {columns, others}};
  else right = (FuzzValue){.type = TYPE_f32, .rank = 3, .sizes = {count, columns, others}};
  if (fuzz_room(&value) > fuzz_max_elements || fuzz_room(&right) > fuzz_max_elements) return false;
  right = add_parameter(decoder, right);
  groups = add_parameter(decoder, groups);
  begin_value(decoder, &value);
  text_printf(&decoder->body,
      "ragged-dot(v%u, v%u, v%u), lhs_contracting_dims={1}, rhs_contracting_dims={%d}, lhs_ragged_dims={%d}%s",
      left.id, right.id, groups.id, contracts ? 0 : 1, contracts ? 1 : 0,
      contracts ? "" : ", rhs_group_dims={0}");
  finish_value(decoder, &value);
  return true;
}

/* As many blocks along the contracting dimension as divide it, up to three. */
static FuzzValue scale_of(const Decoder *decoder, FuzzValue operand, uint32_t at) {
  int64_t size = operand.sizes[1], blocks = size == 0 ? 0 : 1 + record_choose(decoder, at, 3);
  if (blocks > 0 && size % blocks != 0) blocks = 1;
  operand.sizes[1] = blocks;
  operand.has_layout = false;
  return operand;
}

bool fuzz_write_scaled_dot(Decoder *decoder) {
  FuzzValue left = matrix(decoder), right = {.type = TYPE_f32,
                                        .rank = 2,
                                        .sizes = {1 + record_choose(decoder, 5, 4), left.sizes[1]}};
  FuzzValue value = {.type = TYPE_f32, .rank = 2, .sizes = {left.sizes[0], right.sizes[0]}};
  if (fuzz_room(&value) > fuzz_max_elements || fuzz_room(&right) > fuzz_max_elements) return false;
  right = add_parameter(decoder, right);
  FuzzValue left_scale = add_parameter(decoder, scale_of(decoder, left, 6)),
            right_scale = add_parameter(decoder, scale_of(decoder, right, 7));
  begin_value(decoder, &value);
  text_printf(&decoder->body,
      "scaled-dot(v%u, v%u, v%u, v%u), lhs_contracting_dims={1}, rhs_contracting_dims={1}", left.id,
      right.id, left_scale.id, right_scale.id);
  finish_value(decoder, &value);
  return true;
}
