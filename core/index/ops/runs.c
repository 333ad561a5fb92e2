/* runs(C) = the sum over the calls in C of (1 if it calls the wanted computation) + runs(called),
 * capped at 2. Each computation is counted once, by a table with open addressing. The recursion is
 * as deep as the verifier lets calls nest. */
#include "core/index/ops/runs.h"

#include "core/index/dispatch.h"

typedef struct RunsCounted {
  const Computation *computation; /* nullptr: free */
  uint32_t runs;
} RunsCounted;

typedef struct RunsCounting {
  Arena *arena;
  const Computation *wanted;
  uint32_t capacity, count;
  RunsCounted *items; /* [capacity], a power of two; at most half are used */
} RunsCounting;

static RunsCounted *runs_position_of(const RunsCounting *counting, const Computation *computation) {
  uint32_t at = (uint32_t)((uintptr_t)computation >> 4) * 0x9e3779b1u & (counting->capacity - 1);
  while (
      counting->items[at].computation != nullptr && counting->items[at].computation != computation)
    at = (at + 1) & (counting->capacity - 1);
  return &counting->items[at];
}

static void runs_make_capacity(RunsCounting *counting) {
  if (counting->count < counting->capacity / 2) return;
  RunsCounting wider = {.arena = counting->arena,
      .wanted = counting->wanted,
      .capacity = counting->capacity == 0 ? 16 : 2 * counting->capacity,
      .count = counting->count};
  wider.items = ARENA_NEW(counting->arena, RunsCounted, wider.capacity);
  for (uint32_t i = 0; i < counting->capacity; i++)
    if (counting->items[i].computation != nullptr)
      *runs_position_of(&wider, counting->items[i].computation) = counting->items[i];
  *counting = wider;
}

static bool is_loop_or_branch(const Instruction *instruction) {
  return instruction->opcode == HLO_WHILE || instruction->opcode == HLO_CONDITIONAL;
}

static uint32_t at_most_two(uint32_t runs) { return runs < 2 ? runs : 2; }

static uint32_t runs_in(RunsCounting *counting, const Computation *computation);

static uint32_t runs_of(RunsCounting *counting, const Instruction *instruction) {
  uint32_t runs = 0;
  if (!calls_computation(instruction) && !is_loop_or_branch(instruction)) return 0;
  for (uint32_t i = 0; i < instruction->called_count && runs < 2; i++)
    runs +=
        (instruction->called[i] == counting->wanted) + runs_in(counting, instruction->called[i]);
  return runs > 0 && is_loop_or_branch(instruction) ? 2 : at_most_two(runs);
}

static uint32_t runs_in(RunsCounting *counting, const Computation *computation) {
  uint32_t runs = 0;
  if (counting->count > 0 && runs_position_of(counting, computation)->computation != nullptr)
    return runs_position_of(counting, computation)->runs;
  for (uint32_t i = 0; i < computation->instruction_count && runs < 2; i++)
    runs += runs_of(counting, computation->instructions[i]);
  runs_make_capacity(counting);
  *runs_position_of(counting, computation) =
      (RunsCounted){.computation = computation, .runs = at_most_two(runs)};
  counting->count++;
  return at_most_two(runs);
}

bool runs_several_times(Arena *scratch, const Computation *inside, const Computation *wanted) {
  ArenaMark mark = arena_mark(scratch);
  RunsCounting counting = {.arena = scratch, .wanted = wanted};
  bool is_several = inside != wanted && runs_in(&counting, inside) > 1;
  arena_rewind(scratch, mark);
  return is_several;
}
