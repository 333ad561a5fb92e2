/* affirm completions, affirm man: prints the text around the parts for each command. Each command
 * is run with the option --help-as, which prints its table in one form. */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/help/help.h"
#include "cli/session.h"

typedef struct CommandRow {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *help;
} CommandRow;
static const CommandRow rows[] = {
#define COMMAND(name, function, help) {name, function, help},
#include "cli/commands.def"
#undef COMMAND
};
static constexpr uint32_t row_count = sizeof rows / sizeof *rows;

static int print_row(const CommandRow *row, const char *form) {
  char name[32], option[] = "--help-as", value[8];
  snprintf(name, sizeof name, "%s", row->name);
  snprintf(value, sizeof value, "%s", form);
  char *arguments[] = {name, option, value, nullptr};
  return row->run(3, arguments);
}

static int print_rows(const char *form) {
  int status = STATUS_PROVED;
  for (uint32_t i = 0; i < row_count && status == STATUS_PROVED; i++)
    status = print_row(&rows[i], form);
  return status;
}

static void print_names(const char *between) {
  for (uint32_t i = 0; i < row_count; i++) printf("%s%s", i == 0 ? "" : between, rows[i].name);
}

static int print_bash(void) {
  printf(
      "# bash completion for affirm\n_affirm() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words= options=\n"
      "  if [ \"$COMP_CWORD\" = 1 ]; then\n    COMPREPLY=($(compgen -W '");
  print_names(" ");
  printf(" --help --version' -- \"$word\"))\n    return\n  fi\n  case ${COMP_WORDS[1]} in\n");
  int status = print_rows("bash");
  printf("  esac\n  if [ -n \"$words\" ]; then COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "  elif [[ $word == -* ]]; then COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
         "  else COMPREPLY=($(compgen -f -- \"$word\"))\n  fi\n}\n"
         "complete -o filenames -F _affirm affirm\n");
  return status;
}

/* A quote would end the quoted string. */
static void print_quoted(const char *words) {
  for (const char *at = words; *at != 0; at++) {
    if (*at == '\'') printf("'\\''");
    else putchar(*at);
  }
}

static int print_zsh(void) {
  printf("#compdef affirm\n_affirm() {\n  local -a commands\n  commands=(\n");
  for (uint32_t i = 0; i < row_count; i++) {
    printf("    '%s:", rows[i].name);
    print_quoted(rows[i].help);
    printf("'\n");
  }
  printf("  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
         "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n");
  int status = print_rows("zsh");
  printf("  esac\n}\n_affirm \"$@\"\n");
  return status;
}

static int print_fish(void) {
  printf("# fish completion for affirm\n");
  for (uint32_t i = 0; i < row_count; i++) {
    printf("complete -c affirm -n __fish_use_subcommand -f -a %s -d '", rows[i].name);
    print_quoted(rows[i].help);
    printf("'\n");
  }
  return print_rows("fish");
}

int cli_completions(int argc, char **argv) {
  const Command table = {.usage = "completions bash|zsh|fish",
      .about = "Prints the completion of a shell. cmake --install puts it where the shell looks.",
      .notes = "In the current shell:  source <(affirm completions bash)"};
  int first, ended;
  if (!options_parse(&table, argc, argv, &first, &ended)) return ended;
  const char *shell = argc - first == 1 ? argv[first] : "";
  if (strcmp(shell, "bash") == 0) return session_end((Status)print_bash());
  if (strcmp(shell, "zsh") == 0) return session_end((Status)print_zsh());
  if (strcmp(shell, "fish") == 0) return session_end((Status)print_fish());
  if (argc - first != 1)
    return session_end(session_usage("completions needs a shell: bash, zsh or fish"));
  return session_end(session_usage("a shell is one of bash zsh fish, not '%s'", shell));
}

static void print_main_page(void) {
  printf(".TH AFFIRM 1 \"\" \"affirm " AFFIRM_VERSION "\" \"affirm\"\n.SH NAME\n"
         "affirm \\- proves or refutes statements about HLO indexing maps\n.SH SYNOPSIS\n"
         ".B affirm\n\\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIFILE\\fR]...\n.SH COMMANDS\n");
  for (uint32_t i = 0; i < row_count; i++)
    printf(".TP\n.BR affirm\\-%s (1)\n%s\n", rows[i].name, rows[i].help);
  printf(".SH EXIT STATUS\n%s", help_statuses);
}

int cli_man(int argc, char **argv) {
  const Command table = {.usage = "man [COMMAND]",
      .about = "Prints the manual page of a command, or of affirm, for man(1) and groff.",
      .notes = "To read a page:  affirm man prove | man -l -"};
  int first, ended;
  if (!options_parse(&table, argc, argv, &first, &ended)) return ended;
  if (argc - first > 1) return session_end(session_usage("man needs one command"));
  if (argc == first) {
    print_main_page();
    return session_end(STATUS_PROVED);
  }
  for (uint32_t i = 0; i < row_count; i++)
    if (strcmp(argv[first], rows[i].name) == 0) return print_row(&rows[i], "man");
  return session_end(session_usage("no command '%s'; affirm --help lists them", argv[first]));
}
