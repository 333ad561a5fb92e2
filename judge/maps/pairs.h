/* The pairs of a small map: each point of its domain with its results. core/map's own evaluation
 * lists them, and every judge of pairs is asked about the list.
 * Keeps: the judges agree only if each judge that was asked finds exactly the listed pairs. If one
 * judge rejects the list, the text names this judge; if all reject it, the text names the list. */
#ifndef JUDGE_MAPS_PAIRS_H
#define JUDGE_MAPS_PAIRS_H

#include "judge/obligations/obligation.h"

static constexpr uint64_t pairs_most_points = 1024; /* of a map's box */
/* Denotes the list itself, which a test may spoil. It is no judge of the table. */
static constexpr uint32_t pairs_listing = judge_count;

/* A row has the values of all variables, then the results. A map without variables has one
 * variable of value 0. */
struct MapPairs {
  uint32_t variables, width;
  uint64_t points; /* of the box */
  uint64_t count;
  int64_t *values;
  int64_t (*spoil)(uint32_t judge, int64_t result); /* for tests; nullptr: no function */
};

/* Fails with ERROR_LIMIT or ERROR_OVERFLOW if the pairs cannot be listed. */
[[nodiscard]] bool map_pairs_list(
    MapContext *context, const Map *map, MapPairs *pairs, Error *error);
/* The row that starts with the first `count` values, or nullptr. */
[[nodiscard]] const int64_t *map_pairs_row(
    const MapPairs *pairs, const int64_t *values, uint32_t count);
[[nodiscard]] int64_t map_pairs_spoiled(const MapPairs *pairs, uint32_t judge, int64_t result);
/* Decides DIFFERENT at the first row of one list that the other lacks, else EXACT. No list has
 * duplicate rows. */
void map_pairs_compare(const MapPairs *listed, const MapPairs *found, Verdict *verdict);
/* True if the map at a single point equals the constants or, without constants, is empty. */
typedef bool PairConfirms(Judge *judge, const Map *at_point, const Map *constants);
/* Decides DIFFERENT at the first point of the box that is not confirmed, else EXACT. */
void map_pairs_confirm(Judge *judge, JudgeId id, const Obligation *obligation,
    PairConfirms *confirms, Verdict *verdict);

typedef struct PairsJudgement {
  bool agree;              /* at least one judge decides, and none rejects the list */
  bool is_denied;          /* a judge rejects the list */
  Verdict by[judge_count]; /* NOT_ASKED with the cause in its sentence */
  const char *text;        /* "MLIR dissents at (1, 0): listed are (3)"; in the context's arena */
} PairsJudgement;
/* Returns false if the pairs cannot be listed; `text` says why. */
[[nodiscard]] bool pairs_judge(Judge *judge, const Map *map,
    int64_t (*spoil)(uint32_t judge, int64_t result), PairsJudgement *judgement);

#endif
