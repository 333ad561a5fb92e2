/* What one output element of one instruction reads, as formulas: written from the operation
 * semantics, shared with nobody. An access is an operand, the element read as a tuple of sums over
 * the output's index, and a piece: hidden integers (the reduced index, the place in a window) and
 * the constraints under which the read happens. Several accesses are a union.
 * An access is made or it is not: what is allowed and not required would be exact whether a map has
 * it or not. */
#ifndef SMT_HLO_READING_H
#define SMT_HLO_READING_H

#include "core/hlo/graph.h"
#include "smt/relation/piece.h"

/* Through which call an instruction of a called computation is looked at; null at the top. */
typedef struct CallSite {
  const Instruction *caller;
  const struct CallSite *outer;
} CallSite;

/* Which operand of the caller a parameter of the called computation is: of a branch the one after
 * the index that the branch has. False where it is none. */
[[nodiscard]] bool frame_operand(
    const CallSite *frame, const Instruction *parameter, uint32_t *operand);

typedef struct Access {
  uint32_t operand, leaf;
  Piece piece;
  uint32_t rank;
  Sum *element; /* [rank] */
  const char
      *lacking; /* set: this operand is read, and which of its elements is not written here */
} Access;

typedef struct Accesses {
  Access **items;
  uint32_t count, capacity;
} Accesses;

/* The value of an element of an integral instruction (hlo_value). */
typedef Sum ReadValue(Sums *sums, const CallSite *frame, const Instruction *instruction,
    uint32_t leaf, const Sum *index);

typedef struct SmtReading {
  Sums *sums;
  const CallSite *frame;
  ReadValue *value; /* of operands whose values decide what is read */
  const Instruction *instruction;
  uint32_t leaf;
  const Shape *shape; /* of the leaf */
  const Sum *index;   /* [shape->rank], within the shape */
  Accesses accesses;
  const char *lacking; /* why there are no semantics, where there are none */
} SmtReading;

/* All reads of the element; false with `lacking` where the operation has no definite read relation,
 * or none is written. fusion, call, map and async-start are not asked here: the walk goes through
 * their bodies. */
[[nodiscard]] bool hlo_accesses(SmtReading *reading);

/* One function a group of opcodes, and the groups that share the function of another. */
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

/* What they share. */
[[nodiscard]] bool reading_lacks(SmtReading *reading, const char *why);
/* A new access; its element has room for the operand leaf's rank and is all zero. */
[[nodiscard]] Access *reading_access(SmtReading *reading, uint32_t operand, uint32_t leaf);
/* Every element of the operand, or of one leaf of it. */
Access *reading_all(SmtReading *reading, uint32_t operand);
Access *reading_all_of_leaf(SmtReading *reading, uint32_t operand, uint32_t leaf);
[[nodiscard]] bool reading_finds(Ints list, int64_t value, uint32_t *at);
/* The same index in the operand as in the output. */
void reading_identity(SmtReading *reading, uint32_t operand, uint32_t leaf);
/* The single element of a rank-0 operand. */
void reading_scalar(SmtReading *reading, uint32_t operand);
[[nodiscard]] const Shape *operand_leaf_shape(
    const SmtReading *reading, uint32_t operand, uint32_t leaf);
[[nodiscard]] Sum sum_plus(Sums *sums, Sum sum, Wide constant);
/* Row-major position of an index in sizes, and the index at a position; `order` is the dimensions
 * from minor to major. */
[[nodiscard]] Sum position_of(
    Sums *sums, uint32_t rank, const int64_t *sizes, const uint32_t *order, const Sum *index);
void index_at(Sums *sums, uint32_t rank, const int64_t *sizes, const uint32_t *order, Sum position,
    Sum *index);

/* The value of an element of an integral instruction, as HLO computes it: constants, iota and the
 * arithmetic on them as formulas with the wrap-around of the element type; what is not known is a
 * value atom named by the instruction after all data movement. */
[[nodiscard]] Sum hlo_value(Sums *sums, const CallSite *frame, const Instruction *instruction,
    uint32_t leaf, const Sum *index);
/* What a value atom stands for. */
typedef enum AtomValueKind : uint8_t {
  VALUE_OF_PARAMETER,   /* of the outermost computation: any value of the type may occur */
  VALUE_OF_INSTRUCTION, /* an element of an instruction that is not looked into */
  VALUE_OF_FUNCTION,    /* an operation without a formula, applied to values */
  VALUE_FIXED, /* computed from constants alone: it is what it is, though no formula here says so */
} AtomValueKind;
[[nodiscard]] AtomValueKind hlo_value_kind(const Sums *sums, uint32_t atom);

/* An integral elementwise operation on its operands' values; false where it has no linear
 * formula. */
[[nodiscard]] bool hlo_compute(
    Sums *sums, const Instruction *instruction, const Sum *operands, Sum *value);
[[nodiscard]] bool hlo_type_range(ElementType type, Wide *lo, Wide *hi);
/* x as its element type holds it. */
[[nodiscard]] Sum hlo_wrapped(Sums *sums, ElementType type, Sum x);

#endif
