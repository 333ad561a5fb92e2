/* affirm gate: the checks of a pull request. Parts run one after another and print a row each:
 * passed, failed, open. A part that had nothing to run has an open row. Failures are kept; the end
 * shows the smallest counterexample of all parts and the counts by cause. */
#include "cli/gate/gate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/exhaust/exhaust.h"
#include "cli/report/json.h"
#include "cli/options.h"
#include "cli/prove/prove_example.h"
#include "cli/prove/prove_order.h"
#include "cli/session_guard.h"
#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/simplify/rule_lines.h"
#include "exhaust/exhaust_run.h"
#include "proof/store/prove_store.h"

static uint64_t gate_sum(
    const uint64_t *counts, const Status *statuses, uint32_t count, Status status) {
  uint64_t total = 0;
  for (uint32_t i = 0; i < count; i++)
    if (statuses[i] == status) total += counts[i];
  return total;
}

/* Sums the tally's cases, operands and maps as passed, failed, open and not read. */
static GateRow row_of(const CheckTally *tally) {
  Status answers[verdict_reason_count], maps[verdict_reason_count];
  for (uint32_t i = 0; i < verdict_reason_count; i++) {
    answers[i] = judge_answer_status((VerdictReason)i);
    maps[i] = same_reason_status((VerdictReason)i);
  }
  static constexpr Status cases[] = {STATUS_PROVED, STATUS_REFUTED, STATUS_UNDECIDED};
  GateRow row = {};
  uint64_t *columns[] = {[STATUS_PROVED] = &row.passed,
      [STATUS_REFUTED] = &row.failed,
      [STATUS_UNDECIDED] = &row.open};
  for (uint8_t status = STATUS_PROVED; status <= STATUS_UNDECIDED; status++)
    *columns[status] = gate_sum(tally->answers, answers, verdict_reason_count, (Status)status) +
                       gate_sum(tally->cases, cases, 3, (Status)status) +
                       gate_sum(tally->maps, maps, verdict_reason_count, (Status)status);
  row.known = tally->known;
  row.avoidable = tally->avoidable;
  row.unread = tally->bad_parts + tally->unread_maps;
  return row;
}

/* In affirm's own corpus a kind of file without any files is open, since files must have been
 * lost. */
static void run_files(Gate *gate, const char *what, const char *tail) {
  PathList paths = {}, irregular = {};
  Error error = {};
  double start = clock_wall();
  gate->checker.tally = (CheckTally){};
  if (!gate_find(gate, tail, &paths, &irregular, &error))
    gate->status = status_worse(gate->status, session_fail(&error));
  check_irregular(&gate->checker, &irregular);
  uint32_t at = 0;
  for (; at < paths.count && !gate_should_end(gate) && !gate->checker.is_broken; at++) {
    gate_at(&gate->part, "files", at, paths.count, paths.items[at]);
    check_file(&gate->checker, paths.items[at]);
  }
  GateRow row = row_of(&gate->checker.tally);
  row.what = what;
  row.seconds = clock_wall() - start;
  const bool is_left =
      session_is_interrupted() && (at < paths.count || gate->checker.tally.left_in != nullptr);
  row.open += is_left;
  row.note = arena_printf(gate->arena, "%u file%s%s", paths.count, paths.count == 1 ? "" : "s",
      is_left ? ", interrupted: the rest is open" : "");
  bool is_nothing = paths.count == 0 && gate->is_users_corpus;
  if (row.passed + row.failed + row.open + row.unread + row.known == 0 && !is_nothing) row.open++;
  gate_row(gate, row);
}

static void keep_rule(
    Gate *gate, const Rule *rule, VerdictStatus wanted, const RuleVerdict *verdict) {
  Status status = verdict->answer == wanted            ? STATUS_PROVED
                  : verdict->answer == VERDICT_UNKNOWN ? STATUS_UNDECIDED
                                                       : STATUS_REFUTED;
  results_add_rule(&gate->checker.results, wanted == VERDICT_PROVED ? "rules" : "negative examples",
      rule, status, verdict->text, verdict->milliseconds / 1000);
}

