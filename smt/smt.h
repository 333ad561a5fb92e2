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
                       them it is UNKNOWN, "out of time" */
  bool without_solver; /* about values: what terms, intervals and a few points do not decide is
                          UNKNOWN */
  bool (*stop)(void);  /* true: the work should end, and what is open is UNKNOWN, "interrupted".
                          Looked at from another thread; may be null */
} SmtOptions;
[[nodiscard]] Smt *smt_create(const MapContext *context, const SmtOptions *options);
void smt_destroy(Smt *smt);

/* Decides whether two maps have the same domain and the same results at every point. Both maps have
 * the same number of variables of each kind. */
[[nodiscard]] bool smt_same_map(
    Smt *smt, const Map *before, const Map *after, Verdict *verdict, Error *error);
/* The same relation between dimensions and results; range variables may differ (dropped,
 * renumbered). `values`: dimensions, results, then runtime variables where they go by position. */
[[nodiscard]] bool smt_same_relation(
    Smt *smt, const Map *before, const Map *after, Verdict *verdict, Error *error);
/* Decides whether every pair of the inner map is a pair of the outer map. The values are those of
 * smt_same_relation. */
[[nodiscard]] bool smt_contained(
    Smt *smt, const Map *inner, const Map *outer, Verdict *verdict, Error *error);

/* Reasons of a verdict about reads:
 *   EXACT        proved: contains the read relation and is contained in it
 *   EXTRA        contains it, proved, and the witness is a pair too many
 *   CONTAINS     contains it, proved; whether anything is too much is open
 *   WRONG        a read that no map has, or a result or a point of the domain outside its tensor
 *   OPEN         not decided
 *   UNSUPPORTED  no semantics: of a loop or a branch, unless the maps have everything */
/* Does the union of maps denote the read relation of the operand leaf, at the instruction's own
 * (production) sizes and for all values of the runtime variables? The semantics are written here as
 * formulas, from the operation semantics. `values`: the index that the map goes from, then the one
 * it goes to.
 * A runtime variable is the value of its stated source, clamped; one without a source leaves the
 * answer UNDECIDED unless it is wrong for every value. */
[[nodiscard]] bool smt_output_to_input(Smt *smt, const Instruction *instruction,
    uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf, uint32_t map_count,
    const Map *const *maps, Verdict *verdict, Error *error);
/* The inverse relation: maps from an operand leaf to the output elements that read it. */
[[nodiscard]] bool smt_input_to_output(Smt *smt, const Instruction *instruction, uint32_t operand,
    uint32_t operand_leaf, uint32_t output_leaf, uint32_t map_count, const Map *const *maps,
    Verdict *verdict, Error *error);

/* Do two computations read the same elements: leaf `output_leaf` of the root of each, of leaf
 * `parameter_leaf` of parameter `parameter`? For all sizes of the shapes at hand, by proof. Values
 * of other parameters that offsets are read from are the same where their numbers are. `*known` is
 * false where an operation without semantics is on the way. */
[[nodiscard]] bool smt_same_reads(Smt *smt, const Computation *before, const Computation *after,
    uint32_t output_leaf, uint32_t parameter, uint32_t parameter_leaf, bool *known,
    Verdict *verdict, Error *error);

/* Do two graphs compute the same values? For each leaf of the output, for all indices and all
 * parameters, which stand for each other by number. PROVED: the same; REFUTED: the terms differ at
 * the output element in `values`, and evaluation has to confirm that the values do; UNKNOWN: the
 * operation that stopped the proof. One session for all leaves, so that proofs are shared. */
typedef struct SmtValues SmtValues;
/* KEEP: both graphs and the session. GIVE: the caller destroys it. */
[[nodiscard]] SmtValues *smt_values_create(
    Smt *smt, const Computation *before, const Computation *after, LawGrade grade);
void smt_values_destroy(SmtValues *values);
[[nodiscard]] bool smt_values_ask(SmtValues *values, uint32_t leaf, Verdict *verdict, Error *error);
/* How many pairs of operations one question may take, with a share of the solver's units and of
 * memory for each; 0: the default, without shares. What was given up for want of them is asked
 * again. */
void smt_values_limit(SmtValues *values, uint64_t steps);
/* The laws that the last answer rests on, by name; null: none. Kept in the session's arena. */
[[nodiscard]] const char *smt_values_laws(SmtValues *values);
/* Pairs of operations that all questions have taken; of null none. */
[[nodiscard]] uint64_t smt_values_steps(const SmtValues *values);
/* The last answer is UNKNOWN because a limit was reached. */
[[nodiscard]] bool smt_values_was_limited(const SmtValues *values);

/* Does a law of arithmetic, a line of core/rules/values.laws, hold for all values of its types? Of
 * integers at 32 and 64 bits, signed and not, of pred, and of floats in the format of f16, by the
 * solver's theories of bit vectors and floats with `rlimit` units each. REFUTED: `*why` has the values
 * of the first width that refutes. Laws of grade fast, of conversions, and operations without a
 * term are UNKNOWN. */
[[nodiscard]] VerdictStatus smt_law(Arena *arena, const char *line, uint64_t rlimit,
    bool (*stop)(void), const char **why);

/* Claims about operations at every size: sizes, offsets, strides and padding are unknowns; the map
 * that the operation should have denotes its read relation and stays inside the tensor. Ranks up to
 * 4. `fault` asks about a twin that is wrong by one. */
typedef struct SmtSizes {
  const char *operation;
  uint32_t rank, pattern; /* the pattern of dimensions, by number */
  bool input_to_output;
} SmtSizes;
[[nodiscard]] uint32_t smt_all_sizes_count(void);
/* The operation of a claim, without a proof; at < the count. */
[[nodiscard]] const char *smt_all_sizes_operation(uint32_t at);
[[nodiscard]] bool smt_all_sizes(
    Smt *smt, uint32_t at, bool fault, SmtSizes *claim, Verdict *verdict, Error *error);
/* The same claim as rules of the rule language, each without its name: it holds where all of them
 * are true for all values. False: `why` says what is no rule. No solver is asked. */
typedef struct SmtStatements {
  uint32_t count, capacity;
  const char **items;
  const char *why;
} SmtStatements;
[[nodiscard]] bool smt_all_sizes_statements(
    Arena *arena, uint32_t at, bool fault, SmtSizes *claim, SmtStatements *statements);

#endif
