/* The gate's snapshot: answers of the engine that differ from the recorded ones. A changed answer
 * may be right: then `affirm snapshot --update` judges and records it. */
#include <unistd.h>

#include "cli/gate/gate.h"
#include "cli/session.h"
#include "cli/snapshot/snapshot_run.h"
#include "core/base/clock.h"
#include "core/base/foreign.h"

static constexpr uint32_t most_shown = 3;

static void show_rows(void *owner, const char *stream, uint64_t done, uint64_t all) {
  gate_at((GatePart *)owner, "rows", done, all, stream);
}

/* One failure for all rows, which names the first ones. */
static void report_changes(Gate *gate, const SnapshotRun *run) {
  uint64_t rows = run->changed + run->added + run->gone;
  if (rows == 0) return;
  Text text = text_create(gate->failures.arena);
  const char *corpus = shell_path(gate->arena, gate->corpus);
  text_printf(&text, "%s of the snapshot changed", counted(rows, "row"));
  for (uint32_t i = 0; i < run->changes.count && i < most_shown; i++)
    text_printf(&text, "\n  affirm snapshot --show %s:%u %s", run->changes.items[i].stream,
        run->changes.items[i].row, corpus);
  text_printf(&text,
      "\nWanted: affirm snapshot --update %s judges these answers and records them\n", corpus);
  gate_fail(gate,
      &(Failure){.stage = "snapshot", .count = rows, .size = UINT64_MAX, .text = text.bytes},
      nullptr);
}

void gate_snapshot(Gate *gate) {
  SnapshotRun run = {.arena = gate->arena, .corpus = gate->corpus};
  GateRow row = {.what = "snapshot", .note = "answers as recorded"};
  Error error = {};
  double start = clock_wall();
  if (!snapshot_run_open(&run, &error)) {
    gate->status = status_worse(gate->status, session_fail(&error));
    row.unread = 1;
  } else if (run.is_new) {
    row.open = 1;
    row.note = arena_printf(gate->arena, "nothing is recorded: affirm snapshot --update %s",
        shell_path(gate->arena, gate->corpus));
  } else {
    gate_at(&gate->part, "rows", 0, 0, "");
    snapshot_run_compare(&run, show_rows, &gate->part);
    report_changes(gate, &run);
    row.passed = run.same;
    row.failed = run.changed + run.added + run.gone;
    row.open = run.is_interrupted;
    if (run.is_interrupted) row.note = "interrupted: the other rows are open";
  }
  row.seconds = clock_wall() - start;
  snapshot_run_close(&run);
  gate_row(gate, row);
}

bool gate_has_snapshot(Gate *gate) {
  if (gate->engine != nullptr || gate->corpus == nullptr) return false;
  return !gate->is_users_corpus ||
         access(arena_printf(gate->arena, "%s/answers.snapshot", gate->corpus), F_OK) == 0;
}
