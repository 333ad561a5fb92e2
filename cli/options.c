/* Parses the arguments of a command by its table of options. Options may be mixed with files; `--`
 * ends them. A value follows after a space or `=`, and is given once. Abbreviations are rejected,
 * since one that is unique today may be ambiguous tomorrow. A malformed number is rejected, not
 * read as 0. */
#include "cli/options.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/progress.h"
#include "cli/colour.h"
#include "cli/help/help.h"
#include "cli/options_check.h"
#include "cli/report/json.h"
#include "cli/session.h"
#include "core/base/nearest.h"

static Status print_help(const Command *command, HelpForm form) {
  Arena *arena = arena_create();
  Text text = text_create(arena);
  help_print(&text, command, form);
  bool is_written = session_print(text.bytes);
  arena_destroy(arena);
  return is_written ? STATUS_PROVED : STATUS_BAD;
}

static bool options_read_number(const Option *option, const char *text) {
  char *end;
  bool is_count = option->kind == OPTION_COUNT;
  errno = 0;
  long long value = strtoll(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != 0)
    return session_reject("--%s needs a number, not '%s'", option->name, text);
  if (is_count && value == 0)
    return session_reject("--%s is at least 1, not %s", option->name, text);
  int64_t most = is_count ? most_count : INT64_MAX;
  if (errno != 0) return session_reject("--%s is at most %lld", option->name, (long long)most);
  *(int64_t *)option->field = value;
  return option_fits(option->name, value, most);
}

bool option_fits(const char *name, int64_t value, int64_t most) {
  if (value > most) session_warn("--%s is at most %lld", name, (long long)most);
  return value <= most;
}

/* Rejects an empty value, which results from an unset variable of a script. */
static bool read_text(const Option *option, const char *text) {
  *(const char **)option->field = text;
  if (*text == 0) session_warn("--%s needs a word, not nothing", option->name);
  return *text != 0;
}

static bool read_choice(const Option *option, const char *text) {
  assert(option->choices != nullptr);
  Nearest nearest = nearest_begin(text, strlen(text));
  for (uint32_t i = 0; option->choices[i] != nullptr; i++) {
    nearest_try(&nearest, option->choices[i]);
    if (strcmp(option->choices[i], text) != 0) continue;
    *(uint32_t *)option->field = i;
    return true;
  }
  char choices[512] = "";
  for (uint32_t i = 0; option->choices[i] != nullptr; i++) {
    size_t used = strlen(choices);
    snprintf(choices + used, sizeof choices - used, " %s", option->choices[i]);
  }
  return session_reject("--%s is one of%s, not '%s'%s%s%s", option->name, choices, text,
      nearest.found != nullptr ? "; did you mean " : "",
      nearest.found != nullptr ? nearest.found : "", nearest.found != nullptr ? "?" : "");
}

static bool option_set(const Option *option, const char *text) {
  switch (option->kind) {
    case OPTION_FLAG:
      *(bool *)option->field = true;
      if (strcmp(option->name, "quiet") == 0) progress_silence();
      return true;
    case OPTION_TEXT:
    case OPTION_INPUT:
    case OPTION_SHELL:
    case OPTION_OUTPUT:
    case OPTION_STREAM:
    case OPTION_UPDATE:
    case OPTION_PAIR: return read_text(option, text);
    case OPTION_NUMBER:
    case OPTION_COUNT: return options_read_number(option, text);
    case OPTION_CHOICE: return read_choice(option, text);
  }
  return false;
}

/* The first option that the word abbreviates, else the nearest one. */
static const char *option_near(const Command *command, const char *word, size_t length) {
  Nearest nearest = nearest_begin(word, length);
  for (uint32_t i = 0; i < command->option_count; i++) {
    if (length > 0 && strncmp(command->options[i].name, word, length) == 0)
      return command->options[i].name;
    nearest_try(&nearest, command->options[i].name);
  }
  nearest_try(&nearest, "help");
  return nearest.found;
}

static bool option_is_unknown(const Command *command, const char *word, size_t length) {
  if (length == strlen("version") && memcmp(word, "version", length) == 0)
    return session_reject("no option --version; affirm --version prints the version");
  const char *near = option_near(command, word, length);
  if (near != nullptr)
    session_warn("no option --%.*s; did you mean --%s?", (int)length, word, near);
  else session_warn("no option --%.*s", (int)length, word);
  return false;
}

/* The arguments: options are parsed at `at`, other words are moved to the front. */
typedef struct ArgumentWords {
  int count, at;
  char **words;
  bool is_given[most_options]; /* by the option's position in the command's table */
  bool is_colour_given;
} ArgumentWords;

