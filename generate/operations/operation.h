/* One operation built from choices: its attributes, its further operands, and its result shape.
 * Scopes enumerate the choices; the fuzzer's decoder reads them from bytes.
 * Keeps: every choice sequence is legal HLO, and different sequences are different instructions. */
#ifndef GENERATE_OPERATIONS_OPERATION_H
#define GENERATE_OPERATIONS_OPERATION_H

#include "core/hlo/build/build.h"
#include "core/base/choices.h"
#include "generate/operations/limits.h"
#include "generate/operations/tensor.h"

/* The source of further operands and called computations. Each function may choose. */
typedef struct OperandSource OperandSource;
struct OperandSource {
  /* An array of this type and shape. */
  Instruction *(*array)(OperandSource *source, ElementType type, const Tensor *tensor);
  Instruction *(*laid_array)(OperandSource *source, ElementType type, const Tensor *tensor,
      const uint32_t *minor_to_major); /* nullptr: limits must not ask for layouts */
  Instruction *(*parameter)(OperandSource *source, const Shape *shape); /* may be a tuple */
  /* The current operand if it has the type, else an array of the type. */
  Instruction *(*of_type)(
      OperandSource *source, Instruction *operand, ElementType type, const Tensor *tensor);
  Instruction *(*offset)(OperandSource *source); /* nullptr: limits must not draw offsets */
  /* A constant of s32, its elements in row-major order. */
  Instruction *(*constants)(OperandSource *source, const Tensor *tensor, const int64_t *values);
  Instruction *(*scalar)(OperandSource *source, ElementType type);
  Instruction *(*indices)(OperandSource *source, const Tensor *tensor); /* of s32 */
  /* Combines `count` pairs of scalars, pairwise of these types. */
  Computation *(*reducer)(OperandSource *source, uint32_t count, const ElementType *types);
  /* Registers a computation that a single instruction calls; returns it. */
  Computation *(*called)(OperandSource *source, Computation *computation);
  /* Compares two scalars of f32. */
  Computation *(*comparison)(OperandSource *source);
};

/* The operand has the type and the tensor `in`. With builder == nullptr only the choices are made
 * and the result shape is computed; operand and source are then nullptr. */
typedef struct OperationCase {
  Choices *choices;
  const OperationLimits *limits;
  ElementType type;
  Tensor in, out; /* out: of each array of the result */
  Builder *builder;
  Instruction *operand, *result;
  uint64_t detail; /* a form's further choice: a dimension, or a set of dimensions */
  OperandSource *source;
} OperationCase;

/* Returns false if the operation does not accept the operand. */
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

/* The number of the fusion that reverses its operand among the finished forms of
 * generate_boundary. */
[[nodiscard]] uint8_t generate_reversing_fusion(void);

/* Joins before dimension `from` of the operand: the choices that follow depend on the operation, on
 * the sizes from there on, and on `state`. In keys, an operation is any number unique to it, such
 * as its GeneratedOperation. */
void operation_join(
    const OperationCase *at_hand, uint32_t operation, uint32_t from, uint64_t state);
/* The same if the choices that follow depend on the sizes of this tensor. */
void operation_join_tensor(const OperationCase *at_hand, uint32_t operation, const Tensor *tensor);
/* Chooses a shape with this number of elements within the limits; for 0, at least one size is 0. */
[[nodiscard]] Tensor choose_shape(
    Choices *choices, const OperationLimits *limits, int64_t elements);
/* The computation `at_least`: `a >= b` of two scalars of f32. */
[[nodiscard]] Computation *operation_comparison(ModuleBuilder *module);
/* The key of the operation's first choice. */
[[nodiscard]] ChoiceKey operation_key(uint32_t operation, const Tensor *in);

#endif
