/* affirm prove: prints one verdict a rule, a line each. Rules come from files, from the .rules
 * files of a directory, from standard input (-), or, without arguments or with --engine, from the
 * engine itself. Verdicts go through the proof store, unless an option needs a fresh proof. */
#include "smt/rules/prove.h"

#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/report/json.h"
#include "cli/report/results.h"
#include "cli/options.h"
#include "cli/prove/proof_files.h"
#include "cli/prove/prove_confluence.h"
#include "cli/prove/prove_confirmed.h"
#include "cli/prove/prove_coverage.h"
#include "cli/prove/prove_example.h"
#include "cli/progress.h"
#include "cli/prove/prove_ops.h"
#include "cli/prove/prove_order.h"
#include "cli/prove/prove_refuted.h"
#include "cli/prove/rule_files.h"
#include "cli/session.h"
#include "cli/session_guard.h"
#include "core/base/foreign.h"
#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/simplify/rule_lines.h"
#include "proof/store/checker.h"
#include "proof/write/certificate.h"
#include "proof/store/prove_store.h"
#include "smt/solver/store_location.h"
#include "judge/obligations/confirm_rule.h"
#include "smt/solver/second_solver.h"

typedef struct ProveCommand {
  bool json, explain, confirm, engine, ops, order, confluence, coverage, no_store, no_guard, quiet;
  const char *peaks;
  int64_t tries, maps;
  const char *smt2, *certificate, *coq, *store_path, *statements;
  bool has_lemmas; /* Affirm.v is beside the theorems */
  int64_t rlimit, seed;
  const char *path; /* of the present file; nullptr: the engine's rules, or standard input */
  Arena *arena;
  ProofFiles files;
  Store *store;
  const char *second; /* version of the second solver, with --confirm */
  uint32_t counts[3], from_store, bad;
  uint64_t passed_over; /* files of directories with other names */
  Results results;
  double milliseconds;
  int64_t second_microseconds; /* time of the second solver for the last rule */
  Status status;
} ProveCommand;

static void prove_note(ProveCommand *command, Status status) {
  session_worsen(&command->status, status);
}

static bool write_obligations(
    ProveCommand *command, const Rule *rule, const RuleVerdict *verdict, Error *error) {
  const char *base = proof_files_add(&command->files, command->smt2, rule->name, ".smt2", error);
  for (uint32_t i = 0; base != nullptr && i < verdict->obligation_count; i++) {
    const char *obligation = verdict->obligations[i],
               *path = arena_printf(command->arena, "%s.%03u.smt2", base, i + 1);
    if (!proof_files_write(&command->files, path, obligation, strlen(obligation), error))
      return false;
  }
  return base != nullptr;
}

/* Writes a theorem, named as its file, and beside it the lemmas that it requires. */
static bool write_theorem(
    ProveCommand *command, const Rule *rule, const Refutations *refutations, Error *error) {
  const char *base = proof_files_add(&command->files, command->coq,
      arena_printf(command->arena, "rule_%s", rule->name), ".v", error);
  if (base == nullptr) return false;
  const char *theorem = arena_printf(command->arena, "Require Import Affirm.\n\n%s",
      coq_write(command->arena, refutations, strrchr(base, '/') + 1));
  if (!proof_files_write(&command->files, arena_printf(command->arena, "%s.v", base), theorem,
          strlen(theorem), error))
    return false;
  if (command->has_lemmas) return true;
  command->has_lemmas = true;
  const char *lemmas = arena_printf(command->arena, "%s/Affirm.v", command->coq);
  return proof_files_write(&command->files, lemmas, coq_lemmas(), strlen(coq_lemmas()), error);
}

