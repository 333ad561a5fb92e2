/* From a finding to one small case: what a judge says about the text is its sight ("wrong reverse",
 * "unsound", "crash Assertion ..."), and the text is made small (reduce.h) while the same judge
 * still sees the same. A child process looks (shrink_child.h), so that engine and judges may crash
 * and hang. The cheapest judge that sees it is the one that is kept: enumeration alone, else proof
 * alone, else both. */
#ifndef FUZZ_SHRINK_H
#define FUZZ_SHRINK_H

#include "reduce/shrink_child.h"
#include "judge/maps/judge.h"

typedef enum ShrinkForm : uint8_t {
  FORM_MODULE,
  FORM_MAP,      /* what simplifying, or MLIR, makes of one map */
  FORM_COMPOSE,  /* MAP ; MAP, consumer first */
  FORM_SAME,     /* MAP ; MAP that somebody takes for the same map */
  FORM_RELATION, /* or for the same relation */
  FORM_RULES,    /* what the prover says of rules */
  FORM_TEXT,     /* what the parsers make of any bytes */
} ShrinkForm;

typedef enum ShrinkJudge : uint8_t { SHRINK_ORACLE, SHRINK_SMT, SHRINK_BOTH } ShrinkJudge;

typedef struct Shrink {
  Arena *arena;
  const RuleSet *rules; /* nullptr: the engine's own */
  ShrinkForm form;
  const char *kind; /* the sight to look for first, or its first word (kinds.def); empty: any */
  double seconds;   /* when to be content with what is there */
  uint32_t most_trials;
  bool (*stop)(void); /* as if the seconds were over; may be null */
  uint32_t trials;    /* set, as are all below */
  uint32_t size;      /* of the smallest: operations, parameters aside; of maps and rules, nodes of
                         expressions; of text, bytes */
  size_t length;
  double took; /* seconds */
  ShrinkJudge judge;
  FaultSignature signature;
  const char *smallest; /* `length` bytes, and a NUL */
  const char *name;     /* what the case is called: "reverse_wrong" */
  const char *witness,
      *maps;        /* of the smallest; maps each on its line; empty where there are none */
  const char *body; /* the case from its verb on, or nullptr where no verb says it */
} Shrink;

typedef enum ShrinkEnd : uint8_t { SHRINK_DONE, SHRINK_NO_FAULT, SHRINK_ERROR } ShrinkEnd;
/* NO_FAULT: nothing is seen, or not in time. The subject is a module, `MAP`, `MAP ; MAP`, rules or
 * bytes, as the form says. */
[[nodiscard]] ShrinkEnd shrink(Shrink *shrinking, const Source *subject, Error *error);
[[nodiscard]] const char *shrink_unit(ShrinkForm form);
/* The case, with its history as remarks; it expects what would be right. `origin` names where the
 * subject came from, `seed` may be nullptr. Needs a body. */
void shrink_print_case(Text *text, const Shrink *shrinking, const char *origin, const char *seed,
    const char *version, const char *path);

#endif
