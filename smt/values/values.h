/* Proves sameness of values: one element of each of two graphs, for all indices at once.
 * A spot is an element of an instruction's leaf, with a tuple of sums as index. Data movement is
 * composed away: a spot becomes cases, each a spot of an operation that computes (or of a
 * parameter) with the constraints under which it applies. Two such spots are the same value if the
 * operations agree in all that changes a value and their operands are the same values. Atoms that
 * constraints do not bound have their own bounds, so every sum here is valid within the sizes of
 * the shapes.
 * Sound: YES is proved for every index within the constraints. NO names an index at which the terms
 * differ; the values may still be equal, so an evaluation must confirm it. OPEN names a reason. */
#ifndef SMT_VALUES_VALUES_H
#define SMT_VALUES_VALUES_H

#include "core/base/law_grade.h"
#include "core/base/table.h"
#include "core/hlo/stateful.h"
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

/* Constraints in a canonical form: no constant, a positive first coefficient, one constraint per
 * sum. */
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
  bool is_cut; /* some are missing: a limit was reached */
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

/* A bit for each law, by number. */
typedef struct UsedLaws {
  uint64_t words[most_laws / 64];
} UsedLaws;

/* A pair of spots under constraints, and its state. */
typedef struct Claim {
  Spot a, b;
  Withins given;
  Same same;
  bool in_progress; /* its proof is in progress: a claim is no part of its own proof */
  bool had_formula;
  bool was_over; /* given up for lack of budget, so the result is not used for the next question */
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
  bool in_progress;
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

/* A leaf that values are read from, and the number of the first leaf that is the same array. */
typedef struct ValuePartner {
  Spot spot;
  uint32_t atom; /* an element of it */
  uint32_t stands_for;
  UsedLaws used; /* by the proof that both are the same array */
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

/* The mutually recursive questions of the files in this directory: elements are the same if their
 * operands are, operands are followed through indices, and indices are values. */
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
  uint64_t rlimit_from; /* the solver's units used before the question */
  size_t bytes_from;    /* and the arena's bytes */
  uint32_t depth;       /* of nested claims */
  uint32_t fold_depth;  /* of folds around the claim */
  bool has_formula;     /* the claim is an operand of integers that are compared as formulas */
  bool was_over;        /* at the last test */
  bool is_brief;        /* the solver gets a small budget */
  bool is_quiet;        /* an attempt is in progress: its reasons are not recorded */
  LawGrade grade;       /* the weakest laws that may be used */
  bool is_matching;     /* operands of a law are being matched: no other law is tried there */
  uint32_t law_count;
  ValueLaw laws[most_laws];
  UsedLaws used; /* by the proved parts of the claims in progress */
  FramePointers frames;
  Claims claims;
  Table claim_table;
  ComputationPairs computations;
  InstructionPairs *stateful; /* each instruction with an effect is paired with at most one other;
                                 may be shared with another proof about the same graphs */
  PoolAtoms pool;
  ValuePartners partners;
  ProofComputations first, second; /* all computations that each graph runs */
  StatefulOrder first_order, second_order;
  const Wide *witness; /* of the last NO */
  uint32_t witness_count;
  char reason[240];     /* of the first OPEN */
  char difference[200]; /* of the first NO */
};

/* ---- spots ---- */
/* For assertions: the leaf is one of the instruction's, and the index has its rank and sums of this
 * table; each constraint has the form that Given states; a fold's variables, sizes and operands
 * belong to this table. */
[[nodiscard]] bool spot_is_well_formed(const Sums *sums, const Spot *spot);
[[nodiscard]] bool given_is_canonical(const Sums *sums, const Given *given);
[[nodiscard]] const CallSite *proof_frame(
    ValuesProof *proof, const CallSite *outer, const Instruction *caller);
[[nodiscard]] Spot spot_at(
    const CallSite *frame, const Instruction *instruction, uint32_t leaf, const Sum *index);
/* The same leaf with other atoms in the index. */
[[nodiscard]] Spot spot_replaced(ValuesProof *proof, const AtomChange *change, Spot spot);
[[nodiscard]] bool spot_same(const Spot *a, const Spot *b);
/* An atom within [0, size - 1]; always the same atom for the same role, number and size. */
[[nodiscard]] Sum proof_variable(ValuesProof *proof, uint32_t role, uint32_t number, int64_t size);
/* Whether the instruction belongs to the first graph. */
[[nodiscard]] bool proof_is_first(const ValuesProof *proof, const Instruction *instruction);
[[nodiscard]] ElementType spot_type(const Spot *spot);
[[nodiscard]] const Shape *spot_shape(const Spot *spot);
/* Returns OPEN, and records the reason unless there is one already. */
[[nodiscard, gnu::format(printf, 2, 3)]] Same proof_open(
    ValuesProof *proof, const char *format, ...);
/* Records how two spots differ; NO unless no index satisfies the constraints. */
[[nodiscard]] Same proof_differ(
    ValuesProof *proof, const Given *given, const Spot *a, const Spot *b);
/* Calls hlo_accesses with its own budget for values; a value that is not followed to its end is an
 * atom. */
[[nodiscard]] bool proof_accesses(ValuesProof *proof, SmtReading *reading);
/* The formula of an element of an integral operation. */
[[nodiscard]] Sum proof_value(ValuesProof *proof, const Spot *spot);
/* The solver's units used so far. */
[[nodiscard]] uint64_t proof_rlimit(const ValuesProof *proof);
/* Whether the budget is spent or the sums are past their limits. */
[[nodiscard]] bool proof_is_over(ValuesProof *proof);

/* ---- constraints ---- */
[[nodiscard]] Given given_copy(ValuesProof *proof, const Given *given);
void given_add(ValuesProof *proof, Given *given, Within within);
void given_add_all(ValuesProof *proof, Given *given, const Withins *withins);
/* Whether each sum of one side equals that of the other wherever the constraints hold. NO has a
 * witness. */
[[nodiscard]] Same given_equal(
    ValuesProof *proof, const Given *given, uint32_t count, const Sum *a, const Sum *b);
/* Whether the constraints imply `within`. */
[[nodiscard]] Same given_implies(ValuesProof *proof, const Given *given, Within within);
/* Whether they are shown to imply all; leaves no reason and no witness. */
[[nodiscard]] bool given_implies_all(
    ValuesProof *proof, const Given *given, const Withins *withins);
/* YES if no index satisfies the constraints; NO has an index as a witness. */
[[nodiscard]] Same given_vacuous(ValuesProof *proof, const Given *given);

/* Whether the index, or a constraint, depends on values: another device may then read another
 * element. */
[[nodiscard]] bool given_has_values(ValuesProof *proof, const Given *given, const Spot *spot);

/* ---- data movement ---- */
/* The cases of a spot after all data movement. */
[[nodiscard]] ProofCases spot_cases(ValuesProof *proof, const Given *given, const Spot *spot);

/* ---- operations ---- */
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
  Opcode opcode; /* of an elementwise operation: the actual operation, which may differ from the
                    instruction's */
  Spot spot;
  uint32_t operand_count; /* of an elementwise operation */
  Spot *operands;
} SpotView;

