/* Runs a scope in several processes. A shared counter distributes chunks of cases; a process
 * appends one line to the journal for each finished chunk. A case that ends its process, or exceeds
 * the limits of processor time or memory, is a counterexample: it is counted and named, and another
 * process continues after it. A process that may have been ended from outside (SIGTERM, SIGINT,
 * SIGHUP, SIGQUIT, SIGKILL) is replaced, and its case is judged again, at most twice in one case. A
 * case that waits forever without using processor time is not detected; foreign engines have
 * wall-clock limits of their own. */
#ifndef EXHAUST_EXHAUST_RUN_H
#define EXHAUST_EXHAUST_RUN_H

#include "exhaust/fault_groups.h"
#include "exhaust/journal.h"

static constexpr uint32_t exhaust_max_jobs = 256;
/* Limits of one case, above the budget of its questions (core/base/budget.h), which normally ends
 * them first. Typical use: 50 microseconds and 100 MB. */
static constexpr uint64_t exhaust_case_seconds = 30, exhaust_case_memory = UINT64_C(2) << 30;
/* A run ends, incomplete, after this many lost cases. A killed case costs its whole time limit, a
 * crashed one only the start of a new process. */
static constexpr uint64_t exhaust_most_killed = 16, exhaust_most_crashed = 10'000;

typedef struct ExhaustOptions {
  uint64_t jobs, shard, shards; /* shards >= 1, shard < shards */
  const char *journal;          /* nullptr: no journal */
  bool resume;
  bool first;      /* end soon after the first failed case: with its chunk, and at most a second
                      later. Cases that others are judging then are left out */
  uint64_t stride; /* every stride-th case goes to all judges of a map (exhaust.h); 0: none */
  const RuleSet *rules; /* nullptr: the engine's own rules. The journal does not record the rules */
  Engine *engine;       /* KEEP: a foreign engine instead of our own, started anew in each process,
                           which gets their answers (engine_answered);
                           nullptr: none. The journal records its mark */
  bool simplifies_twice;    /* a foreign simplifier: simplify each result again, and each map in
                         another order */
  bool wants_exact;         /* see examiner_want_exact */
  KnownFaults *accepted;    /* accepted over-approximations of that engine; nullptr: none */
  const OpcodeSet *opcodes; /* KEEP: judge only modules with these opcodes; nullptr: all */
  uint64_t case_seconds,
      case_memory;    /* limits of a case: processor seconds and bytes; 0: the defaults */
  bool (*stop)(void); /* called between cases; nullptr: never stops */
  void (*progress)(const ScopePlan *plan, uint64_t cases, uint64_t all,
      double seconds); /* called now and then; nullptr: no progress */
} ExhaustOptions;

typedef struct ExhaustResult {
  ExhaustTally tally; /* includes the known part of unfinished chunks */
  uint64_t cases;     /* cases of the shard; equals tally.cases if the run is complete */
  bool is_known; /* the other members are set, also if the run failed after cases were judged */
  bool is_complete, has_lost_too_many;
  uint64_t kept;        /* failed ones first, each sorted, without duplicates */
  KeptCase *named;      /* [kept] lost, failed or open cases, the first ones of each chunk; in the
                           arena */
  uint64_t resumed;     /* cases that the journal already contained */
  uint64_t replaced;    /* processes that an outside signal may have ended, so that others continued
                           and judged their cases again */
  FaultGroups groups;   /* of the cases that failed in this run, without resumed ones */
  EngineFaults *faults; /* the same by faults of a foreign engine, one fault per group; in the
                           arena */
  double seconds;
} ExhaustResult;

/* False: the run failed; the result has the cases that were judged before if it is known. */
[[nodiscard]] bool exhaust_run(const ScopePlan *plan, const ExhaustOptions *options, Arena *arena,
    ExhaustResult *result, Error *error);

#endif
