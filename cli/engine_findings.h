/* Findings of a campaign against a foreign engine: one text for each kind of failure and each
 * cause. It is reduced as long as the failure remains, and written as a file that `affirm check
 * --engine` judges again. */
#ifndef CLI_ENGINE_FINDINGS_H
#define CLI_ENGINE_FINDINGS_H

#include "cli/finding_forms.h"
#include "judge/audit/score.h"

typedef struct FindingName {
  char text[200];
} FindingName;

typedef struct EngineFindings {
  Arena *arena;          /* of the names */
  Judge *judge;          /* of the engine; its context is rewound after each query */
  const char *directory; /* must exist */
  void (*found)(void *state, const char *path); /* called with a file that was written; nullptr: its
                                                   path is reported on standard error */
  void *state;
  KnownFaults *baseline; /* these faults are not written; nullptr: all are */
  EngineFaults *faults;  /* each fault is added here; nullptr: nowhere */
  uint64_t kept, known, lost, trials;
  FindingForms forms; /* of kept wrong answers */
  struct {
    uint32_t count, capacity;
    FindingName *items;
  } seen, names; /* seen: names of original and reduced texts; names: of files */
} EngineFindings;

/* Records that the engine failed, as `answer` states, on a map, on `MAP ; MAP` (consumer first) or
 * on a module. Reports it if it is new. */
void engine_finding(
    EngineFindings *findings, EngineVerb verb, const char *subject, const ScoreAnswer *answer);

#endif
