/* What failed in a run of many stages, folded by cause. Failures that share an operation have one
 * cause: the operation that most of the remaining failures contain, among those of the smallest
 * one. Failures without an operation (maps, rules) have one cause together. The report shows the
 * smallest counterexample of all, then a line of counts for each cause. */
#ifndef CLI_FAILURES_H
#define CLI_FAILURES_H

#include "core/base/text.h"
#include "exhaust/exhaust_run.h"
#include "judge/maps/operations.h"

typedef struct Failure {
  const char *stage;    /* "modules", or the name of a scope */
  OpcodeSet operations; /* empty: none is known */
  uint64_t count;       /* questions or cases */
  uint64_t size;        /* of the counterexample, in the order of judge/maps/operations.h */
  const char *text;     /* the counterexample; nullptr: it is case `smallest` of the scope */
  const Scope *scope;
  KeptCase smallest;
} Failure;

typedef struct FailureList {
  Arena *arena;
  double begin;         /* of the run, by clock_wall */
  double first_seconds; /* from there to the first failure */
  bool is_foreign;      /* an engine whose sources are not ours: a cause is an operation alone */
  uint32_t count, capacity;
  Failure *items;
} FailureList;

/* Copies the texts. */
void failures_add(FailureList *failures, const Failure *failure);
/* The smallest counterexample; nullptr where nothing failed. */
[[nodiscard]] const Failure *failures_smallest(const FailureList *failures);
/* "pad, core/index/ops/pad.c": the operation that the failure is counted under, and the source of
 * the engine's rule for it; "maps and rules" where there is no operation. */
[[nodiscard]] const char *failures_cause(const FailureList *failures, const Failure *failure);
/* The block of the smallest counterexample, whose text is given, and the counts. */
void failures_print(Text *text, const FailureList *failures, const char *counterexample);

#endif
