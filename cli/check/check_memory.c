/* A hash table with open addressing. Its key is two hashes of the judges' input: opcode, shapes
 * with layouts, attributes as written (except metadata), the operand and the leaves, the direction,
 * and the maps as text. The engine is always asked; only its judges are skipped.
 * Operations that read runtime values or call computations are never remembered, since their
 * verdict depends on other instructions. Loops are the exception: by the convention of all judges
 * each leaf reads every element of each leaf. Pairs of leaves with equal shapes are therefore one
 * question (300,000 pairs for a state of 546 leaves). */
#include "cli/check/check_memory.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/map/text.h"

static constexpr uint64_t second_seed = 0x9e3779b97f4a7c15;
static constexpr uint32_t first_capacity = 1 << 12;

struct CheckMemory {
  Arena *arena;
  RememberedVerdict *slots; /* [capacity], a power of two; at most half are used */
  uint32_t capacity, count;
};

CheckMemory *check_memory_create(void) {
  CheckMemory *memory = calloc(1, sizeof *memory);
  if (memory == nullptr) arena_out_of_memory(sizeof *memory);
  memory->arena = arena_create();
  memory->capacity = first_capacity;
  memory->slots = ARENA_NEW(memory->arena, RememberedVerdict, memory->capacity);
  return memory;
}

void check_memory_destroy(CheckMemory *memory) {
  if (memory == nullptr) return;
  arena_destroy(memory->arena);
  free(memory);
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

static RememberedVerdict *check_memory_slot_of(
    RememberedVerdict *slots, uint32_t capacity, uint64_t first, uint64_t second) {
  uint32_t at = (uint32_t)first & (capacity - 1);
  while (slots[at].is_used && (slots[at].first != first || slots[at].second != second))
    at = (at + 1) & (capacity - 1);
  slots[at].first = first;
  slots[at].second = second;
  return &slots[at];
}

/* Doubles the table. The smaller one stays in the arena: all old tables together are no larger than
 * the new one. */
static void check_memory_make_capacity(CheckMemory *memory) {
  if (memory->count < memory->capacity / 2) return;
  RememberedVerdict *slots =
      ARENA_NEW(memory->arena, RememberedVerdict, 2 * (size_t)memory->capacity);
  for (uint32_t i = 0; i < memory->capacity; i++) {
    const RememberedVerdict *old = &memory->slots[i];
    if (old->is_used)
      *check_memory_slot_of(slots, 2 * memory->capacity, old->first, old->second) = *old;
  }
  memory->slots = slots;
  memory->capacity *= 2;
}

RememberedVerdict *check_memory_find(
    CheckMemory *memory, const Judge *judge, const Question *question, const MapSet *maps) {
  if (maps->count == 0 || !(is_loop(question->instruction) || stands_alone(question->instruction)))
    return nullptr;
  check_memory_make_capacity(memory);
  ArenaMark mark = arena_mark(memory->arena);
  Text text = text_create(memory->arena);
  print_question(&text, question);
  bool is_printed = print_maps(&text, judge, maps);
  uint64_t first = check_memory_hash_of(&text, 1),
           second = check_memory_hash_of(&text, second_seed);
  arena_rewind(memory->arena, mark);
  if (!is_printed) return nullptr;
  return check_memory_slot_of(memory->slots, memory->capacity, first, second);
}

void check_memory_keep(CheckMemory *memory, RememberedVerdict *slot, VerdictReason answer,
    const char *judges, const char *reason) {
  if (answer != REASON_EXACT && answer != REASON_COVERS) return;
  slot->answer = answer;
  slot->judges = judges;
  slot->reason = arena_text(memory->arena, reason, strlen(reason));
  slot->is_used = true;
  memory->count++;
}
