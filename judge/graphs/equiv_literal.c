/* A worklist of pairs of instructions that must be the same. Each instruction of the first graph
 * has one twin in the second. Several instructions may have the same twin (the second graph shares
 * it), but an instruction shared in the first graph may not be repeated in the second. Bodies are
 * compared by position. Bodies nest as deep as the module, and the number of compared pairs is
 * bounded. */
#include "judge/graphs/equiv_literal.h"

#include <string.h>

#include "core/hlo/attribute.h"
#include "core/hlo/namesakes.h"
#include "core/hlo/stateful.h"

static constexpr uint32_t most_pairs = 2'000'000;

typedef struct EquivLiteralTwins {
  const Instruction *before, *after;
} EquivLiteralTwins;

typedef struct TwinsList {
  EquivLiteralTwins *items;
  uint32_t count, capacity;
} TwinsList;

typedef struct LiteralPair {
  Arena *arena;
  const Instruction **twin; /* [instruction_count of before] */
  TwinsList open;
  uint32_t pairs;
  bool has_opaque;
  bool has_names;  /* an elided constant equals the one with the same name in the computation with
                      the same name, and control predecessors are compared by position */
  bool same_names; /* of all instructions above, in the computations that are compared */
} LiteralPair;

static bool same_text(const char *a, const char *b) {
  if (a == nullptr || b == nullptr) return a == b;
  return strcmp(a, b) == 0;
}

/* Attributes that name computations, which are compared themselves, and source positions. */
static bool is_name(const Instruction *instruction, const Attribute *attribute) {
  return strcmp(attribute->name, "metadata") == 0 ||
         attribute_names_called(instruction, attribute->name);
}

static uint32_t attribute_count(const Instruction *instruction) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < instruction->attribute_count; i++)
    count += !is_name(instruction, &instruction->attributes[i]);
  return count;
}

/* Whether the control predecessors are at the same positions. The same unknown name is another
 * instruction if names differ above: it belongs to one that was renamed with them. */
static bool same_predecessors(
    const LiteralPair *literal, const Instruction *before, const Instruction *after) {
  if (before->predecessor_count != after->predecessor_count) return false;
  for (uint32_t i = 0; i < before->predecessor_count; i++) {
    const ControlPredecessor *a = &before->predecessors[i], *b = &after->predecessors[i];
    bool is_same = a->position != UINT32_MAX ? a->position == b->position
                                             : b->position == UINT32_MAX && literal->same_names &&
                                                   same_text(a->name, b->name);
    if (!is_same) return false;
  }
  return true;
}

static bool same_attributes(
    const LiteralPair *literal, const Instruction *before, const Instruction *after) {
  if (attribute_count(before) != attribute_count(after)) return false;
  for (uint32_t i = 0; i < before->attribute_count; i++) {
    const Attribute *attribute = &before->attributes[i];
    if (is_name(before, attribute)) continue;
    const Attribute *other = instruction_attribute(after, attribute->name);
    if (other == nullptr) return false;
    bool is_order = literal->has_names && strcmp(attribute->name, "control-predecessors") == 0;
    if (is_order ? !same_predecessors(literal, before, after)
                 : !same_text(attribute->text, other->text))
      return false;
  }
  return true;
}

static bool same_computation(
    LiteralPair *literal, const Computation *before, const Computation *after);

static bool same_position(const Instruction *before, const Instruction *after) {
  return same_text(before->name, after->name) &&
         same_text(before->parent->name, after->parent->name);
}

static bool same_alone(LiteralPair *literal, const Instruction *before, const Instruction *after) {
  if (++literal->pairs > most_pairs) return false;
  if (before->opcode != after->opcode || !shape_equal(before->shape, after->shape)) return false;
  if (before->operand_count != after->operand_count || before->called_count != after->called_count)
    return false;
  if (before->number != after->number || before->flag != after->flag ||
      before->channel_id != after->channel_id)
    return false;
  if (instruction_is_elided(before) && !(literal->has_names && same_position(before, after)))
    return false;
  if (!same_text(before->literal_text, after->literal_text) ||
      !same_attributes(literal, before, after))
    return false;
  literal->has_opaque |=
      opcode_family(before->opcode) == FAMILY_OPAQUE || instruction_stateful(before) != nullptr;
  for (uint32_t i = 0; i < before->called_count; i++)
    if (!same_text(before->called_roles[i], after->called_roles[i]) ||
        !same_computation(literal, before->called[i], after->called[i]))
      return false;
  return true;
}

static bool same_computation(
    LiteralPair *literal, const Computation *before, const Computation *after) {
  if (before->instruction_count != after->instruction_count || before->root->id != after->root->id)
    return false;
  bool callers_names = literal->same_names;
  literal->same_names = true;
  for (uint32_t i = 0; i < before->instruction_count; i++) {
    const Instruction *a = before->instructions[i], *b = after->instructions[i];
    if (!same_alone(literal, a, b)) return false;
    for (uint32_t k = 0; k < a->operand_count; k++)
      if (a->operands[k]->id != b->operands[k]->id) return false;
    literal->same_names &= same_text(a->name, b->name);
  }
  literal->same_names = callers_names;
  return true;
}

/* The operand of nested tuples that contains the leaf. */
static const Instruction *holder(const Instruction *root, uint32_t *leaf) {
  while (root->opcode == HLO_TUPLE) {
    uint32_t operand = 0;
    for (; *leaf >= shape_leaf_count(root->operands[operand]->shape); operand++)
      *leaf -= shape_leaf_count(root->operands[operand]->shape);
    root = root->operands[operand];
  }
  return root;
}

static bool equiv_literal_add(
    LiteralPair *literal, const Instruction *before, const Instruction *after) {
  if (literal->twin[before->id] != nullptr) return literal->twin[before->id] == after;
  literal->twin[before->id] = after;
  *ARENA_PUSH(literal->arena, &literal->open) = (EquivLiteralTwins){before, after};
  return true;
}

EquivLiteral equiv_literal(
    Arena *arena, const Computation *before, const Computation *after, uint32_t leaf) {
  LiteralPair literal = {
      .arena = arena, .twin = ARENA_NEW(arena, const Instruction *, before->instruction_count)};
  uint32_t leaves[] = {leaf, leaf};
  const Instruction *roots[] = {holder(before->root, &leaves[0]), holder(after->root, &leaves[1])};
  if (leaves[0] != leaves[1] || !equiv_literal_add(&literal, roots[0], roots[1])) return LITERAL_NO;
  while (literal.open.count > 0) {
    EquivLiteralTwins twins = literal.open.items[--literal.open.count];
    if (!same_alone(&literal, twins.before, twins.after)) return LITERAL_NO;
    for (uint32_t i = 0; i < twins.before->operand_count; i++)
      if (!equiv_literal_add(&literal, twins.before->operands[i], twins.after->operands[i]))
        return LITERAL_NO;
  }
  return literal.has_opaque ? LITERAL_UNDEFINED : LITERAL_YES;
}

bool equiv_literal_whole(Arena *arena, const Computation *before, const Computation *after) {
  LiteralPair literal = {.arena = arena, .has_names = true};
  return same_computation(&literal, before, after);
}
