/* affirm fuzz --engine: a campaign against a foreign engine. */
#ifndef CLI_FUZZ_ENGINE_H
#define CLI_FUZZ_ENGINE_H

#include "cli/session.h"
#include "judge/engines/engine_faults.h"

typedef struct EngineCampaign {
  const char *target; /* graph, simplify or compose; nullptr: all that the engine offers */
  const char *directory, *seeds; /* findings go to DIRECTORY/findings; saved inputs are
                                    SEEDS/TARGET, nullptr: none */
  int64_t seconds, seed, runs;   /* runs 0: until the time is up */
  void (*found)(void *state, const char *path); /* a file with a finding; then no report is
                                                   printed. nullptr: a report is */
  void *state;
  const char *opcodes;   /* instructions of these alone, between commas; nullptr: all */
  KnownFaults *baseline; /* findings of these groups are none; nullptr: all are */
  EngineFaults *faults;  /* what was found, known or not, joins them; nullptr: nowhere */
} EngineCampaign;

typedef struct EngineTally {
  uint64_t findings, passed, open; /* passed, open: questions */
} EngineTally;

/* Random and mutated bytes become graphs, maps and pairs of maps, as for the fuzz programs; the
 * engine is asked, enumeration judges. One finding is kept for each kind of failure and set of
 * operations, the shortest text that shows it, with the command that replays it. */
[[nodiscard]] Status fuzz_engine(
    Engine *engine, const EngineCampaign *campaign, EngineTally *tally);

#endif
