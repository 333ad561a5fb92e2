/* The baseline of a foreign engine's gate: the known faults. Results with known faults neither pass
 * nor fail; they are counted and listed. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/gate/gate.h"
#include "cli/report/json.h"
#include "core/base/foreign.h"

bool gate_baseline_read(Gate *gate) {
  Error error = {};
  KnownFaults *known = &gate->checker.accepted;
  known->is_baseline = true;
  if (gate->baseline == nullptr && gate->new_baseline == nullptr) return true;
  return gate->baseline == nullptr ||
         known_faults_read(gate->arena, gate->baseline, known, &error) ||
         session_fail(&error) == STATUS_PROVED;
}

void gate_baseline_add(Gate *gate, const char *scope, const EngineFaults *faults) {
  if (gate->checker.faults == nullptr) return;
  for (uint32_t i = 0; i < faults->count; i++) {
    EngineFault fault = faults->items[i];
    for (uint32_t k = 0; k < fault.kept; k++)
      snprintf(fault.witnesses[k].text, sizeof fault.witnesses[k].text, "%.100s case %" PRIu64,
          scope, fault.witnesses[k].number);
    engine_faults_add(gate->checker.faults, &fault);
  }
}

static void baseline_print(
    Text *text, bool is_json, const char *state, const char *name, uint64_t count) {
  if (is_json) {
    Json json = json_begin(text);
    json_string(&json, "fault", name);
    json_string(&json, "state", state);
    json_integer(&json, "count", (int64_t)count);
    json_end(&json);
  } else {
    text_printf(text, "%-9s %10" PRIu64 "  %s\n", state, count, name);
  }
}

/* False if the file cannot be written, or lacks names. */
static bool write_names(const Gate *gate) {
  Text text = text_create(gate->arena);
  bool is_whole = true;
  for (uint32_t i = 0; i < gate->checker.faults->count; i++) {
    const EngineFault *fault = &gate->checker.faults->items[i];
    const bool is_named = strcmp(fault->name.text, fault_unnamed) != 0;
    is_whole &= is_named;
    text_printf(&text, "%s%s  %" PRIu64 ", ", is_named ? "" : "# ", fault->name.text, fault->count);
    /* A line break in a path would begin a line of the file. */
    text_foreign(&text, fault->witnesses[0].text);
    text_string(&text, "\n");
  }
  if (!is_whole)
    session_warn("%s: incomplete: more than %u groups of faults, of which the others have no name",
        gate->new_baseline, engine_faults_most - 1);
  return session_write(gate->new_baseline, text.bytes, text.length) && is_whole;
}

/* A fault counts as vanished only after a complete run in which the engine answered questions of
 * its operation. */
static bool has_vanished(const Gate *gate, const char *name) {
  return gate->scope == nullptr && !gate_should_end(gate) &&
         fault_name_was_answered(name, engine_answered(gate->engine));
}

bool gate_baseline_end(Gate *gate) {
  KnownFaults *known = &gate->checker.accepted;
  const EngineFaults *faults = gate->checker.faults;
  if (faults == nullptr) return true;
  Text text = text_create(gate->arena);
  for (uint32_t i = 0; i < faults->count; i++) {
    bool is_known = known_faults_has(known, &faults->items[i].name);
    baseline_print(&text, gate->checker.json, is_known ? "known" : "new",
        faults->items[i].name.text, faults->items[i].count);
  }
  for (uint32_t i = 0; i < known->count; i++)
    if (!known->items[i].is_seen)
      baseline_print(&text, gate->checker.json,
          has_vanished(gate, known->items[i].name) ? "vanished" : "not seen", known->items[i].name,
          0);
  if (text.length > 0) check_print(&gate->checker, text.bytes);
  return gate->new_baseline == nullptr || write_names(gate);
}
