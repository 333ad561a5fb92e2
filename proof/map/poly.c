/* Polynomials with integer coefficients over atoms, of at most 10,000 terms. Quotients, remainders,
 * minima and maxima are atoms; x ceildiv c is -(-x floordiv c). Atoms are interned: the same
 * operator on equal arguments is one atom. */
#include "proof/map/map.h"

enum { ATOMS = 1 << 16 };
static constexpr uint32_t most_terms = 10'000;
static CertAtom *atoms[ATOMS];
static uint32_t atom_count, stamp;
static bool is_folding; /* combine the numbers among the arguments of a minimum or maximum */

void atoms_forget(void) {
  atom_count = 0;
  is_folding = false; /* a rejection may have ended a folding */
}

static int monomial_compare(const CertMonomial *a, const CertMonomial *b) {
  if (a->degree != b->degree) return a->degree < b->degree ? -1 : 1;
  for (uint32_t i = 0; i < a->degree; i++)
    if (a->atoms[i] != b->atoms[i]) return a->atoms[i]->number < b->atoms[i]->number ? -1 : 1;
  return 0;
}

static CertPoly poly_one(mpz_srcptr factor, uint32_t degree, CertAtom **of) {
  if (mpz_sgn(factor) == 0) return (CertPoly){};
  CertMonomial *item = new_bytes(sizeof *item);
  *item = (CertMonomial){.factor = number_new(0), .degree = degree, .atoms = of};
  mpz_set(item->factor, factor);
  return (CertPoly){1, item};
}

CertPoly poly_number(mpz_srcptr value) { return poly_one(value, 0, nullptr); }

static CertPoly poly_atom(CertAtom *atom) {
  CertAtom **list = new_bytes(sizeof *list);
  *list = atom;
  return poly_one(number_new(1), 1, list);
}

CertPoly poly_add(CertPoly a, mpz_srcptr factor, CertPoly b) {
  if (b.count == 0 || mpz_sgn(factor) == 0) return a;
  CertPoly sum = {.items = new_bytes((a.count + b.count) * sizeof *sum.items)};
  for (uint32_t i = 0, j = 0; i < a.count || j < b.count;) {
    int order = i == a.count ? 1 : j == b.count ? -1 : monomial_compare(&a.items[i], &b.items[j]);
    CertMonomial item = order <= 0 ? a.items[i] : b.items[j];
    item.factor = number_new(0);
    if (order <= 0) mpz_set(item.factor, a.items[i++].factor);
    if (order >= 0) mpz_addmul(item.factor, b.items[j++].factor, factor);
    if (mpz_sgn(item.factor) != 0) sum.items[sum.count++] = item;
    if (sum.count > most_terms) fail("a polynomial of more than 10000 terms");
  }
  return sum;
}

static CertPoly poly_plus(CertPoly a, CertPoly b) { return poly_add(a, number_new(1), b); }
CertPoly poly_minus(CertPoly a, CertPoly b) { return poly_add(a, number_new(-1), b); }

static CertMonomial monomial_times(const CertMonomial *a, const CertMonomial *b) {
  CertAtom **list = new_bytes((a->degree + b->degree) * sizeof *list);
  for (uint32_t n = 0, i = 0, j = 0; n < a->degree + b->degree; n++) {
    bool first = j == b->degree || (i < a->degree && a->atoms[i]->number <= b->atoms[j]->number);
    list[n] = first ? a->atoms[i++] : b->atoms[j++];
  }
  mpz_ptr factor = number_new(0);
  mpz_mul(factor, a->factor, b->factor);
  return (CertMonomial){.factor = factor, .degree = a->degree + b->degree, .atoms = list};
}

/* Multiplying by a monomial keeps the order of the others. Each row is one more copy of the sum, so
 * that the shorter factor gives the rows. */
static CertPoly poly_times(CertPoly a, CertPoly b) {
  CertPoly sum = {};
  if (a.count > b.count) return poly_times(b, a);
  for (uint32_t i = 0; i < a.count; i++) {
    CertPoly row = {.items = new_bytes(b.count * sizeof *row.items)};
    for (; row.count < b.count; row.count++)
      row.items[row.count] = monomial_times(&a.items[i], &b.items[row.count]);
    sum = poly_plus(sum, row);
  }
  return sum;
}