/* Writes the certificate and the theorem of a proved rule, if requested. */
static Certificate rule_certify(
    ProveCommand *command, const Rule *rule, const RuleVerdict *verdict, Error *error) {
  if (verdict->refutation == nullptr)
    return (Certificate){.why = "a case split over constants has none"};
  if (rule->has_declared) return (Certificate){.why = "declared letters are in no certificate"};
  const Refutations *refutations = refutations_create(command->arena, verdict->refutation);
  Certificate certificate = certificate_write(command->arena, refutations);
  if (certificate.text == nullptr) return certificate;
  Text text = text_create(command->arena);
  rule_print(&text, rule);
  const char *why = certificate_rejection(
      command->arena, text.bytes, rule->name, certificate.text, session_is_interrupted);
  if (why != nullptr) return (Certificate){.why = why};
  if (command->certificate != nullptr) {
    const char *base =
        proof_files_add(&command->files, command->certificate, rule->name, ".cert", error);
    if (base == nullptr ||
        !proof_files_write(&command->files, arena_printf(command->arena, "%s.cert", base),
            certificate.text, strlen(certificate.text), error))
      prove_note(command, session_fail(error));
  }
  if (command->coq == nullptr) return certificate;
  if (!write_theorem(command, rule, refutations, error)) prove_note(command, session_fail(error));
  return certificate;
}

/* Asks the second solver. REASON_NOT_ASKED if it is not requested, or if there is no proof. */
static VerdictReason confirm(
    ProveCommand *command, Text *text, const Rule *rule, const RuleVerdict *proof) {
  if (!command->confirm || proof->answer != VERDICT_PROVED) return REASON_NOT_ASKED;
  Verdict verdict;
  int64_t start = (int64_t)(1e6 * clock_wall());
  confirm_rule(command->arena, proof, &verdict);
  if (verdict.reason == REASON_REJECTED) {
    Error error = {};
    (void)error_set(&error, ERROR_ENVIRONMENT, "%s", verdict_text(&verdict));
    prove_note(command, session_fail(&error));
    return REASON_OPEN;
  }
  command->second_microseconds = (int64_t)(1e6 * clock_wall()) - start;
  if (verdict.reason == REASON_DIFFERENT)
    prove_print_disagreement(
        text, rule, proof->obligations[verdict.point[0]], verdict_text(&verdict));
  prove_note(command, confirmation_status(verdict.reason));
  return verdict.reason;
}

static void print_values(Text *text, const Rule *rule, const RuleValues *values) {
  Text line = text_create(text->arena);
  rule_values_print(&line, rule, values);
  text_string(text, line.bytes);
}

static void prove_print_json(ProveCommand *command, Text *text, const Rule *rule,
    const RuleVerdict *verdict, bool from_store, VerdictReason confirmation,
    const GuardSearch *guards, const char *no_certificate) {
  Json json = json_begin(text);
  json_string(&json, "rule", rule->name);
  json_string(&json, "file", command->path != nullptr ? command->path : rule->file);
  json_integer(&json, "line", rule->line);
  json_answer(&json, "verdict", prove_answer_text(verdict->answer));
  if (verdict->answer == VERDICT_PROVED) json_string(&json, "scope", verdict->scope);
  json_string(&json, "method", verdict->method);
  if (verdict->answer == VERDICT_REFUTED) {
    Text values = text_create(command->arena), reading = text_create(command->arena);
    print_values(&values, rule, &verdict->values);
    rule_reading_print(&reading, rule, &verdict->reading);
    json_string(&json, "values", values.bytes);
    json_string(&json, "sides", reading.bytes);
    Bindings at = rule_bindings(command->arena, rule, &verdict->values);
    json_at(&json, &at);
  }
  if (verdict->answer == VERDICT_UNKNOWN) json_string(&json, "why", verdict->text);
  if (verdict->missing_guard != nullptr)
    json_string(&json, "missing_guard", verdict->missing_guard);
  if (guards->count > 0) {
    Text also = text_create(command->arena);
    guard_search_print(&also, rule, guards);
    json_string(&json, "true_if_also", also.bytes);
  }
  if (verdict->note != nullptr) json_string(&json, "note", verdict->note);
  if (rule->cannot_run != nullptr) json_string(&json, "cannot_run", rule->cannot_run);
  if (no_certificate != nullptr) json_string(&json, "no_certificate", no_certificate);
  if (confirmation != REASON_NOT_ASKED) {
    json_string(&json, "second_solver", confirmation_text(confirmation));
    json_integer(&json, "second_solver_microseconds", command->second_microseconds);
  }
  if (command->explain && verdict->explanation != nullptr)
    json_string(&json, "explanation", verdict->explanation);
  json_integer(&json, "obligations", verdict->obligation_count);
  json_integer(&json, "from_store", from_store);
  json_integer(&json, "rlimit", (int64_t)verdict->rlimit_used);
  json_integer(&json, "microseconds", (int64_t)(verdict->milliseconds * 1000));
  json_end(&json);
}

