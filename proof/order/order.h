/* Turns a rule's `order:` line into obligations: rules of the rule language that must hold for all
 * values. Together they imply that every instance of the rule makes the map smaller in the order of
 * docs/matching.md. They are proved like any rule, with certificates. */
#ifndef PROOF_ORDER_ORDER_H
#define PROOF_ORDER_ORDER_H

#include "core/rules/rule.h"

typedef struct OrderObligation {
  const char *part;  /* of the order: "weight", "nesting", ... */
  const char *text;  /* the text of a rule */
  const char *alone; /* the same without the assumption that earlier parts are equal; nullptr if it
                        has none */
} OrderObligation;

static constexpr uint32_t order_max_obligations = 24;

typedef struct OrderProof {
  uint32_t count;
  OrderObligation items[order_max_obligations];
  /* of the decreasing part: the term of the decrease, its assumptions, and those that are not about
   * earlier parts, or nullptr; for order_twin */
  const char *decrease, *assumptions, *alone;
} OrderProof;

/* Returns false with an error if the line names no part of the order, or one that obligations
 * cannot express. */
[[nodiscard]] bool order_obligations(
    Arena *arena, const Rule *rule, OrderProof *proof, Error *error);
/* The negative example, as a rule that must be refuted: the part decreases by more than
 * `least`. It omits the condition of a word; for a rule that negates a sum it is about the
 * weight. */
[[nodiscard]] OrderObligation order_twin(
    Arena *arena, const Rule *rule, const OrderProof *proof, uint32_t least);

#endif
