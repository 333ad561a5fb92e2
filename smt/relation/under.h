/* Questions under the domain of one map: everything encoded here equals the original expressions at
 * the points of that domain, and possibly not elsewhere. The domain's constraints tighten the
 * variables' bounds before anything is built, so much is folded; the rest goes to Z3 with the
 * domain as hypothesis. One Under per domain; it is closed before the arena is rewound. */
#ifndef SMT_RELATION_UNDER_H
#define SMT_RELATION_UNDER_H

#include "smt/solver/session.h"

typedef struct Under {
  Smt *smt;
  const Map *domain;
  const Map *named; /* a plain map over the same variables, for their names */
  Sums *sums;
  MapVariables variables;
  EncodedMap facts; /* the domain; its results are rebuilt like those of any map in under_encode */
  bool impossible;  /* the domain has no point, proved without a solver */
  bool is_open;
  Query query;
  Z3_ast inside;
  Z3_ast asserted[2]; /* the last question */
  uint32_t asserted_count;
} Under;

/* False (with an error) if the map cannot be encoded. */
[[nodiscard]] bool under_open(
    Smt *smt, const Map *domain, const Map *named, Under *under, Error *error);
void under_close(Under *under, Verdict *verdict);
[[nodiscard]] bool under_encode(Under *under, const Map *map, EncodedMap *encoded, Error *error);

/* Questions whose variables have few values together are decided by enumeration, with the facts
 * over these variables only; the others go to Z3. */
/* under_any: whether the domain has a point (only a brief check, and none with large numbers,
 * unless `needed`). under_breaks: whether it has a point at which `within` does not hold.
 * under_differ: whether it has a point at which the sums differ. VERDICT_PROVED: there is no such
 * point. */
[[nodiscard]] VerdictStatus under_any(Under *under, bool needed);
[[nodiscard]] VerdictStatus under_breaks(Under *under, Within within);
[[nodiscard]] VerdictStatus under_differ(Under *under, Sum a, Sum b);
/* The values of the variables in the model of the last question that was refuted. under_small_point
 * minimises them first, as long as the question remains refuted. nullptr if a value leaves 128
 * bits. */
[[nodiscard]] Wide *under_point(Under *under);
[[nodiscard]] Wide *under_small_point(Under *under);

/* A random point that is in the domain by the map and by its encoding. nullptr if none is found. */
[[nodiscard]] Wide *under_sampled_point(Under *under);

#endif
