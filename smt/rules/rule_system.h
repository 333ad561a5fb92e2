/* A rule as facts about polynomials: the state that a proof works on.
 * An unknown is a letter, a bound, or a term that is no polynomial: a quotient, min, max, gcd and
 * their parts. A system is a set of facts p >= 0 and p = 0, clauses (one of several lists of facts
 * holds) and bands (q = X floordiv C with C >= 1). Every step adds a consequence, or replaces an
 * unknown by its value in an equation.
 * The refutation is the proof: statements (the rule, and the definition of each unknown) and lemma
 * instances, each valid for all integers. A case is closed when the solver refutes the refutation.
 * Facts, bands and normal forms only steer the search: a step that omits its instances leaves a
 * refutation that is not refuted, so the verdict is UNKNOWN, never PROVED.
 * Witnesses: a proof has values of the letters for which the guard holds. Every fact added as a
 * consequence is evaluated at each of them, in every build. A false one is a fault of the prover:
 * `fault` is set and nothing is proved. An assumption (a negated goal, a case) drops the witnesses
 * that it excludes instead. */
#ifndef SMT_RULES_RULE_SYSTEM_H
#define SMT_RULES_RULE_SYSTEM_H

#include "core/rules/rule.h"
#include "smt/terms/polynomial.h"
#include "smt/rules/rule_value.h"

typedef enum UnknownKind : uint8_t {
  UNKNOWN_CONSTANT, /* letter */
  UNKNOWN_EXPR,
  UNKNOWN_LO,
  UNKNOWN_HI,
  UNKNOWN_QUOTIENT, /* a floordiv b */
  UNKNOWN_MAX,      /* of a and 0 */
  UNKNOWN_GCD,
  UNKNOWN_GCD_LEFT,    /* a / gcd(a, b), 1 if both are 0 */
  UNKNOWN_GCD_RIGHT,   /* b / gcd(a, b), 0 if both are 0 */
  UNKNOWN_BEZOUT_LEFT, /* s, t: s * (a / gcd) + t * (b / gcd) = 1 */
  UNKNOWN_BEZOUT_RIGHT,
  UNKNOWN_NAMED, /* the polynomial a */
} UnknownKind;

typedef struct RuleUnknown {
  UnknownKind kind;
  uint32_t letter;
  Poly a, b;
} RuleUnknown;

typedef enum Origin : uint8_t {
  ORIGIN_GUARD,
  ORIGIN_BOUNDS,     /* lo <= x <= hi */
  ORIGIN_BAND,       /* C >= 1 implies 0 <= X - C*q <= C - 1 */
  ORIGIN_DIVISOR,    /* proved before: a divisor is >= 1 */
  ORIGIN_DEFINITION, /* of min, max, gcd */
  ORIGIN_DERIVED,
  ORIGIN_LEMMA,
  ORIGIN_CASE,
  ORIGIN_HYPOTHESIS, /* the assumed side */
  ORIGIN_GOAL,       /* negated */
} Origin;

typedef struct Fact {
  Poly poly;
  bool is_equation; /* poly = 0, otherwise poly >= 0 */
  Origin origin;
} Fact;

typedef struct Branch {
  uint32_t count, capacity;
  Fact *items; /* all hold */
} Branch;

static constexpr uint32_t clause_max_branches = 40;

typedef struct Clause {
  uint32_t count;
  Branch *branches;     /* one holds */
  const Branch *stated; /* as before any elimination: a case assumes them on the refutation; null if
                           unchanged */
  Origin origin;
  bool is_early;                    /* split before anything else */
  const struct Candidate *instance; /* of ORIGIN_LEMMA: the candidate that it is an instance of, or
                                       null */
  Wide k;                           /* of a split */
} Clause;

typedef struct Band {
  Poly numerator, divisor, quotient;
  bool is_canonical; /* rewritten into another band; kept because it still carries information */
} Band;

typedef struct Coprime {
  Poly gcd, a, b, s, t; /* the operands are gcd*a and gcd*b; s*a + t*b = 1 */
  bool is_split;        /* gcd = 0 was split off as a case */
} Coprime;

/* unknown := by/scale; or, if there is a product, product := by without eliminating an unknown */
typedef struct Elimination {
  uint32_t unknown;
  Wide scale; /* >= 1 */
  Poly by, product;
} Elimination;

static constexpr uint32_t proof_max_witnesses = 8;
static constexpr uint32_t proof_max_unknowns = 2000; /* past it the ring's `overflow` is set */

/* Shared by all systems of one rule. */
typedef struct RuleProof {
  Arena *arena;
  PolyRing *ring;
  const Rule *rule;
  uint32_t count, capacity;
  RuleUnknown *items;
  uint32_t witness_count;
  Wide *witnesses[proof_max_witnesses]; /* [proof_max_unknowns] each */
  bool fault;
  char fault_text[256];
  bool (*stop)(void); /* of ProveOptions */
  Text *explanation;  /* text of --explain, or nullptr */
  bool has_known_gcd; /* of two numbers that differ, which is a number at once */
} RuleProof;

