/* Records that move or make elements one to one: elementwise operations, sources, and the shape
 * family. */
#include <assert.h>
#include <inttypes.h>

#include "generate/decoder.h"

static bool is_number(ElementType type) { return type == TYPE_f32 || type == TYPE_s32; }

static void write_operands(Decoder *decoder, const char *operation, uint32_t a, uint32_t b) {
  text_printf(&decoder->body, "%s(v%u, v%u)", operation, a, b);
}

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

bool fuzz_write_binary(Decoder *decoder) {
  FuzzValue left = pick_value(decoder, record_choose(decoder, 1, 64)),
            right = pick_alike(decoder, left, record_choose(decoder, 2, 64));
  if (!is_number(left.type)) return false;
  static const char *const operations[] = {"add", "subtract", "multiply", "maximum", "compare"};
  uint32_t which = record_choose(decoder, 3, 5);
  FuzzValue value = left;
  if (which == 4) value.type = TYPE_pred;
  begin_value(decoder, &value);
  write_operands(decoder, operations[which], left.id, right.id);
  if (which == 4) text_string(&decoder->body, ", direction=LT");
  finish_value(decoder, &value);
  return true;
}

bool fuzz_write_select(Decoder *decoder) {
  FuzzValue left = pick_value(decoder, record_choose(decoder, 1, 64)),
            right = pick_alike(decoder, left, record_choose(decoder, 2, 64));
  FuzzValue predicate = left;
  predicate.type = TYPE_pred;
  if (record_choose(decoder, 3, 2) != 0) predicate.rank = 0;
  predicate = add_parameter(decoder, predicate);
  FuzzValue value = left;
  begin_value(decoder, &value);
  text_printf(&decoder->body, "select(v%u, v%u, v%u)", predicate.id, left.id, right.id);
  finish_value(decoder, &value);
  return true;
}

bool fuzz_write_clamp(Decoder *decoder) {
  FuzzValue operand = pick_value(decoder, record_choose(decoder, 1, 64));
  if (!is_number(operand.type)) return false;
  FuzzValue low = add_constant(decoder, operand.type, 0),
            high = record_choose(decoder, 2, 2) != 0
                       ? add_parameter(decoder, operand)
                       : add_parameter(decoder, (FuzzValue){.type = operand.type});
  FuzzValue value = operand;
  begin_value(decoder, &value);
  text_printf(&decoder->body, "clamp(v%u, v%u, v%u)", low.id, operand.id, high.id);
  finish_value(decoder, &value);
  return true;
}

bool fuzz_write_convert(Decoder *decoder) {
  static const ElementType types[] = {TYPE_s32, TYPE_f32, TYPE_s8, TYPE_bf16};
  FuzzValue operand = pick_value(decoder, record_choose(decoder, 1, 64)), value = operand;
  value.type = types[record_choose(decoder, 2, 4)];
  begin_value(decoder, &value);
  text_printf(&decoder->body, "convert(v%u)", operand.id);
  finish_value(decoder, &value);
  return true;
}

/* Four bytes in the place of a number, or two halves; and back where the last dimension is as long
 * as that. */
