/* Setting a refusal. */
#include "oracle/semantics/refusal.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

bool refuse(Refusal *refusal, VerdictReason answer, const char *format, ...) {
  assert(answer == REASON_TOO_LARGE || answer == REASON_UNSUPPORTED);
  if (refusal->is_set) return false;
  refusal->is_set = true;
  refusal->answer = answer;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(refusal->text, sizeof refusal->text, format, arguments);
  va_end(arguments);
  return false;
}
