/* A proof as a text that proof/check and docs/certificates.md can judge without a solver. */
#ifndef PROOF_WRITE_CERTIFICATE_H
#define PROOF_WRITE_CERTIFICATE_H

#include "proof/write/tree.h"

typedef struct CertificateFigures {
  uint32_t before, after,
      most; /* clauses of all refutations, those that are left, the most at a time */
  uint32_t lines;
} CertificateFigures;

typedef struct Certificate {
  const char *text; /* nullptr: there is none, and `why` says so */
  const char *why;
  CertificateFigures figures;
} Certificate;

/* An obligation with what refutes it. */
typedef struct Refuted {
  const ProofObligation *obligation;
  Premises premises;
  Tree *tree;
} Refuted;

typedef struct Refutations {
  Statement *statement;
  Refuted *items;     /* one an obligation */
  const char **names; /* of unknowns; nullptr: of no use */
  CertificateFigures figures;
  const char *why; /* nullptr: all are refuted */
} Refutations;

/* Of a rule that was proved with `want_refutation`. */
[[nodiscard]] Refutations *refutations_create(Arena *arena, const RuleRefutation *refutation);
[[nodiscard]] Certificate certificate_write(Arena *arena, const Refutations *refutations);
/* A theorem in Coq's language, for a file that begins with `Require Import Affirm.`; nullptr where
 * `why` says so. */
[[nodiscard]] const char *coq_write(Arena *arena, const Refutations *refutations);

/* Minimises the refutation of an obligation and refutes what is left; nullptr tree where that
 * fails. */
[[nodiscard]] Refuted obligation_refute(
    const Statement *statement, const ProofObligation *obligation, CertificateFigures *figures);
/* Marks the unknowns for which the rule's own terms stand. */
void rule_unknowns_mark(const Statement *statement, bool *is_used);
/* Marks those in a polynomial, and those that their definitions name. */
void poly_unknowns_mark(const RuleProof *proof, Poly poly, bool *is_used);

#endif
