/* A claim that is proved about one output must not be reused for another: for another operation,
 * leaf, call, index or operand. The first output of each pair is the same in both graphs and is
 * asked first, so that its claims are known when the second output is asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/test/length.h"
#include "core/base/test/test_arena.h"
#include "core/hlo/read/read.h"
#include "smt/smt.h"

typedef struct ClaimRow {
  const char *name, *before, *after;
} ClaimRow;

#define HEAD \
  "HloModule m\n" \
  "f { x = f32[8] parameter(0) ROOT n = f32[8] negate(x) }\n" \
  "g { x = f32[8] parameter(0) y = f32[8] parameter(1) ROOT n = f32[8] subtract(x, y) }\n" \
  "lt { a = f32[] parameter(0) b = f32[] parameter(1) c = f32[] parameter(2) d = f32[] parameter(3) ROOT r = pred[] compare(a, b), direction=LT }\n" \
  "add { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] add(x, y) }\n" \
  "ENTRY e { a = f32[8] parameter(0) b = f32[8] parameter(1) z = f32[] constant(0) o = f32[] constant(1)\n"
#define BOTH(type, x, y) "ROOT r = (" type ", " type ") tuple(" x ", " y ") }"
#define LINE(name, text) name " = f32[8] " text "\n"

static const ClaimRow rows[] = {
    {"another_operand", HEAD LINE("p", "negate(a)") LINE("q", "negate(b)") BOTH("f32[8]", "p", "q"),
        HEAD LINE("p", "negate(a)") LINE("q", "negate(a)") BOTH("f32[8]", "p", "q")},
    {"another_operation", HEAD LINE("p", "sine(a)") LINE("q", "cosine(a)") BOTH("f32[8]", "p", "q"),
        HEAD LINE("p", "sine(a)") LINE("q", "sine(a)") BOTH("f32[8]", "p", "q")},
    {"one_of_two_that_was_proved",
        HEAD LINE("p", "negate(a)") LINE("q", "negate(b)") BOTH("f32[8]", "p", "q"),
        HEAD LINE("p", "negate(a)") LINE("q", "negate(b)") BOTH("f32[8]", "p", "p")},
    {"exchanged_operands",
        HEAD LINE("p", "subtract(a, b)") LINE("q", "subtract(a, b)") BOTH("f32[8]", "p", "q"),
        HEAD LINE("p", "subtract(a, b)") LINE("q", "subtract(b, a)") BOTH("f32[8]", "p", "q")},
    {"another_call",
        HEAD LINE("p", "call(a), to_apply=f") LINE("q", "call(b), to_apply=f")
            BOTH("f32[8]", "p", "q"),
        HEAD LINE("p", "call(a), to_apply=f") LINE("q", "call(a), to_apply=f")
            BOTH("f32[8]", "p", "q")},
    {"a_call_with_exchanged_arguments",
        HEAD LINE("p", "call(a, b), to_apply=g") LINE("q", "call(a, b), to_apply=g")
            BOTH("f32[8]", "p", "q"),
        HEAD LINE("p", "call(a, b), to_apply=g") LINE("q", "call(b, a), to_apply=g")
            BOTH("f32[8]", "p", "q")},
    {"another_leaf",
        HEAD
        "s = (f32[8], f32[8]) sort(a, b), dimensions={0}, to_apply=lt\n"
        "p = f32[8] get-tuple-element(s), index=0 q = f32[8] get-tuple-element(s), index=1 " BOTH(
            "f32[8]", "p", "q"),
        HEAD "s = (f32[8], f32[8]) sort(a, b), dimensions={0}, to_apply=lt\n"
             "p = f32[8] get-tuple-element(s), index=0 " BOTH("f32[8]", "p", "p")},
    {"another_index",
        HEAD LINE("n",
            "negate(a)") "p = f32[4] slice(n), slice={[0:4]} q = f32[4] slice(n), slice={[4:8]} " BOTH("f32[4]",
            "p", "q"),
        HEAD LINE("n",
            "negate(a)") "p = f32[4] slice(n), slice={[0:4]} q = f32[4] slice(n), slice={[3:7]} " BOTH("f32[4]",
            "p", "q")},
    {"another_order",
        HEAD LINE("p", "copy(a)") LINE("q", "reverse(a), dimensions={0}") BOTH("f32[8]", "p", "q"),
        HEAD LINE("p", "copy(a)") LINE("q", "copy(a)") BOTH("f32[8]", "p", "q")},
    {"another_part_of_a_concatenation",
        HEAD
        "c = f32[16] concatenate(a, b), dimensions={0} n = f32[16] negate(c) p = f32[8] slice(n), slice={[0:8]} q = f32[8] slice(n), slice={[8:16]} " BOTH(
            "f32[8]", "p", "q"),
        HEAD
        "c = f32[16] concatenate(a, b), dimensions={0} n = f32[16] negate(c) p = f32[8] slice(n), slice={[0:8]} " BOTH(
            "f32[8]", "p", "p")},
    {"another_beginning_of_a_sum",
        HEAD
        "p = f32[] reduce(a, z), dimensions={0}, to_apply=add q = f32[] reduce(a, z), dimensions={0}, to_apply=add " BOTH(
            "f32[]", "p", "q"),
        HEAD
        "p = f32[] reduce(a, z), dimensions={0}, to_apply=add q = f32[] reduce(a, o), dimensions={0}, to_apply=add " BOTH(
            "f32[]", "p", "q")},
    {"another_constant",
        HEAD LINE("k", "broadcast(z), dimensions={}") LINE("l", "broadcast(o), dimensions={}")
            LINE("p", "multiply(a, k)") LINE("q", "multiply(a, l)") BOTH("f32[8]", "p", "q"),
        HEAD LINE("k", "broadcast(z), dimensions={}") LINE("p", "multiply(a, k)")
            LINE("q", "multiply(a, k)") BOTH("f32[8]", "p", "q")},
    {"another_attribute",
        HEAD
        "p = pred[8] compare(a, b), direction=LT q = pred[8] compare(a, b), direction=LE " BOTH(
            "pred[8]", "p", "q"),
        HEAD
        "p = pred[8] compare(a, b), direction=LT q = pred[8] compare(a, b), direction=LT " BOTH(
            "pred[8]", "p", "q")},
    {"a_transfer_and_none",
        HEAD LINE("p", "all-reduce(a), replica_groups={}, to_apply=add") LINE("q",
            "all-reduce(a), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=add")
            BOTH("f32[8]", "p", "q"),
        HEAD LINE("p", "all-reduce(a), replica_groups={}, to_apply=add")
            LINE("q", "all-reduce(a), replica_groups={}, to_apply=add") BOTH("f32[8]", "p", "q")},
};

static const Computation *read_entry(const ClaimRow *row, const char *text) {
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = (Source){.name = row->name, .text = text, .length = strlen(text), .first_line = 1};
  const Module *module;
  Error error = {};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s: %s", row->name, error.message);
  return module->entry;
}

static VerdictStatus claim_query(SmtValues *values, uint32_t leaf) {
  Verdict verdict;
  Error error = {};
  assert_true(smt_values_query(values, leaf, &verdict, &error));
  return verdict.status;
}

/* Both ways round, since claims have two sides. */
static void a_neighbour_is_not_proved(void **) {
  uint32_t failed = 0;
  for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
    const ClaimRow *row = &rows[i / 2];
    MapContext *context = map_context_create();
    Smt *smt = smt_create(context, nullptr);
    const Computation *before = read_entry(row, row->before), *after = read_entry(row, row->after);
    SmtValues *values =
        smt_values_create(smt, i % 2 == 0 ? before : after, i % 2 == 0 ? after : before, LAW_EXACT);
    VerdictStatus first = claim_query(values, 0), second = claim_query(values, 1);
    bool holds = first == VERDICT_PROVED && second != VERDICT_PROVED;
    if (!holds) print_message("%s: %d and %d\n", row->name, first, second);
    failed += !holds;
    smt_values_destroy(values);
    smt_destroy(smt);
    map_context_destroy(context);
  }
  assert_int_equal(failed, 0);
}

