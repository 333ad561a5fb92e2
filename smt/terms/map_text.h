/* Maps as SMT-LIB 2 text for other tools: one predicate per map, true of exactly the pairs (d, e)
 * of its relation.
 *   (define-fun NAME ((d0 Int) (e0 Int)) Bool (exists ((s0 Int)) (and (<= 0 d0 9) ... (= e0 ...))))
 * div and mod are SMT-LIB's, which floor for divisors > 0. Runtime variables are bound like range
 * variables if `free_runtimes` is false, otherwise they are arguments after the dimensions. Names
 * are quoted symbols; a '|' or '\' in a name becomes '_'. */
#ifndef SMT_TERMS_MAP_TEXT_H
#define SMT_TERMS_MAP_TEXT_H

#include "core/base/text.h"
#include "core/map/map.h"

/* A known-empty map is the predicate false without arguments. UNDEFINED is rejected
 * (ERROR_UNSUPPORTED). */
[[nodiscard]] bool map_smtlib(Text *text, const MapContext *context, const char *name,
    const Map *map, bool free_runtimes, Error *error);

#endif
