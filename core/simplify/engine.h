/* The internal state of a simplifier, shared by the files of this directory: the normal form of one
 * call, facts about its variables, the compiled rules, and the trace. */
#ifndef CORE_SIMPLIFY_ENGINE_H
#define CORE_SIMPLIFY_ENGINE_H

#include <assert.h>

#include "core/base/checked.h"
#include "core/expr/memo.h"
#include "core/simplify/normal/normal.h"
#include "core/simplify/match/plan.h"
#include "core/simplify/simplify.h"

/* Rewrites a part of a right side to its fixed point while the right side is built. The layers
 * below the rules (build, match, cancel, trace) know only this interface; rewrite.c implements it,
 * and simplifier_create installs it. Returns nullptr on overflow or a limit (has_failed). */
typedef struct Rewriter {
  NormalSum *(*collected)(Simplifier *simplifier, Gather *gather);
  NormalSum *(*division)(Simplifier *simplifier, ExprOp op, NormalSum *argument, int64_t divisor);
  NormalSum *(*combined)(Simplifier *simplifier, ExprOp op, NormalSum **arguments, uint32_t count);
} Rewriter;

typedef struct SumList {
  uint32_t count, capacity;
  NormalSum **items;
} SumList;

typedef struct PlanList {
  uint32_t count;
  const MatchPlan **items;
} PlanList;

/* The rules of one stage, indexed by what they match. */
typedef struct PlanSet {
  PlanList by_op[EXPR_MAX + 1]; /* on atoms, including rules whose left side is a single letter */
  PlanList on_sums;
  PlanList on_cancel[EXPR_MAX + 1]; /* rules of order "cancels" */
  uint16_t sum_needs,
      cancel_needs; /* a rule on sums can fire only if one of these operators occurs */
  uint16_t needs;   /* a rule on sums or atoms, other than of order "cancels", can fire only if one
                     * of these operators occurs */
} PlanSet;

/* A constraint in normal form. */
typedef struct Demand {
  NormalSum *sum;
  Interval in;
} Demand;

/* A fact from a constraint about a primitive sum without constant: its interval. */
typedef struct KnownSum {
  Interval in;
  uint32_t position;        /* position of the constraint */
  int64_t modulus, residue; /* for a constraint that fixes a remainder: the congruence of its
                             * argument without the constant */
} KnownSum;

static constexpr uint32_t variable_kinds = 3;

typedef struct Tracer Tracer;

struct Simplifier {
  MapContext *context;
  Arena *arena; /* lives as long as the simplifier */
  RuleSet own_rules;
  PlanSet main, text;   /* text: rules of order "text", applied when no other rule fires */
  const PlanSet *rules; /* of the current stage */
  PlanList on_constraints, text_on_constraints;
  const Rewriter *rewriter;

  Normal normal;
  const SimplifyOptions *options;
  uint32_t epoch;   /* of the facts: bounds and constraints of other epochs are invalid */
  uint32_t memo;    /* of the rewriting: results for nodes of other stamps are invalid. Odd while a
                     * traced run tries something without recording it */
  uint32_t writing; /* of expressions: nodes written under other stamps are written again */
  bool leads;       /* the first summand with a positive coefficient is written first */
  uint64_t numbers; /* of the call, given and written: bitwise or of their magnitudes (closure.h) */
  uint32_t variable_count[variable_kinds];
  uint32_t variable_capacity; /* of all kinds together */
  /* One array each, by number of the variable; every kind's pointer is into it. */
  Interval *bounds[variable_kinds];
  NormalAtom **atoms[variable_kinds];

  struct Recall *remembered; /* cache of recall.c */
  uint32_t kept_count, kept_capacity;
  uint32_t *kept; /* positions of the constraints that remain after folding (facts/fold.c) */
  const MatchPlan *point; /* the rule that replaces a variable of one value by that value; nullptr:
                           * there is none */
  uint16_t lone;          /* operators of which no rule on sums fires on a single atom */
  bool has_only_point;    /* no other rule fires on a variable, or on a sum of variables */

