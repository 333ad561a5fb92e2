/* A worklist of the computations that contain a stateful operation. A computation that is called a
 * second time is visited once more, so that its callees also count as called often. */
#include "core/hlo/stateful.h"

#include <string.h>

typedef struct StatefulBody {
  const Computation *computation;
  StatefulRuns runs;
} StatefulBody;

typedef struct StatefulList {
  StatefulBody *items;
  uint32_t count, capacity;
} StatefulList;

bool instruction_is_stateful(const Instruction *instruction) {
  switch (opcode_effect(instruction->opcode)) {
    case EFFECT_NONE:
    case EFFECT_OUTSIDE: return false;
    case EFFECT_VALUE:
    case EFFECT_BOTH: return true;
    case EFFECT_STATED: break;
  }
  const Attribute *stated = instruction_attribute(instruction, "custom_call_has_side_effect");
  return stated != nullptr && strcmp(stated->text, "false") != 0;
}

/* In a loop, XLA's runtime exchanges data between two devices in these iterations alone. */
static bool states_iterations(const Instruction *instruction, const char *name) {
  if (!instruction_permutes(instruction) || strcmp(name, "frontend_attributes") != 0) return false;
  const Attribute *attribute = instruction_attribute(instruction, name);
  return attribute != nullptr && strstr(attribute->text, "_xla_send_recv_validation") != nullptr;
}

bool attribute_names_end(const Instruction *instruction, const char *name) {
  bool is_transfer = opcode_group(instruction->opcode) == GROUP_transfer,
       is_call = instruction->opcode == HLO_CUSTOM_CALL;
  if (strcmp(name, "channel_id") == 0)
    return is_transfer || (is_call && instruction_is_stateful(instruction));
  if (states_iterations(instruction, name)) return true;
  return (is_transfer || is_call) &&
         (strcmp(name, "frontend_attributes") == 0 || strcmp(name, "sharding") == 0);
}

const Instruction *instruction_stateful(const Instruction *instruction) {
  if (instruction_is_stateful(instruction)) return instruction;
  for (uint32_t i = 0; i < instruction->called_count; i++)
    if (instruction->called[i]->stateful != nullptr) return instruction->called[i]->stateful;
  return nullptr;
}

/* An update or a done names the computation that its start has called, but does not call it. */
static bool is_end_of_call(const Instruction *instruction) {
  return instruction->opcode == HLO_ASYNC_UPDATE || instruction->opcode == HLO_ASYNC_DONE;
}

static bool runs_body_once(const Instruction *instruction) {
  return instruction->opcode == HLO_CALL || instruction->opcode == HLO_FUSION ||
         instruction->opcode == HLO_CONDITIONAL || instruction->opcode == HLO_ASYNC_START;
}

static void stateful_call(
    Arena *arena, StatefulList *list, const Computation *called, StatefulRuns runs) {
  if (called->stateful == nullptr) return;
  for (uint32_t i = 0; i < list->count; i++) {
    if (list->items[i].computation != called) continue;
    if (list->items[i].runs == STATEFUL_OFTEN) return;
    list->items[i].computation = nullptr;
    runs = STATEFUL_OFTEN;
  }
  *ARENA_PUSH(arena, list) = (StatefulBody){called, runs};
}

/* Adds the body's callees to the list. Returns the body's own first stateful instruction, or
 * nullptr. */
static const Instruction *stateful_enter(Arena *arena, StatefulList *list, StatefulBody body) {
  const Instruction *first = nullptr;
  for (uint32_t i = 0; i < body.computation->instruction_count; i++) {
    const Instruction *instruction = body.computation->instructions[i];
    if (first == nullptr && instruction_is_stateful(instruction)) first = instruction;
    bool is_once = runs_body_once(instruction) || body.runs == STATEFUL_OFTEN;
    /* All others but a loop run their body for each element, a draw for each. */
    StatefulRuns again = instruction->opcode == HLO_WHILE ? STATEFUL_IN_LOOP : STATEFUL_OFTEN,
                 runs = is_once ? body.runs : again;
    for (uint32_t k = 0; !is_end_of_call(instruction) && k < instruction->called_count; k++)
      stateful_call(arena, list, instruction->called[k], runs);
  }
  return first;
}

