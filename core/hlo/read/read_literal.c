/* The literal of a constant: nested braces by the shape's sizes, row-major in logical order.
 * `{...}` elides all of it, also for a tuple. An array may have one value without braces, which XLA
 * puts into the first element. In both cases no values are kept. Commas are skipped, as in XLA.
 * Values are checked for form, integral ones also for the range of their type, and finite ones of
 * f16, bf16 and f32 for rounding to a finite number. */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/hlo/read/reader.h"

static constexpr int64_t most_kept_values = 65536;

typedef struct LiteralReader {
  Reader *reader;
  const Shape *shape;
  uint32_t level; /* number of open braces */
  bool elided;
  int64_t *seen; /* [rank]: elements or sub-arrays so far in each open brace */
  bool kept;     /* the values are appended to `values` */
  bool any;      /* at least one value was read */
  bool bare;     /* one value without braces, for a nonempty array: f32[3] constant(1) */
  IntList values;
} LiteralReader;

static bool open_brace(LiteralReader *literal) {
  Reader *reader = literal->reader;
  const Shape *shape = literal->shape;
  size_t at = reader->scan.at++;
  if (literal->level == shape->rank) {
    return read_fail(reader, ERROR_INPUT, at, 1,
        "the literal is nested deeper than the shape's rank %u", shape->rank);
  }
  if (literal->level > 0 &&
      ++literal->seen[literal->level - 1] > shape->sizes[literal->level - 1]) {
    return read_fail(reader, ERROR_INPUT, at, 1, "more than the %s of dimension %u",
        counted(shape->sizes[literal->level - 1], "element"), literal->level - 1);
  }
  literal->level++;
  return true;
}

static bool close_brace(LiteralReader *literal) {
  Reader *reader = literal->reader;
  size_t at = reader->scan.at++;
  if (literal->level == 0)
    return read_fail(reader, ERROR_INPUT, at, 1, "expected a value, found '}'");
  uint32_t dimension = --literal->level;
  assert(dimension < literal->shape->rank);
  if (literal->seen[dimension] != literal->shape->sizes[dimension]) {
    return read_fail(reader, ERROR_INPUT, at, 1, "dimension %u of the literal has %s, not %" PRId64,
        dimension, counted(literal->seen[dimension], "element"), literal->shape->sizes[dimension]);
  }
  literal->seen[dimension] = 0;
  return true;
}

static bool elide(LiteralReader *literal) {
  Reader *reader = literal->reader;
  assert(reader->scan.at >= 3);
  if (literal->level != 1) {
    return read_fail(reader, ERROR_INPUT, reader->scan.at - 3, 3,
        "'...' is allowed only in the outermost braces");
  }
  literal->elided = true;
  literal->seen[0] = literal->shape->sizes[0];
  return true;
}

static bool count_value(LiteralReader *literal) {
  Reader *reader = literal->reader;
  uint32_t rank = literal->shape->rank;
  if (literal->bare) return true;
  if (literal->level != rank) {
    return read_fail(reader, ERROR_INPUT, reader->scan.at, 1,
        "expected %u nested braces around a value, found %u", rank, literal->level);
  }
  if (rank > 0 && ++literal->seen[rank - 1] > literal->shape->sizes[rank - 1]) {
    return read_fail(reader, ERROR_INPUT, reader->scan.at, 1, "more than the %s of dimension %u",
        counted(literal->shape->sizes[rank - 1], "element"), rank - 1);
  }
  return true;
}

static void skip_digits(Scanner *scan) {
  while (scan->at < scan->length && scan->text[scan->at] >= '0' && scan->text[scan->at] <= '9')
    scan->at++;
}

static bool skip_one(Scanner *scan, char first, char second) {
  if (scan->at >= scan->length || (scan->text[scan->at] != first && scan->text[scan->at] != second))
    return false;
  scan->at++;
  return true;
}

/* nan, nan(0x1f) */
static bool skip_nan(Scanner *scan) {
  if (!scan_accept_keyword(scan, "nan")) return false;
  if (scan->at < scan->length && scan->text[scan->at] == '(') return scan_group(scan);
  return true;
}

/* 1, -1.5, .5, 1e-3, inf, -inf, nan, -nan(0x1) */
static bool read_float(Scanner *scan) {
  scan_blanks(scan);
  size_t start = scan->at;
  skip_one(scan, '-', '-');
  if (scan_accept_keyword(scan, "inf") || skip_nan(scan)) return true;
  size_t digits = scan->at;
  skip_digits(scan);
  size_t count = scan->at - digits;
  if (skip_one(scan, '.', '.')) {
    size_t fraction = scan->at;
    skip_digits(scan);
    count += scan->at - fraction;
  }
  if (count > 0 && skip_one(scan, 'e', 'E')) {
    skip_one(scan, '+', '-');
    size_t exponent = scan->at;
    skip_digits(scan);
    count = scan->at - exponent;
  }
  if (count > 0) return true;
  scan->at = start;
  return scan_fail(scan, "a number");
}