  bool may_grow; /* the last map went the full path, so it may have become larger */

  uint32_t seen_epoch, seen_count, seen_mask; /* hash table of the raw expressions that were
                                               * converted (convert.c) */
  struct SeenSlot *seen;

  uint32_t known_count, known_capacity;
  KnownSum *known; /* facts; a sum points to its own */
  bool knows_congruences;
  uint32_t known_except; /* a constraint that is being rewritten may not use its own fact;
                          * UINT32_MAX: none */

  uint64_t ticket;           /* identifies the current walk that marks sums */
  uint32_t depth;            /* nesting of rewriting */
  uint32_t sum_depth;        /* nesting of rules on sums */
  uint64_t fired, fuel;      /* rewrites so far, and their limit, which the engine's own rules never
                              * reach */
  const Rule *last_fired[2]; /* the last rule, and the last different rule before it */
  bool has_users_rules;      /* user rules may undo each other */
  bool has_failed;           /* a limit was reached: the call returns an error */
  bool is_endless;           /* the limit is the number of rewrites */
  bool rules_off;            /* nodes are built without rewriting, for the trace */
  uint32_t skipped;          /* recorded matches that are still to be skipped (step.h) */
  Tracer *tracer;            /* nullptr: no trace */
};

static inline void simplifier_fired(Simplifier *simplifier, const Rule *rule) {
  if (simplifier->last_fired[0] != rule) simplifier->last_fired[1] = simplifier->last_fired[0];
  simplifier->last_fired[0] = rule;
  simplifier->fired++;
}

/* True if this recorded match is to be skipped (step.h). */
static inline bool simplifier_skips(Simplifier *simplifier) {
  if (simplifier->skipped == 0) return false;
  simplifier->skipped--;
  return true;
}

/* ---- int64 (closure.h) ---- */

/* Records that arithmetic in this call has left int64; returns false. */
static inline bool simplifier_overflows(Simplifier *simplifier) {
  simplifier->normal.has_overflow = true;
  return false;
}
[[nodiscard]] static inline bool simplifier_add(
    Simplifier *simplifier, int64_t a, int64_t b, int64_t *sum) {
  return add64(a, b, sum) || simplifier_overflows(simplifier);
}
[[nodiscard]] static inline bool simplifier_sub(
    Simplifier *simplifier, int64_t a, int64_t b, int64_t *difference) {
  return sub64(a, b, difference) || simplifier_overflows(simplifier);
}
[[nodiscard]] static inline bool simplifier_mul(
    Simplifier *simplifier, int64_t a, int64_t b, int64_t *product) {
  return mul64(a, b, product) || simplifier_overflows(simplifier);
}
[[nodiscard]] static inline uint64_t simplifier_magnitude(int64_t value) {
  return (uint64_t)(value ^ value >> 63);
}
static inline void simplifier_number(Simplifier *simplifier, int64_t value) {
  simplifier->numbers |= simplifier_magnitude(value);
}

/* Invalidates all memoized rewrites. */
static inline void memo_forget(Simplifier *simplifier) {
  assert(simplifier->memo % 2 == 0 && simplifier->memo < UINT32_MAX - 2);
  simplifier->memo += 2;
}

/* Without recording, results from recorded and unrecorded runs are valid; with recording, only
 * those that were recorded. */
static inline bool memo_holds(const Simplifier *simplifier, uint32_t stamp) {
  return stamp == simplifier->memo || (stamp | 1) == simplifier->memo;
}

/* Until memo_record nothing is recorded; the results are memoized for the next unrecorded run. */
static inline Tracer *memo_try(Simplifier *simplifier) {
  Tracer *tracer = simplifier->tracer;
  assert(tracer != nullptr && simplifier->memo % 2 == 0);
  simplifier->tracer = nullptr;
  simplifier->memo |= 1;
  return tracer;
}

