/* Do two graphs compute the same values? One verdict for each leaf of the output; parameters stand
 * for each other by number. docs/words.md says what counts as the same.
 * Two judges are asked, who share nothing but the graphs: the oracle enumerates terms and
 * evaluates, smt proves at any size. A proof decides where the oracle does not; where the oracle
 * has evaluated an element to different values and smt proves them the same, one of them is wrong.
 * Terms that smt finds to differ refute nothing: the oracle's evaluation does. */
#ifndef JUDGE_EQUIV_VALUES_H
#define JUDGE_EQUIV_VALUES_H

#include "judge/maps/judge.h"
#include "oracle/terms/same_values.h"

/* Of values_answers, and of DISSENT: no answer about the graphs, since one of the judges is wrong.
 * Any other reason is unknown. */
[[nodiscard]] const char *equiv_values_text(VerdictReason answer);
[[nodiscard]] Status equiv_values_status(VerdictReason answer);

typedef struct EquivValues {
  const Computation *entries[2];
  OracleValues *oracle;
  Smt *smt;
  SmtValues *proof;     /* null: smt is not asked */
  SmtValues *reordered; /* with all laws, where those of the question are fewer; may be null */
  const char *doubt;    /* why equal values are not said to be the same; nullptr: they are */
  const Shape *output;
  uint32_t leaf_count;
  uint64_t steps;    /* of a proof, where one judge is enough; 0: the default */
  bool is_brief;     /* small limits alone: of use where an answer is no worse than another one */
  bool is_one_graph; /* literally, and with what no judge follows */
  bool one_judge;    /* is enough: the second is asked where the first does not decide */
} EquivValues;

/* KEEP: the arena, the modules and smt, which may be null. Entries whose parameters or outputs do
 * not stand for each other are ERROR_INPUT. `limits` may be null. */
[[nodiscard]] bool equiv_values_open(Arena *arena, const Module *before, const Module *after,
    const ValuesLimits *limits, Smt *smt, EquivValues *values, Error *error);
void equiv_values_close(EquivValues *values);
/* The oracle alone; nothing has to be closed. */
[[nodiscard]] bool equiv_values_create(Arena *arena, const Module *before, const Module *after,
    const ValuesLimits *limits, EquivValues *values, Error *error);
void equiv_values_ask(const EquivValues *values, uint32_t leaf, ValuesVerdict *verdict);

/* What both judges say of one output. */
typedef struct EquivValuesVerdict {
  VerdictReason answer; /* of both: one of values_answers, or DISSENT */
  ValuesVerdict values; /* that of the answer; of a dissent the oracle's */
  Verdict proof;        /* smt's own verdict; NOT_ASKED where it was not asked */
  bool is_reordered;    /* smt proves the same values with laws of any grade */
  const char *laws;     /* that smt's proof rests on; null: none */
  const char *judges;   /* who decided; null: nobody */
  char reason[400];     /* of an unknown answer and of a dissent: what each of them says */
} EquivValuesVerdict;

/* Joins what the oracle has said in `values` with what smt has said in `proof`. */
void equiv_values_join(EquivValuesVerdict *verdict);
/* An array with elements of another type on either side is DIFFERENT as a signature and said so.
 * The same values are unknown where one graph has an effect that the other has not, or an effect
 * is not shown to send the same; where an instruction has an attribute that is not known, in graphs
 * that are not literally the same; and where the headers state other numbers of devices and an
 * instruction speaks of them. */
void equiv_values_judge(const EquivValues *values, uint32_t leaf, EquivValuesVerdict *verdict);

#endif
