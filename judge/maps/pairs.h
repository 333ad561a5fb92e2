/* The pairs of a small map: each point of its domain with its results, listed by core/map's own
 * evaluation, and put to every judge of pairs.
 * Keeps: they agree only where each judge that was asked finds exactly the listed pairs. Where one
 * judge alone denies them it is named; where all deny them the listing is named. */
#ifndef JUDGE_PAIRS_H
#define JUDGE_PAIRS_H

#include "judge/obligations/obligation.h"

static constexpr uint64_t pairs_most_points = 1024; /* of a map's box */
/* The listing itself, where a test spoils it: no judge of the table. */
static constexpr uint32_t pairs_listing = judge_count;

/* Rows of a variable each, then a result each; a map without variables has one, which is 0. */
struct MapPairs {
  uint32_t variables, width;
  uint64_t points; /* of the box */
  uint64_t count;
  int64_t *values;
  int64_t (*spoil)(uint32_t judge, int64_t result); /* for tests; nullptr: nothing */
};

/* ERROR_LIMIT and ERROR_OVERFLOW where the pairs cannot be listed. */
[[nodiscard]] bool map_pairs_list(
    MapContext *context, const Map *map, MapPairs *pairs, Error *error);
/* The row that begins with the first `count` values; nullptr where there is none. */
[[nodiscard]] const int64_t *map_pairs_row(
    const MapPairs *pairs, const int64_t *values, uint32_t count);
[[nodiscard]] int64_t map_pairs_spoiled(const MapPairs *pairs, uint32_t judge, int64_t result);
/* Decides DIFFERENT at the first row of either listing that the other does not have, else EXACT. No
 * listing has a row twice. */
void map_pairs_compare(const MapPairs *listed, const MapPairs *found, Verdict *verdict);
/* Whether the map at one point alone is the same as the constants, or as no map at all. */
typedef bool PairConfirms(Judge *judge, const Map *at_point, const Map *constants);
/* Decides DIFFERENT at the first point of the box that is not confirmed, else EXACT. */
void map_pairs_confirm(Judge *judge, JudgeId id, const Obligation *obligation,
    PairConfirms *confirms, Verdict *verdict);

typedef struct PairsJudgement {
  bool agree;
  Verdict by[judge_count]; /* NOT_ASKED with the cause in its sentence */
  const char *text; /* "MLIR dissents at (1, 0): listed are (3)"; in the context's arena */
} PairsJudgement;
/* False where the pairs cannot be listed; `text` says why. */
[[nodiscard]] bool pairs_judge(Judge *judge, const Map *map,
    int64_t (*spoil)(uint32_t judge, int64_t result), PairsJudgement *judgement);

#endif
