/* Compares which elements two graphs read. There is one answer for each leaf of the entry's output
 * and each leaf of its parameters. Outputs correspond by leaf, parameters by number and leaf,
 * elements by logical index (layouts are ignored), offset values by the parameter that they come
 * from. Some reads are over-approximated (loops, branches, bodies that ignore an operand), and an
 * index does not name a device (collectives). There, EXACT is only answered as
 * judge/graphs/equiv_between.h says; else the answer is UNKNOWN. It also is where an instruction
 * depends on a number of devices that the headers state differently. An equal answer says nothing
 * about arithmetic. Elements may be added instead of multiplied, summed in another order, read
 * twice, or scaled. Compared is which elements of the parameters can reach an output element by the
 * operation semantics. Constants, iotas and padding values inside the graphs are no parameters:
 * reading more of them is no difference. A convolution weight that only meets padding multiplies
 * zero: if padding becomes a separate operation, after reads the weight and before does not (MORE).
 * A proof without enumeration treats both as the same, because the semantics leave this read open.
 *
 * Both entry computations are called with the same parameters. The engine's maps of one side count
 * only if the judges find them exact for that side. They are then judged against the reads of the
 * other side, which are derived from its graph, not from its maps. Maps that are
 * over-approximations or not judged never make anything equal. */
#ifndef JUDGE_GRAPHS_EQUIV_H
#define JUDGE_GRAPHS_EQUIV_H

#include "judge/maps/judge.h"

typedef enum EquivSide : uint8_t { EQUIV_BEFORE, EQUIV_AFTER } EquivSide;

typedef struct EquivPair {
  uint32_t output, parameter, parameter_leaf;
} EquivPair;

typedef struct EquivVerdict {
  EquivPair pair;
  VerdictReason answer; /* EXACT, EXTRA (after reads more), DIFFERENT, DISSENT or OPEN */
  bool is_unread;       /* neither side reads anything */
  bool has_witness;
  EquivSide reader; /* the only side that reads the element */
  uint32_t point_rank, element_rank;
  int64_t point[oracle_max_rank];   /* of the output */
  int64_t element[oracle_max_rank]; /* of the parameter */
  const char *judges;               /* who decided; nullptr: nobody */
  const char *reason;               /* a judge's text; unknown: why; "": nothing to report */
  Arena *arena;                     /* of the reason, in the judge's context */
} EquivVerdict;

/* The columns of a summary, in order. */
static constexpr VerdictReason equiv_answers[] = {
#define ANSWER(reason, text, help) REASON_##reason,
#include "judge/graphs/equiv_answers.def"
#undef ANSWER
};
static constexpr uint32_t equiv_answer_count = sizeof equiv_answers / sizeof *equiv_answers;
/* The text of the reason in a summary; nullptr: no pair has this reason. */
[[nodiscard]] const char *equiv_answer_text(VerdictReason answer);
[[nodiscard]] Status equiv_answer_status(VerdictReason answer);

typedef struct Equiv {
  Judge *judge;
  const Computation *entries[2];
  Instruction *calls[2];
  const Instruction *over_counts; /* the headers state other numbers of devices, and this
                                     instruction depends on them; or nullptr */
} Equiv;
/* KEEP: the judge, the arena and the modules. Entries whose parameters or outputs differ in number
 * or size are ERROR_INPUT. */
[[nodiscard]] bool equiv_create(Judge *judge, Arena *arena, const Module *before,
    const Module *after, Equiv *equiv, Error *error);

typedef struct EquivPairs {
  uint32_t count, capacity;
  EquivPair *items;
} EquivPairs;
/* Lists all pairs of leaves that are nonempty arrays, outputs first. */
void equiv_pairs(const Equiv *equiv, Arena *arena, EquivPairs *pairs);

/* Never fails: undecided pairs are UNKNOWN with a reason. */
void equiv_judge(const Equiv *equiv, EquivPair pair, EquivVerdict *verdict);

#endif
