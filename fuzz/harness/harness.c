/* The harness lives as long as the process. Leak checkers reach it through the static pointer. */
#include "fuzz/harness/harness.h"

#include "core/base/freed_memory.h"
#include "core/base/hash.h"
#include "core/hlo/read/read.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static Harness *the_harness;
static bool forgets_texts;

static void print_values(const Harness *harness) {
  const uint64_t *answers = harness->answers;
  fprintf(stderr,
      "values: %llu the same, %llu the same reads, %llu the same on tries, %llu different, "
      "%llu unknown; %llu pairs of graphs that do not correspond\n",
      (unsigned long long)answers[REASON_EXACT], (unsigned long long)answers[REASON_SAME_READS],
      (unsigned long long)answers[REASON_TRIED], (unsigned long long)answers[REASON_DIFFERENT],
      (unsigned long long)answers[REASON_OPEN], (unsigned long long)harness->rejected);
}

static void print_answers(void) {
  const Harness *harness = the_harness;
  const uint64_t *answers = harness->answers;
  if (harness->compares_values) {
    print_values(harness);
    return;
  }
  if (answers[REASON_EXACT] + answers[REASON_TOO_LARGE] + harness->undefined + harness->rejected +
          harness->unequal ==
      0)
    return;
  fprintf(stderr,
      "questions: %llu exact, %llu over-approximation, %llu undefined; not judged: %llu too large, %llu unsupported, %llu rejected for overflow or a limit; "
      "%llu by a sample of values; by proof: %llu, and %llu unknown; findings in others: %llu; larger: %llu; judged before: %llu\n",
      (unsigned long long)answers[REASON_EXACT], (unsigned long long)answers[REASON_EXTRA],
      (unsigned long long)harness->undefined, (unsigned long long)answers[REASON_TOO_LARGE],
      (unsigned long long)answers[REASON_UNSUPPORTED], (unsigned long long)harness->rejected,
      (unsigned long long)harness->sampled, (unsigned long long)harness->proved,
      (unsigned long long)harness->unproved, (unsigned long long)harness->unequal,
      (unsigned long long)harness->larger, (unsigned long long)harness->repeated);
}

static Harness *harness_create(void) {
  atexit(print_answers);
  freed_memory_keep();
  Harness *harness = calloc(1, sizeof *harness);
  if (harness == nullptr) arena_out_of_memory(sizeof *harness);
  Error error = {};
  harness->context = map_context_create();
  harness->arena = arena_create();
  harness->simplifier = simplifier_create(harness->context, nullptr, &error);
  harness->indexer = harness->simplifier == nullptr
                         ? nullptr
                         : indexer_create(harness->context, harness->simplifier, &error);
  if (harness->indexer == nullptr) {
    error_print(&error, stderr);
    exit(3);
  }
  harness->oracle = oracle_create(
      harness->context, &(OracleLimits){.elements = 4096, .pairs = 1 << 15, .assignments = 16});
  harness->map_mark = map_context_mark(harness->context);
  harness->arena_mark = arena_mark(harness->arena);
  return harness;
}

Harness *harness_begin(void) {
  if (the_harness == nullptr) the_harness = harness_create();
  Harness *harness = the_harness;
  indexer_reset(harness->indexer);
  map_context_rewind(harness->context, harness->map_mark);
  arena_rewind(harness->arena, harness->arena_mark);
  harness->inputs++;
  return harness;
}

void harness_forget_texts(void) { forgets_texts = true; }

bool harness_is_new(Harness *harness, const char *text, size_t length) {
  static constexpr uint32_t most_seen = 1 << 14;
  static uint64_t seen[most_seen];
  uint64_t sum = checksum_bytes(checksum_start, text, length);
  uint64_t *slot = &seen[hash_mix(0, sum) % most_seen];
  bool is_new = forgets_texts || *slot != sum;
  if (!is_new) harness->repeated++;
  else *slot = sum;
  return is_new;
}

void harness_fail(FindingKind kind, const char *body, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "\n# fuzz_found_%s\n# note: ", finding_name(kind));
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fprintf(stderr, "\n%s\n", body);
  fflush(stderr);
  abort();
}

const char *harness_map_text(Harness *harness, const Map *map) {
  Text text = text_create(harness->arena);
  map_print(&text, harness->context, map, MAP_STYLE_LINE);
  return text.bytes;
}

const RuleSet *harness_rules(void) {
  static RuleSet rules;
  static Arena *arena;
  Error error = {};
  if (arena != nullptr) return &rules;
  arena = arena_create();
  if (!rules_engine(arena, &rules, &error)) harness_fail(FOUND_JUDGE, "", "%s", error.message);
  return &rules;
}

const Module *harness_module(Harness *harness, const char *text, size_t length, const char *what) {
  Source *source = ARENA_NEW(harness->arena, Source, 1);
  *source = (Source){.name = what, .text = text, .length = length, .first_line = 1};
  const Module *module;
  Error error = {};
  if (!hlo_read(harness->arena, source, &module, &error))
    harness_fail(FOUND_UNREADABLE, text, "%s: %s", what, error.message);
  return module;
}