bool fuzz_write_bitcast_convert(Decoder *decoder) {
  FuzzValue operand = pick_value(decoder, record_choose(decoder, 1, 64)), value = operand;
  uint32_t how = record_choose(decoder, 2, 4);
  int64_t parts = operand.type == TYPE_s8     ? 4
                  : operand.type == TYPE_bf16 ? 2
                                              : 0,
          split = how == 1   ? 4
                  : how == 3 ? 2
                             : 1;
  value.has_layout = false;
  if (parts > 0) {
    if (operand.rank == 0 || operand.sizes[operand.rank - 1] != parts) return false;
    value.rank--;
    value.type = how % 2 == 0 ? TYPE_s32 : TYPE_f32;
  } else if (!is_number(operand.type)) {
    return false;
  } else if (split == 1 || operand.rank == fuzz_max_rank ||
             fuzz_room(&operand) * split > fuzz_max_elements) {
    value.type = operand.type == TYPE_f32 ? TYPE_s32 : TYPE_f32;
  } else {
    value.type = how == 1 ? TYPE_s8 : TYPE_bf16;
    value.sizes[value.rank++] = split;
  }
  begin_value(decoder, &value);
  text_printf(&decoder->body, "bitcast-convert(v%u)", operand.id);
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

/* The operand's dimensions in another order among the places that they have. */
static void reorder_broadcast(
    const Decoder *decoder, const FuzzValue *operand, FuzzValue *value, int64_t *dimensions) {
  int64_t order[fuzz_max_rank], places[fuzz_max_rank];
  permutation_of(record_choose(decoder, 6, 256), operand->rank, order);
  for (uint32_t i = 0; i < operand->rank; i++) places[i] = dimensions[i];
  for (uint32_t i = 0; i < operand->rank; i++) {
    dimensions[i] = places[order[i]];
    value->sizes[dimensions[i]] = operand->sizes[i];
  }
}

bool fuzz_write_broadcast(Decoder *decoder) {
  FuzzValue operand = pick_value(decoder, record_choose(decoder, 1, 64));
  if (operand.rank == fuzz_max_rank && record_choose(decoder, 2, 2) == 0) return false;
  FuzzValue value = {.type = operand.type};
  int64_t dimensions[fuzz_max_rank] = {};
  uint32_t added = fuzz_max_rank - operand.rank, taken = 0;
  uint32_t wanted = operand.rank + (added == 0 ? 0 : 1 + record_choose(decoder, 2, added));
  for (uint32_t i = 0; i < wanted; i++) {
    bool must = wanted - i == operand.rank - taken, can = taken < operand.rank;
    if (must || (can && choose_bits(decoder, 12 + i) % 2 == 0)) {
      dimensions[taken] = i;
      value.sizes[value.rank++] = operand.sizes[taken++];
    } else {
      value.sizes[value.rank++] = 1 + choose_bits(decoder, 20 + i);
    }
  }
  if (fuzz_room(&value) > fuzz_max_elements) return false;
  if (record_choose(decoder, 7, 2) != 0) reorder_broadcast(decoder, &operand, &value, dimensions);
  begin_value(decoder, &value);
  text_printf(&decoder->body, "broadcast(v%u)", operand.id);
  print_numbers(&decoder->body, "dimensions", operand.rank, dimensions);
  finish_value(decoder, &value);
  return true;
}

/* A permutation of rank numbers by Lehmer digits. */
static void permutation(const Decoder *decoder, uint32_t at, uint32_t rank, int64_t *order) {
  for (uint32_t i = 0; i < rank; i++) order[i] = i;
  for (uint32_t i = 0; i + 1 < rank; i++) {
    uint32_t j = i + record_choose(decoder, at + i, rank - i);
    int64_t swap = order[i];
    order[i] = order[j];
    order[j] = swap;
  }
}

bool fuzz_write_transpose(Decoder *decoder) {
  FuzzValue operand = pick_value(decoder, record_choose(decoder, 1, 64)), value = operand;
  int64_t order[fuzz_max_rank];
  permutation(decoder, 2, operand.rank, order);
  value.has_layout = false;
  for (uint32_t i = 0; i < operand.rank; i++) value.sizes[i] = operand.sizes[order[i]];
  begin_value(decoder, &value);
  text_printf(&decoder->body, "transpose(v%u)", operand.id);
  print_numbers(&decoder->body, "dimensions", operand.rank, order);
  finish_value(decoder, &value);
  return true;
}

bool fuzz_write_reverse(Decoder *decoder) {
  FuzzValue operand = pick_value(decoder, record_choose(decoder, 1, 64)), value = operand;
  int64_t dimensions[fuzz_max_rank];
  uint32_t count = 0;
  for (uint32_t i = 0; i < operand.rank; i++)
    if ((decoder->record[2] >> i & 1) == 0) dimensions[count++] = i;
  value.has_layout = false;
  begin_value(decoder, &value);
  text_printf(&decoder->body, "reverse(v%u)", operand.id);
  print_numbers(&decoder->body, "dimensions", count, dimensions);
  finish_value(decoder, &value);
  return true;
}

static int64_t choose_divisor(const Decoder *decoder, uint32_t at, int64_t number) {
  int64_t divisors[64];
  uint32_t count = 0;
  for (int64_t i = 1; i <= number && count < 64; i++)
    if (number % i == 0) divisors[count++] = i;
  return divisors[record_choose(decoder, at, count)];
}

/* Sizes whose product is the operand's, from the record. */
static FuzzValue refactor(const Decoder *decoder, const FuzzValue *operand) {
  FuzzValue value = {.type = operand->type};
  int64_t rest = fuzz_elements(operand);
  uint32_t wanted = record_choose(decoder, 2, fuzz_max_rank + 1);
  if (rest == 0) {
    value.rank = 1 + wanted % fuzz_max_rank;
    for (uint32_t i = 0; i < value.rank; i++) value.sizes[i] = choose_bits(decoder, 12 + i);
    value.sizes[record_choose(decoder, 7, value.rank)] = 0;
    return value;
  }
  if (wanted == 0 && rest != 1) wanted = 1;
  for (uint32_t i = 0; i < wanted; i++) {
    int64_t size = i + 1 == wanted ? rest : choose_divisor(decoder, 3 + i, rest);
    value.sizes[value.rank++] = size;
    rest /= size;
  }
  return value;
}

bool fuzz_write_reshape(Decoder *decoder) {
  FuzzValue operand = pick_value(decoder, record_choose(decoder, 1, 64)),
            value = refactor(decoder, &operand);
  begin_value(decoder, &value);
  text_printf(&decoder->body, "reshape(v%u)", operand.id);
  finish_value(decoder, &value);
  return true;
}

bool fuzz_write_bitcast(Decoder *decoder) {
  FuzzValue operand = pick_value(decoder, record_choose(decoder, 1, 64)),
            value = refactor(decoder, &operand);
  int64_t order[fuzz_max_rank];
  permutation(decoder, 8, value.rank, order);
  value.has_layout = value.rank > 0;
  for (uint32_t i = 0; i < value.rank; i++) value.minor_to_major[i] = (uint32_t)order[i];
  begin_value(decoder, &value);
  text_printf(&decoder->body, "bitcast(v%u)", operand.id);
  finish_value(decoder, &value);
  return true;
}

/* Up to three operands that agree in all dimensions but one: the value itself, slices of its shape
 * as new parameters. */
bool fuzz_write_concatenate(Decoder *decoder) {
  FuzzValue operand = pick_value(decoder, record_choose(decoder, 1, 64));
  if (operand.rank == 0) return false;
  uint32_t along = record_choose(decoder, 2, operand.rank),
           count = 1 + record_choose(decoder, 3, 3);
  FuzzValue value = operand, parts[3] = {operand};
  value.has_layout = false;
  for (uint32_t i = 1; i < count; i++) {
    parts[i] = operand;
    bool again = record_choose(decoder, 4 + i, 4) == 0;
    if (!again) parts[i].sizes[along] = record_choose(decoder, 6 + i, 5);
    value.sizes[along] += parts[i].sizes[along];
    if (fuzz_room(&value) > fuzz_max_elements) return false;
    if (again) continue;
    parts[i] = record_choose(decoder, 10 + i, 2) != 0
                   ? value_or_parameter(decoder, parts[i], record_choose(decoder, 12 + i, 64))
                   : add_parameter(decoder, parts[i]);
  }
  begin_value(decoder, &value);
  text_string(&decoder->body, "concatenate(");
  for (uint32_t i = 0; i < count; i++)
    text_printf(&decoder->body, "%sv%u", i == 0 ? "" : ", ", parts[i].id);
  text_printf(&decoder->body, "), dimensions={%u}", along);
  finish_value(decoder, &value);
  return true;
}
