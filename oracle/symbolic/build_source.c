/* Constants and iotas. A constant whose text is elided is an array of atoms named by the
 * instruction: two graphs of one compile use the same name for the same constant. A constant whose
 * name occurs several times is distinct from all others. */
#include "oracle/symbolic/build.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/hlo/namesakes.h"
#include "oracle/semantics/arithmetic.h"
#include "oracle/values/element.h"

/* Splits a literal's text into its values; complex literals are treated as elided. */
static void read_literal(TermBuilder *builder, const Node *node, ConstantLiteral *literal) {
  const char *text = node->instruction->literal_text;
  struct {
    uint32_t count, capacity;
    const char **items;
  } tokens = {};
  literal->is_read = true;
  literal->is_elided = text == nullptr || strstr(text, "...") != nullptr ||
                       node->leaves[0].shape->type == TYPE_c64 ||
                       node->leaves[0].shape->type == TYPE_c128;
  if (literal->is_elided) return;
  static const char between[] = " ,{}\n\r\t";
  for (const char *at = text + strspn(text, between); *at != 0; at += strspn(at, between)) {
    size_t length = strcspn(at, between);
    *ARENA_PUSH(builder->arena, &tokens) = arena_text(builder->arena, at, length);
    at += length;
  }
  literal->count = tokens.count;
  literal->tokens = tokens.items;
  literal->is_elided = tokens.count != (uint64_t)node->leaves[0].elements;
}

static Term elided_element(TermBuilder *builder, const Node *node, int64_t element) {
  Text text = text_create(builder->arena);
  const char *name = node->instruction->name;
  text_printf(&text, "constant %.*s %s ", original_length(name), name,
      node->instruction->literal_text == nullptr ? "" : node->instruction->literal_text);
  shape_print(&text, node->leaves[0].shape);
  if (node->instruction->is_namesake) builder_print_position(builder, node->instruction, &text);
  uint32_t signature = signature_of(builder->terms, text.bytes, node->instruction->name);
  signature_at(builder->terms, signature)->is_namesake = node->instruction->is_namesake;
  signature_at(builder->terms, signature)->shape = node->leaves[0].shape;
  signature_at(builder->terms, signature)->is_opaque = true;
  return term_make(builder->terms, TERM_ATOM, node->leaves[0].shape->type, signature,
      (uint64_t)element, 0, nullptr);
}

static bool token_integer(const char *token, int64_t *value) {
  char *end;
  if (strcmp(token, "true") == 0 || strcmp(token, "false") == 0) {
    *value = token[0] == 't';
    return true;
  }
  *value = token[0] == '-' ? strtoll(token, &end, 10) : (int64_t)strtoull(token, &end, 10);
  return end != token && *end == 0;
}

static bool has_real_arithmetic(ElementType type) {
  return type == TYPE_f64 || type == TYPE_f32 || type == TYPE_f16 || type == TYPE_bf16;
}

/* The floats of eight bits and fewer: bits after the point, the exponent of the smallest normal
 * number, and the largest number. */
static bool small_float(ElementType type, int *significand, int *least, double *largest) {
  static const struct {
    ElementType type;
    int significand, least;
    double largest;
  } formats[] = {{TYPE_f4e2m1fn, 1, 0, 6}, {TYPE_f8e3m4, 4, -2, 15.5}, {TYPE_f8e4m3, 3, -6, 240},
      {TYPE_f8e4m3fn, 3, -6, 448}, {TYPE_f8e4m3fnuz, 3, -7, 240}, {TYPE_f8e4m3b11fnuz, 3, -10, 30},
      {TYPE_f8e5m2, 2, -14, 57344}, {TYPE_f8e5m2fnuz, 2, -15, 57344}};
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    *significand = formats[i].significand;
    *least = formats[i].least;
    *largest = formats[i].largest;
    if (formats[i].type == type) return true;
  }
  return false;
}

/* The text of the float that a literal is rounded to. Past the largest number f4e2m1fn has that
 * number, and what remains of the others is the text of an infinity or a NaN. */
static const char *small_literal(TermBuilder *builder, ElementType type, const char *token) {
  char *end;
  int significand, least, exponent;
  double largest, value = strtod(token, &end);
  if (end == token || *end != 0 || !small_float(type, &significand, &least, &largest)) return token;
  (void)frexp(value, &exponent);
  int unit = (exponent - 1 < least ? least : exponent - 1) - significand;
  double rounded = ldexp(nearbyint(ldexp(value, -unit)), unit);
  if (type == TYPE_f4e2m1fn && isfinite(value) && fabs(rounded) > largest)
    rounded = copysign(largest, value);
  return fabs(rounded) <= largest ? arena_printf(builder->arena, "%.9g", rounded) : token;
}

bool build_constant(
    TermBuilder *builder, const Node *node, uint32_t leaf, int64_t element, Term *term) {
  ConstantLiteral *literal = &builder->nodes[node->number].literal;
  ElementType type = node->leaves[0].shape->type;
  int64_t integer;
  if (node->leaf_count != 1 || shape_is_tuple(node->instruction->shape))
    return build_opaque(builder, node, leaf, element, term);
  if (!literal->is_read) read_literal(builder, node, literal);
  if (literal->is_elided) {
    *term = elided_element(builder, node, element);
    return true;
  }
  assert(literal->tokens != nullptr && element < (int64_t)literal->count);
  const char *token = literal->tokens[element];
  if (element_type_is_integral(type) && token_integer(token, &integer)) {
    *term = term_constant(builder->terms, type, integer);
    return true;
  }
  if (has_real_arithmetic(type) && strncmp(token + (token[0] == '-'), "nan", 3) != 0) {
    double value = strtod(token, nullptr);
    if (type == TYPE_f16 || type == TYPE_bf16) value = (double)(float)value; /* as XLA reads it */
    *term = term_float(builder->terms, type, element_of_real(type, value).real);
    return true;
  }
  token = has_real_arithmetic(type) && terms_has_one_nan(builder->terms)
              ? "nan"
              : small_literal(builder, type, token);
  Text text = text_create(builder->arena);
  text_printf(&text, "literal %s %s", element_type_name(type), token);
  uint32_t signature =
      signature_of(builder->terms, text.bytes, arena_printf(builder->arena, "%s", token));
  signature_at(builder->terms, signature)->is_nan = has_real_arithmetic(type);
  *term = term_make(builder->terms, TERM_ATOM, type, signature, 0, 0, nullptr);
  return true;
}

bool build_iota(TermBuilder *builder, const Node *node, int64_t element, Term *term) {
  int64_t at[oracle_max_rank];
  ElementType type = node->leaves[0].shape->type;
  leaf_index(&node->leaves[0], element, at);
  if (node->instruction->number < 0 || node->instruction->number >= node->leaves[0].rank)
    return builder_reject(builder, node, "no such dimension");
  int64_t value = at[node->instruction->number];
  bool is_exact = element_type_is_integral(type) || (has_real_arithmetic(type) && value < 256);
  if (!is_exact && !(type == TYPE_f32 || type == TYPE_f64))
    return build_opaque(builder, node, 0, element, term);
  *term = element_type_is_integral(type)
              ? term_constant(builder->terms, type, (int64_t)integer_wrap(type, value))
              : term_float(builder->terms, type,
                    (double)(type == TYPE_f32 ? (float)value : (double)value));
  return true;
}