static void print_line(const ProveCommand *command, Text *text, const Rule *rule,
    const RuleVerdict *verdict, bool from_store, VerdictReason confirmation) {
  rule_verdict_print(text, rule, verdict);
  if (command->engine || command->explain)
    text_printf(text, "  [%s; %.1f ms%s]", verdict->method, verdict->milliseconds,
        from_store ? ", from the store" : "");
  else if (from_store) text_string(text, "  [from the store]");
  if (confirmation != REASON_NOT_ASKED)
    text_printf(text, "  [%s]", confirmation_text(confirmation));
  text_string(text, "\n");
  if (verdict->note != nullptr) text_printf(text, "  note: %s\n", verdict->note);
  if (rule->cannot_run != nullptr)
    text_printf(text, "  note: such a rule cannot run: %s\n", rule->cannot_run);
  if (!command->explain) return;
  if (verdict->explanation != nullptr) text_string(text, verdict->explanation);
  for (uint32_t i = 0; i < verdict->obligation_count; i++)
    text_printf(text, "  the solver was asked:\n%s", verdict->obligations[i]);
}

/* Stops using a store after its first failure: later verdicts are proved anew, which is
 * reported. */
static void leave_store(ProveCommand *command, const Error *trouble) {
  if (!session_is_interrupted()) {
    error_print(trouble, stderr);
    session_warn("continuing without the proof store; no verdict is lost");
  }
  store_close(command->store);
  command->store = nullptr;
}

static void keep_result(ProveCommand *command, const char *part, const Rule *rule, Status status,
    const char *text, const RuleVerdict *verdict) {
  results_add_rule(&command->results, part, rule, status, text, verdict->milliseconds / 1000);
}

/* The values, the text of the rule, and the command that repeats the proof. Of a proved rule, what
 * is open: the requested certificate or the second solver's answer. */
static const char *result_text(const ProveCommand *command, const Rule *rule,
    const RuleVerdict *verdict, const char *no_certificate, VerdictReason confirmation) {
  if (verdict->answer == VERDICT_PROVED && no_certificate != nullptr)
    return arena_printf(command->arena, "no certificate: %s", no_certificate);
  if (verdict->answer == VERDICT_PROVED)
    return confirmation_status(confirmation) == STATUS_PROVED ? ""
                                                              : confirmation_text(confirmation);
  Text text = text_create(command->arena);
  text_printf(&text, "%s\n", verdict->text);
  rule_print(&text, rule);
  text_printf(&text, "replay: affirm prove %s", shell_path(command->arena, rule->file));
  return text.bytes;
}

/* Records a rule that cannot be read, or whose guard never holds; the others are still proved. */
static void keep_error(ProveCommand *command, const Error *error) {
  command->bad++;
  prove_note(command, session_fail(error));
  results_add(&command->results,
      &(Result){.part = "rules",
          .name = error->line == 0 ? "file" : arena_printf(command->arena, "line %u", error->line),
          .file = arena_text(command->arena, error->name, strlen(error->name)),
          .line = error->line,
          .status = STATUS_BAD,
          .text = arena_text(command->arena, error->message, strlen(error->message))});
}