static int poly_compare(CertPoly a, CertPoly b) {
  if (a.count != b.count) return a.count < b.count ? -1 : 1;
  for (uint32_t i = 0; i < a.count; i++) {
    int order = monomial_compare(&a.items[i], &b.items[i]);
    if (order == 0) order = mpz_cmp(a.items[i].factor, b.items[i].factor);
    if (order != 0) return order;
  }
  return 0;
}

bool poly_equal(CertPoly a, CertPoly b) { return poly_compare(a, b) == 0; }
bool poly_is_number(CertPoly a) { return a.count == 0 || (a.count == 1 && a.items[0].degree == 0); }

mpz_ptr poly_constant(CertPoly a) {
  return a.count > 0 && a.items[0].degree == 0 ? a.items[0].factor : number_new(0);
}

/* ---- atoms ---- */

static CertPoly atom_intern(
    Op op, uint32_t index, uint32_t count, CertPoly *arguments, mpz_ptr divisor) {
  for (uint32_t i = 0; i < atom_count; i++) {
    CertAtom *atom = atoms[i];
    if (atom->op != op || atom->index != index || atom->count != count) continue;
    bool same = divisor == nullptr || mpz_cmp(divisor, atom->divisor) == 0;
    for (uint32_t j = 0; same && j < count; j++)
      same = poly_equal(arguments[j], atom->arguments[j]);
    if (same) return poly_atom(atom);
  }
  if (atom_count == ATOMS) fail("too many different operators");
  CertAtom *atom = new_bytes(sizeof *atom);
  *atom = (CertAtom){.number = atom_count,
      .index = index,
      .count = count,
      .op = op,
      .arguments = arguments,
      .divisor = divisor};
  atoms[atom_count++] = atom;
  return poly_atom(atom);
}

/* a floordiv divisor or a mod divisor. */
static CertPoly poly_division(Op op, CertPoly a, mpz_srcptr divisor) {
  if (mpz_sgn(divisor) <= 0) fail("a divisor below 1");
  mpz_ptr value = number_new(0);
  if (poly_is_number(a)) {
    (op == MOD ? mpz_fdiv_r : mpz_fdiv_q)(value, poly_constant(a), divisor);
    return poly_number(value);
  }
  if (op == FLOORDIV && mpz_cmp_ui(divisor, 1) == 0) return a;
  mpz_set(value, divisor);
  CertPoly *argument = new_bytes(sizeof *argument);
  *argument = a;
  return atom_intern(op, 0, 1, argument, value);
}

/* The atom that the polynomial equals, or nullptr. */
static CertAtom *poly_is_atom(CertPoly a) {
  bool is_atom = a.count == 1 && a.items[0].degree == 1 && mpz_cmp_ui(a.items[0].factor, 1) == 0;
  return is_atom ? a.items[0].atoms[0] : nullptr;
}

static uint32_t arguments_add(Op op, CertPoly *list, uint32_t count, CertPoly one) {
  const CertAtom *inner = poly_is_atom(one);
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

/* Builds a minimum or maximum with flattened, sorted, distinct arguments. */
static CertPoly poly_extremum(Op op, uint32_t count, const CertPoly *arguments) {
  CertPoly *list = new_bytes(most * sizeof *list);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) kept = arguments_add(op, list, kept, arguments[i]);
  if (kept == 1) return list[0];
  for (uint32_t i = 1; i < kept; i++)
    for (uint32_t j = i; j > 0 && poly_compare(list[j - 1], list[j]) > 0; j--) {
      CertPoly other = list[j];
      list[j] = list[j - 1];
      list[j - 1] = other;
    }
  return atom_intern(op, 0, kept, list, nullptr);
}

static mpz_ptr number_of(CertPoly a, const char *why) {
  if (!poly_is_number(a)) fail(why);
  return poly_constant(a);
}

CertPoly poly_of(const CertNode *node, const CertPoly *letters) {
  if (node->op == INTEGER) return poly_number(node->value);
  if (node->op == VARIABLE) return atom_intern(VARIABLE, node->index, 0, nullptr, nullptr);
  if (node->op == LETTER) return letters[node->index];
  if (node->op == LO || node->op == HI) {
    CertPoly end = letters[LETTERS * (node->op == LO ? 1 : 2) + node->index];
    if (end.count > 0 && end.items == nullptr) fail("a bound without a stated value");
    return end;
  }
  CertPoly a = poly_of(node->left, letters), b = poly_of(node->right, letters), pair[] = {a, b};
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
  return poly_minus((CertPoly){}, poly_division(FLOORDIV, poly_minus((CertPoly){}, a), divisor));
}

