/* What a result certainly depends on: entries in which `g` is used in one way each, once where the
 * result depends on it and once where it does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/hlo/read/read.h"
#include "judge/graphs/needed.h"

typedef struct SureNeedsRow {
  const char *name, *lines;
  bool is_certain;
} SureNeedsRow;

#define OF(pair, index) pair "\n ROOT r = s32[4] get-tuple-element(q), index=" index
#define SELECT(predicate) "p = pred[4] " predicate "\n ROOT r = s32[4] select(p, g, x)"
#define SLICED(array, from, to) array "\n ROOT r = s32[2] slice(c), slice={[" from ":" to "]}"
#define REDUCED(function, result) \
  "q = (s32[], s32[]) reduce(x, g, z, z), dimensions={0}, to_apply=" function \
  "\n ROOT r = s32[] get-tuple-element(q), index=" result
#define SCATTERED(operands, function) \
  "ROOT r = s32[4] scatter(" operands "), update_window_dims={}, inserted_window_dims={0}, " \
  "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=" function
#define WHILE(next, index) \
  "s = (s32[4], s32[4]) tuple(g, x)\n q = (s32[4], s32[4]) while(s), condition=some, body=" next \
  "\n ROOT r = s32[4] get-tuple-element(q), index=" index

/* A conditional of functions of arrays. */
#define CHOICE(predicate, operands, first, second) \
  predicate "\n ROOT r = s32[4] conditional(p, " operands "), true_computation=" first \
            ", false_computation=" second
#define NUMBERED(number, operands, functions) \
  "p = s32[] constant(" number ")\n ROOT r = s32[4] conditional(p, " operands \
  "), branch_computations={" functions "}"
#define PREDICATE "k = s32[] get(g)\n p = pred[] compare(k, z), direction=LT"
#define FUSED(predicate) predicate "\n ROOT r = s32[4] fusion(p, g, x), kind=kLoop, calls=fused"
#define EMPTY(from) \
  "c = s32[0] slice(g), slice={[" from ":" from \
  "]}\n ROOT r = s32[] reduce(c, z), dimensions={0}, " \
  "to_apply=add"

