/* One operation made from choices: its attributes, its further operands, and the shape of its
 * result. Scopes enumerate the choices, the fuzzer's decoder reads them from bytes.
 * Keeps: every sequence of choices is legal HLO, and different sequences are different
 * instructions. */
#ifndef GENERATE_OPERATION_H
#define GENERATE_OPERATION_H

#include "core/hlo/build/build.h"
#include "generate/choices/choices.h"
#include "generate/operations/limits.h"
#include "generate/operations/tensor.h"

/* Where further operands and called computations come from. Each function may choose. */
typedef struct OperandSource OperandSource;
struct OperandSource {
  /* An array of this type and shape, and a scalar to begin or to pad with. */
  Instruction *(*array)(OperandSource *source, ElementType type, const Tensor *tensor);
  Instruction *(*laid_array)(OperandSource *source, ElementType type, const Tensor *tensor,
      const uint32_t *minor_to_major); /* nullptr: limits ask for no layouts */
  Instruction *(*parameter)(OperandSource *source, const Shape *shape); /* a tuple too */
  /* The operand at hand where it has the type, or an array of the type in its place. */
  Instruction *(*of_type)(
      OperandSource *source, Instruction *operand, ElementType type, const Tensor *tensor);
  Instruction *(*offset)(OperandSource *source); /* nullptr: limits draw none */
  /* A constant of s32, its elements in row-major order. */
  Instruction *(*constants)(OperandSource *source, const Tensor *tensor, const int64_t *values);
  Instruction *(*scalar)(OperandSource *source, ElementType type);
  Instruction *(*indices)(OperandSource *source, const Tensor *tensor); /* of s32 */
  /* Combines `count` pairs of scalars of these types, each with its own kind. */
  Computation *(*reducer)(OperandSource *source, uint32_t count, const ElementType *types);
  /* A computation of one instruction alone; returns it. */
  Computation *(*called)(OperandSource *source, Computation *computation);
  /* Compares two scalars of f32. */
  Computation *(*comparison)(OperandSource *source);
};

/* The operand has the type and the tensor `in`. Without a builder only the choices are made and the
 * shape of the result: the operand and the source are then nullptr. */
typedef struct OperationCase {
  Choices *choices;
  const OperationLimits *limits;
  ElementType type;
  Tensor in, out; /* out: of each array of the result */
  Builder *builder;
  Instruction *operand, *result;
  uint64_t detail; /* what a form chooses beside its number: a dimension, or a set of them */
  OperandSource *source;
} OperationCase;

/* False: the operation takes no such operand. */
typedef bool OperationGenerator(OperationCase *at_hand);

typedef enum OperationUse : uint16_t {
  CHAIN = 1,
  MIXED = 2,
  EMPTY = 4,
  COMPLEX = 8,
  FILLED = 16,
#define FUZZED(number) (((number) + 1) << 8)
} OperationUse;

typedef enum GeneratedOperation : uint8_t {
#define OPERATION(id, name, uses, ranges) GENERATED_##id,
#include "generate/operations/scope.def"
} GeneratedOperation;
static constexpr uint32_t generated_count = 0
#define OPERATION(id, name, uses, ranges) +1
#include "generate/operations/scope.def"
    ;
extern OperationGenerator *const operation_generators[generated_count];

#define OPERATION(id, name, uses, ranges) OperationGenerator generate_##id;
#include "generate/operations/scope.def"

/* In keys an operation is any number that stands for it alone, such as its GeneratedOperation.
 * A join before dimension `from` of the operand: the choices that follow depend on the operation,
 * on the sizes from there on, and on `state`. */
void operation_join(
    const OperationCase *at_hand, uint32_t operation, uint32_t from, uint64_t state);
/* The same where the choices that follow depend on the sizes of this tensor. */
void operation_join_tensor(const OperationCase *at_hand, uint32_t operation, const Tensor *tensor);
/* A shape of as many elements within the limits; of none, sizes of which one at least is 0. */
[[nodiscard]] Tensor choose_shape(
    Choices *choices, const OperationLimits *limits, int64_t elements);
/* `a >= b` of two scalars of f32, by the name `at_least`. */
[[nodiscard]] Computation *operation_comparison(ModuleBuilder *module);
/* The key of the operation's first choice. */
[[nodiscard]] ChoiceKey operation_key(uint32_t operation, const Tensor *in);

#endif
