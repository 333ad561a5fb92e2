/* Known attribute names: those that affirm parses, and those kept as text that XLA's HLO parser
 * (xla/hlo/parser/hlo_parser.cc) has or had. A name of that parser that is missing here, such as
 * conv_kind and sparsity, keeps a verdict undecided. */
#include "judge/graphs/unknown_attributes.h"

#include <string.h>

static const char *const attribute_words[] = {
    /* the most frequent ones first */
    "metadata", "direction", "sharding", "backend_config", "frontend_attributes",
#define ATTRIBUTE(id, text, form, opcode, owner, field) text,
#include "core/hlo/opcodes.def"
#undef ATTRIBUTE
    "algorithm", "allow_spmd_sharding_propagation_to_output",
    "allow_spmd_sharding_propagation_to_parameters", "api_version", "async_execution_thread",
    "async_group_id", "constrain_layout", "control-predecessors", "cross_program_prefetch_index",
    "custom_call_has_side_effect", "custom_call_target", "delta", "distribution", "domain",
    "epsilon", "execution_thread", "exponent_bits", "feature_index", "fft_type",
    "indices_are_sorted", "infeed_config", "inferred_dimension", "is_associative", "is_composite",
    "is_cross_program_prefetch", "is_host_transfer", "kind", "mantissa_bits", "mode",
    "operand_layout_constraints", "operand_precision", "order", "origin", "original_value",
    "outfeed_config", "outfeed_shape", "output_to_operand_aliasing", "padding_type",
    "parameter_replication", "result_accuracy", "schedule", "statistics", "transpose_a", "type",
    "unique_indices", "unit_diagonal"};

static bool is_attribute_word(const char *name) {
  for (size_t i = 0; i < sizeof attribute_words / sizeof *attribute_words; i++)
    if (strcmp(name, attribute_words[i]) == 0) return true;
  return false;
}

const Attribute *attribute_beyond_words(const Instruction *instruction) {
  if (instruction->opcode == HLO_CUSTOM_CALL) return nullptr;
  for (uint32_t i = 0; i < instruction->attribute_count; i++)
    if (!is_attribute_word(instruction->attributes[i].name)) return &instruction->attributes[i];
  return nullptr;
}

static bool has_attribute_beyond_words(const Instruction *instruction) {
  return attribute_beyond_words(instruction) != nullptr;
}

const Instruction *instruction_beyond_words(const Module *module) {
  return module_find(module, has_attribute_beyond_words);
}