[[nodiscard]] SpotView spot_view(ValuesProof *proof, const Spot *spot);
/* Whether the attribute changes a value. Called computations are compared separately. */
[[nodiscard]] bool attribute_changes_value(const Instruction *instruction, const char *name);
/* Whether the attributes that change a value agree, without called computations. */
[[nodiscard]] bool attributes_agree(
    const Instruction *a, const Instruction *b, const char **differs);
/* The same, but for one attribute. */
[[nodiscard]] bool attributes_agree_without(
    const Instruction *a, const Instruction *b, const char *without, const char **differs);
/* Whether the attribute is a collective's groups, or pairs of devices. */
[[nodiscard]] bool attribute_lists_devices(const Instruction *instruction, const char *name);
/* Whether both list the same devices, for an attribute that lists them for both. */
[[nodiscard]] bool devices_agree(const Instruction *a, const Instruction *b, const char *name);
/* The opcode; of a collective's start, that of the collective. */
[[nodiscard]] Opcode collective_of(const Instruction *instruction);
/* The output leaf of the first result: the leaves before it are the operands of a start. */
[[nodiscard]] uint32_t collective_first_result(const Instruction *instruction);
/* Whether both products read their operands at the same precisions, or each at that of the other's
 * other operand. */
[[nodiscard]] bool precisions_agree(const Instruction *a, const Instruction *b, bool is_exchanged);
/* Whether each attribute that changes a value has the value that it has if it is not written. */
[[nodiscard]] bool attributes_are_usual(const Instruction *instruction, const char **differs);
/* Whether the attributes agree that formulas express by shapes and folds, for an operation without
 * a formula here. */
