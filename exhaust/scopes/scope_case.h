/* One module case under construction: a computation that applies one operation after another to the
 * current value. Other operands of an operation become parameters. */
#ifndef EXHAUST_SCOPES_SCOPE_CASE_H
#define EXHAUST_SCOPES_SCOPE_CASE_H

#include "core/base/text.h"
#include "generate/operations/operation.h"

typedef struct ScopeCase {
  OperandSource source; /* the first member: operations receive it */
  ModuleBuilder module;
  Builder body;
  Instruction *at_hand; /* the current value, operand of the next operation */
} ScopeCase;

/* How the operations are wrapped. A chain of several operations is in a fusion. */
typedef enum Wrapper : uint8_t {
  WRAP_NOT,
  WRAP_FUSION,
  WRAP_NESTED,
  WRAP_CALL,
  WRAP_TUPLE,
  WRAP_TWICE
} Wrapper;
static constexpr uint64_t wrapper_count = WRAP_TWICE; /* without WRAP_NOT */

/* Starts with a parameter of type f32 as the current value. All memory is in the arena. The case
 * must not be copied. */
void scope_case_begin(ScopeCase *made, Arena *arena, const Tensor *tensor, Wrapper wrapper);
/* Appends the module. If it reads back with another layout, a last line that no reader accepts
 * makes the case fail. */
void scope_case_finish(ScopeCase *made, Wrapper wrapper, Text *text);

#endif