/* Reports a verdict that is not the wanted one: as a failure, or as an open question that is
 * printed at once. */
static void report_rule(
    Gate *gate, const Rule *rule, VerdictStatus wanted, const RuleVerdict *verdict, GateRow *row) {
  Text text = text_create(gate->arena);
  if (wanted == VERDICT_REFUTED) text_string(&text, "negative example of ");
  rule_verdict_print(&text, rule, verdict);
  text_printf(&text, " (%s:%u)\n", rule->file, rule->line);
  gate_note(gate, row, verdict->answer == VERDICT_UNKNOWN ? STATUS_UNDECIDED : STATUS_REFUTED,
      rule->name, text.bytes);
}

/* The guard of a negative example can never hold. If this guard is the rule's own, the rule has
 * failed. */
static void gate_empty_negative(Gate *gate, const Rule *rule, GateRow *row) {
  row->unread++;
  if (!rule->negative_is_guard) return;
  const char *why = arena_printf(
      gate->arena, "the guard of the negative example of '%s' can never hold", rule->name);
  session_warn("%s:%u: %s", rule->file, rule->line, why);
  results_add_rule(&gate->checker.results, "negative examples", rule, STATUS_BAD, why, 0);
}

/* Requires the rule to be proved, with a certificate that affirm-check accepts; requires its
 * negative example to be refuted. */
static void prove_one(Gate *gate, const Rule *rule, VerdictStatus wanted, GateRow *row) {
  ArenaMark mark = arena_mark(gate->arena);
  RuleVerdict verdict;
  Error error = {};
  const ProveOptions options = {};
  bool is_judged = wanted == VERDICT_PROVED
                       ? prove_rule_certified(gate->arena, rule, &options, &verdict, &error)
                       : prove_rule(gate->arena, rule, &options, &verdict, &error);
  if (!is_judged && wanted == VERDICT_REFUTED) {
    gate_empty_negative(gate, rule, row);
  } else if (!is_judged) {
    error_print(&error, stderr);
    results_add_rule(&gate->checker.results, "rules", rule, STATUS_BAD, error.message, 0);
    const char *text =
        arena_printf(gate->arena, "%s:%u: %s\n", rule->file, rule->line, error.message);
    gate_note(gate, row, STATUS_REFUTED, rule->name, text);
  } else {
    keep_rule(gate, rule, wanted, &verdict);
    row->passed += verdict.answer == wanted;
    if (verdict.answer != wanted) report_rule(gate, rule, wanted, &verdict, row);
  }
  arena_rewind(gate->arena, mark);
}

/* The engine's rules, or those of --rules. */
static bool rules_read(Gate *gate, Error *error) {
  if (gate->rules_file == nullptr) return rules_engine(gate->arena, &gate->rules, error);
  Source *source = ARENA_NEW(gate->arena, Source, 1);
  return file_read_text(gate->arena, gate->rules_file, file_limit, source, error) &&
         rules_parse(gate->arena, source, &gate->rules, error) &&
         rules_lines_parse(gate->arena, source, &gate->rules, error);
}

/* Requires the rule to fire on its example. */
static void try_example(Gate *gate, const Rule *rule, GateRow *row) {
  const char *line;
  if (rule->example == nullptr || rule->cannot_run != nullptr) return;
  ArenaMark mark = arena_mark(gate->arena);
  Status status = rule_example_status(gate->arena, &gate->rules, rule, false, &line);
  const char *text = line == nullptr
                         ? ""
                         : arena_printf(gate->arena, "%.*s (%s:%u)\n", (int)strcspn(line + 2, "\n"),
                               line + 2, rule->file, rule->line);
  results_add_rule(&gate->checker.results, "examples", rule, status, text, 0);
  gate_note(gate, row, status, rule->name, text);
  arena_rewind(gate->arena, mark);
}

