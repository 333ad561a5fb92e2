/* A trace for people: each rewrite with its rule, the rule's place, bindings, facts, before and
 * after; and for --prove what the judges say about each step. */
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include "judge/maps/same.h"

/* Prints every step of the trace of `map`. */
void explain_print(Text *text, const MapContext *context, const Map *map, const Trace *trace);
/* Judges every step and the whole; prints one line each. Gives the worst. */
[[nodiscard]] Status explain_prove(
    Text *text, Judge *judge, const Map *map, const Map *simplified, const Trace *trace);

#endif
