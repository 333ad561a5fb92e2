/* The rule language: text to a parsed rule and back (grammar in docs/formats.md). The matcher runs,
 * the prover proves, the enumerator checks and --explain prints the same parsed form.
 *
 * Letters: a b c k m n (optionally followed by digits) are integer constants; u v w x y z
 * (optionally followed by digits) are expressions. */
#ifndef CORE_RULES_RULE_H
#define CORE_RULES_RULE_H

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/expr/expr.h"

typedef enum RuleTermKind : uint8_t {
  TERM_INTEGER,         /* value */
  TERM_CONSTANT_LETTER, /* constant letter number `letter` */
  TERM_EXPR,            /* expression letter number `letter` */
  TERM_LO,              /* lo(letter) */
  TERM_HI,              /* hi(letter) */
  TERM_OPERATOR,        /* op, left, right */
  TERM_GCD,             /* gcd(left, right), gcd(0, 0) = 0 */
} RuleTermKind;

/* As stated, except that a - b is a + b * -1 and -a is a * -1 (the parsed form has no
 * subtraction). */
typedef struct RuleTerm {
  RuleTermKind kind;
  ExprOp op;
  uint32_t letter;
  int64_t value;
  const struct RuleTerm *left, *right;
  size_t offset;  /* in the source, for carets */
  uint16_t depth; /* 1 for leaves; at most term_max_depth, so walks may recurse */
} RuleTerm;

static constexpr uint16_t term_max_depth = 200;
static constexpr uint32_t rule_max_letters = 24; /* of each class */

typedef enum Comparison : uint8_t { REL_EQ, REL_NE, REL_LT, REL_LE, REL_GT, REL_GE } Comparison;

typedef struct Guard {
  Comparison relation;
  const RuleTerm *left, *right; /* facts: arithmetic over constants, lo and hi */
} Guard;

/* The range of a constant letter, inclusive. */
typedef struct ScopeRange {
  uint32_t letter;
  int64_t lo, hi;
} ScopeRange;

/* An expression, or `expr in [lo, hi]`. */
typedef struct Side {
  const RuleTerm *expr;
  bool is_constraint;
  const RuleTerm *lo, *hi; /* of a constraint */
} Side;

typedef struct Rule {
  const char *name;
  Side left, right;
  Guard *guards;
  const char **constants; /* names of the constant letters, numbered by first occurrence */
  const char **exprs;     /* names of the expression letters */
  ScopeRange *scopes;     /* `c in [1, 64], k in [0, 9]` */
  uint32_t guard_count, constant_count, expr_count, scope_count;
  const char *order; /* text after `order:`, or nullptr */
  const char *scope; /* text after `scope:`, or nullptr: outside these ranges the rule claims
                      * nothing and does not fire */
  /* near-miss: a guard list or a right side that replaces the rule's own and must be refuted;
   * example: a map on which the rule must fire */
  Side negative_side;
  Guard *negative_guards;
  uint32_t negative_guard_count;
  bool has_negative;
  bool negative_is_guard;
  bool has_declared;      /* a statement uses declared letters */
  const char *example;    /* a map's text, or nullptr */
  const char *cannot_run; /* why a statement that is no rewrite cannot run; else nullptr */
  const char *file;       /* name of the source */
  size_t offset;          /* in the source */
  uint32_t line;          /* of the word `rule` */
  size_t order_offset, example_offset; /* of these texts, in the source */
} Rule;

typedef struct RuleSet {
  uint32_t count, capacity;
  Rule *items;
} RuleSet;

/* Appends the rules of a text to `rules`. Errors: syntax, a right-hand letter that the left side
 * does not bind, a constant letter where an expression is required, lo(x) of a constant, a
 * duplicate name; each with its position. */
[[nodiscard]] bool rules_parse(Arena *arena, const Source *source, RuleSet *rules, Error *error);
/* Parses statements to be proved. Beyond rules_parse it allows letters that occur only on the right
 * side or in the guard, lo() and hi() on the left side, and other letters after `constant i, j;
 * expression s, t`. A rule that does not parse is an error in `faults`; the other rules are
 * parsed. */
typedef struct RuleFaults {
  uint32_t count, capacity;
  Error *items;
} RuleFaults;
void rules_parse_statements(Arena *arena, const Source *source, RuleSet *rules, RuleFaults *faults);
/* Prints a rule; the text parses back to the same rule. */
void rule_print(Text *text, const Rule *rule);
[[nodiscard]] const char *relation_text(Comparison relation);
void term_print(Text *text, const Rule *rule, const RuleTerm *term);
void guard_print(Text *text, const Rule *rule, const Guard *guard);
void side_print(Text *text, const Rule *rule, const Side *side);

/* The engine's own rules, embedded, parsed by the same parser. One source for each *.rules file. */
[[nodiscard]] uint32_t rules_engine_source_count(void);
[[nodiscard]] Source rules_engine_source(uint32_t index);
[[nodiscard]] bool rules_engine(Arena *arena, RuleSet *rules, Error *error);

#endif
