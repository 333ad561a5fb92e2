/* The text that XLA's print_indexing prints, cut into blocks: `Output J operand K:` (or `Operand K
 * output J:`) and below it the maps of that pair, each with the lines of its runtime variables, or
 * `(none)`. A map may go over several lines. Lines of a log may stand anywhere.
 * Keeps: a map's text has a line break for each line of the input that it goes over, lines of a log
 * emptied, so that an error in it
 * has its line. A block with neither a map nor `(none)` is kept as such: it says nothing, which is
 * not that nothing is read. */
#ifndef JUDGE_PRINTED_H
#define JUDGE_PRINTED_H

#include "core/base/arena.h"
#include "core/base/error.h"

typedef struct PrintedMaps {
  uint32_t count, capacity;
  Source *items; /* for map_parse */
} PrintedMaps;

typedef struct PrintedBlock {
  uint32_t line;   /* of the heading */
  uint32_t module; /* of the line `# module N: NAME` above it; 0 where there is none */
  uint32_t
      section; /* how many such lines and lines `# INSTRUCTION in COMPUTATION` stand above it */
  const char *instruction, *computation; /* of the latter, or nullptr: of the entry root */
  bool is_turned;                        /* `Operand K output J:`: from the operand to the output */
  uint32_t output, operand;
  int64_t operand_leaf; /* of `operand 1.2`; -1 where none is given */
  bool is_none;         /* `(none)` */
  PrintedMaps maps;
} PrintedBlock;

typedef struct Printed {
  uint32_t count, capacity;
  PrintedBlock *items;
  bool has_modules;       /* a line `# module N: NAME` stands in it */
  uint32_t passed_over;   /* lines that belong to no map */
  uint32_t replica_lines; /* lines about replica ids, passed over as well */
} Printed;

/* False for a text without any heading, and for a line that begins like one and is none: whose maps
 * follow is not known. `source` must outlive the blocks. */
[[nodiscard]] bool printed_parse(
    Arena *arena, const Source *source, Printed *printed, Error *error);

#endif