static inline void memo_record(Simplifier *simplifier, Tracer *tracer) {
  assert(simplifier->tracer == nullptr && simplifier->memo % 2 == 1);
  simplifier->tracer = tracer;
  simplifier->memo &= ~UINT32_C(1);
}

/* Loads the variables of a MAP_PLAIN map, to work on its expressions without simplifying the
 * map. */
void simplifier_begin(Simplifier *simplifier, const Map *map);
/* Starts an epoch after facts have changed: invalidates memoized rewrites and facts. */
void simplifier_new_epoch(Simplifier *simplifier);
/* A map without results over the variables, with their bounds. In the context's arena. */
[[nodiscard]] Map simplifier_box(const Simplifier *simplifier);

/* ---- simplify.c ---- */

/* One pass. It ends when no rule fires on the map as it is then written. */
[[nodiscard]] bool simplify_once(Simplifier *simplifier, const Map *map,
    const SimplifyOptions *options, const Map **simplified, Trace *trace, Error *error);

static inline void simplifier_write_array(
    const Interval *bounds, uint32_t count, const Variable *given, Variable *variables) {
  for (uint32_t i = 0; i < count; i++) variables[i] = (Variable){bounds[i], given[i].name};
}

/* Writes the variables of `to`, which map_create has made for the kinds of `from`: the names of
 * `from` and the simplifier's bounds. */
static inline void simplifier_write_variables(
    const Simplifier *simplifier, const Map *from, Map *to) {
  assert(map_same_kinds(from, to) && map_has_one_array(to));
  if (map_has_one_array(from)) {
    simplifier_write_array(
        simplifier->bounds[VAR_DIM], map_variable_count(from), from->dims, to->dims);
    return;
  }
  for (uint32_t kind = 0; kind < variable_kinds; kind++)
    simplifier_write_array(simplifier->bounds[kind], map_kind_count(from, (VarKind)kind),
        map_variables(from, (VarKind)kind), map_variables(to, (VarKind)kind));
}

/* ---- facts.c ---- */

/* Bounds that use only the variables' bounds, added in the order in which the sum is written. False
 * on overflow. */
[[nodiscard]] bool facts_sum(Simplifier *simplifier, NormalSum *sum, Interval *bounds);
[[nodiscard]] bool facts_atom(Simplifier *simplifier, NormalAtom *atom, Interval *bounds);
/* The same for a part of a sum: the summands' bounds, added. */
[[nodiscard]] bool facts_box(Simplifier *simplifier, const Summand *items, uint32_t count,
    int64_t constant, Interval *bounds);
/* facts_box intersected with facts from constraints. */
[[nodiscard]] bool facts_items(Simplifier *simplifier, const Summand *items, uint32_t count,
    int64_t constant, Interval *bounds);
/* Bounds of a sum, intersected with facts from constraints. */
[[nodiscard]] bool facts_known(Simplifier *simplifier, NormalSum *sum, Interval *bounds);
/* Records a constraint as a fact of this epoch, for all other constraints. `known` must have room
 * for one fact a constraint. */
void facts_remember(Simplifier *simplifier, Demand demand, uint32_t position);

/* ---- rewrite.c ---- */

/* True if a rule on sums could fire: the operators that it needs occur. */
[[nodiscard]] static inline bool sum_has_rules(const Simplifier *simplifier, const NormalSum *sum) {
  return (sum->ops & (simplifier->rules->sum_needs | simplifier->rules->cancel_needs)) != 0;
}
/* nullptr on overflow or a limit (has_failed). Results are rewritten to their fixed point. */
[[nodiscard]] NormalSum *rewrite_atom(Simplifier *simplifier, NormalAtom *atom);
/* Applies rules on sums to a sum whose atoms are already rewritten. */
[[nodiscard]] NormalSum *rewrite_finished(Simplifier *simplifier, NormalSum *sum);
[[nodiscard]] NormalSum *rewrite_collected(Simplifier *simplifier, Gather *gather);
[[nodiscard]] NormalSum *rewrite_division(
    Simplifier *simplifier, ExprOp op, NormalSum *argument, int64_t divisor);
