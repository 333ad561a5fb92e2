/* Shapes, the scanner, the table of names and the splitter against definitions of this file, over
 * random trees and over all short texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core/hlo/read/from_text.h"
#include "core/hlo/read/names.h"
#include "core/hlo/read/scan.h"
#include "core/hlo/shape.h"

static uint64_t state_of_draws = 3;

static uint32_t draw_below(uint32_t end) {
  state_of_draws = state_of_draws * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state_of_draws >> 33) % end;
}

/* ---- element types ---- */

static uint32_t bits_defined(const char *name) {
  if (strcmp(name, "pred") == 0) return 8;
  size_t letters = strcspn(name, "0123456789");
  return name[letters] == 0 ? 0 : (uint32_t)strtoul(name + letters, nullptr, 10);
}

static void a_name_of_a_type_tells_its_class(void **) {
  for (uint32_t i = 0; i < TYPE_TUPLE; i++) {
    ElementType type = (ElementType)i;
    const char *name = element_type_name(type);
    bool is_floating = name[0] == 'f' || name[0] == 'b';
    assert_int_equal(element_type_bits(type), bits_defined(name));
    assert_int_equal(element_type_is_floating(type), is_floating);
    for (uint32_t k = 0; k < TYPE_TUPLE; k++) {
      const char *other = element_type_name((ElementType)k);
      bool mixes = i == k || (is_floating && (other[0] == 'f' || other[0] == 'b'));
      assert_int_equal(element_type_mixes(type, (ElementType)k), mixes);
    }
    for (size_t length = 1; length < strlen(name); length++) {
      ElementType found;
      char part[16] = {};
      memcpy(part, name, length);
      assert_true(!element_type_from_name(name, length, &found) ||
                  strcmp(element_type_name(found), part) == 0);
    }
  }
  ElementType ignored;
  assert_false(element_type_from_name("tuple", 5, &ignored));
  assert_string_equal(element_type_name(TYPE_TUPLE), "tuple");
}

/* ---- shapes ---- */

static const Shape *draw_array(Arena *arena) {
  static const int64_t sizes[] = {0, 1, 2, 3, shape_unknown_size};
  static const ElementType types[] = {TYPE_f32, TYPE_bf16, TYPE_s32};
  static const char *const rests[] = {nullptr, "T(8)", "E(4)"};
  int64_t drawn[3];
  bool dynamic[3];
  uint32_t rank = draw_below(4);
  for (uint32_t i = 0; i < rank; i++) {
    drawn[i] = sizes[draw_below(draw_below(6) == 0 ? 5 : 3)];
    dynamic[i] = draw_below(6) == 0 && drawn[i] != shape_unknown_size;
  }
  const Shape *plain = nullptr;
  Error error = {};
  assert_true(shape_array(arena, types[draw_below(3)], rank, drawn, &plain, &error));
  Shape *shape = ARENA_NEW(arena, Shape, 1);
  *shape = *shape_with_bounds(arena, plain, dynamic);
  shape->is_buffer = draw_below(8) == 0;
  if (rank == 0) return shape;
  shape->layout_rest = rests[draw_below(8) == 0 ? 1 + draw_below(2) : 0];
  shape->has_layout = shape->layout_rest != nullptr || draw_below(4) == 0;
  if (!shape->has_layout) return shape;
  shape->minor_to_major = ARENA_NEW(arena, uint32_t, rank + 1);
  bool is_turned = draw_below(2) == 0;
  for (uint32_t i = 0; i < rank; i++) shape->minor_to_major[i] = is_turned ? i : rank - 1 - i;
  return shape;
}

static const Shape *draw_shape(Arena *arena, uint32_t depth) {
  if (depth == 0 || draw_below(3) > 0) return draw_array(arena);
  const Shape *elements[3];
  uint32_t count = draw_below(4);
  for (uint32_t i = 0; i < count; i++) elements[i] = draw_shape(arena, depth - 1);
  return shape_tuple(arena, count, elements);
}

typedef enum SameWay : uint8_t { SAME_SIZES, SAME_BOUNDS, COMPATIBLE, MIXES, EQUAL } SameWay;

static bool has_bound(const Shape *shape, uint32_t i) {
  return shape->dynamic != nullptr && shape->dynamic[i];
}

static bool same_order(const Shape *a, const Shape *b) {
  for (uint32_t i = 0; i < a->rank && a->has_layout; i++)
    if (a->minor_to_major[i] != b->minor_to_major[i]) return false;
  const char *x = a->layout_rest == nullptr ? "none" : a->layout_rest,
             *y = b->layout_rest == nullptr ? "none" : b->layout_rest;
  return strcmp(x, y) == 0;
}

