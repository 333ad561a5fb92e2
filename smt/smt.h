/* The proving judge, the only user of Z3. A verdict is PROVED, REFUTED or UNKNOWN; UNKNOWN never
 * passes. The budget of a query is Z3's rlimit; a far larger limit in seconds of processor time
 * bounds a whole question. Seeds are fixed. Plain evaluation replays every model before the verdict
 * is REFUTED. A first query checks that the hypotheses are satisfiable. */
#ifndef SMT_SMT_H
#define SMT_SMT_H

#include "core/base/law_grade.h"
#include "core/base/verdict.h"
#include "core/hlo/graph.h"
#include "core/map/map.h"

static constexpr uint32_t smt_max_values = 64;

/* In a verdict, `point` holds the values of a refutation (dims, ranges, runtimes), and `work`
 * counts the solver's resource units. The text states the point and both sides, or the reason of
 * UNKNOWN. The context's arena owns texts and witnesses. */

typedef struct Smt Smt;
typedef struct SmtOptions {
  uint64_t rlimit; /* 0: the default */
  uint32_t seed;
  uint32_t seconds; /* of processor time for one question about maps or graphs; 0: the default. Past
                       them the verdict is UNKNOWN, "out of time" */
  bool without_solver; /* about values: a question that terms, intervals and a few points do not
                          decide is UNKNOWN */
  bool (*stop)(void);  /* true: the work should end, and an open question is UNKNOWN, "interrupted".
                          Called from another thread; may be null */
} SmtOptions;
[[nodiscard]] Smt *smt_create(const MapContext *context, const SmtOptions *options);
void smt_destroy(Smt *smt);

/* Decides whether two maps have the same domain and the same results at every point. Both maps have
 * the same number of variables of each kind. */
[[nodiscard]] bool smt_same_map(
    Smt *smt, const Map *before, const Map *after, Verdict *verdict, Error *error);
/* Decides whether both maps have the same relation between dimensions and results; range variables
 * may differ (dropped, renumbered). `values`: dimensions, results, then runtime variables if they
 * are matched by position. */
[[nodiscard]] bool smt_same_relation(
    Smt *smt, const Map *before, const Map *after, Verdict *verdict, Error *error);
/* Decides whether every pair of the inner map is a pair of the outer map. The values are those of
 * smt_same_relation. */
[[nodiscard]] bool smt_contained(
    Smt *smt, const Map *inner, const Map *outer, Verdict *verdict, Error *error);

/* Reasons of a verdict about reads:
 *   EXACT        proved: the maps contain the read relation and nothing else
 *   EXTRA        proved: the maps contain the read relation; the witness is a pair too many
 *   CONTAINS     proved: the maps contain the read relation; whether they have more is open
 *   WRONG        a read that no map has, or a result or a point of the domain outside its tensor
 *   OPEN         not decided
 *   UNSUPPORTED  no semantics. Of a loop or a branch: the maps do not contain all possible reads */
/* Decides whether the union of maps denotes the read relation of the operand leaf, at the
 * instruction's own (production) sizes and for all values of the runtime variables. The semantics
 * are formulas, written from the operation semantics. `values`: the index that the map goes from,
 * then the index that it goes to.
 * A runtime variable is the value of its stated source, clamped. A runtime variable without a
 * source makes the verdict OPEN, unless the maps are wrong for every value. */
[[nodiscard]] bool smt_output_to_input(Smt *smt, const Instruction *instruction,
    uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf, uint32_t map_count,
    const Map *const *maps, Verdict *verdict, Error *error);
/* The inverse relation: maps from an operand leaf to the output elements that read it. */
[[nodiscard]] bool smt_input_to_output(Smt *smt, const Instruction *instruction, uint32_t operand,
    uint32_t operand_leaf, uint32_t output_leaf, uint32_t map_count, const Map *const *maps,
    Verdict *verdict, Error *error);

