/* The text of --help, at most 100 columns wide. */
#include <string.h>

#include "cli/help/help.h"

size_t help_name_length(const Command *command) { return strcspn(command->usage, " "); }

size_t help_value_length(const Option *option) {
  const char *colon = option->kind == OPTION_FLAG ? nullptr : strchr(option->help, ':');
  return colon == nullptr ? 0 : (size_t)(colon - option->help);
}

const char *help_sentence(const Option *option) {
  size_t length = help_value_length(option);
  return length == 0 ? option->help : option->help + length + 2;
}

static void spaces(Text *text, size_t count) {
  for (size_t i = 0; i < count; i++) text_append(text, " ", 1);
}

/* Appends the words, wrapped before column `width`; continuation lines begin with `indent` spaces.
 * `column` is the current column. */
static void help_wrap(Text *text, const char *words, size_t column, size_t indent) {
  for (const char *at = words; *at != 0;) {
    size_t blanks = strspn(at, " "), length = strcspn(at + blanks, " \n");
    if (column > indent && column + blanks + length > help_width) {
      text_append(text, "\n", 1);
      spaces(text, indent);
      column = indent;
      at += blanks;
      blanks = 0;
    }
    text_append(text, at, blanks + length);
    column += blanks + length;
    at += blanks + length;
    if (*at != '\n') continue;
    text_append(text, "\n", 1);
    if (*++at != 0) spaces(text, indent);
    column = indent;
  }
}

void help_wrap_lines(Text *text, const char *lines) {
  for (const char *at = lines; *at != 0;) {
    size_t length = strcspn(at, "\n"), indent = strspn(at, " ");
    help_wrap(text, arena_text(text->arena, at, length), 0, indent + 2);
    at += length;
    if (*at != '\n') break;
    text_append(text, "\n", 1);
    at++;
  }
}

static void print_option(Text *text, const char *name, size_t value, const char *help) {
  static constexpr size_t left = 31;
  size_t begin = text->length;
  text_printf(text, "  --%s%s%.*s", name, value > 0 ? " " : "", (int)value, help);
  size_t length = text->length - begin;
  if (length >= left) {
    text_append(text, "\n", 1);
    length = 0;
  }
  spaces(text, left - length);
  help_wrap(text, value > 0 ? help + value + 2 : help, left, left);
  text_append(text, "\n", 1);
}

void help_print_text(Text *text, const Command *command) {
  text_string(text, "affirm ");
  help_wrap(text, command->usage, strlen("affirm "), 4);
  text_string(text, "\n\n");
  help_wrap(text, command->about, 0, 0);
  text_string(text, "\n\n");
  for (uint32_t i = 0; i < command->option_count; i++)
    print_option(text, command->options[i].name, help_value_length(&command->options[i]),
        command->options[i].help);
  print_option(text, "color", strlen("WHEN"), help_colour);
  print_option(text, "help", 0, "this text");
  if (command->notes == nullptr) return;
  text_string(text, "\n");
  help_wrap(text, command->notes, 0, 0);
  text_string(text, "\n");
}
