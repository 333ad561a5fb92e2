/* Getting rid of hidden integers: "there are hidden integers such that" as a disjunction of
 * conjunctions over visible atoms. Each step is an equivalence over the integers:
 *   a quotient of something hidden is itself a hidden integer q with 0 <= x - c*q <= c - 1;
 *   min and max of something hidden are two cases;
 *   c*s = t, with t visible: s is t floordiv c, and the equation stays (it says that c divides t);
 *   c*s + rest = t with rest within an interval narrower than c: s is (t - lo(rest)) floordiv c;
 *   s + rest = t: s is t - rest;
 *   a*s + b*u + .. = t with 1 < |a| <= |b|: s = s' - (multiple)*u makes the coefficients smaller;
 *   s in inequalities only: the largest of its lower bounds will do if any value does.
 * After the question's budget of time is spent solutions are missing: nothing that is concluded
 * from them then may be believed. What none of them removes is left over and named, and whoever
 * asks must treat it as still hidden. */
#ifndef SMT_RELATION_SOLVE_H
#define SMT_RELATION_SOLVE_H

#include "smt/relation/piece.h"

typedef struct Solutions {
  Piece *items; /* hidden: what is left over */
  uint32_t count, capacity;
} Solutions;

[[nodiscard]] Solutions relation_solve(Sums *sums, const Piece *piece);

/* The same, but a hidden atom that no equation solves has each of its values in turn, where they
 * are few: it is then inside no quotient any more. False where something is left over all the
 * same. */
[[nodiscard]] bool relation_solve_by_values(Sums *sums, const Piece *piece, Solutions *solutions);

#endif
