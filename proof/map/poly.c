/* Polynomials with integer coefficients over atoms. x mod c is x - c*(x floordiv c), and x ceildiv
 * c is -(-x floordiv c), so that quotients, minima and maxima are the only operators. Atoms are
 * interned: one atom stands for one operator on equal arguments. */
#include "proof/map/map.h"

#include <string.h>

enum { ATOMS = 1 << 16 };
static Atom *atoms[ATOMS];
static uint32_t atom_count, stamp;
static bool is_folding; /* the numbers among the arguments of a minimum or maximum become one */

void atoms_forget(void) { atom_count = 0; }

static int monomial_compare(const Monomial *a, const Monomial *b) {
  if (a->degree != b->degree) return a->degree < b->degree ? -1 : 1;
  for (uint32_t i = 0; i < a->degree; i++)
    if (a->atoms[i] != b->atoms[i]) return a->atoms[i]->number < b->atoms[i]->number ? -1 : 1;
  return 0;
}

static Poly poly_one(mpz_srcptr factor, uint32_t degree, Atom **of) {
  if (mpz_sgn(factor) == 0) return (Poly){};
  Monomial *item = new_bytes(sizeof *item);
  *item = (Monomial){.factor = number_new(0), .degree = degree, .atoms = of};
  mpz_set(item->factor, factor);
  return (Poly){1, item};
}

Poly poly_number(mpz_srcptr value) { return poly_one(value, 0, nullptr); }

static Poly poly_atom(Atom *atom) {
  Atom **list = new_bytes(sizeof *list);
  *list = atom;
  return poly_one(number_new(1), 1, list);
}

Poly poly_add(Poly a, mpz_srcptr factor, Poly b) {
  if (b.count == 0 || mpz_sgn(factor) == 0) return a;
  Poly sum = {.items = new_bytes((a.count + b.count) * sizeof *sum.items)};
  for (uint32_t i = 0, j = 0; i < a.count || j < b.count;) {
    int order = i == a.count ? 1 : j == b.count ? -1 : monomial_compare(&a.items[i], &b.items[j]);
    Monomial item = order <= 0 ? a.items[i] : b.items[j];
    item.factor = number_new(0);
    if (order <= 0) mpz_set(item.factor, a.items[i++].factor);
    if (order >= 0) mpz_addmul(item.factor, b.items[j++].factor, factor);
    if (mpz_sgn(item.factor) != 0) sum.items[sum.count++] = item;
  }
  return sum;
}

static Poly poly_plus(Poly a, Poly b) { return poly_add(a, number_new(1), b); }
Poly poly_minus(Poly a, Poly b) { return poly_add(a, number_new(-1), b); }

static Poly monomial_times(const Monomial *a, const Monomial *b) {
  Atom **list = new_bytes((a->degree + b->degree) * sizeof *list);
  for (uint32_t n = 0, i = 0, j = 0; n < a->degree + b->degree; n++) {
    bool first = j == b->degree || (i < a->degree && a->atoms[i]->number <= b->atoms[j]->number);
    list[n] = first ? a->atoms[i++] : b->atoms[j++];
  }
  mpz_ptr factor = number_new(0);
  mpz_mul(factor, a->factor, b->factor);
  return poly_one(factor, a->degree + b->degree, list);
}

static Poly poly_times(Poly a, Poly b) {
  Poly sum = {};
  for (uint32_t i = 0; i < a.count; i++)
    for (uint32_t j = 0; j < b.count; j++)
      sum = poly_plus(sum, monomial_times(&a.items[i], &b.items[j]));
  return sum;
}

static int poly_compare(Poly a, Poly b) {
  if (a.count != b.count) return a.count < b.count ? -1 : 1;
  for (uint32_t i = 0; i < a.count; i++) {
    int order = monomial_compare(&a.items[i], &b.items[i]);
    if (order == 0) order = mpz_cmp(a.items[i].factor, b.items[i].factor);
    if (order != 0) return order;
  }
  return 0;
}

bool poly_equal(Poly a, Poly b) { return poly_compare(a, b) == 0; }
bool poly_is_number(Poly a) { return a.count == 0 || (a.count == 1 && a.items[0].degree == 0); }

mpz_ptr poly_constant(Poly a) {
  return a.count > 0 && a.items[0].degree == 0 ? a.items[0].factor : number_new(0);
}

/* ---- atoms ---- */

