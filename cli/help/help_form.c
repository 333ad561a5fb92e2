/* The forms of a help. */
#include <string.h>

#include "cli/help/help.h"

bool help_form_named(const char *name, HelpForm *form) {
  static const char *const names[] = {[HELP_TEXT] = "text",
      [HELP_MAN] = "man",
      [HELP_BASH] = "bash",
      [HELP_ZSH] = "zsh",
      [HELP_FISH] = "fish"};
  for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strcmp(name, names[i]) != 0) continue;
    *form = (HelpForm)i;
    return true;
  }
  return false;
}

void help_print(Text *text, const Command *command, HelpForm form) {
  switch (form) {
    case HELP_TEXT: help_print_text(text, command); return;
    case HELP_MAN: help_print_man(text, command); return;
    case HELP_BASH: help_print_bash(text, command); return;
    case HELP_ZSH: help_print_zsh(text, command); return;
    case HELP_FISH: help_print_fish(text, command); return;
  }
}
