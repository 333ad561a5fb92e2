/* Interval arithmetic over the box of a state and its constraints. A constraint bounds every
 * polynomial that equals its own up to a factor and a constant, and every remainder whose argument
 * it determines modulo a multiple of the divisor. */
#include "proof/map/map.h"

CertInterval interval_meet(CertInterval a, CertInterval b) {
  if (b.lo != nullptr && (a.lo == nullptr || mpz_cmp(b.lo, a.lo) > 0)) a.lo = b.lo;
  if (b.hi != nullptr && (a.hi == nullptr || mpz_cmp(b.hi, a.hi) < 0)) a.hi = b.hi;
  return a;
}

bool interval_is_empty(CertInterval in) {
  return in.lo != nullptr && in.hi != nullptr && mpz_cmp(in.lo, in.hi) > 0;
}

bool interval_within(CertInterval inner, CertInterval outer) {
  return mpz_cmp(inner.lo, outer.lo) >= 0 && mpz_cmp(inner.hi, outer.hi) <= 0;
}

static CertInterval interval_point(mpz_ptr value) { return (CertInterval){value, value}; }

static CertInterval interval_add(CertInterval a, CertInterval b) {
  CertInterval sum = {number_new(0), number_new(0)};
  mpz_add(sum.lo, a.lo, b.lo);
  mpz_add(sum.hi, a.hi, b.hi);
  return sum;
}

static CertInterval interval_times(CertInterval a, CertInterval b) {
  CertInterval out = {};
  mpz_ptr ends[2][2] = {{a.lo, a.hi}, {b.lo, b.hi}};
  for (int i = 0; i < 4; i++) {
    mpz_ptr value = number_new(0);
    mpz_mul(value, ends[0][i & 1], ends[1][i >> 1]);
    if (i == 0 || mpz_cmp(value, out.lo) < 0) out.lo = value;
    if (i == 0 || mpz_cmp(value, out.hi) > 0) out.hi = value;
  }
  return out;
}

static mpz_ptr bounds_quotient(Op op, mpz_srcptr a, mpz_srcptr c) {
  mpz_ptr value = number_new(0);
  (op == CEILDIV ? mpz_cdiv_q : mpz_fdiv_q)(value, a, c);
  return value;
}

static CertInterval interval_mod(CertInterval a, mpz_srcptr c) {
  CertInterval out = {number_new(0), number_new(0)};
  if (mpz_cmp(bounds_quotient(FLOORDIV, a.lo, c), bounds_quotient(FLOORDIV, a.hi, c)) == 0) {
    mpz_fdiv_r(out.lo, a.lo, c);
    mpz_fdiv_r(out.hi, a.hi, c);
  } else mpz_sub_ui(out.hi, c, 1);
  return out;
}

/* True if a - constant = (n/d)*(b - constant) for numbers n != 0 and d > 0. */
static bool is_multiple(CertPoly a, CertPoly b, mpz_ptr n, mpz_ptr d) {
  uint32_t i = a.count > 0 && a.items[0].degree == 0, j = b.count > 0 && b.items[0].degree == 0;
  if (a.count - i != b.count - j || a.count == i) return false;
  mpz_set(n, a.items[i].factor);
  mpz_set(d, b.items[j].factor);
  mpz_ptr minus = number_new(0);
  if (mpz_sgn(d) < 0) mpz_neg(n, n), mpz_neg(d, d);
  mpz_neg(minus, n);
  CertPoly zero = poly_add(poly_add((CertPoly){}, d, a), minus, b);
  return poly_is_number(zero);
}

/* The bounds of a = (n*b + r)/d, for a number r, that follow from a constraint on b. */
static CertInterval say_of(CertPoly a, const CertDemand *demand) {
  mpz_ptr n = number_new(0), d = number_new(0), minus = number_new(0);
  if (!is_multiple(a, demand->poly, n, d)) return (CertInterval){};
  mpz_neg(minus, n);
  mpz_ptr r = poly_constant(poly_add(poly_add((CertPoly){}, d, a), minus, demand->poly));
  CertInterval in = interval_add(interval_times(interval_point(n), demand->in), interval_point(r));
  return (CertInterval){bounds_quotient(CEILDIV, in.lo, d), bounds_quotient(FLOORDIV, in.hi, d)};
}

/* Combines p = r (mod m) and p = s (mod n) into r and m. Returns false if they contradict each
 * other. */
