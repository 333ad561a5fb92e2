/* Sorts all elided constants by the name of their original, then by their own name. Namesakes are
 * marked within a group of one original; two of the same name are neighbours. Calls without
 * operands are sorted by their target. The places that run a computation are counted from the
 * entry: callers come after what they call. */
#include "core/hlo/namesakes.h"

#include <stdlib.h>
#include <string.h>

#include "core/hlo/shape.h"
#include "core/hlo/stateful.h"

typedef struct Elided {
  Instruction **items;
  uint32_t count, capacity;
} Elided;

static bool is_cut(const char *text) { return strstr(text, "...") != nullptr; }

bool instruction_is_elided(const Instruction *instruction) {
  if (instruction->opcode == HLO_CONSTANT)
    return instruction->literal_text == nullptr || is_cut(instruction->literal_text);
  if (instruction->opcode != HLO_CUSTOM_CALL) return false;
  if (instruction->is_one_of_several) return true;
  const Attribute *literal = instruction_attribute(instruction, "literal");
  return literal != nullptr && is_cut(literal->text);
}

/* The length of the word if the text starts with it, and with no longer word. */
static size_t copy_word(const char *text, const char *word) {
  size_t length = strlen(word);
  bool ends = strncmp(text, word, length) == 0 && (text[length] == 0 || text[length] == '.');
  return ends ? length : 0;
}

/* ".clone" or ".sunk", then numbers and such words up to the end. */
static bool is_copy_suffix(const char *text) {
  size_t at = copy_word(text, ".clone") + copy_word(text, ".sunk"), next = at;
  for (; next > 0 && text[at] != 0; at += next) {
    size_t digits = strspn(text + at + 1, "0123456789");
    bool is_number =
        text[at] == '.' && (text[at + 1 + digits] == 0 || text[at + 1 + digits] == '.');
    next = is_number ? 1 + digits
                     : copy_word(text + at, ".clone") + copy_word(text + at, ".sunk") +
                           copy_word(text + at, ".remat");
  }
  return next > 0;
}

int original_length(const char *name) {
  size_t length = 0;
  while (name[length] != 0 && !is_copy_suffix(&name[length])) length++;
  while (length > 0 && name[length - 1] == '.') length--;
  return (int)length;
}

static int originals_compare(const Instruction *a, const Instruction *b) {
  int lengths[] = {original_length(a->name), original_length(b->name)};
  int order =
      strncmp(a->name, b->name, (size_t)(lengths[0] < lengths[1] ? lengths[0] : lengths[1]));
  return order != 0 ? order : lengths[0] - lengths[1];
}

static int names_order(const void *a, const void *b) {
  const Instruction *one = *(Instruction *const *)a, *other = *(Instruction *const *)b;
  int order = originals_compare(one, other);
  return order != 0 ? order : strcmp(one->name, other->name);
}

static const char *call_text(const Instruction *call, const char *name) {
  const Attribute *attribute = instruction_attribute(call, name);
  return attribute == nullptr ? "" : attribute->text;
}

static int targets_compare(const Instruction *a, const Instruction *b) {
  static const char *const names[] = {"custom_call_target", "backend_config"};
  int order = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names && order == 0; i++)
    order = strcmp(call_text(a, names[i]), call_text(b, names[i]));
  return order;
}

static int targets_order(const void *a, const void *b) {
  return targets_compare(*(Instruction *const *)a, *(Instruction *const *)b);
}

/* XLA's pass that joins equal operations joins these only if an attribute says so. */
static bool is_call_of_nothing(const Instruction *instruction) {
  if (instruction->opcode != HLO_CUSTOM_CALL || instruction->operand_count > 0) return false;
  const Attribute *frontend = instruction_attribute(instruction, "frontend_attributes");
  bool may_be_joined = frontend != nullptr &&
                       strstr(frontend->text, "_xla_cse_safe_zero_operand=\"true\"") != nullptr;
  return !may_be_joined && !instruction_is_stateful(instruction);
}

