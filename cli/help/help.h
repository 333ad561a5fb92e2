/* The help of a command in all its forms: the text of --help, a man page, and completions for three
 * shells. All are generated from the command's own table of options. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/options.h"
#include "core/base/text.h"

typedef enum HelpForm : uint8_t { HELP_TEXT, HELP_MAN, HELP_BASH, HELP_ZSH, HELP_FISH } HelpForm;

/* Finds the form by its name: text, man, bash, zsh, fish. */
[[nodiscard]] bool help_form_named(const char *name, HelpForm *form);

void help_print_text(Text *text, const Command *command);
void help_print_man(Text *text, const Command *command);
/* Prints the part of a shell's completion for this command; the part around it is in pages.c. */
void help_print_bash(Text *text, const Command *command);
void help_print_zsh(Text *text, const Command *command);
void help_print_fish(Text *text, const Command *command);
void help_print(Text *text, const Command *command, HelpForm form);

/* Length of the first word of the usage: the command's name. */
[[nodiscard]] size_t help_name_length(const Command *command);
/* For an option with a value: the length of the value's name, with which its help begins. Else
 * 0. */
[[nodiscard]] size_t help_value_length(const Option *option);
/* The help text after the value's name. */
[[nodiscard]] const char *help_sentence(const Option *option);

/* Help of the option that every command has. */
static constexpr char help_colour[] =
    "WHEN: colour messages, and verdicts at the start of a line or after a rule's name: "
    "auto (on a terminal, unless NO_COLOR is set), always or never";
/* The exit statuses of every command. */
static constexpr char help_statuses[] =
    "0 all proved, exact or stated over-approximations; 1 a counterexample,\n"
    "or judges disagree about maps or reads; 2 unknown or out of budget;\n"
    "3 bad input, usage or environment, or judges disagree about values.\n";
/* Wraps each line separately; continuation lines are indented two columns further. */
void help_wrap_lines(Text *text, const char *lines);
static constexpr size_t help_width = 100;

#endif
