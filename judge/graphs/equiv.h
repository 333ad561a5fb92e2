/* Do two graphs read the same elements? One answer for each leaf of the entry's output and each
 * leaf of its parameters; outputs stand for each other by leaf, parameters by number and leaf,
 * elements by logical index (layouts aside), values that offsets are read from by the parameter
 * that they come from.
 * Where more is stated than is known (loops, branches, bodies that do not use what they are given)
 * or an index does not say of which device an element is (collectives), an equal answer is drawn
 * only as judge/graphs/equiv_between.h says; else UNKNOWN.
 * What an equal answer does not say: nothing of arithmetic is compared. Elements may be added
 * instead of multiplied, summed in another order, read twice, or scaled; what is compared is which
 * elements of the parameters can reach an output element by the operation semantics. Constants,
 * iotas and padding values made inside are no parameters: reading more of them is no difference. A
 * weight of a convolution that meets nothing but padding multiplies zero: where padding becomes an
 * operation of its own, after reads it and before does not (MORE). A proof without enumeration
 * takes both for the same, since the semantics leave that read open.
 *
 * How: an entry computation is called with parameters that both sides share. The engine's maps of
 * one side count only when the judges found them exact for that side; they are then judged against
 * what the other side reads, which is decided again from the graph, not from the other side's maps.
 * Maps that are over-approximations, or not judged, never make anything equal. */
#ifndef JUDGE_EQUIV_H
#define JUDGE_EQUIV_H

#include "judge/maps/judge.h"

typedef enum EquivSide : uint8_t { EQUIV_BEFORE, EQUIV_AFTER } EquivSide;

typedef struct EquivPair {
  uint32_t output, parameter, parameter_leaf;
} EquivPair;

typedef struct EquivVerdict {
  EquivPair pair;
  VerdictReason answer; /* EXACT, EXTRA (after reads more), DIFFERENT, DISSENT or OPEN */
  bool is_unread;       /* same, because neither side reads anything */
  bool has_witness;
  EquivSide reader; /* the one side that reads the element */
  uint32_t point_rank, element_rank;
  int64_t point[oracle_max_rank];   /* of the output */
  int64_t element[oracle_max_rank]; /* of the parameter */
  const char *judges;               /* who decided; nullptr: nobody */
  const char *reason; /* a judge's words; unknown: why; "" where nothing is to be said */
  Arena *arena;       /* of the reason: that of the judge's context */
} EquivVerdict;

/* The columns of a summary, in their order. */
static constexpr VerdictReason equiv_answers[] = {
#define ANSWER(reason, text, help) REASON_##reason,
#include "judge/graphs/equiv_answers.def"
#undef ANSWER
};
static constexpr uint32_t equiv_answer_count = sizeof equiv_answers / sizeof *equiv_answers;
/* The word of the reason in a summary; nullptr: no pair comes to it. */
[[nodiscard]] const char *equiv_answer_text(VerdictReason answer);
[[nodiscard]] Status equiv_answer_status(VerdictReason answer);

typedef struct Equiv {
  Judge *judge;
  const Computation *entries[2];
  Instruction *calls[2];
} Equiv;
/* KEEP: the judge, the arena and the modules. Entries that differ in the number or the sizes of
 * parameters or outputs are ERROR_INPUT. */
[[nodiscard]] bool equiv_create(Judge *judge, Arena *arena, const Module *before,
    const Module *after, Equiv *equiv, Error *error);

typedef struct EquivPairs {
  uint32_t count, capacity;
  EquivPair *items;
} EquivPairs;
/* All pairs of leaves that are arrays with elements, outputs first. */
void equiv_pairs(const Equiv *equiv, Arena *arena, EquivPairs *pairs);

/* Never fails: what could not be decided is UNKNOWN with its reason. */
void equiv_ask(const Equiv *equiv, EquivPair pair, EquivVerdict *verdict);

#endif
