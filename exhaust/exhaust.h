/* Judges the cases of a scope. For each question about a graph, both directions of every operand:
 * the engine's simplified maps against the oracle's read
 * relation (which decides coverage and bounds), both directions against each other, the raw maps
 * likewise and both alike, simplified once more they stay as they are
 * (judge/maps/canonical_form.h), and what is printed read back; of collectives also the maps across
 * devices (judge/maps/devices.h). On a sample, or on all: the simplified maps put to four judges
 * (judge/maps/pairs.h). Of the algebra's scope: each of its answers about a map against the list of
 * all points (exhaust_algebra.c); of pairs: what the judges say of two maps (exhaust_pairs.c). A
 * map, with points replaced and with points kept: simplified and stated the same point by point, a
 * second simplification changes nothing, in another order of operands it comes out the same, and no
 * larger; printed and read back. */
#ifndef JUDGE_EXHAUST_H
#define JUDGE_EXHAUST_H

#include "judge/algebra/algebra.h"
#include "judge/engines/engine_faults.h"
#include "judge/maps/judge.h"
#include "judge/maps/operations.h"
#include "core/adapters/mlir/load.h"
#include "judge/maps/pairs.h"
#include "judge/maps/same.h"
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
  uint64_t cases, failed, open; /* failed: cases with a fault; open: without one, not decided */
  uint64_t counts[exhaust_count_count];
} ExhaustTally;
void exhaust_tally_add(ExhaustTally *all, const ExhaustTally *some);
[[nodiscard]] Status exhaust_tally_status(const ExhaustTally *tally);

/* A case that a run names: one that failed or is open, or one that was lost, its process having
 * ended in it. */
static constexpr size_t exhaust_end_capacity = 16;
typedef struct KeptCase {
  uint64_t number;
  char end[exhaust_end_capacity]; /* empty: it was judged; else what ended the process: "SIGABRT",
                                 "exit-3", "hung", "memory" */
} KeptCase;

/* For tests: what is put in the place of an answer before it is judged. Members that are nullptr
 * change nothing. */
typedef struct ExhaustSpoil {
  void (*maps)(Judge *judge, const Question *question, bool is_raw, MapSet *maps);
  const Map *(*simplified)(MapContext *context, const Map *map, bool is_second);
  void (*text)(Text *printed);
  int64_t (*pair)(uint32_t judge, int64_t result); /* a JudgeId, or pairs_listing */
  void (*algebra)(Judge *judge, const AlgebraQuery *query, AlgebraAnswer *answer);
  void (*same)(ObligationKind kind, Verdict *verdict);
} ExhaustSpoil;

/* Of a tier: every so-manyth case also goes to MLIR and isl, `full` all of them; 0 would be
 * none. */
[[nodiscard]] uint64_t exhaust_usual_stride(const ScopePlan *plan);

/* Engine and judges for many cases, rewound after each. One per process. */
static constexpr uint32_t examiner_most_found = 16;
typedef struct Examiner {
  const ScopePlan *plan;
  Judge *judge, *raw;
  Arena *arena;
  Text text;    /* of the case at hand */
  Text *report; /* nullptr: what is wrong is only counted */
  uint64_t number;
  bool is_brief;      /* of a case the first fault alone is reported */
  const char *replay; /* the words that replay a case, before its number */
  uint64_t stride; /* case k goes to all judges of a map where k + 1 is a multiple; 0: none does */
  const MlirLibrary *mlir;   /* nullptr: not asked, or not installed */
  const ExhaustSpoil *spoil; /* nullptr: nothing is spoiled */
  bool asks_twice;           /* a foreign engine's simplification once more, and in another order */
  KnownFaults *accepted;     /* KEEP: over-approximations of the foreign engine; nullptr: none */
  const OpcodeSet *opcodes;  /* KEEP: modules with other opcodes are not asked about; nullptr: all */
  bool has_known;            /* of the case judged last: it has faults of a baseline */
  ExhaustTally last;         /* of the case judged last */
  uint32_t
      found_count; /* of the case judged last: groups of the foreign engine's faults, each once */
  FaultName found[examiner_most_found];
} Examiner;
/* rules == nullptr: the engine's own. GIVE: the caller destroys it. */
[[nodiscard]] Examiner *examiner_create(const ScopePlan *plan, const RuleSet *rules, Error *error);
/* The same of a foreign engine, in whose place nothing of our own is judged: no raw maps beside it,
 * no second simplification. KEEP: the engine; nullptr: our own. */
[[nodiscard]] Examiner *examiner_create_of(
    const ScopePlan *plan, const RuleSet *rules, Engine *engine, Error *error);
void examiner_destroy(Examiner *examiner);
/* From now on every so-manyth case goes to all judges of a map; 0: none. */
void examiner_call_all(Examiner *examiner, uint64_t stride);
/* Judges case k and adds to the tally. What is wrong is appended to the report where there is
 * one. */
Status examiner_judge(Examiner *examiner, uint64_t k, ExhaustTally *tally);
/* Judges a case that was kept once more, to have it in the report; one that was lost is only named
 * there. */
Status examiner_explain(Examiner *examiner, const KeptCase *kept);

#endif