[[nodiscard]] bool shape_attributes_agree(
    const Instruction *a, const Instruction *b, const char **differs);
/* Pairs two operations with an effect (random numbers, input); each is paired at most once. */
[[nodiscard]] bool stateful_pair(ValuesProof *proof, const Instruction *a, const Instruction *b);
/* The sends of its own graph that a receive may be paired with; none for any other operation. */
[[nodiscard]] ProofSends sends_to(ValuesProof *proof, const Instruction *receive);

/* ---- laws ---- */
void laws_open(ValuesProof *proof);
/* Parses a line of the file; false: it is no law that is used here. */
[[nodiscard]] bool law_line(Arena *arena, const char *line, ValueLaw *law);
/* The law functions record laws as used, unless a claim that uses them fails. */
[[nodiscard]] bool law_commutes(ValuesProof *proof, Opcode opcode, ElementType type);
/* Whether it commutes and associates, so that a fold of folds is one fold. */
[[nodiscard]] bool law_regroups(ValuesProof *proof, Opcode opcode, ElementType type);
/* Whether op(x, constant) is x. */
[[nodiscard]] bool law_neutral(ValuesProof *proof, Opcode opcode, const Spot *constant);
/* Whether 0 + x is x: a sum from 0 of one summand is the summand. */
[[nodiscard]] bool law_sums_one(ValuesProof *proof, ElementType type);
/* Whether op(x, x) is x. */
[[nodiscard]] bool law_repeats(ValuesProof *proof, Opcode opcode, ElementType type);
/* The operand that the operation equals. */
[[nodiscard]] bool law_reduces(ValuesProof *proof, const Spot *spot, Spot *to);
/* The names, in the order of the laws; null: none. */
[[nodiscard]] const char *laws_used(const ValuesProof *proof, Arena *arena);
/* Separate the used laws of a claim: laws_begin starts with none; laws_end adds those of a proved
 * claim to the earlier ones. */
[[nodiscard]] UsedLaws laws_begin(ValuesProof *proof);
void laws_end(ValuesProof *proof, UsedLaws before, Same same);
void laws_join(ValuesProof *proof, const UsedLaws *used);

/* ---- constants ---- */
/* The element at a constant index, or the element that all are equal to. */
typedef struct ElementLiteral {
  bool is_known, is_uniform;
  const char *text;
  size_t length;
} ElementLiteral;
[[nodiscard]] ElementLiteral literal_at(ValuesProof *proof, const Spot *spot);
[[nodiscard]] bool literal_is_minus_zero(const ElementLiteral *literal);
/* Parses the text as an integer; false for -0. */
[[nodiscard]] bool literal_integer(const ElementLiteral *literal, Wide *value);
/* Whether two constants with elided texts are one instruction, or the only ones of that name in
 * each graph. */
[[nodiscard]] bool elided_same(const Instruction *a, const Instruction *b);
[[nodiscard]] Same constants_same(
    ValuesProof *proof, const Given *given, const Spot *a, const Spot *b);

/* ---- folds ---- */
typedef struct Fold {
  const Instruction *instruction;
  bool is_product;      /* dot and convolution: a sum of products of two */
  uint32_t first, last; /* numbers of the variables, including those with one value */
  uint32_t count;       /* folded variables */
  Sum *variables;
  int64_t *sizes;
  Given given; /* constraints of the tuples */
  uint32_t tuple_count, initial_count;
  Spot *tuple, *initials;
  bool is_sequence; /* the order of the tuples counts */
} Fold;
[[nodiscard]] bool fold_is_well_formed(const Sums *sums, const Fold *fold);
/* False if the operation has no formula here. `side` 0 or 1 separates the variables of two
 * folds. */
