/* A hash table. Its key is two hashes of the judges' input: opcode, shapes
 * with layouts, attributes as written (except metadata), the operand and the leaves, the direction,
 * and the maps as text. The engine is always asked; only its judges are skipped.
 * Operations that read runtime values or call computations are never remembered, since their
 * verdict depends on other instructions. Loops are the exception: by the convention of all judges
 * each leaf reads every element of each leaf. Pairs of leaves with equal shapes are therefore one
 * question (300,000 pairs for a state of 546 leaves). */
#include "cli/check/check_memory.h"

#include <string.h>

#include "core/base/table.h"
#include "core/map/text.h"

static constexpr uint64_t second_seed = 0x9e3779b97f4a7c15;

struct CheckMemory {
  Arena *arena;
  Table table; /* by the first hash */
  uint32_t count, capacity;
  RememberedVerdict **items;
};

CheckMemory *check_memory_create(void) {
  Arena *arena = arena_create();
  CheckMemory *memory = ARENA_NEW(arena, CheckMemory, 1);
  memory->arena = arena;
  return memory;
}

void check_memory_destroy(CheckMemory *memory) {
  if (memory != nullptr) arena_destroy(memory->arena);
}

/* Whether the read relation depends only on the instruction's own shapes and attributes. */
static bool stands_alone(const Instruction *instruction) {
  if (instruction->called_count > 0) return false;
  switch (opcode_family(instruction->opcode)) {
    case FAMILY_ELEMENTWISE:
    case FAMILY_SHAPE: return true;
    case FAMILY_STRUCTURE:
      return instruction->opcode == HLO_TUPLE || instruction->opcode == HLO_GET_TUPLE_ELEMENT;
    case FAMILY_CONTRACT:
      return instruction->opcode == HLO_DOT || instruction->opcode == HLO_CONVOLUTION;
    case FAMILY_SOURCE:
    case FAMILY_REDUCE:
    case FAMILY_DYNAMIC:
    case FAMILY_ORDER:
    case FAMILY_CALL:
    case FAMILY_COLLECTIVE:
    case FAMILY_OPAQUE: return false;
  }
  unreachable();
}

static bool is_loop(const Instruction *instruction) { return instruction->opcode == HLO_WHILE; }

/* Whether the question is about a leaf of a tuple in its own position. Its read relation is the
 * identity, whatever the position. */
static bool is_own_leaf_of_tuple(const Question *question) {
  const Instruction *instruction = question->instruction;
  if (instruction->opcode != HLO_TUPLE) return false;
  uint32_t first = shape_leaf_offset(instruction->shape, question->operand);
  return question->output == first + question->operand_leaf;
}

static void print_leaves(Text *text, const Question *question) {
  text_printf(text, "%s %u ", opcode_name(question->instruction->opcode), question->direction);
  shape_print(text, shape_leaf(question->instruction->shape, question->output));
  text_string(text, " ");
  shape_print(text, shape_leaf(question->instruction->operands[question->operand]->shape,
                        question->operand_leaf));
}

static void print_question(Text *text, const Question *question) {
  const Instruction *instruction = question->instruction;
  if (is_loop(instruction) || is_own_leaf_of_tuple(question)) {
    print_leaves(text, question);
    return;
  }
  text_printf(text, "%s %u %u %u %u ", opcode_name(instruction->opcode), question->direction,
      question->output, question->operand, question->operand_leaf);
  shape_print(text, instruction->shape);
  for (uint32_t i = 0; i < instruction->operand_count; i++) {
    text_string(text, " ");
    shape_print(text, instruction->operands[i]->shape);
  }
  for (uint32_t i = 0; i < instruction->attribute_count; i++)
    if (strcmp(instruction->attributes[i].name, "metadata") != 0)
      text_printf(
          text, ", %s=%s", instruction->attributes[i].name, instruction->attributes[i].text);
}

static bool print_maps(Text *text, const Judge *judge, const MapSet *maps) {
  text_printf(text, "\n%u %s", maps->claim, maps->reason == nullptr ? "" : maps->reason);
  for (uint32_t i = 0; i < maps->count; i++) {
    if (maps->maps[i]->runtime_count > 0) return false;
    text_string(text, "\n");
    map_print(text, judge->context, maps->maps[i], MAP_STYLE_LINE);
  }
  return true;
}

static uint64_t check_memory_hash_of(const Text *text, uint64_t hash) {
  for (size_t i = 0; i < text->length; i++) hash = hash_mix(hash, (unsigned char)text->bytes[i]);
  return hash;
}

/* The verdict of this key; a fresh one is not used yet. */
static RememberedVerdict *check_memory_of(CheckMemory *memory, uint64_t first, uint64_t second) {
  uint32_t item;
  for (TableProbe probe = table_probe(&memory->table, first);
      table_next(&memory->table, &probe, &item);)
    if (memory->items[item]->first == first && memory->items[item]->second == second)
      return memory->items[item];
  RememberedVerdict *fresh = ARENA_NEW(memory->arena, RememberedVerdict, 1);
  *fresh = (RememberedVerdict){.first = first, .second = second};
  table_add(&memory->table, memory->arena, first, memory->count);
  return *ARENA_PUSH(memory->arena, memory) = fresh;
}

RememberedVerdict *check_memory_find(
    CheckMemory *memory, const Judge *judge, const Question *question, const MapSet *maps) {
  if (maps->count == 0 || !(is_loop(question->instruction) || stands_alone(question->instruction)))
    return nullptr;
  ArenaMark mark = arena_mark(memory->arena);
  Text text = text_create(memory->arena);
  print_question(&text, question);
  bool is_printed = print_maps(&text, judge, maps);
  uint64_t first = check_memory_hash_of(&text, 1),
           second = check_memory_hash_of(&text, second_seed);
  arena_rewind(memory->arena, mark);
  return is_printed ? check_memory_of(memory, first, second) : nullptr;
}

void check_memory_keep(CheckMemory *memory, RememberedVerdict *slot, VerdictReason answer,
    const char *judges, const char *reason) {
  if (answer != REASON_EXACT && answer != REASON_COVERS) return;
  slot->answer = answer;
  slot->judges = judges;
  slot->reason = arena_text(memory->arena, reason, strlen(reason));
  slot->is_used = true;
}