static bool same_defined(const Shape *a, const Shape *b, SameWay way) {
  if ((a->type == TYPE_TUPLE) != (b->type == TYPE_TUPLE)) return false;
  if (a->type == TYPE_TUPLE) {
    bool same = a->element_count == b->element_count;
    for (uint32_t i = 0; same && i < a->element_count; i++)
      same = same_defined(a->elements[i], b->elements[i], way);
    return same;
  }
  if (a->rank != b->rank) return false;
  bool sizes = true, bounds = true;
  for (uint32_t i = 0; i < a->rank; i++) {
    sizes = sizes && a->sizes[i] == b->sizes[i];
    bounds = bounds && has_bound(a, i) == has_bound(b, i);
  }
  bool compatible = sizes && a->type == b->type && a->is_buffer == b->is_buffer;
  bool are_floating = a->type != TYPE_s32 && b->type != TYPE_s32;
  switch (way) {
    case SAME_SIZES: return sizes;
    case SAME_BOUNDS: return bounds;
    case COMPATIBLE: return compatible;
    case MIXES:
      return sizes && a->is_buffer == b->is_buffer && (a->type == b->type || are_floating);
    case EQUAL: return compatible && bounds && a->has_layout == b->has_layout && same_order(a, b);
  }
  return false;
}

/* Two arrays that differ in few fields meet often. */
static void shapes_are_the_same_as_defined(void **) {
  Arena *arena = arena_create();
  uint32_t counts[5][2] = {};
  for (uint32_t round = 0; round < 30000; round++) {
    ArenaMark mark = arena_mark(arena);
    const Shape *a = draw_shape(arena, round % 3), *b = draw_shape(arena, round % 3);
    if (a->type != TYPE_TUPLE && round % 2 == 0) { /* the same array with one field changed */
      Shape *copy = ARENA_NEW(arena, Shape, 1);
      *copy = *a;
      const Shape *other = draw_array(arena);
      if (round % 8 == 0) copy->type = other->type;
      if (round % 8 == 2) copy->is_buffer = other->is_buffer;
      if (round % 8 == 4) copy->layout_rest = other->layout_rest;
      if (round % 8 == 6 && other->rank == a->rank) copy->dynamic = other->dynamic;
      b = copy;
    }
    const bool found[] = {shape_same_sizes(a, b), shape_same_bounds(a, b), shape_compatible(a, b),
        shape_mixes(a, b), shape_equal(a, b)};
    for (uint32_t way = 0; way < 5; way++) {
      assert_int_equal(found[way], same_defined(a, b, (SameWay)way));
      counts[way][found[way]]++;
    }
    arena_rewind(arena, mark);
  }
  for (uint32_t way = 0; way < 5; way++) assert_true(counts[way][0] > 500 && counts[way][1] > 500);
  arena_destroy(arena);
}

typedef struct LeafList {
  const Shape *items[100];
  uint32_t count;
  bool is_unbounded, is_bounded;
} LeafList;

static void list_leaves(const Shape *shape, LeafList *leaves) {
  for (uint32_t i = 0; i < shape->element_count; i++) list_leaves(shape->elements[i], leaves);
  if (shape->type == TYPE_TUPLE) return;
  leaves->items[leaves->count++] = shape;
  for (uint32_t i = 0; i < shape->rank; i++) {
    leaves->is_unbounded |= shape->sizes[i] == shape_unknown_size;
    leaves->is_bounded |= has_bound(shape, i);
  }
}

static void leaves_are_in_the_order_of_the_tree(void **) {
  Arena *arena = arena_create();
  for (uint32_t round = 0; round < 5000; round++) {
    ArenaMark mark = arena_mark(arena);
    const Shape *shape = draw_shape(arena, 1 + round % 4);
    LeafList leaves = {};
    list_leaves(shape, &leaves);
    assert_int_equal(shape_leaf_count(shape), leaves.count);
    for (uint32_t i = 0; i < leaves.count; i++)
      assert_ptr_equal(shape_leaf(shape, i), leaves.items[i]);
    assert_int_equal(shape->is_unbounded, leaves.is_unbounded);
    assert_int_equal(shape->is_bounded, leaves.is_bounded);
    uint32_t offset = 0;
    for (uint32_t i = 0; shape->type == TYPE_TUPLE && i <= shape->element_count; i++) {
      assert_int_equal(shape_leaf_offset(shape, i), offset);
      LeafList own = {};
      if (i < shape->element_count) list_leaves(shape->elements[i], &own);
      offset += own.count;
    }
    arena_rewind(arena, mark);
  }
  arena_destroy(arena);
}

