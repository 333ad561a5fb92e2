/* The enumerating judge: it computes read sets by interpreting HLO on concrete elements, and
 * decides verdicts on maps by enumeration. It is written from the operation semantics alone and
 * includes nothing of core/simplify or core/index. Where values could leave int64 it computes in
 * _BitInt(128), so that it can distinguish a rejected map from a wrong one. */
#ifndef ORACLE_ORACLE_H
#define ORACLE_ORACLE_H

#include "core/base/verdict.h"
#include "core/hlo/graph.h"
#include "core/map/map.h"

static constexpr uint32_t oracle_max_rank = 32;

/* Verdicts about graphs:
 *   REASON_EXACT      the maps denote the read set
 *   REASON_EXTRA      an over-approximation. `extra` counts the pairs too many, and the witness is
 *                     the first of them. With `extra` 0, a runtime variable's bounds contain values
 *                     that its source's element type does not have
 *   REASON_WRONG      a read is missing, or the map leaves the operand or int64
 *   REASON_CONTAINS   no read is missing; the graph states only which elements may be read, as for
 *                     a loop, or pairs are too many under values that may never occur
 *   REASON_OPEN       the map lacks an element that may be read, or is wrong under values that may
 *                     never occur: those of operations that are not evaluated, as of a reduction
 *   REASON_TOO_LARGE, REASON_UNSUPPORTED  not judged
 * `work` counts comparisons, each of one element (or of all) under one assignment of runtime
 * values. SCOPE_SAMPLE: not all assignments in the stated range were tried.
 * Verdicts about maps: REASON_EXACT; REASON_DIFFERENT with the point (dims, ranges, runtimes);
 * REASON_LEAVES_INT64 (same map), also with the point, if the evaluation of one of the maps leaves
 * int64 there; REASON_TOO_LARGE. `work` counts the points visited.
 * Texts and witnesses are in the context's arena. */

typedef struct OracleLimits {
  int64_t elements;     /* largest tensor, default 4096 */
  int64_t pairs;        /* work bound: pairs visited, default 2^26 */
  uint64_t assignments; /* of one row that are all enumerated; a row with more is sampled, at most
                           that often, and the verdict says so; 0: as `pairs` allows */
  uint32_t
      seconds; /* of processor time for the reads of one instruction, default 10: "out of time" */
} OracleLimits;

typedef struct Oracle Oracle;
[[nodiscard]] Oracle *oracle_create(const MapContext *context, const OracleLimits *limits);
void oracle_destroy(Oracle *oracle);
/* Switches the sentences of verdicts about graphs on (the default) or off. Reason, numbers and
 * witness are the same without sentences, and `text` may be empty. */
void oracle_use_words(Oracle *oracle, bool with_words);

/* Judges the union of `maps` as the output-to-input relation of one operand leaf. No maps state
 * that nothing is read. */
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

/* Compares two unions of maps for one operand leaf. They must relate the same elements under every
 * assignment of the sources of their runtime variables. REASON_EXACT: the same pairs. REASON_OPEN:
 * other pairs under values that may never occur. REASON_EXTRA:
 * `extra` pairs are in `after` only. REASON_WRONG: `missing` pairs are in `before` only. The
 * comparison does not use the reads of the operation. */
[[nodiscard]] bool oracle_same_pairs(Oracle *oracle, const Instruction *instruction,
    bool is_input_to_output, uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf,
    OracleMaps before, OracleMaps after, Verdict *verdict, Error *error);

/* The read relation as a matrix of bits: bit y of row x is set if output element x reads element y
 * of the operand leaf. Returns false if the relation depends on runtime values, is only bounded, is
 * past the limits or has no semantics here. The rows are in `arena`, which is not the oracle's
 * own. */
typedef struct OracleReads {
  int64_t outputs, elements;
  uint32_t words; /* of a row */
  uint64_t *rows;
} OracleReads;
[[nodiscard]] bool oracle_reads(Oracle *oracle, const Instruction *instruction,
    uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf, Arena *arena,
    OracleReads *reads);

/* The same map: the same variables, and at every point the same membership and the same results.
 * Enumerates at most `limit` points of the union of both bounding boxes. KNOWN EMPTY equals every
 * map without points, whatever its variables. */
[[nodiscard]] bool oracle_same_map(Oracle *oracle, const Map *before, const Map *after,
    uint64_t limit, Verdict *verdict, Error *error);
/* The same relation: the same set of pairs (dimensions, results); range variables may differ. Maps
 * with runtime variables are compared for all their values. Runtime variables are matched by source
 * where sources are known, otherwise by position. */
[[nodiscard]] bool oracle_same_relation(Oracle *oracle, const Map *before, const Map *after,
    uint64_t limit, Verdict *verdict, Error *error);
/* Contained: every pair of `inner` is a pair of `outer`; otherwise as oracle_same_relation. */
[[nodiscard]] bool oracle_contained(Oracle *oracle, const Map *inner, const Map *outer,
    uint64_t limit, Verdict *verdict, Error *error);

#endif
