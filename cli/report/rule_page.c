/* Each part is a paragraph or a block that folds. */
#include "cli/report/rule_page.h"

#include "cli/prove/prove_example.h"
#include "cli/prove/prove_ops.h"
#include "cli/report/fired.h"
#include "cli/report/html.h"
#include "cli/report/rule_sides.h"
#include "cli/session.h"
#include "cli/session_guard.h"
#include "proof/write/certificate.h"

static void print_paragraph(Text *text, const char *words) {
  html_between(text, "<p>", words, "</p>\n");
}

static void print_verdict(Text *text, const Rule *rule, const RuleVerdict *verdict) {
  Text words = text_create(text->arena);
  rule_verdict_print(&words, rule, verdict);
  text_printf(&words, ": %s", verdict->method);
  print_paragraph(text, words.bytes);
  if (verdict->note != nullptr) print_paragraph(text, verdict->note);
}

static void print_certificate(Text *text, const RuleVerdict *verdict) {
  if (verdict->answer != VERDICT_PROVED) return;
  Certificate certificate = {.why = "a case split over constants has none"};
  if (verdict->refutation != nullptr)
    certificate =
        certificate_write(text->arena, refutations_create(text->arena, verdict->refutation));
  if (certificate.text == nullptr) {
    print_paragraph(text, arena_printf(text->arena, "no certificate: %s", certificate.why));
    return;
  }
  text_printf(text, "<details><summary>certificate, %s: affirm-check judges it</summary>",
      counted(certificate.figures.lines, "line"));
  html_between(text, "<pre>", certificate.text, "</pre></details>\n");
}

/* Prints the guard or right side that the negative example replaces, and the values that refute
 * it. */
static Status print_negative(Text *text, const Rule *rule) {
  if (!rule->has_negative) return STATUS_PROVED;
  Rule negative = rule_negative(rule);
  RuleVerdict verdict;
  Error error = {};
  Text words = text_create(text->arena);
  text_string(&words, "negative example: ");
  if (rule->negative_is_guard)
    for (uint32_t i = 0; i < rule->negative_guard_count; i++) {
      text_string(&words, i > 0 ? ", " : "when ");
      guard_print(&words, rule, &rule->negative_guards[i]);
    }
  else side_print(&words, rule, &rule->negative_side);
  text_string(&words, ": ");
  const ProveOptions options = {.stop = session_is_interrupted};
  bool is_judged = prove_rule(text->arena, &negative, &options, &verdict, &error);
  if (!is_judged) text_string(&words, error.message);
  else
    text_printf(&words, "%s%s%s", prove_answer_text(verdict.answer),
        verdict.text[0] != 0 ? " " : "", verdict.text);
  print_paragraph(text, words.bytes);
  if (!is_judged) return STATUS_BAD;
  if (verdict.answer == VERDICT_REFUTED) return STATUS_PROVED;
  print_paragraph(text, example_fault(text->arena, rule, false, true, verdict.answer));
  return verdict.answer == VERDICT_PROVED ? STATUS_REFUTED : STATUS_UNDECIDED;
}

/* A rule whose example is wrong is no better than one that is refuted. */
static const char *verdict_with_example(const char *verdict, Status example, Status *status) {
  Status worst = status_worse(*status, example);
  bool is_by_example = worst != *status;
  *status = worst;
  return is_by_example ? "wrong example" : verdict;
}

static void print_fired(Text *text, const Rule *rule, int64_t fired) {
  int64_t on_corpus = fired_on_corpus(rule);
  if (fired >= 0)
    print_paragraph(text, arena_printf(text->arena, "fired %s in the rows of this page",
                              counted((uint64_t)fired, "time")));
  if (on_corpus >= 0)
    print_paragraph(text,
        arena_printf(text->arena, "fires %s on the corpus", counted((uint64_t)on_corpus, "time")));
}

static const char *print_rule(
    Text *text, Text *attributes, const Rule *rule, int64_t fired, Status *status) {
  static const char *const words[] = {
      [VERDICT_PROVED] = "proved", [VERDICT_REFUTED] = "refuted", [VERDICT_UNKNOWN] = "unknown"};
  const ProveOptions options = {.stop = session_is_interrupted, .want_refutation = true};
  RuleVerdict verdict;
  Error error = {};
  session_at("rule %s", rule->name);
  html_rule(text, rule);
  text_string(text, "\n");
  if (!prove_rule(text->arena, rule, &options, &verdict, &error)) {
    print_paragraph(text, error.message);
    *status = STATUS_BAD;
    return "bad input";
  }
  rule_sides_print(attributes, rule, verdict.answer == VERDICT_REFUTED ? &verdict.values : nullptr);
  print_verdict(text, rule, &verdict);
  Status negative = print_negative(text, rule);
  print_fired(text, rule, fired);
  print_certificate(text, &verdict);
  *status = prove_answer_status(verdict.answer);
  return verdict_with_example(words[verdict.answer], negative, status);
}

/* Prints what `affirm prove` says of an example on which the rule does not fire. */
static const char *print_example(
    Text *text, const RuleSet *rules, const Rule *rule, const char *verdict, Status *status) {
  const char *line;
  Status example = rule_example_status(text->arena, rules, rule, false, &line);
  if (line == nullptr) return verdict;
  print_paragraph(text, line);
  return verdict_with_example(verdict, example, status);
}

void rule_page_row(Text *text, const RuleSet *rules, const Rule *rule, int64_t fired,
    uint32_t number, const char **verdict, Status *status) {
  Text body = text_create(text->arena), sides = text_create(text->arena);
  *verdict = print_rule(&body, &sides, rule, fired, status);
  *verdict = print_example(&body, rules, rule, *verdict, status);
  html_row_begin(text, *status, number, *verdict, "rule", "", rule->file);
  text_printf(text, "%s><summary><b>%s</b> ", sides.bytes, *verdict);
  html_escape(text, rule->name);
  html_between(text, " <span class=\"dim\">rule, ", rule->file, "</span></summary>\n");
  text_printf(text, "%s</details>\n", body.bytes);
}

Status rule_page_section(Text *text, const Rule *rule, int64_t fired) {
  Text body = text_create(text->arena), sides = text_create(text->arena);
  Status status;
  const char *verdict = print_rule(&body, &sides, rule, fired, &status);
  text_printf(text, "<section class=\"rule %s\" id=\"rule-", html_class(status));
  html_between(text, "", rule->name, "\"");
  html_between(text, arena_printf(text->arena, "%s>\n<h3>", sides.bytes), rule->name, "</h3>\n");
  text_printf(text, "%s</section>\n", body.bytes);
  if (status == STATUS_REFUTED) session_warn("rule %s is %s", rule->name, verdict);
  return status;
}

void rule_page_left_out(Text *text, const Rule *rule) {
  text_printf(text, "<section class=\"rule %s\" id=\"rule-", html_class(STATUS_UNDECIDED));
  html_between(text, "", rule->name, "\">\n<h3>");
  html_between(text, "", rule->name, "</h3>\n<p>not judged: interrupted</p>\n</section>\n");
}
