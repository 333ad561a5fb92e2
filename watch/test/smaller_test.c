/* Two different modules are reduced and stay different; two equal modules are not reduced. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/hlo/read/read.h"
#include "judge/graphs/equiv_open.h"
#include "watch/smaller.h"

#define BEGIN \
  "HloModule m\n\nENTRY e {\n  a = f32[2,3] parameter(0)\n  b = f32[2,3] parameter(1)\n" \
  "  i = s32[] parameter(2)\n  c = f32[2,3] multiply(a, b)\n  d = f32[2,3] exponential(c)\n"
#define END "  ROOT t = (f32[2,3], f32[2,3]) tuple(c, y)\n}\n"

static const Module *read_module(Arena *arena, const char *text) {
  Source *source = ARENA_NEW(arena, Source, 1);
  const Module *module = nullptr;
  Error error = {};
  *source = (Source){.name = "m", .text = text, .length = strlen(text), .first_line = 1};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s", error.message);
  return module;
}

static bool differ(Arena *arena, const char *const texts[2]) {
  EquivValues values;
  ValuesVerdict verdict;
  Error error = {};
  if (!equiv_values_create(arena, read_module(arena, texts[0]), read_module(arena, texts[1]),
          nullptr, &values, &error))
    return false;
  equiv_values_query(&values, 0, &verdict);
  return verdict.answer == REASON_DIFFERENT;
}

static void exchanged_operands_are_what_is_left(void **state) {
  (void)state;
  Arena *arena = arena_create();
  Smaller smaller;
  const Module *before = read_module(
                   arena, BEGIN "  x = f32[2,3] subtract(d, a)\n  y = f32[2,3] negate(x)\n" END),
               *after = read_module(
                   arena, BEGIN "  x = f32[2,3] subtract(a, d)\n  y = f32[2,3] negate(x)\n" END);
  assert_true(smaller_find(arena, before, after, 1, nullptr, 30, &smaller));
  assert_int_equal(smaller.instructions, 2);
  if (!differ(arena, smaller.texts)) fail_msg("the small modules do not differ");
  arena_destroy(arena);
}

static void equal_modules_are_not_made_small(void **state) {
  (void)state;
  Arena *arena = arena_create();
  Smaller smaller;
  const Module *before = read_module(arena, BEGIN "  y = f32[2,3] add(a, d)\n" END),
               *after = read_module(arena, BEGIN "  y = f32[2,3] add(d, a)\n" END);
  if (smaller_find(arena, before, after, 1, nullptr, 30, &smaller))
    fail_msg("modules that are the same on all tries were made small");
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exchanged_operands_are_what_is_left),
      cmocka_unit_test(equal_modules_are_not_made_small),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
