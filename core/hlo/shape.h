/* Shapes of HLO values: arrays, and tuples of shapes. A shape is immutable; it lives in the arena
 * that created it, as do its elements, and shapes may be shared. An array has an element type,
 * `rank` sizes (each >= 0) and an optional layout. A tuple has `element_count` elements and no
 * sizes. When a shape is built or read, the element count of every array is checked to fit
 * int64. */
#ifndef CORE_HLO_SHAPE_H
#define CORE_HLO_SHAPE_H

#include <assert.h>

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
  bool has_layout;   /* minor_to_major is set; else the order is rank-1 .. 0 */
  bool is_buffer;    /* written b(f32[2]): the memory of an array, not its value */
  bool is_unbounded; /* a size, or one in a tuple's element, is unknown: f32[?,4]. Such a shape is
                      * read, printed and compared literally; nothing may compute with it */
  bool is_bounded;   /* `dynamic` is set here or in a tuple's element */
  uint32_t rank;
  int64_t *sizes; /* [rank] */
  bool *dynamic;  /* [rank]: the size is an upper bound; nullptr if no dimension is dynamic */
  uint32_t *minor_to_major; /* [rank]; nullptr if has_layout is false */
  const char *layout_rest;  /* the part of the layout after a colon (tiling, memory space, ...), as
                             * text; or nullptr */
  uint32_t element_count;   /* of a tuple */
  const struct Shape **elements; /* [element_count] */
  uint32_t leaf_count;           /* of a tuple; counted by shape_tuple */
  const struct Shape **leaves;   /* [leaf_count] */
  bool is_flat;                  /* of a tuple: no element is a tuple */
} Shape;

[[nodiscard]] const char *element_type_name(ElementType type);
[[nodiscard]] uint32_t element_type_bits(ElementType type);
[[nodiscard]] bool element_type_from_name(const char *name, size_t length, ElementType *type);
[[nodiscard]] bool element_type_is_integral(ElementType type); /* pred, s*, u* */
[[nodiscard]] bool element_type_is_signed(ElementType type);   /* s* */
[[nodiscard]] bool element_type_is_floating(ElementType type); /* f*, bf16; not c* */
[[nodiscard]] bool element_type_is_complex(ElementType type);  /* c* */
/* Equal, or both floating-point: what XLA calls compatible ignoring the precision. */
[[nodiscard]] bool element_type_mixes(ElementType a, ElementType b);

/* The value in `sizes` for a question mark in the text. */
static constexpr int64_t shape_unknown_size = INT64_MIN;

/* An array without layout; `sizes` is copied. ERROR_INPUT: a size below 0 other than
 * shape_unknown_size. ERROR_OVERFLOW: the product of the non-zero sizes leaves int64. */
[[nodiscard]] bool shape_array(Arena *arena, ElementType type, uint32_t rank, const int64_t *sizes,
    const Shape **shape, Error *error);
/* The array `shape` with upper bounds for sizes where `dynamic` is true; `shape` itself if that is
 * nowhere. */
[[nodiscard]] const Shape *shape_with_bounds(Arena *arena, const Shape *shape, const bool *dynamic);
/* The array `shape` with the layout of `model`, an array of the same rank. As in XLA the bits of an
 * element, E(4), stay only if the type does, or if the new one has less than a byte. */
[[nodiscard]] const Shape *shape_with_layout_of(
    Arena *arena, const Shape *shape, const Shape *model);
/* The array `shape`, of which dimension i is dimension order[i] of `model`, with the layout in
 * which its elements are in memory as those of `model` are. */
[[nodiscard]] const Shape *shape_with_permuted_layout(
    Arena *arena, const Shape *shape, const Shape *model, const int64_t *order);
/* `elements` is copied; the shapes it points to are not. */
[[nodiscard]] const Shape *shape_tuple(Arena *arena, uint32_t count, const Shape *const *elements);

[[nodiscard]] static inline bool shape_is_tuple(const Shape *shape) {
  return shape->type == TYPE_TUPLE;
}
/* Neither tuple nor token nor opaque. */
/* A token carries no value. A leaf of type opaque does, although it has no elements. */
[[nodiscard]] static inline bool shape_leaf_has_value(const Shape *leaf) {
  return leaf->type != TYPE_token;
}
[[nodiscard]] static inline bool shape_is_array(const Shape *shape) {
  return shape->type != TYPE_TUPLE && shape->type != TYPE_token && shape->type != TYPE_opaque;
}
/* The bits that an element takes in memory: E(bits) of the layout, else whole bytes; an s4 takes 8
 * unless E(4) is written. Only reader and engine use this function: oracle and smt each parse the
 * layout themselves. */
[[nodiscard]] uint32_t shape_stored_bits(const Shape *shape);
/* The number of elements of an array; 1 for rank 0, -1 if a size is unknown. */
[[nodiscard]] int64_t shape_elements(const Shape *shape);
/* The order of dimensions in memory, minor first, whether or not the layout is written; `order` has
 * room for rank entries. */
void shape_minor_to_major(const Shape *shape, uint32_t *order);
/* The leaves of a shape in depth-first order: an array (token, opaque) is its own single leaf; an
 * empty tuple has none. */
[[nodiscard]] static inline uint32_t shape_leaf_count(const Shape *shape) {
  return shape_is_tuple(shape) ? shape->leaf_count : 1;
}
[[nodiscard]] static inline const Shape *shape_leaf(const Shape *shape, uint32_t leaf) {
  assert(leaf < shape_leaf_count(shape));
  return shape_is_tuple(shape) ? shape->leaves[leaf] : shape;
}
/* The leaf number at which element `index` of a tuple starts. */
[[nodiscard]] uint32_t shape_leaf_offset(const Shape *tuple, uint32_t index);

/* Whether the size of this dimension of an array is an upper bound. */
[[nodiscard]] bool shape_has_bound(const Shape *array, uint32_t dimension);
/* The same ranks, and upper bounds in the same dimensions; tuples element by element. */
[[nodiscard]] bool shape_same_bounds(const Shape *a, const Shape *b);

/* The same layouts, for shapes of the same sizes; a layout that is not written is the usual one. */
[[nodiscard]] bool shape_same_layouts(const Shape *a, const Shape *b);
/* The same sizes (types, layouts, and whether a size is a bound, are ignored); tuples element by
 * element. */
[[nodiscard]] bool shape_same_sizes(const Shape *a, const Shape *b);
/* The same sizes and element types; layouts are ignored. */
[[nodiscard]] bool shape_compatible(const Shape *a, const Shape *b);
/* The same sizes and element types, and upper bounds for sizes in the same dimensions. */
[[nodiscard]] bool shape_same_arrays(const Shape *a, const Shape *b);
/* The same sizes, and element types that mix. */
[[nodiscard]] bool shape_mixes(const Shape *a, const Shape *b);
/* Everything is equal, layouts included. */
[[nodiscard]] bool shape_equal(const Shape *a, const Shape *b);

/* Prints HLO syntax: f32[2,3]{1,0}, (f32[], s32[4]{0}); layouts only if they are set. */
void shape_print(Text *text, const Shape *shape);

#endif
