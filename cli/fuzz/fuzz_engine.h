/* affirm fuzz --engine: a campaign against a foreign engine. */
#ifndef CLI_FUZZ_ENGINE_H
#define CLI_FUZZ_ENGINE_H

#include "cli/report/results.h"
#include "cli/session.h"
#include "judge/engines/engine_faults.h"

typedef struct EngineCampaign {
  const char *target; /* graph, simplify or compose; nullptr: all that the engine offers */
  const char *directory, *seeds; /* findings go to DIRECTORY/findings; saved inputs are in
                                    SEEDS/TARGET, nullptr: none */
  int64_t seconds, seed, runs;   /* 0 seconds, 0 runs: no such limit; one of them is given */
  bool is_json;                  /* the report has one JSON object per line */
  void (*found)(void *state, const char *path); /* called with each file of a finding, and then no
                                                   report is printed; nullptr: prints reports */
  void *state;
  const char *opcodes;   /* comma-separated: only instructions with these; nullptr: all */
  KnownFaults *baseline; /* findings of these groups are not counted; nullptr: all are */
  Exactness exactness;   /* of over-approximations where affirm's own map is exact */
  Results *results;      /* a result for each target is added here; nullptr: nowhere */
  EngineFaults *faults;  /* every fault, known or not, is added here; nullptr: nowhere */
} EngineCampaign;

typedef struct EngineTally {
  uint64_t findings, passed, open; /* passed, open: numbers of questions */
  uint64_t refused;                /* of the open ones: by the engine, which offers their verb */
  uint64_t avoidable;              /* of those that passed: affirm's own map is exact */
} EngineTally;

/* Decodes random and mutated bytes to graphs, maps and pairs of maps, as the fuzz programs do. The
 * engine is asked, and enumeration judges its results. For each kind of failure and set of
 * operations one finding is kept: the shortest text, with the command that replays it. */
[[nodiscard]] Status fuzz_engine(
    Engine *engine, const EngineCampaign *campaign, EngineTally *tally);

#endif
