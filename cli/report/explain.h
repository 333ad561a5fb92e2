/* Prints a trace: each rewrite with its rule, the rule's location, bindings, facts, and the map
 * before and after. With --prove also prints the judges' verdict about each step. */
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include "judge/maps/steps.h"

/* Prints every step of the trace of `map`. */
void explain_print(Text *text, const MapContext *context, const Map *map, const Trace *trace);
/* Judges every step and the whole simplification, and prints one line each. Returns the worst
 * status. */
[[nodiscard]] Status explain_prove(
    Text *text, Judge *judge, const Map *map, const Map *simplified, const Trace *trace);

#endif
