/* The detail of an entry has one line per field: "method ..", "values x..", "scope ..". A proof
 * adds the line "certificate" and the certificate's text, without its first two lines, which name
 * the rule. An entry counts only if its values refute the rule, or if affirm-check accepts its
 * certificate for the rule's text. The key includes the program, so entries of other programs are
 * never read. */
#include "proof/store/prove_store.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/program.h"
#include "proof/store/checker.h"
#include "proof/write/certificate.h"
#include "smt/rules/rule_sample.h"

static const char entry_name[] = "it", certificate_line[] = "certificate";

/* The statement of the rule under a fixed name. */
static Rule bare_rule(const Rule *rule) {
  Rule bare = *rule;
  bare.name = entry_name;
  bare.order = nullptr;
  bare.example = nullptr;
  bare.has_negative = false;
  return bare;
}

static const char *rule_text(Arena *arena, const char *before, const Rule *rule) {
  Text text = text_create(arena);
  text_string(&text, before);
  rule_print(&text, rule);
  return text.bytes;
}

const char *prove_store_key(Arena *arena, const Rule *rule) {
  Rule bare = bare_rule(rule);
  return rule_text(
      arena, arena_printf(arena, "entry 3\nprogram %016" PRIx64 "\n", program_hash()), &bare);
}

static void put_numbers(Text *text, const char *field, const Rule *rule, const RuleValues *values) {
  text_string(text, field);
  for (uint32_t i = 0; i < rule->constant_count; i++)
    text_printf(text, " %" PRId64, values->constants[i]);
  for (uint32_t i = 0; i < rule->expr_count; i++)
    text_printf(
        text, " %" PRId64 " %" PRId64 " %" PRId64, values->exprs[i], values->lo[i], values->hi[i]);
  text_string(text, "\n");
}

/* The text after the two lines that name the rule. */
static const char *certificate_body(const char *text) {
  for (int line = 0; line < 2; line++) text = strchr(text, '\n') + 1;
  return text;
}

/* nullptr: there is no certificate, so the entry could not be checked and is not stored. */
static const char *detail_of(Arena *arena, const Rule *rule, const RuleVerdict *verdict) {
  Text text = text_create(arena);
  text_printf(&text, "method %s\n", verdict->method);
  if (verdict->answer == VERDICT_REFUTED) put_numbers(&text, "values", rule, &verdict->values);
  if (verdict->answer == VERDICT_PROVED) {
    if (verdict->refutation == nullptr || rule->has_declared) return nullptr;
    Certificate certificate =
        certificate_write(arena, refutations_create(arena, verdict->refutation));
    if (certificate.text == nullptr) return nullptr;
    text_printf(&text, "scope %s\n%s\n%s", verdict->scope == rule->scope ? "own" : "all",
        certificate_line, certificate_body(certificate.text));
  }
  return text.bytes;
}

/* The rest of the line that starts with `field`, or nullptr. */
static const char *line_of(Arena *arena, const char *detail, const char *field) {
  size_t length = strlen(field);
  for (const char *line = detail; line != nullptr && *line != 0;) {
    const char *end = strchr(line, '\n');
    if (end == nullptr) return nullptr;
    if (strncmp(line, field, length) == 0 && line[length] == ' ')
      return arena_text(arena, line + length + 1, (size_t)(end - line) - length - 1);
    line = end + 1;
  }
  return nullptr;
}

static bool take_number(const char **text, int64_t *value) {
  char *end;
  *value = strtoll(*text, &end, 10);
  bool taken = end != *text;
  *text = end;
  return taken;
}

static bool take_numbers(const char *text, const Rule *rule, RuleValues *values) {
  if (text == nullptr) return false;
  for (uint32_t i = 0; i < rule->constant_count; i++)
    if (!take_number(&text, &values->constants[i])) return false;
  for (uint32_t i = 0; i < rule->expr_count; i++)
    if (!take_number(&text, &values->exprs[i]) || !take_number(&text, &values->lo[i]) ||
        !take_number(&text, &values->hi[i]))
      return false;
  return true;
}

static bool restore_proof(Arena *arena, const Rule *rule, const char *detail, bool (*stop)(void),
    RuleVerdict *verdict, const char **why) {
  const char *scope = line_of(arena, detail, "scope"), *body = strstr(detail, certificate_line);
  if (scope == nullptr || (strcmp(scope, "own") != 0 && strcmp(scope, "all") != 0)) return false;
  if (body == nullptr || strchr(body, '\n') == nullptr) return false;
  Rule stated = bare_rule(rule);
  bool is_own = strcmp(scope, "own") == 0;
  if (is_own && rule->scope == nullptr) return false;
  if (!is_own) stated.scope = nullptr, stated.scope_count = 0;
  Text text = text_create(arena);
  text_printf(&text, "certificate 1\nrule %s\n%s", entry_name, strchr(body, '\n') + 1);
  *why = certificate_rejection(arena, rule_text(arena, "", &stated), entry_name, text.bytes, stop);
  if (*why != nullptr) return false;
  verdict->scope = is_own ? rule->scope : "all values";
  Rule narrow = rule_within_scope(arena, rule);
  prove_note_overflow(arena, &narrow, verdict);
  return true;
}

