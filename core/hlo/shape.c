/* Shapes: construction, comparison, leaves, printing.
 *
 * Keeps: for every array built here, the product of the non-zero sizes fits int64, so that no
 * stride overflows, even if another size is zero. Recursion follows the nesting of tuples, which
 * the reader limits to 1,000. */
#include "core/hlo/shape.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/checked.h"

static const struct {
  const char *name;
  uint8_t length;
  uint32_t bits;
} types[] = {
#define TYPE(name, bits) {#name, sizeof #name - 1, bits},
#include "core/hlo/types.def"
#undef TYPE
    {"tuple", 5, 0},
};

const char *element_type_name(ElementType type) {
  assert(type <= TYPE_TUPLE);
  return types[type].name;
}

uint32_t element_type_bits(ElementType type) {
  assert(type <= TYPE_TUPLE);
  return types[type].bits;
}

bool element_type_from_name(const char *name, size_t length, ElementType *type) {
  for (uint32_t i = 0; i < TYPE_TUPLE; i++) {
    if (types[i].length != length || types[i].name[0] != name[0]) continue;
    if (memcmp(types[i].name, name, length) != 0) continue;
    *type = (ElementType)i;
    return true;
  }
  return false;
}

bool element_type_is_signed(ElementType type) { return type >= TYPE_s1 && type <= TYPE_s64; }

bool element_type_is_integral(ElementType type) { return type <= TYPE_u64; }

bool element_type_is_floating(ElementType type) {
  return type >= TYPE_f4e2m1fn && type <= TYPE_f64;
}

bool element_type_is_complex(ElementType type) { return type == TYPE_c64 || type == TYPE_c128; }

bool element_type_mixes(ElementType a, ElementType b) {
  return a == b || (element_type_is_floating(a) && element_type_is_floating(b));
}

static_assert(TYPE_pred == 0 && TYPE_s1 == 1 && TYPE_s64 == 7 && TYPE_u64 == 14,
    "integral types stand first");
static_assert(TYPE_f64 - TYPE_f4e2m1fn == 12, "floating-point types stand together");

bool shape_array(Arena *arena, ElementType type, uint32_t rank, const int64_t *sizes,
    const Shape **shape, Error *error) {
  assert(type < TYPE_TUPLE && (rank == 0 || sizes != nullptr));
  int64_t product = 1;
  bool is_unbounded = false;
  for (uint32_t i = 0; i < rank; i++) {
    is_unbounded |= sizes[i] == shape_unknown_size;
    if (sizes[i] == shape_unknown_size) continue;
    if (sizes[i] < 0) {
      return error_set(
          error, ERROR_INPUT, "size %" PRId64 " of dimension %u is negative", sizes[i], i);
    }
    if (sizes[i] != 0 && !mul64(product, sizes[i], &product)) {
      return error_set(error, ERROR_OVERFLOW,
          "the element count overflows int64 at dimension %u of size %" PRId64, i, sizes[i]);
    }
  }
  Shape *made = ARENA_NEW(arena, Shape, 1);
  made->type = type;
  made->rank = rank;
  made->is_unbounded = is_unbounded;
  made->sizes = ARENA_NEW(arena, int64_t, rank);
  if (rank > 0) memcpy(made->sizes, sizes, rank * sizeof *sizes);
  *shape = made;
  return true;
}

const Shape *shape_with_bounds(Arena *arena, const Shape *shape, const bool *dynamic) {
  assert(!shape_is_tuple(shape));
  bool has_bound = false;
  for (uint32_t i = 0; i < shape->rank; i++) has_bound |= dynamic[i];
  if (!has_bound) return shape;
  Shape *made = ARENA_NEW(arena, Shape, 1);
  *made = *shape;
  made->is_bounded = true;
  made->dynamic = ARENA_NEW(arena, bool, shape->rank);
  memcpy(made->dynamic, dynamic, shape->rank * sizeof *dynamic);
  return made;
}

const Shape *shape_tuple(Arena *arena, uint32_t count, const Shape *const *elements) {
  assert(count == 0 || elements != nullptr);
  Shape *made = ARENA_NEW(arena, Shape, 1);
  made->type = TYPE_TUPLE;
  made->element_count = count;
  made->elements = ARENA_NEW(arena, const Shape *, count);
  if (count > 0) memcpy(made->elements, elements, count * sizeof(const Shape *));
  made->is_flat = true;
  for (uint32_t i = 0; i < count; i++) {
    made->leaf_count += shape_leaf_count(elements[i]);
    made->is_flat = made->is_flat && !shape_is_tuple(elements[i]);
    made->is_unbounded = made->is_unbounded || elements[i]->is_unbounded;
    made->is_bounded = made->is_bounded || elements[i]->is_bounded;
  }
  made->leaves = ARENA_NEW(arena, const Shape *, made->leaf_count);
  for (uint32_t i = 0, next = 0; i < count; i++)
    for (uint32_t k = 0; k < shape_leaf_count(elements[i]); k++)
      made->leaves[next++] = shape_leaf(elements[i], k);
  return made;
}

