/* Rules of files have no negative examples of their own. One is derived from each rule: the first
 * of a fixed list of twins that values refute. If values refute no twin, the rule may make no claim
 * that can be wrong. Each twin is tried with few values first; if none is refuted, all are tried
 * with more. A rule that values refute is reported as refuted, and none is derived from it. */
#include "cli/prove/prove_coverage.h"

#include <stdio.h>

#include "cli/prove/rule_files.h"
#include "core/base/file.h"
#include "core/rules/rule.h"
#include "core/simplify/rule_lines.h"
#include "generate/rule_twin.h"
#include "smt/rules/prove.h"

static constexpr uint32_t effort[] = {300, 20'000};
static constexpr uint32_t efforts = sizeof effort / sizeof *effort;

static bool coverage_witness(const Rule *rule, RuleValues *values) {
  for (uint32_t i = 0; i < efforts; i++)
    if (coverage_values_find(rule, false, effort[i], values)) return true;
  return false;
}

/* The first twin that is refuted with few values; if there is none, with many. */
static bool coverage_twin(
    Arena *arena, const Rule *rule, Rule *twin, const char **what, RuleValues *values) {
  for (uint32_t i = 0; i < efforts; i++)
    for (uint32_t number = 0; number < rule_twin_limit(rule); number++)
      if (rule_twin(arena, rule, number, twin, what) &&
          coverage_values_find(twin, true, effort[i], values))
        return true;
  return false;
}

/* Values that refute the rule itself: none of its other lines means anything then. */
static bool coverage_refuted(Text *text, const Rule *rule) {
  RuleValues refutation;
  if (!coverage_values_find(rule, true, effort[0], &refutation)) return false;
  text_printf(text, "refuted: rule %s at ", rule->name);
  rule_values_print(text, rule, &refutation);
  text_string(text, "\n");
  return true;
}

/* A rule with a line that does not parse is reported, and not judged. Values outside of the rule's
 * `scope:` count for nothing. */
static Status coverage_rule(Text *text, const Source *source, const Rule *stated) {
  Error error = {};
  if (!rule_lines_parse(text->arena, source, stated, &error)) return session_fail(&error);
  const Rule within = rule_within_scope(text->arena, stated), *rule = &within;
  RuleValues witness, refutation;
  Rule twin;
  const char *what;
  if (coverage_refuted(text, rule)) return STATUS_REFUTED;
  bool has_witness = coverage_witness(rule, &witness),
       is_refuted = coverage_twin(text->arena, rule, &twin, &what, &refutation);
  if (!has_witness) text_printf(text, "fewer: rule %s: no values satisfy the guard\n", rule->name);
  if (!is_refuted)
    text_printf(text, "fewer: rule %s: no values refute a derived negative example\n", rule->name);
  if (!has_witness || !is_refuted) return STATUS_PROVED;
  text_printf(text, "rule %s: holds at ", rule->name);
  rule_values_print(text, rule, &witness);
  text_printf(text, "; %s it is refuted at ", what);
  rule_values_print(text, &twin, &refutation);
  text_string(text, "\n");
  return STATUS_PROVED;
}

static Status coverage_file(Text *text, const char *path, uint32_t *count) {
  Source source;
  RuleSet rules = {};
  RuleFaults faults = {};
  Error error = {};
  if (!file_read_text(text->arena, path, file_limit, &source, &error)) return session_fail(&error);
  rules_parse_statements(text->arena, &source, &rules, &faults);
  Status status = STATUS_PROVED;
  if (rules.count + faults.count == 0) return session_usage("%s: no rules", path);
  for (uint32_t i = 0; i < faults.count; i++) status = session_fail(&faults.items[i]);
  *count += rules.count;
  for (uint32_t i = 0; i < rules.count; i++)
    status = status_worse(status, coverage_rule(text, &source, &rules.items[i]));
  return status;
}

Status prove_coverage_files(Arena *arena, int count, char **paths) {
  Text text = text_create(arena);
  text_string(&text, "");
  Status status = STATUS_PROVED;
  PathList found = {};
  uint64_t passed_over = 0;
  uint32_t rules = 0;
  Error error = {};
  for (int i = 0; i < count; i++)
    if (!rule_files_find(arena, paths[i], &found, &passed_over, &error))
      return session_fail(&error);
  for (uint32_t i = 0; i < found.count; i++)
    status = status_worse(status, coverage_file(&text, found.items[i], &rules));
  bool is_printed = session_print(text.bytes);
  session_flush();
  fprintf(stderr, "%s%s\n", counted(rules, "rule"), rule_files_passed_over(arena, passed_over));
  return is_printed ? status : STATUS_BAD;
}
