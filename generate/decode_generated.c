/* Records of operations that generate/operations makes: the bytes of the record are their choices.
 * What is built is printed into the body, beside the records that still write their text. */
#include "core/hlo/print/print.h"
#include "generate/choices/drivers.h"
#include "generate/decoder.h"
#include "generate/operations/operation.h"

static constexpr uint32_t first_choice = 2; /* byte of the record behind opcode and operand */

static OperationCase case_of(
    const FuzzValue *operand, const OperationLimits *limits, ByteChoices *bytes) {
  OperationCase at_hand = {.choices = &bytes->choices,
      .limits = limits,
      .type = operand->type,
      .in = {.rank = operand->rank}};
  for (uint32_t i = 0; i < operand->rank; i++) at_hand.in.sizes[i] = operand->sizes[i];
  return at_hand;
}

static ByteChoices record_choices(const Decoder *decoder) {
  return choices_of_bytes(decoder->record + first_choice, fuzz_record_bytes - first_choice);
}

/* The shape of the result; false where the operation does not take the operand or is too large. */
static bool shape_of(const Decoder *decoder, GeneratedOperation id, const OperationLimits *limits,
    const FuzzValue *operand, FuzzValue *value) {
  ByteChoices bytes = record_choices(decoder);
  OperationCase at_hand = case_of(operand, limits, &bytes);
  if (!operation_generators[id](&at_hand) || at_hand.out.rank > fuzz_max_rank) return false;
  *value = (FuzzValue){.type = operand->type, .rank = at_hand.out.rank};
  for (uint32_t i = 0; i < value->rank; i++) value->sizes[i] = at_hand.out.sizes[i];
  return fuzz_room(value) <= fuzz_max_elements;
}

static const char *value_name(const Decoder *decoder, uint32_t id) {
  return arena_printf(decoder->arena, "v%u", id);
}

/* Further operands: new parameters, or zeros where byte 15 of the record is even. */
typedef struct RecordSource {
  OperandSource source;
  Decoder *decoder;
  Builder *builder;
} RecordSource;

static Instruction *operand_of(Decoder *decoder, Builder *builder, const FuzzValue *value) {
  Instruction *operand = ARENA_NEW(decoder->arena, Instruction, 1);
  *operand = (Instruction){.name = value_name(decoder, value->id),
      .opcode = HLO_PARAMETER,
      .shape = hlo_build_shape(builder, value->type, value->rank, value->sizes)};
  return operand;
}

static Instruction *record_scalar(OperandSource *source, ElementType type) {
  RecordSource *of = (RecordSource *)source;
  bool is_parameter = record_choose(of->decoder, 15, 2) != 0 || type == TYPE_pred;
  FuzzValue value = is_parameter ? add_parameter(of->decoder, (FuzzValue){.type = type})
                                 : add_constant(of->decoder, type, 0);
  return operand_of(of->decoder, of->builder, &value);
}

/* An operation of one array and no called computation. */
static void write_built(Decoder *decoder, GeneratedOperation id, const OperationLimits *limits,
    const FuzzValue *operand, FuzzValue *value) {
  ModuleBuilder module = hlo_module_builder(decoder->arena);
  Builder builder = hlo_build_computation(&module, "body");
  ByteChoices bytes = record_choices(decoder);
  OperationCase at_hand = case_of(operand, limits, &bytes);
  RecordSource source = {
      .source = {.scalar = record_scalar}, .decoder = decoder, .builder = &builder};
  at_hand.builder = &builder;
  at_hand.source = &source.source;
  at_hand.operand = operand_of(decoder, &builder, operand);
  (void)operation_generators[id](&at_hand);
  value->id = decoder->next_id++;
  at_hand.result->name = value_name(decoder, value->id);
  text_string(&decoder->body, "  ");
  hlo_print_instruction(&decoder->body, at_hand.result);
  finish_value(decoder, value);
}

bool fuzz_write_slice(Decoder *decoder) {
  static constexpr OperationLimits limits = {.slice_stride = 3, .has_edges = true};
  FuzzValue operand = pick_value(decoder, record_choose(decoder, 1, 64)), value;
  if (!shape_of(decoder, GENERATED_slice, &limits, &operand, &value)) return false;
  write_built(decoder, GENERATED_slice, &limits, &operand, &value);
  return true;
}

bool fuzz_write_pad(Decoder *decoder) {
  static constexpr OperationLimits limits = {.edge = 3, .interior = 2, .has_edges = true};
  FuzzValue operand = pick_value(decoder, record_choose(decoder, 1, 64)), value;
  if (!shape_of(decoder, GENERATED_pad, &limits, &operand, &value)) return false;
  decoder->maps += 2 * operand.rank; /* of the filler: around the operand */
  write_built(decoder, GENERATED_pad, &limits, &operand, &value);
  return true;
}