/* Parses --color=WHEN, which every command has. */
static bool read_colour(const char *text) {
  static const char *const names[] = {"auto", "always", "never", nullptr};
  uint32_t when = COLOUR_AUTO;
  const Option option = {"color", OPTION_CHOICE, &when, "", names};
  if (!read_choice(&option, text)) return false;
  colour_choose((ColourWhen)when);
  return true;
}

static bool option_read_colour(ArgumentWords *words, const char *value) {
  if (words->is_colour_given) return session_reject("--color is given twice");
  words->is_colour_given = true;
  if (value == nullptr && words->at < words->count) value = words->words[words->at++];
  return value != nullptr ? read_colour(value) : read_colour("");
}

static bool option_read(const Command *command, ArgumentWords *words) {
  const char *name = words->words[words->at++] + 2;
  size_t length = strcspn(name, "=");
  const char *value = name[length] == '=' ? name + length + 1 : nullptr;
  for (uint32_t i = 0; i < command->option_count; i++) {
    const Option *option = &command->options[i];
    if (strlen(option->name) != length || strncmp(option->name, name, length) != 0) continue;
    if (option->kind == OPTION_FLAG && value != nullptr)
      return session_reject("--%s takes no value", option->name);
    if (option->kind != OPTION_FLAG && value == nullptr && words->at == words->count)
      return session_reject(
          "--%s needs a value: %.*s", option->name, (int)help_value_length(option), option->help);
    if (option->kind != OPTION_FLAG && value == nullptr) value = words->words[words->at++];
    if (option->kind != OPTION_FLAG && words->is_given[i])
      return session_reject("--%s is given twice", option->name);
    words->is_given[i] = true;
    return option_set(option, value);
  }
  if (length != strlen("color") || memcmp(name, "color", length) != 0)
    return option_is_unknown(command, name, length);
  return option_read_colour(words, value);
}

/* Recognises --help, and --help-as FORM of cli/help/pages.c. */
static bool is_help(const ArgumentWords *words, HelpForm *form) {
  const char *word = words->words[words->at];
  *form = HELP_TEXT;
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return true;
  return strcmp(word, "--help-as") == 0 && words->at + 1 < words->count &&
         help_form_named(words->words[words->at + 1], form);
}

/* Rejects short options and suggests long ones: `-q` is `--quiet` in other programs. */
static bool letters_are_no_option(const Command *command, const char *word) {
  char likely[256] = "";
  for (uint32_t i = 0; i < command->option_count; i++) {
    size_t used = strlen(likely);
    if (strstr(command->options[i].name, word + 1) == command->options[i].name)
      snprintf(likely + used, sizeof likely - used, "%s--%s", used == 0 ? "" : " or ",
          command->options[i].name);
  }
  if (*likely != 0) session_warn("no option %s; did you mean %s?", word, likely);
  else session_warn("no option %s; options begin with --", word);
  return false;
}

static bool usage_print(const Command *command, int *ended) {
  fprintf(stderr, "usage: affirm %s\n", command->usage);
  *ended = STATUS_BAD;
  return false;
}

bool options_parse(const Command *command, int argc, char **argv, int *first, int *ended) {
  ArgumentWords words = {.count = argc, .at = 1, .words = argv};
  assert(command->option_count <= most_options);
  int kept = 1; /* words that are not options, moved after the command's name */
  bool has_ended = false;
  while (words.at < argc) {
    char *word = argv[words.at];
    HelpForm form;
    if (has_ended || word[0] != '-' || word[1] == 0) {
      argv[kept++] = argv[words.at++];
    } else if (strcmp(word, "--") == 0) {
      has_ended = true;
      words.at++;
    } else if (is_help(&words, &form)) {
      *ended = session_end(print_help(command, form));
      return false;
    } else if (word[1] != '-' ? !letters_are_no_option(command, word)
                              : !option_read(command, &words)) {
      return usage_print(command, ended);
    }
  }
  const OptionsGiven given = {
      .command = command, .is_given = words.is_given, .count = kept - 1, .words = argv + 1};
  if (!options_are_of_one_mode(&given) || !options_go_together(&given) ||
      !options_name_files(&given) || !options_keep_files(&given))
    return usage_print(command, ended);
  /* Moves them to the end, where callers expect them. */
  for (int i = kept; i-- > 1;) argv[argc - (kept - i)] = argv[i];
  *first = argc - (kept - 1);
  for (uint32_t i = 0; i < command->option_count; i++)
    if (strcmp(command->options[i].name, "json") == 0 && *(bool *)command->options[i].field)
      json_expect();
  assert(*first >= 1 && *first <= argc);
  return true;
}
