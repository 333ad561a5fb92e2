/* Reduces a finding to one small case. A judge's result on the text is the signature of the fault
 * ("wrong reverse", "unsound", "crash Assertion ..."). The text is reduced (reduce.h) as long as
 * the same judge finds the same signature. A child process runs engine and judges (shrink_child.h),
 * which may crash and hang. The cheapest judge that finds the signature is used: enumeration, else
 * proof, else both. */
#ifndef REDUCE_SHRINK_H
#define REDUCE_SHRINK_H

#include "reduce/shrink_child.h"
#include "judge/maps/judge.h"

typedef enum ShrinkForm : uint8_t {
  FORM_MODULE,
  FORM_MAP,       /* one map, which is simplified or given to MLIR */
  FORM_COMPOSE,   /* MAP ; MAP, consumer first */
  FORM_SAME,      /* MAP ; MAP that are claimed to be the same map */
  FORM_RELATION,  /* or for the same relation */
  FORM_CONTAINED, /* or of which the second has all pairs of the first */
  FORM_RULES,     /* rules, which are proved */
  FORM_TEXT,      /* any bytes, which are parsed */
} ShrinkForm;

typedef enum ShrinkJudge : uint8_t { SHRINK_ORACLE, SHRINK_SMT, SHRINK_BOTH } ShrinkJudge;

typedef struct Shrink {
  Arena *arena;
  const RuleSet *rules; /* nullptr: the engine's own */
  ShrinkForm form;
  const char *kind; /* the wanted signature or its first word (kinds.def); empty: any */
  double seconds;   /* time limit */
  uint32_t most_trials;
  bool (*stop)(void); /* true: stop as at the time limit; may be nullptr */
  /* Called before each trial with the remaining seconds; may be nullptr. */
  void (*at)(uint32_t trials, double left);
  uint32_t trials; /* set, like all fields below */
  uint32_t late;   /* runs of the child that a time limit ended: they show nothing, unless `timeout`
                      is   the wanted kind */
  uint32_t size;   /* of the smallest text: operations without parameters; for maps and rules,
                      expression nodes; for text, bytes */
  size_t length;
  bool is_cut; /* trials or time ended it, or `stop` */
  double took; /* seconds */
  ShrinkJudge judge;
  FaultSignature signature;
  const char *smallest;       /* `length` bytes, and a NUL */
  const char *name;           /* the name of the case: "reverse_wrong" */
  const char *witness, *maps; /* of the smallest text; maps one per line; empty: none */
  const char *body;           /* the case from its verb on; nullptr: no verb expresses it */
} Shrink;

typedef enum ShrinkEnd : uint8_t { SHRINK_DONE, SHRINK_NO_FAULT, SHRINK_ERROR } ShrinkEnd;
/* NO_FAULT: no fault was found in time. The form says whether the subject is a module, `MAP`, `MAP
 * ; MAP`, rules or bytes. */
[[nodiscard]] ShrinkEnd shrink(Shrink *shrinking, const Source *subject, Error *error);
/* Parses the subject by its form. */
[[nodiscard]] bool shrink_subject_reads(ShrinkForm form, const Source *subject, Error *error);
[[nodiscard]] const char *shrink_unit(ShrinkForm form);
/* Prints the case with its history as comments. The case expects the right result. `origin` names
 * the source of the subject; `seed` may be nullptr. Needs a body. */
void shrink_print_case(Text *text, const Shrink *shrinking, const char *origin, const char *seed,
    const char *version, const char *path);

#endif
