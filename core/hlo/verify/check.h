/* Shared by the files of the verifier: the instruction that is being checked, its messages and
 * small checks. An `infer_<group>` returns the shape that the operation semantics determine from
 * operands and attributes, or nullptr if the instruction's own shape decides (custom-call, bitcast,
 * iota); false means that the error is set. */
#ifndef CORE_HLO_VERIFY_CHECK_H
#define CORE_HLO_VERIFY_CHECK_H

#include <assert.h>

#include "core/hlo/graph.h"

typedef struct Check {
  Arena *arena;
  const Module *module; /* nullptr while a module is read or built */
  const Source *source; /* nullptr for a module that was not parsed from a text */
  const Instruction *instruction;
  Error *error;
} Check;

/* Sets "<opcode>: <message>" at the attribute, if the instruction has it, else at the instruction.
 * Always false. */
#define check_fail(check, ...) \
  (check_fail_from((check), nullptr, __FILE__, __LINE__, __VA_ARGS__), error_false())
#define check_fail_at(check, attribute, ...) \
  (check_fail_from((check), (attribute), __FILE__, __LINE__, __VA_ARGS__), error_false())
[[gnu::format(printf, 5, 6)]] void check_fail_from(const Check *check, const char *attribute,
    const char *code_file, int code_line, const char *format, ...);

[[nodiscard]] static inline const Shape *operand_shape(const Check *check, uint32_t operand) {
  assert(operand < check->instruction->operand_count);
  return check->instruction->operands[operand]->shape;
}
/* A shape for messages; allocated in the check's arena. */
[[nodiscard]] const char *shape_words(const Check *check, const Shape *shape);

[[nodiscard]] bool check_array(const Check *check, uint32_t operand);
[[nodiscard]] bool check_arrays(const Check *check);
/* The groups of a collective name each device once, its pairs at most once. */
[[nodiscard]] bool check_devices(const Check *check);
[[nodiscard]] bool check_scalar(const Check *check, uint32_t operand);
[[nodiscard]] bool check_same_sizes(const Check *check, uint32_t a, uint32_t b);
[[nodiscard]] bool check_same_types(const Check *check, uint32_t a, uint32_t b);
/* Equal types, or two floating-point types if the instruction's shape is written: which of two is
 * the result's has depended on the version of XLA (docs/decisions/0133). */
[[nodiscard]] bool check_mixing_types(const Check *check, uint32_t a, uint32_t b);
/* Any types if the instruction's shape is written; else equal ones, since no rule here says which
 * of two is the result's. */
[[nodiscard]] bool check_contracted_types(const Check *check);
/* Checks that every dimension is in [0, rank) and none occurs twice. */
[[nodiscard]] bool check_dimensions(
    const Check *check, const char *name, Ints dimensions, uint32_t rank);
[[nodiscard]] bool check_count(
    const Check *check, const char *name, uint32_t count, uint32_t wanted);
[[nodiscard]] bool check_increasing(const Check *check, const char *name, Ints dimensions);
/* Checks that `dimensions` has one element, in [0, rank). */
[[nodiscard]] bool check_one_dimension(const Check *check, uint32_t rank, uint32_t *dimension);
[[nodiscard]] bool make_array(
    const Check *check, ElementType type, uint32_t rank, const int64_t *sizes, const Shape **shape);
/* The same with upper bounds for sizes where `bounds`, an entry for each dimension, is true. */
[[nodiscard]] bool make_bounded(const Check *check, ElementType type, uint32_t rank,
    const int64_t *sizes, const bool *bounds, const Shape **shape);
/* Adds the bounds of an operand of the same rank to `bounds`. */
void bounds_add(bool *bounds, const Shape *operand);
/* The only shape itself, or a tuple of none (an all-reduce may have no operand) or of several. */
[[nodiscard]] const Shape *make_result(
    const Check *check, uint32_t count, const Shape *const *shapes);

/* The called computation with this role, or nullptr. */
[[nodiscard]] const Computation *called_as(const Instruction *instruction, const char *role);
[[nodiscard]] bool check_called_once(
    const Check *check, const char *role, const Computation **computation);
/* Checks for `count` parameters of rank 0. */
[[nodiscard]] bool check_scalar_parameters(
    const Check *check, const Computation *computation, uint32_t count);
/* Checks that the scalar parameter has the type of the operand's elements; two floating-point types
 * may differ. */
[[nodiscard]] bool check_parameter_takes(
    const Check *check, const Computation *computation, uint32_t parameter, uint32_t operand);
[[nodiscard]] bool check_returns_pred(const Check *check, const Computation *computation);

/* Numbers of operands: the first of `count` initial values, or of arrays that are updated, and the
 * first of as many arrays that are reduced into them. */
typedef struct ReducerOperands {
  uint32_t count, starts, values;
} ReducerOperands;
/* Checks the reducer with this role: 2 * count scalars that have the operands' types, and count
 * scalars returned. */
[[nodiscard]] bool check_reducer(const Check *check, const char *role,
    const ReducerOperands *operands, const Computation **reducer);

/* One bool for each dimension, all false. */
[[nodiscard]] bool *dimension_set(const Check *check, uint32_t rank);
void dimension_set_add(bool *set, Ints dimensions);

/* Checks the window's dimension, and returns the number of window positions over a dimension of
 * `size`. */
[[nodiscard]] bool window_output_size(
    const Check *check, const WindowDim *window, uint32_t dimension, int64_t size, int64_t *output);

typedef bool Infer(const Check *check, const Shape **shape);

/* The rule of each group, from the sections that opcodes.def names for the group; some groups share
 * the rule of another. */
#define infer_copy infer_elementwise
#define infer_map infer_elementwise
#define infer_rng infer_source
#define infer_after_all infer_structure
#define infer_async_start infer_async
#define infer_all_reduce infer_collective
#define infer_collective_done infer_collective
#define infer_reduce_scatter infer_collective
#define infer_all_gather infer_collective
#define infer_all_gather_start infer_collective
#define infer_all_to_all infer_collective
#define infer_ragged_all_to_all infer_collective
#define infer_collective_permute infer_collective
#define infer_collective_permute_start infer_collective
#define infer_rng_bit_generator infer_opaque
#define infer_custom_call infer_opaque
#define infer_get_dimension_size infer_opaque
#define infer_dynamic_size infer_opaque
#define GROUP(group, family) Infer infer_##group;
#include "core/hlo/opcodes.def"
#undef GROUP

/* Applies the rule of the instruction's opcode, after checking the number of operands. */
[[nodiscard]] bool infer_shape(const Check *check, const Shape **shape);

#endif
