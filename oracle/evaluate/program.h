/* A map as a flat list of steps, for evaluation at many points.
 * Slots: dimensions, ranges, runtimes, then constants and operators. Steps of operands come before
 * those of users. Each slot's interval over the box of the variables' bounds is computed 128 bits
 * wide. If all intervals fit int64, the program is narrow, and int64 arithmetic cannot overflow.
 * Otherwise points are evaluated 128 bits wide, and a point of the domain at which a slot leaves
 * int64 is reported. */
#ifndef ORACLE_EVALUATE_PROGRAM_H
#define ORACLE_EVALUATE_PROGRAM_H

#include "core/map/map.h"
#include "oracle/evaluate/wide.h"

typedef struct ProgramStep {
  ExprOp op; /* EXPR_CONST, or an operator */
  uint32_t left, right, slot;
  uint64_t runtimes; /* runtime variables that the step depends on; those from 63 on share the last
                        bit */
  int64_t value;     /* of a constant; of a division by a constant, the divisor, else 0 */
  Wide lo, hi;       /* interval over the box */
  /* floordiv(x, divisor) = ((x + offset) * multiplier >> shift) - offset / divisor for x in [lo,
   * hi]; multiplier 0: no such form */
  int64_t offset;
  uint64_t multiplier;
  uint32_t shift;
  bool is_short; /* of a product: both operands lie in [0, 2^32) over the box */
} ProgramStep;

/* The value of a step of a narrow program. */
[[nodiscard]] static inline int64_t step_value(const ProgramStep *step, int64_t a, int64_t b) {
  switch (step->op) {
    case EXPR_CONST:
    case EXPR_VAR: break;
    case EXPR_ADD: return a + b;
    case EXPR_MUL: return a * b;
    case EXPR_FLOORDIV: return a / b - (a % b < 0);
    case EXPR_CEILDIV: return a / b + (a % b > 0);
    case EXPR_MOD: return a % b + (a % b < 0 ? b : 0);
    case EXPR_MIN: return a < b ? a : b;
    case EXPR_MAX: return a > b ? a : b;
  }
  return step->value;
}

/* A 128-bit value. is_lost: it is past 2^100, or was divided by 0 or less. has_strayed: it or an
 * intermediate value has left int64. */
typedef struct WideValue {
  Wide value;
  bool is_lost, has_strayed;
} WideValue;

typedef struct Program {
  const Map *map;
  uint32_t variable_count; /* dims, ranges, runtimes in this order */
  uint32_t slot_count;
  uint32_t kept_count; /* of the first slots: all that program_point_again needs, and the results */
  uint32_t step_count;
  ProgramStep *steps;
  Interval *box;         /* [variable_count]: the program may be evaluated inside this box */
  uint32_t *results;     /* slots */
  uint32_t *constraints; /* slots */
  uint64_t *result_runtimes, *constraint_runtimes;
  uint32_t moving_count; /* steps that depend on runtime variables */
  uint32_t *moving;
  uint32_t moving_constraint_count; /* constraints that depend on runtime variables */
  uint32_t *moving_constraints;
  WideValue *wide; /* [slot_count], where the program is not narrow */
  bool is_narrow;
  bool has_empty_box;
} Program;

typedef enum PointAnswer : uint8_t {
  ANSWER_OUTSIDE,
  ANSWER_INSIDE,
  ANSWER_LEAVES_INT64, /* inside (or too large to tell), and some intermediate value leaves int64 or
                          is divided by 0 or less */
} PointAnswer;

/* `box` contains the variables' intervals; nullptr: the map's own bounds. */
void program_compile(
    Program *program, Arena *arena, const MapContext *context, const Map *map, const Interval *box);

/* Whether a value of the runtime variable's clamp lies outside of the variable's bounds. Such
 * bounds are a constraint: they decide about the domain even if nothing uses the variable. The map
 * states its sources. */
bool runtime_decides_domain(const Map *map, uint32_t runtime);

/* The runtime variables that results and constraints depend on, a bit each. */
[[nodiscard]] uint64_t program_runtimes(const Program *program);

/* Evaluates one point. `slots` has slot_count entries, and the first variable_count are set.
 * Runtime variables in `unknown` have no value: constraints that need one are taken to hold, and
 * results that need one are not set. The map's own bounds are part of the domain. */
[[nodiscard]] PointAnswer program_point(const Program *program, int64_t *slots, uint64_t unknown);

/* Whether the runtime variables that have values are within the map's own bounds. */
[[nodiscard]] bool program_bounds_hold(
    const Program *program, const int64_t *slots, uint64_t unknown);

/* program_point for a narrow program whose `slots` were computed without runtime variables, with
 * ANSWER_INSIDE, and where program_bounds_hold. Only the steps above runtime variables are
 * computed. */
[[nodiscard]] PointAnswer program_point_again(
    const Program *program, int64_t *slots, uint64_t unknown);

/* Evaluate columns of `count` points, narrow programs only. columns[slot] has space for that many,
 * and constants are filled beforehand. Sets inside[i] to 1 or 0. */
void program_fill_constants(const Program *program, uint32_t capacity, int64_t **columns);
void program_columns(const Program *program, uint32_t count, int64_t **columns, uint8_t *inside);
/* The same with the code for machines without wide vectors. */
void program_columns_anywhere(
    const Program *program, uint32_t count, int64_t **columns, uint8_t *inside);

#endif