static const char *not_run_note(void) {
  return session_is_interrupted() ? "not run: interrupted" : "not run: --fail-fast";
}

/* The row of a part of the rules. It is open if the gate ends before it, and left out if no rule
 * has what it tests. */
static void rules_row(Gate *gate, GateRow row, double start, const char *absent) {
  const bool is_empty = row.passed + row.failed + row.open + row.unread == 0,
             is_late = gate_should_end(gate);
  row.seconds = clock_wall() - start;
  row.open += is_empty && is_late;
  row.is_left_out = is_empty && !is_late;
  if (is_empty) row.note = is_late ? not_run_note() : absent;
  gate_row(gate, row);
}

static void run_rules(Gate *gate) {
  double start = clock_wall();
  RuleSet rules = gate->rules;
  GateRow proofs = {.what = "rules proved", .note = "for all values", .open = rules.count == 0};
  GateRow misses = {.what = "negative examples", .note = "refuted", .open = rules.count == 0};
  for (uint32_t i = 0; i < rules.count && !gate_should_end(gate); i++) {
    gate_at(&gate->part, "rules", i, rules.count, rules.items[i].name);
    prove_one(gate, &rules.items[i], VERDICT_PROVED, &proofs);
  }
  proofs.seconds = clock_wall() - start;
  gate_row(gate, proofs);
  start = clock_wall();
  for (uint32_t i = 0; i < rules.count && !gate_should_end(gate); i++) {
    gate_at(&gate->part, "negative examples", i, rules.count, rules.items[i].name);
    if (!rules.items[i].has_negative) continue;
    Rule miss = rule_negative(&rules.items[i]);
    prove_one(gate, &miss, VERDICT_REFUTED, &misses);
  }
  rules_row(gate, misses, start, "not run: no rule has a negative example");
  GateRow examples = {.what = "examples", .note = "the rule fires", .open = rules.count == 0};
  start = clock_wall();
  rules_note_obstacles(gate->arena, &gate->rules);
  for (uint32_t i = 0; i < rules.count && !gate_should_end(gate); i++)
    try_example(gate, &gate->rules.items[i], &examples);
  rules_row(gate, examples, start, "not run: no rule that can run has an example");
}

/* Checks that each rule decreases every map. */
static void run_orders(Gate *gate) {
  OrderTally tally = {};
  double start = clock_wall();
  Status status = prove_order_set(&(ProveOrderOptions){.quiet = true,
                                      .part = gate->checker.json ? "rules decrease" : nullptr,
                                      .results = &gate->checker.results},
      gate->arena, &gate->rules, &tally);
  uint32_t missing = tally.rules - tally.decreasing;
  gate_row(gate, (GateRow){.what = "rules decrease",
                     .note = "for every instance",
                     .passed = tally.decreasing,
                     .failed = status == STATUS_UNDECIDED ? 0 : missing,
                     .open = tally.rules == 0             ? 1
                             : status == STATUS_UNDECIDED ? missing
                                                          : 0,
                     .seconds = clock_wall() - start});
}

static const char *const verdicts[] = {"passed", "REFUTED", "UNDECIDED", "BAD INPUT"};

