/* Sameness of values by proof: one element of each of two graphs, for all indices at once.
 * A spot is an element of an instruction's leaf, its index a tuple of sums. Data movement is
 * composed away: a spot becomes cases, each a spot of an operation that computes (or of a
 * parameter) with the constraints under which it is meant. Two such spots are the same value if the
 * operations agree in all that changes a value and their operands are the same values. What a
 * constraint does not bound is bounded by its atom, so every sum here holds within the sizes of the
 * shapes. Sound: YES is proved for every index within the constraints. NO names an index at which
 * the terms differ; equal values remain possible, so an evaluation has to confirm it. OPEN names a
 * reason. */
#ifndef SMT_VALUES_H
#define SMT_VALUES_H

#include "core/base/law_grade.h"
#include "core/base/table.h"
#include "smt/semantics/hlo_reading.h"
#include "smt/solver/session.h"

typedef enum Same : uint8_t { SAME_YES, SAME_NO, SAME_OPEN } Same;

typedef struct Spot {
  const CallSite *frame; /* interned; null at the top */
  const Instruction *instruction;
  uint32_t leaf;
  uint32_t rank;
  const Sum *index; /* [rank] */
} Spot;

/* Constraints in one form: no constant, the first coefficient positive, one for each sum. */
typedef struct Given {
  Withins withins;
  bool is_empty; /* no index satisfies them */
} Given;

typedef struct ProofCase {
  Given given;
  Spot spot;
} ProofCase;

typedef struct ProofCases {
  ProofCase *items;
  uint32_t count, capacity;
  bool is_cut; /* there are more than are kept */
} ProofCases;

typedef struct FramePointers {
  CallSite **items;
  uint32_t count, capacity;
} FramePointers;

/* ---- laws of arithmetic ---- */
static constexpr uint32_t most_laws = 256;

typedef enum LawClass : uint8_t { LAW_CLASS_INTEGRAL, LAW_CLASS_PRED, LAW_CLASS_FLOATING } LawClass;
typedef enum LawTreeKind : uint8_t {
  LAW_TREE_VARIABLE,
  LAW_TREE_CONSTANT,
  LAW_TREE_OPERATION
} LawTreeKind;

typedef struct LawTree {
  LawTreeKind kind;
  Opcode opcode;
  uint32_t variable, count;
  Wide constant;
  bool is_minus_zero; /* of a constant */
  const struct LawTree *operands[2];
} LawTree;

typedef struct ValueLaw {
  const char *name;
  const LawTree *left, *right;
  LawClass types;
  LawGrade grade;
} ValueLaw;

/* By number, a bit each. */
typedef struct UsedLaws {
  uint64_t words[most_laws / 64];
} UsedLaws;

/* A pair of spots under constraints, and what is known of it. */
typedef struct Claim {
  Spot a, b;
  Withins given;
  Same same;
  bool is_asked; /* under way: a claim is no part of its own proof */
  bool had_formula;
  bool was_over; /* given up for want of budget, so that it says nothing of the next question */
  UsedLaws used;
  const Wide *witness;
  uint32_t witness_count;
} Claim;

typedef struct Claims {
  Claim *items;
  uint32_t count, capacity;
} Claims;

typedef struct ComputationPair {
  const Computation *a, *b;
  Same same;
  bool is_asked;
  UsedLaws used;
} ComputationPair;

typedef struct ProofComputations {
  const Computation **items;
  uint32_t count, capacity;
} ProofComputations;

typedef struct ProofSends {
  const Instruction **items;
  uint32_t count, capacity;
} ProofSends;

typedef struct ComputationPairs {
  ComputationPair *items;
  uint32_t count, capacity;
} ComputationPairs;

typedef struct InstructionPair {
  const Instruction *a, *b;
} InstructionPair;

typedef struct InstructionPairs {
  InstructionPair *items;
  uint32_t count, capacity;
} InstructionPairs;

/* A leaf that values are read from, and the first one that is the same array. */
typedef struct ValuePartner {
  Spot spot;
  uint32_t atom; /* an element of it */
  uint32_t stands_for;
} ValuePartner;

typedef struct ValuePartners {
  ValuePartner *items;
  uint32_t count, capacity;
} ValuePartners;

/* Atoms by role, number and size, so that equal questions are equal claims. */
typedef struct PoolAtom {
  uint32_t role, number, atom;
  int64_t size;
} PoolAtom;