static Elided instructions_listed(Arena *arena, const Module *module,
    bool (*has)(const Instruction *instruction), int (*order)(const void *a, const void *b)) {
  Elided list = {};
  for (uint32_t i = 0; i < module->computation_count; i++) {
    const Computation *computation = module->computations[i];
    for (uint32_t k = 0; k < computation->instruction_count; k++)
      if (has(computation->instructions[k]))
        *ARENA_PUSH(arena, &list) = computation->instructions[k];
  }
  if (list.count > 1) qsort(list.items, list.count, sizeof *list.items, order);
  return list;
}

static bool marked_as_two(Instruction *a, Instruction *b) {
  if (!shape_compatible(a->shape, b->shape)) return false;
  a->is_one_of_several = b->is_one_of_several = true;
  return true;
}

/* Calls of other shapes are not confused. */
static void mark_several(Arena *scratch, const Module *module) {
  Elided list = instructions_listed(scratch, module, is_call_of_nothing, targets_order);
  for (uint32_t from = 0, i = 0; i < list.count; i++) {
    while (targets_compare(list.items[from], list.items[i]) != 0) from++;
    for (uint32_t k = i; k > from && !marked_as_two(list.items[k - 1], list.items[i]);) k--;
  }
}

/* How many places run what the instruction calls, if `places` run the instruction. A map and the
 * like run their function for each element. */
static uint32_t places_called(const Instruction *instruction, uint32_t places) {
  const Opcode opcode = instruction->opcode;
  if (opcode == HLO_ASYNC_UPDATE || opcode == HLO_ASYNC_DONE) return 0;
  bool is_once = opcode == HLO_CALL || opcode == HLO_FUSION || opcode == HLO_CONDITIONAL ||
                 opcode == HLO_WHILE || opcode == HLO_ASYNC_START;
  return is_once ? places : 2 * places;
}

/* Two stand for all larger numbers. */
static void pass_places(const Module *module, uint32_t at, uint8_t *places) {
  const Computation *computation = module->computations[at];
  if (computation == module->entry) places[at] = 1;
  for (uint32_t i = 0; places[at] > 0 && i < computation->instruction_count; i++) {
    const Instruction *instruction = computation->instructions[i];
    for (uint32_t k = 0; k < instruction->called_count; k++) {
      uint32_t called = 0;
      while (module->computations[called] != instruction->called[k]) called++;
      uint32_t sum = places[called] + places_called(instruction, places[at]);
      places[called] = sum > 2 ? 2 : (uint8_t)sum;
    }
  }
}

const Instruction *call_at_several_places(Arena *scratch, const Module *module) {
  if (module_find(module, is_call_of_nothing) == nullptr) return nullptr;
  ArenaMark mark = arena_mark(scratch);
  uint8_t *places = ARENA_NEW(scratch, uint8_t, module->computation_count);
  const Instruction *several = nullptr;
  for (uint32_t i = module->computation_count; i-- > 0;) {
    const Computation *computation = module->computations[i];
    pass_places(module, i, places);
    for (uint32_t k = 0; places[i] > 1 && k < computation->instruction_count; k++)
      if (is_call_of_nothing(computation->instructions[k])) several = computation->instructions[k];
  }
  arena_rewind(scratch, mark);
  return several;
}

/* True if a later constant of the group has the same name and a compatible shape as the first. */
static bool has_twin(uint32_t count, Instruction *const *from) {
  for (uint32_t i = 1; i < count && strcmp(from[0]->name, from[i]->name) == 0; i++)
    if (shape_compatible(from[0]->shape, from[i]->shape)) return true;
  return false;
}

/* If one name occurs twice in the group with compatible shapes, all constants of that shape are
 * namesakes. */
static void mark_group(uint32_t count, Instruction **group) {
  for (uint32_t i = 0; i < count; i++) {
    if (group[i]->is_namesake || !has_twin(count - i, group + i)) continue;
    for (uint32_t k = 0; k < count; k++)
      group[k]->is_namesake |= shape_compatible(group[i]->shape, group[k]->shape);
  }
}

void hlo_mark_namesakes(Arena *scratch, const Module *module) {
  mark_several(scratch, module);
  Elided list = instructions_listed(scratch, module, instruction_is_elided, names_order);
  for (uint32_t from = 0, to; from < list.count; from = to) {
    for (to = from + 1; to < list.count; to++)
      if (originals_compare(list.items[from], list.items[to]) != 0) break;
    mark_group(to - from, list.items + from);
  }
}
