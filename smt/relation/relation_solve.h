/* Eliminates hidden integers: "there are hidden integers such that" becomes a disjunction of
 * conjunctions over visible atoms. Each step is an equivalence over the integers:
 *   a quotient of a hidden term is itself a hidden integer q with 0 <= x - c*q <= c - 1;
 *   min and max of a hidden term are two cases;
 *   c*s = t, with t visible: s is t floordiv c; the equation remains (it states that c divides t);
 *   c*s + rest = t, rest in an interval narrower than c: s is (t - lo(rest)) floordiv c;
 *   s + rest = t: s is t - rest;
 *   a*s + b*u + .. = t with 1 < |a| <= |b|: s = s' - (multiple)*u makes the coefficients smaller;
 *   s in inequalities only: the largest of its lower bounds is a solution if any value is.
 * Hidden integers that no step eliminates remain and are listed; callers must treat them as hidden.
 * Once the question's time budget is spent, solutions may be missing, and conclusions from them are
 * invalid. */
#ifndef SMT_RELATION_RELATION_SOLVE_H
#define SMT_RELATION_RELATION_SOLVE_H

#include "smt/relation/piece.h"

typedef struct Solutions {
  Piece *items; /* hidden: the remaining integers */
  uint32_t count, capacity;
} Solutions;

[[nodiscard]] Solutions relation_solve(Sums *sums, const Piece *piece);

/* The same, but enumerates a hidden atom that no equation solves, if it has few values: it then
 * occurs in no quotient. False if a hidden integer remains nevertheless. */
[[nodiscard]] bool relation_solve_by_values(Sums *sums, const Piece *piece, Solutions *solutions);

#endif
