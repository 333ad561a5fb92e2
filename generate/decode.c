/* The frame of the decoder: values, parameters, helper computations, and how the body is wrapped.
 * Keeps: every text that it writes is a module that hlo_read accepts (tested on a million random
 * strings). */
#include "generate/decode.h"

#include <assert.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "generate/decoder.h"

int64_t fuzz_elements(const FuzzValue *value) {
  int64_t count = 1;
  for (uint32_t i = 0; i < value->rank; i++) count *= value->sizes[i];
  return count;
}

int64_t fuzz_capacity(const FuzzValue *value) {
  int64_t count = 1;
  for (uint32_t i = 0; i < value->rank; i++) count *= value->sizes[i] > 1 ? value->sizes[i] : 1;
  return count;
}

void shrink_to_fit(FuzzValue *value) {
  for (uint32_t i = value->rank; i > 0 && fuzz_capacity(value) > fuzz_max_elements; i--)
    value->sizes[i - 1] = 1;
}

static FuzzValue value_after(const Decoder *decoder, uint32_t selector) {
  return decoder->values[decoder->value_count - 1 - selector % decoder->value_count];
}

/* The first parameter is one map, so that there is always an operand. */
static FuzzValue operand_after(const Decoder *decoder, uint32_t selector) {
  FuzzValue value = value_after(decoder, selector);
  while (value.maps > fuzz_max_operand_maps || value.variables > fuzz_max_operand_variables)
    value = value_after(decoder, ++selector);
  return value;
}

static FuzzValue decode_take(Decoder *decoder, FuzzValue operand) {
  decoder->maps += operand.maps;
  if (operand.variables > decoder->variables) decoder->variables = operand.variables;
  return operand;
}

FuzzValue pick_value(Decoder *decoder, uint32_t selector) {
  return decode_take(decoder, operand_after(decoder, selector));
}

static bool decode_alike(const FuzzValue *a, const FuzzValue *b) {
  return a->type == b->type && a->rank == b->rank &&
         memcmp(a->sizes, b->sizes, a->rank * sizeof *a->sizes) == 0;
}

static bool lies_alike(const FuzzValue *a, const FuzzValue *b) {
  return a->has_layout == b->has_layout &&
         (!a->has_layout || memcmp(a->minor_to_major, b->minor_to_major,
                                a->rank * sizeof *a->minor_to_major) == 0);
}

FuzzValue pick_alike(Decoder *decoder, FuzzValue value, uint32_t selector) {
  for (uint32_t i = 0; i < decoder->value_count; i++) {
    FuzzValue other = operand_after(decoder, selector + i);
    if (other.id != value.id && decode_alike(&other, &value)) return decode_take(decoder, other);
  }
  return value;
}

void print_numbers(Text *text, const char *name, uint32_t count, const int64_t *numbers) {
  text_printf(text, ", %s={", name);
  for (uint32_t i = 0; i < count; i++)
    text_printf(text, "%s%" PRId64, i == 0 ? "" : ",", numbers[i]);
  text_string(text, "}");
}

void print_value_shape(Text *text, const FuzzValue *value) {
  text_string(text, element_type_name(value->type));
  text_string(text, "[");
  for (uint32_t i = 0; i < value->rank; i++) {
    if (i > 0) text_string(text, ",");
    text_integer(text, value->sizes[i]);
  }
  text_string(text, "]");
  if (!value->has_layout) return;
  text_string(text, "{");
  for (uint32_t i = 0; i < value->rank; i++) {
    if (i > 0) text_string(text, ",");
    text_integer(text, value->minor_to_major[i]);
  }
  text_string(text, "}");
}

void begin_value(Decoder *decoder, FuzzValue *value) {
  assert(fuzz_capacity(value) <= fuzz_max_elements && value->rank <= fuzz_max_rank);
  value->id = decoder->next_id++;
  text_string(&decoder->body, "  v");
  text_integer(&decoder->body, value->id);
  text_string(&decoder->body, " = ");
  print_value_shape(&decoder->body, value);
  text_string(&decoder->body, " ");
}

static void decode_finish(
    Decoder *decoder, const FuzzValue *value, uint32_t maps, uint32_t variables) {
  assert(decoder->value_count < fuzz_max_values);
  text_string(&decoder->body, "\n");
  FuzzValue *finished = &decoder->values[decoder->value_count++];
  *finished = *value;
  finished->maps = maps;
  finished->variables = variables;
}

void finish_value(Decoder *decoder, const FuzzValue *value) {
  uint32_t maps = decoder->maps * decoder->pieces;
  decode_finish(decoder, value, maps > 1 ? maps : 1, decoder->variables + decoder->bound);
}

/* Without operands. */
static void finish_source(Decoder *decoder, const FuzzValue *value) {
  decode_finish(decoder, value, 1, 0);
}

FuzzValue value_or_parameter(Decoder *decoder, FuzzValue shape, uint32_t selector) {
  shape.id = decoder->next_id;
  FuzzValue found = pick_alike(decoder, shape, selector);
  return found.id == shape.id ? add_parameter(decoder, shape) : found;
}

