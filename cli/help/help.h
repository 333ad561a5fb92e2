/* The help of a command in every form: the text of --help, a man page, and the completions of three
 * shells. All of them are made from the command's own table of options, so none can lack a row. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/options.h"
#include "core/base/text.h"

typedef enum HelpForm : uint8_t { HELP_TEXT, HELP_MAN, HELP_BASH, HELP_ZSH, HELP_FISH } HelpForm;

/* The form with that name: text, man, bash, zsh, fish. */
[[nodiscard]] bool help_form_named(const char *name, HelpForm *form);

void help_print_man(Text *text, const Command *command);
/* What the completion of a shell has for this command; the frame around it is in
 * pages.c. */
void help_print_bash(Text *text, const Command *command);
void help_print_zsh(Text *text, const Command *command);
void help_print_fish(Text *text, const Command *command);
void help_print(Text *text, const Command *command, HelpForm form);

/* The first word of the usage: the command's name. */
[[nodiscard]] size_t help_name_length(const Command *command);
/* Of an option that takes a value the length of the value's name, which begins its help; else 0. */
[[nodiscard]] size_t help_value_length(const Option *option);
/* The help after the value's name. */
[[nodiscard]] const char *help_sentence(const Option *option);

/* Of the option that every command has. */
static constexpr char help_colour[] =
    "WHEN: colours: auto (on a terminal, unless NO_COLOR is set), always or never";
/* Each line for itself; what is broken off stands two columns further in than its line. */
void help_wrap_lines(Text *text, const char *lines);
static constexpr size_t help_width = 100;

#endif
