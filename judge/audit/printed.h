/* Splits the output of XLA's print_indexing into blocks: `Output J operand K:` (or `Operand K
 * output J:`) followed by the maps of that pair, each with the lines of its runtime variables, or
 * by `(none)`. A map may span several lines. Log lines may be anywhere.
 * Keeps: a map's text has a line break for each input line that it spans, with log lines emptied,
 * so that errors have the right line. A block with neither a map nor `(none)` is kept as such: it
 * is no answer, which differs from an answer that nothing is read. */
#ifndef JUDGE_AUDIT_PRINTED_H
#define JUDGE_AUDIT_PRINTED_H

#include "core/base/arena.h"
#include "core/base/error.h"

typedef struct PrintedMaps {
  uint32_t count, capacity;
  Source *items; /* for map_parse */
} PrintedMaps;

typedef struct PrintedBlock {
  uint32_t line;    /* of the heading */
  uint32_t module;  /* of the line `# module N: NAME` above it; 0: none */
  uint32_t section; /* number of such lines and of lines `# INSTRUCTION in COMPUTATION` above it */
  const char *instruction, *computation; /* of the latter line; nullptr: of the entry root */
  bool is_inverse;                       /* `Operand K output J:`: input-to-output */
  uint32_t output, operand;
  int64_t operand_leaf; /* of `operand 1.2`; -1: not given */
  bool is_none;         /* `(none)` */
  PrintedMaps maps;
} PrintedBlock;

/* A line `# module N: NAME`. */
typedef struct PrintedModule {
  uint32_t line, number;
  const char *name; /* "": not given */
  size_t offset;    /* of the line in the text */
} PrintedModule;
typedef struct PrintedModules {
  uint32_t count, capacity;
  PrintedModule *items;
} PrintedModules;

/* Lines `# INSTRUCTION in COMPUTATION`: what the blocks below them inherit. */
typedef struct PrintedSections {
  uint32_t count, capacity;
  PrintedBlock *items;
} PrintedSections;

typedef struct Printed {
  uint32_t count, capacity;
  PrintedBlock *items;
  PrintedModules modules;   /* in the order of the text, also those without a block */
  PrintedSections sections; /* in the order of the text, also those without a block */
  uint32_t passed_over;     /* lines that belong to no map */
  uint32_t replica_lines;   /* lines about replica ids, included in passed_over */
} Printed;

/* Returns false for a text without a heading, for a line that starts like a heading but is none,
 * and for a map under no heading, because such maps cannot be assigned. `source` must outlive the
 * blocks. */
[[nodiscard]] bool printed_parse(
    Arena *arena, const Source *source, Printed *printed, Error *error);

#endif
