/* The read relation by itself, without maps: for pictures of what is read beside what maps
 * state. */
#include <string.h>

#include "oracle/compare/verdict.h"

static bool fill_rows(ReadSet *set, Arena *arena, OracleReads *reads) {
  int64_t at[oracle_max_rank] = {};
  reads->outputs = set->output->elements;
  reads->elements = set->operand->elements;
  reads->words = set->words;
  reads->rows = ARENA_NEW(arena, uint64_t, (size_t)reads->outputs * reads->words);
  memset(reads->rows, 0, (size_t)reads->outputs * reads->words * sizeof *reads->rows);
  for (int64_t element = 0; element < reads->outputs; element++) {
    if (!read_set_of(set, element, at, &reads->rows[(size_t)element * reads->words])) return false;
    leaf_next(set->output, at);
  }
  return true;
}

bool oracle_reads(Oracle *oracle, const Instruction *instruction, uint32_t output_leaf,
    uint32_t operand, uint32_t operand_leaf, Arena *arena, OracleReads *reads) {
  ArenaMark mark = arena_mark(oracle->arena);
  Rejection rejection = {};
  Flow flow = {};
  Values values;
  ReadSet set = {};
  *reads = (OracleReads){};
  bool is_ready = operand < instruction->operand_count &&
                  flow_create(&flow, oracle->arena, instruction, &rejection);
  if (is_ready) values_create(&values, &flow);
  bool is_known =
      is_ready &&
      read_set_create(&set, &flow, &values, &oracle->limits, output_leaf, operand, operand_leaf) &&
      read_set_fits(&set) && !set.is_dynamic && fill_rows(&set, arena, reads) &&
      !set.reading.is_bound;
  arena_rewind(oracle->arena, mark);
  return is_known;
}