/* The least magnitude that rounds to no finite number of the type, as an f64. A tie goes to the
 * even number, so that 464 is 448 in f8e4m3fn. INFINITY: the type has no check, and f4e2m1fn rounds
 * every number past 6 to 6. */
static double least_infinite(ElementType type) {
  static const struct {
    ElementType type;
    double least;
  } rows[] = {{TYPE_f8e3m4, 15.75}, {TYPE_f8e4m3, 248}, {TYPE_f8e4m3fn, 0x1.d000000000001p8},
      {TYPE_f8e4m3fnuz, 248}, {TYPE_f8e4m3b11fnuz, 31}, {TYPE_f8e5m2, 61440},
      {TYPE_f8e5m2fnuz, 61440}, {TYPE_f8e8m0fnu, 0x1.8p127}, {TYPE_f16, 0x1.ffep15},
      {TYPE_bf16, 0x1.ffp127}, {TYPE_f32, 0x1.ffffffp127}, {TYPE_c64, 0x1.ffffffp127}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].type == type) return rows[i].least;
  return INFINITY;
}

/* True for the text of a number below 10^4, which is in the range of each type with more than 8
 * bits.
 */
static bool is_small_text(const char *text, size_t length) {
  size_t digits = 0;
  while (digits < length && (text[digits] == '-' || (text[digits] >= '0' && text[digits] <= '9')))
    digits++;
  for (size_t i = digits; i < length; i++)
    if (text[i] == 'e' || text[i] == 'E')
      return digits <= 4 && i + 1 < length && text[i + 1] == '-';
  return digits <= 4;
}

/* True for digits that are past the range of f64; inf and nan are letters. */
static bool is_past_range(const char *text, double stated) {
  char first = text[text[0] == '-'];
  return isinf(stated) && (first == '.' || (first >= '0' && first <= '9'));
}

/* The numbers of f8e8m0fnu are powers of two: zero and numbers below it are out of its range. */
static bool is_in_range(ElementType type, double stated) {
  bool is_twice = type == TYPE_f16 || type == TYPE_bf16;
  double magnitude = fabs(is_twice ? (double)(float)stated : stated);
  if (type == TYPE_f8e8m0fnu && (signbit(stated) || magnitude <= 0)) return false;
  return magnitude < least_infinite(type);
}

/* As XLA does, the text is rounded to f64, for f16 and bf16 also to f32, and then to its type. A
 * finite text that rounds to none of the type's finite numbers is an error. */
static bool read_floating(Reader *reader, ElementType type) {
  Scanner *scan = &reader->scan;
  size_t start = (scan_blanks(scan), scan->at);
  if (!read_float(scan)) return false;
  const char *text = scan->text + start;
  size_t length = scan->at - start;
  if (element_type_bits(type) > 8 && is_small_text(text, length)) return true;
  const char *digits = arena_text(reader->scratch, text, length);
  double stated = strtod(digits, nullptr);
  if (isfinite(stated) ? is_in_range(type, stated) : !is_past_range(digits, stated)) return true;
  return read_fail(reader, ERROR_INPUT, start, length, "%s is outside the range of %s", digits,
      element_type_name(type));
}

static bool read_complex(Reader *reader, ElementType type) {
  Scanner *scan = &reader->scan;
  return scan_expect(scan, '(', "before a complex number") && read_floating(reader, type) &&
         scan_expect(scan, ',', "between real and imaginary part") && read_floating(reader, type) &&
         scan_expect(scan, ')', "after a complex number");
}

/* An unsigned 64-bit value is returned as int64, modulo 2^64. */
static bool read_u64(Reader *reader, int64_t *value) {
  Scanner *scan = &reader->scan;
  if (scan_peek(scan) == '-') return scan_integer(scan, value, "an integer");
  size_t start = scan->at;
  uint64_t result = 0;
  bool overflow = false;
  skip_digits(scan);
  for (size_t i = start; i < scan->at; i++) {
    overflow |= __builtin_mul_overflow(result, UINT64_C(10), &result) ||
                __builtin_add_overflow(result, (uint64_t)(scan->text[i] - '0'), &result);
  }
  if (scan->at == start) return scan_fail(scan, "an integer");
  if (overflow)
    return read_fail(
        reader, ERROR_OVERFLOW, start, scan->at - start, "the integer does not fit 64 bits");
  *value = (int64_t)result;
  return true;
}

static bool read_literal_fits(ElementType type, int64_t value) {
  uint32_t bits = element_type_bits(type);
  assert(bits > 0 && bits <= 64 && element_type_is_integral(type));
  if (bits == 64) return true;
  if (!element_type_is_signed(type)) return value >= 0 && value < INT64_C(1) << bits;
  return value >= -(INT64_C(1) << (bits - 1)) && value < INT64_C(1) << (bits - 1);
}

