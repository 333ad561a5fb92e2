/* A rule compiled for matching: a linear list of steps for its left side, and a template for its
 * right side. The compiler decides once, by the order in docs/matching.md, which step binds which
 * letter. */
#ifndef CORE_SIMPLIFY_MATCH_PLAN_H
#define CORE_SIMPLIFY_MATCH_PLAN_H

#include "core/rules/rule.h"

/* Arithmetic over bound constants in postfix order. */
typedef enum CodeOp : uint8_t {
  CODE_INTEGER,  /* value */
  CODE_CONSTANT, /* letter */
  CODE_LO,       /* of an expression letter */
  CODE_HI,
  CODE_ADD,
  CODE_MUL,
  CODE_FLOORDIV,
  CODE_CEILDIV,
  CODE_MOD,
  CODE_MIN,
  CODE_MAX,
  CODE_GCD,
} CodeOp;

typedef struct Code {
  CodeOp op;
  uint8_t letter;
  int64_t value;
} Code;

typedef struct Formula {
  uint32_t count; /* 0: the formula is the constant `value` */
  int64_t value;
  const Code *items;
} Formula;
[[nodiscard]] static inline bool formula_is_one(const Formula *formula) {
  return formula->count == 0 && formula->value == 1;
}

/* Values of the subject that a constant letter can be bound to. */
typedef enum PlanValueKind : uint8_t {
  VALUE_DIVISOR,     /* of the atom whose argument is sum `sum` */
  VALUE_COEFFICIENT, /* of picked summand `at` */
  VALUE_UNIT,        /* the coefficient of the summand chosen by STEP_UNIT */
  VALUE_LO,          /* ends of the constraint's interval */
  VALUE_HI,
} PlanValueKind;

typedef enum StepKind : uint8_t {
  STEP_BIND,  /* value = formula * letter; fails if the formula does not divide the value */
  STEP_CHECK, /* value == formula */
  STEP_SCALE, /* the picked coefficient = scale * formula; binds the scale of a rule on sums */
  STEP_PICK,  /* chooses a summand of `sum` whose atom is `op`; its argument becomes sum `other` */
  STEP_ARGUMENT,    /* chooses an argument of the minimum or maximum; it becomes sum `other` */
  STEP_DROP_PICKED, /* removes the picked summands from the sum */
  STEP_SUBTRACT,    /* sum -= formula * letter */
  STEP_SUBTRACT_CONSTANT, /* sum -= formula */
  STEP_TAKE_CONSTANT,     /* letter = the constant of the sum */
  STEP_TAKE_SHIFT,        /* letter = the k with 0 <= lo(sum - formula*k) < formula; the sum loses
                           * formula*k */
  STEP_UNIT,              /* letter (u, v, w) = the atom of one summand; tries each */
  STEP_GCD, /* constant letter = a greatest common divisor of summands; tries those of the summands
             * with the widest extent first */
  STEP_DIVISIBLE,     /* letter = (the summands that formula divides) / formula, at least one */
  STEP_ALL_DIVISIBLE, /* letter = sum / formula; fails if formula does not divide the sum */
  STEP_REST,          /* letter = the rest */
  STEP_EMPTY,         /* the sum must be empty */
  STEP_COMMON,        /* letter = the greatest common part of `sum` and `other`; fails if that is
                       * zero */
  STEP_CONTAINED, /* scale * formula * letter is a part of the sum that a rule on sums matches */
  STEP_PART_CONSTANT, /* scale * formula is a part of the constant of the sum that a rule on sums
                       * matches */
  STEP_GUARD,         /* guard number `at` holds */
  STEP_DONE,
} StepKind;

typedef struct MatchStep {
  StepKind kind;
  PlanValueKind value;
  ExprOp op;
  uint8_t sum, other; /* numbers of the sums that are matched; 0: the root's */
  uint8_t at;
  uint8_t letter;
  bool divisor_known; /* STEP_GCD: includes the divisor of the sum's atom */
  Formula formula;
} MatchStep;

typedef struct PlanTemplate PlanTemplate;

