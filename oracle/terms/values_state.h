/* What a comparison of two computations keeps: both builders, the limits, and which arrays were
 * already tried. Shared by the files of same_values alone. */
#ifndef ORACLE_VALUES_STATE_H
#define ORACLE_VALUES_STATE_H

#include "oracle/terms/build.h"
#include "oracle/terms/differing.h"
#include "oracle/terms/laws.h"
#include "oracle/terms/ring.h"
#include "oracle/terms/same_values.h"

static constexpr int64_t few_elements = 1 << 14;
static constexpr uint32_t most_nesting = 8;
static constexpr uint64_t most_rounds = 5;  /* of one output */
static constexpr uint64_t most_outputs = 2; /* that may take all of their rounds */

typedef struct Loop Loop;
/* What the comparisons of all bodies share. */
typedef struct ValuesShared {
  uint64_t spent;   /* elements, in the rounds of this output that have ended */
  uint64_t total;   /* of the outputs before */
  uint32_t serials; /* numbers of comparisons of loops */
  bool has_laws;
  Laws laws;
  LawUse use;
  Ring ring;
} ValuesShared;

typedef struct Arrays {
  const Node *nodes[2];
  uint32_t leaves[2];
} Arrays;
/* Both are leaves of loops: whether the loops keep them equal. */
typedef bool ProveLoop(OracleValues *values, const Arrays *arrays, uint32_t depth);

typedef struct Failed {
  const Node *nodes[2];
  uint32_t leaves[2];
} Failed;

struct OracleValues {
  Arena *arena;
  Terms *terms;
  const Computation *computations[2];
  TermBuilder builders[2];
  bool is_built, is_prepared;
  bool in_parts;      /* arrays also count as equal where only evaluation finds them so */
  VerdictReason part; /* the weakest answer that was drawn so */
  uint32_t nesting;
  LawGrade grade;
  ValuesShared *shared;
  ProveLoop *prove_loop; /* of comparisons of bodies as well */
  uint32_t unified;
  uint64_t work, most_work, whole_work; /* whole_work: the largest limit */
  Rejection rejection;
  struct {
    uint32_t count, capacity;
    Failed *items;
  } failed;
  struct {
    uint32_t count, capacity;
    Loop **items;
  } loops; /* pairs of loops that were compared */
};

/* An answer that was drawn on the way: what rests on it says no more. */
static inline void values_weaken(OracleValues *values, VerdictReason part) {
  if (values_rank(part) > values_rank(values->part)) values->part = part;
}

[[nodiscard]] OracleValues *comparison_create(Arena *arena, Terms *terms, const Computation *before,
    const Computation *after, bool is_body, uint64_t most_work, uint32_t nesting);
/* A comparison of bodies that are called by operations of `outer`. */
[[nodiscard]] OracleValues *values_of_bodies(
    OracleValues *outer, const Computation *before, const Computation *after, bool is_body);
/* What the comparison of bodies has taken counts for `outer`, and so does its weakest answer. */
void values_leave_bodies(OracleValues *outer, OracleValues *inner);
/* Fingerprints of all arrays; arrays that both sides have are cut. */
[[nodiscard]] bool values_prepare(OracleValues *values);
void values_remove_cuts(OracleValues *values);
/* Whether two arrays are equal, element by element or operand by operand. */
[[nodiscard]] bool values_prove(OracleValues *values, Arrays arrays, uint32_t depth);
[[nodiscard]] bool values_same_fingerprint(const OracleValues *values, const Arrays *arrays);
[[nodiscard]] ProveLoop values_prove_loop;
/* Equal terms, or terms that a law of the grade joins. */
[[nodiscard]] bool values_joined(OracleValues *values, Term before, Term after);
typedef enum ValuesCoverage : uint8_t {
  FOUND_ALL,   /* every element was compared */
  FOUND_TRIED, /* past the limit: a few elements, enough to refute and never to prove */
  FOUND_SOME,  /* not even those */
} ValuesCoverage;
/* No elements yet; evaluation may take a hundred times the limit of elements. */
[[nodiscard]] Differing values_differing(const OracleValues *values);
/* Elements with other terms. */
[[nodiscard]] ValuesCoverage values_find_differing(
    OracleValues *values, const Arrays *arrays, Differing *differing);

#endif