static bool read_pred(Reader *reader, int64_t *value) {
  if (scan_accept_keyword(&reader->scan, "true")) {
    *value = 1;
    return true;
  }
  *value = 0;
  if (scan_accept_keyword(&reader->scan, "false")) return true;
  if (!scan_integer(&reader->scan, value, "true, false or an integer")) return false;
  *value = *value != 0;
  return true;
}

static bool read_integral(Reader *reader, ElementType type, int64_t *value) {
  if (type == TYPE_pred) return read_pred(reader, value);
  size_t start = (scan_blanks(&reader->scan), reader->scan.at);
  if (type == TYPE_u64 ? !read_u64(reader, value)
                       : !scan_integer(&reader->scan, value, "an integer"))
    return false;
  if (read_literal_fits(type, *value)) return true;
  return read_fail(reader, ERROR_INPUT, start, reader->scan.at - start,
      "%" PRId64 " is outside the range of %s", *value, element_type_name(type));
}

/* Judges split the text at blanks and commas. XLA also reads `1-2` and `1.5.5` as two values. What
 * follows a value without braces, the caller checks. */
static bool value_ends(LiteralReader *literal) {
  static const char after[] = {' ', '\t', '\r', '\n', ',', '{', '}', ')', '/'};
  const Scanner *scan = &literal->reader->scan;
  bool is_inside = literal->level > 0 && scan->at < scan->length;
  if (!is_inside || memchr(after, scan->text[scan->at], sizeof after) != nullptr) return true;
  return read_fail(
      literal->reader, ERROR_UNSUPPORTED, scan->at, 1, "expected a comma after the value");
}

static bool read_value(LiteralReader *literal) {
  Reader *reader = literal->reader;
  if (!count_value(literal)) return false;
  ElementType type = literal->shape->type;
  int64_t value = 0;
  if (element_type_is_integral(type)) {
    if (!read_integral(reader, type, &value)) return false;
  } else if (element_type_is_complex(type) ? !read_complex(reader, type)
                                           : !read_floating(reader, type)) {
    return false;
  }
  if (!value_ends(literal)) return false;
  if (literal->kept) *ARENA_PUSH(reader->scratch, &literal->values) = value;
  literal->any = true;
  return true;
}

static bool read_token(LiteralReader *literal) {
  Scanner *scan = &literal->reader->scan;
  if (scan_accept(scan, ',')) return true;
  if (scan_accept_text(scan, "...")) return elide(literal);
  switch (scan_peek(scan)) {
    case '{': return open_brace(literal);
    case '}': return close_brace(literal);
    case '(':
      if (!element_type_is_complex(literal->shape->type)) return scan_fail(scan, "a value");
      [[fallthrough]];
    default: return read_value(literal);
  }
}

static bool read_array_literal(Reader *reader, const Shape *shape, Ints *values) {
  if (shape->is_unbounded)
    return read_fail(
        reader, ERROR_UNSUPPORTED, reader->scan.at, 1, "a constant of a size that is not known");
  ArenaMark mark = arena_mark(reader->scratch);
  LiteralReader literal = {
      .reader = reader, .shape = shape, .seen = ARENA_NEW(reader->scratch, int64_t, shape->rank)};
  int64_t count = shape_elements(shape);
  literal.bare = shape->rank > 0 && count > 0 && scan_peek(&reader->scan) != '{';
  literal.kept =
      element_type_is_integral(shape->type) && count <= most_kept_values && !literal.bare;
  do {
    if (!read_token(&literal)) return false;
  } while (literal.level > 0 || ((shape->rank == 0 || literal.bare) && !literal.any));
  assert(!literal.kept || literal.elided || literal.values.count == count);
  if (literal.kept && !literal.elided) *values = take_ints(reader, &literal.values);
  arena_rewind(reader->scratch, mark);
  return true;
}

/* {...} */
static bool read_elided_tuple(Scanner *scan) {
  return scan_expect(scan, '{', "before '...'") &&
         (scan_accept_text(scan, "...") || scan_fail(scan, "'...'")) &&
         scan_expect(scan, '}', "after '...'");
}

static bool read_tuple_literal(Reader *reader, const Shape *shape) {
  Scanner *scan = &reader->scan;
  if (scan_peek(scan) == '{') return read_elided_tuple(scan);
  if (!scan_expect(scan, '(', "before the elements of a tuple")) return false;
  for (uint32_t i = 0; i < shape->element_count; i++) {
    Ints ignored = {};
    if (i > 0 && !scan_expect(scan, ',', "between the elements of a tuple")) return false;
    if (!read_literal(reader, shape->elements[i], &ignored)) return false;
  }
  return scan_expect(scan, ')', "after the elements of a tuple");
}

bool read_literal(Reader *reader, const Shape *shape, Ints *values) {
  if (shape_is_tuple(shape)) return read_tuple_literal(reader, shape);
  if (shape_is_array(shape)) return read_array_literal(reader, shape, values);
  return read_fail(reader, ERROR_INPUT, reader->scan.at, 1, "there are no constants of type %s",
      element_type_name(shape->type));
}