typedef struct TemplateItem {
  Formula coefficient;
  bool is_letter;
  uint8_t letter;
  ExprOp op;                        /* if not a letter */
  Formula divisor;                  /* of divisions */
  const PlanTemplate *left, *right; /* right: only for min and max */
} TemplateItem;

/* constant + sum of coefficient * item */
struct PlanTemplate {
  Formula constant;
  uint32_t count;
  TemplateItem *items;
};

typedef enum PlanRoot : uint8_t {
  PLAN_ATOM,       /* on atoms with operator `op` */
  PLAN_ANY_ATOM,   /* the left side is a single letter */
  PLAN_SUM,        /* on a part of a sum, and on each multiple of the rule */
  PLAN_CONSTRAINT, /* on a constraint */
} PlanRoot;

/* Conditions of an `order:` line beyond the guard. */
typedef enum PlanOrder : uint8_t {
  ORDER_NONE,
  ORDER_SIGN,    /* "sign": the first summand's coefficient is negative and becomes positive */
  ORDER_LIGHTER, /* "lighter": the result, after rewriting, has less weight */
  ORDER_TEXT,    /* "text": applied last, if the text of the sum becomes shorter */
  ORDER_TURNS,   /* "text, turned": as "text", if something is subtracted in the matched sum */
  ORDER_CANCELS, /* "cancels": inside a sum whose other summands cancel what the rule introduces
                  * (docs/matching.md) */
} PlanOrder;

typedef struct PlanGuard {
  Comparison relation;
  Formula left, right;
} PlanGuard;

/* The numbers that guards of a plain constraint or a plain division may compare. Those from
 * FILTER_LO on need the bounds of the root's sum. */
typedef enum FilterEnd : uint8_t {
  FILTER_FROM, /* of a constraint's interval */
  FILTER_TO,
  FILTER_NUMBER,
  FILTER_DIVISOR,
  FILTER_LO,
  FILTER_HI,
  FILTER_LO_QUOTIENT, /* lo(x) floordiv c of a division by c */
  FILTER_HI_QUOTIENT,
} FilterEnd;
typedef struct FilterGuard {
  Comparison relation;
  FilterEnd left, right;
  int64_t number; /* FILTER_NUMBER */
} FilterGuard;

typedef enum FilterKind : uint8_t {
  FILTER_NONE,
  FILTER_ENDS,     /* guards over a constraint's ends and its sum's bounds */
  FILTER_DIVISION, /* guards over a divisor and the bounds of its dividend */
  FILTER_CONSTANT, /* the root's sum has a nonzero constant */
  FILTER_FACTOR,   /* the root's sum has a coefficient other than 1 and -1 */
  FILTER_MULTIPLE, /* the divisor may divide a summand of the dividend, or its constant */
  FILTER_SPREAD,   /* one summand, reduced modulo the divisor, leaves the dividend less extent than
                    * the divisor (filter_spread.c) */
  FILTER_SPREAD_NEGATIVE,
  FILTER_POINT, /* the atom's bounds have one value */
} FilterKind;

static constexpr uint32_t filter_max_guards = 4;
typedef struct PlanFilter {
  FilterKind kind;
  uint8_t picks; /* summands that the plan chooses in the root's sum */
  uint8_t count;
  FilterGuard guards[filter_max_guards];
} PlanFilter;

typedef struct MatchPlan {
  const Rule *rule;
  PlanRoot root;
  PlanOrder order;
  ExprOp op;
  uint16_t needs;    /* operators that the root's sum must contain */
  uint8_t sum_count; /* number of sums that are matched, including the root's */
  uint32_t step_count;
  MatchStep *steps;
  uint32_t guard_count;
  PlanGuard *guards;
  PlanTemplate *right;
  Formula lo, hi;    /* of a constraint's right side */
  PlanFilter filter; /* filter.h */
} MatchPlan;

static constexpr uint32_t plan_max_sums = 8;
static constexpr uint32_t plan_max_picks = 4;

/* False for a rule whose left side the matcher cannot run; the error names the rule and the
 * reason. */
[[nodiscard]] bool plan_compile(Arena *arena, const Rule *rule, MatchPlan *plan, Error *error);

#endif