typedef struct PoolAtoms {
  PoolAtom *items;
  uint32_t count, capacity;
} PoolAtoms;

typedef struct ValuesProof ValuesProof;

/* What the files of this directory ask each other in a circle: an element is the same if its
 * operands are, an operand is followed through indices, and indices are values. */
typedef struct Questions {
  Same (*spots)(ValuesProof *proof, const Given *given, const Spot *a, const Spot *b);
  Same (*leaves)(ValuesProof *proof, const CallSite *frame_a, const Instruction *a, uint32_t leaf_a,
      const CallSite *frame_b, const Instruction *b, uint32_t leaf_b);
  Sum (*joined)(ValuesProof *proof, Sum sum);
  bool (*reduces)(ValuesProof *proof, const Spot *spot, Spot *to);
} Questions;

struct ValuesProof {
  const Questions *questions;
  Arena *arena;
  Sums *sums;
  const SmtOptions *options;
  Query query;
  bool has_query;
  uint64_t rlimit_used, steps, looks;
  uint64_t most_steps;  /* of one question; 0: the default */
  uint64_t rlimit_from; /* the solver's units that were used before the question */
  size_t bytes_from;    /* and the arena's bytes */
  uint32_t depth;       /* of claims under way */
  uint32_t fold_depth;  /* of folds around the claim */
  bool has_formula; /* the claim is an operand of integers, which are compared as formulas above */
  bool was_over;    /* at the last look */
  bool is_brief;    /* the solver gets a small budget */
  bool is_quiet;    /* an attempt is under way: its reasons are not kept */
  LawGrade grade;   /* the weakest laws that may be used */
  bool is_matching; /* operands of a law are looked at: no other law is tried there */
  uint32_t law_count;
  ValueLaw laws[most_laws];
  UsedLaws used; /* by what is proved so far of the claims under way */
  FramePointers frames;
  Claims claims;
  Table claim_table;
  ComputationPairs computations;
  InstructionPairs stateful; /* each instruction with an effect stands for one other alone */
  PoolAtoms pool;
  ValuePartners partners;
  ProofComputations first, second; /* all that each graph runs */
  const Wide *witness;           /* of the last NO */
  uint32_t witness_count;
  char reason[240];     /* of the first OPEN */
  char difference[200]; /* of the first NO */
};

/* ---- spots ---- */
/* For assertions: the leaf is one of the instruction's, and the index has its rank and sums of this
 * table; each constraint has the form that Given states; a fold's variables, sizes and operands are
 * of this table. */
[[nodiscard]] bool spot_is_well_formed(const Sums *sums, const Spot *spot);
[[nodiscard]] bool given_is_canonical(const Sums *sums, const Given *given);
[[nodiscard]] const CallSite *proof_frame(
    ValuesProof *proof, const CallSite *outer, const Instruction *caller);
[[nodiscard]] Spot spot_at(
    const CallSite *frame, const Instruction *instruction, uint32_t leaf, const Sum *index);
/* The same leaf with other atoms in the index. */
[[nodiscard]] Spot spot_replaced(ValuesProof *proof, const AtomChange *change, Spot spot);
[[nodiscard]] bool spot_same(const Spot *a, const Spot *b);
/* An atom within [0, size - 1]; the same for the same role, number and size. */
[[nodiscard]] Sum proof_variable(ValuesProof *proof, uint32_t role, uint32_t number, int64_t size);
/* Is the instruction one of the first graph? */
[[nodiscard]] bool proof_is_first(const ValuesProof *proof, const Instruction *instruction);
[[nodiscard]] ElementType spot_type(const Spot *spot);
[[nodiscard]] const Shape *spot_shape(const Spot *spot);
/* OPEN, with the reason unless one is there already. */
[[nodiscard, gnu::format(printf, 2, 3)]] Same proof_open(
    ValuesProof *proof, const char *format, ...);
/* What two spots are that differ; NO unless no index satisfies the constraints. */
[[nodiscard]] Same proof_differ(
    ValuesProof *proof, const Given *given, const Spot *a, const Spot *b);
/* hlo_accesses with a budget of its own for values; one that is not followed to its end is an atom.
 */
[[nodiscard]] bool proof_accesses(ValuesProof *proof, SmtReading *reading);
/* The element of an integral operation as a formula. */
[[nodiscard]] Sum proof_value(ValuesProof *proof, const Spot *spot);
/* The solver's units so far. */
[[nodiscard]] uint64_t proof_rlimit(const ValuesProof *proof);
/* The budget is spent or the sums are past their limits. */
[[nodiscard]] bool proof_is_over(ValuesProof *proof);