/* Products are flattened; minima and maxima are flattened if they have at most combined_max
 * arguments. */
static constexpr uint32_t combined_max = 128;
[[nodiscard]] NormalSum *rewrite_product(
    Simplifier *simplifier, int64_t scale, NormalSum **factors, uint32_t count);
[[nodiscard]] NormalSum *rewrite_combined(
    Simplifier *simplifier, ExprOp op, NormalSum **arguments, uint32_t count);
void sums_push(Bump *bump, SumList *list, NormalSum *sum);
/* Memoizes that the sum is rewritten to `result`, and `result` to itself. */
void rewrite_remember(Simplifier *simplifier, NormalSum *sum, NormalSum *result);
/* The three functions above as a Rewriter. */
[[nodiscard]] const Rewriter *rewriter_by_rules(void);

/* ---- convert.c ---- */

/* Converts a raw expression to a rewritten sum. nullptr: a limit. */
[[nodiscard]] NormalSum *convert_in(Simplifier *simplifier, Expr expr);
/* convert_in for a sum that must have bounds. If the sum form overflows or has no bounds, the
 * expression becomes an opaque term. nullptr if that can leave int64 too. */
[[nodiscard]] NormalSum *convert_bounded(Simplifier *simplifier, Expr expr);

/* ---- rewrite_sum.c ---- */

/* Rewrites a whole sum again, after facts have changed. */
[[nodiscard]] NormalSum *rewrite_sum(Simplifier *simplifier, NormalSum *sum);

/* ---- write.c ---- */

/* Writes a sum as an expression. A null handle: a limit. */
[[nodiscard]] Expr convert_out(Simplifier *simplifier, NormalSum *sum);

/* ---- stated.c ---- */

/* Orders operators, then variables, then constants, by structure only. */
[[nodiscard]] int stated_compare(const ExprPool *pool, Expr a, Expr b);
/* Sorts operands in canonical order. Expressions of one order share what is computed for them. */
typedef struct StatedOrder {
  MapContext *context;
  Memo memo;
  struct Bounds *bounds;
  bool is_deep;
} StatedOrder;
/* `box` has the bounds of the variables, and must outlive the order. Allocates in the context's
 * arena. */
[[nodiscard]] StatedOrder stated_order(MapContext *context, const Map *box);
/* Flattens sums, minima and maxima, sorts the operands, folds constants and removes neutral
 * operands. No value changes, and none leaves int64 within the bounds if none did. */
[[nodiscard]] Expr stated_sorted(StatedOrder *order, Expr expr);

/* ---- trace.c: does nothing without a tracer ---- */

struct Demands;

/* Sets where the following rewrites take place. */
void trace_at_constraint(Simplifier *simplifier, uint32_t position);
void trace_at_result(Simplifier *simplifier, uint32_t position);
/* A minimum or maximum was flattened. */
void trace_rearranged(Simplifier *simplifier, const NormalSum *stated, NormalSum *flat);
/* An atom or a sum occurs again, and its rewriting is memoized. */
void trace_repeated(
    Simplifier *simplifier, const NormalAtom *atom, const NormalSum *sum, NormalSum *by);
/* Constraints became bounds before any was loaded; simplifier->kept are the remaining ones. */
void trace_folded(Simplifier *simplifier);
/* Records the changes that bookkeeping made to constraints and bounds. */
void trace_canonical(Simplifier *simplifier, const struct Demands *demands, const char *what);
/* The order in which sums are written changes from now on. */
void trace_led(Simplifier *simplifier);
void trace_closed(Simplifier *simplifier, Trace *trace, const Map *given, const Map *simplified);

#endif
