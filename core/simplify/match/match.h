/* Runs a plan on an atom, a sum or a constraint. */
#ifndef CORE_SIMPLIFY_MATCH_MATCH_H
#define CORE_SIMPLIFY_MATCH_MATCH_H

#include "core/simplify/engine.h"

/* A part of a sum: summands in canonical order. */
typedef struct SumView {
  const Summand *items;
  uint32_t count;
  int64_t constant;
  NormalSum *whole; /* the interned sum, if the view is all of it and unchanged */
  bool lacks;       /* the summand at `lacking` is excluded */
  uint32_t lacking;
  const Interval
      *all; /* if `lacks`: the added bounds of all summands, including the excluded one */
} SumView;

typedef struct Letter {
  SumView view;
  Interval bounds;
  bool has_bounds, is_bounded;
} Letter;

typedef struct Picked {
  uint8_t sum;
  uint32_t index;
  int64_t coefficient;
} Picked;

typedef struct Contained {
  uint8_t letter;
  int64_t coefficient; /* scale times formula */
} Contained;

typedef struct OpenSum OpenSum;

typedef struct Match Match;
/* The end of a match: returns whether the rule fires. */
typedef bool MatchFinish(Match *match);

struct Match {
  Simplifier *simplifier;
  const MatchPlan *plan;
  NormalAtom *atom;   /* the root of PLAN_ATOM and PLAN_ANY_ATOM */
  NormalSum *subject; /* the root of PLAN_SUM and PLAN_CONSTRAINT */
  Interval in;        /* of PLAN_CONSTRAINT */
  int64_t scale;      /* of PLAN_SUM */
  OpenSum *open;      /* order "cancels": the open sum; open_at: its matched summand */
  uint32_t open_at;
  MatchFinish *finish; /* for an open sum */
  SumView sums[plan_max_sums];
  NormalAtom *owners[plan_max_sums]; /* the atom of which the sum is an argument */
  uint8_t picked_count, contained_count, argument_count;
  Picked picked[plan_max_picks];
  Contained contained[plan_max_picks];
  int64_t part_constant; /* of PLAN_SUM: the part of the sum's constant that the left side takes */
  uint32_t arguments[2]; /* chosen arguments of a minimum or maximum */
  int64_t unit_coefficients[rule_max_letters]; /* by the letter of the single summand */
  int64_t constants[rule_max_letters];
  Letter exprs[rule_max_letters];
  NormalSum *result; /* what the subject is rewritten to */
  Demand demand;     /* what the constraint is rewritten to */
};

/* True if the plan fires: the result (or demand) is set and differs from the subject. Temporary
 * memory is released. */
[[nodiscard]] bool match_atom(
    Simplifier *simplifier, const MatchPlan *plan, NormalAtom *atom, NormalSum **result);
[[nodiscard]] bool match_sum(
    Simplifier *simplifier, const MatchPlan *plan, NormalSum *sum, NormalSum **result);
/* A rule of order "cancels" on one summand of an open sum. A complete match calls `finish`, which
 * may change the sum. */
[[nodiscard]] bool match_open(Simplifier *simplifier, const MatchPlan *plan, OpenSum *open,
    uint32_t at, Summand item, MatchFinish *finish);
[[nodiscard]] bool match_constraint(
    Simplifier *simplifier, const MatchPlan *plan, Demand before, Demand *after);
/* The same for rules of order "sign", whatever the sign of the first summand. */
[[nodiscard]] bool match_any_sign(
    Simplifier *simplifier, const MatchPlan *plan, Demand before, Demand *after);

[[nodiscard]] static inline bool relation_holds(Comparison relation, int64_t left, int64_t right) {
  switch (relation) {
    case REL_EQ: return left == right;
    case REL_NE: return left != right;
    case REL_LT: return left < right;
    case REL_LE: return left <= right;
    case REL_GT: return left > right;
    case REL_GE: return left >= right;
  }
  assert(false);
  return false;
}

/* Arithmetic over the bound letters. False on overflow and for a divisor <= 0. */
[[nodiscard]] bool match_evaluate(Match *match, const Formula *formula, int64_t *value);
[[nodiscard]] bool match_letter_bounds(Match *match, uint8_t letter, Interval *bounds);

/* ---- build.c ---- */

/* Adds the right side under the bindings, times scale, to a sum under construction. */
[[nodiscard]] bool build_template(
    Match *match, const PlanTemplate *template, int64_t scale, Gather *gather);
[[nodiscard]] bool build_item(
    Match *match, const TemplateItem *item, int64_t scale, Gather *gather);

#endif