static bool prove_one(ProveCommand *command, const Source *source, const Rule *rule) {
  ProveOptions options = {.rlimit = (uint64_t)command->rlimit,
      .seed = (uint32_t)command->seed,
      .stop = session_is_interrupted,
      .source = source,
      .want_explanation = command->explain,
      .want_refutation =
          command->certificate != nullptr || command->coq != nullptr || command->explain,
      .want_obligations = command->explain || command->confirm || command->smt2 != nullptr};
  RuleVerdict verdict;
  Error error = {};
  StoreUse use;
  session_at("rule %s", rule->name);
  if (!prove_rule_stored(command->store, command->arena, rule, &options, &verdict, &use, &error)) {
    keep_error(command, &error);
    return true;
  }
  command->counts[verdict.answer]++;
  command->from_store += use.from_store;
  if (use.trouble.kind != ERROR_NONE) leave_store(command, &use.trouble);
  command->milliseconds += verdict.milliseconds;
  prove_note(command, prove_answer_status(verdict.answer));
  Certificate certificate = {};
  if (options.want_refutation && verdict.answer == VERDICT_PROVED)
    certificate = rule_certify(command, rule, &verdict, &error);
  bool lacks_certificate = certificate.text == nullptr && certificate.why != nullptr,
       is_wanted = command->certificate != nullptr || command->coq != nullptr;
  Status certified = lacks_certificate && is_wanted ? STATUS_UNDECIDED : STATUS_PROVED;
  prove_note(command, certified);
  if (command->smt2 != nullptr && !write_obligations(command, rule, &verdict, &error))
    prove_note(command, session_fail(&error));
  Text text = text_create(command->arena), dispute = text_create(command->arena);
  GuardSearch guards = {};
  if (verdict.answer == VERDICT_REFUTED && !command->no_guard)
    guard_search(command->arena, rule, &verdict.values,
        &(ProveOptions){.rlimit = (uint64_t)command->rlimit, .stop = session_is_interrupted},
        &guards);
  VerdictReason confirmation = confirm(command, &dispute, rule, &verdict);
  if (command->json)
    prove_print_json(command, &text, rule, &verdict, use.from_store, confirmation, &guards,
        lacks_certificate ? certificate.why : nullptr);
  else print_line(command, &text, rule, &verdict, use.from_store, confirmation);
  if (!command->json && verdict.answer == VERDICT_REFUTED)
    prove_print_refuted(&text, rule, &verdict, &guards);
  if (!command->json && options.want_refutation && verdict.answer == VERDICT_PROVED) {
    if (lacks_certificate) text_printf(&text, "  no certificate: %s\n", certificate.why);
    else
      text_printf(&text, "  certificate: %u of %u clauses, at most %u at a time, %s\n%s",
          certificate.figures.after, certificate.figures.before, certificate.figures.most,
          counted(certificate.figures.lines, "line"), command->explain ? certificate.text : "");
  }
  keep_result(command, "rules", rule,
      status_worse(certified,
          status_worse(prove_answer_status(verdict.answer), confirmation_status(confirmation))),
      result_text(command, rule, &verdict, certified == STATUS_PROVED ? nullptr : certificate.why,
          confirmation),
      &verdict);
  bool is_shown = !command->quiet || lacks_certificate || verdict.answer != VERDICT_PROVED ||
                  confirmation_status(confirmation) != STATUS_PROVED;
  if (command->json) fputs(dispute.bytes, stderr);
  else text_string(&text, dispute.bytes);
  return !is_shown || session_print(text.bytes);
}

/* A negative example whose guard can never hold. If this guard is the rule's own, prove_one has
 * said so of the rule. */
static void keep_empty_negative(ProveCommand *command, const Source *source, const Rule *rule) {
  Error error = {};
  prove_note(command, STATUS_BAD);
  if (!rule->negative_is_guard) return;
  (void)error_at(&error, ERROR_INPUT, source, rule->offset, 4,
      "the guard of the negative example of '%s' can never hold", rule->name);
  prove_note(command, session_fail(&error));
  keep_result(command, "negative examples", rule, STATUS_BAD,
      arena_text(command->arena, error.message, strlen(error.message)), &(RuleVerdict){});
}

/* Requires the rule's stated negative example to be refuted; prints nothing if it is. */
static bool hold_negative(ProveCommand *command, const Source *source, const Rule *rule) {
  if (!rule->has_negative) return true;
  Rule miss = rule_negative(rule);
  ProveOptions options = {.rlimit = (uint64_t)command->rlimit,
      .seed = (uint32_t)command->seed,
      .stop = session_is_interrupted,
      .source = source};
  RuleVerdict verdict;
  Error error = {};
  if (!prove_rule(command->arena, &miss, &options, &verdict, &error)) {
    keep_empty_negative(command, source, rule);
    return true;
  }
  command->milliseconds += verdict.milliseconds;
  keep_result(command, "negative examples", rule,
      verdict.answer == VERDICT_REFUTED  ? STATUS_PROVED
      : verdict.answer == VERDICT_PROVED ? STATUS_REFUTED
                                         : STATUS_UNDECIDED,
      "must be refuted, and is not", &verdict);
  if (verdict.answer == VERDICT_REFUTED) return true;
  prove_note(command, verdict.answer == VERDICT_PROVED ? STATUS_REFUTED : STATUS_UNDECIDED);
  return session_print(example_fault(command->arena, rule, command->json, true, verdict.answer));
}