/* A shape that is printed as a parameter's reads back as itself; elements are counted and ordered
 * as they are in memory. */
static void shapes_read_back(void **) {
  Arena *arena = arena_create();
  for (uint32_t round = 0; round < 3000; round++) {
    ArenaMark mark = arena_mark(arena);
    const Shape *shape = draw_shape(arena, round % 3);
    Text text = text_create(arena);
    text_string(&text, "ENTRY e { p = ");
    shape_print(&text, shape);
    text_string(&text, " parameter(0) }");
    Error error = {};
    const Module *module = module_of(arena, text.bytes, &error);
    if (module == nullptr) fail_msg("%s: %s", text.bytes, error.message);
    if (!same_defined(module->entry->root->shape, shape, EQUAL)) fail_msg("%s", text.bytes);
    if (shape->type != TYPE_TUPLE) {
      int64_t product = 1;
      uint32_t order[3];
      shape_minor_to_major(shape, order);
      for (uint32_t i = 0; i < shape->rank; i++) {
        if (!shape->is_unbounded) product *= shape->sizes[i];
        assert_int_equal(
            order[i], shape->has_layout ? shape->minor_to_major[i] : shape->rank - 1 - i);
      }
      assert_true(shape_elements(shape) == (shape->is_unbounded ? -1 : product));
      assert_true(shape_is_array(shape));
    }
    arena_rewind(arena, mark);
  }
  arena_destroy(arena);
}

