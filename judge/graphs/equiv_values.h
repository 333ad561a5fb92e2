/* Do two graphs compute the same values? One verdict for each leaf of the output; parameters stand
 * for each other by number. docs/words.md says what counts as the same. */
#ifndef JUDGE_EQUIV_VALUES_H
#define JUDGE_EQUIV_VALUES_H

#include "judge/maps/judge.h"
#include "oracle/terms/same_values.h"

[[nodiscard]] const char *equiv_values_text(ValuesAnswer answer);
[[nodiscard]] Status equiv_values_status(ValuesAnswer answer);
static constexpr uint32_t equiv_values_count = 0
#define ANSWER(id, text, status, help) +1
#include "judge/graphs/equiv_values.def"
#undef ANSWER
    ;

typedef struct EquivValues {
  OracleValues *oracle;
  const Shape *output;
  uint32_t leaf_count;
} EquivValues;

/* KEEP: the arena and the modules. Entries whose parameters or outputs do not stand for each other
 * are ERROR_INPUT. `limits` may be null. */
[[nodiscard]] bool equiv_values_create(Arena *arena, const Module *before, const Module *after,
    const ValuesLimits *limits, EquivValues *values, Error *error);
/* An array with elements of another type on either side is DIFFERENT as a signature and said so. */
void equiv_values_ask(const EquivValues *values, uint32_t leaf, ValuesVerdict *verdict);

#endif
