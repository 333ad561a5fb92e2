/* Linear forms with bounds over exact rationals: an incremental simplex after Dutertre and de Moura
 * ("A Fast Linear-Arithmetic Solver for DPLL(T)"). A conflict names the contradictory bounds with
 * their multipliers: a Farkas certificate. Bounds can be undone. */
#ifndef PROOF_WRITE_SIMPLEX_H
#define PROOF_WRITE_SIMPLEX_H

#include "core/base/arena.h"
#include "smt/terms/polynomial.h"

/* n/d in lowest terms, d >= 1. */
typedef struct Ratio {
  Wide n, d;
} Ratio;

typedef struct Bound {
  bool is_set;
  Wide value;
  uint32_t why; /* the caller's number for the origin of the bound */
} Bound;

typedef struct BoundUse {
  uint32_t variable;
  bool is_upper;
  uint32_t why;
  Ratio factor; /* > 0 */
} BoundUse;

typedef struct Simplex {
  Arena *arena;
  uint32_t count, row_count, column_count, capacity;
  uint32_t *variable_of_row, *variable_of_column;
  int32_t *row, *column; /* [capacity] of a variable: exactly one of row and column is >= 0 */
  Ratio *values;
  Bound *lower, *upper;
  Ratio **rows; /* [row][column] */
  struct {
    uint32_t count, capacity;
    struct BoundChange {
      uint32_t variable;
      bool is_upper;
      Bound before;
    } *items;
  } changes;
  struct {
    uint32_t count, capacity;
    BoundUse *items;
  } conflict;    /* after a failure */
  bool overflow; /* then no result is valid */
} Simplex;

[[nodiscard]] Simplex *simplex_create(Arena *arena, uint32_t capacity);
/* Adds an independent variable. All of them must be added before the first sum. */
[[nodiscard]] uint32_t simplex_free(Simplex *simplex);
/* Adds a variable that equals a sum of variables. */
[[nodiscard]] uint32_t simplex_sum(
    Simplex *simplex, uint32_t count, const uint32_t *variables, const Wide *factors);
/* Sets a bound. Returns false, with the conflict, if the opposite bound contradicts it. A weaker
 * bound is ignored. */
[[nodiscard]] bool simplex_bound(
    Simplex *simplex, uint32_t variable, bool is_upper, Wide value, uint32_t why);
/* Finds values within all bounds. Returns false, with the conflict, if there are none. */
[[nodiscard]] bool simplex_check(Simplex *simplex);
void simplex_undo(Simplex *simplex, uint32_t changes);

#endif