static void gate_print_json(Gate *gate, double seconds) {
  Text text = text_create(gate->arena);
  for (uint32_t i = 0; i < gate->table.count; i++) {
    const GateRow *row = &gate->table.items[i];
    Json json = json_begin(&text);
    json_string(&json, "part", row->what);
    json_integer(&json, "passed", (int64_t)row->passed);
    json_integer(&json, "failed", (int64_t)row->failed);
    json_integer(&json, "open", (int64_t)row->open);
    if (row->is_sample) json_string(&json, "sample", "yes");
    if (row->is_left_out) json_string(&json, "left_out", "yes");
    if (row->avoidable > 0) json_integer(&json, "avoidable", (int64_t)row->avoidable);
    if (row->refused > 0) json_integer(&json, "refused", (int64_t)row->refused);
    json_integer(&json, "not_read", (int64_t)row->unread);
    json_integer(&json, "milliseconds", (int64_t)(row->seconds * 1000));
    json_string(&json, "note", row->note == nullptr ? "" : row->note);
    json_end(&json);
  }
  const Failure *smallest = failures_smallest(&gate->failures);
  if (smallest != nullptr) {
    Json json = json_begin(&text);
    json_string(&json, "smallest", gate_explain(gate, smallest));
    json_string(&json, "stage", smallest->stage);
    json_string(&json, "cause", failures_cause(&gate->failures, smallest));
    json_integer(
        &json, "first_failure_milliseconds", (int64_t)(gate->failures.first_seconds * 1000));
    json_end(&json);
  }
  Json json = json_begin(&text);
  json_answer(&json, "verdict", verdicts[gate->status]);
  json_integer(&json, "milliseconds", (int64_t)(seconds * 1000));
  json_end(&json);
  check_print(&gate->checker, text.bytes);
}

/* A line of the gate's last lines that names a result. */
static void print_first(Text *text, const char *label, const Result *first) {
  bool is_row = strcmp(first->part, "gate") == 0;
  text_printf(
      text, "%-18s %s%s%s", label, is_row ? "" : first->part, is_row ? "" : ": ", first->name);
  if (first->file != nullptr && strcmp(first->file, first->name) != 0)
    text_printf(text, " (%s:%u)", first->file, first->line);
  text_printf(text, ": %.*s\n", (int)strcspn(first->text, "\n"), first->text);
}

/* The last lines name what decides: the first input that was not read, else the first open
 * question. */
static void print_first_undecided(Text *text, const Gate *gate) {
  const Results *results = &gate->checker.results;
  uint64_t all = 0;
  for (uint32_t i = 0; i < gate->table.count; i++) all += gate->table.items[i].open;
  if (session_is_interrupted()) return;
  if (gate->status == STATUS_BAD && results->first_bad.name != nullptr)
    print_first(text, "first not read", &results->first_bad);
  else if (all > 0 && results->first_open.name != nullptr)
    print_first(text, "first open", &results->first_open);
}

static void print_table(Gate *gate, double seconds) {
  Text text = text_create(gate->arena);
  text_printf(&text, "\n%-18s %9s %7s %7s %9s %9s\n", "gate", "passed", "failed", "open",
      "not read", "seconds");
  for (uint32_t i = 0; i < gate->table.count; i++) {
    const GateRow *row = &gate->table.items[i];
    text_printf(&text, "%-18s %9llu %7llu %7llu %9llu %9.2f  %s\n", row->what,
        (unsigned long long)row->passed, (unsigned long long)row->failed,
        (unsigned long long)row->open, (unsigned long long)row->unread, row->seconds,
        row->note == nullptr ? "" : row->note);
  }
  text_printf(&text, "%-18s %s in %.2f seconds%s\n", "verdict", verdicts[gate->status], seconds,
      session_is_interrupted() ? ", interrupted"
      : gate_should_end(gate)  ? ", ended at the first failure"
                               : "");
  print_first_undecided(&text, gate);
  const Failure *smallest = failures_smallest(&gate->failures);
  if (smallest != nullptr) failures_print(&text, &gate->failures, gate_explain(gate, smallest));
  check_print(&gate->checker, text.bytes);
}

static void begin_part(Gate *gate, uint32_t all, const char *what) {
  gate->part = (GatePart){.what = what, .number = gate->part.number + 1, .all = all};
  session_at("part %u of %u, %s", gate->part.number, all, what);
}

