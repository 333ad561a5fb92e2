/* State shared by all fuzz targets: one set of judges, created once and rewound after each input,
 * and the report of a finding. A report prints a replayable case and aborts, so that every fuzzing
 * engine sees a crash. Judged and unjudged questions are counted, and the counts are printed at
 * exit. */
#ifndef FUZZ_HARNESS_HARNESS_H
#define FUZZ_HARNESS_HARNESS_H

#include "core/hlo/graph.h"
#include "core/index/index.h"
#include "core/map/text.h"
#include "fuzz/harness/kinds.h"
#include "oracle/oracle.h"

typedef struct Harness {
  MapContext *context;
  Arena *arena; /* for graphs and texts */
  Simplifier *simplifier;
  Indexer *indexer;
  Oracle *oracle;
  uint64_t inputs;
  uint64_t answers[verdict_reason_count];
  uint64_t undefined, sampled, rejected, unequal;
  uint64_t proved, unproved; /* by Z3 */
  uint64_t larger;           /* simplified maps with a longer text than before */
  uint64_t repeated;         /* texts that were judged before in this process */
  bool compares_values;      /* the answers are about values of graphs */
  MapMark map_mark;
  ArenaMark arena_mark;
} Harness;

/* Returns the process's one harness, ready for a new input. Everything made for the previous input
 * is freed. */
[[nodiscard]] Harness *harness_begin(void);

/* False for a text that was given before in this process, which is counted: seven of eight inputs
 * encode a rule, and one of seven a module, that an earlier one encodes. The last 16,384 texts are
 * remembered, by their checksums. */
[[nodiscard]] bool harness_is_new(Harness *harness, const char *text, size_t length);
/* From now on every text is new. */
void harness_forget_texts(void);

/* `body`: the lines of the reported case. */
[[noreturn, gnu::format(printf, 3, 4)]] void harness_fail(
    FindingKind kind, const char *body, const char *format, ...);

[[nodiscard]] const char *harness_map_text(Harness *harness, const Map *map);
/* The engine's own rules. */
[[nodiscard]] const RuleSet *harness_rules(void);
/* Parses a module that must be legal. The text must outlive the module. */
[[nodiscard]] const Module *harness_module(
    Harness *harness, const char *text, size_t length, const char *what);

#endif
