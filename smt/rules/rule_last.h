/* Last resorts, each adding what follows from a system and was not worth the search before. */
#ifndef SMT_RULE_LAST_H
#define SMT_RULE_LAST_H

#include "smt/rules/rule_system.h"

/* x = C*q + 0, 1, .. or C - 1, for a letter x in a product under a small constant divisor C: a
 * clause to split on. */
[[nodiscard]] bool system_split_residues(System *system);

/* Which gcds divide each other: D*h = T for multiples of two gcds, wherever Bezout's identity and
 * the equations show it. */
[[nodiscard]] bool system_relate_gcds(System *system);

#endif
