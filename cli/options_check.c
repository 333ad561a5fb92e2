/* What a single option cannot tell: options that belong to another mode of the command, that
 * contradict each other or that need others, and files that one run would write twice or read and
 * write. */
#include "cli/options_check.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cli/inputs.h"
#include "cli/session.h"

/* The next word of a list that is separated by blanks, which it is moved past; length 0: none. */
static const char *list_word(const char **list, size_t *length) {
  const char *word = *list + strspn(*list, " ");
  *length = strcspn(word, " ");
  *list = word + *length;
  return word;
}

static bool list_has(const char *list, const char *word, size_t length) {
  size_t end;
  for (const char *one = list_word(&list, &end); end > 0; one = list_word(&list, &end))
    if (end == length && memcmp(one, word, length) == 0) return true;
  return false;
}

static bool option_is_given(const OptionsGiven *given, const char *name, size_t length) {
  const Command *command = given->command;
  for (uint32_t i = 0; i < command->option_count; i++)
    if (given->is_given[i] && strlen(command->options[i].name) == length &&
        memcmp(command->options[i].name, name, length) == 0)
      return true;
  return false;
}

/* The one mode that is given, "none" without one. False for two. */
static bool mode_of(const OptionsGiven *given, const char **mode, size_t *length) {
  size_t end;
  const char *flags = given->command->modes, *found = nullptr;
  *mode = "none";
  *length = strlen(*mode);
  for (const char *flag = list_word(&flags, &end); end > 0; flag = list_word(&flags, &end)) {
    if (!option_is_given(given, flag, end)) continue;
    if (found != nullptr)
      return session_reject(
          "--%.*s and --%.*s exclude each other", (int)*length, found, (int)end, flag);
    *mode = found = flag;
    *length = end;
  }
  return true;
}

bool options_are_of_one_mode(const OptionsGiven *given) {
  const Command *command = given->command;
  const char *mode;
  size_t length, end;
  if (command->modes == nullptr) return true;
  if (!mode_of(given, &mode, &length)) return false;
  for (uint32_t i = 0; i < command->use_count; i++) {
    const OptionUse *use = &command->uses[i];
    const char *options = use->options;
    if (list_has(use->modes, mode, length)) continue;
    for (const char *one = list_word(&options, &end); end > 0; one = list_word(&options, &end)) {
      if (!option_is_given(given, one, end)) continue;
      if (list_has("none", mode, length))
        session_warn("--%.*s is only for --%s", (int)end, one, use->modes);
      else session_warn("--%.*s is not for --%.*s", (int)end, one, (int)length, mode);
      return false;
    }
  }
  return true;
}

/* The first option of the list that is given; length 0: none. */
static const char *list_given(const OptionsGiven *given, const char *list, size_t *length) {
  const char *one = list_word(&list, length);
  while (*length > 0 && !option_is_given(given, one, *length)) one = list_word(&list, length);
  return one;
}

static void say_need(const char *option, size_t length, const char *others) {
  char list[256] = "";
  size_t end;
  for (const char *one = list_word(&others, &end); end > 0; one = list_word(&others, &end)) {
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s--%.*s", used > 0 ? " or " : "", (int)end, one);
  }
  session_warn("--%.*s needs %s", (int)length, option, list);
}

static bool options_have_needs(const OptionsGiven *given) {
  for (uint32_t i = 0; i < given->command->need_count; i++) {
    const OptionNeed *need = &given->command->needs[i];
    size_t length, other;
    const char *option = list_given(given, need->options, &length);
    (void)list_given(given, need->others, &other);
    if (length == 0 || other > 0) continue;
    say_need(option, length, need->others);
    return false;
  }
  return true;
}

bool options_go_together(const OptionsGiven *given) {
  const char *pairs = given->command->contrary == nullptr ? "" : given->command->contrary;
  size_t one, other;
  for (const char *word = list_word(&pairs, &one); one > 0; word = list_word(&pairs, &one)) {
    const char *second = list_word(&pairs, &other);
    if (!option_is_given(given, word, one) || !option_is_given(given, second, other)) continue;
    return session_reject(
        "--%.*s and --%.*s exclude each other", (int)one, word, (int)other, second);
  }
  return options_have_needs(given);
}

bool options_name_files(const OptionsGiven *given) {
  for (int k = 0; k < given->count && !given->command->takes_empty; k++)
    if (given->words[k][0] == 0)
      return session_reject("argument %d is empty; a file needs a name", k + 1);
  return true;
}

static bool is_written_kind(OptionKind kind) {
  return kind == OPTION_OUTPUT || kind == OPTION_STREAM || kind == OPTION_UPDATE ||
         kind == OPTION_PAIR;
}

/* The ends of the files' names; an empty one for one file. */
static const char *const *ends_of(OptionKind kind) {
  static const char *const one[] = {"", nullptr}, *const pair[] = {
                                                      ".before.hlo", ".after.hlo", nullptr};
  return kind == OPTION_PAIR ? pair : one;
}