static void run_small_scopes(Gate *gate) { gate_exhaust(gate, true); }
static void run_scopes(Gate *gate) { gate_exhaust(gate, false); }
static void run_cases(Gate *gate) { run_files(gate, "cases", ".case"); }
static void run_modules(Gate *gate) { run_files(gate, "modules", ".hlo"); }
static void run_texts(Gate *gate) { run_files(gate, "texts", ".txt"); }
static void run_maps(Gate *gate) { run_files(gate, "maps", ".maps"); }
static void run_fuzz(Gate *gate) {
  if (gate->engine == nullptr) gate_fuzz(gate);
  else gate_fuzz_engine(gate);
}

/* The time of each fuzz target if --fuzz does not say another. */
static constexpr int64_t usual_fuzz_seconds = 2;

/* Runs the parts in the order in which they find faults soonest: by the mutants that each kills
 * first and its seconds (bench/mutation.md). */
static void run_parts(Gate *gate) {
  bool has_corpus = gate->corpus != nullptr, has_scopes = gate->exhaust_jobs > 0;
  const struct {
    const char *what;
    void (*run)(Gate *gate);
    bool is_wanted;
  } parts[] = {{"cases", run_cases, has_corpus},
      {"snapshot", gate_snapshot, gate_has_snapshot(gate)}, {"modules", run_modules, has_corpus},
      {"rules", run_rules, gate->engine == nullptr}, {"laws", gate_laws, gate->engine == nullptr},
      {"small scopes", run_small_scopes, has_scopes},
      {"rules decrease", run_orders, gate->engine == nullptr},
      {"texts", run_texts, gate->is_users_corpus}, {"maps", run_maps, gate->is_users_corpus},
      {"scopes", run_scopes, has_scopes},
      {gate->engine == nullptr ? "fuzz targets" : "random inputs", run_fuzz,
          gate->fuzz_seconds > 0}};
  uint32_t all = 0;
  for (uint32_t i = 0; i < sizeof parts / sizeof *parts; i++) all += parts[i].is_wanted;
  for (uint32_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    if (!parts[i].is_wanted) continue;
    if (gate_should_end(gate)) {
      gate_row(gate, (GateRow){.what = parts[i].what, .open = 1, .note = not_run_note()});
      continue;
    }
    begin_part(gate, all, parts[i].what);
    parts[i].run(gate);
  }
  if (gate->engine != nullptr) gate_name_unasked(gate);
  progress_clear();
}

/* Checks the arguments before any part runs. A user's corpus without files is an error. In affirm's
 * own corpus each part without files is open. */
static Status gate_check(Gate *gate) {
  static const char *const tails[] = {".hlo", ".txt", ".maps", ".case"};
  PathList files = {}, irregular = {}, outside = {};
  PathSearch search = {.directory = gate->corpus,
      .tail_count = sizeof tails / sizeof *tails,
      .tails = tails,
      .irregular = &irregular,
      .outside = &outside};
  Error error = {};
  const Scope *scope = gate->scope == nullptr ? nullptr : scope_find(gate->scope);
  if (gate->scope != nullptr && (scope == nullptr || scope->sizes[TIER_GATE].rank == 0))
    return exhaust_reject_scope(gate->scope, " in tier gate");
  if (scope != nullptr && !gate_runs_scope(gate, scope))
    return session_usage("scope %s does not apply to this engine", gate->scope);
  if (gate->engine != nullptr && (gate->rules_file != nullptr || gate->laws != nullptr))
    return session_usage(
        "%s is for affirm's own engine", gate->laws != nullptr ? "--laws" : "--rules");
  if (gate->engine == nullptr && !(gate_laws_read(gate, &error) && rules_read(gate, &error)))
    return session_fail(&error);
  if (gate->corpus == nullptr) return STATUS_PROVED;
  bool is_found = paths_find(gate->arena, &search, &files, &error);
  results_add_outside(&gate->checker.results, gate->corpus, outside.count, outside.items);
  if (outside.count > 0)
    gate_row(gate, (GateRow){.what = "links",
                       .is_left_out = true,
                       .note = arena_printf(gate->arena, "not followed: %s out of %s",
                           counted(outside.count, "link"), gate->corpus)});
  if (!is_found && !gate->is_users_corpus && access(gate->corpus, F_OK) != 0) {
    error = (Error){};
    (void)error_of_file(&error, ERROR_ENVIRONMENT, gate->corpus,
        "no such directory here; name one, or use --no-corpus");
  }
  if (is_found && files.count + irregular.count == 0 && gate->is_users_corpus)
    is_found = error_of_file(&error, ERROR_INPUT, gate->corpus,
        path_is_directory(gate->corpus) ? "no .hlo, .txt, .maps or .case file in this directory"
                                        : "no .hlo, .txt, .maps or .case file");
  return is_found ? STATUS_PROVED : session_fail(&error);
}

