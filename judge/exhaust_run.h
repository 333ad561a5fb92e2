/* Runs a scope in several processes. Chunks of cases are handed out by a counter that the processes share; each writes a line into the journal for every
 * chunk that it has finished. A process that ends by a signal leaves the number of the case at hand, which is a counterexample. */
#ifndef JUDGE_EXHAUST_RUN_H
#define JUDGE_EXHAUST_RUN_H

#include "judge/journal.h"

static constexpr uint32_t exhaust_max_jobs = 256;

typedef struct ExhaustOptions {
  uint64_t jobs, shard, shards;  /* shards >= 1, shard < shards */
  const char *journal;           /* nullptr: none is kept */
  bool resume;
  uint64_t stride;               /* every so-manyth case goes to all judges of a map (exhaust.h); 0: none */
  const RuleSet *rules;          /* nullptr: the engine's own; a journal does not tell them apart */
  Engine *engine;                /* KEEP: a foreign engine in the place of our own, started anew in each process; nullptr: none. A journal keeps its name */
  bool (*stop)(void);            /* asked between cases; nullptr: never */
  void (*progress)(const ScopePlan *plan, uint64_t cases, uint64_t all, double seconds); /* now and then; nullptr: none */
} ExhaustOptions;

typedef struct ExhaustResult {
  ExhaustTally tally;            /* crashes included */
  uint64_t cases;                /* that the shard has; tally.cases when it is complete */
  bool is_complete;
  uint64_t kept;                 /* in order, without repetitions */
  uint64_t *numbers;             /* [kept] of cases that failed or are open, the first ones of each chunk; in the arena */
  uint64_t resumed;              /* cases that the journal had already */
  double seconds;
} ExhaustResult;

[[nodiscard]] bool exhaust_run(const ScopePlan *plan, const ExhaustOptions *options, Arena *arena, ExhaustResult *result, Error *error);
/* Chunks are as large as keeps the journal small; the same for the same count. */
[[nodiscard]] uint64_t exhaust_chunk_size(uint64_t cases);

#endif
