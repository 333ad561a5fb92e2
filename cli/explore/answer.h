/* What the explorer shows of a text, as rows of the report page: of HLO the engine's maps with the
 * enumerating judge's verdict, of maps how they are simplified, of rules what sampling finds. A
 * module with printed maps below it (`Output 0 operand 0:`) is judged by those; of two modules the
 * values are compared.
 * Keeps: nothing here proves. What enumeration does not decide is open, and a rule that no sample
 * refutes is called not proved. */
#ifndef CLI_EXPLORE_ANSWER_H
#define CLI_EXPLORE_ANSWER_H

#include "cli/report/derivation.h"

typedef struct ExploreAnswer {
  Text *text; /* where the rows go */
  Derivations derivations;
  const Source *source;
  uint32_t rows;
  bool all; /* of every instruction, not of the root alone */
} ExploreAnswer;

/* Appends HTML; an error of the text is a paragraph of class `error` with its place. */
void explore_answer(Text *text, const Source *source, bool all);

/* The kinds of text; each appends its rows. */
void explore_answer_module(ExploreAnswer *answer, const Module *module);
void explore_answer_printed(ExploreAnswer *answer, const Module *module, const Source *printed);
void explore_answer_pair(ExploreAnswer *answer, const Module *before, const Module *after);
void explore_answer_maps(ExploreAnswer *answer);
void explore_answer_rules(ExploreAnswer *answer);

/* `<details class="row CLASS" id="rN" data-verdict="VERDICT"ATTRIBUTES>` and its summary. */
void explore_row_begin(ExploreAnswer *answer, Status status, const char *verdict,
    const char *heading, const char *attributes);
void explore_row_end(ExploreAnswer *answer);
void explore_paragraph(ExploreAnswer *answer, const char *words);
void explore_error(ExploreAnswer *answer, const Error *error);

#endif
