/* Eight contexts in eight threads give the results of a single context. ThreadSanitizer is run on
 * this program by hand (CONTRIBUTING.md). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/affirm.h"

static constexpr uint32_t thread_count = 8, rounds = 6;

static const char module_text[] =
    "HloModule m\nENTRY e {\n  p = f32[6,4] parameter(0)\n  q = f32[4,5] parameter(1)\n"
    "  d = f32[6,5] dot(p, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
    "  ROOT r = f32[5,6] transpose(d), dimensions={1,0}\n}\n";
static const char rule_text[] = "rule r\n  (x mod (a*b)) floordiv a => (x floordiv a) mod b\n"
                                "  when a > 0, b > 0\n";

/* The library's output for some texts, as one text. GIVE. */
static char *printed(uint32_t round) {
  char *text = calloc(1, 4096);
  FILE *file = fmemopen(text, 4096, "w");
  AffirmContext *context = affirm_context_create();
  AffirmVerdict verdict = {};
  char map_text[128];
  snprintf(map_text, sizeof map_text,
      "(d0) -> ((d0 * 6 + %u) floordiv 3 mod 8), domain: d0 in [0, 9]", round);
  const AffirmMap *map = affirm_map_parse(context, "map", map_text);
  const AffirmMap *simple = affirm_map_simplify(context, map, nullptr);
  (void)affirm_maps_same(context, map, simple, &verdict);
  fprintf(file, "%s %s %s\n", affirm_map_text(context, simple), verdict.verdict, verdict.text);
  const AffirmModule *module = affirm_module_read(context, "m", module_text);
  for (uint32_t operand = 0; operand < 2; operand++) {
    AffirmQuestion question = {
        .instruction = affirm_module_find(context, module, "d"), .operand = operand};
    const AffirmMaps *maps = affirm_maps_compute(context, &question);
    (void)affirm_maps_judge(context, &question, maps, &verdict);
    fprintf(file, "%s %s %s\n", affirm_map_text(context, affirm_maps_at(context, maps, 0)),
        verdict.verdict, verdict.text);
  }
  const AffirmRules *rules = affirm_rules_parse(context, "rules", rule_text);
  (void)affirm_rule_prove(context, rules, 0, &verdict);
  fprintf(file, "%s %s\n", verdict.verdict, verdict.text);
  (void)affirm_modules_equivalent(context, module, module, AFFIRM_LAWS_EXACT, 0, &verdict);
  fprintf(file, "%s\n", verdict.verdict);
  (void)affirm_map_parse(context, "bad", "(d0");
  fprintf(file, "%s", affirm_error_text(context));
  affirm_context_destroy(context);
  fclose(file);
  return text;
}

static char *expected[rounds];

static void *thread_run(void *) {
  uintptr_t different = 0;
  for (uint32_t i = 0; i < rounds; i++) {
    char *text = printed(i);
    different += strcmp(text, expected[i]) != 0;
    free(text);
  }
  return (void *)different;
}

static void eight_contexts_give_what_one_gives(void **) {
  pthread_t threads[thread_count];
  for (uint32_t i = 0; i < rounds; i++) {
    expected[i] = printed(i);
    assert_non_null(strstr(expected[i], "proved"));
    assert_non_null(strstr(expected[i], "exact"));
    assert_non_null(strstr(expected[i], "same values"));
    assert_non_null(strstr(expected[i], "bad:1:4: error:"));
  }
  for (uint32_t i = 0; i < thread_count; i++)
    assert_int_equal(pthread_create(&threads[i], nullptr, thread_run, nullptr), 0);
  for (uint32_t i = 0; i < thread_count; i++) {
    void *different;
    assert_int_equal(pthread_join(threads[i], &different), 0);
    assert_int_equal((uintptr_t)different, 0);
  }
  for (uint32_t i = 0; i < rounds; i++) free(expected[i]);
}

/* The stack of a thread is set by its creator: the deepest accepted texts must fit 8 MB. */
static void *deepest(void *) {
  static constexpr size_t depth = 11'000;
  size_t length = 0;
  char *text = malloc(16 * depth + 100);
  length += (size_t)sprintf(text, "(d0) -> (");
  for (size_t i = 0; i < depth; i++) length += (size_t)sprintf(text + length, "(");
  length += (size_t)sprintf(text + length, "d0");
  for (size_t i = 0; i < depth; i++) length += (size_t)sprintf(text + length, " mod 9)");
  sprintf(text + length, "), domain: d0 in [0, 99]");
  AffirmContext *context = affirm_context_create();
  const AffirmMap *map = affirm_map_parse(context, "deep", text);
  const char *once = affirm_map_text(context, map);
  (void)affirm_map_simplify(context, map, nullptr);
  (void)affirm_maps_same(context, map, map, nullptr);
  bool is_read = map != nullptr && once != nullptr;
  if (!is_read) fprintf(stderr, "%s", affirm_error_text(context));
  affirm_context_destroy(context);
  free(text);
  return is_read ? text : nullptr;
}

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
static constexpr size_t usual_stack = (size_t)64 << 20; /* frames are several times as large */
#else
static constexpr size_t usual_stack = (size_t)8 << 20;
#endif

static void deepest_texts_fit_a_usual_stack(void **) {
  pthread_attr_t attributes;
  pthread_t thread;
  void *result;
  assert_int_equal(pthread_attr_init(&attributes), 0);
  assert_int_equal(pthread_attr_setstacksize(&attributes, usual_stack), 0);
  assert_int_equal(pthread_create(&thread, &attributes, deepest, nullptr), 0);
  assert_int_equal(pthread_join(thread, &result), 0);
  pthread_attr_destroy(&attributes);
  assert_non_null(result);
}

static int find_solver(struct dl_phdr_info *info, size_t, void *found) {
  if (strstr(info->dlpi_name, "libz3") == nullptr) return 0;
  *(void **)found = dlopen(info->dlpi_name, RTLD_NOW | RTLD_NOLOAD);
  return 1;
}

/* The limit of the solver's memory is set before the first proof only: a host can change it. */
static void solver_limit_of_the_host_stays(void **) {
  void *solver = nullptr;
  const char *limit = nullptr;
  free(printed(0));
  dl_iterate_phdr(find_solver, &solver);
  if (solver == nullptr) skip();
  void (*set)(const char *, const char *) =
      (void (*)(const char *, const char *))dlsym(solver, "Z3_global_param_set");
  bool (*get)(const char *, const char **) =
      (bool (*)(const char *, const char **))dlsym(solver, "Z3_global_param_get");
  set("memory_max_size", "3000");
  free(printed(0));
  assert_true(get("memory_max_size", &limit));
  assert_string_equal(limit, "3000");
  dlclose(solver);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(eight_contexts_give_what_one_gives),
      cmocka_unit_test(deepest_texts_fit_a_usual_stack),
      cmocka_unit_test(solver_limit_of_the_host_stays),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
