/* The state of a comparison of two computations: both builders, the limits, and the arrays already
 * tried. Only the files of same_values include it. */
#ifndef ORACLE_EQUIVALENCE_VALUES_STATE_H
#define ORACLE_EQUIVALENCE_VALUES_STATE_H

#include "oracle/symbolic/build.h"
#include "oracle/equivalence/differing.h"
#include "oracle/terms/laws.h"
#include "oracle/terms/ring.h"
#include "oracle/equivalence/same_values.h"

static constexpr int64_t few_elements = 1 << 14;
static constexpr uint32_t most_nesting = 8;
static constexpr uint64_t most_rounds = 5;  /* per output */
static constexpr uint64_t most_outputs = 2; /* outputs that may use all of their rounds */

typedef struct Loop Loop;
/* Shared by the comparisons of all bodies. */
typedef struct ValuesShared {
  uint64_t spent;   /* elements, in the finished rounds of this output */
  uint64_t total;   /* of the previous outputs */
  uint32_t serials; /* numbers of comparisons of loops */
  bool has_laws;
  Laws laws;
  LawUse use;
  LawSet earlier; /* used for the previous outputs */
  Ring ring;
} ValuesShared;

typedef struct Arrays {
  const Node *nodes[2];
  uint32_t leaves[2];
} Arrays;
/* Whether two loops keep their leaves `arrays` equal. */
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
  bool in_parts;      /* arrays that are equal only by evaluation count as equal */
  VerdictReason part; /* the weakest verdict of such a part */
  uint32_t nesting;
  LawGrade grade;
  ValuesShared *shared;
  ProveLoop *prove_loop; /* also of comparisons of bodies */
  Promised *promised;    /* of the outermost comparison; nullptr in comparisons of bodies */
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
  } loops;                   /* pairs of loops that were compared */
  OracleValues *with_errors; /* the comparison in which constants keep their errors, or nullptr */
};

/* Records the verdict of a part: the final verdict is not stronger than it. If one part reads more
 * and another less, nothing is known of the reads. */
void values_weaken(OracleValues *values, VerdictReason part);

[[nodiscard]] OracleValues *comparison_create(Arena *arena, Terms *terms, const Computation *before,
    const Computation *after, bool is_body, uint64_t most_work, uint32_t nesting);
/* The queries of same_values.h, in which folded constants have no more than small errors. */
void values_query(OracleValues *values, uint32_t leaf, ValuesVerdict *verdict);
void values_query_at(
    OracleValues *values, uint32_t leaf, const int64_t *point, ValuesVerdict *verdict);
/* A comparison of bodies that operations of `outer` call. */
[[nodiscard]] OracleValues *values_of_bodies(
    OracleValues *outer, const Computation *before, const Computation *after, bool is_body);
/* Adds the work of the comparison of bodies to `outer`, and its weakest verdict. */
void values_leave_bodies(OracleValues *outer, OracleValues *inner);
/* Computes the fingerprints of all arrays and cuts arrays that both sides have. */
[[nodiscard]] bool values_prepare(OracleValues *values);
void values_remove_cuts(OracleValues *values);
/* Whether two arrays are equal, element by element or operand by operand. */
[[nodiscard]] bool values_prove(OracleValues *values, Arrays arrays, uint32_t depth);
[[nodiscard]] bool values_same_fingerprint(const OracleValues *values, const Arrays *arrays);
[[nodiscard]] ProveLoop values_prove_loop;
/* Whether the terms are equal, or a law of the grade joins them. */
[[nodiscard]] bool values_joined(OracleValues *values, Term before, Term after);
typedef enum ValuesCoverage : uint8_t {
  FOUND_ALL,   /* every element was compared */
  FOUND_TRIED, /* past the limit: only a few elements were compared, enough to refute and never to
                  prove */
  FOUND_SOME,  /* not even those */
} ValuesCoverage;
/* An empty list; evaluation may take a hundred times the limit of elements. */
[[nodiscard]] Differing values_differing(const OracleValues *values);
/* Lists the elements whose terms differ. */
[[nodiscard]] ValuesCoverage values_find_differing(
    OracleValues *values, const Arrays *arrays, Differing *differing);

#endif
