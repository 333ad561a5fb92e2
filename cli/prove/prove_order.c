/* affirm prove --order: proves each rule's `order:` line, as obligations that are rules themselves
 * (proof/order). Prints a line a rule: what decreases, by how much at least, and an instance with
 * exactly that decrease. With --certificate the obligations are written as rules with a certificate
 * each, so that affirm-check can judge them. */
#include "cli/prove/prove_order.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/inputs.h"
#include "cli/prove/proof_files.h"
#include "cli/prove/prove_ops.h"
#include "cli/prove/rule_files.h"
#include "cli/report/json.h"
#include "cli/progress.h"
#include "cli/session_guard.h"
#include "core/base/file.h"
#include "proof/order/measure.h"
#include "proof/order/order.h"
#include "proof/write/certificate.h"
#include "proof/store/prove_store.h"

typedef struct OrderRun {
  const ProveOrderOptions *options;
  Arena *arena;
  ProofFiles files;
  Text all; /* the obligations as rules, with --certificate */
  OrderTally *tally;
  Status status, rule_status; /* of the run, and of the present rule */
} OrderRun;

static void order_note(OrderRun *run, Status status) {
  session_worsen(&run->status, status);
  run->rule_status = status_worse(run->rule_status, status);
}

static bool parse_and_prove(OrderRun *run, const char *text, bool is_certified, Rule *rule,
    RuleVerdict *verdict, Error *error) {
  Source source = {
      .name = "an order's obligation", .text = text, .length = strlen(text), .first_line = 1};
  RuleSet rules = {};
  ProveOptions options = {.rlimit = (uint64_t)run->options->rlimit,
      .seed = (uint32_t)run->options->seed,
      .stop = session_is_interrupted};
  if (!rules_parse(run->arena, &source, &rules, error)) return false;
  *rule = rules.items[0];
  return (is_certified ? prove_rule_certified : prove_rule)(
      run->arena, rule, &options, verdict, error);
}

/* Judges one rule; where that is impossible, the verdict has the reason. A part is not proved if
 * the parts before it are never equal: then the order line names one too many, or an earlier one
 * increases. If the assumptions contradict each other without that, the rule has no instance. */
static bool judge_rule(OrderRun *run, const OrderObligation *item, bool is_certified, Rule *rule,
    RuleVerdict *verdict) {
  Error error = {};
  if (parse_and_prove(run, item->text, is_certified, rule, verdict, &error)) return true;
  Rule alone;
  Error ignored = {};
  const char *why = error.message;
  if (item->alone == nullptr ||
      !parse_and_prove(run, item->alone, false, &alone, verdict, &ignored))
    order_note(run, session_fail(&error));
  else {
    why = "the parts before it are never equal";
    order_note(run, STATUS_UNDECIDED);
  }
  *verdict = (RuleVerdict){.text = arena_text(run->arena, why, strlen(why))};
  return false;
}

static bool write_certificate(OrderRun *run, const Rule *rule, const RuleVerdict *verdict) {
  Certificate certificate = {.why = "a case split has none"};
  if (verdict->refutation != nullptr)
    certificate =
        certificate_write(run->arena, refutations_create(run->arena, verdict->refutation));
  if (certificate.text == nullptr)
    return session_reject("%s: no certificate: %s", rule->name, certificate.why);
  Error error = {};
  const char *base =
      proof_files_add(&run->files, run->options->certificate, rule->name, ".cert", &error);
  if (base == nullptr) {
    order_note(run, session_fail(&error));
    return false;
  }
  if (proof_files_write(&run->files, arena_printf(run->arena, "%s.cert", base), certificate.text,
          strlen(certificate.text), &error))
    return true;
  order_note(run, session_fail(&error));
  return false;
}

/* Whether the letter matters. A letter only in 0*(...) has a bound but no influence. */
static bool is_used(const RuleTerm *term, uint32_t letter) {
  if (term->kind == TERM_CONSTANT_LETTER) return term->letter == letter;
  if (term->kind != TERM_OPERATOR && term->kind != TERM_GCD) return false;
  bool is_zero = term->kind == TERM_OPERATOR && term->op == EXPR_MUL &&
                 term->left->kind == TERM_INTEGER && term->left->value == 0;
  return !is_zero && (is_used(term->left, letter) || is_used(term->right, letter));
}

/* Prints values of an obligation's letters; a letter that stands for a measure is printed in
 * words. */
static void print_instance(
    Text *text, const Rule *rule, const Rule *obligation, const RuleVerdict *verdict) {
  const char *between = "";
  for (uint32_t i = 0; i < obligation->constant_count; i++) {
    if (!is_used(obligation->left.expr, i)) continue;
    const char *words = symbol_words(text->arena, rule, obligation->constants[i]);
    text_printf(text, "%s%s = %lld", between, words == nullptr ? obligation->constants[i] : words,
        (long long)verdict->values.constants[i]);
    between = ", ";
  }
}

