/* Declarations of affirm-check-map, which includes no other file of the project.
 * docs/map_certificates.md defines what it checks. Integers are unbounded. */
#ifndef PROOF_MAP_MAP_H
#define PROOF_MAP_MAP_H

#include <gmp.h>
#include <stddef.h>
#include <stdint.h>

typedef enum Op : uint8_t {
  INTEGER,
  VARIABLE,
  LETTER,
  LO,
  HI,
  ADD,
  MULTIPLY,
  FLOORDIV,
  CEILDIV,
  MOD,
  MIN,
  MAX,
  GCD
} Op;

/* An expression as written; a - b is stored as a + -1*b. */
typedef struct CertNode {
  Op op;
  uint32_t index; /* of a variable or a letter; for LO and HI, of their letter */
  uint32_t height;
  mpz_ptr value;
  struct CertNode *left, *right;
} CertNode;

typedef struct CertAtom CertAtom;

/* factor * the product of the atoms, sorted by number; factor is not 0. */
typedef struct CertMonomial {
  mpz_ptr factor;
  uint32_t degree;
  CertAtom **atoms;
} CertMonomial;

/* Monomials in one fixed order: equal polynomials have equal monomials. */
typedef struct CertPoly {
  uint32_t count;
  CertMonomial *items;
} CertPoly;

/* A variable, a quotient or remainder, or a minimum or maximum of distinct polynomials. */
struct CertAtom {
  uint32_t number, index, count, stamp;
  Op op; /* VARIABLE, FLOORDIV, MOD, MIN, MAX */
  CertPoly *arguments;
  mpz_ptr divisor;
  CertPoly by; /* its replacement in the substitution with this stamp */
};

static constexpr uint32_t most = 4000;

[[noreturn]] void fail(const char *why);
[[nodiscard]] void *new_bytes(size_t size);
[[nodiscard]] mpz_ptr number_new(long value);

/* ---- poly.c ---- */

/* In the place of the lo or hi of a letter: the step states no value, so the rule cannot use it. */
static constexpr CertPoly poly_unstated = {.count = 1};

[[nodiscard]] CertPoly poly_number(mpz_srcptr value);
[[nodiscard]] CertPoly poly_add(CertPoly a, mpz_srcptr factor, CertPoly b); /* a + factor*b */
[[nodiscard]] CertPoly poly_minus(CertPoly a, CertPoly b);
[[nodiscard]] bool poly_equal(CertPoly a, CertPoly b);
[[nodiscard]] bool poly_is_number(CertPoly a);
[[nodiscard]] mpz_ptr poly_constant(CertPoly a);
/* The polynomial of an expression; letters[i] is the value of letter i. */
[[nodiscard]] CertPoly poly_of(const CertNode *node, const CertPoly *letters);
/* A product of atoms as the left side of a replacement. It is not an atom of any polynomial. */
[[nodiscard]] CertAtom *atom_product(const CertMonomial *item);
/* Replaces `from` by `to` everywhere, also in minima that contain all arguments of a minimum
 * `from`. */
[[nodiscard]] CertPoly poly_replace(CertPoly poly, CertAtom *from, CertPoly to);
/* Combines the numbers among the arguments of each minimum and maximum into one. */
[[nodiscard]] CertPoly poly_folded(CertPoly poly);
[[nodiscard]] CertAtom *atom_folded(CertAtom *atom); /* nullptr: the result is no atom */
[[nodiscard]] CertAtom *atom_replace(CertAtom *atom, CertAtom *from, CertPoly to); /* likewise */
/* True if the atom occurs in the polynomial, at any depth. */
[[nodiscard]] bool poly_contains(CertPoly poly, const CertAtom *atom);
void atoms_forget(void);

/* ---- read.c ---- */

typedef struct CertInterval {
  mpz_ptr lo, hi;
} CertInterval;

typedef struct CertDemand {
  CertNode *expr;
  CertInterval in;
  CertPoly poly;
} CertDemand;

/* A parsed map. */
typedef struct State {
  bool is_empty;
  uint32_t variable_count, result_count, demand_count;
  CertInterval *bounds; /* of each variable */
  CertPoly *results;
  CertDemand *demands;
} State;

enum { LETTERS = 48, GUARDS = 24 };

typedef struct CertSide {
  CertNode *expr, *lo, *hi; /* lo and hi: nullptr if the side is no constraint */
} CertSide;

typedef struct CertRule {
  const char *name;
  uint32_t letter_count, guard_count;
  const char *letters[LETTERS];
  CertSide left, right;
  struct {
    CertNode *left, *right;
    char relation[3];
  } guards[GUARDS];
} CertRule;

extern uint32_t rule_count;
extern CertRule rules[];
void rules_read(const char *text);

/* A letter's binding in a step, and the bounds that the step claims for it. */
typedef struct CertBinding {
  CertNode *value; /* nullptr: not bound */
  mpz_ptr lo, hi;  /* nullptr: no claim */
} CertBinding;
[[nodiscard]] State *state_read(const char *line);
void names_forget(void);
/* `c = 8, x = d0; lo(x) = 0, hi(x) = 8` */
void bindings_read(const char *line, const CertRule *rule, CertBinding *bindings);
[[nodiscard]] const CertRule *rule_find(const char *name, size_t length);

/* ---- bounds.c ---- */

/* A box and the constraints that may be used on its points. */
typedef struct CertFacts {
  const State *state;
  const bool *is_usable; /* of each constraint; nullptr: none is usable */
} CertFacts;

[[nodiscard]] CertInterval bounds_of(const CertFacts *facts, const CertNode *node);
/* True if facts contradicted each other since the last call. Then no point satisfies them all. */
[[nodiscard]] bool bounds_were_absurd(void);
/* Narrows the bounds next[variable] by what follows from `node in [in]` over the box. */
void bounds_tighten(
    const CertFacts *facts, const CertNode *node, CertInterval in, CertInterval *next);
/* The intersection. Either end may be nullptr: unbounded. */
[[nodiscard]] CertInterval interval_meet(CertInterval a, CertInterval b);
[[nodiscard]] bool interval_is_empty(CertInterval in);
[[nodiscard]] bool interval_within(CertInterval inner, CertInterval outer);

#endif
