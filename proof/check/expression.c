/* Tokens, and expressions read at once as polynomials. */
#include "proof/check/check.h"

#include <string.h>

Reader reader;
struct Meaning meaning;
static uint32_t depth;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

static void skip_blanks(void) {
  for (; *reader.at != 0; reader.at++) {
    if (*reader.at == '#') reader.at += strcspn(reader.at, "\n");
    if (*reader.at == 0 || strchr(" \t\r\n", *reader.at) == nullptr) return;
    reader.line += *reader.at == '\n';
  }
}

static Kind token_scan(size_t *length) {
  static const char *const fixed[] = {
      "order:", "scope:", "near-miss:", "example:", "=>", "==", "!=", "<=", ">="};
  for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++) {
    *length = strlen(fixed[i]);
    if (strncmp(reader.at, fixed[i], *length) == 0) return i < 4 ? TAG : MARK;
  }
  for (*length = 0; is_digit(reader.at[*length]);) ++*length;
  if (*length > 0) return INTEGER;
  while (is_word(reader.at[*length])) ++*length;
  if (*length > 0) return WORD;
  *length = *reader.at != 0;
  if (*length > 0 && strchr("()[],.:|=+-*/<>", *reader.at) == nullptr) check_fail("unknown byte");
  return *length == 0 ? END : MARK;
}

void reader_next(void) {
  skip_blanks();
  reader.text = reader.at;
  reader.kind = token_scan(&reader.length);
  reader.at += reader.length;
}

void reader_open(const char *text) {
  reader = (Reader){.at = text, .line = 1};
  reader_next();
}

bool reader_is(const char *text) {
  return reader.length == strlen(text) && strncmp(reader.text, text, reader.length) == 0;
}

bool reader_skip(const char *text) {
  bool is_there = reader_is(text);
  if (is_there) reader_next();
  return is_there;
}

void reader_take(const char *text) {
  if (!reader_skip(text)) check_fail("another word or sign must stand here");
}

static char *text_copy(const char *text, size_t length) {
  return memcpy(check_alloc(length + 1), text, length);
}

const char *reader_name(void) {
  skip_blanks();
  size_t length = strcspn(reader.at, " \t\r\n#");
  const char *name = text_copy(reader.at, length);
  reader.at += length;
  reader_next();
  return name;
}

mpz_ptr read_integer(void) {
  bool is_negative = reader_skip("-");
  if (reader.kind != INTEGER) check_fail("an integer must stand here");
  mpz_ptr value = number_new(0);
  mpz_set_str(value, text_copy(reader.text, reader.length), 10);
  if (is_negative) mpz_neg(value, value);
  reader_next();
  return value;
}

/* Letters of rules; any other name needs a definition. */
static bool is_letter(const char *name, const char *among) {
  return strchr(among, name[0]) != nullptr && name[0] != 0 &&
         name[1 + strspn(name + 1, "0123456789")] == 0;
}

static Poly atom_get(const char *name, bool is_new) {
  uint32_t at = 0;
  while (at < meaning.atom_count && strcmp(meaning.atoms[at], name) != 0) at++;
  if (at == meaning.atom_count) {
    if (!is_new || at == MANY) check_fail("no letter of rules and not defined, or too many");
    meaning.atoms[meaning.atom_count++] = name;
  }
  return poly_atom(at);
}

Poly atom_define(const char *name) {
  uint32_t count = meaning.atom_count;
  Poly atom = atom_get(name, true);
  if (is_letter(name, "abckmnuvwxyz") || count == meaning.atom_count)
    check_fail("the name is taken, or a letter of rules");
  return atom;
}

Poly bound_of(Poly x, const char *end) {
  bool is_atom = x.count == 1 && x.terms[0].degree == 1 && mpz_cmp_si(x.terms[0].factor, 1) == 0;
  const char *name = is_atom ? meaning.atoms[x.terms[0].atoms[0]] : "";
  if (!is_letter(name, "uvwxyz")) check_fail("bounds are of expression letters");
  char *bound = check_alloc(strlen(name) + 5);
  strcat(strcat(strcat(strcpy(bound, end), "("), name), ")");
  return atom_get(bound, true);
}

/* The atom of a definition, or with `other` that of b and a. */
static const Poly *definition_find(const char *kind, Poly a, Poly b) {
  for (uint32_t i = 0; i < meaning.definition_count; i++) {
    const struct Definition *of = &meaning.definitions[i];
    if (strcmp(of->kind, kind) == 0 && poly_equal(of->operands[0], a) &&
        poly_equal(of->operands[1], b))
      return &of->operands[2];
  }
  return nullptr;
}

