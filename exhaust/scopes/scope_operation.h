/* One operation of a scope: it is made from choices (generate/operations), which are enumerated.
 * Keeps: all ways to apply an operation to a tensor are different as texts and are legal HLO. */
#ifndef JUDGE_SCOPE_OPERATION_H
#define JUDGE_SCOPE_OPERATION_H

#include "exhaust/scopes/scope_case.h"
#include "generate/choices/numbering.h"
#include "generate/operations/operation.h"

typedef struct ScopeLimits {
  uint32_t rank; /* of the operand at hand, and of what reshape, bitcast and broadcast make */
  int64_t elements;
  OperationLimits ranges;
  const TensorList *tensors;  /* up to that rank and those elements */
  ChoiceNumbering *numbering; /* of the operations of generate/operations */
} ScopeLimits;

typedef struct ScopeOperation {
  const char *name;
  OperationGenerator *generate;
  uint16_t uses;      /* of OperationUse */
  const char *ranges; /* what is enumerated, for people */
} ScopeOperation;

extern const ScopeOperation scope_operations[];

/* How many ways there are to apply the operation to the tensor; it has to be asked before a way is
 * made. */
[[nodiscard]] uint64_t scope_ways(
    const ScopeLimits *limits, GeneratedOperation operation, const Tensor *in);
/* The shape of the result; made == nullptr: it alone. Else what is at hand in the case becomes the
 * operation's result. */
[[nodiscard]] Tensor scope_make_way(const ScopeLimits *limits, GeneratedOperation operation,
    const Tensor *in, uint64_t way, ScopeCase *made);

#endif
