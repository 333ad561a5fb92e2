/* Last resorts: each adds consequences of a system that were not worth the search before. */
#ifndef SMT_RULES_RULE_LAST_H
#define SMT_RULES_RULE_LAST_H

#include "smt/rules/rule_system.h"

/* Adds a clause to split on: x = C*q + 0, 1, .. or C - 1, for a letter x in a product under a small
 * constant divisor C. */
[[nodiscard]] bool system_split_residues(System *system);

/* Adds a clause to split on: c = 1, 2, .. or N, for an unknown c >= 1 in an equation c*T = N with a
 * small number N; or with both signs for any unknown. */
[[nodiscard]] bool system_split_divisors(System *system);

/* Replaces a letter by another unknown: for k*x if an equation defines it, or if x occurs only in
 * multiples of k; for the distance of a letter to its lower bound; for a product of letters; for a
 * remainder that is a factor. False if there is none. The residues of the letter modulo k are
 * lost. */
[[nodiscard]] bool system_rename(System *system);

/* Names the sum or difference of two constant letters whose name makes the system shortest. False
 * if none makes it shorter. */
[[nodiscard]] bool system_rename_sum(System *system);

/* The same for names, as of c + b in c + b + k; also names the distance of a name to its lower
 * bound. */
[[nodiscard]] bool system_rename_named(System *system);

/* Names k*c if a letter c of this kind occurs in quotients and equations only in multiples of k: as
 * system_rename does, but before the search. */
[[nodiscard]] bool system_rename_multiple(System *system, UnknownKind kind);

/* The bound or constant letter number `number` among those in a product with unknown sign; false if
 * there are fewer. */
[[nodiscard]] bool system_open_sign(const System *system, uint32_t number, Poly *factor);

/* Finds gcds that divide each other: D*h = T for multiples of two gcds, if Bezout's identity and
 * the equations imply it. */
[[nodiscard]] bool system_relate_gcds(System *system);

#endif
