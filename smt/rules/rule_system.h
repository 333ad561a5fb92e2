/* What a rule says, as facts about polynomials: the state that a proof works on.
 * An unknown is a letter, a bound, or stands for what is not a polynomial: a quotient, min, max,
 * gcd and what belongs to them. A system is a set of facts p >= 0 and p = 0, clauses (one of
 * several lists of facts holds) and bands (q = X floordiv C with C >= 1). Every step adds what
 * follows from the rest, or replaces an unknown by what an equation says that it is.
 * The refutation is the proof: statements (what the rule says, and what defines each unknown) and
 * lemma instances, each valid for all integers. A case is closed when the solver refutes the
 * refutation; facts, bands and normal forms only steer the search, and a step that forgot its
 * instances leaves a refutation that is not refuted: UNKNOWN, never PROVED. Witnesses: a proof
 * carries values of the letters under which the guard holds; every fact that is added as a
 * consequence is evaluated at each of them, in every build. One that is false there is a fault of
 * ours: `fault` is set and nothing is proved. An assumption (a negated goal, a case) drops the
 * witnesses that it excludes instead. */
#ifndef SMT_RULE_SYSTEM_H
#define SMT_RULE_SYSTEM_H

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
  UNKNOWN_GCD_LEFT,    /* a / gcd(a, b), 1 where both are 0 */
  UNKNOWN_GCD_RIGHT,   /* b / gcd(a, b), 0 where both are 0 */
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
  ORIGIN_BAND,       /* C >= 1 gives 0 <= X - C*q <= C - 1 */
  ORIGIN_DIVISOR,    /* proved before: a divisor is >= 1 */
  ORIGIN_DEFINITION, /* of min, max, gcd */
  ORIGIN_DERIVED,
  ORIGIN_LEMMA,
  ORIGIN_CASE,
  ORIGIN_HYPOTHESIS, /* the side that is assumed */
  ORIGIN_GOAL,       /* negated */
} Origin;

typedef struct Fact {
  Poly poly;
  bool is_equation; /* poly = 0, else poly >= 0 */
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
  const Branch *stated; /* as they were before anything was eliminated: what a case assumes on the
                           refutation; null for the same */
  Origin origin;
  bool is_early;                    /* worth a case split before anything else */
  const struct Candidate *instance; /* of ORIGIN_LEMMA: of what it is an instance, or null */
  Wide k;                           /* of a split */
} Clause;

typedef struct Band {
  Poly numerator, divisor, quotient;
  bool is_canonical; /* rewritten into another band; kept because it still says something */
} Band;

typedef struct Coprime {
  Poly gcd, a, b, s, t; /* the operands are gcd*a and gcd*b; s*a + t*b = 1 */
  bool is_split;        /* gcd = 0 was a case of its own */
} Coprime;

/* unknown := by/scale; or, where there is a product, product := by and no unknown leaves */
typedef struct Elimination {
  uint32_t unknown;
  Wide scale; /* >= 1 */
  Poly by, product;
} Elimination;

static constexpr uint32_t proof_max_witnesses = 8;
static constexpr uint32_t proof_max_unknowns = 2000; /* past it the ring's `overflow` is set */

/* What all systems of one rule share. */
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
  Text *explanation;  /* lines for --explain, or nullptr */
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
  uint32_t open_splits[open_split_kinds]; /* cases of each kind on the way here (rule_split.h) */
  uint32_t alive;       /* bit w: witness w satisfies everything so far */
  bool is_contradictory;
} System;

/* A proof of one rule; the first unknowns are its letters and their bounds. */
[[nodiscard]] RuleProof *proof_create(Arena *arena, const Rule *rule);
/* Values under which the guard holds. */
void proof_add_witness(RuleProof *proof, const RuleValues *values);
[[nodiscard]] uint32_t proof_letter(const RuleProof *proof, UnknownKind kind, uint32_t letter);
void poly_print(Text *text, const RuleProof *proof, Poly poly);
[[gnu::format(printf, 2, 3)]] void proof_explain(RuleProof *proof, const char *format, ...);

[[nodiscard]] System *system_create(RuleProof *proof);
[[nodiscard]] System *system_copy(const System *system);

/* A statement: part of the refutation, and true at every witness. */
void system_state(System *system, Poly poly, bool is_equation, Origin origin);
void system_state_clause(System *system, const Clause *clause);
/* A statement that drops the witnesses at which it is false. */
void system_assume(System *system, Poly poly, bool is_equation, Origin origin);
void system_assume_clause(System *system, const Clause *clause);
/* One branch of a clause: the refutation takes it as it was stated, the facts as it has become. */
void system_assume_branch(System *system, const Clause *clause, uint32_t branch, Origin origin);
/* A consequence of the refutation: true at every witness that is left. */
void system_derive(System *system, Poly poly, bool is_equation, Origin origin);
/* A clause that holds for all integers. */
void system_use(System *system, Clause instance);
/* Such a clause, to be split on as well. */
void system_use_cases(System *system, Clause instance);
/* The fact in normal form, where the system does not have it yet. */
void system_put_fact(System *system, Poly poly, bool is_equation, Origin origin);
[[nodiscard]] bool system_has_fact(const System *system, Poly poly, bool is_equation);
/* One more branch, of one fact; the clause has room for it. */
void clause_add(RuleProof *proof, Clause *clause, Fact fact);
/* atom >= k, as far as facts about this atom alone show it. */
[[nodiscard]] bool system_is_at_least(const System *system, uint32_t atom, Wide k);
/* >= 1, as far as facts about single atoms, or a fact that says just this, show it. */
[[nodiscard]] bool system_is_positive(const System *system, Poly poly);
/* Two branches of one fact each. */
[[nodiscard]] Clause clause_of_two(
    RuleProof *proof, Fact first, Fact second, Origin origin, bool is_early);

/* floordiv, ceildiv or mod? */
[[nodiscard]] bool op_divides(ExprOp op);
/* The quotient numerator floordiv divisor, where divisor >= 1 is a consequence of the refutation.
 */
[[nodiscard]] Poly system_quotient(System *system, Poly numerator, Poly divisor);
/* A new unknown that equals the polynomial. */
[[nodiscard]] Poly system_name(System *system, Poly poly);
/* A term of the rule as a polynomial; each divisor in it must be known positive. */
[[nodiscard]] Poly system_term(System *system, const RuleTerm *term);
/* States lo <= x <= hi for each expression letter, and the guards; divisors inside of guards are >=
 * 1 where the guard holds. */
void system_state_guards(System *system);

/* Replaces an unknown everywhere: scale times it equals, by the refutation, a polynomial without
 * it.
 */
void system_eliminate(System *system, uint32_t unknown, Wide scale, Poly by);
/* Replaces a product of atoms everywhere by an atom that equals it by the refutation. */
void system_replace_product(System *system, Poly product, Poly by);
/* Do scale and the unknown stand together in all quotients and gcds? All else is multiplied where
 * they do not. */
[[nodiscard]] bool system_can_eliminate(const System *system, uint32_t unknown, Wide scale);
/* Values of the unknowns that were eliminated, from those of the others. False past 2^120. */
[[nodiscard]] bool system_complete(const System *system, Wide *values);

#endif