/* Decides whether two computations read the same elements: leaf `output_leaf` of the root of each,
 * of leaf `parameter_leaf` of parameter `parameter`. The proof holds at the sizes of the given
 * shapes, however large. Values of other parameters that offsets depend on are equal if their
 * parameter numbers are. `*known` is false if an operation without semantics is on the path. */
[[nodiscard]] bool smt_same_reads(Smt *smt, const Computation *before, const Computation *after,
    uint32_t output_leaf, uint32_t parameter, uint32_t parameter_leaf, bool *known,
    Verdict *verdict, Error *error);

/* Decides whether two graphs compute the same values: for each leaf of the output, for all indices
 * and all parameters, which are matched by number. PROVED: the same. REFUTED: the terms differ at
 * the output element in `values`; evaluation must confirm that the values differ. UNKNOWN: the text
 * names the operation that stopped the proof. One session serves all leaves, so that proofs are
 * shared. */
typedef struct SmtValues SmtValues;
/* KEEP: both graphs and the session. GIVE: the caller destroys it. */
[[nodiscard]] SmtValues *smt_values_create(
    Smt *smt, const Computation *before, const Computation *after, LawGrade grade);
/* For the answers of both sessions, about the same graphs, to hold together: a stateful operation
 * that one pairs has no other partner in the other. Before the first question; both are destroyed
 * after the last. */
void smt_values_share_pairs(SmtValues *values, SmtValues *with);
void smt_values_destroy(SmtValues *values);
[[nodiscard]] bool smt_values_query(
    SmtValues *values, uint32_t leaf, Verdict *verdict, Error *error);
/* Sets the number of pairs of operations that one question may use, with a proportional share of
 * the solver's units and of memory; 0: the default, without shares. A question that was given up at
 * the limit may be asked again. */
void smt_values_limit(SmtValues *values, uint64_t steps);
/* The names of the laws that the last answer uses; null: none. Owned by the session's arena. */
[[nodiscard]] const char *smt_values_laws(SmtValues *values);
/* The pairs of operations used by all questions; 0 if `values` is null. */
[[nodiscard]] uint64_t smt_values_steps(const SmtValues *values);
/* Whether the last answer is UNKNOWN because a limit was reached. */
[[nodiscard]] bool smt_values_was_limited(const SmtValues *values);

/* Decides whether a law of arithmetic, a line of core/rules/values.laws, holds for all values of
 * its types: of integers at 32 and 64 bits, signed and unsigned, of pred, and of floats in the
 * format of f16. The solver's theories of bit vectors and floats decide, with `rlimit` units each.
 * REFUTED: `*why` has the values of the first width that refutes. Laws of grade fast, of
 * conversions, and operations without a term are UNKNOWN. */
[[nodiscard]] VerdictStatus smt_law(
    Arena *arena, const char *line, uint64_t rlimit, bool (*stop)(void), const char **why);

/* Claims about operations at every size: sizes, offsets, strides and padding are unknowns. The
 * claim is that the operation's intended map denotes its read relation and stays inside the tensor.
 * Ranks are at most 4. `fault` proves instead a variant of the claim that is wrong by one. */
typedef struct SmtSizes {
  const char *operation;
  uint32_t rank, pattern; /* the pattern of dimensions, by number */
  bool input_to_output;
} SmtSizes;
[[nodiscard]] uint32_t smt_all_sizes_count(void);
/* The operation of a claim, without a proof. `at` is less than the count. */
[[nodiscard]] const char *smt_all_sizes_operation(uint32_t at);
[[nodiscard]] bool smt_all_sizes(
    Smt *smt, uint32_t at, bool fault, SmtSizes *claim, Verdict *verdict, Error *error);
/* The same claim as rules of the rule language, each without its name: the claim holds if all rules
 * are true for all values. Returns false with the reason in `why` if something is not expressible
 * as a rule. Uses no solver. */
typedef struct SmtStatements {
  uint32_t count, capacity;
  const char **items;
  const char *why;
} SmtStatements;
[[nodiscard]] bool smt_all_sizes_statements(
    Arena *arena, uint32_t at, bool fault, SmtSizes *claim, SmtStatements *statements);

#endif
