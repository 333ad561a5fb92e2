/* Completes a command's options, the words of a choice, and otherwise files. The text around these
 * pieces is in pages.c. */
#include <string.h>

#include "cli/help/help.h"

static void print_choices(Text *text, const Option *option, const char *between) {
  for (uint32_t i = 0; option->choices[i] != nullptr; i++)
    text_printf(text, "%s%s", i == 0 ? "" : between, option->choices[i]);
}

void help_print_bash(Text *text, const Command *command) {
  text_printf(text, "    %.*s)\n", (int)help_name_length(command), command->usage);
  text_string(text, "      case $before in\n");
  for (uint32_t i = 0; i < command->option_count; i++) {
    const Option *option = &command->options[i];
    if (option->kind != OPTION_CHOICE) continue;
    text_printf(text, "        --%s) words='", option->name);
    print_choices(text, option, " ");
    text_string(text, "' ;;\n");
  }
  text_string(text, "        --color) words='auto always never' ;;\n        *) options='");
  for (uint32_t i = 0; i < command->option_count; i++)
    text_printf(text, "--%s ", command->options[i].name);
  text_string(text, "--color --help' ;;\n      esac ;;\n");
}

/* Within '..' of zsh and fish a quote ends the string; brackets and colons are special only in
 * zsh. */
static void print_quoted(Text *text, const char *words, const char *escaped) {
  for (const char *at = words; *at != 0; at++) {
    if (*at == '\'') text_string(text, "'\\''");
    else if (strchr(escaped, *at) != nullptr) text_printf(text, "\\%c", *at);
    else text_append(text, at, 1);
  }
}

static void print_zsh_value(Text *text, const Option *option) {
  switch (option->kind) {
    case OPTION_FLAG: return;
    case OPTION_CHOICE:
      text_printf(text, ":%s:(", option->name);
      print_choices(text, option, " ");
      text_string(text, ")");
      return;
    case OPTION_NUMBER:
    case OPTION_COUNT: text_printf(text, ":%s: ", option->name); return;
    case OPTION_TEXT:
    case OPTION_INPUT:
    case OPTION_SHELL:
    case OPTION_OUTPUT:
    case OPTION_STREAM:
    case OPTION_UPDATE:
    case OPTION_PAIR: text_printf(text, ":%s:_files", option->name); return;
  }
}

void help_print_zsh(Text *text, const Command *command) {
  text_printf(
      text, "    %.*s)\n      _arguments \\\n", (int)help_name_length(command), command->usage);
  for (uint32_t i = 0; i < command->option_count; i++) {
    const Option *option = &command->options[i];
    text_printf(text, "        '--%s[", option->name);
    print_quoted(text, help_sentence(option), "[]\\");
    text_string(text, "]");
    print_zsh_value(text, option);
    text_string(text, "' \\\n");
  }
  text_string(text, "        '--color[colours]:when:(auto always never)' \\\n"
                    "        '--help[the options]' '*:file:_files' ;;\n");
}

void help_print_fish(Text *text, const Command *command) {
  int length = (int)help_name_length(command);
  text_printf(text,
      "complete -c affirm -n '__fish_seen_subcommand_from %.*s' -l color -r -f "
      "-a 'auto always never' -d colours\n",
      length, command->usage);
  for (uint32_t i = 0; i < command->option_count; i++) {
    const Option *option = &command->options[i];
    text_printf(text, "complete -c affirm -n '__fish_seen_subcommand_from %.*s' -l %s", length,
        command->usage, option->name);
    if (option->kind != OPTION_FLAG) text_string(text, " -r");
    if (option->kind == OPTION_CHOICE) {
      text_string(text, " -f -a '");
      print_choices(text, option, " ");
      text_string(text, "'");
    }
    text_string(text, " -d '");
    print_quoted(text, help_sentence(option), "\\");
    text_string(text, "'\n");
  }
}