static bool congruences_join(mpz_ptr r, mpz_ptr m, mpz_srcptr s, mpz_srcptr n) {
  mpz_ptr g = number_new(0), t = number_new(0), part = number_new(0), rest = number_new(0);
  mpz_gcd(g, m, n);
  mpz_sub(t, s, r);
  if (!mpz_divisible_p(t, g)) return false;
  mpz_divexact(t, t, g);
  mpz_divexact(part, m, g);
  mpz_divexact(rest, n, g);
  if (mpz_cmp_ui(rest, 1) > 0 && mpz_invert(part, part, rest) == 0) return false;
  mpz_mul(t, t, part);
  mpz_fdiv_r(t, t, rest);
  mpz_addmul(r, m, t);
  mpz_mul(m, m, rest);
  return true;
}

/* The value of p mod c if constraints together imply p = r (mod m) and c divides m. */
static CertInterval say_of_remainder(const CertFacts *facts, const CertNode *node) {
  mpz_ptr r = number_new(0), m = number_new(1), s = number_new(0);
  if (node->op != MOD) return (CertInterval){};
  CertPoly argument = poly_of(node->left, nullptr);
  for (uint32_t i = 0; i < facts->state->demand_count; i++) {
    const CertDemand *demand = &facts->state->demands[i];
    const CertNode *other = demand->expr;
    if (!facts->is_usable[i] || other->op != MOD || mpz_cmp(demand->in.lo, demand->in.hi) != 0)
      continue;
    CertPoly difference = poly_minus(argument, poly_of(other->left, nullptr));
    bool within = mpz_sgn(demand->in.lo) >= 0 && mpz_cmp(demand->in.lo, other->right->value) < 0;
    if (!within || !poly_is_number(difference)) continue;
    mpz_add(s, demand->in.lo, poly_constant(difference));
    if (!congruences_join(r, m, s, other->right->value))
      return (CertInterval){number_new(1), number_new(0)};
  }
  if (!mpz_divisible_p(m, node->right->value)) return (CertInterval){};
  mpz_fdiv_r(r, r, node->right->value);
  return interval_point(r);
}

static bool is_absurd;

bool bounds_were_absurd(void) {
  bool was = is_absurd;
  is_absurd = false;
  return was;
}

static CertInterval meet_or_stay(CertInterval in, CertInterval other) {
  CertInterval both = interval_meet(in, other);
  if (!interval_is_empty(both)) return both;
  is_absurd = true;
  return in;
}

static CertInterval meet_constraints(
    const CertFacts *facts, const CertNode *node, CertInterval in) {
  if (facts->is_usable == nullptr || node->op == INTEGER) return in;
  CertPoly poly = poly_of(node, nullptr);
  for (uint32_t i = 0; i < facts->state->demand_count; i++)
    if (facts->is_usable[i]) in = meet_or_stay(in, say_of(poly, &facts->state->demands[i]));
  return meet_or_stay(in, say_of_remainder(facts, node));
}

static bool is_number(const CertNode *node) { return node->op == INTEGER; }

CertInterval bounds_of(const CertFacts *facts, const CertNode *node) {
  if (node->op == INTEGER) return interval_point(node->value);
  if (node->op == VARIABLE) return meet_constraints(facts, node, facts->state->bounds[node->index]);
  CertInterval a = bounds_of(facts, node->left), b = bounds_of(facts, node->right), out = {};
  switch (node->op) {
    case ADD: out = interval_add(a, b); break;
    case MULTIPLY: out = interval_times(a, b); break;
    case FLOORDIV:
    case CEILDIV:
      out = (CertInterval){
          bounds_quotient(node->op, a.lo, b.lo), bounds_quotient(node->op, a.hi, b.lo)};
      break;
    case MOD: out = interval_mod(a, b.lo); break;
    case MIN:
      out.lo = mpz_cmp(a.lo, b.lo) < 0 ? a.lo : b.lo;
      out.hi = mpz_cmp(a.hi, b.hi) < 0 ? a.hi : b.hi;
      break;
    case MAX:
      out.lo = mpz_cmp(a.lo, b.lo) > 0 ? a.lo : b.lo;
      out.hi = mpz_cmp(a.hi, b.hi) > 0 ? a.hi : b.hi;
      break;
    case INTEGER:
    case VARIABLE:
    case LETTER:
    case LO:
    case HI:
    case GCD: fail("no expression");
  }
  return meet_constraints(facts, node, out);
}

/* ---- narrowing variables by an interval of an expression ---- */

