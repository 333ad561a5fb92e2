/* Tuple indices are converted to leaves. */
#include "judge/hazards/alias.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void skip_separators(const char **at) {
  while (isspace((unsigned char)**at) || **at == ',') ++*at;
}

/* Parses `{}`, `{1}` or `{1, 0}` as a leaf of the shape. */
static bool read_leaf(const char **at, const Shape *shape, uint32_t *leaf) {
  *leaf = 0;
  skip_separators(at);
  if (*(*at)++ != '{') return false;
  for (skip_separators(at); **at != '}'; skip_separators(at)) {
    char *end;
    uint64_t index = strtoull(*at, &end, 10);
    if (end == *at || !shape_is_tuple(shape) || index >= shape->element_count) return false;
    *leaf += shape_leaf_offset(shape, (uint32_t)index);
    shape = shape->elements[index];
    *at = end;
  }
  ++*at;
  return true;
}

/* Parses the text after the opening brace; `output` and `numbered` have the shapes that may be
 * aliased. */
bool alias_read(Arena *arena, const char *at, const Shape *output,
    const Instruction *const *numbered, uint32_t count, AliasStatements *statements) {
  for (skip_separators(&at); *at == '{'; skip_separators(&at)) {
    AliasStatement *made = ARENA_PUSH(arena, statements);
    char *end;
    if (!read_leaf(&at, output, &made->output)) return false;
    skip_separators(&at);
    if (*at++ != ':') return false;
    skip_separators(&at);
    if (*at++ != '(') return false;
    made->number = (uint32_t)strtoul(at, &end, 10);
    if (end == at || made->number >= count) return false;
    at = end;
    if (!read_leaf(&at, numbered[made->number]->shape, &made->leaf)) return false;
    at += strcspn(at, ")");
    if (*at++ != ')') return false;
  }
  return *at == '}' || *at == 0;
}

bool alias_stated(
    Arena *arena, const Instruction *instruction, AliasStatements *statements, Error *error) {
  const Attribute *stated = instruction_attribute(instruction, "output_to_operand_aliasing");
  if (stated == nullptr ||
      alias_read(arena, stated->text + (stated->text[0] == '{'), instruction->shape,
          (const Instruction *const *)instruction->operands, instruction->operand_count,
          statements))
    return true;
  return error_set(error, ERROR_INPUT, "%s '%s': output_to_operand_aliasing=%s is not read",
      opcode_name(instruction->opcode), instruction->name, stated->text);
}
