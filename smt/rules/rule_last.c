/* Residues: the cases are a clause that holds for all integers (a remainder outside of [0, C-1] is
 * also a case, which the quotient's definition excludes).
 * Gcds: with s*a + t*b = 1 for the parts a, b of the operands, T = T*(s*a + t*b). Equations between
 * products turn one monomial after another into a multiple of D; if this succeeds for all, T = D*h.
 * The number of steps is bounded. */
#include "smt/rules/rule_last.h"

#include <assert.h>

#include "smt/rules/lemmas.h"

static constexpr Wide largest_residue_divisor = 32;
static constexpr Wide largest_divisor_of_any_sign = 16;
static constexpr uint32_t rewrite_steps = 24;

/* A letter in a product of the numerator that has no band with this divisor yet. */
static bool letter_in_product(const System *system, const Band *band, uint32_t *letter) {
  const RuleProof *proof = system->proof;
  for (uint32_t i = 0; i < band->numerator.count; i++) {
    const Monomial *monomial = &proof->ring->items[band->numerator.terms[i].monomial];
    for (uint32_t k = 0; monomial->degree >= 2 && k < monomial->degree; k++) {
      UnknownKind kind = proof->items[monomial->atoms[k]].kind;
      *letter = monomial->atoms[k];
      if (kind == UNKNOWN_EXPR || kind == UNKNOWN_CONSTANT || kind == UNKNOWN_NAMED) return true;
    }
  }
  return false;
}

static void split_residue(System *system, uint32_t letter, Wide divisor) {
  PolyRing *ring = system->proof->ring;
  Poly bottom = poly_constant(ring, divisor);
  Poly quotient = system_quotient(system, poly_atom(ring, letter), bottom);
  Poly remainder =
      poly_subtract(ring, poly_atom(ring, letter), poly_scale(ring, quotient, divisor));
  system_split_range(system, remainder, 0, divisor - 1);
}

bool system_split_residues(System *system) {
  for (uint32_t i = 0; i < system->bands.count; i++) {
    Band band = system->bands.items[i];
    Wide divisor;
    uint32_t letter;
    if (band.is_canonical || !poly_is_constant(band.divisor, &divisor) ||
        divisor > largest_residue_divisor)
      continue;
    if (!letter_in_product(system, &band, &letter)) continue;
    split_residue(system, letter, divisor);
    return true;
  }
  return false;
}

/* An unknown that divides all of an equation except its constant, known to be >= 1 or of any sign;
 * false if there is none. */
static bool divides_number(
    const System *system, Poly equation, bool is_positive, uint32_t *letter) {
  PolyRing *ring = system->proof->ring;
  Wide number = poly_constant_term(equation);
  Poly rest, product = poly_shift(ring, equation, -number);
  Wide most = is_positive ? largest_residue_divisor : largest_divisor_of_any_sign;
  if (number == 0 || number > most || number < -most || poly_degree(ring, product) < 2)
    return false;
  const Monomial first = ring->items[product.terms[0].monomial];
  for (uint32_t i = 0; i < first.degree; i++) {
    *letter = first.atoms[i];
    if (is_positive && !system_is_positive(system, poly_atom(ring, *letter))) continue;
    (void)poly_divide(ring, product, poly_atom(ring, *letter), &rest);
    if (rest.count == 0) return true;
  }
  return false;
}

/* Splits on the divisors of the value: letter*cofactor = -value. */
static void split_divisor(
    System *system, Poly letter, Poly cofactor, Wide value, bool is_positive) {
  PolyRing *ring = system->proof->ring;
  Wide most = value < 0 ? -value : value;
  system_use_lemma(system, LEMMA_SPLIT, letter, cofactor, value < 0 ? 1 : 0);
  if (!is_positive)
    system_use_lemma(
        system, LEMMA_SPLIT, poly_scale(ring, letter, -1), cofactor, value < 0 ? 0 : 1);
  system_split_range(system, letter, is_positive ? 1 : -most, most);
}

