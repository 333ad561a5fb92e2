/* Gaussian elimination over the integers. A row is a linear combination of the polynomials, with a
 * positive factor for its own. The eliminated unknown's coefficient in the pivot row is the row's
 * greatest common divisor, so that the row stays equivalent. */
#include "proof/write/congruence.h"

typedef struct CongruenceRow {
  Poly poly;
  Wide *factors;
  bool is_used; /* an unknown was eliminated with it; never true of an inequality */
  bool is_inequality;
} CongruenceRow;

static bool row_is_impossible(const CongruenceRow *row) {
  Wide content = poly_content(row->poly, true);
  return content > 1 && poly_constant_term(row->poly) % content != 0;
}

/* A term whose coefficient divides all others of the row, or nullptr. */
static const PolyTerm *row_pivot(const CongruenceRow *row) {
  Wide content = poly_content(row->poly, true);
  bool is_open = !row->is_used && !row->is_inequality;
  for (uint32_t i = 0; i < row->poly.count && is_open; i++) {
    const PolyTerm *term = &row->poly.terms[i];
    if (term->monomial != 0 && (term->coefficient == content || term->coefficient == -content))
      return term;
  }
  return nullptr;
}

/* row := scale*row - factor*by; returns false if 128 bits do not suffice. */
static bool row_combine(PolyRing *ring, CongruenceRow *row, Wide scale, const CongruenceRow *by,
    Wide factor, uint32_t count) {
  row->poly =
      poly_subtract(ring, poly_scale(ring, row->poly, scale), poly_scale(ring, by->poly, factor));
  for (uint32_t i = 0; i < count; i++) {
    Wide kept, other;
    if (!wide_multiply(row->factors[i], scale, &kept) ||
        !wide_multiply(by->factors[i], -factor, &other) || !wide_add(kept, other, &row->factors[i]))
      return false;
  }
  return !ring->overflow;
}

/* Eliminates the pivot's unknown from all rows that were not used yet. */
static bool rows_eliminate(
    PolyRing *ring, CongruenceRow *rows, uint32_t count, CongruenceRow *own, PolyTerm pivot) {
  own->is_used = true;
  for (CongruenceRow *row = rows; row < rows + count; row++) {
    for (uint32_t i = 0; i < row->poly.count && !row->is_used; i++) {
      if (row->poly.terms[i].monomial != pivot.monomial) continue;
      Wide coefficient = row->poly.terms[i].coefficient,
           common = wide_gcd(coefficient, pivot.coefficient) * (pivot.coefficient < 0 ? -1 : 1);
      if (!row_combine(ring, row, pivot.coefficient / common, own, coefficient / common, count))
        return false;
      break;
    }
  }
  return true;
}

static bool rows_search(
    PolyRing *ring, CongruenceRow *rows, uint32_t count, const CongruenceRow **found) {
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (CongruenceRow *row = rows; row < rows + count; row++) {
      *found = row;
      if (!row->is_inequality && row_is_impossible(row)) return true;
      const PolyTerm *pivot = row_pivot(row);
      if (pivot == nullptr) continue;
      if (!rows_eliminate(ring, rows, count, row, *pivot)) return false;
      goes_on = true;
    }
  }
  for (*found = rows; *found < rows + count; ++*found)
    if (row_is_impossible(*found)) return true;
  return false;
}

bool congruence_find(PolyRing *ring, const Poly *polys, uint32_t count, uint32_t equations,
    Wide *factors, Poly *sum) {
  CongruenceRow *rows = ARENA_NEW(ring->arena, CongruenceRow, count + 1);
  const CongruenceRow *found = rows;
  for (uint32_t i = 0; i < count; i++) {
    rows[i] = (CongruenceRow){.poly = polys[i],
        .factors = ARENA_NEW(ring->arena, Wide, count),
        .is_inequality = i >= equations};
    rows[i].factors[i] = 1;
  }
  bool had_overflow = ring->overflow;
  bool is_found = rows_search(ring, rows, count, &found);
  ring->overflow = had_overflow;
  for (uint32_t i = 0; i < count && is_found; i++) factors[i] = found->factors[i];
  if (is_found) *sum = found->poly;
  return is_found;
}
