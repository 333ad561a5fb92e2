/* One case at hand: what its judgements count and report. For the files of the checker alone. */
#ifndef JUDGE_EXHAUST_CASE_H
#define JUDGE_EXHAUST_CASE_H

#include "exhaust/exhaust.h"
#include "judge/maps/canonical_form.h"

static constexpr uint64_t exhaust_same_limit = 1 << 16; /* points of one map */
static constexpr uint32_t exhaust_most_put =
    64; /* different maps of one case that are remembered */

typedef struct ExhaustCase {
  Examiner *examiner;
  Source source;
  ExhaustTally tally;
  uint32_t put_count, printed_count;
  const Map *put[exhaust_most_put], *printed[exhaust_most_put];
} ExhaustCase;

void exhaust_note(ExhaustCase *run, ExhaustCount count);
/* Counts, and appends the case with these words to the report where there is one. */
[[gnu::format(printf, 3, 4)]] void exhaust_fault(
    ExhaustCase *run, ExhaustCount count, const char *format, ...);

/* Whether the case is one that goes to all judges of a map's pairs; equal maps of one case are put
 * once. In exhaust_peers.c. */
[[nodiscard]] bool exhaust_goes_to_all(const ExhaustCase *run);
void exhaust_put_to_all(ExhaustCase *run, uint32_t count, const Map *const *maps);
/* To MLIR's own form and back: the same map. */
void exhaust_round_trip(ExhaustCase *run, const Map *map);

/* A foreign engine's fault joins its group. True where it is an over-approximation that is
 * accepted, which is counted so and is no fault. */
[[nodiscard]] bool exhaust_accepts(ExhaustCase *run, const FaultName *name);

/* The same of a judgement that is not accepted, with its counterexample. */
void exhaust_report(
    ExhaustCase *run, ExhaustCount count, const Judge *judge, const Judgement *judgement);

/* Both answers to one question relate the same; in exhaust_raw.c. */
void exhaust_compare_raw(ExhaustCase *run, const Judgement *simplified, const Judgement *raw);

/* A collective asked once more, across the devices that its groups or pairs name; in
 * exhaust_devices.c. */
void exhaust_devices(ExhaustCase *run, const Question *question);

/* A map's line, and whether it reads back; equal maps of one case once. In exhaust_maps.c. */
[[nodiscard]] const char *exhaust_map_text(ExhaustCase *run, const Map *map);
void exhaust_check_text_once(ExhaustCase *run, const Map *map);

/* A map that is not canonical in this sense. In exhaust_maps.c. */
void exhaust_report_unequal(ExhaustCase *run, CanonicalProperty rest, const UnequalMaps *unequal);

/* A case of each kind: a module, in exhaust_graph.c; a map to simplify, a map for the algebra, two
 * maps, a rule, in exhaust_maps.c. */
void exhaust_graph(ExhaustCase *run);
void exhaust_map(ExhaustCase *run);
void exhaust_one_map(ExhaustCase *run);
void exhaust_two_maps(ExhaustCase *run);
/* Two modules, asked for the same values; in exhaust_graphs.c. */
void exhaust_two_graphs(ExhaustCase *run);
/* Two maps to compose; in exhaust_compose.c. */
void exhaust_composition(ExhaustCase *run);
/* `MAP ; MAP`, as `algebra` and the cases of the corpus take them; false: it was reported. */
[[nodiscard]] bool exhaust_read_two(ExhaustCase *run, const Map **first, const Map **second);
/* A question on which the engine under test failed. */
void exhaust_fault_of_engine(ExhaustCase *run, const char *place, const char *text);
/* exhaust_accepts of a map that the foreign engine gave in the place of one with the wanted
 * relation. */
[[nodiscard]] bool exhaust_accepts_map(ExhaustCase *run, const char *place, bool is_disagreement,
    const Map *wanted, const Map *answer);
void exhaust_rule(ExhaustCase *run);

/* Every operation of the algebra that takes one map, asked about this one; in exhaust_algebra.c. */
void exhaust_algebra(ExhaustCase *run, const Map *map);
/* Every question about two maps; in exhaust_pairs.c. */
void exhaust_pair(ExhaustCase *run, const Map *left, const Map *right);

#endif
