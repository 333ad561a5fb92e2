/* Compares the text of an attribute, or parses it as a number or a list. */
#include "core/hlo/attribute.h"

#include <string.h>

#include "core/base/checked.h"

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

/* The attributes of forms CALL and CALLS in core/hlo/opcodes.def. */
bool attribute_names_called(const Instruction *instruction, const char *name) {
  static constexpr Opcode any = HLO_CALL; /* of these three, every opcode may have each */
  static const struct {
    const char *name;
    Opcode opcode;
  } rows[] = {{"calls", any}, {"called_computations", any}, {"to_apply", any},
      {"condition", HLO_WHILE}, {"body", HLO_WHILE}, {"true_computation", HLO_CONDITIONAL},
      {"false_computation", HLO_CONDITIONAL}, {"branch_computations", HLO_CONDITIONAL},
      {"select", HLO_SELECT_AND_SCATTER}, {"scatter", HLO_SELECT_AND_SCATTER}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(name, rows[i].name) == 0)
      return rows[i].opcode == any || rows[i].opcode == instruction->opcode;
  return false;
}
