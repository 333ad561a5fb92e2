/* Why something is not judged: past a limit, or semantics that are not written. The first reason
 * wins. */
#ifndef ORACLE_REFUSAL_H
#define ORACLE_REFUSAL_H

#include "oracle/oracle.h"

typedef struct Refusal {
  bool is_set;
  VerdictReason answer; /* REASON_TOO_LARGE or REASON_UNSUPPORTED */
  char text[400];
} Refusal;

/* Returns false, so that a function that cannot go on ends in `return refuse(...)`. */
[[gnu::format(printf, 3, 4)]] bool refuse(
    Refusal *refusal, VerdictReason answer, const char *format, ...);

#endif