static bool split_divisors_of(System *system, bool is_positive) {
  PolyRing *ring = system->proof->ring;
  for (uint32_t i = 0; i < system->facts.count; i++) {
    Poly equation = system->facts.items[i].poly, rest;
    uint32_t number;
    if (!system->facts.items[i].is_equation ||
        !divides_number(system, equation, is_positive, &number))
      continue;
    Poly letter = poly_atom(ring, number);
    Wide value = poly_constant_term(equation);
    Poly cofactor = poly_divide(ring, poly_shift(ring, equation, -value), letter, &rest);
    split_divisor(system, letter, cofactor, value, is_positive);
    return true;
  }
  return false;
}

bool system_split_divisors(System *system) {
  return split_divisors_of(system, true) || split_divisors_of(system, false);
}

/* k*x + P = 0 for a letter x that is not in P: eliminates x. */
static bool rename_by_equation(System *system) {
  PolyRing *ring = system->proof->ring;
  for (uint32_t i = 0; i < system->facts.count; i++) {
    Poly equation = system->facts.items[i].poly;
    for (uint32_t t = 0; system->facts.items[i].is_equation && t < equation.count; t++) {
      Wide scale = equation.terms[t].coefficient;
      uint32_t atom;
      if (!monomial_is_atom(ring, equation.terms[t].monomial, &atom)) continue;
      Poly rest = poly_subtract(ring, equation, poly_scale(ring, poly_atom(ring, atom), scale));
      if (poly_has_atom(ring, rest, atom)) continue;
      rest = poly_scale(ring, rest, scale < 0 ? 1 : -1);
      if (scale < 0) scale = -scale;
      if (!system_can_eliminate(system, atom, scale)) continue;
      system_eliminate(system, atom, scale, rest);
      return true;
    }
  }
  return false;
}

/* The gcd of the coefficients of terms with the letter. */
static Wide letter_content(const System *system, Poly poly, uint32_t atom, Wide content) {
  for (uint32_t i = 0; i < poly.count; i++)
    if (poly_has_atom(system->proof->ring, (Poly){.count = 1, .terms = &poly.terms[i]}, atom))
      content = wide_gcd(content, poly.terms[i].coefficient);
  return content;
}

/* Names k*x if x occurs in bands and equations only in multiples of k. */
static bool rename_multiple(System *system, uint32_t atom) {
  PolyRing *ring = system->proof->ring;
  Wide content = 0;
  for (uint32_t i = 0; i < system->bands.count; i++) {
    content = letter_content(system, system->bands.items[i].numerator, atom, content);
    content = letter_content(system, system->bands.items[i].divisor, atom, content);
    content = letter_content(system, system->bands.items[i].quotient, atom, content);
  }
  for (uint32_t i = 0; i < system->facts.count; i++)
    if (system->facts.items[i].is_equation)
      content = letter_content(system, system->facts.items[i].poly, atom, content);
  if (content < 2 || !system_can_eliminate(system, atom, content)) return false;
  Poly multiple = poly_scale(ring, poly_atom(ring, atom), content);
  system_eliminate(system, atom, content, system_name(system, multiple));
  return true;
}

/* Names c - k + 1 if c >= k (except k = 1), and k - c + 1 if c <= k: the name is >= 1. */
static bool rename_beyond_bound(System *system, uint32_t atom) {
  PolyRing *ring = system->proof->ring;
  for (uint32_t i = 0; i < system->facts.count; i++) {
    const Fact *fact = &system->facts.items[i];
    Wide constant = poly_constant_term(fact->poly), sign = fact->poly.terms[0].coefficient;
    uint32_t single, terms = constant == 0 ? 1 : 2;
    bool is_bound = !fact->is_equation && fact->poly.count == terms &&
                    monomial_is_atom(ring, fact->poly.terms[0].monomial, &single) && single == atom;
    if (!is_bound || (sign != 1 && sign != -1) || (sign == 1 && constant == -1)) continue;
    Poly name = system_name(system, poly_shift(ring, fact->poly, 1));
    system_eliminate(
        system, atom, 1, poly_scale(ring, poly_shift(ring, name, -constant - 1), sign));
    return true;
  }
  return false;
}