static Status gate_run(Gate *gate) {
  Error error = {};
  Results *results = &gate->checker.results;
  results_begin(results);
  if (!gate_baseline_read(gate) || !engine_open(&gate->engine_settings, &gate->engine))
    return results_write(results, STATUS_BAD);
  if (gate->engine != nullptr) gate->checker.faults = ARENA_NEW(gate->arena, EngineFaults, 1);
  if (gate->engine != nullptr) engine_set_stop(gate->engine, session_must_end);
  gate->checker.exactness = gate->wants_exact ? EXACTNESS_WANTED : EXACTNESS_NOTED;
  Status checked = gate_check(gate);
  if (checked != STATUS_PROVED) return results_write(results, checked);
  double start = clock_wall();
  gate->checker.judge = judge_create(
      &(JudgeOptions){.engine = gate->engine, .smt.stop = session_is_interrupted}, &error);
  if (gate->checker.judge == nullptr) return results_write(results, session_fail(&error));
  gate->failures =
      (FailureList){.arena = arena_create(), .begin = start, .is_foreign = gate->engine != nullptr};
  gate->checker.failures = &gate->failures;
  run_parts(gate);
  gate_drop_kept(gate);
  if (session_is_interrupted()) gate->status = status_worse(gate->status, STATUS_UNDECIDED);
  if (!gate_has_judged(gate)) /* a gate that asks nothing must not pass */
    gate_row(gate, (GateRow){.what = "nothing judged", .open = 1, .note = "no part was run"});
  if (gate->checker.json) gate_print_json(gate, clock_wall() - start);
  else print_table(gate, clock_wall() - start);
  if (!gate_baseline_end(gate)) gate->status = STATUS_BAD;
  judge_destroy(gate->checker.judge);
  arena_destroy(gate->failures.arena);
  return results_write(results, gate->status);
}

static const OptionNeed gate_needs[] = {
    ENGINE_NEEDS, {"exact baseline new-baseline", "engine engine-cmd"}};

/* The corpus also has the recorded answers of the engine (gate_snapshot.c). */
static bool gate_reads(const char *name, int depth) {
  return input_name_is_usual(name, depth) || (depth == 1 && strcmp(name, "answers.snapshot") == 0);
}

