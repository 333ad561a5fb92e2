/* A number that bounds a letter occurs in a fact about the letter itself, or about lo(x) or hi(x).
 * The cases are a clause that holds for all integers: a value outside the bounds is also a case. */
#include "smt/rules/rule_narrow.h"

static constexpr Wide most_values = 8;

/* Whether the term is the unknown, with this sign. */
static bool is_signed_atom(const System *system, PolyTerm term, Wide sign, uint32_t *atom) {
  return term.coefficient == sign && monomial_is_atom(system->proof->ring, term.monomial, atom);
}

/* The greatest number for which a single fact implies sign*atom >= number. */
static bool number_below(const System *system, uint32_t atom, Wide sign, Wide *number) {
  bool is_known = false;
  for (uint32_t i = 0; i < system->facts.count; i++) {
    const Fact *fact = &system->facts.items[i];
    Wide constant = poly_constant_term(fact->poly);
    uint32_t single;
    if (fact->is_equation || fact->poly.count != (constant == 0 ? 1u : 2u) ||
        !is_signed_atom(system, fact->poly.terms[0], sign, &single) || single != atom)
      continue;
    if (!is_known || -constant > *number) *number = -constant;
    is_known = true;
  }
  return is_known;
}

/* The same, also by sign*atom - sign*bound >= 0 and a number for sign*bound. */
static bool number_by_bound(const System *system, uint32_t atom, Wide sign, Wide *number) {
  if (number_below(system, atom, sign, number)) return true;
  for (uint32_t i = 0; i < system->facts.count; i++) {
    const Fact *fact = &system->facts.items[i];
    if (fact->origin != ORIGIN_BOUNDS || fact->poly.count != 2) continue;
    for (uint32_t k = 0; k < 2; k++) {
      uint32_t single, bound;
      if (is_signed_atom(system, fact->poly.terms[k], sign, &single) && single == atom &&
          is_signed_atom(system, fact->poly.terms[1 - k], -sign, &bound) &&
          number_below(system, bound, sign, number))
        return true;
    }
  }
  return false;
}

bool system_split_values(System *system) {
  for (uint32_t atom = 0; atom < system->proof->count; atom++) {
    UnknownKind kind = system->proof->items[atom].kind;
    Wide low, negative;
    if ((kind != UNKNOWN_EXPR && kind != UNKNOWN_CONSTANT) ||
        !system_has_product_of(system, atom) || !number_by_bound(system, atom, 1, &low) ||
        !number_by_bound(system, atom, -1, &negative) || -negative < low ||
        -negative - low >= most_values)
      continue;
    system_split_range(system, poly_atom(system->proof->ring, atom), low, -negative);
    return true;
  }
  return false;
}