static void bits_of_a_layout_are_those_that_are_written(void **) {
  static const struct {
    const char *rest;
    ElementType type;
    uint32_t bits;
  } rows[] = {{nullptr, TYPE_f32, 32}, {nullptr, TYPE_s4, 8}, {nullptr, TYPE_u1, 8},
      {nullptr, TYPE_c128, 128}, {nullptr, TYPE_pred, 8}, {"E(4)", TYPE_s4, 4},
      {"T(8)E(4)", TYPE_s4, 4}, {"T(8,128)(2,1)E(2)S(1)", TYPE_s4, 2}, {"T(E(4))", TYPE_s4, 8},
      {"E ( 16 )", TYPE_s4, 16}, {"E\t(\t16)", TYPE_s4, 16}, {"E4", TYPE_s4, 8},
      {"E()", TYPE_s4, 8}, {"E(0)", TYPE_s4, 8}, {"S(5)", TYPE_f64, 64}, {"E(128)", TYPE_s4, 128},
      {")E(4)", TYPE_s4, 4}, {"((E(2))E(3))E(4)", TYPE_s4, 4}, {"E(999)", TYPE_s4, 999}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    assert_int_equal(shape_stored_bits(&(Shape){.type = rows[i].type, .layout_rest = rows[i].rest}),
        rows[i].bits);
}

/* ---- scanner ---- */

/* The position after blanks and comments; a comment that is not closed is none. */
static size_t after_blanks(const char *text, size_t at) {
  for (;;) {
    at += strspn(text + at, " \t\r\n");
    const char *end = strncmp(text + at, "/*", 2) == 0 ? strstr(text + at + 2, "*/") : nullptr;
    if (end != nullptr) at = (size_t)(end - text) + 2;
    else if (strncmp(text + at, "//", 2) == 0) at += strcspn(text + at, "\r\n");
    else return at;
  }
}

static bool is_word_byte(char c, bool is_first) {
  bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  return is_letter || (!is_first && ((c >= '0' && c <= '9') || c == '.' || c == '-'));
}

static size_t after_word(const char *text, size_t at) {
  size_t end = at;
  while (is_word_byte(text[end], end == at)) end++;
  return end;
}

/* SIZE_MAX: there is no such thing at this position. */
static size_t after_string(const char *text, size_t at) {
  char quote = text[at];
  if (quote != '"' && quote != '\'') return SIZE_MAX;
  for (at++; text[at] != 0 && text[at] != quote; at++)
    if (text[at] == '\\' && text[++at] == 0) break;
  return text[at] == quote ? at + 1 : SIZE_MAX;
}

static size_t after_group(const char *text, size_t at) {
  static constexpr char opening[] = "([{", closing[] = ")]}";
  const char *bracket = strchr(opening, text[at]);
  for (at = after_blanks(text, at + 1); text[at] != 0; at = after_blanks(text, at)) {
    if (text[at] == closing[bracket - opening]) return at + 1;
    if (strchr(closing, text[at]) != nullptr || strncmp(text + at, "/*", 2) == 0) return SIZE_MAX;
    bool is_group = strchr(opening, text[at]) != nullptr;
    bool is_string = text[at] == '"' || text[at] == '\'';
    at = is_group ? after_group(text, at) : is_string ? after_string(text, at) : at + 1;
    if (at == SIZE_MAX) return SIZE_MAX;
  }
  return SIZE_MAX;
}

static size_t after_value(const char *text, size_t at) {
  size_t start = at = after_blanks(text, at);
  while (strchr(",)]} \t\r\n/", text[at]) == nullptr) { /* also at the NUL */
    bool is_group = strchr("([{", text[at]) != nullptr;
    bool is_string = text[at] == '"' || text[at] == '\'';
    at = is_group ? after_group(text, at) : is_string ? after_string(text, at) : at + 1;
    if (at == SIZE_MAX) return SIZE_MAX;
  }
  return at > start ? at : SIZE_MAX;
}

static size_t after_integer(const char *text, size_t at, int64_t *value, bool *overflows) {
  _BitInt(256) wide = 0;
  size_t digits = at = after_blanks(text, at);
  bool is_negative = text[at] == '-';
  digits += is_negative;
  for (at = digits; text[at] >= '0' && text[at] <= '9'; at++)
    if (at - digits < 40) wide = 10 * wide + (text[at] - '0');
  if (is_negative) wide = -wide;
  *overflows = wide < INT64_MIN || wide > INT64_MAX;
  *value = (int64_t)wide;
  return at > digits && !*overflows ? at : SIZE_MAX;
}

typedef struct ScanCase {
  char whole[64];
  Source source;
  Error error;
  Scanner scan;
} ScanCase;

/* The scanner is over the beginning of a longer text: what follows would go on with the token. */
static void scan_case_begin(ScanCase *one, const char *text, size_t at) {
  static constexpr char rest[] = " a1*/\")}]/";
  static size_t turn;
  size_t length = strlen(text);
  assert_true(length + 2 < sizeof one->whole);
  strcpy(one->whole, text);
  one->whole[length] = rest[turn++ % (sizeof rest - 1)];
  one->whole[length + 1] = turn % 2 == 0 ? '/' : ' ';
  one->whole[length + 2] = 0;
  one->source = (Source){"t", one->whole, length, 1};
  one->error = (Error){};
  one->scan = (Scanner){&one->source, one->whole, length, at, &one->error};
}

/* Whether it was accepted, and where the scanner then is; without an error after an accept. */
static void check_scanned(const ScanCase *one, bool found, size_t after, bool may_fail) {
  if (found != (after != SIZE_MAX)) fail_msg("'%s': %d, %zu", one->scan.text, found, after);
  if (found) assert_int_equal(one->scan.at, after);
  assert_int_equal(one->error.kind != ERROR_NONE, may_fail && !found);
}

static size_t expected_word(const char *text, size_t from, bool has_percent) {
  size_t start = after_blanks(text, from);
  start += has_percent && text[start] == '%';
  size_t end = after_word(text, start);
  return end > start ? end : SIZE_MAX;
}

static void check_tokens(const char *text) {
  ScanCase one;
  size_t first = after_blanks(text, 0);
  scan_case_begin(&one, text, 0);
  scan_blanks(&one.scan);
  assert_int_equal(one.scan.at, first);
  assert_int_equal(scan_peek(&one.scan), text[first]);
  assert_int_equal(scan_at_end(&one.scan), text[first] == 0);
  for (const char *c = "a,{/"; *c != 0; c++) {
    scan_case_begin(&one, text, 0);
    bool found = scan_accept(&one.scan, *c);
    check_scanned(&one, found, text[first] == *c ? first + 1 : SIZE_MAX, false);
    if (!found) assert_int_equal(one.scan.at, 0);
    scan_case_begin(&one, text, 0);
    check_scanned(&one, scan_accept_here(&one.scan, *c), text[0] == *c ? 1 : SIZE_MAX, false);
    scan_case_begin(&one, text, 0);
    check_scanned(
        &one, scan_expect(&one.scan, *c, "here"), text[first] == *c ? first + 1 : SIZE_MAX, true);
  }
  Slice slice;
  scan_case_begin(&one, text, 0);
  size_t word = expected_word(text, 0, false);
  check_scanned(&one, scan_accept_word(&one.scan, &slice), word, false);
  if (word == SIZE_MAX) assert_int_equal(one.scan.at, 0);
  if (word != SIZE_MAX)
    assert_true(slice.text == one.whole + first && slice.length == word - first);
  scan_case_begin(&one, text, 0);
  bool is_keyword = word != SIZE_MAX && word - first == 2 && strncmp(text + first, "a-", 2) == 0;
  check_scanned(&one, scan_accept_keyword(&one.scan, "a-"), is_keyword ? word : SIZE_MAX, false);
  scan_case_begin(&one, text, 0);
  bool begins = strncmp(text + first, "a-", 2) == 0;
  check_scanned(&one, scan_accept_text(&one.scan, "a-"), begins ? first + 2 : SIZE_MAX, false);
  scan_case_begin(&one, text, 0);
  check_scanned(&one, scan_name(&one.scan, &slice, "a name"), expected_word(text, 0, true), true);
}

static void check_groups(const char *text) {
  ScanCase one;
  int64_t value, expected;
  bool overflows;
  size_t first = after_blanks(text, 0);
  scan_case_begin(&one, text, 0);
  size_t after = after_integer(text, 0, &expected, &overflows);
  check_scanned(&one, scan_integer(&one.scan, &value, "an integer"), after, true);
  if (after != SIZE_MAX) assert_true(value == expected);
  scan_case_begin(&one, text, 0);
  check_scanned(&one, scan_string(&one.scan), after_string(text, first), true);
  if (text[first] != 0 && strchr("([{", text[first]) != nullptr) {
    scan_case_begin(&one, text, 0);
    check_scanned(&one, scan_group(&one.scan), after_group(text, first), true);
  }
  scan_case_begin(&one, text, 0);
  check_scanned(&one, scan_value(&one.scan), after_value(text, 0), true);
}

static void short_texts_are_scanned_as_defined(void **) {
  static const char *const alphabets[] = {
      "/*\n a", "a-%1_.", "(){} ,", "\"'\\{}a", "/*({}\"", "[](a/*"};
  char text[16];
  for (size_t alphabet = 0; alphabet < 6; alphabet++) {
    size_t letters = strlen(alphabets[alphabet]), count = 1;
    for (size_t length = 0; length <= 6; length++, count *= letters)
      for (size_t number = 0; number < count; number++) {
        size_t left = number;
        for (size_t i = 0; i < length; i++, left /= letters)
          text[i] = alphabets[alphabet][left % letters];
        text[length] = 0;
        if (length < 5) check_tokens(text);
        check_groups(text);
      }
  }
}

static void integers_end_at_the_ends_of_int64(void **) {
  static const char *const texts[] = {"9223372036854775807", "9223372036854775808",
      "-9223372036854775808", "-9223372036854775809", "18446744073709551616",
      "92233720368547758070", "-0", "007", "-", "99999999999999999999999999999999999999999999",
      "4611686018427387904"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    ScanCase one;
    int64_t value, expected;
    bool overflows;
    size_t after = after_integer(texts[i], 0, &expected, &overflows);
    scan_case_begin(&one, texts[i], 0);
    bool found = scan_integer(&one.scan, &value, "an integer");
    check_scanned(&one, found, after, true);
    if (found) assert_true(value == expected);
    else assert_int_equal(one.error.kind, overflows ? ERROR_OVERFLOW : ERROR_INPUT);
  }
}

/* ---- names ---- */

static void names_belong_to_their_scope(void **) {
  static char names[300][24];
  static int values[3][300];
  Arena *arena = arena_create();
  Names table = {};
  bool is_known[3][300] = {};
  for (uint32_t i = 0; i < 300; i++)
    snprintf(names[i], sizeof names[i], "%.*s%u", (int)(i % 12), "aaaaaaaaaaaa", i / 12);
  for (uint32_t round = 0; round < 2000; round++) {
    uint32_t scope = draw_below(3), i = draw_below(300), first = 0;
    while (strcmp(names[first], names[i]) != 0) first++;
    int *value = &values[scope][first];
    void *found = names_find(&table, scope, names[i], strlen(names[i]));
    assert_ptr_equal(found, is_known[scope][first] ? value : nullptr);
    assert_int_equal(names_add(&table, arena, scope, names[i], strlen(names[i]), value),
        !is_known[scope][first]);
    is_known[scope][first] = true;
    assert_ptr_equal(names_find(&table, scope, names[i], strlen(names[i])), value);
  }
  arena_destroy(arena);
}

/* ---- the splitter ---- */

typedef struct PartsDefined {
  size_t from[16], to[16];
  uint32_t count;
} PartsDefined;

static void parts_cut(PartsDefined *parts, size_t *start, size_t end, bool *has_content) {
  if (*has_content) parts->from[parts->count] = *start, parts->to[parts->count++] = end;
  *start = end;
  *has_content = false;
}

/* Letter by letter: inside of nothing, of a string, of a comment. */
static PartsDefined parts_defined(const char *text) {
  PartsDefined parts = {};
  size_t start = 0, line = 0, at = 0;
  bool has_content = false, at_line_start = true;
  while (text[at] != 0) {
    if (text[at] == '\n') line = at + 1, at_line_start = true;
    if (strchr(" \t\r\n", text[at]) != nullptr) {
      at++;
      continue;
    }
    if (text[at] == '/' && text[at + 1] == '/') {
      bool is_cut = at_line_start && strncmp(text + at, "// -----", 8) == 0;
      at += strcspn(text + at, "\r\n");
      if (is_cut) parts_cut(&parts, &start, at, &has_content);
    } else if (text[at] == '/' && text[at + 1] == '*') {
      const char *end = strstr(text + at + 2, "*/");
      at = end == nullptr ? strlen(text) : (size_t)(end - text) + 2;
    } else {
      bool is_module = at_line_start && strncmp(text + at, "HloModule", 9) == 0 &&
                       text[at + 9] != 0 && strchr(" \t\r\n/", text[at + 9]) != nullptr;
      if (is_module && has_content) parts_cut(&parts, &start, line, &has_content);
      has_content = true;
      size_t end = after_string(text, at);
      bool is_string = text[at] == '"' || text[at] == '\'';
      at = !is_string ? at + 1 : end == SIZE_MAX ? strlen(text) : end;
    }
    at_line_start = false;
  }
  parts_cut(&parts, &start, at, &has_content);
  return parts;
}

static void check_split(Arena *arena, const char *text, uint32_t first_line) {
  Source source = {"t", text, strlen(text), first_line}, *found;
  PartsDefined parts = parts_defined(text);
  uint32_t count;
  Error error = {};
  assert_int_equal(hlo_split(arena, &source, &count, &found, &error), parts.count > 0);
  assert_int_equal(count, parts.count);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t line = first_line == 0 ? 1 : first_line;
    for (size_t at = 0; at < parts.from[i]; at++) line += text[at] == '\n';
    assert_ptr_equal(found[i].text, text + parts.from[i]);
    assert_int_equal(found[i].length, parts.to[i] - parts.from[i]);
    assert_int_equal(found[i].first_line, line);
    assert_string_equal(found[i].name, "t");
  }
}

