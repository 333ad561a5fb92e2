/* Texts of any depth in threads with small stacks: a result, or an error that the depth exceeds the
 * limit; the process never ends. */
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

#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || \
    __has_feature(thread_sanitizer)
static constexpr size_t kilobyte = 1 << 11; /* instrumented frames are larger */
#else
static constexpr size_t kilobyte = 1 << 10;
#endif

typedef struct Form {
  const char *begin, *open, *middle, *close, *end;
} Form;

static const Form maps[] = {
    {"(d0) -> (", "", "d0", " + d0 floordiv 3", "), domain: d0 in [0, 7]"},
    {"(d0) -> (", "(", "d0", " + 1) mod 9", "), domain: d0 in [0, 7]"},
    {"(d0) -> (", "(", "d0", " + 5) floordiv 2", "), domain: d0 in [0, 7]"},
    {"(d0) -> (", "d0 floordiv 3 + (d0 + ", "d0", ") * 1", "), domain: d0 in [0, 7]"},
    {"(d0) -> (", "-", "d0", "", "), domain: d0 in [0, 7]"},
    {"(d0) -> (d0), domain: d0 in [0, 7], ", "(", "d0", " mod 5 + 3)", " in [0, 9]"},
};

static char *print_form(const Form *form, uint32_t depth) {
  char *text = nullptr;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  fputs(form->begin, file);
  for (uint32_t i = 0; i < depth; i++) fputs(form->open, file);
  fputs(form->middle, file);
  for (uint32_t i = 0; i < depth; i++) fputs(form->close, file);
  fputs(form->end, file);
  fclose(file);
  return text;
}

typedef struct LibraryStackRun {
  uint32_t depth, taken, rejected;
} LibraryStackRun;

static void run_map(LibraryStackRun *run, const Form *form) {
  AffirmContext *context = affirm_context_create();
  AffirmVerdict verdict = {};
  char *text = print_form(form, run->depth);
  const AffirmMap *map = affirm_map_parse(context, "map", text);
  if (map == nullptr) {
    assert_non_null(strstr(affirm_error_text(context), "nested deeper"));
    run->rejected++;
  } else {
    const AffirmMap *simple = affirm_map_simplify(context, map, nullptr);
    if (simple != nullptr) (void)affirm_maps_same(context, map, simple, &verdict);
    assert_true(verdict.status != AFFIRM_REFUTED);
    assert_non_null(affirm_map_text(context, map));
    run->taken++;
  }
  affirm_context_destroy(context);
  free(text);
}

/* A chain of additions, and nested calls. */
static char *print_module(uint32_t depth, bool calls) {
  char *text = nullptr;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  fputs("HloModule m\nc0 {\n  a = s32[4] parameter(0)\n  ROOT b = s32[4] negate(a)\n}\n", file);
  for (uint32_t i = 1; calls && i <= depth; i++)
    fprintf(file, "c%u {\n  a = s32[4] parameter(0)\n  ROOT b = s32[4] call(a), to_apply=c%u\n}\n",
        i, i - 1);
  fputs("ENTRY e {\n  p0 = s32[4] parameter(0)\n", file);
  for (uint32_t i = 1; !calls && i <= depth; i++)
    fprintf(file, "  p%u = s32[4] add(p%u, p0)\n", i, i - 1);
  if (calls) fprintf(file, "  ROOT r = s32[4] call(p0), to_apply=c%u\n}\n", depth);
  else fprintf(file, "  ROOT r = s32[4] reverse(p%u), dimensions={0}\n}\n", depth);
  fclose(file);
  return text;
}

static void run_module(LibraryStackRun *run, bool calls) {
  AffirmContext *context = affirm_context_create();
  AffirmVerdict verdict = {};
  char *text = print_module(run->depth, calls);
  const AffirmModule *module = affirm_module_read(context, "m", text);
  if (module == nullptr) run->rejected++;
  else {
    AffirmQuestion question = {.instruction = affirm_module_find(context, module, "r")};
    const AffirmMaps *computed = affirm_maps_compute(context, &question);
    if (computed != nullptr) (void)affirm_maps_judge(context, &question, computed, &verdict);
    assert_true(verdict.status != AFFIRM_REFUTED);
    (void)affirm_modules_equivalent(context, module, module, AFFIRM_LAWS_EXACT, 0, &verdict);
    assert_true(verdict.status != AFFIRM_REFUTED);
    run->taken++;
  }
  affirm_context_destroy(context);
  free(text);
}