static bool is_product_of_letters(const RuleProof *proof, uint32_t number) {
  const Monomial *monomial = &proof->ring->items[number];
  for (uint32_t i = 0; i < monomial->degree; i++)
    if (proof->items[monomial->atoms[i]].kind != UNKNOWN_CONSTANT) return false;
  return monomial->degree >= 2;
}

/* Names a product of constant letters that is a divisor, or that an equation with one other term
 * defines. */
static bool rename_product(System *system) {
  RuleProof *proof = system->proof;
  for (uint32_t i = 0; i < system->bands.count + system->facts.count; i++) {
    bool is_band = i < system->bands.count;
    const Fact *fact = is_band ? nullptr : &system->facts.items[i - system->bands.count];
    Poly poly = is_band ? system->bands.items[i].divisor : fact->poly;
    if (is_band ? poly.count != 1 : poly.count != 2 || !fact->is_equation) continue;
    for (uint32_t t = 0; t < poly.count; t++) {
      if (!is_product_of_letters(proof, poly.terms[t].monomial)) continue;
      Poly product = poly_monomial(proof->ring, poly.terms[t].monomial);
      system_replace_product(system, product, system_name(system, product));
      return true;
    }
  }
  return false;
}

/* Names -c if c <= -1, before other renamings, because rules about factors require positive
 * ones. */
static bool rename_negative(System *system) {
  PolyRing *ring = system->proof->ring;
  for (uint32_t atom = 0; atom < system->proof->count; atom++) {
    Poly opposite = poly_scale(ring, poly_atom(ring, atom), -1);
    if (system->proof->items[atom].kind != UNKNOWN_CONSTANT ||
        !system_is_positive(system, opposite) || !system_can_eliminate(system, atom, 1))
      continue;
    system_eliminate(system, atom, 1, poly_scale(ring, system_name(system, opposite), -1));
    return true;
  }
  return false;
}

/* Names a remainder r = c mod D that is multiplied with more than the divisor's own quotient: c is
 * r + D*q. */
static bool rename_remainder(System *system) {
  RuleProof *proof = system->proof;
  PolyRing *ring = proof->ring;
  for (uint32_t i = 0; i < system->bands.count; i++) {
    Band band = system->bands.items[i];
    uint32_t letter, quotient;
    if (!poly_is_atom(ring, band.numerator, &letter) ||
        proof->items[letter].kind != UNKNOWN_CONSTANT ||
        !poly_is_atom(ring, band.quotient, &quotient) || poly_has_atom(ring, band.divisor, letter))
      continue;
    Poly multiples = poly_multiply(ring, band.divisor, band.quotient);
    bool is_factor = false;
    for (uint32_t k = 0; k < system->facts.count && !is_factor; k++)
      is_factor = poly_degree(ring, system->facts.items[k].poly) > poly_degree(ring, multiples) &&
                  poly_has_atom(ring, system->facts.items[k].poly, quotient);
    if (!is_factor || !system_can_eliminate(system, letter, 1)) continue;
    Poly rest = system_name(system, poly_subtract(ring, band.numerator, multiples));
    system_eliminate(system, letter, 1, poly_add(ring, rest, multiples));
    return true;
  }
  return false;
}

/* The number of terms of all facts and quotients after a substitution. */
static uint32_t count_terms(const System *system, uint32_t atom, Poly by) {
  PolyRing *ring = system->proof->ring;
  uint32_t count = 0;
  for (uint32_t i = 0; i < system->facts.count; i++)
    count += poly_substitute(ring, system->facts.items[i].poly, atom, by).count;
  for (uint32_t i = 0; i < system->bands.count; i++)
    count += poly_substitute(ring, system->bands.items[i].numerator, atom, by).count +
             poly_substitute(ring, system->bands.items[i].divisor, atom, by).count;
  return count;
}

