/* A map's domain inside a box, as conditions of the affine dialect. A condition that one affine_set
 * over loop variables can contain becomes inequalities `e - l >= 0`, `u - e >= 0` (an equality `e -
 * l == 0` if l = u). A constraint with min, max, a product of variables or more than 64 nodes goes
 * to `items`, for arith.cmpi.
 *
 * A side that |e| <= magnitude(e) decides is not written: one that always holds is dropped, one
 * that never holds makes the domain `-1 >= 0`. So every written difference is at most 2 *
 * magnitude(e). */
#ifndef CORE_ADAPTERS_MLIR_DOMAIN_H
#define CORE_ADAPTERS_MLIR_DOMAIN_H

#include "core/adapters/mlir/affine.h"
#include "core/adapters/mlir/magnitude.h"

typedef struct Domain {
  Text set; /* the inequalities; empty if there are none */
  AffineOperands operands;
  uint32_t count, capacity;
  Constraint *items; /* the other constraints */
} Domain;

/* Conditions that a point of `box` satisfies exactly if it is inside `map`. Box and map must have
 * the same variables, and the box's bounds must contain the map's. `sizes` are over the box. */
[[nodiscard]] Domain domain_create(
    AffineText *affine, Magnitudes *sizes, const Map *map, const Map *box);
/* Writes `#set(operands)` as it follows affine.if. */
void domain_set(const AffineText *affine, Text *text, const Domain *domain);
/* Writes the i1 conditions of one of the other constraints; returns the number of the SSA name of
 * their conjunction. */
[[nodiscard]] uint32_t domain_condition(AffineText *affine, const Constraint *one);

#endif
