/* The harness lives as long as the process; leak checkers reach it through the static pointer. */
#include "fuzz/harness.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static Harness *the_harness;

static void print_answers(void) {
  const uint64_t *answers = the_harness->answers;
  if (answers[ORACLE_EXACT] + the_harness->undefined + the_harness->refused == 0) return;
  fprintf(stderr, "questions: %llu exact, %llu covering, %llu undefined; not judged: %llu too large, %llu unsupported, %llu refused for overflow or a limit; %llu by a sample of values\n",
          (unsigned long long)answers[ORACLE_EXACT], (unsigned long long)answers[ORACLE_COVERING],
          (unsigned long long)the_harness->undefined, (unsigned long long)answers[ORACLE_TOO_LARGE],
          (unsigned long long)answers[ORACLE_UNSUPPORTED], (unsigned long long)the_harness->refused, (unsigned long long)the_harness->sampled);
}

static Harness *create(void) {
  atexit(print_answers);
  Harness *harness = calloc(1, sizeof *harness);
  if (harness == nullptr) arena_out_of_memory(sizeof *harness);
  Error error = {};
  harness->context = map_context_create();
  harness->arena = arena_create();
  harness->simplifier = simplifier_create(harness->context, nullptr, &error);
  harness->indexer = harness->simplifier == nullptr ? nullptr : indexer_create(harness->context, harness->simplifier, &error);
  if (harness->indexer == nullptr) {
    error_print(&error, stderr);
    exit(3);
  }
  harness->oracle = oracle_create(harness->context, &(OracleLimits){.elements = 4096, .pairs = 1 << 18, .assignments = 16});
  harness->map_mark = map_context_mark(harness->context);
  harness->arena_mark = arena_mark(harness->arena);
  return harness;
}

Harness *harness_begin(void) {
  if (the_harness == nullptr) the_harness = create();
  Harness *harness = the_harness;
  indexer_reset(harness->indexer);
  map_context_rewind(harness->context, harness->map_mark);
  arena_rewind(harness->arena, harness->arena_mark);
  return harness;
}

void harness_fail(const char *kind, const char *body, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "\n# fuzz_found_%s\n# note: ", kind);
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