static const SureNeedsRow rows[] = {
    {"itself", "ROOT r = s32[4] negate(g)", true},
    {"nothing", "ROOT r = s32[4] negate(x)", false},
    {"select", "p = pred[4] compare(x, y), direction=LT\n ROOT r = s32[4] select(p, g, x)", true},
    {"select_by_it", "p = pred[4] compare(g, y), direction=LT\n ROOT r = s32[4] select(p, y, x)",
        true},
    {"select_of_all", SELECT("broadcast(yes), dimensions={}"), true},
    {"select_of_none", SELECT("broadcast(no), dimensions={}"), false},
    {"select_of_some", SELECT("constant({false, true, false, false})"), true},
    {"select_of_unknown_ones", SELECT("constant({...})"), false},
    {"concatenate", "ROOT r = s32[8] concatenate(x, g), dimensions={0}", true},
    {"slice", SLICED("c = s32[4] add(g, x)", "1", "3"), true},
    {"slice_of_a_concatenation", SLICED("c = s32[8] concatenate(x, g), dimensions={0}", "1", "3"),
        false},
    {"slice_of_all_of_a_concatenation",
        "c = s32[8] concatenate(x, g), dimensions={0}\n ROOT r = s32[8] slice(c), slice={[0:8]}",
        true},
    {"slice_of_padding", SLICED("c = s32[6] pad(g, z), padding=2_0", "0", "2"), false},
    {"padding", "ROOT r = s32[6] pad(g, z), padding=2_0", true},
    {"padding_value", "k = s32[] get(g)\n ROOT r = s32[6] pad(x, k), padding=2_0", true},
    {"padding_value_of_none", "k = s32[] get(g)\n ROOT r = s32[3] pad(x, k), padding=-1_0", false},
    {"dynamic_slice", "ROOT r = s32[2] dynamic-slice(g, z), dynamic_slice_sizes={2}", true},
    {"offset", "k = s32[] get(g)\n ROOT r = s32[2] dynamic-slice(x, k), dynamic_slice_sizes={2}",
        true},
    {"offset_of_all",
        "k = s32[] get(g)\n ROOT r = s32[4] dynamic-slice(x, k), dynamic_slice_sizes={4}", false},
    {"update", "ROOT r = s32[4] dynamic-update-slice(x, g, z)", true},
    {"update_of_all", "ROOT r = s32[4] dynamic-update-slice(g, x, z)", false},
    {"update_of_some",
        "u = s32[2] slice(x), slice={[0:2]}\n ROOT r = s32[4] dynamic-update-slice(g, u, z)", true},
    {"slice_of_an_update", SLICED("c = s32[4] dynamic-update-slice(x, g, z)", "0", "2"), false},
    {"gather",
        "k = s32[4,1] reshape(g)\n ROOT r = s32[4] gather(x, k), offset_dims={}, "
        "collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}",
        true},
    {"gather_of_all",
        "k = s32[4,1] reshape(g)\n ROOT r = s32[4,4] gather(x, k), offset_dims={1}, "
        "collapsed_slice_dims={}, start_index_map={0}, index_vector_dim=1, slice_sizes={4}",
        false},
    {"reduce", "ROOT r = s32[] reduce(g, z), dimensions={0}, to_apply=add", true},
    {"reduce_by_none", "ROOT r = s32[] reduce(g, z), dimensions={0}, to_apply=first", false},
    {"reduce_own", REDUCED("apart", "1"), true},
    {"reduce_other", REDUCED("apart", "0"), false},
    {"reduce_through_another", REDUCED("joined", "0"), true},
    {"reduce_through_no_other", REDUCED("joined", "1"), true},
    {"reduce_by_a_choice", "ROOT r = s32[] reduce(g, z), dimensions={0}, to_apply=chosen", false},
    {"reduce_window", "ROOT r = s32[2] reduce-window(g, z), window={size=2 stride=2}, to_apply=add",
        true},
    {"map", "ROOT r = s32[4] map(x, g), dimensions={0}, to_apply=add", true},
    {"map_of_the_first", "ROOT r = s32[4] map(x, g), dimensions={0}, to_apply=first", false},
    {"sort", OF("q = (s32[4], s32[4]) sort(x, g), dimensions={0}, to_apply=less", "1"), true},
    {"sort_of_others", OF("q = (s32[4], s32[4]) sort(x, g), dimensions={0}, to_apply=less", "0"),
        false},
    {"sort_by_it", OF("q = (s32[4], s32[4]) sort(g, x), dimensions={0}, to_apply=less", "1"), true},
    {"scatter_added", SCATTERED("x, i, g", "add"), true},
    {"scatter_added_to", SCATTERED("g, i, x", "add"), true},
    {"scatter_set", SCATTERED("x, i, g", "second"), true},
    {"scatter_set_in", SCATTERED("g, i, x", "second"), false},
    {"scatter_of_the_first", SCATTERED("x, i, g", "first"), false},
    {"scatter_by_it", "k = s32[4,1] reshape(g)\n " SCATTERED("x, k, x", "add"), true},
    {"scatter_of_the_first_by_it", "k = s32[4,1] reshape(g)\n " SCATTERED("x, k, x", "first"),
        false},
    {"select_of_one_side_by_it",
        "p = pred[4] compare(g, y), direction=LT\n ROOT r = s32[4] select(p, x, x)", false},
    {"all_reduce", "ROOT r = s32[4] all-reduce(g), replica_groups={}, to_apply=add", true},
    {"all_reduce_own",
        OF("q = (s32[4], s32[4]) all-reduce(x, g), replica_groups={}, to_apply=add", "1"), true},
    {"all_reduce_other",
        OF("q = (s32[4], s32[4]) all-reduce(x, g), replica_groups={}, to_apply=add", "0"), false},
    {"started_own",
        OF("s = (s32[4], s32[4]) all-reduce-start(x, g), replica_groups={}, to_apply=add\n"
           " q = (s32[4], s32[4]) all-reduce-done(s)",
            "1"),
        true},
    {"started_other",
        OF("s = (s32[4], s32[4]) all-reduce-start(x, g), replica_groups={}, to_apply=add\n"
           " q = (s32[4], s32[4]) all-reduce-done(s)",
            "0"),
        false},
    {"all_to_all", OF("q = (s32[4], s32[4]) all-to-all(x, g), replica_groups={{0,1}}", "0"), true},
    {"custom_call", OF("q = (s32[4], s32[4]) custom-call(x, g), custom_call_target=\"t\"", "0"),
        true},
    {"size", "ROOT r = s32[] get-dimension-size(g), dimensions={0}", false},
    {"effect",
        "k = token[] after-all()\n o = token[] outfeed(g, k), outfeed_shape=s32[4]\n"
        " ROOT r = s32[4] negate(x)",
        true},
    {"branch", CHOICE("p = pred[] copy(w)", "g, x", "negated", "negated_too"), true},
    {"branch_of_a_constant", CHOICE("p = pred[] copy(yes)", "g, x", "negated", "negated_too"),
        true},
    {"branch_of_the_other_constant",
        CHOICE("p = pred[] copy(no)", "g, x", "negated", "negated_too"), false},
    {"second_branch_of_a_constant", CHOICE("p = pred[] copy(no)", "x, g", "negated", "negated_too"),
        true},
    {"branch_of_an_unknown_constant",
        CHOICE("o = pred[1] constant({...})\n p = pred[] reshape(o)", "g, x", "negated",
            "negated_too"),
        false},
    {"branch_of_a_number", NUMBERED("1", "x, g, x", "negated, negated, negated"), true},
    {"branch_of_another_number", NUMBERED("0", "x, g, x", "negated, negated, negated"), false},
    {"branch_of_a_number_below", NUMBERED("-1", "x, g", "negated, negated"), true},
    {"branch_of_a_number_above", NUMBERED("7", "x, g", "negated, negated"), true},
    {"predicate", CHOICE(PREDICATE, "x, x", "negated", "kept"), true},
    {"predicate_of_two_operands", CHOICE(PREDICATE, "x, y", "negated", "negated"), true},
    {"predicate_of_equal_branches", CHOICE(PREDICATE, "x, x", "negated", "negated_too"), false},
    {"predicate_of_one_function", CHOICE(PREDICATE, "x, x", "negated", "negated"), false},
    {"select_in_a_fusion", FUSED("p = pred[4] compare(x, y), direction=LT"), true},
    {"select_of_all_in_a_fusion", FUSED("p = pred[4] broadcast(yes), dimensions={}"), true},
    {"select_of_none_in_a_fusion", FUSED("p = pred[4] broadcast(no), dimensions={}"), false},
    {"padding_that_keeps_one", "ROOT r = s32[4] pad(g, z), padding=-3_3", true},
    {"padding_that_keeps_none", "ROOT r = s32[4] pad(g, z), padding=-4_4", false},
    {"padding_that_keeps_none_at_the_end", "ROOT r = s32[4] pad(g, z), padding=4_-4", false},
    {"padding_that_keeps_none_between", "ROOT r = s32[1] pad(g, z), padding=-1_-5_1", false},
    {"padding_that_keeps_one_between", "ROOT r = s32[1] pad(g, z), padding=-2_-4_1", true},
    {"slice_of_nothing", EMPTY("1"), false},
    {"gather_of_all_of_the_index",
        "m = s32[4,2] broadcast(x), dimensions={0}\n k = s32[1] slice(g), slice={[0:1]}\n "
        "ROOT r = s32[4,1] gather(m, k), offset_dims={0,1}, collapsed_slice_dims={}, "
        "start_index_map={0}, index_vector_dim=0, slice_sizes={4,1}",
        false},
    {"gather_of_all_of_another",
        "m = s32[4,2] broadcast(x), dimensions={0}\n k = s32[1] slice(g), slice={[0:1]}\n "
        "ROOT r = s32[4,1] gather(m, k), offset_dims={0,1}, collapsed_slice_dims={}, "
        "start_index_map={1}, index_vector_dim=0, slice_sizes={4,1}",
        true},
    {"loop_that_changes", WHILE("changes", "1"), true},
    {"loop_that_keeps", WHILE("keeps", "1"), false},
    {"loop_that_keeps_it", WHILE("keeps", "0"), true},
};

