/* Writes a proof as a text that proof/check can check without a solver (docs/certificates.md). */
#ifndef PROOF_WRITE_CERTIFICATE_H
#define PROOF_WRITE_CERTIFICATE_H

#include "proof/write/tree.h"

typedef struct CertificateFigures {
  uint32_t before, after, most; /* clauses of all refutations, before and after minimisation; the
                                   most in one obligation */
  uint32_t lines;
} CertificateFigures;

typedef struct Certificate {
  const char *text; /* nullptr: no certificate, for the reason `why` */
  const char *why;
  CertificateFigures figures;
} Certificate;

/* An obligation with its refutation. */
typedef struct Refuted {
  const ProofObligation *obligation;
  Premises premises;
  Tree *tree;   /* nullptr: none */
  bool is_deep; /* there was one, but no certificate nests so deep */
} Refuted;

typedef struct Refutations {
  Statement *statement;
  Refuted *items;     /* one per obligation */
  const char **names; /* of unknowns; nullptr: unused */
  CertificateFigures figures;
  const char *why; /* nullptr: all are refuted */
} Refutations;

/* Of a rule that was proved with `want_refutation`. */
[[nodiscard]] Refutations *refutations_create(Arena *arena, const RuleRefutation *refutation);
[[nodiscard]] Certificate certificate_write(Arena *arena, const Refutations *refutations);
/* Prints a theorem in Coq's language, for a file that starts with `Require Import Affirm.`. The
 * name is an identifier of Coq, which a rule's name need not be. Returns nullptr, with the reason
 * in `why`, if there is none. */
[[nodiscard]] const char *coq_write(Arena *arena, const Refutations *refutations, const char *name);
/* The text of Affirm.v, which such a file requires. */
[[nodiscard]] const char *coq_lemmas(void);

/* Prints a polynomial with these names of its unknowns. */
void poly_print_named(Text *text, const PolyRing *ring, Poly poly, const char *const *names);

/* Minimises the clauses of an obligation and refutes the remaining ones. The tree is nullptr on
 * failure. */
[[nodiscard]] Refuted obligation_refute(
    const Statement *statement, const ProofObligation *obligation, CertificateFigures *figures);
/* Marks the unknowns of the rule's own terms. */
void rule_unknowns_mark(const Statement *statement, bool *is_used);
/* Marks the unknowns of a polynomial and, recursively, those of their definitions. */
void poly_unknowns_mark(const RuleProof *proof, Poly poly, bool *is_used);

#endif
