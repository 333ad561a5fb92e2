/* Compares terms of integers under every value of their inputs, if these have few bits. */
#ifndef ORACLE_VALUES_ALL_INPUTS_H
#define ORACLE_VALUES_ALL_INPUTS_H

#include "oracle/values/evaluate.h"

static constexpr uint32_t all_inputs_most_bits = 16; /* of all inputs of two terms together */

typedef enum AllInputsResult : uint8_t {
  ALL_INPUTS_SAME,    /* both terms have a value under all values of the inputs, the same one */
  ALL_INPUTS_DIFFER,  /* not under the values that `evaluation->fixed` then contains */
  ALL_INPUTS_UNKNOWN, /* the terms are not compared, or a value is unknown */
} AllInputsResult;

/* Two terms, written without the names of their inputs. */
typedef struct AllInputsForm {
  uint32_t count;
  uint64_t items[512];
} AllInputsForm;

typedef struct AllInputs {
  Evaluation *evaluation;
  uint32_t comparisons;
  uint32_t *seen;    /* [capacity of the evaluation]: the last comparison that reached the term */
  uint32_t *numbers; /* [capacity of the evaluation]: of the term in that comparison */
  AllInputsForm same; /* of the last terms that were the same; empty if there are none */
} AllInputs;

/* KEEP: the evaluation. */
[[nodiscard]] AllInputs all_inputs_create(Evaluation *evaluation);
/* Compares two terms that consist of integers alone, without sorts and whole arrays. A fold must be
 * a sum of products, or one operation whose order does not matter from its neutral element, since
 * an initial value may be used any number of times. The work counts as steps of the evaluation; the
 * result is ALL_INPUTS_UNKNOWN if they are used up. */
[[nodiscard]] AllInputsResult all_inputs_compare(AllInputs *all, Term before, Term after);

#endif
