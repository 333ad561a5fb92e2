/* Operations of scopes that generate/operations makes. What such an operation builds is printed
 * into the text of the case, beside the operations that write theirs. */
#include "exhaust/scopes/scope_operation.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/hlo/print/print.h"
#include "generate/operations/operation.h"

/* Parameters of the case, and its helper computations, as operands of what is built. */
typedef struct ScopeSource {
  OperandSource source;
  ScopeWriter *writer;
  Builder *builder;
} ScopeSource;

static void write_instruction(ScopeWriter *writer, const Instruction *instruction) {
  text_string(writer->text, "  ");
  hlo_print_instruction(writer->text, instruction);
  text_string(writer->text, "\n");
}

static Instruction *operand_named(
    Builder *builder, const char *name, ElementType type, const Tensor *tensor) {
  Instruction *operand = ARENA_NEW(builder->module->arena, Instruction, 1);
  *operand = (Instruction){.name = name,
      .opcode = HLO_PARAMETER,
      .shape = hlo_build_shape(builder, type, tensor->rank, tensor->sizes)};
  return operand;
}

static Instruction *source_laid_array(
    OperandSource *source, ElementType type, const Tensor *tensor, const uint32_t *minor_to_major) {
  ScopeSource *of = (ScopeSource *)source;
  uint32_t number =
      scope_write_laid_parameter(of->writer, element_type_name(type), tensor, minor_to_major);
  char *name = arena_printf(of->builder->module->arena, "p%u", number);
  return operand_named(of->builder, name, type, tensor);
}

static Instruction *source_array(OperandSource *source, ElementType type, const Tensor *tensor) {
  return source_laid_array(source, type, tensor, nullptr);
}

static Instruction *source_parameter(OperandSource *source, const Shape *shape) {
  ScopeSource *of = (ScopeSource *)source;
  Instruction *operand = ARENA_NEW(of->builder->module->arena, Instruction, 1);
  uint32_t number = of->writer->parameter_count++;
  *operand = (Instruction){.name = arena_printf(of->builder->module->arena, "p%u", number),
      .opcode = HLO_PARAMETER,
      .number = number,
      .shape = shape};
  write_instruction(of->writer, operand);
  return operand;
}

static Instruction *source_of_type(
    OperandSource *source, Instruction *operand, ElementType type, const Tensor *tensor) {
  return operand->shape->type == type ? operand : source_array(source, type, tensor);
}

static Instruction *source_scalar(OperandSource *source, ElementType type) {
  return source_array(source, type, &(Tensor){});
}

static Instruction *source_indices(OperandSource *source, const Tensor *tensor) {
  return source_array(source, TYPE_s32, tensor);
}

static Instruction *source_constants(
    OperandSource *source, const Tensor *tensor, const int64_t *values) {
  ScopeSource *of = (ScopeSource *)source;
  return hlo_build_constant(
      of->builder, hlo_build_shape(of->builder, TYPE_s32, tensor->rank, tensor->sizes), values);
}

static Computation *source_called(OperandSource *source, Computation *computation) {
  scope_write_computation(((ScopeSource *)source)->writer, computation);
  return computation;
}

/* The reducer of one case; a chain has `add` once, and one of each number of arrays. */
static Computation *source_reducer(
    OperandSource *source, uint32_t count, const ElementType *types) {
  static const char *const names[] = {"add", "add_two", "add_three"};
  ScopeSource *of = (ScopeSource *)source;
  Computation *adder =
      hlo_build_combiner(of->builder->module, names[count - 1], HLO_ADD, count, types);
  scope_write_computation(of->writer, adder);
  return adder;
}

static Computation *source_comparison(OperandSource *source) {
  ScopeSource *of = (ScopeSource *)source;
  Computation *comparison = operation_comparison(of->builder->module);
  scope_write_computation(of->writer, comparison);
  return comparison;
}

static void write_built(ScopeWriter *writer, const Builder *builder, Instruction *result) {
  assert(result != nullptr);
  result->is_root = writer->is_last;
  for (uint32_t i = 0; i < builder->instructions.count; i++)
    write_instruction(writer, builder->instructions.items[i]);
  snprintf(writer->at_hand, sizeof writer->at_hand, "%s", result->name);
  writer->constant_count = builder->constant_count;
  writer->value_count = builder->value_count;
}

static bool write_generated(OperationCase *at_hand, GeneratedOperation id, ScopeWriter *writer) {
  if (writer == nullptr) return operation_generators[id](at_hand);
  ModuleBuilder module = hlo_module_builder(writer->text->arena);
  Builder builder = hlo_build_computation(&module, "e");
  ScopeSource source = {.source = {.array = source_array,
                            .laid_array = source_laid_array,
                            .of_type = source_of_type,
                            .parameter = source_parameter,
                            .constants = source_constants,
                            .scalar = source_scalar,
                            .indices = source_indices,
                            .reducer = source_reducer,
                            .called = source_called,
                            .comparison = source_comparison},
      .writer = writer,
      .builder = &builder};
  builder.value_count = writer->value_count;
  builder.constant_count = writer->constant_count;
  at_hand->builder = &builder;
  at_hand->source = &source.source;
  at_hand->operand = operand_named(&builder, writer->at_hand, at_hand->type, &at_hand->in);
  bool is_case = operation_generators[id](at_hand);
  if (is_case) write_built(writer, &builder, at_hand->result);
  return is_case;
}

#define GENERATED(id) \
  bool scope_##id(OperationCase *at_hand, ScopeWriter *writer) { \
    return write_generated(at_hand, GENERATED_##id, writer); \
  }
#include "generate/operations/operations.def"
#undef GENERATED
