/* affirm-check-map includes no other file of the project; docs/map_certificates.md says what it
 * decides. Integers have any size. */
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

/* An expression as it is written; a - b is a + -1*b. */
typedef struct Node {
  Op op;
  uint32_t index; /* of a variable, or of a letter; LO and HI are of a letter */
  mpz_ptr value;
  struct Node *left, *right;
} Node;

typedef struct Atom Atom;

/* factor * the product of the atoms, which ascend by number; factor is not 0. */
typedef struct Monomial {
  mpz_ptr factor;
  uint32_t degree;
  Atom **atoms;
} Monomial;

/* Monomials in one fixed order: equal polynomials have equal monomials. */
typedef struct Poly {
  uint32_t count;
  Monomial *items;
} Poly;

/* A variable, a quotient or remainder, or a minimum or maximum of different polynomials. */
struct Atom {
  uint32_t number, index, count, stamp;
  Op op; /* VARIABLE, FLOORDIV, MOD, MIN, MAX */
  Poly *arguments;
  mpz_ptr divisor;
  Poly by; /* what it becomes in the substitution with this stamp */
};

static constexpr uint32_t most = 4000;

[[noreturn]] void fail(const char *why);
[[nodiscard]] void *new_bytes(size_t size);
[[nodiscard]] mpz_ptr number_new(long value);

/* ---- poly.c ---- */

[[nodiscard]] Poly poly_number(mpz_srcptr value);
[[nodiscard]] Poly poly_add(Poly a, mpz_srcptr factor, Poly b); /* a + factor*b */
[[nodiscard]] Poly poly_minus(Poly a, Poly b);
[[nodiscard]] bool poly_equal(Poly a, Poly b);
[[nodiscard]] bool poly_is_number(Poly a);
[[nodiscard]] mpz_ptr poly_constant(Poly a);
/* letters[i] stands for letter i. */
[[nodiscard]] Poly poly_of(const Node *node, const Poly *letters);
/* A product of atoms to be replaced: no atom of a polynomial. */
[[nodiscard]] Atom *atom_product(const Monomial *item);
/* With `from` replaced by `to` everywhere; a minimum that contains all arguments of `from` too. */
[[nodiscard]] Poly poly_replace(Poly poly, Atom *from, Poly to);
/* With one number at most among the arguments of each minimum and maximum. */
[[nodiscard]] Poly poly_folded(Poly poly);
[[nodiscard]] Atom *atom_folded(Atom *atom);                       /* nullptr: it becomes no atom */
[[nodiscard]] Atom *atom_replace(Atom *atom, Atom *from, Poly to); /* the same */
/* Whether the atom occurs in the polynomial, at any depth. */
[[nodiscard]] bool poly_contains(Poly poly, const Atom *atom);
void atoms_forget(void);

/* ---- read.c ---- */

typedef struct Interval {
  mpz_ptr lo, hi;
} Interval;

typedef struct Demand {
  Node *expr;
  Interval in;
  Poly poly;
} Demand;

/* A map as text. */
typedef struct State {
  bool is_empty;
  uint32_t variable_count, result_count, demand_count;
  Interval *bounds; /* of each variable */
  Poly *results;
  Demand *demands;
} State;

enum { LETTERS = 48, GUARDS = 24 };

typedef struct Side {
  Node *expr, *lo, *hi; /* lo and hi: nullptr of no constraint */
} Side;

typedef struct Rule {
  const char *name;
  uint32_t letter_count, guard_count;
  const char *letters[LETTERS];
  Side left, right;
  struct {
    Node *left, *right;
    char relation[3];
  } guards[GUARDS];
} Rule;

extern uint32_t rule_count;
extern Rule rules[];
void rules_read(const char *text);

/* A step's bindings: letters of the rule, and the bounds that are claimed of them. */
typedef struct Binding {
  Node *value;    /* nullptr: none */
  mpz_ptr lo, hi; /* nullptr: none */
} Binding;
[[nodiscard]] State *state_read(const char *line);
void names_forget(void);
/* `c = 8, x = d0; lo(x) = 0, hi(x) = 8` */
void bindings_read(const char *line, const Rule *rule, Binding *bindings);
[[nodiscard]] const Rule *rule_find(const char *name, size_t length);

/* ---- bounds.c ---- */

/* What is known of the values at the points of a box where some constraints hold. */
typedef struct Facts {
  const State *state;
  const bool *is_usable; /* of each constraint; nullptr: none is */
} Facts;

[[nodiscard]] Interval bounds_of(const Facts *facts, const Node *node);
/* Whether facts excluded each other since this was last asked: then no point has them all. */
[[nodiscard]] bool bounds_were_absurd(void);
/* Narrows next[variable] by what `node in [in]` says over the box. */
void bounds_tighten(const Facts *facts, const Node *node, Interval in, Interval *next);
/* Meets; either end may be null, for none. */
[[nodiscard]] Interval interval_meet(Interval a, Interval b);
[[nodiscard]] bool interval_is_empty(Interval in);
[[nodiscard]] bool interval_within(Interval inner, Interval outer);

#endif