/* ---- replacing an atom ---- */

static CertPoly replace_in(CertPoly poly, const CertAtom *from, CertPoly to);

static bool has_argument(const CertPoly *list, uint32_t count, CertPoly one) {
  for (uint32_t i = 0; i < count; i++)
    if (poly_equal(list[i], one)) return true;
  return false;
}

/* True if the list contains all these arguments. */
static bool has_arguments(
    const CertPoly *list, uint32_t count, const CertPoly *own, uint32_t own_count) {
  for (uint32_t i = 0; i < own_count; i++)
    if (!has_argument(list, count, own[i])) return false;
  return true;
}

/* If min(a, b) = to, then min(a, b, c) becomes min(c, to), and so does min(a, c, to). */
static CertPoly extremum_replace(
    Op op, uint32_t count, CertPoly *list, const CertAtom *from, CertPoly to) {
  const CertAtom *inner = poly_is_atom(to);
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

static CertPoly replace_atom(CertAtom *atom, const CertAtom *from, CertPoly to) {
  if (atom == from) return to;
  if (atom->op == VARIABLE) return poly_atom(atom);
  if (atom->stamp == stamp) return atom->by;
  CertPoly *list = new_bytes((atom->count + 1) * sizeof *list);
  for (uint32_t i = 0; i < atom->count; i++) list[i] = replace_in(atom->arguments[i], from, to);
  CertPoly by = atom->divisor != nullptr ? poly_division(atom->op, list[0], atom->divisor)
                                         : extremum_replace(atom->op, atom->count, list, from, to);
  if (from != nullptr && poly_is_atom(by) == from) by = to;
  atom->stamp = stamp;
  return atom->by = by;
}

CertAtom *atom_product(const CertMonomial *item) {
  CertAtom *product = new_bytes(sizeof *product);
  *product = (CertAtom){.op = MULTIPLY, .count = item->degree};
  product->arguments = new_bytes((item->degree + 1) * sizeof *product->arguments);
  for (uint32_t i = 0; i < item->degree; i++) product->arguments[i] = poly_atom(item->atoms[i]);
  return product;
}

/* Marks the atoms of the product in the monomial. Returns false if an atom is missing. */
static bool product_mark(const CertMonomial *item, const CertAtom *product, bool *is_in) {
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

static CertPoly replace_in(CertPoly poly, const CertAtom *from, CertPoly to) {
  CertPoly sum = {};
  for (uint32_t i = 0; i < poly.count; i++) {
    CertPoly one = poly_number(poly.items[i].factor);
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

static const CertAtom *stamp_from;
static CertPoly stamp_to;

CertPoly poly_replace(CertPoly poly, CertAtom *from, CertPoly to) {
  if (stamp_from != from || stamp_to.items != to.items || stamp_to.count != to.count || stamp == 0)
    stamp++;
  stamp_from = from;
  stamp_to = to;
  return replace_in(poly, from, to);
}

CertPoly poly_folded(CertPoly poly) {
  stamp_from = nullptr;
  stamp++;
  is_folding = true;
  poly = replace_in(poly, nullptr, (CertPoly){});
  is_folding = false;
  return poly;
}

CertAtom *atom_replace(CertAtom *atom, CertAtom *from, CertPoly to) {
  if (atom->op == MULTIPLY) return nullptr;
  return poly_is_atom(poly_replace(poly_atom(atom), from, to));
}

CertAtom *atom_folded(CertAtom *atom) {
  return atom->op == MULTIPLY ? nullptr : poly_is_atom(poly_folded(poly_atom(atom)));
}

bool poly_contains(CertPoly poly, const CertAtom *atom) {
  for (uint32_t i = 0; i < poly.count; i++)
    for (uint32_t j = 0; j < poly.items[i].degree; j++) {
      const CertAtom *one = poly.items[i].atoms[j];
      if (one == atom) return true;
      for (uint32_t k = 0; k < one->count; k++)
        if (poly_contains(one->arguments[k], atom)) return true;
    }
  return false;
}
