/* Compares the text of an attribute, or parses it as a number. */
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