#define FIVE \
  "a = f32[9] parameter(0) b = f32[9] parameter(1) c = f32[9] parameter(2) d = f32[9] parameter(3) "

/* Graphs of many cases whose elements differ in the last one alone. */
static const ClaimRow many_cases[] = {
    {"parts_exchanged",
        "HloModule m\nENTRY e { " FIVE
        "w = f32[36] concatenate(a, b, c, d), dimensions={0} ROOT r = f32[36] negate(w) }",
        "HloModule m\nENTRY e { " FIVE
        "w = f32[36] concatenate(a, b, c, c), dimensions={0} ROOT r = f32[36] negate(w) }"},
    {"parts_moved_before",
        "HloModule m\nENTRY e { " FIVE
        "w = f32[36] concatenate(a, b, c, d), dimensions={0} x = f32[4,9] reshape(w) ROOT r = f32[9,4] transpose(x), dimensions={1,0} }",
        "HloModule m\nENTRY e { " FIVE
        "p = f32[9,1] reshape(a) q = f32[9,1] reshape(b) s = f32[9,1] reshape(c) t = f32[9,1] reshape(a) ROOT r = f32[9,4] concatenate(p, q, s, t), dimensions={1} }"},
    {"a_pad_and_another_constant",
        "HloModule m\nENTRY e { " FIVE
        "z = f32[] constant(0) w = f32[18] concatenate(a, b), dimensions={0} x = f32[20] pad(w, z), padding=1_1 ROOT r = f32[20] negate(x) }",
        "HloModule m\nENTRY e { " FIVE
        "z = f32[] constant(0) o = f32[] constant(1) w = f32[18] concatenate(a, b), dimensions={0} x = f32[19] pad(w, z), padding=1_0 y = f32[20] pad(x, o), padding=0_1 ROOT r = f32[20] negate(y) }"},
};

/* Wherever a limit ends the comparison, what was not compared is not proved. */
static void no_limit_makes_a_proof(void **) {
  static constexpr uint64_t most = 120;
  for (size_t i = 0; i < sizeof many_cases / sizeof *many_cases; i++) {
    const Computation *before = read_entry(&many_cases[i], many_cases[i].before),
                      *after = read_entry(&many_cases[i], many_cases[i].after);
    for (uint64_t steps = 1; steps <= 2 * most; steps += test_length(1, 1, 7)) {
      MapContext *context = map_context_create();
      Smt *smt = smt_create(context, nullptr);
      bool is_exchanged = steps > most;
      SmtValues *values = is_exchanged ? smt_values_create(smt, after, before, LAW_EXACT)
                                       : smt_values_create(smt, before, after, LAW_EXACT);
      smt_values_limit(values, steps % most + 1);
      if (claim_query(values, 0) == VERDICT_PROVED)
        fail_msg("%s: proved within %u steps", many_cases[i].name, (uint32_t)(steps % most + 1));
      smt_values_destroy(values);
      smt_destroy(smt);
      map_context_destroy(context);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_neighbour_is_not_proved, arena_begin, arena_end),
      cmocka_unit_test_setup_teardown(no_limit_makes_a_proof, arena_begin, arena_end)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