/* A constant letter plus or minus another one. */
typedef struct LetterSum {
  uint32_t atom;
  Poly letter, rest;
} LetterSum;

static bool is_constant_letter(const RuleProof *proof, uint32_t atom, bool with_names) {
  UnknownKind kind = proof->items[atom].kind;
  return kind == UNKNOWN_CONSTANT || (with_names && kind == UNKNOWN_NAMED);
}

/* Sum number `at`; false if it does not consist of two constant letters. */
static bool letter_sum(const System *system, uint32_t at, bool with_names, LetterSum *sum) {
  const RuleProof *proof = system->proof;
  PolyRing *ring = proof->ring;
  uint32_t known = proof->count, other = at / 2 / known;
  sum->atom = at / 2 % known;
  if (sum->atom == other || !is_constant_letter(proof, sum->atom, with_names) ||
      !is_constant_letter(proof, other, with_names))
    return false;
  sum->letter = poly_atom(ring, sum->atom);
  sum->rest = poly_scale(ring, poly_atom(ring, other), at % 2 == 0 ? 1 : -1);
  return true;
}

static bool rename_sum(System *system, bool with_names) {
  PolyRing *ring = system->proof->ring;
  uint32_t sums = 2 * system->proof->count * system->proof->count, least = 0;
  LetterSum sum, best = {};
  for (uint32_t i = 0; i < sums && !ring->overflow; i++) {
    if (!letter_sum(system, i, with_names, &sum)) continue;
    uint32_t terms = count_terms(system, sum.atom, poly_subtract(ring, sum.letter, sum.rest));
    if (terms >= (best.letter.count > 0 ? least : count_terms(system, sum.atom, sum.letter)) ||
        !system_can_eliminate(system, sum.atom, 1))
      continue;
    least = terms;
    best = sum;
  }
  if (best.letter.count == 0 || ring->overflow) return false;
  Poly name = system_name(system, poly_add(ring, best.letter, best.rest));
  system_eliminate(system, best.atom, 1, poly_subtract(ring, name, best.rest));
  return true;
}

bool system_rename_sum(System *system) { return rename_sum(system, false); }

bool system_rename_named(System *system) {
  const RuleProof *proof = system->proof;
  for (uint32_t atom = 0; atom < proof->count; atom++)
    if (proof->items[atom].kind == UNKNOWN_NAMED && !system_is_at_least(system, atom, 1) &&
        rename_beyond_bound(system, atom))
      return true;
  return rename_sum(system, true);
}

bool system_rename_multiple(System *system, UnknownKind kind) {
  for (uint32_t atom = 0; atom < system->proof->count; atom++)
    if (system->proof->items[atom].kind == kind && rename_multiple(system, atom)) return true;
  return false;
}

bool system_rename(System *system) {
  if (rename_negative(system) || rename_by_equation(system) || rename_product(system) ||
      rename_remainder(system))
    return true;
  for (uint32_t atom = 0; atom < system->proof->count; atom++) {
    UnknownKind kind = system->proof->items[atom].kind;
    if (kind != UNKNOWN_CONSTANT && kind != UNKNOWN_EXPR) continue;
    if (rename_multiple(system, atom)) return true;
    if (kind == UNKNOWN_CONSTANT && rename_beyond_bound(system, atom)) return true;
  }
  return false;
}

/* Whether the atom occurs in a product of a fact and its sign is unknown. */
static bool is_open_factor(const System *system, uint32_t atom) {
  PolyRing *ring = system->proof->ring;
  Poly letter = poly_atom(ring, atom);
  return !system_is_positive(system, letter) &&
         !system_is_positive(system, poly_scale(ring, letter, -1)) &&
         system_has_product_of(system, atom);
}

