/* A rule's `order:` line as obligations: rules of the rule language, true for all values, that say
 * together that every instance of the rule makes the map smaller in the order of docs/matching.md.
 * They are judged as any rule is, with certificates. */
#ifndef PROOF_ORDER_ORDER_H
#define PROOF_ORDER_ORDER_H

#include "core/rules/rule.h"

typedef struct OrderObligation {
  const char *part; /* of the order: "weight", "nesting", ... */
  const char *text; /* a rule */
} OrderObligation;

static constexpr uint32_t order_max_obligations = 24;

typedef struct OrderProof {
  uint32_t count;
  OrderObligation items[order_max_obligations];
  /* of the part that decreases: what it decreases by, and what is assumed; for order_twin */
  const char *decrease, *assumptions;
} OrderProof;

/* False with an error where the line states no order, or one that no obligation expresses. */
[[nodiscard]] bool order_obligations(
    Arena *arena, const Rule *rule, OrderProof *proof, Error *error);
/* The negative example: the part decreases by more than `least`; without what a word demands of the
 * instance; of a rule that turns signs, the weight. A rule's text, to be refuted. */
[[nodiscard]] const char *order_twin(
    Arena *arena, const Rule *rule, const OrderProof *proof, uint32_t least);

#endif
