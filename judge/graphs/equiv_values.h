/* Compares the values that two graphs compute. There is one verdict for each leaf of the output;
 * parameters correspond by number. docs/words.md defines what counts as the same. Two judges that
 * share only the graphs are asked: the oracle enumerates terms and evaluates, smt proves at any
 * size. A proof decides where the oracle does not. If the oracle evaluated an element to different
 * values and smt proves them the same, one of them is wrong. Different terms found by smt refute
 * nothing; only the oracle's evaluation does. */
#ifndef JUDGE_GRAPHS_EQUIV_VALUES_H
#define JUDGE_GRAPHS_EQUIV_VALUES_H

#include "judge/maps/judge.h"
#include "oracle/equivalence/same_values.h"

/* For values_answers and DISSENT, which means that one of the judges is wrong. Any other reason is
 * unknown. */
[[nodiscard]] const char *equiv_values_text(VerdictReason answer);
[[nodiscard]] Status equiv_values_status(VerdictReason answer);

typedef struct EquivValues {
  const Computation *entries[2];
  OracleValues *oracle;
  Smt *smt;
  SmtValues *proof;     /* nullptr: smt is not asked */
  SmtValues *reordered; /* with all laws, if the question allows fewer; may be nullptr */
  const char *doubt;    /* why equal values are not reported as the same; nullptr: they are */
  const Shape *output;
  uint32_t leaf_count;
  uint64_t steps;    /* of a proof, with one_judge; 0: the default */
  bool is_brief;     /* use only the small limits: for callers that look for a worse answer */
  bool is_one_graph; /* literally equal, including what no judge follows */
  bool one_judge;    /* one deciding judge is enough: the second is asked only if the first does
                        not decide */
} EquivValues;

/* Opens the judges of two modules, or of parts of them, with `doubt` nullptr (equiv_open.h computes
 * it). KEEP: the arena, the modules and smt, which may be nullptr. Entries whose parameters or
 * outputs do not correspond, also in element type, are ERROR_INPUT. `limits` may be nullptr. */
[[nodiscard]] bool equiv_values_open_parts(Arena *arena, const Module *before, const Module *after,
    const ValuesLimits *limits, Smt *smt, EquivValues *values, Error *error);
void equiv_values_close(EquivValues *values);
void equiv_values_query(const EquivValues *values, uint32_t leaf, ValuesVerdict *verdict);

/* The verdicts of both judges about one output. */
typedef struct EquivValuesVerdict {
  VerdictReason answer; /* the joined answer: one of values_answers, or DISSENT */
  ValuesVerdict values; /* of the judge that decided; for a dissent the oracle's */
  Verdict proof;        /* smt's own verdict; NOT_ASKED if it was not asked */
  bool is_reordered;    /* smt proves the same values with laws of any grade */
  const char *laws;     /* laws that smt's proof uses; nullptr: none */
  const char *judges;   /* who decided; nullptr: nobody */
  char reason[400];     /* for an unknown answer or a dissent: what each judge reports */
} EquivValuesVerdict;

/* Joins the oracle's verdict in `values` with smt's verdict in `proof`. */
void equiv_values_join(EquivValuesVerdict *verdict);
/* Judges one output leaf. Equal values are unknown if one graph has an effect that the other lacks,
 * an effect is not shown to send the same values, or effects are in another order. They are unknown
 * too if an instruction has an unknown attribute in graphs that are not literally the same, if
 * the headers state different numbers of devices and an instruction depends on them, if they
 * have different numbers of loops that never end (endless.h), or if the second promises something
 * of indices that the first does not promise and that they are not shown to keep (promises.h). */
void equiv_values_judge(const EquivValues *values, uint32_t leaf, EquivValuesVerdict *verdict);

#endif
