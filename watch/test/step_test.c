/* The laws of a step that a proof decides are still readable after its proof is freed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/base/file.h"
#include "watch/step.h"

#define SUM(lines) \
  "HloModule m\n\nadd {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT s = f32[] add(x, y)\n}\n\n" \
  "ENTRY e {\n  a = f32[50000] parameter(0)\n  z = f32[] constant(0)\n" lines \
  "dimensions={0}, to_apply=add\n}\n"

static const char *write_text(
    Arena *arena, const char *directory, const char *side, const char *text) {
  Error error = {};
  const char *path = arena_printf(arena, "%s/%s.hlo", directory, side);
  if (!file_write(path, text, strlen(text), &error)) fail_msg("%s", error.message);
  return path;
}

/* Reuses and overwrites the freed memory. */
static void use_memory(void) {
  Arena *arena = arena_create();
  for (uint32_t i = 0; i < 64; i++) memset(ARENA_NEW(arena, char, 1 << 16), 'x', 1 << 16);
  arena_destroy(arena);
}

static void laws_outlive_their_proof(void **) {
  Arena *arena = arena_create();
  StepVerdict verdict;
  ValuesLimits limits = {.elements = 8'000, .grade = LAW_EXACT, .one_judge = true, .steps = 12'000};
  char directory[512];
  file_scratch(sizeof directory, directory, "step");
  assert_non_null(mkdtemp(directory));
  const char *before =
      write_text(arena, directory, "before", SUM("  ROOT r = f32[] reduce(a, z), "));
  const char *after = write_text(arena, directory, "after",
      SUM("  b = f32[200,250] reshape(a)\n"
          "  p = f32[200] reduce(b, z), dimensions={1}, to_apply=add\n  ROOT r = f32[] reduce(p, z), "));
  step_judge(arena, before, after, &limits, &verdict);
  use_memory();
  assert_int_equal(unlink(before) + unlink(after) + rmdir(directory), 0);
  assert_int_equal(verdict.answer, REASON_SAME_READS);
  assert_string_equal(verdict.judges, "smt");
  assert_non_null(verdict.values.laws);
  assert_non_null(strstr(verdict.values.laws, "add-associates-floating"));
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(laws_outlive_their_proof)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
