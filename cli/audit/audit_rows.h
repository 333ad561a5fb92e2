/* How audited operands are reported. */
#ifndef CLI_AUDIT_ROWS_H
#define CLI_AUDIT_ROWS_H

#include "cli/audit/audit.h"
#include "judge/audit/audit.h"

typedef struct AuditRows {
  const AuditCommand *command;
  Judge *judge;
  Arena *arena;
  const char *module_path;
  const char
      *maps_name; /* the same pointer where the maps stand in the module's own file, a .case */
  const Instruction *root;
  uint32_t module; /* the number of its module in the file; 0 where there is but one */
  uint64_t counts[verdict_reason_count];
  Status status;
  bool is_broken; /* the output cannot be written */
} AuditRows;

/* Counts, notes the status, prints. */
void audit_rows_add(AuditRows *rows, const PrintedBlock *block, const Audit *audit);
/* A line between the rows of two modules. */
void audit_rows_module(AuditRows *rows, const char *name);
void audit_rows_totals(AuditRows *rows, const Printed *printed);

#endif