/* Requires the rule to fire on its example; prints nothing if it does. */
static bool hold_example(ProveCommand *command, const RuleSet *rules, const Rule *rule) {
  if (rule->example == nullptr || rule->cannot_run != nullptr) return true;
  const char *line;
  Status status = rule_example_status(command->arena, rules, rule, command->json, &line);
  keep_result(command, "examples", rule, status, "the rule must fire on its example, and does not",
      &(RuleVerdict){});
  prove_note(command, status);
  return line == nullptr || session_print(line);
}

/* A rule with a line that does not parse is reported, and not judged. */
static bool prove_with_lines(
    ProveCommand *command, const Source *source, const RuleSet *rules, const Rule *rule) {
  Error error = {};
  if (rule_lines_parse(command->arena, source, rule, &error))
    return prove_one(command, source, rule) && hold_negative(command, source, rule) &&
           hold_example(command, rules, rule);
  keep_error(command, &error);
  return true;
}

static bool prove_set(ProveCommand *command, const Source *source, const RuleSet *rules) {
  bool goes_on = true;
  Progress progress = progress_begin("rules", rules->count, !command->quiet);
  for (uint32_t i = 0; i < rules->count && goes_on && !session_is_interrupted(); i++) {
    ArenaMark mark = arena_mark(command->arena);
    progress_at(&progress, i, rules->items[i].name);
    goes_on = prove_with_lines(command, source, rules, &rules->items[i]);
    arena_rewind(command->arena, mark);
  }
  progress_clear();
  if (session_is_interrupted()) prove_note(command, STATUS_UNDECIDED);
  return goes_on;
}

static bool prove_file(ProveCommand *command, const char *path) {
  Source source;
  RuleSet rules = {};
  RuleFaults faults = {};
  Error error = {};
  if (!file_read_text(command->arena, path, file_limit, &source, &error)) {
    keep_error(command, &error);
    return true;
  }
  command->path = strcmp(path, "-") == 0 ? nullptr : path;
  rules_parse_statements(command->arena, &source, &rules, &faults);
  rules_note_obstacles(command->arena, &rules);
  for (uint32_t i = 0; i < faults.count; i++) keep_error(command, &faults.items[i]);
  if (rules.count + faults.count == 0) prove_note(command, session_usage("%s: no rules", path));
  return prove_set(command, &source, &rules);
}

/* Proves a file, or the files of a directory. */
static bool prove_path(ProveCommand *command, const char *path) {
  PathList found = {};
  Error error = {};
  bool goes_on = true;
  if (!rule_files_find(command->arena, path, &found, &command->passed_over, &error)) {
    keep_error(command, &error);
    return true;
  }
  Progress progress = progress_begin("files", found.count, !command->quiet && found.count > 1);
  for (uint32_t i = 0; i < found.count && goes_on && !session_is_interrupted(); i++) {
    progress_at(&progress, i, found.items[i]);
    goes_on = prove_file(command, found.items[i]);
  }
  progress_clear();
  return goes_on;
}

/* Parses each source on its own, so that errors have their location. */
static bool prove_engine(ProveCommand *command) {
  RuleSet rules = {};
  Error error = {};
  bool goes_on = true;
  for (uint32_t i = 0; i < rules_engine_source_count() && goes_on; i++) {
    Source source = rules_engine_source(i);
    RuleSet part = rules;
    if (!rules_parse(command->arena, &source, &part, &error)) {
      prove_note(command, session_fail(&error));
      return true;
    }
    const RuleSet fresh = {.count = part.count - rules.count, .items = part.items + rules.count};
    goes_on = prove_set(command, &source, &fresh);
    rules = part;
  }
  return goes_on;
}

