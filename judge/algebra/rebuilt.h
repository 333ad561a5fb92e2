/* States answers of the algebra as statements about two maps: a result map and the map that it must
 * equal; bounds and the points within them; an injective map and its twins. The second map is built
 * by substitution alone (algebra_rebuild.h), so that judges of two maps can decide the
 * statement. */
#ifndef JUDGE_ALGEBRA_REBUILT_H
#define JUDGE_ALGEBRA_REBUILT_H

#include "judge/algebra/algebra.h"

typedef bool Decide(Judge *judge, const Obligation *obligation, Verdict *verdict, Error *error);
/* Decides one of OBLIGATIONS_BY_REBUILDING with `decide`, which decides statements about two maps.
 * Returns false with the reason if the second map cannot be built or `decide` returns false. */
[[nodiscard]] bool rebuilt_decide(
    Judge *judge, const Obligation *obligation, Decide *decide, Verdict *verdict, Error *error);

#endif
