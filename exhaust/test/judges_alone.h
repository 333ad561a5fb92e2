/* What judges_alone_test.c asks: each function appends what the oracle says and what smt says to
 * the answers of a row. */
#ifndef EXHAUST_TEST_JUDGES_ALONE_H
#define EXHAUST_TEST_JUDGES_ALONE_H

#include "core/base/text.h"
#include "core/rules/rule.h"
#include "judge/obligations/obligation.h"

static constexpr uint64_t solver_units = 400'000;
static constexpr uint32_t rows_of_file = 16; /* of a module of the corpus */

typedef struct Alone {
  Judge *judge;
  Indexer *raw; /* without a simplifier */
  Arena *arena; /* of the row */
  const RuleSet *rules;
  const char *where;
  bool has_large; /* numbers for which the solver's units do not bound its time */
  Text oracle, smt;
  uint64_t units; /* of the solver, for the dearest question */
  uint32_t asked; /* smt is asked every third question about maps and every second about reads */
  const char *contradiction; /* of two judges; nullptr: none */
} Alone;

/* `text` is the row's input, or the path of a file. */
typedef void AloneAsk(Alone *alone, const char *text, uint32_t row);
AloneAsk ask_about_map, ask_about_pair, ask_about_algebra, ask_about_module, ask_about_file,
    ask_about_hazards, ask_about_edit, ask_about_rewrite, ask_about_program, ask_about_graphs,
    ask_about_mutant, ask_about_rule;

/* Internal. */
[[nodiscard]] Source alone_source(Alone *alone, const char *text);
[[nodiscard]] const char *alone_file(Alone *alone, const char *path);
[[nodiscard]] const Module *alone_module(Alone *alone, const char *text);
void alone_say_index(Text *text, const char *what, uint32_t rank, const int64_t *at);
/* Each number is one sign, because it may be the solver's. */
void alone_say_words(Text *text, const char *words);
void alone_say_smt(Alone *alone, const char *what, const Verdict *verdict);
/* Asks all judges of the obligation except MLIR, isl and cvc5. */
void alone_decide(Alone *alone, const char *what, const Obligation *obligation);
void alone_contradict(Alone *alone, const char *what, const char *first, const char *says,
    const char *second, const char *other);

#endif
