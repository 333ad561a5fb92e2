/* Why something is not judged: it is past a limit, or its semantics are not written. The first
 * reason is kept. */
#ifndef ORACLE_SEMANTICS_REJECTION_H
#define ORACLE_SEMANTICS_REJECTION_H

#include "oracle/oracle.h"

typedef struct Rejection {
  bool is_set;
  VerdictReason answer; /* REASON_TOO_LARGE or REASON_UNSUPPORTED */
  char text[400];
} Rejection;

/* Always returns false, for `return reject(...)`. */
#define reject(rejection, answer, ...) \
  (rejection_set((rejection), (answer), __VA_ARGS__), error_false())
[[gnu::format(printf, 3, 4)]] void rejection_set(
    Rejection *rejection, VerdictReason answer, const char *format, ...);

#endif
