/* The values of inputs. An assignment is a number. In order, assignments have: small positive
 * integers, mostly or only zeros, signed numbers, and few distinct numbers, in turn; the edges of
 * each element type, fractions, and neighbours of the constants in the terms; offsets; each offset
 * from 0 to 15; floats whose square or power is infinite; integers of the full width, with an edge
 * of one input beside small and random values of the others; notable integers (notable.h). */
#ifndef ORACLE_VALUES_INPUTS_H
#define ORACLE_VALUES_INPUTS_H

#include "oracle/terms/term.h"
#include "oracle/values/element.h"

static constexpr uint32_t evaluation_usual = 28;       /* for terms that pick by no offset */
static constexpr uint32_t evaluation_assignments = 44; /* without those of large floats */
static constexpr uint32_t evaluation_large = 4;        /* large floats, after the others */
static constexpr uint32_t evaluation_wide = 12;        /* integers of the full width, after those */
static constexpr uint32_t evaluation_first_wide = evaluation_assignments + evaluation_large;
static constexpr uint32_t evaluation_first_notable = evaluation_first_wide + evaluation_wide;
static constexpr uint32_t inputs_most_constants = 16;

/* The first constants, by term, that are operands of operations on elements, and the first arrays
 * of integers. */
typedef struct InputConstants {
  uint32_t count, array_count;
  uint32_t atom_count; /* elements of inputs of any type */
  ElementType widest;  /* of the arrays of integers, if there are any */
  Element items[inputs_most_constants];
  uint32_t arrays[inputs_most_constants]; /* [array_count]: signatures */
} InputConstants;

void inputs_collect_constant(InputConstants *constants, const Terms *terms, Term term);
void inputs_collect_array(InputConstants *constants, const TermData *atom);
/* Whether inputs have values for which floating sums may round. */
[[nodiscard]] bool inputs_have_edges(uint32_t assignment);
[[nodiscard]] bool inputs_are_wide(uint32_t assignment);
/* How many assignments of notable integers there are, from evaluation_first_notable on: all inputs
 * at one number of the list, each input alone at each number, and combinations of numbers. They
 * are more than are usually tried. */
[[nodiscard]] uint32_t inputs_notable_tries(const InputConstants *constants);
/* The value of element `payload` of the atom's array. */
[[nodiscard]] Element inputs_value(
    const InputConstants *constants, uint32_t assignment, const TermData *atom);

#endif
