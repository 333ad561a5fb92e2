/* Hands the table to getopt_long. At most option_limit rows; a number that is no number is refused,
 * not read as 0. */
#include "cli/options.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/session.h"

static constexpr uint32_t option_limit = 32;
static constexpr int first_value = 1000;
static constexpr int help_value = 999;

static void print_help(const Command *command) {
  printf("affirm %s\n\n%s\n\n", command->usage, command->about);
  for (uint32_t i = 0; i < command->option_count; i++) {
    const Option *option = &command->options[i];
    const char *colon = option->kind == OPTION_FLAG ? nullptr : strchr(option->help, ':');
    int length = colon == nullptr ? 0 : (int)(colon - option->help);
    char left[48];
    snprintf(
        left, sizeof left, "--%s%s%.*s", option->name, length > 0 ? " " : "", length, option->help);
    printf("  %-28s %s\n", left, colon == nullptr ? option->help : colon + 2);
  }
  printf("  %-28s %s\n", "--help", "this text");
  if (command->notes != nullptr) printf("\n%s\n", command->notes);
}

static bool read_number(const Option *option, const char *text) {
  char *end;
  errno = 0;
  long long value = strtoll(text, &end, 10);
  if (errno == 0 && *text >= '0' && *text <= '9' && *end == 0) {
    *(int64_t *)option->field = value;
    return true;
  }
  session_warn("--%s wants a number, not '%s'", option->name, text);
  return false;
}

/* An empty one is what a script makes of a name that it did not set. */
static bool read_text(const Option *option, const char *text) {
  *(const char **)option->field = text;
  if (*text == 0) session_warn("--%s wants a word, not nothing", option->name);
  return *text != 0;
}

static bool read_choice(const Option *option, const char *text) {
  assert(option->choices != nullptr);
  for (uint32_t i = 0; option->choices[i] != nullptr; i++) {
    if (strcmp(option->choices[i], text) != 0) continue;
    *(uint32_t *)option->field = i;
    return true;
  }
  char choices[512] = "";
  for (uint32_t i = 0; option->choices[i] != nullptr; i++) {
    size_t used = strlen(choices);
    snprintf(choices + used, sizeof choices - used, " %s", option->choices[i]);
  }
  session_warn("--%s is one of%s, not '%s'", option->name, choices, text);
  return false;
}

static bool set(const Option *option, const char *text) {
  switch (option->kind) {
    case OPTION_FLAG: *(bool *)option->field = true; return true;
    case OPTION_TEXT: return read_text(option, text);
    case OPTION_NUMBER: return read_number(option, text);
    case OPTION_CHOICE: return read_choice(option, text);
  }
  return false;
}

bool options_parse(const Command *command, int argc, char **argv, int *first, int *ended) {
  assert(command->option_count <= option_limit);
  struct option rows[option_limit + 2] = {};
  for (uint32_t i = 0; i < command->option_count; i++)
    rows[i] = (struct option){.name = command->options[i].name,
        .val = first_value + (int)i,
        .has_arg = command->options[i].kind == OPTION_FLAG ? no_argument : required_argument};
  rows[command->option_count] = (struct option){.name = "help", .val = help_value};
  optind = 0;
  for (int value; (value = getopt_long(argc, argv, "h", rows, nullptr)) != -1;) {
    if (value == help_value || value == 'h') {
      print_help(command);
      *ended = session_end(STATUS_PROVED);
      return false;
    }
    if (value < first_value || !set(&command->options[value - first_value], optarg)) {
      fprintf(stderr, "usage: affirm %s\n", command->usage);
      *ended = STATUS_BAD;
      return false;
    }
  }
  assert(optind >= 1 && optind <= argc);
  *first = optind;
  return true;
}
