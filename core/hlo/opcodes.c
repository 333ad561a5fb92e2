/* The opcode table as functions. */
#include <assert.h>
#include <string.h>

#include "core/hlo/graph.h"

static const struct {
  const char *name;
  uint8_t length;
  OpcodeGroup group;
  OpcodeEffect effect;
  int32_t least, most;
} opcodes[] = {
#define OPCODE(id, text, least, most, group, effect) \
  {text, sizeof(text) - 1, GROUP_##group, EFFECT_##effect, least, most},
#include "core/hlo/opcodes.def"
#undef OPCODE
};

static const OpcodeFamily families[opcode_group_count] = {
#define GROUP(group, family) FAMILY_##family,
#include "core/hlo/opcodes.def"
#undef GROUP
};

const char *opcode_name(Opcode opcode) {
  assert(opcode < opcode_count);
  return opcodes[opcode].name;
}

OpcodeGroup opcode_group(Opcode opcode) {
  assert(opcode < opcode_count);
  return opcodes[opcode].group;
}

OpcodeFamily opcode_family(Opcode opcode) {
  assert(opcode < opcode_count);
  return families[opcodes[opcode].group];
}

OpcodeEffect opcode_effect(Opcode opcode) {
  assert(opcode < opcode_count);
  return opcodes[opcode].effect;
}

uint32_t opcode_least_operands(Opcode opcode) {
  assert(opcode < opcode_count && opcodes[opcode].least >= 0);
  return (uint32_t)opcodes[opcode].least;
}

uint32_t opcode_most_operands(Opcode opcode) {
  assert(opcode < opcode_count);
  return opcodes[opcode].most < 0 ? UINT32_MAX : (uint32_t)opcodes[opcode].most;
}

static_assert(sizeof opcodes / sizeof *opcodes == opcode_count && opcode_count <= UINT8_MAX,
    "an opcode is a byte");

bool opcode_from_name(const char *name, size_t length, Opcode *opcode) {
  for (uint32_t i = 0; i < opcode_count; i++) {
    if (opcodes[i].length != length || memcmp(opcodes[i].name, name, length) != 0) continue;
    *opcode = (Opcode)i;
    return true;
  }
  return false;
}

bool instruction_permutes(const Instruction *instruction) {
  return instruction->opcode == HLO_COLLECTIVE_PERMUTE ||
         instruction->opcode == HLO_COLLECTIVE_PERMUTE_START;
}

bool instruction_permutes_slices(const Instruction *instruction) {
  return instruction->opcode == HLO_COLLECTIVE_PERMUTE && instruction->operand_count != 1 &&
         !shape_is_tuple(instruction->shape);
}

bool instruction_permutes_nothing(const Instruction *instruction) {
  const Attribute *pairs = instruction_attribute(instruction, "source_target_pairs");
  return instruction_permutes(instruction) && pairs != nullptr &&
         strpbrk(pairs->text, "0123456789") == nullptr;
}

/* A device in no group of a broadcast reads nothing. */
static Exchange exchange_of(Opcode opcode) {
  OpcodeGroup group = opcode_group(opcode);
  if (opcode == HLO_COLLECTIVE_BROADCAST) return EXCHANGE_APART;
  if (group == GROUP_all_reduce || group == GROUP_all_gather || group == GROUP_all_gather_start)
    return EXCHANGE_ALIKE;
  bool is_apart = group == GROUP_reduce_scatter || group == GROUP_all_to_all ||
                  group == GROUP_ragged_all_to_all || group == GROUP_collective_permute ||
                  group == GROUP_collective_permute_start;
  return is_apart ? EXCHANGE_APART : EXCHANGE_NOTHING;
}

Exchange instruction_exchange(const Instruction *instruction) {
  Exchange worst = exchange_of(instruction->opcode);
  for (uint32_t i = 0; i < instruction->called_count; i++)
    if (instruction->called[i]->exchange > worst) worst = instruction->called[i]->exchange;
  return worst;
}

const Instruction *instruction_unbounded(const Instruction *instruction) {
  if (instruction->shape != nullptr && instruction->shape->is_unbounded) return instruction;
  for (uint32_t i = 0; i < instruction->operand_count; i++)
    if (instruction->operands[i]->shape->is_unbounded) return instruction->operands[i];
  for (uint32_t i = 0; i < instruction->called_count; i++)
    if (instruction->called[i]->unbounded != nullptr) return instruction->called[i]->unbounded;
  return nullptr;
}

const Attribute *instruction_attribute(const Instruction *instruction, const char *name) {
  assert(instruction->attribute_count == 0 || instruction->attributes != nullptr);
  for (uint32_t i = 0; i < instruction->attribute_count; i++) {
    if (strcmp(instruction->attributes[i].name, name) == 0) return &instruction->attributes[i];
  }
  return nullptr;
}

const Instruction *module_find(const Module *module, bool (*is)(const Instruction *instruction)) {
  for (uint32_t i = 0; i < module->computation_count; i++) {
    const Computation *computation = module->computations[i];
    for (uint32_t k = 0; k < computation->instruction_count; k++)
      if (is(computation->instructions[k])) return computation->instructions[k];
  }
  return nullptr;
}