static constexpr uint32_t open_split_kinds = 2;

typedef struct System {
  RuleProof *proof;
  struct {
    uint32_t count, capacity;
    Fact *items;
  } facts;
  struct {
    uint32_t count, capacity;
    Clause *items;
  } clauses;
  struct {
    uint32_t count, capacity;
    Band *items;
  } bands;
  struct {
    uint32_t count, capacity;
    Coprime *items;
  } coprimes;
  struct {
    uint32_t count, capacity;
    Elimination *items;
  } eliminations;
  struct {
    uint32_t count, capacity;
    Clause *items;
  } refutation;
  uint32_t open_splits[open_split_kinds]; /* current cases of each kind (rule_split.h) */
  uint32_t alive;                         /* bit w: witness w satisfies everything so far */
  bool is_contradictory;
} System;

/* Begins a proof of one rule; the first unknowns are its letters and their bounds. */
[[nodiscard]] RuleProof *proof_create(Arena *arena, const Rule *rule);
/* Adds values for which the guard holds. */
void proof_add_witness(RuleProof *proof, const RuleValues *values);
[[nodiscard]] uint32_t proof_letter(const RuleProof *proof, UnknownKind kind, uint32_t letter);
void poly_print(Text *text, const RuleProof *proof, Poly poly);
[[gnu::format(printf, 2, 3)]] void proof_explain(RuleProof *proof, const char *format, ...);

[[nodiscard]] System *system_create(RuleProof *proof);
[[nodiscard]] System *system_copy(const System *system);

/* Adds a statement: part of the refutation, and true at every witness. */
void system_state(System *system, Poly poly, bool is_equation, Origin origin);
/* Adds a statement and drops the witnesses at which it is false. */
void system_assume(System *system, Poly poly, bool is_equation, Origin origin);
void system_assume_clause(System *system, const Clause *clause);
/* Assumes one branch of a clause: the refutation gets the stated branch, the facts its current
 * form. */
void system_assume_branch(System *system, const Clause *clause, uint32_t branch, Origin origin);
/* Adds a consequence of the refutation: true at every remaining witness. */
void system_derive(System *system, Poly poly, bool is_equation, Origin origin);
/* Adds a clause that holds for all integers. */
void system_use(System *system, Clause instance);
/* Adds such a clause, which is also split on. */
void system_use_cases(System *system, Clause instance);
/* Adds the normalised fact, unless the system has it. */
void system_put_fact(System *system, Poly poly, bool is_equation, Origin origin);
[[nodiscard]] bool system_has_fact(const System *system, Poly poly, bool is_equation);
/* Adds a branch of one fact; the clause must have space for it. */
void clause_add(RuleProof *proof, Clause *clause, Fact fact);
/* Splits on the value of a polynomial: below `low`, above `high`, and each value between. */
void system_split_range(System *system, Poly poly, Wide low, Wide high);
/* Whether the fact is c*atom + constant >= 0. */
[[nodiscard]] bool fact_bounds_atom(const PolyRing *ring, const Fact *fact, uint32_t *atom);
/* Whether the atom occurs in a product of a fact. */
[[nodiscard]] bool system_has_product_of(const System *system, uint32_t atom);
/* Whether facts about this atom alone imply atom >= k. */
[[nodiscard]] bool system_is_at_least(const System *system, uint32_t atom, Wide k);
/* Whether facts about single atoms, or this very fact, imply poly >= 1. */
[[nodiscard]] bool system_is_positive(const System *system, Poly poly);
/* Two branches of one fact each. */
[[nodiscard]] Clause clause_of_two(
    RuleProof *proof, Fact first, Fact second, Origin origin, bool is_early);

/* Whether the operator is floordiv, ceildiv or mod. */
[[nodiscard]] bool op_divides(ExprOp op);
/* The quotient numerator floordiv divisor; the refutation must imply divisor >= 1. */
[[nodiscard]] Poly system_quotient(System *system, Poly numerator, Poly divisor);
/* A new unknown that equals the polynomial. */
[[nodiscard]] Poly system_name(System *system, Poly poly);
/* A term of the rule as a polynomial; each divisor in it must be known positive. */
[[nodiscard]] Poly system_term(System *system, const RuleTerm *term);
/* States lo <= x <= hi for each expression letter, the guards, and divisor >= 1 for divisors inside
 * guards. */
void system_state_guards(System *system);

/* Replaces an unknown everywhere; the refutation implies that scale times the unknown equals `by`,
 * which does not contain it. */
void system_eliminate(System *system, uint32_t unknown, Wide scale, Poly by);
/* Replaces a product of atoms everywhere by an atom; the refutation implies that they are equal. */
void system_replace_product(System *system, Poly product, Poly by);
/* Whether the unknown occurs in quotients and gcds only in multiples of scale. Other polynomials
 * are multiplied if necessary. */
[[nodiscard]] bool system_can_eliminate(const System *system, uint32_t unknown, Wide scale);
/* Computes the values of eliminated unknowns from those of the others. False past 2^120. */
[[nodiscard]] bool system_complete(const System *system, Wide *values);

#endif