/* Proves each obligation; false if one is not proved, which is printed. */
static bool prove_obligations(
    OrderRun *run, const Rule *rule, const OrderProof *proof, Text *text) {
  bool all = true;
  for (uint32_t i = 0; i < proof->count; i++) {
    Rule obligation;
    RuleVerdict verdict;
    const OrderObligation *item = &proof->items[i];
    bool is_wanted = run->options->certificate != nullptr;
    run->tally->obligations++;
    if (is_wanted) text_string(&run->all, item->text);
    /* Only obligations need a certificate: what is said of a twin is its refutation. */
    if (!judge_rule(run, item, true, &obligation, &verdict)) {
      text_printf(text, "  %s: not judged (%s)\n", item->part, verdict.text);
      all = false;
      continue;
    }
    bool is_proved = verdict.answer == VERDICT_PROVED &&
                     (!is_wanted || write_certificate(run, &obligation, &verdict));
    run->tally->proved += is_proved;
    all &= is_proved;
    if (run->options->explain) text_printf(text, "%s", item->text);
    if (is_proved) continue;
    order_note(run, verdict.answer == VERDICT_REFUTED ? STATUS_REFUTED : STATUS_UNDECIDED);
    text_printf(text, "  %s: %s", item->part, prove_answer_text(verdict.answer));
    if (verdict.answer == VERDICT_REFUTED) {
      text_string(text, " at ");
      print_instance(text, rule, &obligation, &verdict);
    } else if (verdict.text != nullptr) text_printf(text, " (%s)", verdict.text);
    text_string(text, "\n");
  }
  return all;
}

/* A claim of more than the least decrease must be refuted by an instance; decreases up to this are
 * tried. */
static constexpr uint32_t most_decrease = 16;

static bool refute_twin(OrderRun *run, const Rule *rule, const OrderProof *proof, Text *text) {
  for (uint32_t least = 0; least < most_decrease; least++) {
    Rule twin;
    RuleVerdict verdict;
    OrderObligation more = order_twin(run->arena, rule, proof, least);
    if (!judge_rule(run, &more, false, &twin, &verdict)) {
      text_printf(text, "  the negative example is not judged (%s)\n", verdict.text);
      return false;
    }
    if (verdict.answer == VERDICT_PROVED) continue;
    if (verdict.answer == VERDICT_UNKNOWN) break;
    text_printf(text, "  more than %u is refuted: ", least);
    print_instance(text, rule, &twin, &verdict);
    text_string(text, "\n");
    return true;
  }
  text_printf(text, "  the negative example is not refuted\n");
  order_note(run, STATUS_UNDECIDED);
  return false;
}

static const char *const order_answers[] = {[STATUS_PROVED] = "proved",
    [STATUS_REFUTED] = "refuted",
    [STATUS_UNDECIDED] = "unknown",
    [STATUS_BAD] = "bad input"};

/* Prints a row for people, or as an object of the gate's part. */
static bool print_order_row(const OrderRun *run, const Rule *rule, const char *row) {
  if (run->options->part == nullptr) return session_print(row);
  if (run->rule_status == STATUS_PROVED) return true;
  Text line = text_create(run->arena);
  Json json = json_begin(&line);
  json_string(&json, "part", run->options->part);
  json_string(&json, "name", rule->name);
  json_answer(&json, "answer", order_answers[run->rule_status]);
  json_string(&json, "text", row);
  json_end(&json);
  return session_print(line.bytes);
}

/* `why`: no obligation could be stated; or nullptr. `text`: what is not proved. */
static bool print_order_json(const OrderRun *run, const Rule *rule, uint32_t obligations,
    uint32_t proved, bool is_refuted, const char *why, const char *text) {
  Text line = text_create(run->arena);
  Json json = json_begin(&line);
  json_string(&json, "rule", rule->name);
  json_string(&json, "order", rule->order == nullptr ? "" : rule->order);
  json_answer(&json, "answer", order_answers[run->rule_status]);
  json_integer(&json, "obligations", obligations);
  json_integer(&json, "proved", proved);
  json_integer(&json, "twin_refuted", is_refuted);
  if (why != nullptr) json_string(&json, "why", why);
  if (run->rule_status != STATUS_PROVED && text[0] != 0) json_string(&json, "text", text);
  json_end(&json);
  return session_print(line.bytes);
}

