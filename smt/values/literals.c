/* Elements of constants, from their text. If all elements are equal, the constant has this element
 * at every index; otherwise the index decides. A constant whose text is elided equals the constant
 * of the same name and shape in the other graph. If a graph has several of that name, each equals
 * only itself. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/hlo/namesakes.h"
#include "smt/values/values.h"

static constexpr size_t most_text = 400'000;
static constexpr int64_t no_position = -1;

/* Parses the next element after `at`: a word, or a pair in parentheses. */
static bool token_next(const char **at, ElementLiteral *token) {
  *at += strspn(*at, "{} ,\n\r\t");
  if (**at == 0) return false;
  size_t length = **at == '(' ? strcspn(*at, ")") + 1 : strcspn(*at, "{} ,\n\r\t");
  *token = (ElementLiteral){.is_known = true, .text = *at, .length = length};
  *at += length;
  return true;
}

static bool token_same(const ElementLiteral *a, const ElementLiteral *b) {
  return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

/* The row-major position of a constant index; no_position if a component is not known. */
static int64_t index_position(const ValuesProof *proof, const Spot *spot) {
  assert(spot_is_well_formed(proof->sums, spot));
  const Shape *shape = spot_shape(spot);
  int64_t position = 0;
  for (uint32_t i = 0; i < spot->rank; i++) {
    Wide value;
    if (!sum_is_constant(proof->sums, spot->index[i], &value) || value < 0 ||
        value >= shape->sizes[i])
      return no_position;
    position = position * shape->sizes[i] + (int64_t)value;
  }
  return position;
}

ElementLiteral literal_at(ValuesProof *proof, const Spot *spot) {
  assert(spot_is_well_formed(proof->sums, spot));
  const char *text = spot->instruction->literal_text, *at = text;
  ElementLiteral first, next, found = {};
  int64_t position, element = 0;
  if (instruction_is_elided(spot->instruction) || !shape_is_array(spot->instruction->shape) ||
      strlen(text) > most_text)
    return (ElementLiteral){};
  position = index_position(proof, spot);
  if (!token_next(&at, &first)) return (ElementLiteral){};
  bool is_uniform = true;
  if (position == 0) found = first;
  while (token_next(&at, &next)) {
    if (++element == position) found = next;
    is_uniform &= token_same(&first, &next);
  }
  if (element + 1 != shape_elements(spot_shape(spot))) return (ElementLiteral){};
  if (!is_uniform) return found;
  first.is_uniform = true;
  return first;
}

bool literal_is_minus_zero(const ElementLiteral *literal) {
  char digits[40], *end;
  if (!literal->is_known || literal->length >= sizeof digits || literal->text[0] != '-')
    return false;
  memcpy(digits, literal->text, literal->length);
  digits[literal->length] = 0;
  return strtod(digits, &end) == 0 && end == digits + literal->length;
}

bool literal_integer(const ElementLiteral *literal, Wide *value) {
  char digits[40], *end;
  if (!literal->is_known || literal->length >= sizeof digits) return false;
  memcpy(digits, literal->text, literal->length);
  digits[literal->length] = 0;
  if (strcmp(digits, "true") == 0 || strcmp(digits, "false") == 0) {
    *value = digits[0] == 't';
    return true;
  }
  double number = strtod(digits, &end);
  bool is_zero_below = number == 0 && digits[0] == '-', is_small = number >= -1e9 && number <= 1e9;
  if (end == digits || *end != 0 || is_zero_below || !is_small) return false; /* nor is a NaN */
  *value = (int64_t)number;
  return (double)(int64_t)*value == number;
}

/* The formats of floats: digits after the point, the smallest normal exponent, and the largest
 * number. */
typedef struct FloatFormat {
  ElementType type;
  int digits, smallest;
  double largest;
} FloatFormat;

static const FloatFormat float_formats[] = {{TYPE_f4e2m1fn, 1, 0, 6}, {TYPE_f8e3m4, 4, -2, 15.5},
    {TYPE_f8e4m3, 3, -6, 240}, {TYPE_f8e4m3fn, 3, -6, 448}, {TYPE_f8e4m3fnuz, 3, -7, 240},
    {TYPE_f8e4m3b11fnuz, 3, -10, 30}, {TYPE_f8e5m2, 2, -14, 57344},
    {TYPE_f8e5m2fnuz, 2, -15, 57344}, {TYPE_f16, 10, -14, 65504}, {TYPE_bf16, 7, -126, 0x1.fep127},
    {TYPE_f32, 23, -126, 0x1.fffffep127}};

/* The number of the type that is nearest, the even one of two. Of f4e2m1fn, which has no infinity,
 * it is the largest one for all numbers past it. The other types have no such literals; numbers of
 * f64 remain. */
static double nearest_float(ElementType type, double number) {
  for (size_t i = 0; i < sizeof float_formats / sizeof *float_formats; i++) {
    const FloatFormat *format = &float_formats[i];
    if (format->type != type || !isfinite(number)) continue;
    double unit = ldexp(1, format->smallest - format->digits), end = 2 * ldexp(1, format->digits);
    while (fabs(number) >= end * unit) unit *= 2;
    double whole = floor(fabs(number) / unit), rest = fabs(number) / unit - whole;
    if (rest > 0.5 || (rest >= 0.5 && fmod(whole, 2) > 0)) whole += 1;
    if (whole * unit <= format->largest) return copysign(whole * unit, number);
    return type == TYPE_f4e2m1fn ? copysign(format->largest, number) : number;
  }
  return number;
}

/* XLA rounds the text to f64, for f16 and bf16 then to f32, and then to the type. */
static double stated_float(ElementType type, double number) {
  bool is_twice = type == TYPE_f16 || type == TYPE_bf16;
  return nearest_float(type, is_twice ? (double)(float)number : number);
}

/* Whether two texts denote the same number of the type, including the sign of a zero. */
static bool literal_same(ElementType type, const ElementLiteral *a, const ElementLiteral *b) {
  char texts[2][48], *ends[2];
  if (token_same(a, b)) return true;
  if (!element_type_is_floating(type) || a->length >= sizeof texts[0] ||
      b->length >= sizeof texts[0])
    return false;
  memcpy(texts[0], a->text, a->length);
  memcpy(texts[1], b->text, b->length);
  texts[0][a->length] = texts[1][b->length] = 0;
  double x = strtod(texts[0], &ends[0]), y = strtod(texts[1], &ends[1]);
  if (ends[0] == texts[0] || *ends[0] != 0 || ends[1] == texts[1] || *ends[1] != 0) return false;
  return stated_float(type, x) == stated_float(type, y) &&
         (texts[0][0] == '-') == (texts[1][0] == '-');
}

bool elided_same(const Instruction *a, const Instruction *b) {
  return a == b || (!a->is_namesake && !b->is_namesake && strcmp(a->name, b->name) == 0);
}

static bool same_texts(const Instruction *a, const Instruction *b) {
  if (a == b) return true;
  if (a->literal_text == nullptr || b->literal_text == nullptr ||
      !shape_compatible(a->shape, b->shape) || strcmp(a->literal_text, b->literal_text) != 0)
    return false;
  return !instruction_is_elided(a) || elided_same(a, b);
}

Same constants_same(ValuesProof *proof, const Given *given, const Spot *a, const Spot *b) {
  assert(given_is_canonical(proof->sums, given));
  assert(spot_is_well_formed(proof->sums, a));
  assert(spot_is_well_formed(proof->sums, b));
  if (spot_type(a) != spot_type(b)) return given_vacuous(proof, given);
  if (a->leaf == b->leaf && same_texts(a->instruction, b->instruction)) {
    Same same = given_equal(proof, given, a->rank, a->index, b->index);
    if (same == SAME_YES) return same;
  }
  ElementLiteral x = literal_at(proof, a), y = literal_at(proof, b);
  if (x.is_known && y.is_known)
    return literal_same(spot_type(a), &x, &y) ? SAME_YES : given_vacuous(proof, given);
  bool has_namesake = a->instruction->is_namesake || b->instruction->is_namesake;
  return proof_open(proof, "elements of constant '%s' and '%s'%s", a->instruction->name,
      b->instruction->name, has_namesake ? ", one of several of that name" : "");
}
