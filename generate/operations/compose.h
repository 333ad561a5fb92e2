/* Short forms for generators that build several instructions. Like the builder, they pass nullptr
 * on. */
#ifndef GENERATE_OPERATIONS_COMPOSE_H
#define GENERATE_OPERATIONS_COMPOSE_H

#include "generate/operations/operation.h"

#define OPERANDS(...) \
  sizeof((Instruction *[]){__VA_ARGS__}) / sizeof(Instruction *), (Instruction *[]) { __VA_ARGS__ }
/* An instruction without attributes whose shape is inferred from its operands. */
#define BUILD(builder, opcode, ...) \
  hlo_build_elementwise(builder, HLO_##opcode, OPERANDS(__VA_ARGS__))
/* The same with a given shape. */
#define BUILD_AS(builder, shape, opcode, ...) \
  hlo_build_end(builder, hlo_build_begin(builder, HLO_##opcode, OPERANDS(__VA_ARGS__)), shape)
#define SHAPES(builder, ...) \
  shape_tuple((builder)->module->arena, \
      sizeof((const Shape *[]){__VA_ARGS__}) / sizeof(const Shape *), \
      (const Shape *[]){__VA_ARGS__})

[[nodiscard]] static inline const Shape *shape_of_tensor(
    Builder *builder, ElementType type, const Tensor *tensor) {
  return hlo_build_shape(builder, type, tensor->rank, tensor->sizes);
}
[[nodiscard]] static inline const Shape *shape_of_scalar(Builder *builder, ElementType type) {
  return hlo_build_shape(builder, type, 0, nullptr);
}
[[nodiscard]] static inline const Shape *shape_of_vector(
    Builder *builder, ElementType type, int64_t size) {
  return hlo_build_shape(builder, type, 1, &size);
}
[[nodiscard]] static inline Instruction *build_number(
    Builder *builder, ElementType type, int64_t number) {
  return hlo_build_constant(builder, shape_of_scalar(builder, type), &number);
}
/* An instruction with one attribute as HLO text. */
[[nodiscard]] static inline Instruction *build_with(Builder *builder, Opcode opcode, uint32_t count,
    Instruction *const *operands, const Shape *shape, const char *name, const char *text) {
  Instruction *made = hlo_build_begin(builder, opcode, count, operands);
  hlo_build_attribute(builder, made, name, text);
  return hlo_build_end(builder, made, shape);
}
[[nodiscard]] static inline Instruction *build_compare(
    Builder *builder, Instruction *left, Instruction *right, const char *direction) {
  return build_with(builder, HLO_COMPARE, OPERANDS(left, right), nullptr, "direction", direction);
}
/* A scalar broadcast to the shape. */
[[nodiscard]] static inline Instruction *build_filled(
    Builder *builder, Instruction *scalar, const Shape *shape) {
  return hlo_build_dimensions(builder, HLO_BROADCAST, 1, &scalar, 0, nullptr, shape);
}
/* An iota along dimension 0. */
[[nodiscard]] static inline Instruction *build_iota(Builder *builder, const Shape *shape) {
  return hlo_build_end(builder, hlo_build_begin(builder, HLO_IOTA, 0, nullptr), shape);
}

/* The shape of the current array, and another array of that shape. */
[[nodiscard]] static inline const Shape *shape_at_hand(const OperationCase *at_hand) {
  return at_hand->operand->shape;
}
[[nodiscard]] static inline Instruction *array_alike(OperationCase *at_hand) {
  return at_hand->source->array(at_hand->source, at_hand->type, &at_hand->in);
}
[[nodiscard]] static inline Instruction *scalar_given(OperationCase *at_hand, ElementType type) {
  return at_hand->source->array(at_hand->source, type, &(Tensor){});
}
/* Chooses the number of a form. With is_finished, forms in the set `begun` are skipped. */
[[nodiscard]] static inline uint64_t choose_form(
    const OperationCase *at_hand, uint64_t count, uint64_t begun) {
  uint64_t left_out = at_hand->limits->is_finished ? begun : 0;
  assert(count < 64 && begun >> count == 0);
  uint64_t form = choose(at_hand->choices, count - (uint64_t)__builtin_popcountll(left_out));
  for (uint64_t i = 0; i <= form; i++) form += left_out >> i & 1;
  return form;
}

#endif
