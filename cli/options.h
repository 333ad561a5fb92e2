/* Options of a subcommand as a table: one row gives the spelling, the field, what it takes and the
 * help text. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdint.h>

typedef enum OptionKind : uint8_t {
  OPTION_FLAG,   /* bool */
  OPTION_TEXT,   /* const char * */
  OPTION_NUMBER, /* int64_t, >= 0 */
  OPTION_CHOICE, /* uint32_t: the position in `choices` */
} OptionKind;

typedef struct Option {
  const char *name; /* without -- */
  OptionKind kind;
  void *field;
  const char *help;           /* begins with the argument's name where it takes one: "N: ..." */
  const char *const *choices; /* of OPTION_CHOICE, ends in nullptr */
} Option;

typedef struct Command {
  const char *usage; /* "map FILE.hlo [OPTION]..." */
  const char *about; /* one or two sentences */
  const char *notes; /* printed under the options, or nullptr */
  uint32_t option_count;
  const Option *options;
} Command;

/* The two fields of a Command from an array of rows. */
#define OPTION_TABLE(rows) .option_count = sizeof(rows) / sizeof *(rows), .options = (rows)

/* Sets the fields, moves what is no option to argv[*first .. argc). False where the command ends
 * here, with exit status *ended: --help has been printed, or a fault said on stderr. */
[[nodiscard]] bool options_parse(
    const Command *command, int argc, char **argv, int *first, int *ended);

#endif
