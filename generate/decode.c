/* The main part of the decoder: records, the first parameter, and the wrapping of the body.
 * Keeps: every text is a module that hlo_read accepts (tested on a million random strings). */
#include "generate/decode.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "core/hlo/print/print.h"
#include "generate/decoder.h"

static FuzzRecord *const records[] = {
#define FUZZ_OPERATION(name) decode_##name,
#include "generate/operations.def"
#undef FUZZ_OPERATION
};

/* Decodes one record. If the operand does not fit the operation, older ones are tried. After a few
 * attempts an operation that always fits is made instead. */
static void decode_record(Decoder *decoder) {
  static constexpr uint32_t record_count = sizeof records / sizeof *records, tries = 4;
  uint32_t first = record_choose(decoder, 0, record_count);
  for (uint32_t i = 0; i < tries; i++, decoder->record[1]++) {
    decoder->maps = decoder->variables = decoder->bound = 0;
    decoder->pieces = 1;
    if (records[first](decoder)) return;
  }
  if (!decode_reshape(decoder) && !decode_unary(decoder)) assert(false);
}

static void decode_records(Decoder *decoder, const uint8_t *bytes, size_t size) {
  for (uint32_t i = 0; i < fuzz_max_operations && size > 0; i++) {
    size_t here = size < fuzz_record_bytes ? size : fuzz_record_bytes;
    memset(decoder->record, 0, sizeof decoder->record);
    memcpy(decoder->record, bytes, here);
    bytes += here;
    size -= here;
    decode_record(decoder);
  }
}

/* The outputs are the newest values: a tuple of them, or a copy of a single one. */
static Instruction *build_root(Decoder *decoder, uint8_t how) {
  uint32_t count = how % 4 != 0 ? 1 + how % 3 : 1;
  Instruction *outputs[3];
  if (count > decoder->value_count) count = decoder->value_count;
  assert(count > 0);
  for (uint32_t i = 0; i < count; i++) outputs[i] = value_after(decoder, i).made;
  return how % 4 != 0 ? hlo_build_tuple(&decoder->body, count, outputs)
                      : BUILD_AS(&decoder->body, outputs[0]->shape, COPY, outputs[0]);
}

/* Operand k of the wrapping instruction is parameter k. With `repeat`, an earlier parameter of the
 * same shape replaces it. */
static void build_wrapper(
    ModuleBuilder *module, const char *name, Computation *callee, bool is_call, bool repeat) {
  Builder caller = hlo_build_computation(module, name);
  uint32_t count = callee->parameter_count;
  Instruction **operands = ARENA_NEW(module->arena, Instruction *, count);
  for (uint32_t i = 0; i < count; i++)
    operands[i] = hlo_build_parameter(&caller, callee->parameters[i]->shape);
  for (uint32_t i = count; repeat && i-- > 0;)
    for (uint32_t k = i; k-- > 0;)
      if (shape_equal(operands[i]->shape, operands[k]->shape)) operands[i] = operands[k];
  Instruction *call = hlo_build_begin(&caller, is_call ? HLO_CALL : HLO_FUSION, count, operands);
  if (!is_call) hlo_build_attribute(&caller, call, "kind", "kLoop");
  hlo_build_call(&caller, call, is_call ? "to_apply" : "calls", callee);
  (void)hlo_build_finish(&caller, hlo_build_end(&caller, call, nullptr));
}

/* Bits of `how`: 1 leaves the body unwrapped, 2 nests the fusion once more, 4 makes a call instead
 * of a fusion, 8 repeats operands. */
static void build_wrappers(Decoder *decoder, Computation *body, uint8_t how) {
  ModuleBuilder *module = &decoder->module;
  bool is_nested = (how & 2) != 0, repeat = (how & 8) != 0;
  if ((how & 1) != 0) return;
  if (is_nested) build_wrapper(module, "nest", body, (how & 4) != 0, repeat);
  Computation *callee = module->computations.items[module->computations.count - 1];
  build_wrapper(module, "main", callee, (how & 6) == 4, repeat);
}

static Instruction *first_parameter(Decoder *decoder, uint8_t byte, uint8_t layout) {
  static const int64_t sizes[] = {4, 3, 6, 2, 5, 8, 1, 0};
  Tensor tensor = {.rank = byte & 3};
  for (uint32_t i = 0; i < tensor.rank; i++)
    tensor.sizes[i] = sizes[(uint32_t)(byte >> 2) % 8 + (i == 1 ? 1u : 0u) & 7u];
  for (uint32_t i = tensor.rank;
       i > 0 && fuzz_capacity(tensor.rank, tensor.sizes) > fuzz_max_elements; i--)
    tensor.sizes[i - 1] = 1;
  const Shape *shape =
      shape_with_layout(decoder, byte & 128 ? TYPE_s32 : TYPE_f32, &tensor, layout);
  return add_source(decoder, hlo_build_parameter(&decoder->body, shape));
}

const char *fuzz_decode_graph(Arena *arena, const uint8_t *bytes, size_t size, size_t *length) {
  Decoder decoder; /* `values` is left uninitialised: each value is set when it is added */
  memset(&decoder, 0, offsetof(Decoder, values));
  decoder.arena = arena;
  decoder.module = hlo_module_builder(arena);
  decoder.body = hlo_build_computation(&decoder.module, "body");
  uint8_t header[fuzz_header_bytes] = {};
  memcpy(header, bytes, size < fuzz_header_bytes ? size : fuzz_header_bytes);
  (void)first_parameter(&decoder, header[2], header[3]);
  if (size > fuzz_header_bytes)
    decode_records(&decoder, bytes + fuzz_header_bytes, size - fuzz_header_bytes);
  Computation *body = hlo_build_finish(&decoder.body, build_root(&decoder, header[1]));
  build_wrappers(&decoder, body, header[0]);
  const BuiltComputations *all = &decoder.module.computations;
  assert(decoder.module.error.kind == ERROR_NONE && all->count > 0);
  const Module module = {.name = "fuzz",
      .computation_count = all->count,
      .computations = all->items,
      .entry = all->items[all->count - 1]};
  module.entry->is_entry = true;
  Text text = text_create(arena);
  hlo_print(&text, &module);
  *length = text.length;
  return text.bytes;
}
