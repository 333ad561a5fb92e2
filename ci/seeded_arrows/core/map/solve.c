/* Seeded: Z3 outside of smt, and the graph below its floor. */
#include <stdint.h>
#include <z3.h>
#include "core/hlo/graph.h"
