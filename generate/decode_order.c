/* Records that read along whole dimensions: sort, topk, scan, cholesky, triangular-solve, fft. */
#include <inttypes.h>

#include "generate/decoder.h"

/* Compares by the first operand and carries the second along. */
static void write_sort_of_two(Decoder *decoder, FuzzValue operand, uint32_t along) {
  FuzzValue both[2] = {operand, operand};
  if (record_choose(decoder, 4, 2) != 0) both[1].type = TYPE_s32;
  both[1] = both[1].type == TYPE_s32
                ? value_or_parameter(decoder, both[1], record_choose(decoder, 5, 64))
                : pick_alike(decoder, operand, record_choose(decoder, 5, 64));
  const char *type = element_type_name(both[1].type);
  uint32_t number = decoder->next_id++;
  text_printf(&decoder->computations,
      "call_%u {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  c = %s[] parameter(2)\n  d = %s[] parameter(3)\n"
      "  ROOT r = pred[] compare(a, b), direction=GT\n}\n\n",
      number, type, type);
  both[0].has_layout = both[1].has_layout = false;
  uint32_t tuple = begin_tuple(decoder, 2, both, "");
  text_printf(&decoder->body, "sort(v%u, v%u), dimensions={%u}, to_apply=call_%u\n", both[0].id,
      both[1].id, along, number);
  take_element(decoder, tuple, 1, both[1]);
  take_element(decoder, tuple, 0, both[0]);
}

bool fuzz_write_sort(Decoder *decoder) {
  FuzzValue operand = pick_value(decoder, record_choose(decoder, 1, 64)), value = operand;
  if (operand.type != TYPE_f32 || operand.rank == 0) return false;
  uint32_t along = record_choose(decoder, 2, operand.rank);
  if (record_choose(decoder, 3, 3) == 2) {
    write_sort_of_two(decoder, operand, along);
    return true;
  }
  const char *comparison = comparison_name(decoder);
  begin_value(decoder, &value);
  text_printf(&decoder->body, "sort(v%u), dimensions={%u}, is_stable=true, to_apply=%s", operand.id,
      along, comparison);
  finish_value(decoder, &value);
  return true;
}

static bool write_topk(Decoder *decoder, FuzzValue operand) {
  if (operand.rank == 0 || operand.type != TYPE_f32) return false;
  FuzzValue both[2] = {operand, operand};
  uint32_t last = operand.rank - 1;
  both[1].type = TYPE_s32;
  both[0].has_layout = both[1].has_layout = false;
  both[0].sizes[last] = both[1].sizes[last] =
      record_choose(decoder, 3, (uint32_t)operand.sizes[last] + 1);
  uint32_t tuple = begin_tuple(decoder, 2, both, "");
  text_printf(&decoder->body, "topk(v%u), k=%" PRId64 ", largest=%s\n", operand.id,
      both[0].sizes[last], record_choose(decoder, 4, 2) != 0 ? "true" : "false");
  take_element(decoder, tuple, 1, both[1]);
  take_element(decoder, tuple, 0, both[0]);
  return true;
}

static FuzzValue without_dimension(FuzzValue value, uint32_t along) {
  for (uint32_t i = along; i + 1 < value.rank; i++) value.sizes[i] = value.sizes[i + 1];
  value.rank--;
  value.has_layout = false;
  return value;
}

/* Adds an element to what is carried, and gives it out. */
static uint32_t write_step(Decoder *decoder, const FuzzValue *part) {
  uint32_t number = decoder->next_id++;
  Text *text = &decoder->computations;
  Text shape = text_create(decoder->arena);
  print_value_shape(&shape, part);
  text_printf(text,
      "step_%u {\n  x = %s parameter(0)\n  c = %s parameter(1)\n  n = %s add(x, c)\n  ROOT r = (%s, %s) tuple(n, n)\n}\n\n",
      number, shape.bytes, shape.bytes, shape.bytes, shape.bytes, shape.bytes);
  return number;
}