static void print_summary(const ProveCommand *command) {
  session_flush();
  uint32_t total = command->counts[VERDICT_PROVED] + command->counts[VERDICT_REFUTED] +
                   command->counts[VERDICT_UNKNOWN];
  if (command->quiet || command->json || total + command->bad + command->passed_over < 2) return;
  fprintf(stderr,
      "%s%s: %u proved, %u refuted, %u unknown, %u not judged; %u from the store; %.2f s%s\n",
      session_is_interrupted() ? "interrupted; so far " : "", counted(total + command->bad, "rule"),
      command->counts[VERDICT_PROVED], command->counts[VERDICT_REFUTED],
      command->counts[VERDICT_UNKNOWN], command->bad, command->from_store,
      command->milliseconds / 1000, rule_files_passed_over(command->arena, command->passed_over));
}

/* A store that was named must open. If the default store cannot be opened, that is reported. */
static bool open_store(ProveCommand *command) {
  if (command->no_store) return true;
  StorePosition location = store_location(command->arena, command->store_path);
  if (location.path == nullptr) {
    session_warn("no proof store: %s (--store FILE names one)", location.why);
    return true;
  }
  Error error = {};
  if (store_open(location.path, session_is_interrupted, &command->store, &error)) return true;
  Status status = session_fail(&error);
  if (!location.is_named) session_warn("continuing without a proof store");
  else prove_note(command, status);
  return !location.is_named;
}

static Status prove_run(ProveCommand *command, int count, char **paths) {
  command->arena = arena_create();
  command->files = (ProofFiles){.arena = arena_create(),
      .input_count = count,
      .inputs = paths,
      .results = {command->results.junit, command->results.sarif}};
  results_begin(&command->results);
  if (command->confirm) command->second = second_solver_version(command->arena);
  if (command->confirm && command->second == nullptr)
    prove_note(command, session_usage("--confirm needs cvc5, and it is not installed"));
  else if (open_store(command)) {
    bool goes_on = true;
    if (command->engine || count == 0) {
      command->engine = true;
      goes_on = prove_engine(command);
    }
    for (int i = 0; i < count && goes_on && !session_is_interrupted(); i++)
      goes_on = prove_path(command, paths[i]);
    print_summary(command);
  }
  store_close(command->store);
  command->status = results_write(&command->results, command->status);
  arena_destroy(command->files.arena);
  arena_destroy(command->arena);
  return command->status;
}

static const OptionUse prove_uses[] = {{"json quiet", "none ops order confluence"},
    {"explain certificate", "none order"}, {"statements", "ops"},
    {"peaks tries maps", "confluence"}, {"rlimit seed", "none ops order"},
    {"smt2 coq confirm engine store no-guard junit sarif github", "none"}};

