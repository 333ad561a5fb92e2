/* Operations of scopes that generate/operations makes from choices: their ways are the numbers of
 * their sequences. What such an operation builds is printed into the text of the case, beside the
 * operations that still write theirs. */
#include "exhaust/scope_operation.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/hlo/print/print.h"
#include "generate/operations/operation.h"

static void run_generator(OperationCase *at_hand, GeneratedOperation id) {
  if (!operation_generators[id](at_hand)) choices_reject(at_hand->choices);
}

/* An operation of one operand of f32, without a builder. */
typedef struct Counted {
  GeneratedOperation id;
  OperationCase at_hand;
} Counted;

static void counted_generate(void *generator, Choices *choices) {
  Counted *counted = generator;
  counted->at_hand.choices = choices;
  run_generator(&counted->at_hand, counted->id);
}

static uint64_t generated_ways(GeneratedOperation id, const ScopeLimits *limits, const Tensor *in) {
  Counted counted = {.id = id, .at_hand = {.limits = &limits->ranges, .type = TYPE_f32, .in = *in}};
  ChoiceKey key = operation_key(id, in);
  return numbering_count(limits->numbering, &key, counted_generate, &counted);
}

/* Parameters of the case, and its helper computations, as operands of what is built. */
typedef struct ScopeSource {
  OperandSource source;
  ScopeWriter *writer;
  Builder *builder;
} ScopeSource;

static Instruction *operand_named(
    Builder *builder, const char *name, ElementType type, const Tensor *tensor) {
  Instruction *operand = ARENA_NEW(builder->module->arena, Instruction, 1);
  *operand = (Instruction){.name = name,
      .opcode = HLO_PARAMETER,
      .shape = hlo_build_shape(builder, type, tensor->rank, tensor->sizes)};
  return operand;
}

static Instruction *source_array(OperandSource *source, ElementType type, const Tensor *tensor) {
  ScopeSource *of = (ScopeSource *)source;
  uint32_t number = scope_write_parameter(of->writer, element_type_name(type), tensor);
  char *name = arena_printf(of->builder->module->arena, "p%u", number);
  return operand_named(of->builder, name, type, tensor);
}

static Instruction *source_scalar(OperandSource *source, ElementType type) {
  return source_array(source, type, &(Tensor){});
}

/* Each pair of scalars is added. */
static Computation *build_adder(
    ModuleBuilder *module, const char *name, uint32_t count, const ElementType *types) {
  if (count == 1) return hlo_build_combiner(module, name, HLO_ADD, types[0]);
  Builder builder = hlo_build_computation(module, name);
  Instruction *scalars[2 * 3], *sums[3];
  assert(count <= 3);
  for (uint32_t i = 0; i < 2 * count; i++)
    scalars[i] =
        hlo_build_parameter(&builder, hlo_build_shape(&builder, types[i % count], 0, nullptr));
  for (uint32_t i = 0; i < count; i++)
    sums[i] = hlo_build_elementwise(
        &builder, HLO_ADD, 2, (Instruction *[]){scalars[i], scalars[i + count]});
  return hlo_build_finish(&builder, hlo_build_tuple(&builder, count, sums));
}

/* The reducer of one case; a chain has `add` once, and one of each number of arrays. */
static Computation *source_reducer(
    OperandSource *source, uint32_t count, const ElementType *types) {
  static const char *const names[] = {"add", "add_two", "add_three"};
  ScopeSource *of = (ScopeSource *)source;
  Computation *adder = build_adder(of->builder->module, names[count - 1], count, types);
  scope_write_computation(of->writer, adder);
  return adder;
}

static Computation *source_comparison(OperandSource *source) {
  ScopeSource *of = (ScopeSource *)source;
  Builder builder = hlo_build_computation(of->builder->module, "at_least");
  const Shape *scalar = hlo_build_shape(&builder, TYPE_f32, 0, nullptr);
  Instruction *sides[] = {
      hlo_build_parameter(&builder, scalar), hlo_build_parameter(&builder, scalar)};
  Instruction *compare = hlo_build_begin(&builder, HLO_COMPARE, 2, sides);
  hlo_build_attribute(&builder, compare, "direction", "GE");
  Computation *comparison = hlo_build_finish(&builder, hlo_build_end(&builder, compare, nullptr));
  scope_write_computation(of->writer, comparison);
  return comparison;
}

static void write_built(ScopeWriter *writer, const Builder *builder, Instruction *result) {
  assert(result != nullptr && builder->instructions.count == 1);
  result->is_root = writer->is_last;
  text_string(writer->text, "  ");
  hlo_print_instruction(writer->text, result);
  text_string(writer->text, "\n");
  snprintf(writer->at_hand, sizeof writer->at_hand, "%s", result->name);
  writer->value_count = builder->value_count;
}

static void generated_write(GeneratedOperation id, const ScopeLimits *limits, const Tensor *in,
    uint64_t way, Tensor *out, ScopeWriter *writer) {
  Sequence sequence;
  ChoiceKey key = operation_key(id, in);
  numbering_at(limits->numbering, &key, way, &sequence);
  GivenChoices given = choices_given(sequence.values, sequence.count);
  OperationCase at_hand = {
      .choices = &given.choices, .limits = &limits->ranges, .type = TYPE_f32, .in = *in};
  if (writer != nullptr) {
    ModuleBuilder module = hlo_module_builder(writer->text->arena);
    Builder builder = hlo_build_computation(&module, "e");
    ScopeSource source = {
        .source = {source_array, source_scalar, source_reducer, source_comparison},
        .writer = writer,
        .builder = &builder};
    builder.value_count = writer->value_count;
    at_hand.builder = &builder;
    at_hand.source = &source.source;
    at_hand.operand = operand_named(&builder, writer->at_hand, TYPE_f32, in);
    run_generator(&at_hand, id);
    write_built(writer, &builder, at_hand.result);
  } else {
    run_generator(&at_hand, id);
  }
  *out = at_hand.out;
}

#define GENERATED(id) \
  uint64_t count_##id(const ScopeLimits *limits, const Tensor *in) { \
    return generated_ways(GENERATED_##id, limits, in); \
  } \
  void write_##id(const ScopeLimits *limits, const Tensor *in, uint64_t way, Tensor *out, \
      ScopeWriter *writer) { \
    generated_write(GENERATED_##id, limits, in, way, out, writer); \
  }
#include "generate/operations/operations.def"
#undef GENERATED
