/* affirm audit: its options and its kinds of input. */
#ifndef CLI_AUDIT_H
#define CLI_AUDIT_H

#include "cli/report/results.h"
#include "cli/session.h"
#include "judge/maps/question.h"

typedef struct AuditCommand {
  const char *maps;    /* --maps */
  const char *pairs;   /* --pairs */
  const char *triples; /* --compose */
  bool json, quiet, exact;
  int64_t module; /* number of the module in the file, from 1; -1: the first, or the modules that
                     the text names */
  QuestionFilter filter;
  Results *results;
} AuditCommand;

/* Judges maps that were printed for the root of a module's entry. */
[[nodiscard]] Status audit_printed(const AuditCommand *command, const char *module_path);
/* Judges lines of two maps, or of three: consumer, producer, result. Prints one verdict a line, in
 * input order. */
[[nodiscard]] Status audit_lines(const AuditCommand *command);
/* Judges maps, pairs and triples written as cases. Prints one verdict for each. */
[[nodiscard]] Status audit_cases(const AuditCommand *command, const char *path);

#endif
