/* Test support: graphs read from their texts, and the verdict about the values of the first leaf of
 * two graphs. Include it after cmocka.h; test_arena.h's arena owns the graphs. */
#ifndef SMT_VALUES_TEST_VALUES_STATUS_H
#define SMT_VALUES_TEST_VALUES_STATUS_H

#include <string.h>

#include "core/base/test/test_arena.h"
#include "core/hlo/read/read.h"
#include "smt/smt.h"

static inline const Computation *values_entry(const char *text) {
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = (Source){.name = "graph", .text = text, .length = strlen(text), .first_line = 1};
  const Module *module;
  Error error = {};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s\n%s", text, error.message);
  return module->entry;
}

static inline VerdictStatus values_status(
    const Computation *before, const Computation *after, LawGrade grade) {
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, nullptr);
  SmtValues *values = smt_values_create(smt, before, after, grade);
  Verdict verdict;
  Error error = {};
  assert_true(smt_values_query(values, 0, &verdict, &error));
  smt_values_destroy(values);
  smt_destroy(smt);
  map_context_destroy(context);
  return verdict.status;
}

#endif
