/* One operation of a scope: it is made from choices, which are enumerated. Operations of
 * generate/operations stand here by their names; the others write their text.
 * Keeps: all ways to apply an operation to a tensor are different as texts and are legal HLO. */
#ifndef JUDGE_SCOPE_OPERATION_H
#define JUDGE_SCOPE_OPERATION_H

#include "exhaust/scopes/scope_write.h"
#include "generate/choices/numbering.h"
#include "generate/operations/operation.h"

typedef struct ScopeLimits {
  uint32_t rank; /* of the operand at hand, and of what reshape, bitcast and broadcast make */
  int64_t elements;
  OperationLimits ranges;
  const TensorList *tensors; /* up to that rank and those elements */
  Numbering *numbering;      /* of the operations of generate/operations */
} ScopeLimits;

typedef enum ScopeUse : uint8_t { CHAIN = 1, MIXED = 2, EMPTY = 4, ADD = 8 } ScopeUse;

/* Makes `out` of the case, and writes it where there is a writer. False: there is no such case. */
typedef bool ScopeGenerator(OperationCase *at_hand, ScopeWriter *writer);

typedef struct ScopeOperation {
  const char *name;
  ScopeGenerator *generate;
  uint8_t uses;       /* of ScopeUse */
  const char *ranges; /* what is enumerated, for people */
} ScopeOperation;

typedef enum ScopeOperationId : uint8_t {
#define OPERATION(id, name, uses, ranges) SCOPE_##id,
#include "exhaust/scopes/scope.def"
} ScopeOperationId;
static constexpr uint32_t scope_operation_count = 0
#define OPERATION(id, name, uses, ranges) +1
#include "exhaust/scopes/scope.def"
    ;
extern const ScopeOperation scope_operations[];

#define OPERATION(id, name, uses, ranges) ScopeGenerator scope_##id;
#include "exhaust/scopes/scope.def"

/* What the operation stands for in keys of joins. */
[[nodiscard]] static inline uint32_t scope_key(ScopeOperationId operation) {
  return generated_count + operation;
}

/* How many ways there are to apply the operation to the tensor; it has to be asked before a way is
 * made. */
[[nodiscard]] uint64_t scope_ways(
    const ScopeLimits *limits, ScopeOperationId operation, const Tensor *in);
/* The shape of the result; writer == nullptr: it alone. */
[[nodiscard]] Tensor scope_write_way(const ScopeLimits *limits, ScopeOperationId operation,
    const Tensor *in, uint64_t way, ScopeWriter *writer);

#endif
