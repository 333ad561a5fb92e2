/* Seeded: MLIR outside of its room. */
#include <mlir-c/IR.h>
#include "core/simplify/simplify.h"
