/* The reads of one output element of one instruction, as formulas, written from the operation
 * semantics and shared with no other judge. An access is an operand, the element read as a tuple of
 * sums over the output's index, and a piece: hidden integers (the reduced index, the position in a
 * window) and the constraints under which the read happens. Several accesses are a union.
 * Accesses are mandatory, except those marked as a bound: a map that lacks some of these is not
 * shown to be wrong, and no map is exact. */
#ifndef SMT_SEMANTICS_HLO_READING_H
#define SMT_SEMANTICS_HLO_READING_H

#include "core/hlo/graph.h"
#include "smt/relation/piece.h"

/* The call through which an instruction of a called computation is reached; null at the top. */
typedef struct CallSite {
  const Instruction *caller;
  const struct CallSite *outer;
} CallSite;

/* The caller's operand for a parameter of the called computation; for a branch, the operand after
 * the index at the branch's position. False if there is none. */
[[nodiscard]] bool frame_operand(
    const CallSite *frame, const Instruction *parameter, uint32_t *operand);

typedef struct Access {
  uint32_t operand, leaf;
  Piece piece;
  uint32_t rank;
  Sum *element;        /* [rank] */
  const char *lacking; /* set: this operand is read, but its elements have no formula here */
  const char *at_most; /* set: the elements may be read, but need not be, and why */
} Access;

typedef struct Accesses {
  Access **items;
  uint32_t count, capacity;
} Accesses;

/* The value of an element of an integral instruction (hlo_value). */
typedef Sum SmtReadValue(Sums *sums, const CallSite *frame, const Instruction *instruction,
    uint32_t leaf, const Sum *index);

typedef struct SmtReading {
  Sums *sums;
  const CallSite *frame;
  SmtReadValue *value; /* values of operands that decide what is read */
  const Instruction *instruction;
  uint32_t leaf;
  bool joins_sides;   /* what surrounds an update is one access, with a constraint by a maximum */
  const Shape *shape; /* of the leaf */
  const Sum *index;   /* [shape->rank], within the shape */
  Accesses accesses;
  const char *lacking; /* why there are no semantics, if there are none */
} SmtReading;

/* Lists all reads of the element. False with `lacking` if the operation has no definite read
 * relation, or none is written. Not called for fusion, call, map and async-start: the walk enters
 * their bodies. */
[[nodiscard]] bool hlo_accesses(SmtReading *reading);

/* One function per group of opcodes; the macros name groups that share the function of another
 * group. */
typedef bool SmtReads(SmtReading *reading);
#define reads_of_copy reads_of_structure
#define reads_of_after_all reads_of_structure
#define reads_of_async reads_of_structure
#define reads_of_collective_done reads_of_structure
#define reads_of_map reads_of_call
#define reads_of_async_start reads_of_call
#define reads_of_conditional reads_of_while
#define reads_of_batch_norm_training reads_of_batch_norm
#define reads_of_batch_norm_inference reads_of_batch_norm
#define reads_of_batch_norm_grad reads_of_batch_norm
#define reads_of_all_reduce reads_of_collective
#define reads_of_reduce_scatter reads_of_collective
#define reads_of_all_gather reads_of_collective
#define reads_of_all_gather_start reads_of_collective
#define reads_of_all_to_all reads_of_collective
#define reads_of_collective_permute reads_of_collective
#define reads_of_collective_permute_start reads_of_collective
#define reads_of_get_dimension_size reads_of_dynamic_size
#define GROUP(group, family) SmtReads reads_of_##group;
#include "core/hlo/opcodes.def"
#undef GROUP

/* Shared functions. reading_lacks sets `lacking` and returns false. */
[[nodiscard]] static inline bool reading_lacks(SmtReading *reading, const char *why) {
  reading->lacking = why;
  return false;
}
/* A new access; its element has the operand leaf's rank and is zero. */
[[nodiscard]] Access *reading_access(SmtReading *reading, uint32_t operand, uint32_t leaf);
/* Reads every element of the operand, or of one leaf of it. */
Access *reading_all(SmtReading *reading, uint32_t operand);
Access *reading_all_of_leaf(SmtReading *reading, uint32_t operand, uint32_t leaf);
/* Whether the root of the body depends on its parameter of this number. */
[[nodiscard]] bool reading_body_uses(
    const SmtReading *reading, const Computation *body, int64_t number);
[[nodiscard]] bool reading_finds(Ints list, int64_t value, uint32_t *at);
/* Reads the operand at the output's index. */
void reading_identity(SmtReading *reading, uint32_t operand, uint32_t leaf);
/* Reads the single element of a rank-0 operand. */
void reading_scalar(SmtReading *reading, uint32_t operand);
[[nodiscard]] const Shape *operand_leaf_shape(
    const SmtReading *reading, uint32_t operand, uint32_t leaf);
/* The input element at position `within` of the window at `at`, with the constraints that it
 * exists. */
[[nodiscard]] Sum reading_in_window(
    Sums *sums, Piece *piece, const WindowDim *window, Sum at, Sum within, int64_t size);
[[nodiscard]] Sum sum_plus(Sums *sums, Sum sum, Wide constant);
/* The row-major position of an index in sizes, and the index at a position; `order` lists the
 * dimensions from minor to major. */
[[nodiscard]] Sum position_of(
    Sums *sums, uint32_t rank, const int64_t *sizes, const uint32_t *order, const Sum *index);
void index_at(Sums *sums, uint32_t rank, const int64_t *sizes, const uint32_t *order, Sum position,
    Sum *index);

/* The value of an element of an integral instruction, as HLO computes it. Constants, iota and
 * arithmetic on them are formulas with the wrap-around of the element type. An unknown value is a
 * value atom, named by the instruction after all data movement. */
[[nodiscard]] Sum hlo_value(Sums *sums, const CallSite *frame, const Instruction *instruction,
    uint32_t leaf, const Sum *index);
/* The kind of value that an atom represents. */
typedef enum AtomValueKind : uint8_t {
  VALUE_OF_PARAMETER,   /* of the outermost computation: any value of the type may occur */
  VALUE_OF_INSTRUCTION, /* an element of an instruction that is not followed */
  VALUE_OF_FUNCTION,    /* an operation without a formula, applied to values */
  VALUE_FIXED, /* computed only from constants: it has one value, though no formula here expresses
                  it */
} AtomValueKind;
[[nodiscard]] AtomValueKind hlo_value_kind(const Sums *sums, uint32_t atom);
/* An instruction with the operation that the atom applies to values; null: it applies none. */
[[nodiscard]] const Instruction *hlo_value_function(const Sums *sums, uint32_t atom);

/* Computes an integral elementwise operation on its operands' values; false if it has no linear
 * formula. */
[[nodiscard]] bool hlo_compute(
    Sums *sums, const Instruction *instruction, const Sum *operands, Sum *value);
[[nodiscard]] bool hlo_type_range(ElementType type, Wide *lo, Wide *hi);
/* x wrapped in its element type. */
[[nodiscard]] Sum hlo_wrapped(Sums *sums, ElementType type, Sum x);

#endif