[[nodiscard]] bool spot_fold(ValuesProof *proof, const Spot *spot, uint32_t side, Fold *fold);
/* The same, with variables numbered from `first` on. */
[[nodiscard]] bool spot_fold_from(
    ValuesProof *proof, const Spot *spot, uint32_t side, uint32_t first, Fold *fold);
/* The function of a reduction of one input, if it is one operation of both its parameters. */
[[nodiscard]] bool fold_operation(const Instruction *reduction, Opcode *opcode, bool *is_exchanged);
/* Merges a fold of folds into one, if the laws allow it: adds the inner variables, and drops
 * neutral elements. */
void fold_flatten(
    ValuesProof *proof, const Given *given, const Spot *spot, uint32_t side, Fold *fold);
/* The replacement of the fold's variables by these sums. */
[[nodiscard]] AtomChange fold_change(ValuesProof *proof, const Fold *fold, const Sum *by_variable);
[[nodiscard]] Same folds_same(ValuesProof *proof, const Given *given, const Spot *a, const Spot *b);

/* Equations between the variables of two folds: each sum is 0 for matched tuples. */
typedef struct Equations {
  Sum *items;
  uint32_t count, capacity;
} Equations;
/* The variables of each fold over the other's, proved to be inverse and onto. */
typedef struct Meeting {
  Sum *to_b; /* [b->count] over the variables of a */
  Sum *to_a; /* [a->count] over the variables of b */
} Meeting;
[[nodiscard]] bool folds_meet(ValuesProof *proof, const Given *given, const Fold *a, const Fold *b,
    const Equations *equations, Meeting *meeting);

/* Whether exchanged operands matter at most for the payload of a NaN and the sign of a zero. */
[[nodiscard]] bool opcode_exchanges(Opcode opcode);
/* Whether a leaf of the fold depends on the order of the tuples. That of a sum or an extremum
 * counts only if the fold `is_padded` and no laws of the grade state that the operation commutes
 * and associates. */
[[nodiscard]] bool fold_is_sequence(
    ValuesProof *proof, const Fold *fold, uint32_t leaf, bool is_padded);
/* Whether matched tuples are proved to have the same position in their folds. */
[[nodiscard]] bool meeting_keeps_order(
    ValuesProof *proof, const Given *given, const Fold *a, const Fold *b, const Meeting *meeting);

/* ---- sameness ---- */
/* given_equal; if values of the two graphs decide, with the equalities that are proved for them. */
[[nodiscard]] Same indices_same(
    ValuesProof *proof, const Given *given, uint32_t count, const Sum *a, const Sum *b);
/* The sum with one atom per value, whichever instruction of either graph it is read from. */
[[nodiscard]] Sum sum_joined(ValuesProof *proof, Sum sum);
/* The number of atoms that the sum depends on. */
[[nodiscard]] uint32_t sum_weight(ValuesProof *proof, Sum sum);
/* Adds the equalities of values in the constraints and the sums; false: none is new. */
[[nodiscard]] bool given_unify(
    ValuesProof *proof, Given *given, uint32_t count, const Sum *a, const Sum *b);
[[nodiscard]] Same spots_same(ValuesProof *proof, const Given *given, const Spot *a, const Spot *b);
/* Compares whole leaves of two instructions. */
[[nodiscard]] Same leaves_same(ValuesProof *proof, const CallSite *frame_a, const Instruction *a,
    uint32_t leaf_a, const CallSite *frame_b, const Instruction *b, uint32_t leaf_b);
[[nodiscard]] Same called_same(ValuesProof *proof, const Instruction *a, const Instruction *b);
/* Compares whole operands, called computations and attributes. */
[[nodiscard]] Same functions_same(
    ValuesProof *proof, const Given *given, const Spot *a, const Spot *b);

#endif
