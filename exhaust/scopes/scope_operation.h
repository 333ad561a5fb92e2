/* One operation of a scope, generated from enumerated choices (generate/operations).
 * Keeps: all ways to apply an operation to a tensor differ as texts and are legal HLO. */
#ifndef EXHAUST_SCOPES_SCOPE_OPERATION_H
#define EXHAUST_SCOPES_SCOPE_OPERATION_H

#include "exhaust/scopes/scope_case.h"
#include "generate/numbering.h"
#include "generate/operations/operation.h"

typedef struct ScopeLimits {
  uint32_t rank; /* of the operand, and of the results of reshape, bitcast and broadcast */
  int64_t elements;
  OperationLimits ranges;
  const TensorList *tensors;  /* all tensors of at most that rank and number of elements */
  ChoiceNumbering *numbering; /* of the generators in generate/operations */
} ScopeLimits;

typedef struct ScopeOperation {
  const char *name;
  OperationGenerator *generate;
  uint16_t uses;      /* a set of OperationUse */
  const char *ranges; /* what is enumerated, for people */
} ScopeOperation;

extern const ScopeOperation scope_operations[];

/* The number of ways to apply the operation to the tensor. Must be called before scope_make_way. */
[[nodiscard]] uint64_t scope_ways(
    const ScopeLimits *limits, GeneratedOperation operation, const Tensor *in);
/* Returns the shape of the result. If made != nullptr, also replaces the current value of the case
 * by the result. */
[[nodiscard]] Tensor scope_make_way(const ScopeLimits *limits, GeneratedOperation operation,
    const Tensor *in, uint64_t way, ScopeCase *made);

#endif
