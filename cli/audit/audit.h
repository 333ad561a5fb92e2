/* affirm audit: what it was asked for, and its kinds of input. */
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
  int64_t module; /* which module of the file, from 1; 0: the first, or those that the text names */
  QuestionFilter filter;
  Results *results;
} AuditCommand;

/* Maps that were printed for the root of a module's entry. */
[[nodiscard]] Status audit_printed(const AuditCommand *command, const char *module_path);
/* Lines of two maps, or of three: consumer, producer, result. One answer a line, in order. */
[[nodiscard]] Status audit_lines(const AuditCommand *command);
/* Maps, pairs and triples written as cases, an answer each. */
[[nodiscard]] Status audit_cases(const AuditCommand *command, const char *path);

#endif