static Poly atom_intern(Op op, uint32_t index, uint32_t count, Poly *arguments, mpz_ptr divisor) {
  for (uint32_t i = 0; i < atom_count; i++) {
    Atom *atom = atoms[i];
    if (atom->op != op || atom->index != index || atom->count != count) continue;
    bool same = divisor == nullptr || mpz_cmp(divisor, atom->divisor) == 0;
    for (uint32_t j = 0; same && j < count; j++)
      same = poly_equal(arguments[j], atom->arguments[j]);
    if (same) return poly_atom(atom);
  }
  if (atom_count == ATOMS) fail("too many different operators");
  Atom *atom = new_bytes(sizeof *atom);
  *atom = (Atom){.number = atom_count,
      .index = index,
      .count = count,
      .op = op,
      .arguments = arguments,
      .divisor = divisor};
  atoms[atom_count++] = atom;
  return poly_atom(atom);
}

/* a floordiv divisor, or a mod divisor. */
static Poly poly_division(Op op, Poly a, mpz_srcptr divisor) {
  if (mpz_sgn(divisor) <= 0) fail("a divisor below 1");
  mpz_ptr value = number_new(0);
  if (poly_is_number(a)) {
    (op == MOD ? mpz_fdiv_r : mpz_fdiv_q)(value, poly_constant(a), divisor);
    return poly_number(value);
  }
  if (op == FLOORDIV && mpz_cmp_ui(divisor, 1) == 0) return a;
  mpz_set(value, divisor);
  Poly *argument = new_bytes(sizeof *argument);
  *argument = a;
  return atom_intern(op, 0, 1, argument, value);
}

/* The atom that a polynomial is, or nullptr. */
static Atom *poly_is_atom(Poly a) {
  bool is_atom = a.count == 1 && a.items[0].degree == 1 && mpz_cmp_ui(a.items[0].factor, 1) == 0;
  return is_atom ? a.items[0].atoms[0] : nullptr;
}

static uint32_t arguments_add(Op op, Poly *list, uint32_t count, Poly one) {
  const Atom *inner = poly_is_atom(one);
  if (inner != nullptr && inner->op == op) {
    for (uint32_t i = 0; i < inner->count; i++)
      count = arguments_add(op, list, count, inner->arguments[i]);
    return count;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (poly_equal(one, list[i])) return count;
    if (!is_folding || !poly_is_number(one) || !poly_is_number(list[i])) continue;
    int order = mpz_cmp(poly_constant(one), poly_constant(list[i]));
    if ((order < 0) == (op == MIN)) list[i] = one;
    return count;
  }
  if (count == most) fail("a minimum or maximum of too many arguments");
  list[count] = one;
  return count + 1;
}

/* Flat, each argument once, sorted. */
static Poly poly_extremum(Op op, uint32_t count, const Poly *arguments) {
  Poly *list = new_bytes(most * sizeof *list);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) kept = arguments_add(op, list, kept, arguments[i]);
  if (kept == 1) return list[0];
  for (uint32_t i = 1; i < kept; i++)
    for (uint32_t j = i; j > 0 && poly_compare(list[j - 1], list[j]) > 0; j--) {
      Poly other = list[j];
      list[j] = list[j - 1];
      list[j - 1] = other;
    }
  return atom_intern(op, 0, kept, list, nullptr);
}

static mpz_ptr number_of(Poly a, const char *why) {
  if (!poly_is_number(a)) fail(why);
  return poly_constant(a);
}

Poly poly_of(const Node *node, const Poly *letters) {
  if (node->op == INTEGER) return poly_number(node->value);
  if (node->op == VARIABLE) return atom_intern(VARIABLE, node->index, 0, nullptr, nullptr);
  if (node->op == LETTER) return letters[node->index];
  if (node->op == LO || node->op == HI)
    return letters[LETTERS * (node->op == LO ? 1 : 2) + node->index];
  Poly a = poly_of(node->left, letters), b = poly_of(node->right, letters), pair[] = {a, b};
  if (node->op == ADD) return poly_plus(a, b);
  if (node->op == MULTIPLY) return poly_times(a, b);
  if (node->op == MIN || node->op == MAX) return poly_extremum(node->op, 2, pair);
  mpz_ptr divisor = number_of(b, "a divisor, or gcd's operand, is no number");
  if (node->op == GCD) {
    mpz_ptr value = number_new(0);
    mpz_gcd(value, number_of(a, "gcd's operand is no number"), divisor);
    return poly_number(value);
  }
  if (node->op != CEILDIV) return poly_division(node->op, a, divisor);
  return poly_minus((Poly){}, poly_division(FLOORDIV, poly_minus((Poly){}, a), divisor));
}

/* ---- replacing an atom ---- */

static Poly replace_in(Poly poly, const Atom *from, Poly to);

static bool has_argument(const Poly *list, uint32_t count, Poly one) {
  for (uint32_t i = 0; i < count; i++)
    if (poly_equal(list[i], one)) return true;
  return false;
}