/* Replays the values, which must also be within the rule's own scope. */
static bool restore_refutation(
    Arena *arena, const Rule *rule, const char *detail, RuleVerdict *verdict) {
  if (!take_numbers(line_of(arena, detail, "values"), rule, &verdict->values)) return false;
  for (uint32_t i = 0; i < rule->scope_count; i++) {
    int64_t value = verdict->values.constants[rule->scopes[i].letter];
    if (value < rule->scopes[i].lo || value > rule->scopes[i].hi) return false;
  }
  return rule_is_refuted_by(rule, &verdict->values);
}

/* True for printable ASCII. The method is printed, and anyone may have written the entry. */
static bool is_plain(const char *text) {
  while (*text >= ' ' && *text <= '~') text++;
  return *text == 0;
}

static bool restore(Arena *arena, const Rule *rule, const StoreEntry *entry, bool (*stop)(void),
    RuleVerdict *verdict) {
  const char *why;
  *verdict = (RuleVerdict){.answer = entry->answer, .scope = "all values", .text = ""};
  verdict->method = line_of(arena, entry->detail, "method");
  if (verdict->method == nullptr || !is_plain(verdict->method)) return false;
  bool restored = entry->answer == VERDICT_PROVED
                      ? restore_proof(arena, rule, entry->detail, stop, verdict, &why)
                      : restore_refutation(arena, rule, entry->detail, verdict);
  if (restored) verdict_describe(arena, rule, verdict);
  return restored;
}

static bool restore_stored(Store *store, Arena *arena, const Rule *rule, const char *key,
    bool (*stop)(void), RuleVerdict *verdict, Error *trouble) {
  StoreEntry entry = {};
  bool is_found = false;
  return store_find(store, arena, key, &is_found, &entry, trouble) && is_found &&
         restore(arena, rule, &entry, stop, verdict);
}

bool prove_rule_certified(Arena *arena, const Rule *rule, const ProveOptions *options,
    RuleVerdict *verdict, Error *error) {
  ProveOptions with_refutation = *options;
  with_refutation.want_refutation = true;
  if (!prove_rule(arena, rule, &with_refutation, verdict, error)) return false;
  if (verdict->answer != VERDICT_PROVED) return true;
  const char *detail = detail_of(arena, rule, verdict);
  RuleVerdict restored = *verdict;
  const char *why = "the certificate does not state the rule";
  if (detail != nullptr && restore_proof(arena, rule, detail, options->stop, &restored, &why))
    return true;
  verdict->answer = VERDICT_UNKNOWN;
  verdict->reason = REASON_OPEN;
  verdict->text = detail == nullptr ? "proved without a certificate" : why;
  return true;
}

bool prove_rule_stored(Store *store, Arena *arena, const Rule *rule, const ProveOptions *options,
    RuleVerdict *verdict, StoreUse *use, Error *error) {
  *use = (StoreUse){};
  assert(!options->skip_sampling && !options->only_proof);
  if (store == nullptr || program_hash() == 0)
    return prove_rule(arena, rule, options, verdict, error);
  double start = 1e3 * clock_wall();
  const char *key = prove_store_key(arena, rule);
  bool is_fresh =
      options->want_obligations || options->want_explanation || options->want_refutation;
  use->from_store =
      !is_fresh && restore_stored(store, arena, rule, key, options->stop, verdict, &use->trouble);
  if (use->from_store) {
    verdict->milliseconds = 1e3 * clock_wall() - start;
    return true;
  }
  ProveOptions with_refutation = *options;
  with_refutation.want_refutation = true;
  if (!prove_rule(arena, rule, &with_refutation, verdict, error)) return false;
  if (verdict->answer == VERDICT_UNKNOWN || store_is_read_only(store)) return true;
  const char *detail = detail_of(arena, rule, verdict);
  if (detail == nullptr) return true;
  const StoreEntry entry = {.answer = verdict->answer, .detail = detail};
  bool is_kept = store_put(store, key, &entry, &use->trouble);
  assert(is_kept || use->trouble.kind != ERROR_NONE);
  (void)is_kept;
  return true;
}
