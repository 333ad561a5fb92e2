/* Options of a subcommand as a table: each row gives the spelling, the field, the kind of value and
 * the help text. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdint.h>

#include "cli/inputs.h"

typedef enum OptionKind : uint8_t {
  OPTION_FLAG,   /* bool */
  OPTION_TEXT,   /* const char * */
  OPTION_INPUT,  /* const char *: the path of a file that is read; some take - */
  OPTION_SHELL,  /* const char *: a command of the shell; each word may be a file that is read */
  OPTION_OUTPUT, /* const char *: the path of a file that is written, never - */
  OPTION_STREAM, /* the same; - is standard output */
  OPTION_UPDATE, /* const char *: the path of a file that is read and extended, never - */
  OPTION_PAIR,   /* const char *: NAME of files NAME.before.hlo and NAME.after.hlo, written */
  OPTION_NUMBER, /* int64_t, >= 0; the help says what 0 means where it is no number or index */
  OPTION_COUNT,  /* int64_t, from 1 to most_count */
  OPTION_CHOICE, /* uint32_t: the position in `choices` */
} OptionKind;

static constexpr int64_t most_count = 1'000'000'000'000; /* as megabytes still below 2^63 bytes */

typedef struct Option {
  const char *name; /* without -- */
  OptionKind kind;
  void *field;
  const char *help;           /* begins with the value's name if there is a value: "N: ..." */
  const char *const *choices; /* of OPTION_CHOICE, terminated by nullptr */
} Option;

/* Options that only some modes of a command take. A mode is an option, or "none": no such option.
 */
typedef struct OptionUse {
  const char *options, *modes; /* separated by blanks, without -- */
} OptionUse;

/* Options that have no effect without one of others. */
typedef struct OptionNeed {
  const char *options, *others; /* separated by blanks, without -- */
} OptionNeed;

typedef struct Command {
  const char *usage; /* "map FILE.hlo [OPTION]..." */
  const char *about; /* one or two sentences */
  const char *notes; /* printed below the options, or nullptr */
  uint32_t option_count;
  const Option *options;
  const char *modes; /* options that exclude each other, separated by blanks; nullptr: none */
  uint32_t use_count;
  const OptionUse *uses; /* an option without a row is taken in every mode */
  const char *contrary;  /* pairs of options of which only one has an effect, separated by blanks;
                            nullptr: none */
  uint32_t need_count;
  const OptionNeed *needs;
  InputName *reads;        /* names that are read below a directory; nullptr: the usual ones */
  const char *usual_input; /* is read if no file is named; nullptr: nothing */
  const char *unusual;     /* options with which usual_input is not read, separated by blanks;
                              nullptr: none */
  char *const *program; /* words up to nullptr, each of which may be a file that is read; nullptr:
                           none */
  bool takes_empty;     /* an empty word is a value; else it would be a file without a name */
} Command;

/* Initialises the two fields of a Command from an array of rows. */
#define OPTION_TABLE(rows) .option_count = sizeof(rows) / sizeof *(rows), .options = (rows)

/* Initialises the fields of a Command whose modes take different options. */
#define MODE_TABLE(flags, rows) \
  .modes = (flags), .use_count = sizeof(rows) / sizeof *(rows), .uses = (rows)

/* Initialises the fields of a Command with options that need others. */
#define NEED_TABLE(rows) .need_count = sizeof(rows) / sizeof *(rows), .needs = (rows)

/* The grade of two commands that compare values. */
#define LAWS_OPTION(grade) \
  {"laws", OPTION_TEXT, &(grade), \
      "exact|ieee|fast|none: laws of arithmetic that may equate terms (exact). At grade ieee the sign of a zero and the payload of a NaN may differ, and what is computed from them, as 1/(x+0) or bitcast-convert(x+0), may then differ by anything.", \
      nullptr}

/* Whether the number of the option is at most this; else a warning. */
[[nodiscard]] bool option_fits(const char *name, int64_t value, int64_t most);

/* Sets the fields, and moves all words that are not options to argv[*first .. argc). False if the
 * command ends here with exit status *ended: --help was printed, or an error was reported on
 * standard error. */
[[nodiscard]] bool options_parse(
    const Command *command, int argc, char **argv, int *first, int *ended);

#endif
