/* Shapes of HLO values: arrays, and tuples of shapes. A shape never changes after it was made; it
 * lives in the arena that made it, as do the shapes that it holds, and shapes may be shared.
 * Array: element type, `rank` sizes (each >= 0), optional layout. A tuple has `element_count`
 * elements and no sizes. The element count of every array is checked to fit int64 when a shape is
 * built or read. */
#ifndef CORE_HLO_SHAPE_H
#define CORE_HLO_SHAPE_H

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/text.h"

typedef enum ElementType : uint8_t {
#define TYPE(name, bits) TYPE_##name,
#include "core/hlo/types.def"
#undef TYPE
  TYPE_TUPLE,
} ElementType;

typedef struct Shape {
  ElementType type;
  bool has_layout;   /* minor_to_major is set; without one the order is rank-1 .. 0 */
  bool is_buffer;    /* written b(f32[2]): the memory of an array, not its value */
  bool is_unbounded; /* a size, or one of a tuple's, is not known: f32[?,4]. Read, printed and
                        compared literally; nothing may compute with it */
  bool is_bounded;   /* `dynamic` is set, or that of one of a tuple's */
  uint32_t rank;
  int64_t *sizes; /* [rank] */
  bool *dynamic;  /* [rank], sizes are then upper bounds; nullptr when no dimension is dynamic */
  uint32_t *minor_to_major; /* [rank]; nullptr when has_layout is false */
  const char *layout_rest;  /* what the layout has after a colon (tiling, memory space, ...), as
                               text; or nullptr */
  uint32_t element_count;   /* of a tuple */
  const struct Shape **elements; /* [element_count] */
  uint32_t leaf_count;           /* of a tuple; what shape_tuple has counted */
  const struct Shape **leaves;   /* [leaf_count] */
  bool is_flat;                  /* of a tuple: no element is a tuple */
} Shape;

[[nodiscard]] const char *element_type_name(ElementType type);
[[nodiscard]] uint32_t element_type_bits(ElementType type);
[[nodiscard]] bool element_type_from_name(const char *name, size_t length, ElementType *type);
[[nodiscard]] bool element_type_is_integral(ElementType type); /* pred, s*, u* */
[[nodiscard]] bool element_type_is_signed(ElementType type);   /* s* */
[[nodiscard]] bool element_type_is_floating(ElementType type); /* f*, bf16; not c* */
/* Equal, or two floating-point types: what XLA calls compatible ignoring the precision. */
[[nodiscard]] bool element_type_mixes(ElementType a, ElementType b);

/* What stands in `sizes` where the text has a question mark. */
static constexpr int64_t shape_unknown_size = INT64_MIN;

/* An array without layout; `sizes` is copied. ERROR_INPUT: a size below 0 that is not
 * shape_unknown_size; ERROR_OVERFLOW: the
 * product of the non-zero sizes leaves int64. */
[[nodiscard]] bool shape_array(Arena *arena, ElementType type, uint32_t rank, const int64_t *sizes,
    const Shape **shape, Error *error);
/* `elements` is copied, the shapes in it are not. */
[[nodiscard]] const Shape *shape_tuple(Arena *arena, uint32_t count, const Shape *const *elements);

[[nodiscard]] static inline bool shape_is_tuple(const Shape *shape) {
  return shape->type == TYPE_TUPLE;
}
/* Neither tuple nor token nor opaque. */
[[nodiscard]] bool shape_is_array(const Shape *shape);
/* Bits that an element takes in memory: E(bits) of the layout, else whole bytes; an s4 takes 8
 * unless E(4) is written. For reader and engine: oracle and smt each read the layout themselves. */
[[nodiscard]] uint32_t shape_stored_bits(const Shape *shape);
/* Number of elements of an array; 1 for rank 0, -1 where a size is not known. */
[[nodiscard]] int64_t shape_elements(const Shape *shape);
/* The order of dimensions in memory, minor first, whether the layout is written or not; `order` has
 * room for rank. */
void shape_minor_to_major(const Shape *shape, uint32_t *order);
/* Leaves of a shape in depth-first order: an array (token, opaque) is its own single leaf; an empty
 * tuple has none. */
[[nodiscard]] uint32_t shape_leaf_count(const Shape *shape);
[[nodiscard]] const Shape *shape_leaf(const Shape *shape, uint32_t leaf);
/* The leaf number at which element `index` of a tuple starts. */
[[nodiscard]] uint32_t shape_leaf_offset(const Shape *tuple, uint32_t index);

/* Same sizes (types and layouts aside); tuples element by element. */
[[nodiscard]] bool shape_same_sizes(const Shape *a, const Shape *b);
/* Same sizes and element types, layouts aside. */
[[nodiscard]] bool shape_compatible(const Shape *a, const Shape *b);
/* Same sizes, and element types that mix. */
[[nodiscard]] bool shape_mixes(const Shape *a, const Shape *b);
/* All of it, layouts included. */
[[nodiscard]] bool shape_equal(const Shape *a, const Shape *b);

/* As HLO prints it: f32[2,3]{1,0}, (f32[], s32[4]{0}); layouts where they are set. */
void shape_print(Text *text, const Shape *shape);

#endif
