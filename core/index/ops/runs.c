/* runs(C) = the sum over the calls in C of (1 if the wanted one is called) + runs(called), no
 * further than 2; each computation once, by an open table. Calls nest as deep as the verifier lets
 * them. */
#include "core/index/ops/runs.h"

#include <string.h>

#include "core/index/dispatch.h"

typedef struct Counted {
  const Computation *computation; /* nullptr: free */
  uint32_t runs;
} Counted;

typedef struct Counting {
  Arena *arena;
  const Computation *wanted;
  uint32_t room, count;
  Counted *items; /* [room], a power of two; no more than half are used */
} Counting;

static Counted *place_of(const Counting *counting, const Computation *computation) {
  uint32_t at = (uint32_t)((uintptr_t)computation >> 4) * 0x9e3779b1u & (counting->room - 1);
  while (
      counting->items[at].computation != nullptr && counting->items[at].computation != computation)
    at = (at + 1) & (counting->room - 1);
  return &counting->items[at];
}

static void make_room(Counting *counting) {
  if (counting->count < counting->room / 2) return;
  Counting wider = {.arena = counting->arena,
      .wanted = counting->wanted,
      .room = counting->room == 0 ? 16 : 2 * counting->room,
      .count = counting->count};
  wider.items = ARENA_NEW(counting->arena, Counted, wider.room);
  for (uint32_t i = 0; i < counting->room; i++)
    if (counting->items[i].computation != nullptr)
      *place_of(&wider, counting->items[i].computation) = counting->items[i];
  *counting = wider;
}

static bool is_loop_or_branch(const Instruction *instruction) {
  return instruction->opcode == HLO_WHILE || instruction->opcode == HLO_CONDITIONAL;
}

static uint32_t at_most_two(uint32_t runs) { return runs < 2 ? runs : 2; }

static uint32_t runs_in(Counting *counting, const Computation *computation);

static uint32_t runs_of(Counting *counting, const Instruction *instruction) {
  uint32_t runs = 0;
  if (!calls_computation(instruction) && !is_loop_or_branch(instruction)) return 0;
  for (uint32_t i = 0; i < instruction->called_count && runs < 2; i++)
    runs +=
        (instruction->called[i] == counting->wanted) + runs_in(counting, instruction->called[i]);
  return runs > 0 && is_loop_or_branch(instruction) ? 2 : at_most_two(runs);
}

static uint32_t runs_in(Counting *counting, const Computation *computation) {
  uint32_t runs = 0;
  if (counting->count > 0 && place_of(counting, computation)->computation != nullptr)
    return place_of(counting, computation)->runs;
  for (uint32_t i = 0; i < computation->instruction_count && runs < 2; i++)
    runs += runs_of(counting, computation->instructions[i]);
  make_room(counting);
  *place_of(counting, computation) =
      (Counted){.computation = computation, .runs = at_most_two(runs)};
  counting->count++;
  return at_most_two(runs);
}

bool runs_several_times(Arena *scratch, const Computation *inside, const Computation *wanted) {
  ArenaMark mark = arena_mark(scratch);
  Counting counting = {.arena = scratch, .wanted = wanted};
  bool is_several = inside != wanted && runs_in(&counting, inside) > 1;
  arena_rewind(scratch, mark);
  return is_several;
}
