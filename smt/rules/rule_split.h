/* Case splits on signs, and on which of two divisors is smaller. */
#ifndef SMT_RULES_RULE_SPLIT_H
#define SMT_RULES_RULE_SPLIT_H

#include "smt/rules/rule_system.h"

/* Splits on the sign of a gcd about which nothing is known. False if there is none. */
[[nodiscard]] bool system_split_zero_gcd(System *system);
/* The same for a constant that is >= 0 and a factor. */
[[nodiscard]] bool system_split_zero_constant(System *system);

/* Questions that are tried last, one after another: the cases of the first that helps close the
 * system. */
typedef struct OpenSplit {
  uint32_t kind;    /* of System.open_splits */
  uint32_t tried;   /* number of questions */
  uint32_t at_once; /* how many may be nested */
  bool (*find)(const System *system, uint32_t number, Poly *poly);
  void (*split)(System *system, Poly poly);
} OpenSplit;

/* number < open_split_kinds: the sign of a factor; which of two divisors is smaller. */
[[nodiscard]] const OpenSplit *open_split(uint32_t number);

#endif
