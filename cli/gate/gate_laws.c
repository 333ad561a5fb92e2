/* The gate's row for the laws of arithmetic. Each law is evaluated at its grade on samples, and the
 * solver is asked about all values of a type. A law that either refutes fails. For a law that the
 * solver does not decide, only the tried values count, and the row reports their number. */
#include "cli/gate/gate.h"

#include <inttypes.h>

#include "core/base/clock.h"
#include "core/base/file.h"
#include "oracle/terms/laws_check.h"
#include "smt/smt.h"

typedef struct GateLaws {
  const char *file;
  uint64_t tried;
  uint32_t proved;
} GateLaws;

bool gate_laws_read(Gate *gate, Error *error) {
  Source *source = gate->laws == nullptr ? nullptr : ARENA_NEW(gate->arena, Source, 1);
  if (source != nullptr && !file_read(gate->arena, gate->laws, file_limit, source, error))
    return false;
  gate->law_list = law_check_read(gate->arena, source, &gate->law_count, error);
  return gate->law_list != nullptr;
}

/* The solver's limit for one type; a law that needs more is reported as not proved. */
static constexpr uint64_t rlimit_of_law = 400'000;

/* A law that cannot be evaluated is open unless the solver decides it. */
static Status law_status(const LawCheck *tried, VerdictStatus proof) {
  bool is_refuted = (!tried->holds && !tried->is_open) || proof == VERDICT_REFUTED;
  if (is_refuted) return STATUS_REFUTED;
  return tried->is_open && proof != VERDICT_PROVED ? STATUS_UNDECIDED : STATUS_PROVED;
}

static void check_law(Gate *gate, GateLaws *read, uint32_t at, GateRow *row) {
  LawCheck tried;
  const char *why;
  double start = clock_wall();
  law_check(gate->arena, gate->law_list, at, true, &tried);
  VerdictStatus proof =
      smt_law(gate->arena, tried.text, rlimit_of_law, session_is_interrupted, &why);
  read->tried += tried.tried;
  read->proved += proof == VERDICT_PROVED;
  Status status = law_status(&tried, proof);
  const char *text = "";
  if (status != STATUS_PROVED)
    text = arena_printf(gate->arena, "%s:%u: %s\n  by evaluation: %s\n  by proof: %s%s\n",
        read->file, tried.line, tried.text, tried.holds ? "holds on what was tried" : tried.why,
        proof == VERDICT_REFUTED  ? "refuted, "
        : proof == VERDICT_PROVED ? "proved"
                                  : "",
        why);
  results_add(&gate->checker.results,
      &(Result){.part = "laws",
          .name = tried.name,
          .file = read->file,
          .line = tried.line,
          .status = status,
          .text = status == STATUS_UNDECIDED ? arena_printf(gate->arena, "%s", tried.why) : text,
          .seconds = clock_wall() - start});
  gate_note(gate, row, status, tried.name, text);
}

void gate_laws(Gate *gate) {
  GateRow row = {.what = "laws"};
  GateLaws read = {.file = gate->laws == nullptr ? "core/rules/values.laws" : gate->laws};
  double start = clock_wall();
  for (uint32_t i = 0; i < gate->law_count && !gate_should_end(gate); i++) {
    gate_at(&gate->part, "laws", i, gate->law_count, "");
    check_law(gate, &read, i, &row);
  }
  row.open += gate->law_count == 0;
  row.seconds = clock_wall() - start;
  row.note = arena_printf(gate->arena,
      "at their grades: %" PRIu64 " assignments tried, %u proved for all values; left out: %s",
      read.tried, read.proved, law_check_left_out());
  gate_row(gate, row);
}
