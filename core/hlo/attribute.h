/* The rows of core/hlo/opcodes.def about attributes, and attributes as text. */
#ifndef CORE_HLO_ATTRIBUTE_H
#define CORE_HLO_ATTRIBUTE_H

#include "core/hlo/graph.h"

typedef enum AttributeId : uint8_t {
#define ATTRIBUTE(id, text, form, opcode, owner, field) ATTRIBUTE_##id,
#include "core/hlo/opcodes.def"
#undef ATTRIBUTE
  ATTRIBUTE_OTHER,
} AttributeId;

typedef enum AttributeForm : uint8_t {
  FORM_INTS,
  FORM_INT,
  FORM_BOOL,
  FORM_CALL,
  FORM_CALLS,
  FORM_WINDOW,
  FORM_LABELS,
  FORM_PADDING,
  FORM_RANGES,
  FORM_GROUPS,
  FORM_PAIRS,
  FORM_LITERAL,
} AttributeForm;

typedef enum AttributeOwner : uint8_t {
  OWNER_SELF,
  OWNER_DOT,
  OWNER_GATHER,
  OWNER_SCATTER
} AttributeOwner;

typedef struct AttributeRow {
  const char *name;
  size_t member_offset; /* offset of the field in its owner */
  uint32_t opcode;      /* UINT32_MAX: any */
  AttributeForm form;
  AttributeOwner owner;
} AttributeRow;
extern const AttributeRow attribute_rows[ATTRIBUTE_OTHER];

[[nodiscard]] bool attribute_row_fits(const AttributeRow *row, Opcode opcode);
/* The row's field; nullptr: the instruction has no such numbers. */
[[nodiscard]] const void *attribute_field(const Instruction *instruction, const AttributeRow *row);
/* Whether the opcode requires the attribute though the verifier cannot miss it, because its value
 * is an integer or a flag, or may be empty. */
[[nodiscard]] bool attribute_is_required(Opcode opcode, const char *name);
/* The first such attribute that the instruction lacks; nullptr: none. */
[[nodiscard]] const char *attribute_missing(const Instruction *instruction);

[[nodiscard]] bool attribute_is(
    const Instruction *instruction, const char *name, const char *value);
/* False if there is no such attribute, or it is no non-negative integer. */
[[nodiscard]] bool attribute_number(
    const Instruction *instruction, const char *name, int64_t *value);
/* Whether the attribute names computations that the instruction calls. Of another opcode an
 * attribute of that name is a text like any other. */
[[nodiscard]] bool attribute_names_called(const Instruction *instruction, const char *name);

#endif
