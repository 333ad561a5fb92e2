/* Answers of the algebra as statements about two maps: a map that an operation made and the map
 * that it must be, bounds and the points within them, a map that is injective and its twins. The
 * other map is built from the given one by substitution alone (algebra_rebuild.h), so that judges
 * of two maps can decide it. */
#ifndef JUDGE_REBUILT_H
#define JUDGE_REBUILT_H

#include "judge/algebra/algebra.h"

typedef bool Decide(Judge *judge, const Obligation *obligation, Verdict *verdict, Error *error);
/* Decides one of OBLIGATIONS_BY_REBUILDING through `decide`, which decides statements about two
 * maps. False, with the reason, where the other map cannot be built, and where decide is false. */
[[nodiscard]] bool rebuilt_decide(
    Judge *judge, const Obligation *obligation, Decide *decide, Verdict *verdict, Error *error);

#endif
