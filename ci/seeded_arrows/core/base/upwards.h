/* Seeded: the ground looks up, and by a relative path. */
#include "core/expr/expr.h"
#include "../expr/expr.h"