/* [ceil(lo/c), floor(hi/c)] */
static CertInterval interval_divide(CertInterval in, mpz_srcptr c) {
  CertInterval out = {};
  mpz_ptr lo = mpz_sgn(c) > 0 ? in.lo : in.hi, hi = mpz_sgn(c) > 0 ? in.hi : in.lo;
  if (lo != nullptr) out.lo = bounds_quotient(CEILDIV, lo, c);
  if (hi != nullptr) out.hi = bounds_quotient(FLOORDIV, hi, c);
  return out;
}

/* Moves the ends of the argument inwards to values whose remainder is within `in`. */
static CertInterval argument_of_mod(const CertFacts *facts, const CertNode *node, CertInterval in) {
  mpz_srcptr c = node->right->value;
  CertInterval all = bounds_of(facts, node->left), whole = {number_new(0), number_new(0)};
  mpz_sub_ui(whole.hi, c, 1);
  in = interval_meet(in, whole);
  if (interval_is_empty(in)) return all;
  mpz_ptr r = number_new(0), lo = number_new(0), hi = number_new(0);
  mpz_fdiv_r(r, all.lo, c);
  mpz_set(lo, all.lo);
  if (mpz_cmp(r, in.lo) < 0 || mpz_cmp(r, in.hi) > 0) {
    mpz_sub(lo, in.lo, r);
    mpz_fdiv_r(lo, lo, c);
    mpz_add(lo, lo, all.lo);
  }
  mpz_fdiv_r(r, all.hi, c);
  mpz_set(hi, all.hi);
  if (mpz_cmp(r, in.lo) < 0 || mpz_cmp(r, in.hi) > 0) {
    mpz_sub(hi, r, in.hi);
    mpz_fdiv_r(hi, hi, c);
    mpz_sub(hi, all.hi, hi);
  }
  return (CertInterval){lo, hi};
}

static void tighten_sum(const CertFacts *facts, const CertNode *node, CertInterval in,
    CertInterval others, CertInterval *next) {
  if (node->op == ADD) {
    CertInterval left = bounds_of(facts, node->left), right = bounds_of(facts, node->right);
    tighten_sum(facts, node->left, in, interval_add(others, right), next);
    tighten_sum(facts, node->right, in, interval_add(others, left), next);
    return;
  }
  CertInterval share = {};
  if (in.lo != nullptr) mpz_sub(share.lo = number_new(0), in.lo, others.hi);
  if (in.hi != nullptr) mpz_sub(share.hi = number_new(0), in.hi, others.lo);
  bounds_tighten(facts, node, share, next);
}

void bounds_tighten(
    const CertFacts *facts, const CertNode *node, CertInterval in, CertInterval *next) {
  CertInterval zero = {number_new(0), number_new(0)}, inner = {};
  switch (node->op) {
    case VARIABLE: next[node->index] = interval_meet(next[node->index], in); return;
    case ADD: tighten_sum(facts, node, in, zero, next); return;
    case MULTIPLY: {
      const CertNode *factor = is_number(node->left) ? node->left : node->right,
                     *rest = factor == node->left ? node->right : node->left;
      if (is_number(factor) && mpz_sgn(factor->value) != 0)
        bounds_tighten(facts, rest, interval_divide(in, factor->value), next);
      return;
    }
    case FLOORDIV:
      if (in.lo != nullptr) mpz_mul(inner.lo = number_new(0), in.lo, node->right->value);
      if (in.hi != nullptr) {
        mpz_add_ui(inner.hi = number_new(0), in.hi, 1);
        mpz_mul(inner.hi, inner.hi, node->right->value);
        mpz_sub_ui(inner.hi, inner.hi, 1);
      }
      bounds_tighten(facts, node->left, inner, next);
      return;
    case CEILDIV:
      if (in.lo != nullptr) {
        mpz_sub_ui(inner.lo = number_new(0), in.lo, 1);
        mpz_mul(inner.lo, inner.lo, node->right->value);
        mpz_add_ui(inner.lo, inner.lo, 1);
      }
      if (in.hi != nullptr) mpz_mul(inner.hi = number_new(0), in.hi, node->right->value);
      bounds_tighten(facts, node->left, inner, next);
      return;
    case MOD: bounds_tighten(facts, node->left, argument_of_mod(facts, node, in), next); return;
    case MIN:
    case MAX:
      inner = node->op == MIN ? (CertInterval){.lo = in.lo} : (CertInterval){.hi = in.hi};
      bounds_tighten(facts, node->left, inner, next);
      bounds_tighten(facts, node->right, inner, next);
      return;
    case INTEGER:
    case LETTER:
    case LO:
    case HI:
    case GCD: return;
  }
}