bool system_open_sign(const System *system, uint32_t number, Poly *factor) {
  static const UnknownKind order[] = {UNKNOWN_LO, UNKNOWN_HI, UNKNOWN_CONSTANT};
  const RuleProof *proof = system->proof;
  for (size_t i = 0; i < sizeof order / sizeof *order; i++)
    for (uint32_t atom = 0; atom < proof->count; atom++) {
      if (proof->items[atom].kind != order[i] || !is_open_factor(system, atom)) continue;
      *factor = poly_atom(proof->ring, atom);
      if (number-- == 0) return true;
    }
  return false;
}

typedef struct Rewriting {
  System *system;
  PolyRing *ring;
  Poly target;   /* D, a monomial */
  Poly poly;     /* the rest, still to be turned into multiples of D */
  Poly quotient; /* h so far */
  uint32_t last; /* the equation used last, counted from 1; 0: none */
} Rewriting;

static bool is_multiple(Rewriting *work, Poly term, Poly *quotient) {
  Poly rest;
  *quotient = poly_divide(work->ring, term, work->target, &rest);
  return rest.count == 0;
}

/* Whether all of a product except the term is a multiple of D. */
static bool leads_to_multiples(Rewriting *work, Poly product, Poly term) {
  Poly unused;
  for (uint32_t i = 0; i < product.count; i++) {
    uint32_t monomial = product.terms[i].monomial;
    if (monomial != term.terms[0].monomial &&
        !is_multiple(work, poly_monomial(work->ring, monomial), &unused))
      return false;
  }
  return true;
}

/* Rewrites the term by an equation that has a monomial which is no multiple of D and divides the
 * term. With `is_direct`, the other monomials must give multiples of D; otherwise the last equation
 * is not used again, because it would lead back. */
static bool rewrite_by(Rewriting *work, Poly term, bool is_direct) {
  System *system = work->system;
  for (uint32_t i = 0; i < system->facts.count; i++) {
    Poly equation = system->facts.items[i].poly, unused;
    if (!system->facts.items[i].is_equation || poly_constant_term(equation) != 0) continue;
    if (!is_direct && work->last == i + 1) continue;
    for (uint32_t t = 0; t < equation.count; t++) {
      Poly lead = poly_monomial(work->ring, equation.terms[t].monomial), rest;
      Wide scale = equation.terms[t].coefficient;
      if (is_multiple(work, poly_scale(work->ring, lead, scale), &unused)) continue;
      Poly factor = poly_divide(work->ring, term, poly_scale(work->ring, lead, scale), &rest);
      if (rest.count > 0) continue;
      Poly product = poly_multiply(work->ring, factor, equation);
      if (is_direct && !leads_to_multiples(work, product, term)) continue;
      system_use_lemma(system, LEMMA_ZERO, equation, factor, 0);
      work->poly = poly_subtract(work->ring, work->poly, product);
      work->last = i + 1;
      return true;
    }
  }
  return false;
}

static bool rewrite_term(Rewriting *work, Poly term) {
  return rewrite_by(work, term, true) || rewrite_by(work, term, false);
}

/* Multiplies the term by s*a + t*b of some gcd, which is 1. */
static bool expand_term(Rewriting *work, Poly term, uint32_t step) {
  System *system = work->system;
  const Coprime *pair = &system->coprimes.items[step % system->coprimes.count];
  Poly one = poly_add(work->ring, poly_multiply(work->ring, pair->s, pair->a),
      poly_multiply(work->ring, pair->t, pair->b));
  Poly zero = poly_shift(work->ring, one, -1);
  if (poly_degree(work->ring, term) + poly_degree(work->ring, zero) > 8) return false;
  system_use_lemma(system, LEMMA_ZERO, zero, term, 0);
  work->poly = poly_add(work->ring, work->poly, poly_multiply(work->ring, term, zero));
  return true;
}

