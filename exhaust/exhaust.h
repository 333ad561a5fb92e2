/* Judges the cases of a scope.
 *
 * Module: for both directions of every operand, the engine's simplified maps are compared with the
 * oracle's read relation, with each other's inverse, and with the raw maps, which are judged too.
 * (Both directions are compared if one is over-approximated and both are single maps without
 * runtime variables; other such pairs are counted as unmatched.)
 * The maps must be idempotent and canonical (judge/maps/canonical_form.h), and the printed text
 * must read back. Collectives are also judged across devices (judge/maps/devices.h). A sample of
 * the cases, or all of them, goes to four judges (judge/maps/pairs.h).
 *
 * Algebra: each result about a map is compared with the list of all points (exhaust_algebra.c).
 * Pairs: the verdicts about two maps are compared with such lists (exhaust_pairs.c).
 * Graphs: the verdicts about values are compared with values under assignments (exhaust_graphs.c).
 *
 * Map to simplify, with points replaced and with points kept: the simplified map equals the stated
 * one at every point. It is idempotent, canonical under operand order, no larger than the stated
 * map, and reads back. */
#ifndef EXHAUST_EXHAUST_H
#define EXHAUST_EXHAUST_H

#include "judge/algebra/algebra.h"
#include "judge/engines/engine_faults.h"
#include "judge/graphs/equiv_values.h"
#include "judge/maps/judge.h"
#include "judge/maps/operations.h"
#include "core/adapters/mlir/load.h"
#include "judge/maps/pairs.h"
#include "judge/maps/same.h"
#include "exhaust/known_maps.h"
#include "exhaust/scopes/scope.h"

typedef enum ExhaustCount : uint8_t {
#define COUNT(field, text, status, help) EXHAUST_##field,
#include "exhaust/exhaust_counts.def"
#undef COUNT
} ExhaustCount;
static constexpr uint32_t exhaust_count_count = 0
#define COUNT(field, text, status, help) +1
#include "exhaust/exhaust_counts.def"
#undef COUNT
    ;
[[nodiscard]] const char *exhaust_count_text(ExhaustCount count);
[[nodiscard]] Status exhaust_count_status(ExhaustCount count);

typedef struct ExhaustTally {
  uint64_t cases, failed, open; /* failed: cases with a fault; open: undecided cases without a
                                   fault */
  uint64_t counts[exhaust_count_count];
} ExhaustTally;
void exhaust_tally_add(ExhaustTally *all, const ExhaustTally *some);
[[nodiscard]] Status exhaust_tally_status(const ExhaustTally *tally);

/* A case that a run reports by number: it failed, is undecided, or its process ended while judging
 * it (a lost case). */
static constexpr size_t exhaust_end_capacity = 16;
typedef struct KeptCase {
  uint64_t number;
  char end[exhaust_end_capacity]; /* empty: it was judged; else how the process ended: "SIGABRT",
                                     "exit-3", "hung", "memory" */
  bool is_open;                   /* it is undecided; else it failed or was lost */
} KeptCase;
/* Compares two kept cases for qsort: failed ones before open ones, each by number. */
[[nodiscard]] int kept_case_order(const void *a, const void *b);

/* For tests: functions that replace a result before it is judged. nullptr members change
 * nothing. */
typedef struct ExhaustSpoil {
  void (*maps)(Judge *judge, const Question *question, bool is_raw, MapSet *maps);
  const Map *(*simplified)(MapContext *context, const Map *map, bool is_second);
  void (*text)(Text *printed);
  int64_t (*pair)(uint32_t judge, int64_t result); /* judge: a JudgeId, or pairs_listing */
  void (*algebra)(Judge *judge, const AlgebraQuery *query, AlgebraAnswer *answer);
  void (*same)(ObligationKind kind, Verdict *verdict);
  void (*values)(EquivValuesVerdict *verdict); /* about two graphs */
} ExhaustSpoil;

/* The default stride of a tier: every stride-th case also goes to MLIR and isl; in tier `full`
 * every case does. Never 0. */
[[nodiscard]] uint64_t exhaust_usual_stride(const ScopePlan *plan);

/* Engine and judges for many cases; their memory is rewound after each case. One per process. */
static constexpr uint32_t examiner_most_found = 16;
typedef struct Examiner {
  const ScopePlan *plan;
  Judge *judge, *raw;
  Arena *arena;
  Text text;    /* of the current case */
  Text *report; /* nullptr: faults are only counted */
  uint64_t number;
  bool is_brief;      /* only the first fault of a case is reported */
  const char *replay; /* the arguments of `affirm exhaust` that reproduce a case, up to its
                         number */
  uint64_t stride; /* case k goes to all judges of a map if k + 1 is a multiple; 0: no case does */
  const MlirLibrary *mlir;   /* nullptr: not used, or not installed */
  const ExhaustSpoil *spoil; /* nullptr: no result is replaced */
  bool simplifies_twice;     /* a foreign engine simplifies again, once its own result and once a
                          reordered map */
  KnownFaults *accepted;     /* KEEP: over-approximations of the foreign engine; nullptr: none */
  const OpcodeSet *opcodes;  /* KEEP: modules with other opcodes are left out; nullptr: none are */
  bool has_known;            /* the last judged case has faults that a baseline names */
  KnownMaps *known;          /* maps whose form needs no other check */
  ExhaustTally last;         /* tally of the last judged case */
  uint32_t found_count;      /* fault groups of the foreign engine in the last judged case, without
                                duplicates */
  FaultName found[examiner_most_found];
} Examiner;
/* rules == nullptr: the engine's own rules. GIVE: the caller destroys the examiner. */
[[nodiscard]] Examiner *examiner_create(const ScopePlan *plan, const RuleSet *rules, Error *error);
/* The same for a foreign engine. The checks of our own raw maps and second simplification are then
 * left out. KEEP: the engine; nullptr: our own engine. */
[[nodiscard]] Examiner *examiner_create_of(
    const ScopePlan *plan, const RuleSet *rules, Engine *engine, Error *error);
void examiner_destroy(Examiner *examiner);
/* From now on an over-approximation of the foreign engine where affirm's own map is exact is
 * inexact. */
void examiner_want_exact(Examiner *examiner);
/* From now on every stride-th case goes to all judges of a map; 0: none. */
void examiner_call_all(Examiner *examiner, uint64_t stride);
/* Judges case k and adds its counts to the tally. Faults are appended to the report if there is
 * one. */
Status examiner_judge(Examiner *examiner, uint64_t k, ExhaustTally *tally);
/* Judges a kept case again and appends its faults to the report. A lost case is only named
 * there. */
Status examiner_explain(Examiner *examiner, const KeptCase *kept);

#endif
