/* The values that inputs take. An assignment is a number: small positive integers, most entries
 * zero, signed ones, few distinct ones, in turn; then the edges of each element type, fractions,
 * and what lies next to the constants that the terms compute with; then offsets; then floats whose
 * square or power is infinite. */
#ifndef ORACLE_INPUTS_H
#define ORACLE_INPUTS_H

#include "oracle/terms/term.h"
#include "oracle/values/element.h"

static constexpr uint32_t evaluation_assignments = 28; /* without the large ones */
static constexpr uint32_t evaluation_large = 4;        /* behind them */
static constexpr uint32_t inputs_most_constants = 16;

/* Constants that operations of elements have as operands, the first ones by term. */
typedef struct InputConstants {
  uint32_t count;
  Element items[inputs_most_constants];
} InputConstants;

void inputs_collect_constant(InputConstants *constants, const Terms *terms, Term term);
/* Whether inputs take values at which sums of floating ones may round. */
[[nodiscard]] bool inputs_have_edges(uint32_t assignment);
/* The value of element `payload` of the array of the atom. */
[[nodiscard]] Element inputs_value(
    const InputConstants *constants, uint32_t assignment, const TermData *atom);

#endif