/* Whether both options write a file, and the same one. */
static bool is_written_twice(const OptionsGiven *given, uint32_t i, uint32_t k) {
  const Option *one = &given->command->options[i], *other = &given->command->options[k];
  if (!given->is_given[i] || !given->is_given[k] || !is_written_kind(one->kind) ||
      !is_written_kind(other->kind))
    return false;
  for (const char *const *end = ends_of(one->kind); *end != nullptr; end++)
    for (const char *const *last = ends_of(other->kind); *last != nullptr; last++) {
      char path[PATH_MAX], second[PATH_MAX];
      snprintf(path, sizeof path, "%s%s", *(const char **)one->field, *end);
      snprintf(second, sizeof second, "%s%s", *(const char **)other->field, *last);
      if (input_is_same_file(path, second)) return true;
    }
  return false;
}

/* The path of an option's file, also of one that is not given and has a usual one; nullptr: none.
 */
static const char *file_of(const Option *option) { return *(const char *const *)option->field; }

static bool input_is_path(const OptionsGiven *given, const char *input, const char *path) {
  InputName *reads = given->command->reads;
  return input != nullptr && input_has(input, reads == nullptr ? input_name_is_usual : reads, path);
}

/* Copies the next word of a shell command without its quotes and backslashes. Variables and
 * substitutions are not expanded, and a longer word is cut. False at the end. */
static bool shell_word_next(const char **command, size_t room, char *word) {
  static const char breaks[] = " \t\n;&|<>()";
  const char *at = *command + strspn(*command, breaks);
  size_t length = 0;
  char quote = 0;
  *command = at;
  for (; *at != 0 && (quote != 0 || strchr(breaks, *at) == nullptr); at++) {
    bool is_quote = quote == 0 ? *at == '\'' || *at == '"' : *at == quote;
    if (is_quote) {
      quote = quote == 0 ? *at : 0;
      continue;
    }
    bool is_escape = *at == '\\' && at[1] != 0 &&
                     (quote == 0 || (quote == '"' && strchr("$`\"\\", at[1]) != nullptr));
    at += is_escape;
    if (length + 1 < room) word[length++] = *at;
  }
  word[length] = 0;
  bool is_end = at == *command;
  *command = at;
  return !is_end;
}

/* Whether a word of the shell command is the file. */
static bool shell_reads(const char *command, const char *path) {
  char file[PATH_MAX];
  while (shell_word_next(&command, sizeof file, file))
    if (input_has(file, input_name_is_none, path)) return true;
  return false;
}

static bool option_reads(const OptionsGiven *given, const Option *option, const char *path) {
  if (option->kind == OPTION_INPUT) return input_is_path(given, file_of(option), path);
  return option->kind == OPTION_SHELL && file_of(option) != nullptr &&
         shell_reads(file_of(option), path);
}

static bool usual_is_read(const OptionsGiven *given) {
  size_t length = 0;
  if (given->command->unusual != nullptr) (void)list_given(given, given->command->unusual, &length);
  return given->count == 0 && length == 0;
}

static bool path_is_read(const OptionsGiven *given, const char *path) {
  const Command *command = given->command;
  for (int k = 0; k < given->count; k++)
    if (input_is_path(given, given->words[k], path)) return true;
  for (uint32_t k = 0; k < command->option_count; k++)
    if (option_reads(given, &command->options[k], path)) return true;
  for (char *const *word = command->program; word != nullptr && *word != nullptr; word++)
    if (input_has(*word, input_name_is_none, path)) return true;
  return usual_is_read(given) && input_is_path(given, command->usual_input, path);
}

/* False, with a warning, if the option would overwrite a file that is read. */
static bool inputs_are_kept(const OptionsGiven *given, const Option *option) {
  if (!is_written_kind(option->kind) || file_of(option) == nullptr) return true;
  for (const char *const *end = ends_of(option->kind); *end != nullptr; end++) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s%s", file_of(option), *end);
    if (!path_is_read(given, path)) continue;
    return session_reject("--%s would overwrite an input: %s", option->name, path);
  }
  return true;
}

/* Rejects the name `-`: nobody wants a file of this name. */
static bool is_named(const OptionsGiven *given, uint32_t option) {
  const Option *one = &given->command->options[option];
  bool needs_name =
      one->kind == OPTION_OUTPUT || one->kind == OPTION_UPDATE || one->kind == OPTION_PAIR;
  if (!given->is_given[option] || !needs_name || strcmp(*(const char **)one->field, "-") != 0)
    return true;
  return session_reject("--%s needs a file, not '-'", one->name);
}

bool options_keep_files(const OptionsGiven *given) {
  const Option *options = given->command->options;
  for (uint32_t i = 0; i < given->command->option_count; i++) {
    if (!is_named(given, i)) return false;
    for (uint32_t k = 0; k < i; k++) {
      if (!is_written_twice(given, i, k)) continue;
      return session_reject(
          "--%s and --%s would write the same file", options[k].name, options[i].name);
    }
    if (!inputs_are_kept(given, &options[i])) return false;
  }
  return true;
}
