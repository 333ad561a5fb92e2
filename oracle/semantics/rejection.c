/* Sets a rejection. */
#include "oracle/semantics/rejection.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

void rejection_set(Rejection *rejection, VerdictReason answer, const char *format, ...) {
  assert(answer == REASON_TOO_LARGE || answer == REASON_UNSUPPORTED);
  if (rejection->is_set) return;
  rejection->is_set = true;
  rejection->answer = answer;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(rejection->text, sizeof rejection->text, format, arguments);
  va_end(arguments);
}
