/* Runs a scope in several processes. Chunks of cases are handed out by a counter that the processes
 * share; each writes a line into the journal for every chunk that it has finished. A case in which
 * a process ends, or that takes more processor time or memory than one may, is a counterexample: it
 * is counted and named, and another process goes on after it. One in which others may have ended it
 * (SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGKILL) is judged again, twice at most. What waits for ever
 * and uses nothing is not seen; foreign engines have limits of their own, by the clock. */
#ifndef JUDGE_EXHAUST_RUN_H
#define JUDGE_EXHAUST_RUN_H

#include "exhaust/fault_groups.h"
#include "exhaust/journal.h"

static constexpr uint32_t exhaust_max_jobs = 256;
/* Of one case: above what its questions may take (core/base/budget.h), after which they end by
 * themselves; usual ones take 50 microseconds and 100 MB. */
static constexpr uint64_t exhaust_case_seconds = 30, exhaust_case_memory = UINT64_C(2) << 30;
/* Then a run ends, incomplete: killed cases take their time, crashed ones only that of a new
 * process. */
static constexpr uint64_t exhaust_most_killed = 16, exhaust_most_crashed = 10'000;

typedef struct ExhaustOptions {
  uint64_t jobs, shard, shards; /* shards >= 1, shard < shards */
  const char *journal;          /* nullptr: none is kept */
  bool resume;
  bool first;           /* ends with the chunk in which the first case fails */
  uint64_t stride;      /* every so-manyth case goes to all judges of a map (exhaust.h); 0: none */
  const RuleSet *rules; /* nullptr: the engine's own; a journal does not tell them apart */
  Engine *engine;  /* KEEP: a foreign engine in the place of our own, started anew in each process;
                      nullptr: none. A journal keeps its name */
  bool asks_twice; /* a foreign simplifier: each answer once more, each map turned around */
  KnownFaults *accepted; /* over-approximations of that engine; nullptr: none */
  const OpcodeSet *opcodes; /* KEEP: of modules those with these alone; nullptr: all */
  uint64_t case_seconds,
      case_memory;    /* that a case may take, of processor time and bytes; 0: the usual ones */
  bool (*stop)(void); /* asked between cases; nullptr: never */
  void (*progress)(const ScopePlan *plan, uint64_t cases, uint64_t all,
      double seconds); /* now and then; nullptr: none */
} ExhaustOptions;

typedef struct ExhaustResult {
  ExhaustTally tally; /* with what is known of chunks that were not finished */
  uint64_t cases;     /* that the shard has; tally.cases when it is complete */
  bool is_complete, has_lost_too_many;
  uint64_t kept;   /* in order, without repetitions */
  KeptCase *named; /* [kept] cases that were lost, failed or are open, the first ones of each chunk;
                      in the arena */
  uint64_t resumed;     /* cases that the journal had already */
  uint64_t judged_again; /* times that others may have ended a process, whose case was judged by
                            another one */
  FaultGroups groups;   /* of the cases that failed in this run, not of resumed ones */
  EngineFaults *faults; /* the same of a foreign engine, one fault a group; in the arena */
  double seconds;
} ExhaustResult;

[[nodiscard]] bool exhaust_run(const ScopePlan *plan, const ExhaustOptions *options, Arena *arena,
    ExhaustResult *result, Error *error);

#endif
