/* The trace of a simplification. */
#include "core/simplify/match.h"

void trace_fired(Match *match) { (void)match; }
void trace_at_constraint(Simplifier *simplifier, uint32_t position) { (void)simplifier, (void)position; }
void trace_at_result(Simplifier *simplifier, uint32_t position) { (void)simplifier, (void)position; }
