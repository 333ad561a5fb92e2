/* The rows of attributes; compares the text of an attribute, or parses it as a number. */
#include "core/hlo/attribute.h"

#include <string.h>

#include "core/base/checked.h"

static constexpr uint32_t HLO_ANY = UINT32_MAX;
typedef Instruction OWNER_TYPE_SELF;
typedef DotNumbers OWNER_TYPE_DOT;
typedef GatherNumbers OWNER_TYPE_GATHER;
typedef ScatterNumbers OWNER_TYPE_SCATTER;

const AttributeRow attribute_rows[ATTRIBUTE_OTHER] = {
#define ATTRIBUTE(id, text, form, opcode, owner, field) \
  {text, offsetof(OWNER_TYPE_##owner, field), HLO_##opcode, FORM_##form, OWNER_##owner},
#include "core/hlo/opcodes.def"
#undef ATTRIBUTE
};

bool attribute_row_fits(const AttributeRow *row, Opcode opcode) {
  return row->opcode == HLO_ANY || row->opcode == opcode;
}

const void *attribute_field(const Instruction *instruction, const AttributeRow *row) {
  const void *const owners[] = {
      instruction, instruction->dot, instruction->gather, instruction->scatter};
  const char *owner = owners[row->owner];
  return owner == nullptr ? nullptr : owner + row->member_offset;
}

static const struct {
  Opcode opcode;
  const char *name;
} required[] = {
    {HLO_IOTA, "iota_dimension"},
    {HLO_TOPK, "k"},
    {HLO_SCAN, "num_carries"},
    {HLO_GET_TUPLE_ELEMENT, "index"},
    {HLO_REVERSE, "dimensions"},
    {HLO_REDUCE, "dimensions"},
    {HLO_SLICE, "slice"},
    {HLO_DYNAMIC_SLICE, "dynamic_slice_sizes"},
    {HLO_GATHER, "offset_dims"},
    {HLO_GATHER, "collapsed_slice_dims"},
    {HLO_GATHER, "start_index_map"},
    {HLO_GATHER, "index_vector_dim"},
    {HLO_GATHER, "slice_sizes"},
    {HLO_SCATTER, "update_window_dims"},
    {HLO_SCATTER, "inserted_window_dims"},
    {HLO_SCATTER, "scatter_dims_to_operand_dims"},
    {HLO_SCATTER, "index_vector_dim"},
    {HLO_COLLECTIVE_PERMUTE, "source_target_pairs"},
    {HLO_COLLECTIVE_PERMUTE_START, "source_target_pairs"},
    {HLO_TRANSPOSE, "dimensions"},
    {HLO_COMPARE, "direction"},
    {HLO_REDUCE_PRECISION, "exponent_bits"},
    {HLO_REDUCE_PRECISION, "mantissa_bits"},
};

bool attribute_is_required(Opcode opcode, const char *name) {
  for (uint32_t i = 0; i < sizeof required / sizeof *required; i++)
    if (required[i].opcode == opcode && strcmp(required[i].name, name) == 0) return true;
  return false;
}

const char *attribute_missing(const Instruction *instruction) {
  for (uint32_t i = 0; i < sizeof required / sizeof *required; i++)
    if (required[i].opcode == instruction->opcode &&
        instruction_attribute(instruction, required[i].name) == nullptr)
      return required[i].name;
  return nullptr;
}

bool attribute_is(const Instruction *instruction, const char *name, const char *value) {
  const Attribute *attribute = instruction_attribute(instruction, name);
  return attribute != nullptr && strcmp(attribute->text, value) == 0;
}

bool attribute_number(const Instruction *instruction, const char *name, int64_t *value) {
  const Attribute *attribute = instruction_attribute(instruction, name);
  if (attribute == nullptr || attribute->text[0] == '\0') return false;
  *value = 0;
  for (const char *digit = attribute->text; *digit != '\0'; digit++)
    if (*digit < '0' || *digit > '9' || !mul64(*value, 10, value) ||
        !add64(*value, *digit - '0', value))
      return false;
  return true;
}

bool attribute_names_called(const Instruction *instruction, const char *name) {
  for (uint32_t i = 0; i < ATTRIBUTE_OTHER; i++) {
    const AttributeRow *row = &attribute_rows[i];
    bool calls = row->form == FORM_CALL || row->form == FORM_CALLS;
    if (calls && strcmp(name, row->name) == 0 && attribute_row_fits(row, instruction->opcode))
      return true;
  }
  return false;
}
