/* The detail of an entry is a line a field: "method ...", "scope ...", "values x..", "overflow
 * x..". An entry that cannot be parsed counts as none, and so does one that another try refutes. */
#include "smt/rules/prove_store.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/program.h"
#include "smt/rules/rule_sample.h"
#include "smt/solver/z3_context.h"

const char *prove_store_key(Arena *arena, const Rule *rule, const ProveOptions *options) {
  Rule bare = *rule;
  bare.name = "it";
  bare.order = nullptr;
  bare.example = nullptr;
  bare.has_near_miss = false;
  Text text = text_create(arena);
  text_printf(&text, "program %016" PRIx64 "\nsolver %s\nrlimit %" PRIu64 " seed %" PRIu32 "\n",
      program_hash(), Z3_get_full_version(), options->rlimit, options->seed);
  rule_print(&text, &bare);
  return text.bytes;
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

static const char *detail_of(Arena *arena, const Rule *rule, const RuleVerdict *verdict) {
  Text text = text_create(arena);
  text_printf(&text, "method %s\n", verdict->method);
  if (verdict->answer == SMT_PROVED)
    text_printf(&text, "scope %s\n", verdict->scope == rule->scope ? "own" : "all");
  if (verdict->answer == SMT_REFUTED) put_numbers(&text, "values", rule, &verdict->values);
  if (verdict->has_overflow) put_numbers(&text, "overflow", rule, &verdict->overflow);
  return text.bytes;
}

/* The rest of the line that begins with `field`, or nullptr. */
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

/* Looks for a counterexample to a stored proof among small and large values. */
static bool is_refuted_again(Arena *arena, const Rule *rule, bool is_own_scope) {
  static constexpr uint32_t spans[] = {20, 1'000, 1'000'000};
  static constexpr uint32_t tries = 2'000;
  Rule narrow = is_own_scope ? rule_within_scope(arena, rule) : *rule;
  Sample *sample = ARENA_NEW(arena, Sample, 1);
  for (uint32_t i = 0; i < sizeof spans / sizeof *spans && !sample->is_refuted; i++)
    rule_sample(&narrow, 50 + i, tries, spans[i], sample);
  return sample->is_refuted;
}

static bool restore_proof(
    Arena *arena, const Rule *rule, const char *detail, RuleVerdict *verdict) {
  const char *scope = line_of(arena, detail, "scope");
  if (scope == nullptr || (strcmp(scope, "own") != 0 && strcmp(scope, "all") != 0)) return false;
  bool is_own = strcmp(scope, "own") == 0;
  if (is_own && rule->scope == nullptr) return false;
  if (is_refuted_again(arena, rule, is_own)) return false;
  verdict->scope = is_own ? rule->scope : "all values";
  verdict->has_overflow =
      take_numbers(line_of(arena, detail, "overflow"), rule, &verdict->overflow);
  return true;
}

/* Replays. The rule's own scope is part of what the values must satisfy. */
static bool restore_refutation(
    Arena *arena, const Rule *rule, const char *detail, RuleVerdict *verdict) {
  if (!take_numbers(line_of(arena, detail, "values"), rule, &verdict->values)) return false;
  for (uint32_t i = 0; i < rule->scope_count; i++) {
    int64_t value = verdict->values.constants[rule->scopes[i].letter];
    if (value < rule->scopes[i].lo || value > rule->scopes[i].hi) return false;
  }
  return rule_is_refuted_by(rule, &verdict->values);
}

/* Printable ASCII: a method is printed, and the entry may be anybody's. */
static bool is_plain(const char *text) {
  while (*text >= ' ' && *text <= '~') text++;
  return *text == 0;
}

static bool restore(Arena *arena, const Rule *rule, const StoreEntry *entry, RuleVerdict *verdict) {
  *verdict = (RuleVerdict){.answer = entry->answer, .scope = "all values", .text = ""};
  verdict->method = line_of(arena, entry->detail, "method");
  if (verdict->method == nullptr || !is_plain(verdict->method)) return false;
  bool restored = entry->answer == SMT_PROVED
                      ? restore_proof(arena, rule, entry->detail, verdict)
                      : restore_refutation(arena, rule, entry->detail, verdict);
  if (restored) verdict_describe(arena, rule, verdict);
  return restored;
}

static bool restore_stored(Store *store, Arena *arena, const Rule *rule, const char *key,
    RuleVerdict *verdict, Error *trouble) {
  StoreEntry entry = {};
  bool is_found = false;
  return store_find(store, arena, key, &is_found, &entry, trouble) && is_found &&
         restore(arena, rule, &entry, verdict);
}

bool prove_rule_stored(Store *store, Arena *arena, const Rule *rule, const ProveOptions *options,
    RuleVerdict *verdict, StoreUse *use, Error *error) {
  *use = (StoreUse){};
  assert(!options->skip_sampling && !options->only_proof);
  if (store == nullptr) return prove_rule(arena, rule, options, verdict, error);
  double start = 1e3 * clock_wall();
  const char *key = prove_store_key(arena, rule, options);
  bool is_fresh = options->want_obligations || options->want_explanation || options->want_trail;
  use->from_store = !is_fresh && restore_stored(store, arena, rule, key, verdict, &use->trouble);
  if (use->from_store) {
    verdict->milliseconds = 1e3 * clock_wall() - start;
    return true;
  }
  if (!prove_rule(arena, rule, options, verdict, error)) return false;
  bool is_kept =
      verdict->answer == SMT_UNKNOWN || store_is_read_only(store) ||
      store_put(store, key,
          &(StoreEntry){.answer = verdict->answer, .detail = detail_of(arena, rule, verdict)},
          &use->trouble);
  assert(is_kept || use->trouble.kind != ERROR_NONE);
  (void)is_kept;
  return true;
}
