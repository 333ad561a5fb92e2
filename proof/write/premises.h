/* What a refutation of an obligation may start from, each clause with the reason that a certificate
 * states for it (docs/certificates.md). */
#ifndef PROOF_WRITE_PREMISES_H
#define PROOF_WRITE_PREMISES_H

#include "smt/rules/refutation.h"

typedef enum Reason : uint8_t {
  REASON_GOAL, /* the negated claim */
  REASON_LOW,  /* the assumed side of a constraint rule */
  REASON_HIGH,
  REASON_GUARD,         /* number */
  REASON_GUARD_DIVISOR, /* number of the guard, part: the divisor's number in it */
  REASON_DIVISOR,       /* number: shown before */
  REASON_LOWER,         /* number: the unknown x */
  REASON_UPPER,
  REASON_DEFINE, /* number: the unknown */
  REASON_LEMMA,
  REASON_INTEGER, /* the first option's polynomial >= 0, or <= -1 */
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

/* One refutation that the certificate must have. */
typedef struct ProofObligation {
  const char *what, *which; /* "divisor" "2", "left" "above", "right" "low" */
  uint32_t divisors;        /* that are shown before */
  Poly goal;
  bool has_side;
  Poly low, high;             /* of the side that is assumed */
  const RefutationPart *part; /* where its instances come from; nullptr: from all parts */
} ProofObligation;

typedef struct Statement {
  Arena *arena;
  const RuleRefutation *refutation;
  System *system;
  struct Linear *minimiser;
  Premises given; /* guards and bounds */
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
/* Everything that may be used for this obligation. */
[[nodiscard]] Premises statement_premises(
    const Statement *statement, const ProofObligation *obligation);
[[nodiscard]] Clause clause_of_integer(RuleProof *proof, Poly poly);

#endif
