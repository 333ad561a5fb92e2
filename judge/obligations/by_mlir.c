/* MLIR as a judge of a map's pairs: the map in the simplified polyhedral form, verified, lowered
 * and run through MLIR's own pipeline. A map outside that form, or past a limit, is not asked
 * about; a form that MLIR rejects or loses is rejected. Its rows lack the column that a map without
 * variables gets. */
#include <string.h>

#include "core/adapters/mlir/load.h"
#include "judge/maps/pairs.h"

static bool find_pairs(Judge *judge, const MlirLibrary *mlir, const Obligation *obligation,
    MapPairs *found, Error *error) {
  PairsRun run;
  const MapPairs *listed = obligation->pairs;
  if (!mlir->mlir_pairs(judge->context, obligation->before, pairs_most_points, &run, error))
    return false;
  uint32_t skipped = map_variable_count(obligation->before) == 0;
  *found = (MapPairs){.variables = listed->variables, .width = listed->width, .count = run.count};
  if (run.count > 0 && run.width + skipped != listed->width)
    return error_set(error, ERROR_ENVIRONMENT, "its rows have %u columns, not %u", run.width,
        listed->width - skipped);
  found->values = ARENA_NEW(judge->context->arena, int64_t, run.count * found->width + 1);
  for (uint64_t i = 0; i < run.count; i++) {
    int64_t *row = found->values + i * found->width;
    row[0] = 0;
    if (run.width > 0) memcpy(row + skipped, run.values + i * run.width, run.width * sizeof *row);
    for (uint32_t k = found->variables; k < found->width; k++)
      row[k] = map_pairs_spoiled(listed, BY_MLIR, row[k]);
  }
  return true;
}

void judge_by_mlir(Judge *judge, const Obligation *obligation, Verdict *verdict) {
  MapPairs found;
  const MlirLibrary *mlir;
  Error error = {};
  if (!mlir_library(&mlir, &error)) verdict_decide(verdict, REASON_NOT_ASKED, "%s", error.message);
  else if (find_pairs(judge, mlir, obligation, &found, &error))
    map_pairs_compare(obligation->pairs, &found, verdict);
  else
    verdict_decide(verdict, error.kind == ERROR_ENVIRONMENT ? REASON_REJECTED : REASON_NOT_ASKED,
        "%s", error.message);
}
