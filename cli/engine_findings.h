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
  double end;            /* by clock_wall: reductions end there; 0: they do not */
  KnownFaults *baseline; /* these faults are not written; nullptr: all are */
  EngineFaults *faults;  /* each fault is added here; nullptr: nowhere */
  uint64_t kept, known, lost, trials;
  Score score;        /* of the questions of all looks and trials */
  FindingForms forms; /* of kept wrong answers */
  struct {
    uint32_t count, capacity;
    FindingName *items;
  } seen, names; /* seen: names of original and reduced texts; names: of files */
} EngineFindings;

/* One finding that is reduced without a campaign. */
typedef struct FindingReduction {
  EngineVerb verb;
  const char *subject; /* a map, `MAP ; MAP` (consumer first) or a module */
  const char *kind;    /* only a fault of this KIND (engine_faults.h); nullptr: any */
  const char *path;    /* of the file, for its replay command */
  double end;          /* by clock_wall, when the smallest text so far is taken */
  uint32_t most_trials;
  /* Set, even without a fault: questions about the subject. `unasked`: no time was left for them;
   * `late`, which are undecided: no time was left for their answers */
  uint64_t asked, undecided, unasked, late;
  uint32_t trials; /* set, like all below */
  double seconds;
  size_t size;           /* of the reduced subject, in bytes */
  bool is_cut;           /* the trials or the time ended it */
  const char *unreduced; /* why the subject is not reduced; nullptr: it is */
  FindingName name;
  const char *text; /* of the file; in the arena */
} FindingReduction;

/* Asks the judge's engine about the subject, and reduces it as long as the fault keeps its name. Of
 * a module it asks about the entry, then about the other computations. Returns false if there is no
 * such fault. A fault that needs earlier questions is not reduced. */
[[nodiscard]] bool finding_reduce(Judge *judge, Arena *arena, FindingReduction *reduction);

/* Records that the engine failed, as `answer` states, on a map, on `MAP ; MAP` (consumer first) or
 * on a module. Reports it if it is new. */
void engine_finding(
    EngineFindings *findings, EngineVerb verb, const char *subject, const ScoreAnswer *answer);

#endif
