/* Checks of all given options of a command together. */
#ifndef CLI_OPTIONS_CHECK_H
#define CLI_OPTIONS_CHECK_H

#include "cli/options.h"

static constexpr uint32_t most_options = 64;

typedef struct OptionsGiven {
  const Command *command;
  const bool *is_given; /* [option_count] */
  int count;            /* of the words that are not options */
  char *const *words;
} OptionsGiven;

/* False, with a warning, for two modes, and for an option that the mode would ignore: its file
 * would not be written, or its numbers not be used. */
[[nodiscard]] bool options_are_of_one_mode(const OptionsGiven *given);
/* False, with a warning, for two options that contradict each other, and for one without an option
 * that it needs. */
[[nodiscard]] bool options_go_together(const OptionsGiven *given);
/* False, with a warning, for an empty word where a file is expected, as from an unset variable of a
 * script. */
[[nodiscard]] bool options_name_files(const OptionsGiven *given);
/* False, with a warning, if two options would write one file, or an option would overwrite a file
 * that is read. */
[[nodiscard]] bool options_keep_files(const OptionsGiven *given);

#endif
