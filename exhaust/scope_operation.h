/* One operation of a scope: how many ways there are to apply it to a tensor, and the k-th way.
 * Keeps: ways 0 .. count - 1 are all different as texts and are all legal HLO; `write` with any of
 * them gives the shape of its result. */
#ifndef JUDGE_SCOPE_OPERATION_H
#define JUDGE_SCOPE_OPERATION_H

#include "exhaust/scope_write.h"
#include "generate/choices/numbering.h"
#include "generate/operations/limits.h"

typedef struct ScopeLimits {
  uint32_t rank; /* of the operand at hand, and of what reshape, bitcast and broadcast make */
  int64_t elements;
  OperationLimits ranges;
  const TensorList *tensors; /* up to that rank and those elements */
  Numbering *numbering;      /* of the operations of generate/operations */
} ScopeLimits;

typedef enum ScopeUse : uint8_t { CHAIN = 1, MIXED = 2, EMPTY = 4, ADD = 8 } ScopeUse;

typedef struct ScopeOperation {
  const char *name;
  [[nodiscard]] uint64_t (*count)(const ScopeLimits *limits, const Tensor *in);
  /* writer == nullptr: the result's shape alone. */
  void (*write)(
      const ScopeLimits *limits, const Tensor *in, uint64_t way, Tensor *out, ScopeWriter *writer);
  uint8_t uses;       /* of ScopeUse */
  const char *ranges; /* what is enumerated, for people */
} ScopeOperation;

typedef enum ScopeOperationId : uint8_t {
#define OPERATION(id, name, uses, ranges) SCOPE_##id,
#include "exhaust/scope_operations.def"
#undef OPERATION
} ScopeOperationId;
static constexpr uint32_t scope_operation_count = 0
#define OPERATION(id, name, uses, ranges) +1
#include "exhaust/scope_operations.def"
#undef OPERATION
    ;
extern const ScopeOperation scope_operations[];

#define OPERATION(id, name, uses, ranges) \
  uint64_t count_##id(const ScopeLimits *limits, const Tensor *in); \
  void write_##id(const ScopeLimits *limits, const Tensor *in, uint64_t way, Tensor *out, \
      ScopeWriter *writer);
#include "exhaust/scope_operations.def"
#undef OPERATION

#endif