/* The E of a layout, outside nested parentheses; nullptr if there is none. */
static const char *find_bits(const char *layout) {
  uint32_t depth = 0;
  for (const char *at = layout; at != nullptr && *at != 0; at++) {
    depth += *at == '(';
    depth -= *at == ')' && depth > 0;
    if (depth == 0 && *at == 'E') return at;
  }
  return nullptr;
}

/* The number in parentheses after an E of the layout; 0 if there is none, or it is no possible
 * width. */
static uint32_t written_bits(const char *layout) {
  const char *at = find_bits(layout);
  uint32_t bits = 0;
  if (at == nullptr) return 0;
  at += 1 + strspn(at + 1, " \t");
  if (*at != '(') return 0;
  for (at += 1 + strspn(at + 1, " \t"); '0' <= *at && *at <= '9' && bits < 1'000; at++)
    bits = 10 * bits + (uint32_t)(*at - '0');
  return bits;
}

uint32_t shape_stored_bits(const Shape *shape) {
  uint32_t written = written_bits(shape->layout_rest);
  return written != 0 ? written : (element_type_bits(shape->type) + 7) / 8 * 8;
}

/* The layout's text but for an E and its number; nullptr: nothing is left. */
static const char *without_bits(Arena *arena, const char *layout) {
  const char *bits = find_bits(layout);
  if (bits == nullptr) return layout;
  const char *end = strchr(bits, ')');
  Text text = text_create(arena);
  text_append(&text, layout, (size_t)(bits - layout));
  if (end != nullptr) text_string(&text, end + 1);
  return text.length == 0 ? nullptr : text.bytes;
}

const Shape *shape_with_layout_of(Arena *arena, const Shape *shape, const Shape *model) {
  assert(shape_is_array(shape) && shape_is_array(model) && shape->rank == model->rank);
  if (!model->has_layout) return shape;
  Shape *made = ARENA_NEW(arena, Shape, 1);
  *made = *shape;
  made->has_layout = true;
  made->minor_to_major = model->minor_to_major;
  made->layout_rest = shape->type == model->type || element_type_bits(shape->type) < 8
                          ? model->layout_rest
                          : without_bits(arena, model->layout_rest);
  return made;
}

const Shape *shape_with_permuted_layout(
    Arena *arena, const Shape *shape, const Shape *model, const int64_t *order) {
  assert(shape_is_array(shape) && shape_is_array(model) && shape->rank == model->rank);
  uint32_t rank = shape->rank, *place = ARENA_NEW(arena, uint32_t, rank),
           *layout = ARENA_NEW(arena, uint32_t, rank);
  bool is_usual = !model->has_layout;
  for (uint32_t i = 0; i < rank; i++) place[order[i]] = i;
  shape_minor_to_major(model, layout);
  for (uint32_t i = 0; i < rank; i++) {
    layout[i] = place[layout[i]];
    is_usual = is_usual && layout[i] == rank - 1 - i;
  }
  if (is_usual) return shape;
  Shape *made = ARENA_NEW(arena, Shape, 1);
  *made = *shape;
  made->has_layout = true;
  made->minor_to_major = layout;
  made->layout_rest = model->layout_rest;
  return made;
}

int64_t shape_elements(const Shape *shape) {
  assert(!shape_is_tuple(shape));
  int64_t count = 1;
  if (shape->is_unbounded) return -1;
  for (uint32_t i = 0; i < shape->rank; i++) {
    if (shape->sizes[i] == 0) return 0;
    [[maybe_unused]] bool fits = mul64(count, shape->sizes[i], &count);
    assert(fits);
  }
  return count;
}

void shape_minor_to_major(const Shape *shape, uint32_t *order) {
  assert(!shape->has_layout || shape->rank == 0 || shape->minor_to_major != nullptr);
  for (uint32_t i = 0; i < shape->rank; i++) {
    order[i] = shape->has_layout ? shape->minor_to_major[i] : shape->rank - 1 - i;
  }
}

static_assert(TYPE_TUPLE <= UINT8_MAX, "an element type fits its field");

uint32_t shape_leaf_offset(const Shape *tuple, uint32_t index) {
  assert(shape_is_tuple(tuple) && index <= tuple->element_count);
  if (tuple->is_flat) return index;
  uint32_t offset = 0;
  for (uint32_t i = 0; i < index; i++) offset += shape_leaf_count(tuple->elements[i]);
  return offset;
}

typedef bool SameArray(const Shape *a, const Shape *b);

static bool same_tree(const Shape *a, const Shape *b, SameArray *same_array) {
  if (a == b) return true;
  if (shape_is_tuple(a) != shape_is_tuple(b)) return false;
  if (!shape_is_tuple(a)) return same_array(a, b);
  if (a->element_count != b->element_count) return false;
  for (uint32_t i = 0; i < a->element_count; i++) {
    if (!same_tree(a->elements[i], b->elements[i], same_array)) return false;
  }
  return true;
}

static bool same_sizes(const Shape *a, const Shape *b) {
  assert(!shape_is_tuple(a) && !shape_is_tuple(b));
  return a->rank == b->rank &&
         (a->rank == 0 || memcmp(a->sizes, b->sizes, a->rank * sizeof *a->sizes) == 0);
}

static bool same_type_and_sizes(const Shape *a, const Shape *b) {
  return a->type == b->type && a->is_buffer == b->is_buffer && same_sizes(a, b);
}

static bool mixed_type_and_sizes(const Shape *a, const Shape *b) {
  return element_type_mixes(a->type, b->type) && a->is_buffer == b->is_buffer && same_sizes(a, b);
}

bool shape_has_bound(const Shape *array, uint32_t dimension) {
  assert(dimension < array->rank);
  return array->dynamic != nullptr && array->dynamic[dimension];
}

static bool same_bounds(const Shape *a, const Shape *b) {
  bool same = a->rank == b->rank;
  for (uint32_t i = 0; same && i < a->rank; i++)
    same = shape_has_bound(a, i) == shape_has_bound(b, i);
  return same;
}

static bool same_text(const char *a, const char *b) {
  return a == b || (a != nullptr && b != nullptr && strcmp(a, b) == 0);
}

static bool same_layouts(const Shape *a, const Shape *b) {
  assert(a->rank == b->rank);
  for (uint32_t i = 0; i < a->rank; i++) {
    uint32_t order_of_a = a->has_layout ? a->minor_to_major[i] : a->rank - 1 - i,
             order_of_b = b->has_layout ? b->minor_to_major[i] : b->rank - 1 - i;
    if (order_of_a != order_of_b) return false;
  }
  const char *rest_of_a = a->layout_rest == nullptr ? "" : a->layout_rest,
             *rest_of_b = b->layout_rest == nullptr ? "" : b->layout_rest;
  return strcmp(rest_of_a, rest_of_b) == 0;
}

static bool same_array(const Shape *a, const Shape *b) {
  if (!same_type_and_sizes(a, b) || a->has_layout != b->has_layout) return false;
  if (!same_bounds(a, b)) return false;
  for (uint32_t i = 0; i < a->rank; i++) {
    if (a->has_layout && a->minor_to_major[i] != b->minor_to_major[i]) return false;
  }
  return same_text(a->layout_rest, b->layout_rest);
}

bool shape_same_bounds(const Shape *a, const Shape *b) { return same_tree(a, b, same_bounds); }
bool shape_same_layouts(const Shape *a, const Shape *b) { return same_tree(a, b, same_layouts); }
bool shape_same_sizes(const Shape *a, const Shape *b) { return same_tree(a, b, same_sizes); }
bool shape_compatible(const Shape *a, const Shape *b) {
  return same_tree(a, b, same_type_and_sizes);
}
bool shape_same_arrays(const Shape *a, const Shape *b) {
  return shape_compatible(a, b) && shape_same_bounds(a, b);
}
bool shape_mixes(const Shape *a, const Shape *b) { return same_tree(a, b, mixed_type_and_sizes); }
bool shape_equal(const Shape *a, const Shape *b) { return same_tree(a, b, same_array); }

static void print_layout(Text *text, const Shape *shape) {
  if (!shape->has_layout && shape->layout_rest == nullptr) return;
  text_string(text, "{");
  for (uint32_t i = 0; shape->has_layout && i < shape->rank; i++) {
    if (i > 0) text_string(text, ",");
    text_integer(text, shape->minor_to_major[i]);
  }
  if (shape->layout_rest != nullptr) {
    text_string(text, ":");
    text_string(text, shape->layout_rest);
  }
  text_string(text, "}");
}

static void print_array(Text *text, const Shape *shape) {
  assert(shape->rank == 0 || shape->sizes != nullptr);
  if (shape->is_buffer) text_string(text, "b(");
  text_string(text, element_type_name(shape->type));
  text_string(text, "[");
  for (uint32_t i = 0; i < shape->rank; i++) {
    if (i > 0) text_string(text, ",");
    if (shape_has_bound(shape, i)) text_string(text, "<=");
    if (shape->sizes[i] == shape_unknown_size) text_string(text, "?");
    else text_integer(text, shape->sizes[i]);
  }
  text_string(text, "]");
  print_layout(text, shape);
  if (shape->is_buffer) text_string(text, ")");
}

void shape_print(Text *text, const Shape *shape) {
  if (!shape_is_tuple(shape)) {
    print_array(text, shape);
    return;
  }
  text_string(text, "(");
  for (uint32_t i = 0; i < shape->element_count; i++) {
    if (i > 0) text_string(text, ", ");
    shape_print(text, shape->elements[i]);
  }
  text_string(text, ")");
}
