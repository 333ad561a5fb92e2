/* Questions under the domain of one map: everything that is encoded here is true to the expressions
 * at the points of that domain, and need not be elsewhere. The domain's constraints tighten the
 * variables' bounds before anything is built, so that much folds; what is left goes to Z3 with the
 * domain as hypothesis. One for each domain; closed before the arena is rewound. */
#ifndef SMT_UNDER_H
#define SMT_UNDER_H

#include "smt/solver/session.h"

typedef struct Under {
  Smt *smt;
  const Map *domain;
  const Map *named; /* a plain map over the same variables */
  Sums *sums;
  MapVariables variables;
  EncodedMap facts; /* the domain; its results are built again, as of any map that under_encode is
                       asked for */
  bool impossible;  /* the domain has no point, proved without a solver */
  bool is_open;
  Query query;
  Z3_ast inside;
  Z3_ast asked[2]; /* the last question */
  uint32_t asked_count;
} Under;

/* False (with an error) where the map cannot be encoded. */
[[nodiscard]] bool under_open(
    Smt *smt, const Map *domain, const Map *named, Under *under, Error *error);
void under_close(Under *under, Verdict *verdict);
[[nodiscard]] bool under_encode(Under *under, const Map *map, EncodedMap *encoded, Error *error);

/* Questions whose variables have few values together are canonical by going through all of them,
 * with the facts that are over these variables alone; the others go to Z3. */
/* Can there be a point of the domain at all (a brief look only, and none at large numbers, unless
 * the answer is needed); at which `within` does not hold; at which the sums differ? UNSAT: there is
 * none. */
[[nodiscard]] VerdictStatus under_any(Under *under, bool needed);
[[nodiscard]] VerdictStatus under_breaks(Under *under, Within within);
[[nodiscard]] VerdictStatus under_differ(Under *under, Sum a, Sum b);
/* The values of the variables in the model of the last question that was SAT; made small while that
 * question stays SAT. nullptr when one leaves 128 bits. */
[[nodiscard]] Wide *under_point(Under *under);
[[nodiscard]] Wide *under_small_point(Under *under);

/* A point drawn at random, in the domain by the map and by its encoding. nullptr when none is
 * hit. */
[[nodiscard]] Wide *under_drawn_point(Under *under);

#endif
