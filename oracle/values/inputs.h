/* The values of inputs. An assignment is a number. In order, assignments have: small positive
 * integers, mostly or only zeros, signed numbers, and few distinct numbers, in turn; the edges of
 * each element type, fractions, and neighbours of the constants in the terms; offsets; each offset
 * from 0 to 15; floats whose square or power is infinite. */
#ifndef ORACLE_VALUES_INPUTS_H
#define ORACLE_VALUES_INPUTS_H

#include "oracle/terms/term.h"
#include "oracle/values/element.h"

static constexpr uint32_t evaluation_usual = 28;       /* for terms that pick by no offset */
static constexpr uint32_t evaluation_assignments = 44; /* without those of large floats */
static constexpr uint32_t evaluation_large = 4;        /* large floats, after the others */
static constexpr uint32_t inputs_most_constants = 16;

/* The first constants, by term, that are operands of operations on elements. */
typedef struct InputConstants {
  uint32_t count;
  Element items[inputs_most_constants];
} InputConstants;

void inputs_collect_constant(InputConstants *constants, const Terms *terms, Term term);
/* Whether inputs have values for which floating sums may round. */
[[nodiscard]] bool inputs_have_edges(uint32_t assignment);
/* The value of element `payload` of the atom's array. */
[[nodiscard]] Element inputs_value(
    const InputConstants *constants, uint32_t assignment, const TermData *atom);

#endif
