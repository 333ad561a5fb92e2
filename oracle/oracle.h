/* The enumerating judge: read sets by interpreting HLO on concrete elements, and verdicts on maps
 * by enumeration. Written from the operation semantics alone; computes in _BitInt(128) where values
 * could leave int64, so that it can tell "rejected" from "wrong". Includes nothing of core/simplify
 * or core/index. */
#ifndef ORACLE_ORACLE_H
#define ORACLE_ORACLE_H

#include "core/base/verdict.h"
#include "core/hlo/graph.h"
#include "core/map/map.h"

static constexpr uint32_t oracle_max_rank = 32;

/* Verdicts about graphs: REASON_EXACT, REASON_EXTRA (over-approximation: `extra` pairs too many,
 * the first one as the witness; or, `extra` 0, a runtime variable's bounds have values that its
 * source's element type has not), REASON_WRONG (a read is missing, or the map leaves the operand or
 * int64), REASON_TOO_LARGE and REASON_UNSUPPORTED (not judged). `work` counts comparisons, each of
 * an element (or of all) under one assignment of runtime values. SCOPE_SAMPLE: not all assignments
 * in the stated range were tried. Verdicts about maps: REASON_EXACT, REASON_DIFFERENT with the
 * point (dims, ranges, runtimes), REASON_TOO_LARGE. `work` counts the points visited. Texts and
 * witnesses are in the context's arena. */

typedef struct OracleLimits {
  int64_t elements;     /* largest tensor, default 4096 */
  int64_t pairs;        /* work bound: pairs visited, default 2^26 */
  uint64_t assignments; /* of one row that are all gone through; past them a sample of as many,
                           which the verdict says; 0: as `pairs` allows */
} OracleLimits;

typedef struct Oracle Oracle;
[[nodiscard]] Oracle *oracle_create(const MapContext *context, const OracleLimits *limits);
void oracle_destroy(Oracle *oracle);
/* Switches the sentences of verdicts about graphs on (the default) or off. Without sentences the
 * reason, the numbers and the witness are the same, and `text` may be empty. */
void oracle_use_words(Oracle *oracle, bool with_words);

/* Judges the union of `maps` as the output-to-input relation of one operand leaf. Several maps: a
 * union; none: nothing read. */
[[nodiscard]] bool oracle_output_to_input(Oracle *oracle, const Instruction *instruction,
    uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf, uint32_t map_count,
    const Map *const *maps, Verdict *verdict, Error *error);
[[nodiscard]] bool oracle_input_to_output(Oracle *oracle, const Instruction *instruction,
    uint32_t operand, uint32_t operand_leaf, uint32_t output_leaf, uint32_t map_count,
    const Map *const *maps, Verdict *verdict, Error *error);

typedef struct OracleMaps {
  uint32_t count;
  const Map *const *maps;
} OracleMaps;

/* Compares two unions of maps for one operand leaf: they must relate the same elements under every
 * assignment of the values that their runtime variables are read from. REASON_EXACT: the same
 * pairs. REASON_EXTRA: `extra` pairs of `after` alone. REASON_WRONG: `missing` pairs of `before`
 * alone. The comparison does not use the reads of the operation. */
[[nodiscard]] bool oracle_same_pairs(Oracle *oracle, const Instruction *instruction,
    bool is_input_to_output, uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf,
    OracleMaps before, OracleMaps after, Verdict *verdict, Error *error);

/* The read relation itself: bit y of row x where output element x reads element y of the operand
 * leaf. False where it depends on values that are known at run time alone, is past the limits or
 * has no semantics here. The rows are in the arena, which is not the oracle's own. */
typedef struct OracleReads {
  int64_t outputs, elements;
  uint32_t words; /* of a row */
  uint64_t *rows;
} OracleReads;
[[nodiscard]] bool oracle_reads(Oracle *oracle, const Instruction *instruction,
    uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf, Arena *arena,
    OracleReads *reads);

/* The same map: the same variables, and at every point the same membership and the same results.
 * Enumerates at most `limit` points of the union of both bounding boxes. Known-empty is the map
 * with no points, and so is every map that has none, over whatever variables. */
[[nodiscard]] bool oracle_same_map(Oracle *oracle, const Map *before, const Map *after,
    uint64_t limit, Verdict *verdict, Error *error);
/* The same relation: the same set of pairs (dimensions, results); range variables may differ. Maps
 * with runtime variables are compared for every value of them, matched by source where sources are
 * known, by position otherwise. */
[[nodiscard]] bool oracle_same_relation(Oracle *oracle, const Map *before, const Map *after,
    uint64_t limit, Verdict *verdict, Error *error);
/* Contained: every pair of the inner map is one of the outer map's; else as
 * oracle_same_relation. */
[[nodiscard]] bool oracle_contained(Oracle *oracle, const Map *inner, const Map *outer,
    uint64_t limit, Verdict *verdict, Error *error);

#endif