int cli_gate(int argc, char **argv) {
  Gate gate = {.corpus = "corpus",
      .engine_settings = engine_settings_usual,
      .fuzz_seconds = -1,
      .exhaust_jobs = 2,
      .checker = {.filter = question_filter_all, .rows_limit = 0}};
  bool verbose = false, without_corpus = false;
  const Option options[] = {
      {"verbose", OPTION_FLAG, &verbose, "also print a row for each check that passes", nullptr},
      {"exhaust", OPTION_NUMBER, &gate.exhaust_jobs,
          "JOBS: processes for the scopes of the tier gate; 0: no scopes (default 2)", nullptr},
      {"fuzz", OPTION_NUMBER, &gate.fuzz_seconds,
          "SECONDS: time of each fuzz target; 0: no fuzzing (default 2, and none if no fuzz program is beside affirm)",
          nullptr},
      {"scope", OPTION_TEXT, &gate.scope,
          "NAME: one scope instead of all of the tier gate (exhaust --list)", nullptr},
      {"no-corpus", OPTION_FLAG, &without_corpus, "use no corpus, only scopes and random inputs",
          nullptr},
      {"laws", OPTION_INPUT, &gate.laws,
          "FILE: check these laws of arithmetic instead of core/rules/values.laws", nullptr},
      {"rules", OPTION_INPUT, &gate.rules_file, "FILE: prove these rules instead of the engine's",
          nullptr},
      {"fail-fast", OPTION_FLAG, &gate.fail_fast, "stop soon after the first failure", nullptr},
      {"exact", OPTION_FLAG, &gate.wants_exact,
          "treat a foreign engine's over-approximation where affirm's own map is exact as a fault, unless the text declares it in `// over-approximation: NAME...`",
          nullptr},
      {"json", OPTION_FLAG, &gate.checker.json,
          "print one JSON object per line: failures and open questions, then a row per part",
          nullptr},
      ENGINE_OPTIONS(gate.engine_settings),
      {"baseline", OPTION_INPUT, &gate.baseline,
          "FILE: names of known faults of the engine; they are listed and do not fail the gate",
          nullptr},
      {"new-baseline", OPTION_OUTPUT, &gate.new_baseline,
          "FILE: write the names of all faults of this run", nullptr},
      RESULT_OPTIONS(gate.checker.results),
  };
  const Command table = {.usage = "gate [OPTION]... [CORPUS]",
      .about =
          "Runs the checks of a pull request: the engine's rules, the laws of arithmetic, every case and module of the corpus, every case of the gate's scopes, and each fuzz target for some seconds. --engine and --engine-cmd "
          "judge a foreign engine instead: on the corpus, on every case of the scopes, and on random inputs.",
      .notes =
          "CORPUS is a directory of .hlo, .txt, .maps and .case files (default: the directory corpus of affirm's sources); names that begin with a dot are passed over. An installation has no fuzz programs. Without --fuzz their part is then left out and decides nothing; "
          "with --fuzz it is open. A gate in which no part ran is undecided.\n"
          "A foreign engine's exact maps and over-approximations pass. Its over-approximations where affirm's own map is exact are counted, and fail with --exact. The gate is undecided if the engine rejects a random input or leaves it undefined. "
          "Random inputs that no judge decides make the gate undecided only if no other random input passed, or if no other part judged anything.",
      OPTION_TABLE(options),
      NEED_TABLE(gate_needs),
      .reads = gate_reads,
      .usual_input = "corpus",
      .unusual = "no-corpus"};
  int first, ended;
  if (!options_parse(&table, argc, argv, &first, &ended)) return ended;
  if (argc - first > 1) return session_end(session_usage("gate takes one corpus"));
  if (!option_fits("exhaust", gate.exhaust_jobs, exhaust_max_jobs)) return session_end(STATUS_BAD);
  if (gate.scope != nullptr && gate.exhaust_jobs == 0)
    return session_end(session_usage("--scope has no effect with --exhaust 0"));
  if (first < argc && without_corpus)
    return session_end(
        session_usage("--no-corpus cannot be combined with a corpus: %s", argv[first]));
  gate.is_fuzz_wanted = gate.fuzz_seconds >= 0;
  if (!gate.is_fuzz_wanted) gate.fuzz_seconds = usual_fuzz_seconds;
  gate.is_users_corpus = first < argc;
  if (first < argc) gate.corpus = argv[first];
  if (without_corpus) gate.corpus = nullptr;
  gate.checker.quiet = !verbose;
  gate.arena = arena_create();
  session_catch_signals();
  Status status = gate_run(&gate);
  engine_close(gate.engine);
  arena_destroy(gate.arena);
  return session_end(status);
}
