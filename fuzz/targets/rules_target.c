/* The bytes encode a rule: its text if they start with "rule", else an engine rule with small
 * changes. A PROVED rule must hold at all random values that satisfy its guards. A REFUTED rule
 * must fail at its witness, and must not be proved without sampling and models. UNKNOWN, vacuous
 * guards, rejected texts and rules that were judged before are counted. */
#include "fuzz/harness/harness_rule.h"
#include "generate/mutate_rule.h"
#include "fuzz/targets/target.h"

#include <string.h>

static Text text_of(Harness *harness, const uint8_t *bytes, size_t size) {
  Text text = text_create(harness->arena);
  if (size >= 4 && memcmp(bytes, "rule", 4) == 0) {
    text_append(&text, (const char *)bytes, size);
    return text;
  }
  Rule rule = fuzz_mutate_rule(harness->arena, harness_rules(), bytes, size);
  rule_print(&text, &rule);
  return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  Harness *harness = harness_begin();
  Text text = text_of(harness, bytes, size);
  if (!harness_is_new(harness, text.bytes, text.length)) return 0;
  Source source = {.name = "changed", .text = text.bytes, .length = text.length, .first_line = 1};
  RuleSet read = {};
  RuleVerdict verdict;
  Error error = {};
  bool judged = rules_parse(harness->arena, &source, &read, &error) && read.count > 0 &&
                prove_rule(harness->arena, &read.items[0],
                    &(ProveOptions){.rlimit = harness_rlimit}, &verdict, &error);
  if (judged) harness_check_verdict(harness, &read.items[0], &verdict, text.bytes, size);
  harness->rejected += !judged;
  harness->answers[judged && verdict.answer != VERDICT_UNKNOWN ? REASON_EXACT : REASON_TOO_LARGE]++;
  return 0;
}