/* Recursion is as deep as the rank. */
static void print_literal(
    Text *text, const FuzzValue *shape, uint32_t dimension, uint32_t *number) {
  if (dimension == shape->rank) {
    bool is_edge = *number >= 192 && *number % 4 == 3;
    text_integer(text, is_edge ? edge_of_bits(32, true, *number / 4) : *number % 7 - INT64_C(1));
    *number += 3;
    return;
  }
  text_string(text, "{");
  for (int64_t i = 0; i < shape->sizes[dimension]; i++) {
    if (i > 0) text_string(text, ",");
    print_literal(text, shape, dimension + 1, number);
  }
  text_string(text, "}");
}

FuzzValue add_literal(Decoder *decoder, FuzzValue shape, uint32_t from) {
  shape.type = TYPE_s32;
  shape.has_layout = false;
  begin_value(decoder, &shape);
  text_string(&decoder->body, "constant(");
  print_literal(&decoder->body, &shape, 0, &from);
  text_string(&decoder->body, ")");
  finish_source(decoder, &shape);
  return shape;
}

void permutation_of(uint32_t byte, uint32_t rank, int64_t *order) {
  for (uint32_t i = 0; i < rank; i++) order[i] = i;
  for (uint32_t i = 0; i + 1 < rank; i++) {
    uint32_t j = i + byte % (rank - i);
    byte /= rank - i;
    int64_t swap = order[i];
    order[i] = order[j];
    order[j] = swap;
  }
}

void choose_layout(FuzzValue *value, uint32_t byte) {
  int64_t order[fuzz_max_rank];
  permutation_of(byte, value->rank, order);
  value->has_layout = byte != 0 && value->rank > 0;
  for (uint32_t i = 0; i < value->rank; i++)
    value->minor_to_major[i] = value->rank - 1 - (uint32_t)order[i];
}

FuzzValue add_parameter(Decoder *decoder, FuzzValue shape) {
  shape.has_layout = false;
  return add_laid_out_parameter(decoder, shape);
}

FuzzValue add_laid_out_parameter(Decoder *decoder, FuzzValue shape) {
  begin_value(decoder, &shape);
  text_printf(&decoder->body, "parameter(%u)", decoder->parameter_count);
  decoder->parameters[decoder->parameter_count++] = shape;
  finish_source(decoder, &shape);
  return shape;
}

FuzzValue add_constant(Decoder *decoder, ElementType type, int64_t number) {
  FuzzValue value = {.type = type};
  begin_value(decoder, &value);
  if (type == TYPE_pred)
    text_printf(&decoder->body, "constant(%s)", number % 2 != 0 ? "true" : "false");
  else
    text_printf(&decoder->body,
        type == TYPE_c64 ? "constant((%" PRId64 ", 0))" : "constant(%" PRId64 ")", number);
  finish_source(decoder, &value);
  return value;
}

static FuzzWriter *const writers[] = {
#define FUZZ_OPERATION(name) fuzz_write_##name,
#include "generate/operations.def"
#undef FUZZ_OPERATION
};

/* An operand that does not fit the operation gives way to the one before it, and after some to any
 * operation that fits. */
static void write_record(Decoder *decoder) {
  static constexpr uint32_t writer_count = sizeof writers / sizeof *writers, tries = 4;
  uint32_t first = record_choose(decoder, 0, writer_count);
  for (uint32_t i = 0; i < tries; i++, decoder->record[1]++) {
    decoder->maps = decoder->variables = decoder->bound = 0;
    decoder->pieces = 1;
    if (writers[first](decoder)) return;
  }
  if (!fuzz_write_reshape(decoder) && !fuzz_write_unary(decoder)) assert(false);
}

static void write_records(Decoder *decoder, const uint8_t *bytes, size_t size) {
  for (uint32_t i = 0; i < fuzz_max_operations && size > 0; i++) {
    size_t here = size < fuzz_record_bytes ? size : fuzz_record_bytes;
    memset(decoder->record, 0, sizeof decoder->record);
    memcpy(decoder->record, bytes, here);
    bytes += here;
    size -= here;
    write_record(decoder);
  }
}

typedef struct Outputs {
  uint32_t count;
  bool is_tuple;
  FuzzValue values[3];
} Outputs;

static void print_output_shape(Text *text, const Outputs *outputs) {
  if (outputs->is_tuple) text_string(text, "(");
  for (uint32_t i = 0; i < outputs->count; i++) {
    if (i > 0) text_string(text, ", ");
    print_value_shape(text, &outputs->values[i]);
  }
  if (outputs->is_tuple) text_string(text, ")");
}

/* The outputs are the newest values; a single one without a tuple stands at the root by a copy of
 * its name. */
static Outputs choose_outputs(Decoder *decoder, uint8_t how) {
  Outputs outputs = {.count = 1 + how % 3, .is_tuple = how % 4 != 0};
  if (!outputs.is_tuple) outputs.count = 1;
  if (outputs.count > decoder->value_count) outputs.count = decoder->value_count;
  for (uint32_t i = 0; i < outputs.count; i++) outputs.values[i] = value_after(decoder, i);
  return outputs;
}

