/* The table of generators of operations. */
#include "generate/operations/operation.h"

OperationGenerator *const operation_generators[generated_count] = {
#define OPERATION(id, name, uses, ranges) generate_##id,
#include "generate/operations/scope.def"
};
