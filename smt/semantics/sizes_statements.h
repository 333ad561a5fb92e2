/* A claim about an operation as rules of the rule language (docs/formats.md): the claim holds if
 * each rule is true for all values. So a certificate, or Coq, can prove what the solver proves. */
#ifndef SMT_SEMANTICS_SIZES_STATEMENTS_H
#define SMT_SEMANTICS_SIZES_STATEMENTS_H

#include "smt/smt.h"
#include "smt/semantics/all_sizes.h"

/* `claim` is complete; `box` is the tensor that the map goes to, or comes from. False: `why` names
 * what the rule language cannot express. */
[[nodiscard]] bool sizes_statements(
    const SizesClaim *claim, const Relation *box, SmtStatements *statements);

#endif
