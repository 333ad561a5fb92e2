/* Builds HLO graphs. Only this builder and the reader create graphs. A module builder collects
 * computations; a builder appends the instructions of one computation. Each function takes operands
 * of the same computation, infers the result's shape as the verifier does, and returns the new
 * instruction.
 *
 * The module builder keeps the first error: from then on every function returns nullptr, and
 * accepts nullptr as an operand. Everything is allocated in the module builder's arena. Values are
 * named v0, v1, .., parameters p0, p1, .., constants c0, c1, .. within their computation. */
#ifndef CORE_HLO_BUILD_BUILD_H
#define CORE_HLO_BUILD_BUILD_H

#include "core/hlo/graph.h"

typedef struct BuiltComputations {
  uint32_t count, capacity;
  Computation **items;
} BuiltComputations;

typedef struct ModuleBuilder {
  Arena *arena;
  Error error;
  BuiltComputations computations; /* finished ones, callees before callers */
} ModuleBuilder;

typedef struct BuiltInstructions {
  uint32_t count, capacity;
  Instruction **items;
} BuiltInstructions;

typedef struct Builder {
  ModuleBuilder *module;
  Computation *computation;
  BuiltInstructions instructions, parameters;
  uint32_t value_count, constant_count;
} Builder;

[[nodiscard]] ModuleBuilder hlo_module_builder(Arena *arena);
/* Begins a computation; names are unique in a module. */
[[nodiscard]] Builder hlo_build_computation(ModuleBuilder *module, const char *name);
/* Finishes it; the computations that it calls must be finished before. Returns nullptr after an
 * error. */
Computation *hlo_build_finish(Builder *builder, Instruction *root);
/* The finished computation with this name, or nullptr. */
[[nodiscard]] Computation *hlo_built_computation(const ModuleBuilder *module, const char *name);
/* Builds and verifies the module of all finished computations; the last one is its entry. */
[[nodiscard]] bool hlo_build_module(
    ModuleBuilder *module, const char *name, const Module **built, Error *error);

/* Removes the computations that the entry does not call, also through others. */
void hlo_drop_uncalled(Arena *arena, Module *module);

/* Any instruction, in two steps; the caller sets fields and attributes in between. If `shape` is
 * nullptr, `hlo_build_end` infers the shape; otherwise it checks `shape`. */
[[nodiscard]] Instruction *hlo_build_begin(
    Builder *builder, Opcode opcode, uint32_t operand_count, Instruction *const *operands);
[[nodiscard]] Instruction *hlo_build_end(
    Builder *builder, Instruction *instruction, const Shape *shape);
/* Called between the two steps. Roles are as in graph.h; `text` is the attribute's value in HLO
 * syntax. */
void hlo_build_call(
    Builder *builder, Instruction *instruction, const char *role, Computation *called);
void hlo_build_attribute(
    Builder *builder, Instruction *instruction, const char *name, const char *text);
[[nodiscard]] Ints hlo_build_ints(Builder *builder, uint32_t count, const int64_t *values);

[[nodiscard]] const Shape *hlo_build_shape(
    Builder *builder, ElementType type, uint32_t rank, const int64_t *sizes);

/* With a layout, unless the shape is a scalar. */
[[nodiscard]] const Shape *hlo_build_laid_shape(Builder *builder, ElementType type, uint32_t rank,
    const int64_t *sizes, const uint32_t *minor_to_major);

[[nodiscard]] Instruction *hlo_build_parameter(Builder *builder, const Shape *shape);
/* A scalar or array of an integral type, with these elements in row-major order. */
[[nodiscard]] Instruction *hlo_build_constant(
    Builder *builder, const Shape *shape, const int64_t *values);
/* An elementwise operation whose shape follows from its operands. */
[[nodiscard]] Instruction *hlo_build_elementwise(
    Builder *builder, Opcode opcode, uint32_t operand_count, Instruction *const *operands);
[[nodiscard]] Instruction *hlo_build_tuple(
    Builder *builder, uint32_t operand_count, Instruction *const *operands);
[[nodiscard]] Instruction *hlo_build_element(Builder *builder, Instruction *tuple, uint32_t index);

/* An operation whose only attribute is `dimensions`; `shape` as for hlo_build_end. */
[[nodiscard]] Instruction *hlo_build_dimensions(Builder *builder, Opcode opcode,
    uint32_t operand_count, Instruction *const *operands, uint32_t count, const int64_t *dimensions,
    const Shape *shape);
/* Each array has `rank` entries. */
[[nodiscard]] Instruction *hlo_build_slice(Builder *builder, Instruction *operand,
    const int64_t *starts, const int64_t *limits, const int64_t *strides);
[[nodiscard]] Instruction *hlo_build_pad(
    Builder *builder, Instruction *operand, Instruction *value, const PadDim *padding);
/* `inputs` arrays and as many initial values; the reducer takes twice as many scalars and returns
 * `inputs` scalars. */
[[nodiscard]] Instruction *hlo_build_reduce(Builder *builder, uint32_t inputs,
    Instruction *const *operands, uint32_t count, const int64_t *dimensions, Computation *reducer);
/* `dims` has as many entries as the operands have dimensions. */
[[nodiscard]] Instruction *hlo_build_reduce_window(Builder *builder, uint32_t inputs,
    Instruction *const *operands, const WindowDim *dims, Computation *reducer);
/* Operand, source and initial value. */
[[nodiscard]] Instruction *hlo_build_select_and_scatter(Builder *builder,
    Instruction *const operands[3], const WindowDim *dims, Computation *select,
    Computation *scatter);
/* Input and kernel; as many windows as spatial dimensions. */
[[nodiscard]] Instruction *hlo_build_convolution(Builder *builder, Instruction *const operands[2],
    const WindowDim *dims, const ConvolutionNumbers *numbers, int64_t feature_groups,
    int64_t batch_groups);

/* Any of the three dots. */
[[nodiscard]] Instruction *hlo_build_dot(Builder *builder, Opcode opcode, uint32_t operand_count,
    Instruction *const *operands, const DotNumbers *numbers);
/* The array and its offsets; `sizes` has `rank` entries. */
[[nodiscard]] Instruction *hlo_build_dynamic_slice(
    Builder *builder, uint32_t operand_count, Instruction *const *operands, const int64_t *sizes);
[[nodiscard]] Instruction *hlo_build_gather(
    Builder *builder, Instruction *operand, Instruction *indices, const GatherNumbers *numbers);
/* `arrays` arrays, the indices, and as many updates. `numbers` are those of the gather whose result
 * has the updates' shape. */
[[nodiscard]] Instruction *hlo_build_scatter(Builder *builder, uint32_t arrays,
    Instruction *const *operands, const GatherNumbers *numbers, Computation *combiner);

/* A computation with this name: `x OPCODE y` for `count` pairs of scalars, at most
 * combiner_capacity. Parameters are the left sides, then the right sides; several results form a
 * tuple. */
static constexpr uint32_t combiner_capacity = 3;
[[nodiscard]] Computation *hlo_build_combiner(ModuleBuilder *module, const char *name,
    Opcode opcode, uint32_t count, const ElementType *types);

#endif
