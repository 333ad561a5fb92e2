/* What the files of the verifier share: one instruction that is being checked, and the words to say
 * what is wrong with it.
 * An `infer_<family>` gives the shape that the operation semantics fix for the instruction's
 * operands and attributes, or nullptr where they leave it to the instruction (custom-call, bitcast,
 * iota); false means that the error is set. */
#ifndef CORE_HLO_CHECK_H
#define CORE_HLO_CHECK_H

#include <assert.h>

#include "core/hlo/graph.h"

typedef struct Check {
  Arena *arena;
  const Source *source; /* nullptr for a module that was not read from a text */
  const Instruction *instruction;
  Error *error;
} Check;

/* "<opcode>: <message>" at the instruction, or at its attribute where it has it; always false. */
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
/* For messages; lives in the check's arena. */
[[nodiscard]] const char *shape_words(const Check *check, const Shape *shape);

[[nodiscard]] bool check_array(const Check *check, uint32_t operand);
[[nodiscard]] bool check_arrays(const Check *check);
[[nodiscard]] bool check_scalar(const Check *check, uint32_t operand);
[[nodiscard]] bool check_same_sizes(const Check *check, uint32_t a, uint32_t b);
[[nodiscard]] bool check_same_types(const Check *check, uint32_t a, uint32_t b);
/* The same, or two floating-point types of an instruction whose shape is written. */
[[nodiscard]] bool check_mixing_types(const Check *check, uint32_t a, uint32_t b);
/* Every one is in [0, rank) and none occurs twice. */
[[nodiscard]] bool check_dimensions(
    const Check *check, const char *name, Ints dimensions, uint32_t rank);
[[nodiscard]] bool check_count(
    const Check *check, const char *name, uint32_t count, uint32_t wanted);
[[nodiscard]] bool check_increasing(const Check *check, const char *name, Ints dimensions);
/* The sole element of `dimensions`, in [0, rank). */
[[nodiscard]] bool check_one_dimension(const Check *check, uint32_t rank, uint32_t *dimension);
[[nodiscard]] bool make_array(
    const Check *check, ElementType type, uint32_t rank, const int64_t *sizes, const Shape **shape);
/* The sole shape, or a tuple of none (an all-reduce may have no operand) or several. */
[[nodiscard]] const Shape *make_result(
    const Check *check, uint32_t count, const Shape *const *shapes);

/* The computation with this role, or nullptr. */
[[nodiscard]] const Computation *called_as(const Instruction *instruction, const char *role);
[[nodiscard]] bool check_called_once(
    const Check *check, const char *role, const Computation **computation);
/* `count` parameters of rank 0. */
[[nodiscard]] bool check_scalar_parameters(
    const Check *check, const Computation *computation, uint32_t count);

/* Room for one bit for each dimension, false. */
[[nodiscard]] bool *dimension_set(const Check *check, uint32_t rank);
void dimension_set_add(bool *set, Ints dimensions);

/* The sizes of the windows' places over an operand; the window has the operand's rank, and is
 * checked. */
[[nodiscard]] bool window_output_size(
    const Check *check, const WindowDim *window, uint32_t dimension, int64_t size, int64_t *output);

typedef bool Infer(const Check *check, const Shape **shape);

/* The rules of the groups, each from the sections that opcodes.def names beside the group, and the
 * groups that share the rule of another. */
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
#define infer_transfer infer_opaque
#define infer_batch_norm_training infer_opaque
#define infer_batch_norm_inference infer_opaque
#define infer_batch_norm_grad infer_opaque
#define infer_get_dimension_size infer_opaque
#define infer_dynamic_size infer_opaque
#define GROUP(group, family) Infer infer_##group;
#include "core/hlo/opcodes.def"
#undef GROUP

/* The rule of the instruction's opcode; the number of operands is checked first. */
[[nodiscard]] bool infer_shape(const Check *check, const Shape **shape);

#endif