static bool turn_into_multiple(Rewriting *work) {
  for (uint32_t step = 0; step < rewrite_steps && work->poly.count > 0; step++) {
    Poly term = poly_scale(work->ring, poly_monomial(work->ring, work->poly.terms[0].monomial),
        work->poly.terms[0].coefficient);
    Poly quotient;
    if (is_multiple(work, term, &quotient)) {
      work->quotient = poly_add(work->ring, work->quotient, quotient);
      work->poly = poly_subtract(work->ring, work->poly, term);
    } else if (!rewrite_term(work, term) && !expand_term(work, term, step)) {
      return false;
    }
  }
  return work->poly.count == 0;
}

/* Shows T = D*h if possible; h becomes a new unknown. */
static bool rule_last_relate(System *system, Poly whole, const Coprime *pair, Poly target) {
  PolyRing *ring = system->proof->ring;
  Poly one =
      poly_add(ring, poly_multiply(ring, pair->s, pair->a), poly_multiply(ring, pair->t, pair->b));
  Rewriting work = {
      .system = system, .ring = ring, .target = target, .poly = poly_multiply(ring, whole, one)};
  uint32_t refutation = system->refutation.count;
  system_use_lemma(system, LEMMA_ZERO, poly_shift(ring, one, -1), whole, 0);
  bool is_found = turn_into_multiple(&work) && !ring->overflow;
  ring->overflow = false; /* the overflow is discarded with the attempt */
  if (!is_found) {
    system->refutation.count = refutation;
    return false;
  }
  Poly h = system_name(system, work.quotient);
  system_use_lemma(system, LEMMA_ZERO, poly_subtract(ring, h, work.quotient), target, 0);
  system_derive(
      system, poly_subtract(ring, whole, poly_multiply(ring, target, h)), true, ORIGIN_DERIVED);
  system_use_lemma(system, LEMMA_SPLIT, target, h, 1);
  return true;
}

/* The first coefficient above 1 in an equation between products; 1 if there is none. */
static Wide number_of_equations(const System *system) {
  for (uint32_t i = 0; i < system->facts.count; i++) {
    const Fact *fact = &system->facts.items[i];
    for (uint32_t t = 0; fact->is_equation && t < fact->poly.count; t++) {
      Wide scale = fact->poly.terms[t].coefficient;
      if (poly_constant_term(fact->poly) == 0 && (scale > 1 || scale < -1))
        return scale < 0 ? -scale : scale;
    }
  }
  return 1;
}

/* The multipliers of a gcd: 1, the letters known to be positive, and a number. */
static uint32_t gather_multipliers(const System *system, Poly *multipliers, uint32_t capacity) {
  PolyRing *ring = system->proof->ring;
  uint32_t count = 0;
  Wide number = number_of_equations(system);
  multipliers[count++] = poly_constant(ring, 1);
  if (number > 1) multipliers[count++] = poly_constant(ring, number);
  for (uint32_t atom = 0; atom < system->proof->count && count < capacity; atom++) {
    Poly letter = poly_atom(ring, atom);
    UnknownKind kind = system->proof->items[atom].kind;
    if ((kind == UNKNOWN_CONSTANT || kind == UNKNOWN_NAMED) && system_is_positive(system, letter))
      multipliers[count++] = letter;
  }
  return count;
}

bool system_relate_gcds(System *system) {
  PolyRing *ring = system->proof->ring;
  Poly multipliers[4];
  uint32_t multiplier_count = gather_multipliers(system, multipliers, 4),
           count = system->coprimes.count;
  bool found = false;
  if (count < 2) return false;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < count; k++)
      for (uint32_t m = 0; i != k && m < multiplier_count * multiplier_count; m++) {
        Coprime from = system->coprimes.items[i];
        Poly whole = poly_multiply(ring, multipliers[m / multiplier_count], from.gcd);
        Poly target =
            poly_multiply(ring, multipliers[m % multiplier_count], system->coprimes.items[k].gcd);
        if (whole.count == 1 && target.count == 1 && !poly_equal(whole, target))
          found |= rule_last_relate(system, whole, &from, target);
      }
  return found;
}
