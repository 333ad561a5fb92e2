/* The failures of a run with several stages, folded by cause. Failures that share an operation have
 * one cause: of the smallest failure's operations, the one that most remaining failures contain.
 * Failures without an operation (maps, rules) share one cause. The report shows the smallest
 * counterexample, then a line of counts for each cause. */
#ifndef CLI_FAILURES_H
#define CLI_FAILURES_H

#include "core/base/text.h"
#include "exhaust/exhaust_run.h"
#include "judge/maps/operations.h"

typedef struct Failure {
  const char *stage;    /* "modules", or the name of a scope */
  OpcodeSet operations; /* empty: unknown */
  uint64_t count;       /* questions or cases */
  uint64_t size;        /* of the counterexample, in the order of judge/maps/operations.h */
  const char *text;     /* the counterexample; nullptr: case `smallest` of the scope */
  const Scope *scope;
  KeptCase smallest;
} Failure;

typedef struct FailureList {
  Arena *arena;
  double begin;         /* of the run, as clock_wall */
  double first_seconds; /* from the begin to the first failure */
  bool is_foreign;      /* the engine's sources are unknown: a cause is only an operation */
  uint32_t count, capacity;
  Failure *items;
} FailureList;

/* Copies the texts. */
void failures_add(FailureList *failures, const Failure *failure);
/* The smallest failure; nullptr if nothing failed. */
[[nodiscard]] const Failure *failures_smallest(const FailureList *failures);
/* "pad, core/index/ops/pad.c": the operation under which the failure is counted, and the source of
 * the engine's rule for it; "maps and rules" if there is no operation. */
[[nodiscard]] const char *failures_cause(const FailureList *failures, const Failure *failure);
/* Prints `counterexample`, the text of the smallest failure, and the counts. */
void failures_print(Text *text, const FailureList *failures, const char *counterexample);

#endif
