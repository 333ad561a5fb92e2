/* The module that is being reduced, in parsed form, and edits that have files of their own. */
#ifndef REDUCE_REDUCE_GRAPH_H
#define REDUCE_REDUCE_GRAPH_H

#include "core/hlo/graph.h"

typedef struct ReducedGraph {
  Arena *arena;
  Module *module;
} ReducedGraph;

typedef struct InstructionPosition {
  Computation *computation;
  uint32_t at;
  Instruction *instruction;
} InstructionPosition;

/* Without an instruction if the number is too large. */
[[nodiscard]] static inline InstructionPosition graph_position(
    const ReducedGraph *graph, uint32_t number) {
  for (uint32_t i = 0; i < graph->module->computation_count; i++) {
    Computation *computation = graph->module->computations[i];
    if (number < computation->instruction_count)
      return (InstructionPosition){computation, number, computation->instructions[number]};
    number -= computation->instruction_count;
  }
  return (InstructionPosition){};
}

/* The number of edits of slices: of each dimension, its start, limit, stride and size together. */
[[nodiscard]] uint32_t graph_slice_edits(const ReducedGraph *graph);
/* Makes edit `number`; returns false if it changes nothing. */
[[nodiscard]] bool graph_edit_slice(ReducedGraph *graph, uint32_t number);
/* The number of edits of reshapes: a size of the operand and one of the result are divided by the
 * same number. */
[[nodiscard]] uint32_t graph_reshape_edits(const ReducedGraph *graph);
[[nodiscard]] bool graph_edit_reshape(ReducedGraph *graph, uint32_t number);

#endif
