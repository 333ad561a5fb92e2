/* Maps with thousands of variables. A sum of all variables is proved, because its prefixes are not
 * created. Inherently quadratic terms (nested remainders, each of all before it) are reported as
 * too large. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/text.h"
#include "core/map/text.h"
#include "smt/smt.h"

/* (d0, d1, ..) -> (RESULT), domain: d0 in [0, 3], .. */
static const Map *map_of(MapContext *context, uint32_t count, const char *result) {
  Text text = text_create(context->arena);
  for (uint32_t i = 0; i < count; i++) text_printf(&text, "%sd%u", i == 0 ? "(" : ", ", i);
  text_printf(&text, ") -> (%s), domain: ", result);
  for (uint32_t i = 0; i < count; i++) text_printf(&text, "%sd%u in [0, 3]", i == 0 ? "" : ", ", i);
  Source source = {
      .name = "many", .text = text.bytes, .length = strlen(text.bytes), .first_line = 1};
  const Map *map = nullptr;
  Error error = {};
  if (!map_parse(context, &source, &map, &error)) fail_msg("%s", error.message);
  return map;
}

/* BEFORE d0 BETWEEN d1 AFTER BETWEEN d2 AFTER ..; in reverse order if `backwards`. */
static const char *chain_of(MapContext *context, uint32_t count, bool backwards, const char *before,
    const char *between, const char *after) {
  Text text = text_create(context->arena);
  for (uint32_t i = 1; i < count; i++) text_string(&text, before);
  for (uint32_t i = 0; i < count; i++)
    text_printf(&text, "%sd%u%s", i == 0 ? "" : between, backwards ? count - 1 - i : i,
        i == 0 ? "" : after);
  return text.bytes;
}

static void many_variables_query(uint32_t count, const char *before, const char *between,
    const char *after, VerdictStatus answer, const char *words) {
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, nullptr);
  Verdict verdict;
  Error error = {};
  const Map *first =
      map_of(context, count, chain_of(context, count, false, before, between, after));
  const Map *second = map_of(
      context, count, chain_of(context, count, answer == VERDICT_PROVED, before, between, after));
  assert_true(smt_same_map(smt, first, second, &verdict, &error));
  if (verdict.status != answer || strstr(verdict_text(&verdict), words) == nullptr)
    fail_msg("%u variables: %s", count, verdict_text(&verdict));
  smt_destroy(smt);
  map_context_destroy(context);
}

static void sums_of_all_variables(void **) {
  many_variables_query(4000, "", " + ", "", VERDICT_PROVED, "");
}

static void remainders_of_remainders(void **) {
  many_variables_query(
      3000, "(", " + ", ") mod 7", VERDICT_UNKNOWN, "too large: sums of more than");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_of_all_variables), cmocka_unit_test(remainders_of_remainders)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
