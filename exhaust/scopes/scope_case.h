/* One case of a scope of modules as it is built: a computation that takes the value at hand through
 * one operation after another. What else an operation needs becomes a parameter. */
#ifndef EXHAUST_SCOPE_CASE_H
#define EXHAUST_SCOPE_CASE_H

#include "core/base/text.h"
#include "generate/operations/operation.h"

typedef struct ScopeCase {
  OperandSource source; /* the first member: operations get it */
  ModuleBuilder module;
  Builder body;
  Instruction *at_hand; /* what the next operation takes */
} ScopeCase;

/* How the operations are wrapped; a chain of several is in a fusion. */
typedef enum Wrapper : uint8_t {
  WRAP_NOT,
  WRAP_FUSION,
  WRAP_NESTED,
  WRAP_CALL,
  WRAP_TUPLE,
  WRAP_TWICE
} Wrapper;
static constexpr uint64_t wrapper_count = WRAP_TWICE; /* beside WRAP_NOT */

/* A parameter of f32 is at hand. Everything lives in the arena. The case is not copied. */
void scope_case_begin(ScopeCase *made, Arena *arena, const Tensor *tensor, Wrapper wrapper);
/* Appends the module. Where it reads back with another layout, a last line says so that no reader
 * accepts: the case fails. */
void scope_case_finish(ScopeCase *made, Wrapper wrapper, Text *text);

#endif