static void write_root(Decoder *decoder, const Outputs *outputs) {
  if (!outputs->is_tuple) {
    text_string(&decoder->body, "  ROOT root = ");
    print_output_shape(&decoder->body, outputs);
    text_printf(&decoder->body, " copy(v%u)\n", outputs->values[0].id);
    return;
  }
  text_string(&decoder->body, "  ROOT root = ");
  print_output_shape(&decoder->body, outputs);
  text_string(&decoder->body, " tuple(");
  for (uint32_t i = 0; i < outputs->count; i++)
    text_printf(&decoder->body, "%sv%u", i == 0 ? "" : ", ", outputs->values[i].id);
  text_string(&decoder->body, ")\n");
}

/* Operand k of the wrapping instruction is parameter k; with `repeat` an earlier parameter of the
 * same shape stands for it. */
static uint32_t operand_of(const Decoder *decoder, uint32_t parameter, bool repeat) {
  for (uint32_t i = 0; repeat && i < parameter; i++)
    if (decode_alike(&decoder->parameters[i], &decoder->parameters[parameter]) &&
        lies_alike(&decoder->parameters[i], &decoder->parameters[parameter]))
      return i;
  return parameter;
}

static void write_wrapper(const Decoder *decoder, Text *text, const Outputs *outputs,
    const char *callee, bool is_call, bool repeat) {
  for (uint32_t i = 0; i < decoder->parameter_count; i++) {
    text_string(text, "  p");
    text_integer(text, i);
    text_string(text, " = ");
    print_value_shape(text, &decoder->parameters[i]);
    text_string(text, " parameter(");
    text_integer(text, i);
    text_string(text, ")\n");
  }
  text_string(text, "  ROOT wrapped = ");
  print_output_shape(text, outputs);
  text_string(text, is_call ? " call(" : " fusion(");
  for (uint32_t i = 0; i < decoder->parameter_count; i++) {
    text_string(text, i == 0 ? "p" : ", p");
    text_integer(text, operand_of(decoder, i, repeat));
  }
  text_printf(text, is_call ? "), to_apply=%s\n" : "), kind=kLoop, calls=%s\n", callee);
}

/* Bits of `how`: 1 leave the body unwrapped, 2 nest the fusion once more, 4 call instead of fusion,
 * 8 repeat operands. */
static Text assemble(Decoder *decoder, const Outputs *outputs, uint8_t how) {
  Text text = text_create(decoder->arena);
  text_string(&text, "HloModule fuzz\n\n");
  text_append(&text, decoder->computations.bytes, decoder->computations.length);
  bool wrapped = (how & 1) == 0;
  text_string(&text, wrapped ? "body {\n" : "ENTRY body {\n");
  text_append(&text, decoder->body.bytes, decoder->body.length);
  text_string(&text, "}\n");
  if (wrapped && (how & 2) != 0) {
    text_string(&text, "\nnest {\n");
    write_wrapper(decoder, &text, outputs, "body", (how & 4) != 0, (how & 8) != 0);
    text_string(&text, "}\n");
  }
  if (!wrapped) return text;
  text_string(&text, "\nENTRY main {\n");
  write_wrapper(
      decoder, &text, outputs, (how & 2) != 0 ? "nest" : "body", (how & 6) == 4, (how & 8) != 0);
  text_string(&text, "}\n");
  return text;
}

static FuzzValue first_shape(uint8_t byte) {
  static const int64_t sizes[] = {4, 3, 6, 2, 5, 8, 1, 0};
  FuzzValue shape = {.type = byte & 128 ? TYPE_s32 : TYPE_f32, .rank = byte & 3};
  for (uint32_t i = 0; i < shape.rank; i++)
    shape.sizes[i] = sizes[(uint32_t)(byte >> 2) % 8 + (i == 1 ? 1u : 0u) & 7u];
  shrink_to_fit(&shape);
  return shape;
}

const char *fuzz_decode_graph(Arena *arena, const uint8_t *bytes, size_t size, size_t *length) {
  Decoder decoder; /* values are set as they are counted */
  memset(&decoder, 0, offsetof(Decoder, values));
  decoder.arena = arena;
  decoder.body = text_create(arena);
  decoder.computations = text_create(arena);
  uint8_t header[fuzz_header_bytes] = {};
  memcpy(header, bytes, size < fuzz_header_bytes ? size : fuzz_header_bytes);
  FuzzValue parameter = first_shape(header[2]);
  choose_layout(&parameter, header[3]);
  parameter = add_laid_out_parameter(&decoder, parameter);
  (void)parameter;
  if (size > fuzz_header_bytes)
    write_records(&decoder, bytes + fuzz_header_bytes, size - fuzz_header_bytes);
  Outputs outputs = choose_outputs(&decoder, header[1]);
  write_root(&decoder, &outputs);
  Text text = assemble(&decoder, &outputs, header[0]);
  *length = text.length;
  return text.bytes;
}
