/* The explorer's results for a text, as rows of the report page. HLO: the engine's maps with the
 * oracle's verdict. Maps: how each is simplified. Rules: what sampling finds. A module followed by
 * printed maps (`Output 0 operand 0:`) is judged by those maps. For two modules the values are
 * compared.
 * Keeps: nothing here is a proof. A question that enumeration does not decide is open, and a rule
 * that no sample refutes is called not proved. */
#ifndef CLI_EXPLORE_ANSWER_H
#define CLI_EXPLORE_ANSWER_H

#include "cli/report/derivation.h"

typedef struct ExploreAnswer {
  Text *text; /* receives the rows */
  Derivations derivations;
  const Source *source;
  uint32_t rows;
  bool all;      /* every instruction, not only the root */
  Status status; /* the worst of the rows and errors */
} ExploreAnswer;

/* Appends HTML; an error in the text becomes a paragraph of class `error` with its location. The
 * status is the worst one of the rows and errors; a text without either is open. */
Status explore_answer(Text *text, const Source *source, bool all);

/* Each appends the rows of one kind of text. */
void explore_answer_module(ExploreAnswer *answer, const Module *module);
/* `number` of the module in the text, from 1. */
void explore_answer_printed(
    ExploreAnswer *answer, const Module *module, uint32_t number, const Source *printed);
void explore_answer_pair(ExploreAnswer *answer, const Module *before, const Module *after);
void explore_answer_maps(ExploreAnswer *answer);
void explore_answer_rules(ExploreAnswer *answer);

/* Prints `<details class="row CLASS" id="rN" data-verdict="VERDICT"ATTRIBUTES>` and its summary. */
void explore_row_begin(ExploreAnswer *answer, Status status, const char *verdict,
    const char *heading, const char *attributes);
/* The row of a judged question, as in a report. */
void explore_row_print(ExploreAnswer *answer, const Judgement *judgement);
void explore_row_end(ExploreAnswer *answer);
void explore_paragraph(ExploreAnswer *answer, const char *words);
void explore_error(ExploreAnswer *answer, const Error *error);

#endif