static bool order_one(OrderRun *run, const Rule *rule) {
  OrderProof proof;
  Error error = {};
  Text text = text_create(run->arena);
  run->tally->rules++;
  run->rule_status = STATUS_PROVED;
  session_at("order of %s", rule->name);
  if (!order_obligations(run->arena, rule, &proof, &error)) {
    order_note(run, STATUS_UNDECIDED);
    results_add_rule(run->options->results, "orders", rule, run->rule_status, error.message, 0);
    if (run->options->json) return print_order_json(run, rule, 0, 0, false, error.message, "");
    text_printf(&text, "%s UNKNOWN: %s\n", rule->name, error.message);
    return print_order_row(run, rule, text.bytes);
  }
  uint32_t before = run->tally->proved;
  bool is_proved = prove_obligations(run, rule, &proof, &text);
  bool is_refuted = is_proved && refute_twin(run, rule, &proof, &text);
  run->tally->twins += is_refuted;
  run->tally->decreasing += is_proved && is_refuted;
  results_add_rule(run->options->results, "orders", rule, run->rule_status, text.bytes, 0);
  if (run->options->json)
    return print_order_json(
        run, rule, proof.count, run->tally->proved - before, is_refuted, nullptr, text.bytes);
  Text line = text_create(run->arena);
  text_printf(&line, "%s %s: %s, %u of %s proved\n%s", rule->name,
      is_proved ? "DECREASES" : "NOT PROVED", rule->order, run->tally->proved - before,
      counted(proof.count, "obligation"), run->options->quiet && is_refuted ? "" : text.bytes);
  return (run->options->quiet && is_refuted) || print_order_row(run, rule, line.bytes);
}

static const char *order_path(Arena *arena, const ProveOrderOptions *options) {
  return arena_printf(arena, "%s/order.rules", options->certificate);
}

Status prove_order_set(
    const ProveOrderOptions *options, Arena *arena, const RuleSet *rules, OrderTally *tally) {
  OrderRun run = {.options = options,
      .arena = arena,
      .files = {.arena = arena, .input_count = options->input_count, .inputs = options->inputs},
      .all = text_create(arena),
      .tally = tally};
  if (options->results != nullptr) {
    run.files.results[0] = options->results->junit;
    run.files.results[1] = options->results->sarif;
  }
  bool goes_on = true;
  Progress progress = progress_begin("rules", rules->count, !options->quiet);
  for (uint32_t i = 0; i < rules->count && goes_on && !session_is_interrupted(); i++) {
    progress_at(&progress, i, rules->items[i].name);
    goes_on = order_one(&run, &rules->items[i]);
  }
  progress_clear();
  if (rules->count == 0 || session_is_interrupted()) order_note(&run, STATUS_UNDECIDED);
  if (options->certificate == nullptr) return run.status;
  Error error = {};
  if (!proof_files_write(
          &run.files, order_path(arena, options), run.all.bytes, run.all.length, &error))
    order_note(&run, session_fail(&error));
  return run.status;
}

static bool read_rules(Arena *arena, const ProveOrderOptions *options, RuleSet *rules,
    uint64_t *passed_over, Error *error) {
  if (options->input_count == 0) return rules_engine(arena, rules, error);
  PathList found = {};
  for (int i = 0; i < options->input_count; i++)
    if (!rule_files_find(arena, options->inputs[i], &found, passed_over, error)) return false;
  for (uint32_t i = 0; i < found.count; i++) {
    Source *source = ARENA_NEW(arena, Source, 1);
    if (!file_read_text(arena, found.items[i], file_limit, source, error) ||
        !rules_parse(arena, source, rules, error))
      return false;
  }
  return true;
}

/* Whether the rules that are written at the end would replace some that are read. */
static bool order_keeps_inputs(Arena *arena, const ProveOrderOptions *options) {
  const char *path = options->certificate == nullptr ? nullptr : order_path(arena, options);
  for (int i = 0; path != nullptr && i < options->input_count; i++) {
    if (!input_has(options->inputs[i], input_name_is_rules, path)) continue;
    session_warn("--certificate would overwrite an input: %s", path);
    return false;
  }
  return true;
}

Status prove_order(const ProveOrderOptions *options) {
  Arena *arena = arena_create();
  RuleSet rules = {};
  OrderTally tally = {};
  uint64_t passed_over = 0;
  Error error = {};
  Status status = STATUS_PROVED;
  if (!order_keeps_inputs(arena, options)) status = STATUS_BAD;
  else if (options->certificate != nullptr && mkdir(options->certificate, 0777) != 0 &&
           errno != EEXIST)
    status = session_usage("%s: %s", options->certificate, strerror(errno));
  else if (!read_rules(arena, options, &rules, &passed_over, &error)) status = session_fail(&error);
  else status = prove_order_set(options, arena, &rules, &tally);
  if (!options->json)
    fprintf(stderr, "%s: %u decrease; %u of %s proved, %s refuted%s\n",
        counted(tally.rules, "rule"), tally.decreasing, tally.proved,
        counted(tally.obligations, "obligation"), counted(tally.twins, "twin"),
        rule_files_passed_over(arena, passed_over));
  arena_destroy(arena);
  return status;
}
