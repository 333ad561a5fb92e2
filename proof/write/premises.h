/* The clauses that a refutation of an obligation may use, each with its reason in a certificate
 * (docs/certificates.md). */
#ifndef PROOF_WRITE_PREMISES_H
#define PROOF_WRITE_PREMISES_H

#include "smt/rules/refutation.h"

typedef enum Reason : uint8_t {
  REASON_GOAL, /* the negated claim */
  REASON_LOW,  /* the assumed side of a constraint rule */
  REASON_HIGH,
  REASON_GUARD,         /* number */
  REASON_GUARD_DIVISOR, /* number: of the guard; part: the divisor's number in it */
  REASON_DIVISOR,       /* number: of a divisor shown before */
  REASON_LOWER,         /* number: the unknown x */
  REASON_UPPER,
  REASON_DEFINE, /* number: the unknown */
  REASON_LEMMA,
  REASON_INTEGER, /* the first option's polynomial is >= 0 or <= -1 */
} Reason;

typedef struct Premise {
  Reason reason;
  uint32_t number, part;
  Clause clause;
} Premise;

typedef struct Premises {
  uint32_t count, capacity;
  Premise *items;
} Premises;

/* An obligation that the certificate must refute. */
typedef struct ProofObligation {
  const char *what, *which; /* "divisor" "2", "left" "above", "right" "low" */
  uint32_t divisors;        /* number of divisors shown before */
  Poly goal;
  bool has_side;
  Poly low, high;             /* of the assumed side */
  const RefutationPart *part; /* the source of its instances; nullptr: all parts */
} ProofObligation;

typedef struct Statement {
  Arena *arena;
  const RuleRefutation *refutation;
  System *system;
  struct Linear *minimiser;
  Premises given; /* the guards and the bounds */
  struct {
    uint32_t count, capacity;
    Poly *items;
  } divisors;
  struct {
    uint32_t count, capacity;
    ProofObligation *items;
  } obligations;
} Statement;

[[nodiscard]] Statement *statement_create(Arena *arena, const RuleRefutation *refutation);
/* All premises available for this obligation. */
[[nodiscard]] Premises statement_premises(
    const Statement *statement, const ProofObligation *obligation);
[[nodiscard]] Clause clause_of_integer(RuleProof *proof, Poly poly);

#endif
