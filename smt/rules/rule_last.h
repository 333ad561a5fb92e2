/* Last resorts, each adding what follows from a system and was not worth the search before. */
#ifndef SMT_RULE_LAST_H
#define SMT_RULE_LAST_H

#include "smt/rules/rule_system.h"

/* x = C*q + 0, 1, .. or C - 1, for a letter x in a product under a small constant divisor C: a
 * clause to split on. */
[[nodiscard]] bool system_split_residues(System *system);

/* c = 1, 2, .. or N, for an unknown c >= 1 in an equation c*T = N with a small number N, or of both
 * signs for any unknown: a clause to split on. */
[[nodiscard]] bool system_split_divisors(System *system);

/* Another unknown for a letter: for k*x where an equation says what that is, or where k and x stand
 * together everywhere; for what a letter is above its lower bound; for a product of letters; for a
 * remainder that is a factor. False where there is none. What is lost of the letter are its
 * residues modulo k. */
[[nodiscard]] bool system_rename(System *system);

/* The sum or difference of two constant letters that makes the system shortest, as a name, gets
 * one. False where none makes it shorter. */
[[nodiscard]] bool system_rename_sum(System *system);

/* The same of names, as of c + b in c + b + k; and what a name is above its lower bound gets one. */
[[nodiscard]] bool system_rename_named(System *system);

/* k*c gets a name where a letter c of this kind stands in quotients and equations with k alone: as
 * system_rename does, before the search begins. */
[[nodiscard]] bool system_rename_multiple(System *system, UnknownKind kind);

/* The bound or constant letter number `number` of those that stand in a product with an open sign;
 * false where there are fewer. */
[[nodiscard]] bool system_open_sign(const System *system, uint32_t number, Poly *factor);

/* Which gcds divide each other: D*h = T for multiples of two gcds, wherever Bezout's identity and
 * the equations show it. */
[[nodiscard]] bool system_relate_gcds(System *system);

#endif