/* Two modules that differ at the end of a chain, so that inputs are tried. */
static char *print_chain(uint32_t depth, const char *last) {
  char *text = nullptr;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  fputs("HloModule m\nENTRY e {\n  p0 = f32[4] parameter(0)\n", file);
  for (uint32_t i = 1; i <= depth; i++) fprintf(file, "  p%u = f32[4] sine(p%u)\n", i, i - 1);
  fprintf(file, "  ROOT r = f32[4] %s\n}\n", last);
  fclose(file);
  return text;
}

static void run_chains(LibraryStackRun *run) {
  AffirmContext *context = affirm_context_create();
  AffirmVerdict verdict = {};
  char last[64];
  snprintf(last, sizeof last, "reverse(p%u), dimensions={0}", run->depth);
  char *before = print_chain(run->depth, last);
  snprintf(last, sizeof last, "negate(p%u)", run->depth);
  char *after = print_chain(run->depth, last);
  const AffirmModule *first = affirm_module_read(context, "m", before),
                     *second = affirm_module_read(context, "m", after);
  if (first == nullptr || second == nullptr) run->rejected++;
  else {
    (void)affirm_modules_equivalent(context, first, second, AFFIRM_LAWS_EXACT, 0, &verdict);
    assert_true(verdict.status != AFFIRM_PROVED);
    run->taken++;
  }
  affirm_context_destroy(context);
  free(before);
  free(after);
}

static void *run_all(void *state) {
  LibraryStackRun *run = state;
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) run_map(run, &maps[i]);
  run_module(run, false);
  run_module(run, true);
  run_chains(run);
  return nullptr;
}

