/* The queries of affirm use, as its options select them. */
#ifndef CLI_USE_H
#define CLI_USE_H

#include "cli/modules.h"
#include "cli/session.h"
#include "core/analysis/query.h"

typedef struct AnalysisQuery {
  bool json;
  bool has_tile, has_order, has_width;
  UseTile tile;   /* of the output */
  UseOrder order; /* of the output's dimensions, minor first, as threads visit them; without it the
                     output's layout is used */
  ElementType
      width; /* has the bits of an element of the operand, where they are not its own type's */
  int64_t threads; /* in a block */
  WarpAccess warp;
  const char *file, *module; /* the module's name */
  ModulePosition position;
} AnalysisQuery;

/* Appends all requested results for one question. STATUS_UNDECIDED if one could not be computed;
 * its reason is printed. */
[[nodiscard]] Status use_answer(
    Judge *judge, const AnalysisQuery *query, const Question *question, Text *text);

#endif
