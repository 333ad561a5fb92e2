/* The current case: what its judgements count and report. Internal to the checker. */
#ifndef EXHAUST_EXHAUST_CASE_H
#define EXHAUST_EXHAUST_CASE_H

#include "exhaust/exhaust.h"
#include "judge/maps/canonical_form.h"

static constexpr uint64_t exhaust_same_limit = 1 << 16; /* points of one map */
static constexpr uint32_t exhaust_most_put = 64; /* different maps per case that are remembered */

typedef struct ExhaustCase {
  Examiner *examiner;
  Source source;
  ExhaustTally tally;
  uint32_t put_count;
  const Map *put[exhaust_most_put];
} ExhaustCase;

/* The name of a case's text in messages. */
static constexpr char exhaust_source_name[] = "case.hlo";

/* Appends the case with this message to the report, which must exist. */
void exhaust_report_fault(const Examiner *examiner, ExhaustCount count, const char *words);
void exhaust_note(ExhaustCase *run, ExhaustCount count);
/* Counts the fault, and appends the case with this message to the report if there is one. */
[[gnu::format(printf, 3, 4)]] void exhaust_fault(
    ExhaustCase *run, ExhaustCount count, const char *format, ...);

/* True if the case goes to all judges of a map's pairs. exhaust_put_to_all judges identical maps of
 * a case once. In exhaust_peers.c. */
[[nodiscard]] bool exhaust_goes_to_all(const ExhaustCase *run);
void exhaust_put_to_all(ExhaustCase *run, uint32_t count, const Map *const *maps);
/* Converts the map to MLIR's form and back; the result must be the same map. */
void exhaust_round_trip(ExhaustCase *run, const Map *map);

/* Adds a foreign engine's fault to its group. Returns true if `accepted` names it; it is then
 * counted as accepted or known and is no fault. */
[[nodiscard]] bool exhaust_accepts(ExhaustCase *run, const FaultName *name);

/* Counts a judgement that is not accepted and reports its counterexample. */
void exhaust_report(
    ExhaustCase *run, ExhaustCount count, const Judge *judge, const Judgement *judgement);

/* Checks that the simplified and the raw maps have the same relation; in exhaust_raw.c. */
void exhaust_compare_raw(ExhaustCase *run, const Judgement *simplified, const Judgement *raw);

/* Judges a collective across the devices that its groups or pairs name; in exhaust_devices.c. */
void exhaust_devices(ExhaustCase *run, const Question *question);

/* Prints a map as one line, and checks that the line reads back. In exhaust_maps.c. */
[[nodiscard]] const char *exhaust_map_text(ExhaustCase *run, const Map *map);
[[nodiscard]] bool exhaust_check_text(ExhaustCase *run, const Map *map);

/* Reports a map without the canonical property `rest`. In exhaust_maps.c. */
void exhaust_report_unequal(ExhaustCase *run, CanonicalProperty rest, const UnequalMaps *unequal);

/* Judge one case of each kind: a module (exhaust_graph.c); a map to simplify, a map for the
 * algebra, two maps, a rule (exhaust_maps.c). */
void exhaust_graph(ExhaustCase *run);
void exhaust_map(ExhaustCase *run);
void exhaust_one_map(ExhaustCase *run);
void exhaust_two_maps(ExhaustCase *run);
/* Two modules whose values are compared; in exhaust_graphs.c. */
void exhaust_two_graphs(ExhaustCase *run);
/* Two maps to compose; in exhaust_compose.c. */
void exhaust_composition(ExhaustCase *run);
/* Parses `MAP ; MAP`, the form that `algebra` and the corpus cases use. Returns false if the text
 * is rejected; the fault is then already reported. */
[[nodiscard]] bool exhaust_read_two(ExhaustCase *run, const Map **first, const Map **second);
/* Reports a question on which the engine under test failed. */
void exhaust_fault_of_engine(ExhaustCase *run, const char *operation, const char *text);
/* exhaust_accepts for a map that the foreign engine returned where `wanted` was expected. */
[[nodiscard]] bool exhaust_accepts_map(ExhaustCase *run, const char *operation,
    bool is_disagreement, const Map *wanted, const Map *answer);
void exhaust_rule(ExhaustCase *run);

/* Queries every operation of the algebra that takes one map about this map; in
 * exhaust_algebra.c. */
void exhaust_algebra(ExhaustCase *run, const Map *map);
/* Judges every question about two maps; in exhaust_pairs.c. */
void exhaust_pair(ExhaustCase *run, const Map *left, const Map *right);

#endif
