/* Why something is not judged: past a limit, or semantics that are not written. The first reason
 * wins. */
#ifndef ORACLE_REJECTION_H
#define ORACLE_REJECTION_H

#include "oracle/oracle.h"

typedef struct Rejection {
  bool is_set;
  VerdictReason answer; /* REASON_TOO_LARGE or REASON_UNSUPPORTED */
  char text[400];
} Rejection;

/* Returns false, so that a function that cannot go on ends in `return reject(...)`. */
[[gnu::format(printf, 3, 4)]] bool reject(
    Rejection *rejection, VerdictReason answer, const char *format, ...);

#endif
