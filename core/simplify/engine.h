/* The inner state of a simplifier, shared by the files of this directory: the normal form of one
 * call, what is known of its variables, the compiled rules, and the trace. */
#ifndef CORE_SIMPLIFY_ENGINE_H
#define CORE_SIMPLIFY_ENGINE_H

#include <assert.h>

#include "core/base/checked.h"
#include "core/expr/memo.h"
#include "core/simplify/normal/normal.h"
#include "core/simplify/match/plan.h"
#include "core/simplify/simplify.h"

/* What finishes a part of a right side while it is built: by rules to the end. The layers below the
 * rules (build, match, cancel, trace) know no more of rewriting than this; rewrite.c is the one
 * implementation, and simplifier_create puts it in. nullptr: overflow, or a limit (has_failed). */
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

/* The rules of one stage, by what they fire on. */
typedef struct PlanSet {
  PlanList by_op[EXPR_MAX + 1]; /* on atoms, bare letters included */
  PlanList on_sums;
  PlanList on_cancel[EXPR_MAX + 1]; /* of order "cancels" */
  uint16_t sum_needs,
      cancel_needs; /* operators of which one must occur for a rule on sums to fire */
} PlanSet;

/* A constraint in normal form. */
typedef struct Demand {
  NormalSum *sum;
  Interval in;
} Demand;

/* What is known of a primitive sum without constant: it lies in the interval, because of a
 * constraint. */
typedef struct KnownSum {
  Interval in;
  uint32_t position;        /* of the constraint that says so */
  int64_t modulus, residue; /* of a constraint that fixes a remainder: what it says of the argument
                               without its constant */
} KnownSum;

static constexpr uint32_t variable_kinds = 3;

typedef struct Tracer Tracer;

struct Simplifier {
  MapContext *context;
  Arena *arena; /* as long as the simplifier */
  RuleSet own_rules;
  PlanSet main, text;   /* text: rules of order "text", when nothing else fires any more */
  const PlanSet *rules; /* of the stage that runs */
  PlanList on_constraints, text_on_constraints;
  const Rewriter *rewriter;

  Normal normal;
  const SimplifyOptions *options;
  uint32_t epoch;   /* of the facts: bounds and constraints of other epochs are forgotten */
  uint32_t memo;    /* of the rewriting: what nodes became in other ones is forgotten. Odd while a
                       traced run tries something without a record */
  uint32_t writing; /* of expressions: what nodes were written as in other ones is forgotten */
  bool leads;       /* sums are written with the first summand that is added in front */
  uint64_t numbers; /* of the call, given and written: the bits of their magnitudes (closure.h) */
  uint32_t variable_count[variable_kinds];
  uint32_t variable_capacity[variable_kinds];
  Interval *bounds[variable_kinds];
  NormalAtom **atoms[variable_kinds];

  struct Recall *remembered; /* recall.c */
  uint32_t kept_count, kept_capacity;
  uint32_t *kept; /* positions of the constraints that are more than bounds (facts/fold.c) */
  const MatchPlan
      *point;          /* replaces a variable of one value by the value; nullptr: no rule does so */
  bool has_only_point; /* no other rule fires on a variable, or on a sum of variables */

  uint32_t seen_epoch, seen_count, seen_mask; /* raw expressions that were converted (convert.c) */
  struct SeenSlot *seen;

  uint32_t known_count, known_capacity;
  KnownSum *known; /* a sum points at what is known of it */
  bool knows_congruences;
  uint32_t known_except; /* the constraint that is being rewritten may not use itself; UINT32_MAX:
                            none */

  uint64_t ticket;      /* of the walk that marks sums now */
  uint32_t depth;       /* of nested rewriting */
  uint64_t fired, fuel; /* rewrites so far, and how many there may be: never as many by the engine's
                           own rules */
  const Rule *last_fired[2]; /* the last, and the last before it that is another */
  bool has_users_rules;      /* which nothing keeps from undoing each other */
  bool has_failed;           /* a limit was hit: the call ends in an error */
  bool is_endless;           /* the limit is that of rewrites */
  bool rules_off;            /* nodes are only built, for the trace */
  uint32_t skipped;          /* recorded matches that are passed over (step.h) */
  Tracer *tracer;            /* nullptr: no trace */
};

static inline void simplifier_fired(Simplifier *simplifier, const Rule *rule) {
  if (simplifier->last_fired[0] != rule) simplifier->last_fired[1] = simplifier->last_fired[0];
  simplifier->last_fired[0] = rule;
  simplifier->fired++;
}

/* A recorded match that is to be passed over (step.h). */
static inline bool simplifier_skips(Simplifier *simplifier) {
  return simplifier->skipped > 0 && simplifier->skipped-- > 0;
}

/* ---- int64 (closure.h) ---- */

/* False; the call has met arithmetic that leaves int64. */
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
static inline void simplifier_number(Simplifier *simplifier, int64_t value) {
  simplifier->numbers |= (uint64_t)(value ^ value >> 63);
}

/* What nodes became until now is forgotten. */
static inline void memo_forget(Simplifier *simplifier) {
  assert(simplifier->memo % 2 == 0 && simplifier->memo < UINT32_MAX - 2);
  simplifier->memo += 2;
}

/* Without a record everything that is known counts; with one, only what was recorded when it became
 * known. */
static inline bool memo_holds(const Simplifier *simplifier, uint32_t stamp) {
  return stamp == simplifier->memo || (stamp | 1) == simplifier->memo;
}

/* From here to memo_record nothing is recorded; what the nodes become is remembered for the next
 * such run. */
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

/* Loads the variables of a map that is MAP_PLAIN, for work on its expressions without simplifying
 * it as a whole. */
