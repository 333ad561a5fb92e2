/* Expressions that a rule speaks of as one: an unknown of their own in their place. */
#ifndef SMT_RULE_UNIT_H
#define SMT_RULE_UNIT_H

#include "smt/rules/rule_system.h"

/* A product of two constant letters, or a square, gets a name where one of the letters stands
 * nowhere else but between its own bounds. That the name is such a product is lost. False where
 * there is none. */
[[nodiscard]] bool system_rename_unit(System *system);

/* A product with what stands beside it wherever it does, as b*b + 2*b in (b + 1)*(b + 1), gets a
 * name where one of its letters then leaves the system. That the name is such a polynomial is
 * lost. */
[[nodiscard]] bool system_rename_polynomial(System *system);

/* A divisor k*m + n with numbers k and n, or a remainder of k*m, gets a name where that makes the
 * system shorter. The residue of the name modulo k is lost. */
[[nodiscard]] bool system_rename_part(System *system);

#endif
