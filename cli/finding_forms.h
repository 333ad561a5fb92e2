/* Forms of findings. One fault of an engine causes findings with many names, since it shows at
 * different places of random maps. Each wrong answer is therefore reduced once more, as long as the
 * answer remains wrong in any way. Its form is what is left, without numbers and names. Findings of
 * one form are likely to be one fault. The form hides nothing: every finding keeps its file. */
#ifndef CLI_FINDING_FORMS_H
#define CLI_FINDING_FORMS_H

#include "core/base/text.h"

typedef struct FindingForm {
  const char *form;     /* "((v mod c) * c) mod c => c * (v mod c)" */
  const char *smallest; /* the shortest maps of this form; "" for modules */
  uint32_t count;       /* of findings */
} FindingForm;

typedef struct FindingForms {
  uint32_t count, capacity;
  FindingForm *items;
} FindingForms;

/* The form of a question `MAP` or `MAP ; MAP` and of the printed answer: the expressions of results
 * and constraints, with v for a variable and c for a constant, sorted, each once. A linear sum in
 * parentheses is one letter. Bare variables and constants are left out, so that it does not matter
 * where an expression stands. In the arena. */
[[nodiscard]] const char *finding_form_of_maps(
    Arena *arena, const char *question, const char *answer);
/* The same for a question about a module: its opcodes without parameters, for the question. */
[[nodiscard]] const char *finding_form_of_module(
    Arena *arena, const char *module, const char *answer);
/* Counts a finding. `smallest` is one line or "". New texts are copied into the arena. */
void finding_forms_add(Arena *arena, FindingForms *forms, const char *form, const char *smallest);
/* A copy that does not change when findings are added. */
[[nodiscard]] FindingForms finding_forms_copy(Arena *arena, const FindingForms *forms);
/* Prints a line with the number of forms, and up to two lines for each; a long form is cut. Prints
 * nothing if there are none. */
void finding_forms_print(Text *text, const FindingForms *forms);

#endif