void simplifier_begin(Simplifier *simplifier, const Map *map);
/* Facts have changed: what was remembered of nodes is forgotten, and what constraints say. */
void simplifier_new_epoch(Simplifier *simplifier);

/* ---- simplify.c ---- */

/* One pass, which ends where no rule fires any more on the map as it is written. */
[[nodiscard]] bool simplify_once(Simplifier *simplifier, const Map *map,
    const SimplifyOptions *options, const Map **simplified, Trace *trace, Error *error);

/* ---- facts.c ---- */

/* Bounds over the variables' bounds alone, in the order in which the sum is written out. False on
 * overflow. */
[[nodiscard]] bool facts_sum(Simplifier *simplifier, NormalSum *sum, Interval *bounds);
[[nodiscard]] bool facts_atom(Simplifier *simplifier, NormalAtom *atom, Interval *bounds);
/* The same for a part of a sum: the bounds of the summands, added. */
[[nodiscard]] bool facts_box(Simplifier *simplifier, const Summand *items, uint32_t count,
    int64_t constant, Interval *bounds);
/* The same for a part of a sum, met with what constraints say of it. */
[[nodiscard]] bool facts_items(Simplifier *simplifier, const Summand *items, uint32_t count,
    int64_t constant, Interval *bounds);
/* Bounds of a sum met with what constraints say of it. */
[[nodiscard]] bool facts_known(Simplifier *simplifier, NormalSum *sum, Interval *bounds);
/* Makes a constraint known, in this epoch, to all but itself. There is room for one of each
 * constraint. */
void facts_remember(Simplifier *simplifier, Demand demand, uint32_t position);

/* ---- rewrite.c ---- */

/* Whether any rule on sums could fire: whether the operators occur that it needs. */
[[nodiscard]] static inline bool sum_has_rules(const Simplifier *simplifier, const NormalSum *sum) {
  return (sum->ops & (simplifier->rules->sum_needs | simplifier->rules->cancel_needs)) != 0;
}
/* nullptr: overflow, or a limit (has_failed). The results are rewritten to the end. */
[[nodiscard]] NormalSum *rewrite_atom(Simplifier *simplifier, NormalAtom *atom);
/* Rules on sums, on a sum whose atoms are rewritten to the end. */
[[nodiscard]] NormalSum *rewrite_finished(Simplifier *simplifier, NormalSum *sum);
[[nodiscard]] NormalSum *rewrite_collected(Simplifier *simplifier, Gather *gather);
[[nodiscard]] NormalSum *rewrite_division(
    Simplifier *simplifier, ExprOp op, NormalSum *argument, int64_t divisor);
/* Products are flat. Minima and maxima are flattened while there are at most combined_max
 * arguments. */
static constexpr uint32_t combined_max = 128;
[[nodiscard]] NormalSum *rewrite_product(
    Simplifier *simplifier, int64_t scale, NormalSum **factors, uint32_t count);
[[nodiscard]] NormalSum *rewrite_combined(
    Simplifier *simplifier, ExprOp op, NormalSum **arguments, uint32_t count);
void sums_push(Bump *bump, SumList *list, NormalSum *sum);
/* The result is what the sum becomes, and becomes itself. */
void rewrite_remember(Simplifier *simplifier, NormalSum *sum, NormalSum *result);
/* The three above as one value. */
[[nodiscard]] const Rewriter *rewriter_by_rules(void);

/* ---- convert.c ---- */

/* Raw expression to rewritten sum. nullptr: a limit. */
[[nodiscard]] NormalSum *convert_in(Simplifier *simplifier, Expr expr);
/* The same where the sum can be bounded. What the sum form cannot hold, or bound, is kept as it was
 * stated. nullptr when that can leave int64 too. */
[[nodiscard]] NormalSum *convert_bounded(Simplifier *simplifier, Expr expr);

/* ---- rewrite_sum.c ---- */

/* Rewrites a sum all through, after facts have changed. */
[[nodiscard]] NormalSum *rewrite_sum(Simplifier *simplifier, NormalSum *sum);

/* ---- write.c ---- */

/* A sum as an expression. A null handle: a limit. */
[[nodiscard]] Expr convert_out(Simplifier *simplifier, NormalSum *sum);

/* ---- stated.c ---- */

/* Operators, then variables, then constants: by structure alone. */
[[nodiscard]] int stated_compare(const ExprPool *pool, Expr a, Expr b);
/* The operands in canonical order, numbers as one, no neutral operand, and nothing else changed: no
 * value, and none on the way. `memo` is of this alone. */
[[nodiscard]] Expr stated_sorted(ExprPool *pool, Memo *memo, Expr expr);

/* ---- trace.c: nothing happens without a tracer ---- */

struct Demands;

/* Where the rewriting that follows takes place. */
void trace_at_constraint(Simplifier *simplifier, uint32_t position);
void trace_at_result(Simplifier *simplifier, uint32_t position);
/* A minimum or maximum became flat. */
void trace_rearranged(Simplifier *simplifier, const NormalSum *stated, NormalSum *flat);
/* A node is met again whose rewriting is remembered: an atom or a sum. */
void trace_repeated(
    Simplifier *simplifier, const NormalAtom *atom, const NormalSum *sum, NormalSum *by);
/* Constraints became bounds before any was loaded: what stays are simplifier->kept. */
void trace_folded(Simplifier *simplifier);
/* Records what bookkeeping has made of the constraints and bounds. */
void trace_canonical(Simplifier *simplifier, const struct Demands *demands, const char *what);
/* Sums are written otherwise from now on. */
void trace_led(Simplifier *simplifier);
void trace_closed(Simplifier *simplifier, Trace *trace, const Map *given, const Map *simplified);

#endif