/* ---- constraints ---- */
[[nodiscard]] Given given_copy(ValuesProof *proof, const Given *given);
void given_add(ValuesProof *proof, Given *given, Within within);
void given_add_all(ValuesProof *proof, Given *given, const Withins *withins);
/* Is each sum of the one side the sum of the other, wherever the constraints hold? NO has a
 * witness. */
[[nodiscard]] Same given_equal(
    ValuesProof *proof, const Given *given, uint32_t count, const Sum *a, const Sum *b);
/* Do the constraints imply this one? */
[[nodiscard]] Same given_implies(ValuesProof *proof, const Given *given, Within within);
/* YES where no index satisfies the constraints; NO has one as a witness. */
[[nodiscard]] Same given_vacuous(ValuesProof *proof, const Given *given);

/* Does the index, or a constraint, depend on values? Then another device may read another element.
 */
[[nodiscard]] bool given_has_values(ValuesProof *proof, const Given *given, const Spot *spot);

/* ---- data movement ---- */
/* The cases of a spot after all data movement. */
[[nodiscard]] ProofCases spot_cases(ValuesProof *proof, const Given *given, const Spot *spot);

/* ---- what an operation is ---- */
typedef enum ViewKind : uint8_t {
  VIEW_PARAMETER,
  VIEW_CONSTANT,
  VIEW_IOTA,
  VIEW_ELEMENTWISE, /* a function of one element of each operand */
  VIEW_FOLD,        /* of a multiset of tuples */
  VIEW_FUNCTION,    /* of whole operands */
} ViewKind;

typedef struct SpotView {
  ViewKind kind;
  Opcode opcode; /* of an elementwise operation: what it is, whatever it is written as */
  Spot spot;
  uint32_t operand_count; /* of an elementwise operation */
  Spot *operands;
} SpotView;

[[nodiscard]] SpotView spot_view(ValuesProof *proof, const Spot *spot);
/* Does the attribute change a value? Called computations are compared for themselves. */
[[nodiscard]] bool attribute_changes_value(const Instruction *instruction, const char *name);
/* Attributes that change a value, called computations aside. */
[[nodiscard]] bool attributes_agree(
    const Instruction *a, const Instruction *b, const char **differs);
/* Those that formulas say by shapes and folds, for an operation that has no formula here. */
[[nodiscard]] bool shape_attributes_agree(
    const Instruction *a, const Instruction *b, const char **differs);
/* What an operation does beyond its operands (random numbers, input) is done once. */
[[nodiscard]] bool stateful_pair(ValuesProof *proof, const Instruction *a, const Instruction *b);
/* The sends of its own graph that a receive may hear; none for any other operation. */
[[nodiscard]] ProofSends sends_to(ValuesProof *proof, const Instruction *receive);

/* ---- laws ---- */
void laws_open(ValuesProof *proof);
/* A line of the file; false: it is no law that is used here. */
[[nodiscard]] bool law_line(Arena *arena, const char *line, ValueLaw *law);
/* Laws count as used from here on, unless a claim fails that they were used for. */
[[nodiscard]] bool law_commutes(ValuesProof *proof, Opcode opcode, ElementType type);
/* Commutes and associates, so that a fold of folds is one fold. */
[[nodiscard]] bool law_regroups(ValuesProof *proof, Opcode opcode, ElementType type);
/* op(x, constant) is x. */
[[nodiscard]] bool law_neutral(ValuesProof *proof, Opcode opcode, const Spot *constant);
/* op(x, x) is x. */
[[nodiscard]] bool law_repeats(ValuesProof *proof, Opcode opcode, ElementType type);
/* The operand that the operation is. */
[[nodiscard]] bool law_reduces(ValuesProof *proof, const Spot *spot, Spot *to);
/* Names, in the order of the laws; null: none. */
[[nodiscard]] const char *laws_used(const ValuesProof *proof, Arena *arena);
/* What claims use of laws is kept apart: begins with none, and what was proved joins what was. */
[[nodiscard]] UsedLaws laws_begin(ValuesProof *proof);
void laws_end(ValuesProof *proof, UsedLaws before, Same same);
void laws_join(ValuesProof *proof, const UsedLaws *used);