StatefulRuns stateful_runs(Arena *arena, const Computation *entry, const Instruction **worst) {
  StatefulList list = {};
  StatefulRuns runs = STATEFUL_NONE;
  *worst = nullptr;
  stateful_call(arena, &list, entry, STATEFUL_ONCE);
  for (uint32_t i = 0; i < list.count; i++) {
    StatefulBody body = list.items[i];
    if (body.computation == nullptr) continue;
    const Instruction *first = stateful_enter(arena, &list, body);
    if (first == nullptr || body.runs <= runs) continue;
    runs = body.runs;
    *worst = first;
  }
  return runs;
}

static bool has_order(const Instruction *instruction) {
  return instruction_is_stateful(instruction) && instruction->opcode != HLO_RNG &&
         instruction->opcode != HLO_RECV_DONE;
}

/* A computation and the next of its instructions to visit. */
typedef struct StatefulVisit {
  const Computation *computation;
  uint32_t next, callee;
} StatefulVisit;

typedef struct StatefulVisits {
  StatefulVisit *items;
  uint32_t count, capacity;
} StatefulVisits;

/* Enters a computation with such an operation, once. */
static void visit_enter(
    Arena *arena, StatefulVisits *path, StatefulList *entered, const Computation *computation) {
  if (computation->stateful == nullptr) return;
  for (uint32_t i = 0; i < entered->count; i++)
    if (entered->items[i].computation == computation) return;
  *ARENA_PUSH(arena, entered) = (StatefulBody){.computation = computation};
  *ARENA_PUSH(arena, path) = (StatefulVisit){.computation = computation};
}

/* The listed operations that the entry reaches, where a called computation stands at its first
 * call. */
static StatefulOrder stateful_list(
    Arena *arena, const Computation *entry, bool (*is_listed)(const Instruction *instruction)) {
  StatefulOrder order = {};
  StatefulVisits path = {};
  StatefulList entered = {};
  visit_enter(arena, &path, &entered, entry);
  while (path.count > 0) {
    StatefulVisit *visit = &path.items[path.count - 1];
    if (visit->next == visit->computation->instruction_count) {
      path.count--;
      continue;
    }
    const Instruction *instruction = visit->computation->instructions[visit->next];
    if (!is_end_of_call(instruction) && visit->callee < instruction->called_count) {
      visit_enter(arena, &path, &entered, instruction->called[visit->callee++]);
      continue;
    }
    if (is_listed(instruction)) *ARENA_PUSH(arena, &order) = instruction;
    visit->next++;
    visit->callee = 0;
  }
  return order;
}

StatefulOrder stateful_order(Arena *arena, const Computation *entry) {
  return stateful_list(arena, entry, has_order);
}

static bool same_kind(const Instruction *a, const Instruction *b) {
  static const char name[] = "custom_call_target";
  const Attribute *one = instruction_attribute(a, name), *other = instruction_attribute(b, name);
  return a->opcode == b->opcode && a->channel_id == b->channel_id &&
         strcmp(one == nullptr ? "" : one->text, other == nullptr ? "" : other->text) == 0;
}

uint32_t stateful_number(const StatefulOrder *order, const Instruction *instruction) {
  uint32_t number = 0;
  for (uint32_t i = 0; i < order->count; i++) {
    if (order->items[i] == instruction) return number;
    number += same_kind(order->items[i], instruction);
  }
  return UINT32_MAX;
}

static bool is_random_number(const Instruction *instruction) {
  return instruction->opcode == HLO_RNG;
}

bool stateful_have_partners(Arena *arena, const Computation *entry) {
  const Instruction *worst;
  return stateful_runs(arena, entry, &worst) <= STATEFUL_ONCE &&
         stateful_list(arena, entry, is_random_number).count <= 1;
}
