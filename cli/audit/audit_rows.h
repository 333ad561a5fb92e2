/* Reports audited operands. */
#ifndef CLI_AUDIT_ROWS_H
#define CLI_AUDIT_ROWS_H

#include "cli/audit/audit.h"
#include "judge/audit/audit.h"

typedef struct AuditRows {
  const AuditCommand *command;
  Judge *judge;
  Arena *arena;
  const char *module_path;
  const char *maps_name; /* the same pointer if the maps are in the module's own file, a .case */
  const Instruction *root;
  uint32_t module; /* number of the module in the file; 0 if the file has only one */
  uint64_t counts[verdict_reason_count];
  uint32_t unread; /* modules that could not be read */
  Status status;
  bool is_broken; /* the output cannot be written */
} AuditRows;

/* Counts the verdict, updates the status and prints the row. */
void audit_rows_add(AuditRows *rows, const PrintedBlock *block, const Audit *audit);
/* Prints a line between the rows of two modules. */
void audit_rows_module(AuditRows *rows, const char *name);
void audit_rows_totals(AuditRows *rows, const Printed *printed);

#endif
