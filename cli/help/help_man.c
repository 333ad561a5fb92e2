/* Manual pages in man(7): affirm-COMMAND(1). Backslashes and the hyphens of options are escaped,
 * and no line begins with a control character of roff. */
#include <ctype.h>
#include <string.h>

#include "cli/help/help.h"

static void print_roff(Text *text, const char *words, size_t length) {
  bool begins = text->length > 0 && text->bytes[text->length - 1] == '\n';
  for (size_t i = 0; i < length; i++) {
    if (begins && (words[i] == '.' || words[i] == '\'')) text_string(text, "\\&");
    if (words[i] == '\\') text_string(text, "\\e");
    else if (words[i] == '-') text_string(text, "\\-");
    else text_append(text, words + i, 1);
    begins = words[i] == '\n';
    if (begins && i + 1 < length) text_string(text, ".br\n");
  }
}

static void print_words(Text *text, const char *words) { print_roff(text, words, strlen(words)); }

static void print_option(Text *text, const Option *option) {
  text_string(text, ".TP\n\\fB\\-\\-");
  print_words(text, option->name);
  text_string(text, "\\fR");
  if (help_value_length(option) > 0) {
    text_string(text, " \\fI");
    print_roff(text, option->help, help_value_length(option));
    text_string(text, "\\fR");
  }
  text_string(text, "\n");
  print_words(text, help_sentence(option));
  text_string(text, "\n");
}

void help_print_man(Text *text, const Command *command) {
  int length = (int)help_name_length(command);
  text_string(text, ".TH AFFIRM\\-");
  for (int i = 0; i < length; i++) text_printf(text, "%c", toupper(command->usage[i]));
  text_string(text, " 1 \"\" \"affirm " AFFIRM_VERSION "\" \"affirm\"\n");
  text_printf(text, ".SH NAME\naffirm\\-%.*s \\- ", length, command->usage);
  print_roff(text, command->about, strcspn(command->about, ".?:"));
  text_string(text, "\n.SH SYNOPSIS\n.B affirm\n");
  print_words(text, command->usage);
  text_string(text, "\n.SH DESCRIPTION\n");
  print_words(text, command->about);
  text_string(text, "\n");
  if (command->notes != nullptr) {
    text_string(text, ".PP\n");
    print_words(text, command->notes);
    text_string(text, "\n");
  }
  text_string(text, ".SH OPTIONS\n");
  for (uint32_t i = 0; i < command->option_count; i++) print_option(text, &command->options[i]);
  text_string(text, ".TP\n\\fB\\-\\-color\\fR \\fIWHEN\\fR\n");
  print_words(text, strchr(help_colour, ' ') + 1);
  text_string(text, "\n.TP\n\\fB\\-\\-help\\fR\nthe options\n"
                    ".SH EXIT STATUS\n");
  text_string(text, help_statuses);
  text_string(text, ".SH SEE ALSO\n.BR affirm (1)\n");
}