/* ---- constants ---- */
/* The element at a constant index, or the one that all are. */
typedef struct ElementLiteral {
  bool is_known, is_uniform;
  const char *text;
  size_t length;
} ElementLiteral;
[[nodiscard]] ElementLiteral literal_at(ValuesProof *proof, const Spot *spot);
[[nodiscard]] bool literal_is_minus_zero(const ElementLiteral *literal);
/* The text as an integer; -0 is none. */
[[nodiscard]] bool literal_integer(const ElementLiteral *literal, Wide *value);
/* Of two texts that leave values out: one instruction, or the only one of that name in each graph.
 */
[[nodiscard]] bool elided_same(const Instruction *a, const Instruction *b);
[[nodiscard]] Same constants_same(
    ValuesProof *proof, const Given *given, const Spot *a, const Spot *b);

/* ---- folds ---- */
typedef struct Fold {
  const Instruction *instruction;
  bool is_product;      /* dot and convolution: a sum of products of two */
  uint32_t first, last; /* numbers of the variables, of which those with one value are none */
  uint32_t count;       /* folded variables */
  Sum *variables;
  int64_t *sizes;
  Given given; /* constraints of the tuples */
  uint32_t tuple_count, initial_count;
  Spot *tuple, *initials;
} Fold;
[[nodiscard]] bool fold_is_well_formed(const Sums *sums, const Fold *fold);
/* False where the operation has no formula here. `side` 0 or 1 keeps the variables of two folds
 * apart. */
[[nodiscard]] bool spot_fold(ValuesProof *proof, const Spot *spot, uint32_t side, Fold *fold);
/* The same with variables numbered from `first` on. */
[[nodiscard]] bool spot_fold_from(
    ValuesProof *proof, const Spot *spot, uint32_t side, uint32_t first, Fold *fold);
/* The function of a reduction of one input, if it is one operation of both its parameters. */
[[nodiscard]] bool fold_operation(const Instruction *reduction, Opcode *opcode, bool *is_exchanged);
/* A fold of folds as one, where the laws allow it: adds the inner variables, and drops what is
 * neutral. */
void fold_flatten(
    ValuesProof *proof, const Given *given, const Spot *spot, uint32_t side, Fold *fold);
/* The fold's variables, replaced by these. */
[[nodiscard]] AtomChange fold_change(ValuesProof *proof, const Fold *fold, const Sum *by_variable);
[[nodiscard]] Same folds_same(ValuesProof *proof, const Given *given, const Spot *a, const Spot *b);

/* Equations between the variables of two folds: each sum is 0 for tuples that meet. */
typedef struct Equations {
  Sum *items;
  uint32_t count, capacity;
} Equations;
/* The variables of each fold in terms of the other's, proved to be inverse and onto. */
typedef struct Meeting {
  Sum *to_b; /* [b->count] over the variables of a */
  Sum *to_a; /* [a->count] over the variables of b */
} Meeting;
[[nodiscard]] bool folds_meet(ValuesProof *proof, const Given *given, const Fold *a, const Fold *b,
    const Equations *equations, Meeting *meeting);

/* ---- sameness ---- */
/* given_equal, and where values computed in the two graphs decide, with those that are the same. */
[[nodiscard]] Same indices_same(
    ValuesProof *proof, const Given *given, uint32_t count, const Sum *a, const Sum *b);
/* The sum with one atom for each value, whichever instruction of either graph it is read from. */
[[nodiscard]] Sum sum_joined(ValuesProof *proof, Sum sum);
/* How many atoms the sum is made of. */
[[nodiscard]] uint32_t sum_weight(ValuesProof *proof, Sum sum);
/* Adds the equalities of values that the constraints and the sums speak of; false: none is new. */
[[nodiscard]] bool given_unify(
    ValuesProof *proof, Given *given, uint32_t count, const Sum *a, const Sum *b);
[[nodiscard]] Same spots_same(ValuesProof *proof, const Given *given, const Spot *a, const Spot *b);
/* Whole leaves of two instructions. */
[[nodiscard]] Same leaves_same(ValuesProof *proof, const CallSite *frame_a, const Instruction *a,
    uint32_t leaf_a, const CallSite *frame_b, const Instruction *b, uint32_t leaf_b);
[[nodiscard]] Same called_same(ValuesProof *proof, const Instruction *a, const Instruction *b);
/* Whole operands, called computations and attributes. */
[[nodiscard]] Same functions_same(
    ValuesProof *proof, const Given *given, const Spot *a, const Spot *b);

#endif
