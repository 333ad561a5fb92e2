/* Laws of arithmetic as data (core/rules/values.laws), and the normal form of terms under them. */
#ifndef ORACLE_TERMS_LAWS_H
#define ORACLE_TERMS_LAWS_H

#include "core/base/error.h"
#include "core/base/law_grade.h"
#include "oracle/terms/term.h"

typedef enum LawTypes : uint8_t { LAW_INTEGRAL, LAW_PRED, LAW_FLOATING } LawTypes;
typedef enum LawNode : uint8_t {
  LAW_VARIABLE,
  LAW_CONSTANT,
  LAW_INVERSE,  /* 1 / variable, where the variable is a power of two */
  LAW_OPPOSITE, /* -variable, where the variable is a constant */
  LAW_OPERATION
} LawNode;

static constexpr uint32_t law_variables = 4, law_operands = 3;

typedef struct LawPattern {
  LawNode kind;
  Opcode opcode;
  uint32_t variable, count;
  int64_t constant;
  bool is_minus_zero; /* of a constant */
  int infinity;       /* of a constant: the sign of an infinity; 0: it is finite */
  const struct LawPattern *children[law_operands];
} LawPattern;

typedef struct Law {
  const char *name, *text; /* the source line */
  uint32_t line;
  const LawPattern *left, *right;
  LawTypes types;
  LawGrade grade;
  uint32_t variable_count;
  uint32_t restricted; /* the variable that must be a constant; law_variables: none */
  bool is_power;       /* that constant is a power of two */
  char letters[law_variables];
  bool is_through_wider; /* conversions go to a type that represents every value, and back */
  bool is_exchange;      /* the sides differ only in the order of variables */
  bool is_longer; /* the right side has more operations, and some law makes the operation on the
                     left: the law rewrites nothing (ring.h uses it) */
} Law;

typedef struct Laws {
  uint32_t count, capacity;
  Law *items;
} Laws;

/* Parse the laws of a text; return the project's own laws. */
[[nodiscard]] bool laws_read(Arena *arena, const Source *source, Laws *laws, Error *error);
[[nodiscard]] bool laws_own(Arena *arena, Laws *laws, Error *error);

static constexpr uint32_t laws_most = 256;

/* A set of laws, one bit each. */
typedef struct LawSet {
  uint64_t words[laws_most / 64];
} LawSet;

typedef struct LawNormal {
  Term term; /* no_term: not computed yet */
  LawSet used;
} LawNormal;

typedef struct LawUse {
  Arena *arena;
  Terms *terms;
  const Laws *laws;
  LawGrade grade; /* the weakest grade that may be used */
  LawSet used;    /* by the normal forms that were computed */
  uint32_t capacity;
  LawNormal *normal; /* [capacity] */
  uint64_t steps;
  uint32_t most_terms; /* of this comparison, see laws_limit */
  bool is_out;         /* of steps, terms or stack */
} LawUse;
/* Whether the value is a power of two of either sign, and both it and its inverse are normal
 * numbers of the type. A quotient by it and a product with its inverse are then the same number,
 * rounded once. */
[[nodiscard]] bool law_is_power(ElementType type, double value);
/* The value of a constant of a law of floats. */
[[nodiscard]] double law_constant(const LawPattern *pattern);
[[nodiscard]] bool law_set_has(const LawSet *set, uint32_t law);
void law_set_join(LawSet *set, const LawSet *other);
/* Records that the law of this name was used. */
void laws_mark(LawUse *use, const char *name);
void laws_use(LawUse *use, Arena *arena, Terms *terms, const Laws *laws, LawGrade grade);
/* Begins a comparison of two terms: it may make 300,000 terms. Without a limit, the sum of a value
 * that is doubled n times would become 2^n summands. */
void laws_limit(LawUse *use);
/* The normal form. Once `is_out` is set, no more is normalised until laws_limit, and the results
 * are equal to the terms but no normal forms. */
[[nodiscard]] Term laws_normal(LawUse *use, Term term);

#endif
