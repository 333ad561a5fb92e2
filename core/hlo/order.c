/* Orders computations by calls: each follows all that it calls, else the given order remains. A
 * depth-first walk with an explicit stack, so that a chain of calls may be as long as the text. A
 * call of a computation that is still open is a cycle. */
#include <assert.h>
#include <string.h>

#include "core/hlo/read/reader.h"

typedef enum VisitMark : uint8_t { MARK_NEW, MARK_OPEN, MARK_DONE } VisitMark;

typedef struct Visit {
  uint32_t computation;
  uint32_t instruction;
  uint32_t slot;
} Visit;

typedef struct OrderWalk {
  const Source *source;
  Error *error;
  Computation **given;
  Names numbers; /* a computation's name to the address of its number */
  VisitMark *marks;
  Visit *stack;
  uint32_t depth;
  Computation **done;
  uint32_t done_count;
} OrderWalk;

static uint32_t number_of(const OrderWalk *walk, const Computation *computation) {
  const uint32_t *number =
      names_find(&walk->numbers, 0, computation->name, strlen(computation->name));
  assert(number != nullptr);
  return *number;
}

static bool open_computation(OrderWalk *walk, uint32_t number, const Instruction *caller) {
  if (walk->marks[number] == MARK_DONE) return true;
  if (walk->marks[number] == MARK_OPEN) {
    assert(caller != nullptr); /* the root is opened only once */
    return error_at(walk->error, ERROR_INPUT, walk->source, caller->offset, strlen(caller->name),
        "'%.100s' calls '%.100s', which it is part of", caller->name, walk->given[number]->name);
  }
  assert(walk->marks[number] == MARK_NEW);
  walk->marks[number] = MARK_OPEN;
  walk->stack[walk->depth++] = (Visit){.computation = number};
  return true;
}

/* Advances the innermost open computation to its next call, or closes it. */
static bool step(OrderWalk *walk) {
  assert(walk->depth > 0);
  Visit *visit = &walk->stack[walk->depth - 1];
  assert(walk->marks[visit->computation] == MARK_OPEN);
  Computation *computation = walk->given[visit->computation];
  while (visit->instruction < computation->instruction_count) {
    const Instruction *caller = computation->instructions[visit->instruction];
    if (visit->slot < caller->called_count) {
      return open_computation(walk, number_of(walk, caller->called[visit->slot++]), caller);
    }
    visit->instruction++;
    visit->slot = 0;
  }
  walk->marks[visit->computation] = MARK_DONE;
  walk->done[walk->done_count++] = computation;
  walk->depth--;
  return true;
}

bool order_computations(
    Arena *arena, const Source *source, uint32_t count, Computation **computations, Error *error) {
  OrderWalk walk = {
      .source = source, .error = error, .given = ARENA_NEW(arena, Computation *, count)};
  walk.marks = ARENA_NEW(arena, VisitMark, count);
  walk.stack = ARENA_NEW(arena, Visit, count);
  walk.done = computations;
  uint32_t *numbers = ARENA_NEW(arena, uint32_t, count);
  for (uint32_t i = 0; i < count; i++) {
    walk.given[i] = computations[i];
    numbers[i] = i;
    [[maybe_unused]] bool is_new = names_add(
        &walk.numbers, arena, 0, computations[i]->name, strlen(computations[i]->name), &numbers[i]);
    assert(is_new);
  }
  for (uint32_t i = 0; i < count; i++) {
    if (!open_computation(&walk, i, nullptr)) return false;
    while (walk.depth > 0) {
      if (!step(&walk)) return false;
    }
  }
  assert(walk.done_count == count);
  return true;
}