int cli_prove(int argc, char **argv) {
  ProveCommand command = {};
  const Option options[] = {
      {"json", OPTION_FLAG, &command.json, "print one JSON object per rule", nullptr},
      {"explain", OPTION_FLAG, &command.explain,
          "print the method, the quotients, and the solver's queries", nullptr},
      {"smt2", OPTION_TEXT, &command.smt2, "DIR: write every obligation there as SMT-LIB 2",
          nullptr},
      {"certificate", OPTION_TEXT, &command.certificate,
          "DIR: write the certificate of each proof there (docs/certificates.md)", nullptr},
      {"coq", OPTION_TEXT, &command.coq,
          "DIR: write each proof there as a theorem of Coq, and the lemmas as Affirm.v", nullptr},
      {"confirm", OPTION_FLAG, &command.confirm, "send each obligation of a proof to cvc5 as well",
          nullptr},
      {"engine", OPTION_FLAG, &command.engine,
          "prove the engine's own rules, and print method and time", nullptr},
      {"ops", OPTION_FLAG, &command.ops,
          "instead of rules, prove the maps of operations at every size", nullptr},
      {"statements", OPTION_OUTPUT, &command.statements,
          "FILE: with --ops, write the claims there as rules, and judge nothing", nullptr},
      {"coverage", OPTION_FLAG, &command.coverage,
          "for the engine's rules and the claims about operations, print instances, refuted negative examples, and what fewer than two judges decide; for rules in files, print instances and derived negative examples",
          nullptr},
      {"order", OPTION_FLAG, &command.order,
          "instead of the rules, prove the claims of their order lines: rewriting terminates",
          nullptr},
      {"confluence", OPTION_FLAG, &command.confluence,
          "instead of the rules, check confluence: where two rules overlap, the engine must join the results",
          nullptr},
      {"peaks", OPTION_INPUT, &command.peaks,
          "FILE: with --confluence, the list of overlaps that are known not to join or to have no instance, each with a reason",
          nullptr},
      {"tries", OPTION_COUNT, &command.tries,
          "N: with --confluence, instances tried per overlap (3000)", nullptr},
      {"maps", OPTION_NUMBER, &command.maps,
          "N: with --confluence, random maps tried per pair of rules as well; 0: none (0)",
          nullptr},
      {"store", OPTION_UPDATE, &command.store_path,
          "FILE: the proof store (default: $AFFIRM_STORE, or a file in the user's cache directory; none where CI is set)",
          nullptr},
      {"no-store", OPTION_FLAG, &command.no_store, "prove everything again and store nothing",
          nullptr},
      {"rlimit", OPTION_COUNT, &command.rlimit,
          "N: the solver's budget for a rule and for conditions, in its units (12000000)", nullptr},
      {"seed", OPTION_NUMBER, &command.seed, "N: the solver's seed, below 2^32 (0)", nullptr},
      {"no-guard", OPTION_FLAG, &command.no_guard,
          "do not search for conditions under which a refuted rule is true", nullptr},
      {"quiet", OPTION_FLAG, &command.quiet, "print only what is not proved", nullptr},
      RESULT_OPTIONS(command.results),
  };
  const Command table = {.usage = "prove [OPTION]... [FILE|DIRECTORY]...",
      .about =
          "Proves rewrite rules for all values, or finds values that refute them. A directory stands for every .rules file below it; names that begin with a dot are passed over. Without arguments, the engine's own rules are proved.",
      .notes =
          "A rule is  rule NAME LEFT => RIGHT when GUARD, ...  (docs/formats.md). - reads standard input.\n"
          "If a rule states a negative example, the example must be refuted. If a rule states an example, the rule must fire on it.",
      OPTION_TABLE(options),
      .contrary = "store no-store",
      .reads = input_name_is_rules,
      MODE_TABLE("ops coverage order confluence", prove_uses)};
  int first, ended;
  if (!options_parse(&table, argc, argv, &first, &ended)) return ended;
  if (!option_fits("seed", command.seed, UINT32_MAX)) return session_end(STATUS_BAD);
  session_catch_signals();
  const ProveOpsOptions ops = {.json = command.json,
      .quiet = command.quiet,
      .statements = command.statements,
      .smt = {.rlimit = (uint64_t)command.rlimit,
          .seed = (uint32_t)command.seed,
          .stop = session_is_interrupted}};
  if (command.coverage) {
    Arena *arena = arena_create();
    Status status = first < argc ? prove_coverage_files(arena, argc - first, argv + first)
                                 : prove_coverage(arena);
    arena_destroy(arena);
    return session_end(status);
  }
  if (command.ops && first < argc) return session_end(session_usage("--ops takes no rule files"));
  const ProveOrderOptions order = {.json = command.json,
      .quiet = command.quiet,
      .explain = command.explain,
      .certificate = command.certificate,
      .rlimit = command.rlimit,
      .seed = command.seed,
      .input_count = argc - first,
      .inputs = argv + first};
  const ConfluenceOptions confluence = {.json = command.json,
      .quiet = command.quiet,
      .listed = command.peaks,
      .tries = command.tries,
      .maps = command.maps};
  if (command.confluence && first < argc)
    return session_end(session_usage("--confluence takes no rule files"));
  if (command.confluence) return session_end(prove_confluence(&confluence));
  if (command.order) return session_end(prove_order(&order));
  return session_end(
      command.ops ? prove_operations(&ops) : prove_run(&command, argc - first, argv + first));
}
