/* Units: expressions that a rule uses only as a whole. They are replaced by new unknowns. */
#ifndef SMT_RULES_RULE_UNIT_H
#define SMT_RULES_RULE_UNIT_H

#include "smt/rules/rule_system.h"

/* Names a product of two constant letters, or a square, if one of the letters occurs nowhere else
 * except between its own bounds. It is lost that the name is such a product. False if there is
 * none. */
[[nodiscard]] bool system_rename_unit(System *system);

/* Names a product together with the terms that always accompany it, as b*b + 2*b in (b + 1)*(b +
 * 1), if one of its letters then vanishes from the system. It is lost that the name is such a
 * polynomial. */
[[nodiscard]] bool system_rename_polynomial(System *system);

/* Names a divisor k*m + n with numbers k and n, or a remainder of k*m, if that makes the system
 * shorter. The residue of the name modulo k is lost. */
[[nodiscard]] bool system_rename_part(System *system);

#endif