static Poly defined(const Poly *atom) {
  if (atom == nullptr) check_fail("a quotient, max, min or gcd is not defined");
  return *atom;
}

static Poly quotient_of(Poly a, Poly b) {
  Poly rounded;
  bool is_known = poly_sign(b) == 1 && (mpz_cmp_si(b.terms[0].factor, 1) == 0 || poly_sign(a) != 2);
  if (a.count == 0) return a;
  if (is_known && poly_round(a, b.terms[0].factor, &rounded)) return rounded;
  return defined(definition_find("floordiv", a, b));
}

/* With a - b = n*D for the largest n: b + n*positive(D), or a + n*positive(-D). */
static Poly max_of(Poly a, Poly b) {
  Poly difference = poly_minus(a, b), part = {};
  mpz_ptr content = number_new(0);
  if (poly_sign(difference) != 2) return poly_sign(difference) > 0 ? a : b;
  for (uint32_t i = 0; i < difference.count; i++)
    mpz_gcd(content, content, difference.terms[i].factor);
  if (!poly_round(difference, content, &part)) check_fail("no content");
  const Poly *of = definition_find("positive", part, (Poly){});
  if (of != nullptr) return poly_add(b, content, *of);
  of = definition_find("positive", poly_minus((Poly){}, part), (Poly){});
  return poly_add(a, content, defined(of));
}

static Poly divide(char op, Poly a, Poly b) {
  if (meaning.divisor_count == MANY) check_fail("too many divisors");
  meaning.divisors[meaning.divisor_count++] = b;
  if (op == 'c') return poly_minus((Poly){}, quotient_of(poly_minus((Poly){}, a), b));
  Poly quotient = quotient_of(a, b);
  return op == 'm' ? poly_minus(a, poly_multiply(b, quotient)) : quotient;
}

static Poly read_call(char op) {
  reader_next(), reader_take("(");
  Poly a = read_sum();
  reader_take(",");
  Poly b = read_sum();
  reader_take(")");
  if (op == 'i') return poly_minus(poly_plus(a, b), max_of(a, b));
  if (op == 'a') return max_of(a, b);
  const Poly *of = definition_find("gcd", a, b);
  return defined(of != nullptr ? of : definition_find("gcd", b, a));
}

static Poly read_word(void) {
  if (reader.kind != WORD) check_fail("an expression must stand here");
  if (reader_is("min") || reader_is("max") || reader_is("gcd")) return read_call(reader.text[1]);
  const char *name = text_copy(reader.text, reader.length);
  reader_next();
  if (meaning.operands != nullptr && name[0] >= 'A' && name[0] < 'A' + OPERANDS)
    return meaning.operands[name[0] - 'A'];
  if (strcmp(name, "lo") != 0 && strcmp(name, "hi") != 0)
    return atom_get(name, is_letter(name, "abckmnuvwxyz"));
  reader_take("(");
  Poly bound = bound_of(read_word(), name);
  reader_take(")");
  return bound;
}

static Poly read_factor(void) {
  if (reader.kind == INTEGER) return poly_number(read_integer());
  if (++depth > 400) check_fail("nested too deep");
  Poly poly;
  if (reader_skip("-")) poly = poly_minus((Poly){}, read_factor());
  else if (reader_skip("(")) {
    poly = read_sum();
    reader_take(")");
  } else poly = read_word();
  depth--;
  return poly;
}

static Poly read_product(void) {
  Poly poly = read_factor();
  for (;;) {
    if (reader_skip("*")) poly = poly_multiply(poly, read_factor());
    else if (reader_skip("floordiv") || reader_skip("floorDiv") || reader_skip("/"))
      poly = divide('f', poly, read_factor());
    else if (reader_skip("ceildiv") || reader_skip("ceilDiv"))
      poly = divide('c', poly, read_factor());
    else if (reader_skip("mod")) poly = divide('m', poly, read_factor());
    else return poly;
  }
}

Poly read_sum(void) {
  Poly poly = read_product();
  for (;;) {
    if (reader_skip("+")) poly = poly_plus(poly, read_product());
    else if (reader_skip("-")) poly = poly_minus(poly, read_product());
    else return poly;
  }
}