static bool write_scan(Decoder *decoder, FuzzValue operand) {
  if (operand.rank == 0 || (operand.type != TYPE_f32 && operand.type != TYPE_s32)) return false;
  uint32_t along = record_choose(decoder, 3, operand.rank);
  FuzzValue part = without_dimension(operand, along), both[2] = {operand, part};
  both[0].has_layout = false;
  FuzzValue initial = add_parameter(decoder, part);
  uint32_t step = write_step(decoder, &part), tuple = begin_tuple(decoder, 2, both, "");
  text_printf(&decoder->body,
      "scan(v%u, v%u), dimensions={%u}, num_carries=1, is_reverse=%s, to_apply=step_%u\n",
      operand.id, initial.id, along, record_choose(decoder, 4, 2) != 0 ? "true" : "false", step);
  take_element(decoder, tuple, 1, both[1]);
  take_element(decoder, tuple, 0, both[0]);
  return true;
}

static FuzzValue square(const Decoder *decoder) {
  FuzzValue value = {.type = TYPE_f32, .rank = 2 + record_choose(decoder, 3, 2)};
  for (uint32_t i = 0; i < value.rank; i++) value.sizes[i] = 2;
  value.sizes[value.rank - 1] = value.sizes[value.rank - 2] = 1 + record_choose(decoder, 4, 5);
  return value;
}

static void write_cholesky(Decoder *decoder) {
  FuzzValue operand = add_parameter(decoder, square(decoder)), value = operand;
  decoder->maps += 2; /* a triangle, and its diagonal */
  begin_value(decoder, &value);
  text_printf(&decoder->body, "cholesky(v%u), lower=%s", operand.id,
      record_choose(decoder, 5, 2) != 0 ? "true" : "false");
  finish_value(decoder, &value);
}

static void write_triangular_solve(Decoder *decoder) {
  FuzzValue matrix = square(decoder), value = matrix;
  bool left = record_choose(decoder, 5, 2) != 0;
  value.sizes[value.rank - (left ? 1 : 2)] = record_choose(decoder, 6, 4);
  matrix = add_parameter(decoder, matrix);
  FuzzValue sides = add_parameter(decoder, value);
  begin_value(decoder, &value);
  text_printf(&decoder->body,
      "triangular-solve(v%u, v%u), left_side=%s, lower=%s, unit_diagonal=false, transpose_a=%s",
      matrix.id, sides.id, left ? "true" : "false",
      record_choose(decoder, 7, 2) != 0 ? "true" : "false",
      record_choose(decoder, 8, 2) != 0 ? "TRANSPOSE" : "NO_TRANSPOSE");
  finish_value(decoder, &value);
}

/* Complex to complex over the last one or two dimensions; real to complex and back over the
 * last. */
static bool write_fft(Decoder *decoder, FuzzValue operand) {
  if (operand.type == TYPE_f32 && record_choose(decoder, 5, 2) != 0) {
    operand.type = TYPE_c64;
    operand = value_or_parameter(decoder, operand, record_choose(decoder, 6, 64));
  }
  bool is_complex = operand.type == TYPE_c64;
  if (operand.rank == 0 || (!is_complex && operand.type != TYPE_f32)) return false;
  FuzzValue value = operand;
  uint32_t last = operand.rank - 1;
  bool back = is_complex && record_choose(decoder, 3, 2) != 0 && operand.sizes[last] > 1;
  value.has_layout = false;
  value.type = back ? TYPE_f32 : TYPE_c64;
  int64_t length = back ? 2 * (operand.sizes[last] - 1) : operand.sizes[last];
  if (back) value.sizes[last] = length;
  if (!is_complex && length > 0) value.sizes[last] = length / 2 + 1;
  if (fuzz_room(&value) > fuzz_max_elements) return false;
  begin_value(decoder, &value);
  text_printf(&decoder->body, "fft(v%u), fft_type=%s, fft_length={", operand.id,
      back                                ? "IRFFT"
      : !is_complex                       ? "RFFT"
      : record_choose(decoder, 4, 2) != 0 ? "FFT"
                                          : "IFFT");
  if (is_complex && !back && last > 0)
    text_printf(&decoder->body, "%" PRId64 ",", operand.sizes[last - 1]);
  text_printf(&decoder->body, "%" PRId64 "}", length);
  finish_value(decoder, &value);
  return true;
}

bool fuzz_write_order(Decoder *decoder) {
  FuzzValue operand = pick_value(decoder, record_choose(decoder, 1, 64));
  switch (record_choose(decoder, 2, 5)) {
    case 0: return write_topk(decoder, operand);
    case 1: return write_scan(decoder, operand);
    case 2: return write_fft(decoder, operand);
    case 3: write_cholesky(decoder); return true;
    default: write_triangular_solve(decoder); return true;
  }
}
