/* Fusions of so many or such long paths that one map covers them. */

#include "core/base/test/length.h"
#include "core/index/test/test_bench.h"

static const char *fusion_of(Arena *arena, const char *body) {
  return arena_printf(arena,
      "f {\n x0 = f32[64,64] parameter(0)\n z = f32[] constant(0)\n%s}\nENTRY e {\n p = f32[64,64] parameter(0)\n"
      " ROOT r = f32[64,64] fusion(p), kind=kLoop, calls=f\n}\n",
      body);
}

/* A shift and a shuffle of x, added, `depth` times: 2^depth paths, nearly all different. */
static const char *shuffles(Arena *arena, uint32_t depth) {
  Text text = text_create(arena);
  for (uint32_t i = 0; i < depth; i++)
    text_printf(&text,
        " a%u = f32[64,64] pad(x%u, z), padding=%u_-%ux0_0\n r%u = f32[4096] reshape(x%u)\n v%u = f32[4096] reverse(r%u), dimensions={0}\n"
        " t%u = f32[16,256] reshape(v%u)\n y%u = f32[256,16] transpose(t%u), dimensions={1,0}\n b%u = f32[64,64] reshape(y%u)\n"
        " %sx%u = f32[64,64] add(a%u, b%u)\n",
        i, i, i % 50 + 1, i % 50 + 1, i, i, i, i, i, i, i, i, i, i, i + 1 == depth ? "ROOT " : "",
        i + 1, i, i);
  return fusion_of(arena, text.bytes);
}

/* One path that no rule shortens. */
static const char *unsimple_chain(Arena *arena, uint32_t depth) {
  Text text = text_create(arena);
  for (uint32_t i = 0; i < depth; i++)
    text_printf(&text,
        " a%u = f32[67,63] pad(x%u, z), padding=0_3x0_-1\n u%u = f32[63,67] reshape(a%u)\n w%u = f32[67,63] transpose(u%u), dimensions={1,0}\n"
        " %sx%u = f32[64,64] pad(w%u, z), padding=0_-3x0_1\n",
        i, i, i, i, i, i, i + 1 == depth ? "ROOT " : "", i + 1, i);
  return fusion_of(arena, text.bytes);
}

static void check_covered(const char *text, bool simplify, const char *reason) {
  IndexFixture bench = bench_open(text, simplify);
  for (int forward = 0; forward < 2; forward++) {
    MapSet maps = query_of(&bench, root_of(&bench), forward, 0, 0, 0);
    assert_int_equal(maps.claim, INDEX_OVER_APPROXIMATION);
    assert_non_null(strstr(maps.reason, reason));
    assert_int_equal(maps.count, 1);
    assert_true(arena_bytes(bench.context->arena) < (size_t)256 << 20);
  }
  bench_close(&bench);
}

static void check_followed(const char *text) {
  IndexFixture bench = bench_open(text, true);
  for (int forward = 0; forward < 2; forward++) {
    MapSet maps = query_of(&bench, root_of(&bench), forward, 0, 0, 0);
    assert_int_equal(maps.claim, INDEX_EXACT);
    assert_int_equal(maps.count, 1);
  }
  bench_close(&bench);
}

static void paths_that_multiply_are_covered(void **) {
  Arena *arena = arena_create();
  check_covered(shuffles(arena, test_length(40, 12, 9)), true, "more than 256 maps");
  if (test_is_brief()) {
    print_message("skipped: a simplified path past the limit, which takes most of the time\n");
    check_followed(unsimple_chain(arena, 10));
    check_covered(unsimple_chain(arena, 50), false, "past the limit");
  } else check_covered(unsimple_chain(arena, 400), true, "past the limit");
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(paths_that_multiply_are_covered),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
