/* What a campaign against a foreign engine keeps: of each kind of failure and each cause one text,
 * made small while the engine still fails so on it, as a file that `affirm check --engine` judges
 * again. */
#ifndef CLI_ENGINE_FINDINGS_H
#define CLI_ENGINE_FINDINGS_H

#include "judge/audit/score.h"

typedef struct FindingName {
  char text[200];
} FindingName;

typedef struct EngineFindings {
  Arena *arena;          /* of the names */
  Judge *judge;          /* of the engine; its context is rewound around each look */
  const char *directory; /* must exist */
  void (*found)(void *state, const char *path); /* a file that was written; nullptr: it is said on
                                                   standard error */
  void *state;
  KnownFaults *baseline; /* their faults are passed over; nullptr: none */
  EngineFaults *faults;  /* each fault joins them; nullptr: nowhere */
  uint64_t kept, known, lost, trials;
  struct {
    uint32_t count, capacity;
    FindingName *items;
  } seen, names; /* seen: as they came, made small or not; names: of the files */
} EngineFindings;

/* The engine failed, as `answer` says, on a map, on `MAP ; MAP`, consumer first, or on a module.
 * Says what is new. */
void engine_finding(
    EngineFindings *findings, EngineVerb verb, const char *subject, const ScoreAnswer *answer);

#endif
