/* Chooses lemma instances that may be useful: pairs of polynomials from the terms that occur, in
 * levels, each wider than the previous one. The choice affects only the search: an instance is
 * valid whatever its operands are. */
#ifndef SMT_RULES_RULE_POOL_H
#define SMT_RULES_RULE_POOL_H

#include "core/base/table.h"
#include "smt/rules/lemmas.h"

static constexpr uint32_t pool_usual_levels = 4, pool_levels = 5;

typedef struct RulePool {
  uint32_t count, capacity;
  Candidate *items;
  Table table; /* of items, so that each pair occurs once */
} RulePool;

/* Adds the candidates of a level (1 .. pool_levels). */
void pool_fill(RulePool *pool, const System *system, uint32_t level);

#endif
