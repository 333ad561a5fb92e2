/* Shapes: f32[2,<=3]{1,0:T(8,128)S(1)}, f32[?], (f32[], (s32[2], token[])), b(f32[4]). A brace
 * after a shape begins a layout if a digit, a colon or '}' follows it; else it begins a
 * computation's body. The part after the colon is kept as text, in the form
 * LETTERS(...)(...)LETTERS(...). */
#include <assert.h>
#include <inttypes.h>

#include "core/hlo/read/reader.h"

static constexpr uint32_t largest_rank = 1000;

typedef struct Dimensions {
  uint32_t count;
  uint32_t capacity;
  struct Dimension {
    int64_t size;
    bool dynamic;
  } *items;
} Dimensions;

bool read_is_shape(Reader *reader) {
  Scanner *scan = &reader->scan;
  if (scan_peek(scan) == '(') return true;
  size_t start = scan->at;
  Slice word;
  ElementType type;
  bool is_shape =
      scan_accept_word(scan, &word) &&
      ((scan_peek(scan) == '[' && element_type_from_name(word.text, word.length, &type)) ||
          (scan_peek(scan) == '(' && slice_is(word, "b")));
  scan->at = start;
  return is_shape;
}

static bool read_dimension(Reader *reader, Dimensions *dimensions) {
  Scanner *scan = &reader->scan;
  if (dimensions->count == largest_rank) {
    return read_fail(
        reader, ERROR_LIMIT, scan->at, 1, "a shape has more than %u dimensions", largest_rank);
  }
  struct Dimension *dimension = ARENA_PUSH(reader->scratch, dimensions);
  dimension->size = shape_unknown_size;
  if (scan_accept(scan, '?')) return true;
  dimension->dynamic = scan_accept_text(scan, "<=");
  size_t start = (scan_blanks(scan), scan->at);
  if (!scan_integer(scan, &dimension->size, "a dimension's size")) return false;
  if (dimension->size >= 0) return true;
  return read_fail(reader, ERROR_INPUT, start, scan->at - start, "a dimension's size is negative");
}

static bool read_sizes(Reader *reader, Dimensions *dimensions) {
  Scanner *scan = &reader->scan;
  if (!scan_expect(scan, '[', "before the sizes of a shape")) return false;
  if (scan_accept(scan, ']')) return true;
  do {
    if (!read_dimension(reader, dimensions)) return false;
  } while (scan_accept(scan, ','));
  return scan_expect(scan, ']', "after the sizes of a shape");
}

static bool read_minor_to_major(Reader *reader, Shape *shape, size_t start) {
  Scanner *scan = &reader->scan;
  bool *seen = ARENA_NEW(reader->scratch, bool, shape->rank);
  shape->minor_to_major = ARENA_NEW(reader->arena, uint32_t, shape->rank);
  for (uint32_t i = 0; i < shape->rank; i++) {
    int64_t dimension;
    if (i > 0 && !scan_expect(scan, ',', "between the dimensions of a layout")) return false;
    size_t at = (scan_blanks(scan), scan->at);
    if (!scan_integer(scan, &dimension, "a dimension's number")) return false;
    if (dimension < 0 || dimension >= shape->rank || seen[dimension]) {
      return read_fail(reader, ERROR_INPUT, at, scan->at - at,
          "%" PRId64 " is not one of the dimensions left of %u", dimension, shape->rank);
    }
    seen[dimension] = true;
    shape->minor_to_major[i] = (uint32_t)dimension;
  }
  if (scan_peek(scan) != ',') return true;
  return read_fail(reader, ERROR_INPUT, start, scan->at - start,
      "the layout has more dimensions than the shape's %u", shape->rank);
}

static bool read_layout_properties(Reader *reader, Shape *shape) {
  Scanner *scan = &reader->scan;
  size_t start = (scan_blanks(scan), scan->at);
  Slice rest = scan_slice(scan, start);
  while (scan_peek(scan) != '}') {
    Slice letters;
    if (!scan_accept(scan, '#') && !scan_accept(scan, '*') && !scan_accept_word(scan, &letters)) {
      return scan_fail(scan, "a layout's property or '}'");
    }
    do {
      if (scan_peek(scan) != '(') return scan_fail(scan, "'(' after a layout's property");
      if (!scan_group(scan)) return false;
      rest = scan_slice(scan, start);
    } while (scan_peek(scan) == '(');
  }
  shape->layout_rest = slice_copy(reader->arena, rest);
  return true;
}

static bool is_layout(Scanner *scan) {
  size_t start = scan->at;
  bool is = scan_accept(scan, '{');
  char next = scan_peek(scan);
  scan->at = start;
  return is && ((next >= '0' && next <= '9') || next == ':' || next == '}');
}