static void texts_are_split_as_defined(void **) {
  static const char *const pieces[] = {
      "HloModule", "// -----", "//", "/*", "*/", "\"", "'", "\\", "\n", "\r", " ", "a", "/"};
  Arena *arena = arena_create();
  for (uint32_t count = 0, all = 1; count <= 4; count++, all *= 13)
    for (uint32_t number = 0; number < all; number++) {
      char text[80] = "";
      uint32_t left = number;
      for (uint32_t i = 0; i < count; i++, left /= 13) strcat(text, pieces[left % 13]);
      ArenaMark mark = arena_mark(arena);
      check_split(arena, text, number % 3);
      arena_rewind(arena, mark);
    }
  for (uint32_t round = 0; round < 20000; round++) {
    char text[200] = "";
    for (uint32_t i = 5 + draw_below(10); i > 0; i--)
      strcat(text, pieces[draw_below(3) == 0 ? 8 : draw_below(13)]);
    ArenaMark mark = arena_mark(arena);
    check_split(arena, text, 1);
    arena_rewind(arena, mark);
  }
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_name_of_a_type_tells_its_class),
      cmocka_unit_test(shapes_are_the_same_as_defined),
      cmocka_unit_test(leaves_are_in_the_order_of_the_tree),
      cmocka_unit_test(shapes_read_back),
      cmocka_unit_test(bits_of_a_layout_are_those_that_are_written),
      cmocka_unit_test(short_texts_are_scanned_as_defined),
      cmocka_unit_test(integers_end_at_the_ends_of_int64),
      cmocka_unit_test(names_belong_to_their_scope),
      cmocka_unit_test(texts_are_split_as_defined),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