static LibraryStackRun run_on_stack(size_t kilobytes, uint32_t depth) {
  LibraryStackRun run = {.depth = depth};
  pthread_attr_t attributes;
  pthread_t thread;
  assert_int_equal(pthread_attr_init(&attributes), 0);
  assert_int_equal(pthread_attr_setstacksize(&attributes, kilobytes * kilobyte), 0);
  assert_int_equal(pthread_create(&thread, &attributes, run_all, &run), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  return run;
}

static void what_a_stack_does_not_hold_is_rejected(void **) {
  static const size_t kilobytes[] = {192, 256, 512, 1024, 4096};
  static const uint32_t depths[] = {20, 60, 200, 700, 3000, 11000};
  for (size_t i = 0; i < sizeof kilobytes / sizeof *kilobytes; i++)
    for (size_t k = 0; k < sizeof depths / sizeof *depths; k++) {
      LibraryStackRun run = run_on_stack(kilobytes[i], depths[k]);
      assert_int_equal(run.taken + run.rejected, sizeof maps / sizeof *maps + 3);
      if (depths[k] == 20) assert_int_equal(run.rejected, 0);
      if (kilobytes[i] == 4096 && depths[k] <= 700) assert_int_equal(run.rejected, 0);
      if (kilobytes[i] <= 512 && depths[k] >= 3000) assert_true(run.rejected >= 4);
    }
}

/* Scatters of many rows onto few elements: terms that are far deeper than the graph. */
static char *print_scatters(
    uint32_t count, const char *type, const char *function, const char *last) {
  static constexpr int rows = 400;
  char *text = nullptr;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  fprintf(file,
      "HloModule m\nf {\n  a = %s[] parameter(0)\n  b = %s[] parameter(1)\n"
      "  ROOT c = %s[] %s(a, b)\n}\nENTRY e {\n  p0 = %s[2] parameter(0)\n"
      "  u = %s[%d] parameter(1)\n  i = s32[%d,1] parameter(2)\n",
      type, type, type, function, type, type, rows, rows);
  for (uint32_t i = 1; i <= count; i++)
    fprintf(file,
        "  p%u = %s[2] scatter(p%u, i, u), update_window_dims={}, inserted_window_dims={0}, "
        "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=f\n",
        i, type, i - 1);
  fprintf(file, "  c = %s[2] constant({%s})\n  ROOT r = %s[2] add(p%u, c)\n}\n", type, last, type,
      count);
  fclose(file);
  return text;
}

/* The same in the function of a map. */
static char *print_mapped_scatters(uint32_t count, const char *last) {
  char *text = nullptr;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  fputs("HloModule m\nf {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
        "  ROOT c = f32[] add(a, b)\n}\ng {\n  a = f32[] parameter(0)\n  k = s32[] parameter(1)\n"
        "  p0 = f32[2] broadcast(a), dimensions={}\n  u = f32[400] broadcast(a), dimensions={}\n"
        "  i = s32[400,1] broadcast(k), dimensions={}\n",
      file);
  for (uint32_t i = 1; i <= count; i++)
    fprintf(file,
        "  p%u = f32[2] scatter(p%u, i, u), update_window_dims={}, inserted_window_dims={0}, "
        "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=f\n",
        i, i - 1);
  fprintf(file,
      "  x = f32[1] slice(p%u), slice={[0:1]}\n  y = f32[] reshape(x)\n  c = f32[] constant(%s)\n"
      "  ROOT r = f32[] add(y, c)\n}\nENTRY e {\n  p = f32[3] parameter(0)\n"
      "  q = s32[3] parameter(1)\n  ROOT r = f32[3] map(p, q), dimensions={0}, to_apply=g\n}\n",
      count, last);
  fclose(file);
  return text;
}

/* A sort whose comparison maps a map of a map of a chain, each `count` times. */
static char *print_compared(uint32_t count, const char *direction) {
  char *text = nullptr;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  fputs("HloModule m\n", file);
  for (uint32_t level = 0; level < 4; level++) {
    fprintf(file, "f%u {\n  p0 = s32[] parameter(0)\n  k = s32[] parameter(1)\n", level);
    for (uint32_t i = 1; i <= count; i++)
      if (level == 0)
        fprintf(file, "  p%u = s32[] %s(p%u, k)\n", i, i % 2 == 0 ? "xor" : "add", i - 1);
      else
        fprintf(
            file, "  p%u = s32[] map(p%u, k), dimensions={}, to_apply=f%u\n", i, i - 1, level - 1);
    if (level < 3) fprintf(file, "  ROOT r = s32[] add(p%u, k)\n}\n", count);
    else fprintf(file, "  ROOT r = pred[] compare(p%u, k), direction=%s\n}\n", count, direction);
  }
  fputs("ENTRY e {\n  p = s32[3] parameter(0)\n"
        "  ROOT r = s32[3] sort(p), dimensions={0}, is_stable=true, to_apply=f3\n}\n",
      file);
  fclose(file);
  return text;
}

typedef struct Scatters {
  const char *type, *functions[2], *last[2];
} Scatters;

/* Two modules that are not the same; frees their texts. */
static void ask_about_two(char *texts[2]) {
  AffirmContext *context = affirm_context_create();
  AffirmVerdict verdict = {};
  const AffirmModule *modules[2];
  for (int side = 0; side < 2; side++) {
    modules[side] = affirm_module_read(context, "m", texts[side]);
    assert_non_null(modules[side]);
  }
  (void)affirm_modules_equivalent(context, modules[0], modules[1], AFFIRM_LAWS_FAST, 0, &verdict);
  assert_true(verdict.status != AFFIRM_PROVED);
  affirm_context_destroy(context);
  for (int side = 0; side < 2; side++) free(texts[side]);
}

static void *run_deep_terms(void *) {
  static const Scatters pairs[] = {{"f32", {"add", "add"}, {"1, 1", "2, 2"}},
      {"f32", {"add", "multiply"}, {"1, 1", "1, 1"}},
      {"s32", {"maximum", "maximum"}, {"1, 1", "2, 2"}},
      {"s32", {"maximum", "minimum"}, {"1, 1", "1, 1"}},
      {"s32", {"add", "subtract"}, {"1, 1", "1, 1"}}};
  static const uint32_t counts[] = {1, 4, 20};
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
    char *mapped[2] = {
        print_mapped_scatters(counts[k], "1"), print_mapped_scatters(counts[k], "2")};
    ask_about_two(mapped);
    char *compared[2] = {print_compared(counts[k], "LT"), print_compared(counts[k], "GT")};
    ask_about_two(compared);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
      char *texts[2];
      for (int side = 0; side < 2; side++)
        texts[side] =
            print_scatters(counts[k], pairs[i].type, pairs[i].functions[side], pairs[i].last[side]);
      ask_about_two(texts);
    }
  }
  return nullptr;
}

static void terms_deeper_than_the_graph_are_rejected(void **) {
  static const size_t kilobytes[] = {192, 512};
  for (size_t i = 0; i < sizeof kilobytes / sizeof *kilobytes; i++) {
    pthread_attr_t attributes;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, kilobytes[i] * kilobyte), 0);
    assert_int_equal(pthread_create(&thread, &attributes, run_deep_terms, nullptr), 0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_a_stack_does_not_hold_is_rejected),
      cmocka_unit_test(terms_deeper_than_the_graph_are_rejected)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