static bool read_layout(Reader *reader, Shape *shape) {
  Scanner *scan = &reader->scan;
  size_t start = (scan_blanks(scan), scan->at);
  if (!is_layout(scan)) return true;
  if (!scan_expect(scan, '{', "before a layout")) return false;
  assert(!shape->has_layout && shape->minor_to_major == nullptr);
  shape->has_layout = true;
  if (!read_minor_to_major(reader, shape, start)) return false;
  if (scan_accept(scan, ':') && !read_layout_properties(reader, shape)) return false;
  return scan_expect(scan, '}', "after a layout");
}

static bool make_array_shape(
    Reader *reader, ElementType type, const Dimensions *dimensions, size_t start, Shape **shape) {
  assert(dimensions->count <= largest_rank);
  uint32_t rank = dimensions->count;
  int64_t *sizes = ARENA_NEW(reader->arena, int64_t, rank);
  bool has_dynamic = false;
  for (uint32_t i = 0; i < rank; i++) {
    sizes[i] = dimensions->items[i].size;
    has_dynamic |= dimensions->items[i].dynamic;
  }
  Error error = {};
  const Shape *made;
  if (!shape_array(reader->arena, type, rank, sizes, &made, &error)) {
    return read_fail(reader, error.kind, start, reader->scan.at - start, "%s", error.message);
  }
  *shape = (Shape *)made;
  if (has_dynamic) (*shape)->dynamic = ARENA_NEW(reader->arena, bool, rank);
  (*shape)->is_bounded = has_dynamic;
  for (uint32_t i = 0; i < rank && has_dynamic; i++)
    (*shape)->dynamic[i] = dimensions->items[i].dynamic;
  return true;
}

static bool read_array(Reader *reader, Shape **shape) {
  Scanner *scan = &reader->scan;
  size_t start = (scan_blanks(scan), scan->at);
  Slice word;
  ElementType type;
  if (!scan_accept_word(scan, &word) || !element_type_from_name(word.text, word.length, &type)) {
    scan->at = start;
    return scan_fail(scan, "a shape");
  }
  Dimensions dimensions = {};
  return read_sizes(reader, &dimensions) && make_array_shape(reader, type, &dimensions, start, shape) &&
         read_layout(reader, *shape);
}

static bool read_buffer(Reader *reader, const Shape **shape) {
  Shape *array = nullptr;
  if (!scan_expect(&reader->scan, '(', "before a buffer's shape") || !read_array(reader, &array))
    return false;
  assert(array != nullptr);
  array->is_buffer = true;
  *shape = array;
  return scan_expect(&reader->scan, ')', "after a buffer's shape");
}

static bool read_tuple(Reader *reader, const Shape **shape) {
  Scanner *scan = &reader->scan;
  struct {
    uint32_t count;
    uint32_t capacity;
    const Shape **items;
  } elements = {};
  if (!read_deeper(reader) || !scan_expect(scan, '(', "before a tuple's shapes")) return false;
  if (!scan_accept(scan, ')')) {
    do {
      const Shape **element = ARENA_PUSH(reader->scratch, &elements);
      if (!read_shape(reader, element)) return false;
    } while (scan_accept(scan, ','));
    if (!scan_expect(scan, ')', "after a tuple's shapes")) return false;
  }
  assert(reader->depth > 0);
  reader->depth--;
  *shape = shape_tuple(reader->arena, elements.count, elements.items);
  return true;
}

bool read_shape(Reader *reader, const Shape **shape) {
  Scanner *scan = &reader->scan;
  if (scan_peek(scan) == '(') return read_tuple(reader, shape);
  size_t start = scan->at;
  if (scan_accept_keyword(scan, "b") && scan_peek(scan) == '(') return read_buffer(reader, shape);
  scan->at = start;
  Shape *array = nullptr;
  if (!read_array(reader, &array)) return false;
  assert(array != nullptr);
  *shape = array;
  return true;
}

bool read_shared_shape(Reader *reader, const Shape **shape) {
  ArenaMark mark = arena_mark(reader->arena), scratch = arena_mark(reader->scratch);
  size_t start = (scan_blanks(&reader->scan), reader->scan.at);
  if (!read_shape(reader, shape)) return false;
  arena_rewind(reader->scratch, scratch);
  Slice text = scan_slice(&reader->scan, start);
  const Shape *known = names_find(&reader->shapes, 0, text.text, text.length);
  if (known == nullptr)
    return names_add(&reader->shapes, reader->scratch, 0, text.text, text.length, (void *)*shape);
  arena_rewind(reader->arena, mark);
  *shape = known;
  return true;
}