/* An element of an array, as a scalar. */
static const char *with_elements(Arena *arena, const char *lines) {
  const char *at = strstr(lines, "get(g)");
  if (at == nullptr) return lines;
  return arena_printf(arena, "e = s32[1] slice(g), slice={[1:2]}\n %.*sreshape(e)%s",
      (int)(at - lines), lines, at + strlen("get(g)"));
}

static const Module *sure_module(Arena *arena, const char *lines) {
  Source *source = ARENA_NEW(arena, Source, 1);
  const Module *module;
  Error error = {};
#define PAIR "a = s32[] parameter(0)\n b = s32[] parameter(1)\n "
#define FOUR PAIR "c = s32[] parameter(2)\n d = s32[] parameter(3)\n "
#define STATE \
  "t = (s32[4], s32[4]) parameter(0)\n g = s32[4] get-tuple-element(t), index=0\n" \
  " x = s32[4] get-tuple-element(t), index=1\n "
  const char *text = arena_printf(arena,
      "HloModule m\nadd {\n " PAIR "ROOT r = s32[] add(a, b)\n}\n"
      "first {\n " PAIR "ROOT r = s32[] negate(a)\n}\nsecond {\n " PAIR
      "ROOT r = s32[] copy(b)\n}\n"
      "chosen {\n " PAIR "y = pred[] constant(true)\n ROOT r = s32[] select(y, a, b)\n}\n"
      "less {\n " FOUR "ROOT r = pred[] compare(a, b), direction=LT\n}\n"
      "apart {\n " FOUR "e = s32[] add(a, c)\n f = s32[] add(b, d)\n"
      " ROOT r = (s32[], s32[]) tuple(e, f)\n}\n"
      "joined {\n " FOUR "e = s32[] add(a, b)\n f = s32[] add(b, d)\n"
      " ROOT r = (s32[], s32[]) tuple(e, f)\n}\n"
      "negated {\n a = s32[4] parameter(0)\n ROOT r = s32[4] negate(a)\n}\n"
      "negated_too {\n a = s32[4] parameter(0)\n ROOT r = s32[4] negate(a)\n}\n"
      "kept {\n ROOT r = s32[4] parameter(0)\n}\n"
      "fused {\n a = pred[4] parameter(0)\n b = s32[4] parameter(1)\n c = s32[4] parameter(2)\n"
      " ROOT r = s32[4] select(a, b, c)\n}\n"
      "keeps {\n " STATE "n = s32[4] negate(g)\n ROOT r = (s32[4], s32[4]) tuple(n, x)\n}\n"
      "changes {\n " STATE "n = s32[4] negate(x)\n ROOT r = (s32[4], s32[4]) tuple(g, n)\n}\n"
      "some {\n " STATE "e = s32[1] slice(g), slice={[0:1]}\n k = s32[] reshape(e)\n"
      " z = s32[] constant(0)\n ROOT r = pred[] compare(k, z), direction=LT\n}\n"
      "ENTRY e {\n x = s32[4] parameter(0)\n y = s32[4] parameter(1)\n i = s32[4,1] parameter(2)\n"
      " w = pred[] parameter(3)\n z = s32[] constant(0)\n yes = pred[] constant(true)\n"
      " no = pred[] constant(false)\n"
      " g = s32[4] multiply(x, y)\n %s\n}\n",
      with_elements(arena, lines));
  *source = (Source){.name = "test", .text = text, .length = strlen(text), .first_line = 1};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s in\n%s", error.message, text);
  return module;
}

static const Instruction *used(const Module *module) {
  for (uint32_t i = 0; i < module->entry->instruction_count; i++)
    if (strcmp(module->entry->instructions[i]->name, "g") == 0)
      return module->entry->instructions[i];
  return nullptr;
}

/* What is certainly needed may be needed. */
static void only_what_is_certain_is_needed(void **) {
  uint32_t failed = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *arena = arena_create();
    const Module *module = sure_module(arena, rows[i].lines);
    const NeededParts certain = needed_parts(arena, module, NEEDED_FOR_CERTAIN),
                      possible = needed_parts(arena, module, NEEDED_BY_VALUES);
    bool is_certain = is_needed(&certain, used(module));
    if (is_certain) assert_true(is_needed(&possible, used(module)));
    if (is_certain != rows[i].is_certain) print_message("%s: %d\n", rows[i].name, is_certain);
    failed += is_certain != rows[i].is_certain;
    arena_destroy(arena);
  }
  assert_int_equal(failed, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(only_what_is_certain_is_needed)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
