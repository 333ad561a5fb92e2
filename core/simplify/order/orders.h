/* Variables that nothing tells apart are taken in every order. */
#ifndef CORE_SIMPLIFY_ORDERS_H
#define CORE_SIMPLIFY_ORDERS_H

#include "core/simplify/engine.h"

/* The turn of each variable among those that it is tied with. */
typedef struct Turns {
  uint32_t *of[variable_kinds];
} Turns;

/* How the result was reached: each step simplifies what the step before it gave, with its own
 * turns. */
static constexpr uint32_t max_order_steps = 8;
typedef struct OrderSteps {
  uint32_t count;
  Turns items[max_order_steps];
} OrderSteps;

/* The simplified map, where some variables were tied while `map` became `first` in the order of
 * numbers (nullptr: it did not, since a limit was hit). False where no order could be gone
 * through. */
[[nodiscard]] bool orders_settle(Simplifier *simplifier, const Map *map, const Map *first,
    const SimplifyOptions *options, const Map **simplified, OrderSteps *steps);
/* nullptr: the numbers again. */
void orders_turn(Simplifier *simplifier, const Turns *turns);

#endif
