/* How often a computation runs while another one runs once, against the number of paths of calls
 * from one to the other, for all pairs of computations of random modules. */

#include "core/base/test/length.h"
#include "core/index/ops/runs.h"
#include "core/index/test/test_bench.h"

static constexpr uint32_t most_called = 7;

static uint64_t runs_draws;

static uint32_t drawn_below(uint32_t limit) {
  runs_draws = runs_draws * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)((runs_draws >> 33) % limit);
}

/* Appends v<i>, computed from v<i-1> by one of f0 to f<callees-1>. */
static void random_call(Text *text, uint32_t i, uint32_t callees) {
  uint32_t f = drawn_below(callees), g = drawn_below(callees);
  switch (drawn_below(6)) {
    case 0:
      text_printf(text, "v%u = f32[] while(v%u), condition=yes, body=f%u\n", i, i - 1, f);
      break;
    case 1:
      text_printf(text,
          "v%u = f32[] conditional(p, v%u, v%u), true_computation=f%u, false_computation=f%u\n", i,
          i - 1, i - 1, f, g);
      break;
    case 2:
      text_printf(text, "v%u = f32[] fusion(v%u), kind=kLoop, calls=f%u\n", i, i - 1, f);
      break;
    default: text_printf(text, "v%u = f32[] call(v%u), to_apply=f%u\n", i, i - 1, f); break;
  }
}

static const char *random_calls(Arena *arena) {
  Text text = text_create(arena);
  text_printf(&text, "yes {\nx = f32[] parameter(0)\nROOT c = pred[] constant(true)\n}\n");
  for (uint32_t k = 0; k <= most_called; k++) {
    text_printf(&text, k < most_called ? "f%u {\n" : "ENTRY e%u {\n", k);
    text_printf(&text, "v0 = f32[] parameter(0)\np = pred[] constant(false)\n");
    uint32_t calls = k == 0 ? 0 : drawn_below(3);
    for (uint32_t i = 1; i <= calls; i++) random_call(&text, i, k);
    text_printf(&text, "ROOT r = f32[] negate(v%u)\n}\n", calls);
  }
  return text.bytes;
}

/* The number of paths of calls; each stands for 2 if a loop or a branch is on it. */
static uint32_t paths_to(const Computation *inside, const Computation *wanted) {
  uint32_t paths = 0;
  for (uint32_t i = 0; i < inside->instruction_count; i++) {
    const Instruction *by = inside->instructions[i];
    uint32_t each = by->opcode == HLO_WHILE || by->opcode == HLO_CONDITIONAL ? 2 : 1;
    for (uint32_t k = 0; k < by->called_count; k++)
      paths += each * ((by->called[k] == wanted) + paths_to(by->called[k], wanted));
  }
  return paths;
}

static void a_computation_runs_as_often_as_there_are_paths_to_it(void **) {
  uint32_t several = 0, once = 0;
  for (uint32_t seed = 0; seed < test_length(2000, 500, 100); seed++) {
    runs_draws = seed;
    Arena *arena = arena_create(), *scratch = arena_create();
    const Module *module = read_module(arena, random_calls(arena));
    for (uint32_t i = 0; i < module->computation_count; i++)
      for (uint32_t k = 0; k < module->computation_count; k++) {
        const Computation *inside = module->computations[i], *wanted = module->computations[k];
        uint32_t paths = paths_to(inside, wanted);
        assert_int_equal(runs_several_times(scratch, inside, wanted), paths > 1);
        several += paths > 1;
        once += paths == 1;
      }
    arena_destroy(scratch);
    arena_destroy(arena);
  }
  assert_true(several > once && once > 100);
}

/* Each of 64 computations calls the next one twice, and none calls the one that is asked about. */
static void a_computation_is_counted_once_however_many_paths_lead_to_it(void **) {
  Arena *arena = arena_create(), *scratch = arena_create();
  Text text = text_create(arena);
  text_printf(
      &text, "f0 {\nROOT x = f32[] parameter(0)\n}\nother {\nROOT x = f32[] parameter(0)\n}\n");
  for (uint32_t k = 1; k <= 64; k++)
    text_printf(&text,
        k < 64
            ? "f%u {\nx = f32[] parameter(0)\na = f32[] call(x), to_apply=f%u\nROOT b = f32[] call(a), to_apply=f%u\n}\n"
            : "ENTRY f%u {\nx = f32[] parameter(0)\na = f32[] call(x), to_apply=f%u\nROOT b = f32[] call(a), to_apply=f%u\n}\n",
        k, k - 1, k - 1);
  const Module *module = read_module(arena, text.bytes);
  assert_false(runs_several_times(scratch, module->entry, module->computations[1]));
  assert_true(runs_several_times(scratch, module->entry, module->computations[0]));
  arena_destroy(scratch);
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_computation_runs_as_often_as_there_are_paths_to_it),
      cmocka_unit_test(a_computation_is_counted_once_however_many_paths_lead_to_it),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
