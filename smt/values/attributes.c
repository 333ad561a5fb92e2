/* Decides which attributes change an operation's values: attributes are compared as text, except
 * those that change no value. Also decides whether an operation has an effect, so that running it
 * twice produces two values. The channel and the frontend attributes name the other end of a
 * transfer. */
#include <string.h>

#include "core/hlo/attribute.h"
#include "core/hlo/namesakes.h"
#include "core/hlo/stateful.h"
#include "smt/values/values.h"

static const char *const silent_attributes[] = {"metadata", "sharding", "frontend_attributes",
    "control-predecessors", "origin", "original_value", "statistics", "channel_id", "schedule",
    "output_to_operand_aliasing", "dimensions", "window", "dim_labels", "feature_group_count",
    "batch_group_count", "lhs_batch_dims", "rhs_batch_dims", "lhs_contracting_dims",
    "rhs_contracting_dims"};

/* Formulas express these by shapes and folds; they count for functions of whole operands. */
static const char *const shape_attributes[] = {"dimensions", "window", "dim_labels",
    "feature_group_count", "batch_group_count", "lhs_batch_dims", "rhs_batch_dims",
    "lhs_contracting_dims", "rhs_contracting_dims"};
static constexpr size_t shape_attribute_count = sizeof shape_attributes / sizeof *shape_attributes;

static bool is_of_shape(const char *name) {
  for (size_t i = 0; i < shape_attribute_count; i++)
    if (strcmp(name, shape_attributes[i]) == 0) return true;
  return false;
}

static bool view_is_function(Opcode opcode) {
  OpcodeFamily family = opcode_family(opcode);
  return family != FAMILY_ELEMENTWISE && opcode_group(opcode) != GROUP_reduce &&
         opcode_group(opcode) != GROUP_reduce_window && opcode_group(opcode) != GROUP_dot &&
         opcode_group(opcode) != GROUP_convolution;
}

bool attribute_changes_value(const Instruction *instruction, const char *name) {
  if (attribute_names_end(instruction, name)) return true;
  if (view_is_function(instruction->opcode) && is_of_shape(name)) return true;
  if (strcmp(name, "backend_config") == 0) return instruction->opcode == HLO_CUSTOM_CALL;
  if (strcmp(name, "output_to_operand_aliasing") == 0)
    return instruction->opcode == HLO_CUSTOM_CALL;
  for (size_t i = 0; i < sizeof silent_attributes / sizeof *silent_attributes; i++)
    if (strcmp(name, silent_attributes[i]) == 0) return false;
  return !attribute_names_called(instruction, name);
}

/* The value of an attribute that is not written. */
static const char *attribute_default(const Instruction *instruction, const char *name) {
  ElementType type =
      instruction->operand_count == 0 ? TYPE_TUPLE : instruction->operands[0]->shape->type;
  if (strcmp(name, "type") == 0 && instruction->opcode == HLO_COMPARE) {
    if (!element_type_is_integral(type)) return "FLOAT";
    return element_type_is_signed(type) ? "SIGNED" : "UNSIGNED";
  }
  if (strcmp(name, "operand_precision") == 0) return "{default,default}";
  if (strcmp(name, "is_stable") == 0 || strcmp(name, "custom_call_has_side_effect") == 0 ||
      strcmp(name, "is_host_transfer") == 0)
    return "false";
  return "";
}

static const char *attribute_text(const Instruction *instruction, const char *name) {
  const Attribute *attribute = instruction_attribute(instruction, name);
  return attribute == nullptr ? attribute_default(instruction, name) : attribute->text;
}

static bool attributes_within(
    const Instruction *a, const Instruction *b, const char *without, const char **differs) {
  for (uint32_t i = 0; i < a->attribute_count; i++) {
    const char *name = a->attributes[i].name;
    bool is_named = instruction_is_elided(a) || instruction_is_elided(b);
    if (attribute_lists_devices(a, name) && attribute_lists_devices(b, name) &&
        devices_agree(a, b, name))
      continue;
    if (!attribute_changes_value(a, name) || strcmp(name, without) == 0 ||
        (strcmp(attribute_text(a, name), attribute_text(b, name)) == 0 &&
            (!is_named || elided_same(a, b))))
      continue;
    *differs = name;
    return false;
  }
  return true;
}

bool attributes_are_usual(const Instruction *instruction, const char **differs) {
  for (uint32_t i = 0; i < instruction->attribute_count; i++) {
    *differs = instruction->attributes[i].name;
    if (attribute_changes_value(instruction, *differs) &&
        strcmp(instruction->attributes[i].text, attribute_default(instruction, *differs)) != 0)
      return false;
  }
  return true;
}

bool shape_attributes_agree(const Instruction *a, const Instruction *b, const char **differs) {
  for (size_t i = 0; i < shape_attribute_count; i++) {
    *differs = shape_attributes[i];
    if (strcmp(attribute_text(a, *differs), attribute_text(b, *differs)) != 0) return false;
  }
  return true;
}

bool attributes_agree_without(
    const Instruction *a, const Instruction *b, const char *without, const char **differs) {
  *differs = "channel_id";
  return (a->channel_id >= 0) == (b->channel_id >= 0) &&
         attributes_within(a, b, without, differs) && attributes_within(b, a, without, differs);
}

bool attributes_agree(const Instruction *a, const Instruction *b, const char **differs) {
  return attributes_agree_without(a, b, "", differs);
}

/* The word for operand `number` in {left,right}; 2: what follows them, which is empty. */
static size_t precision_of(const Instruction *product, uint32_t number, const char **word) {
  static const char between[] = " ,{}";
  *word = attribute_text(product, "operand_precision");
  *word += strspn(*word, between);
  for (uint32_t i = 0; i < number; i++) {
    *word += strcspn(*word, between);
    *word += strspn(*word, between);
  }
  return strcspn(*word, between);
}

bool precisions_agree(const Instruction *a, const Instruction *b, bool is_exchanged) {
  static const char name[] = "operand_precision";
  const char *rest;
  if (!is_exchanged) return strcmp(attribute_text(a, name), attribute_text(b, name)) == 0;
  if (precision_of(a, 2, &rest) > 0 || precision_of(b, 2, &rest) > 0) return false;
  for (uint32_t i = 0; i < 2; i++) {
    const char *one, *other;
    size_t length = precision_of(a, i, &one);
    if (precision_of(b, 1 - i, &other) != length || memcmp(one, other, length) != 0) return false;
  }
  return true;
}

static bool is_stateful(const Instruction *instruction) {
  return instruction_is_stateful(instruction) ||
         opcode_group(instruction->opcode) == GROUP_transfer;
}

bool stateful_pair(ValuesProof *proof, const Instruction *a, const Instruction *b) {
  if (!is_stateful(a) && !is_stateful(b)) return true;
  if (proof_is_first(proof, a) == proof_is_first(proof, b)) return false;
  if (!proof_is_first(proof, a)) return stateful_pair(proof, b, a);
  if (stateful_number(&proof->first_order, a) != stateful_number(&proof->second_order, b))
    return false;
  for (uint32_t i = 0; i < proof->stateful->count; i++) {
    const InstructionPair *pair = &proof->stateful->items[i];
    if (pair->a == a || pair->b == b) return pair->a == a && pair->b == b;
  }
  *ARENA_PUSH(proof->arena, proof->stateful) = (InstructionPair){a, b};
  return true;
}
