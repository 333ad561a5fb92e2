/* A claim about an operation as rules of the rule language (docs/formats.md): that each of them is
 * true for all values says that the claim is. So a certificate, or Coq, can prove what the solver
 * proves. */
#ifndef SMT_SIZES_STATEMENTS_H
#define SMT_SIZES_STATEMENTS_H

#include "smt/smt.h"
#include "smt/semantics/all_sizes.h"

/* Of a claim that was stated; `box` is where the map goes to, or comes from. False: `why` says what
 * the rule language cannot. */
[[nodiscard]] bool sizes_statements(
    const SizesClaim *claim, const Relation *box, SmtStatements *statements);

#endif