/* Whether a minimum of the list has these arguments. */
static bool has_arguments(const Poly *list, uint32_t count, const Poly *own, uint32_t own_count) {
  for (uint32_t i = 0; i < own_count; i++)
    if (!has_argument(list, count, own[i])) return false;
  return true;
}

/* With min(a, b) = to, min(a, b, c) is min(c, to), and min(a, c, to) is too. */
static Poly extremum_replace(Op op, uint32_t count, Poly *list, const Atom *from, Poly to) {
  const Atom *inner = poly_is_atom(to);
  bool is_flat = inner != nullptr && inner->op == op;
  if (from == nullptr || from->op != op ||
      !(has_arguments(list, count, from->arguments, from->count) ||
          has_arguments(list, count, is_flat ? inner->arguments : &to, is_flat ? inner->count : 1)))
    return poly_extremum(op, count, list);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++)
    if (!has_argument(from->arguments, from->count, list[i])) list[kept++] = list[i];
  list[kept++] = to;
  return poly_extremum(op, kept, list);
}

static Poly replace_atom(Atom *atom, const Atom *from, Poly to) {
  if (atom == from) return to;
  if (atom->op == VARIABLE) return poly_atom(atom);
  if (atom->stamp == stamp) return atom->by;
  Poly *list = new_bytes((atom->count + 1) * sizeof *list);
  for (uint32_t i = 0; i < atom->count; i++) list[i] = replace_in(atom->arguments[i], from, to);
  Poly by = atom->divisor != nullptr ? poly_division(atom->op, list[0], atom->divisor)
                                     : extremum_replace(atom->op, atom->count, list, from, to);
  if (from != nullptr && poly_is_atom(by) == from) by = to;
  atom->stamp = stamp;
  return atom->by = by;
}

Atom *atom_product(const Monomial *item) {
  Atom *product = new_bytes(sizeof *product);
  *product = (Atom){.op = MULTIPLY, .count = item->degree};
  product->arguments = new_bytes((item->degree + 1) * sizeof *product->arguments);
  for (uint32_t i = 0; i < item->degree; i++) product->arguments[i] = poly_atom(item->atoms[i]);
  return product;
}

/* Marks the atoms of a product in a monomial; false: it has not all of them. */
static bool product_mark(const Monomial *item, const Atom *product, bool *is_in) {
  if (product == nullptr || product->op != MULTIPLY) return false;
  for (uint32_t i = 0; i < product->count; i++) {
    uint32_t j = 0;
    while (j < item->degree && (is_in[j] || item->atoms[j] != poly_is_atom(product->arguments[i])))
      j++;
    if (j == item->degree) return false;
    is_in[j] = true;
  }
  return true;
}

static Poly replace_in(Poly poly, const Atom *from, Poly to) {
  Poly sum = {};
  for (uint32_t i = 0; i < poly.count; i++) {
    Poly one = poly_number(poly.items[i].factor);
    bool *is_in = new_bytes(poly.items[i].degree + 1),
         is_there = product_mark(&poly.items[i], from, is_in);
    if (is_there) one = poly_times(one, to);
    for (uint32_t j = 0; j < poly.items[i].degree; j++)
      if (!is_there || !is_in[j])
        one = poly_times(one, replace_atom(poly.items[i].atoms[j], from, to));
    sum = poly_plus(sum, one);
  }
  return sum;
}

static const Atom *stamp_from;
static Poly stamp_to;

Poly poly_replace(Poly poly, Atom *from, Poly to) {
  if (stamp_from != from || stamp_to.items != to.items || stamp_to.count != to.count || stamp == 0)
    stamp++;
  stamp_from = from;
  stamp_to = to;
  return replace_in(poly, from, to);
}

Poly poly_folded(Poly poly) {
  stamp_from = nullptr;
  stamp++;
  is_folding = true;
  poly = replace_in(poly, nullptr, (Poly){});
  is_folding = false;
  return poly;
}

Atom *atom_replace(Atom *atom, Atom *from, Poly to) {
  if (atom->op == MULTIPLY) return nullptr;
  return poly_is_atom(poly_replace(poly_atom(atom), from, to));
}

Atom *atom_folded(Atom *atom) {
  return atom->op == MULTIPLY ? nullptr : poly_is_atom(poly_folded(poly_atom(atom)));
}

bool poly_contains(Poly poly, const Atom *atom) {
  for (uint32_t i = 0; i < poly.count; i++)
    for (uint32_t j = 0; j < poly.items[i].degree; j++) {
      const Atom *one = poly.items[i].atoms[j];
      if (one == atom) return true;
      for (uint32_t k = 0; k < one->count; k++)
        if (poly_contains(one->arguments[k], atom)) return true;
    }
  return false;
}
