/* A map's domain inside a box, as conditions of the affine dialect. What one affine_set over loop
 * variables can hold becomes inequalities `e - l >= 0`, `u - e >= 0` (an equality `e - l == 0`
 * where l = u); a constraint with min, max, a product of variables or more than 64 nodes stays in
 * `rest`, for arith.cmpi.
 * A side that |e| <= magnitude(e) decides is not written: a side that always holds is dropped, one
 * that never holds makes the domain `-1 >= 0`. So every difference written is at most 2 *
 * magnitude(e). */
#ifndef CORE_MLIR_DOMAIN_H
#define CORE_MLIR_DOMAIN_H

#include "core/adapters/mlir/affine.h"
#include "core/adapters/mlir/magnitude.h"

typedef struct Domain {
  Text set; /* the inequalities; empty when there is none */
  AffineOperands operands;
  uint32_t count, capacity;
  Constraint *items; /* the rest */
} Domain;

/* Conditions that a point of `box` fulfils exactly when it is inside `map`: box and map have the
 * same variables, and the box's bounds contain the map's. `sizes` are over the box. */
[[nodiscard]] Domain domain_create(
    AffineText *affine, Magnitudes *sizes, const Map *map, const Map *box);
/* `#set(operands)` as it stands after affine.if. */
void domain_set(const AffineText *affine, Text *text, const Domain *domain);
/* Writes i1 conditions of one of the rest; gives the number of the SSA name that holds their
 * conjunction. */
[[nodiscard]] uint32_t domain_condition(AffineText *affine, const Constraint *one);

#endif
