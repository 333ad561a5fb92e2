/* Finds loops that never end once they run: while loops whose condition has the same value before
 * and after each run of the body, as a condition that reads only leaves which the body returns
 * unchanged. Other loops are assumed to end. If the graphs are not shown to have the same such
 * loops, equal values are unknown (equiv_values.h). */
#ifndef JUDGE_GRAPHS_ENDLESS_H
#define JUDGE_GRAPHS_ENDLESS_H

#include "core/base/arena.h"
#include "core/hlo/graph.h"

typedef struct EndlessLoops {
  uint32_t count, capacity;
  const Instruction **items;
  bool is_cut; /* some may be loops on which nothing depends */
} EndlessLoops;

/* The loops that never end once they run, and on which a result or an effect depends. */
void module_endless_loops(Arena *arena, const Module *module, EndlessLoops *loops);

/* Pairs of elements of two states: what two conditions read. */
static constexpr uint32_t endless_most_elements = 8;
typedef struct StateElements {
  uint32_t count;
  uint32_t sides[2][endless_most_elements];
} StateElements;

/* Whether the conditions of two such loops are the same expression of the elements of their states,
 * so that both run if these elements are the same at first. */
[[nodiscard]] bool endless_conditions_agree(
    const Instruction *a, const Instruction *b, StateElements *elements);

#endif
