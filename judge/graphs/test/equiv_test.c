/* Equality of reads: what is the same, what differs and where, and what must never be called equal:
 * graphs with an operation that no judge decides, offsets computed in different ways, different
 * sizes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/hlo/read/read.h"
#include "judge/graphs/equiv.h"

#define STATE \
  "{ p = (s32[], f32[4], f32[4]) parameter(0) i = s32[] get-tuple-element(p), index=0 n = s32[] constant(1) "
#define BODY \
  "j = s32[] add(i, n) x = f32[4] get-tuple-element(p), index=1 z = f32[4] get-tuple-element(p), index=2 "
#define MODULE \
  "HloModule m\nlt { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = pred[] compare(x, y), direction=LT }\nadd { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] add(x, y) }\n" \
  "once " STATE "ROOT c = pred[] compare(i, n), direction=LT }\n" \
  "turns " STATE BODY \
  "y = f32[4] reverse(x), dimensions={0} ROOT t = (s32[], f32[4], f32[4]) tuple(j, y, z) }\n" \
  "keeps " STATE BODY "y = f32[4] negate(x) ROOT t = (s32[], f32[4], f32[4]) tuple(j, y, z) }\n" \
  "second { x = f32[] parameter(0) ROOT y = f32[] parameter(1) }\n" \
  "mapped { x = f32[] parameter(0) y = f32[] parameter(1) m = f32[] map(x, y), dimensions={}, to_apply=second ROOT s = f32[] add(m, m) }\n" \
  "both { a = f32[] parameter(0) b = f32[] parameter(1) x = f32[] parameter(2) y = f32[] parameter(3) s = f32[] add(a, x) t = f32[] add(b, y) ROOT r = (f32[], f32[]) tuple(s, t) }\n" \
  "keys { a = f32[] parameter(0) b = f32[] parameter(1) x = f32[] parameter(2) y = f32[] parameter(3) ROOT c = pred[] compare(a, b), direction=LT }\n" \
  "turned { x = f32[4] parameter(0) ROOT r = f32[4] reverse(x), dimensions={0} }\n" \
  "kept { x = f32[4] parameter(0) ROOT r = f32[4] negate(x) }\n" \
  "ENTRY e {\n"
#define LOOP(body, leaf) \
  "x = f32[4] parameter(0) z = f32[4] parameter(1) i = s32[] constant(0) t = (s32[], f32[4], f32[4]) tuple(i, x, z) w = (s32[], f32[4], f32[4]) while(t), condition=once, body=" body \
  " ROOT g = f32[4] get-tuple-element(w), index=" leaf
#define CROSS(operation) \
  "x = f32[4] parameter(0) z = f32[4] parameter(1) ROOT c = f32[4] " operation
#define PAIRS "collective-permute(x), source_target_pairs="
#define SLICES(from) \
  "x = f32[4] parameter(0) z = f32[4] parameter(1) i = s32[] constant(" from \
  ") j = s32[] constant(2) ROOT c = f32[4] collective-permute(x, z, i, j), source_target_pairs={{0,1},{1,0}}, slice_sizes={{2}}"
#define SUM "all-reduce(x), to_apply=add, replica_groups="
#define BRANCHES(first) \
  "q = pred[] parameter(0) x = f32[4] parameter(1) ROOT c = f32[4] conditional(q, x, x), true_computation=" first \
  ", false_computation=kept"
#define SORTED \
  "k = f32[4] parameter(0) v = f32[4] parameter(1) s = (f32[4], f32[4]) sort(k, v), dimensions={0}, to_apply="
#define FOLDED "x = f32[4] parameter(0) y = f32[4] parameter(1) o = f32[] constant(0) "
#define SCATTERED \
  "x = f32[5] parameter(0) i = s32[2] constant({-1, 3}) u = f32[2,2] parameter(1) ROOT r = f32[5] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add"
#define CUT \
  "x = f32[9] parameter(0) i = s32[4] constant({...}) ROOT r = f32[4] gather(x, i), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}"
#define CHOSEN(number) \
  "x = f32[4] parameter(0) q = s32[] constant(" number \
  ") ROOT c = f32[4] conditional(q, x, x), branch_computations={turned, kept}"

#define REACHED(type) \
  "x = f32[300] parameter(0) i = " type "[1] parameter(1) u = f32[1] parameter(2) "
#define REACHES \
  ", i, u), update_window_dims={0}, inserted_window_dims={}, scatter_dims_to_operand_dims={0}, index_vector_dim=0, to_apply=add"
#define ALL_REACHED(type) REACHED(type) "ROOT r = f32[300] scatter(x" REACHES
#define FIRST_REACHED(type) \
  REACHED(type) \
  "a = f32[256] slice(x), slice={[0:256]} b = f32[44] slice(x), slice={[256:300]} s = f32[256] scatter(a" REACHES \
  " ROOT r = f32[300] concatenate(s, b), dimensions={0}"
#define ALONG(dimension) \
  "x = f32[3,2] parameter(0) i = s32[1] parameter(1) u = f32[2] parameter(2) ROOT r = f32[3,2] scatter(x, i, u), update_window_dims={0}, inserted_window_dims={1}, scatter_dims_to_operand_dims={" dimension \
  "}, index_vector_dim=0, to_apply=add"

typedef struct EquivFixture {
  Judge *judge;
  Arena *arena;
  Equiv equiv;
  Error error;
  bool is_made;
} EquivFixture;

static const Module *module_of(Arena *arena, const char *body) {
  Source *source = ARENA_NEW(arena, Source, 1);
  const char *text = arena_printf(arena, MODULE "%s }\n", body);
  *source = (Source){.name = "test", .text = text, .length = strlen(text), .first_line = 1};
  const Module *module = nullptr;
  Error error = {};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s: %s", body, error.message);
  return module;
}

static EquivFixture bench_open(const JudgeOptions *options, const char *before, const char *after) {
  EquivFixture bench = {.arena = arena_create()};
  bench.judge = judge_create(options, &bench.error);
  assert_non_null(bench.judge);
  const Module *first = module_of(bench.arena, before), *second = module_of(bench.arena, after);
  bench.is_made = equiv_create(bench.judge, bench.arena, first, second, &bench.equiv, &bench.error);
  return bench;
}

static void bench_close(EquivFixture *bench) {
  judge_destroy(bench->judge);
  arena_destroy(bench->arena);
}

static EquivVerdict equiv_query(
    const EquivFixture *bench, uint32_t output, uint32_t parameter, uint32_t leaf) {
  EquivVerdict verdict;
  assert_true(bench->is_made);
  equiv_judge(&bench->equiv, (EquivPair){output, parameter, leaf}, &verdict);
  return verdict;
}

typedef struct EquivRow {
  const char *name, *before, *after;
  uint32_t output, parameter, leaf;
  VerdictReason answer;
  const char *words; /* expected in the judges or the reason */
} EquivRow;

static const EquivRow rows[] = {
    {"enumeration_and_both_proofs_agree",
        "a = f32[4,6] parameter(0) ROOT r = f32[6,4] transpose(a), dimensions={1,0}",
        "a = f32[4,6] parameter(0) b = f32[4,6] reverse(a), dimensions={0} c = f32[4,6] reverse(b), dimensions={0} ROOT r = f32[6,4] transpose(c), dimensions={1,0}",
        0, 0, 0, REASON_EXACT, "oracle+smt+proof"},
    {"large_sizes_are_proved",
        "a = f32[4000,6000] parameter(0) ROOT r = f32[6000,4000] transpose(a), dimensions={1,0}",
        "a = f32[4000,6000] parameter(0) b = f32[24000000] reshape(a) c = f32[4000,6000] reshape(b) ROOT r = f32[6000,4000] transpose(c), dimensions={1,0}",
        0, 0, 0, REASON_EXACT, "smt"},
    {"tuples_go_by_leaf",
        "t = (f32[4], (f32[4], f32[4])) parameter(0) i = (f32[4], f32[4]) get-tuple-element(t), index=1 ROOT r = f32[4] get-tuple-element(i), index=0",
        "t = (f32[4], (f32[4], f32[4])) parameter(0) i = (f32[4], f32[4]) get-tuple-element(t), index=1 ROOT r = f32[4] get-tuple-element(i), index=1",
        0, 0, 1, REASON_DIFFERENT, "reads of before"},
    {"an_unread_parameter_is_the_same",
        "a = f32[4] parameter(0) b = f32[4] parameter(1) ROOT r = f32[4] negate(a)",
        "a = f32[4] parameter(0) b = f32[4] parameter(1) ROOT r = f32[4] copy(a)", 0, 1, 0,
        REASON_EXACT, ""},
    {"more_is_no_equality", "a = f32[4] parameter(0) ROOT r = f32[4] negate(a)",
        "a = f32[4] parameter(0) b = f32[4] reverse(a), dimensions={0} ROOT r = f32[4] add(a, b)",
        0, 0, 0, REASON_EXTRA, "oracle"},
    {"less_is_different",
        "a = f32[4] parameter(0) b = f32[4] reverse(a), dimensions={0} ROOT r = f32[4] add(a, b)",
        "a = f32[4] parameter(0) ROOT r = f32[4] negate(a)", 0, 0, 0, REASON_DIFFERENT, ""},
    {"a_kernel_reversed_under_padding",
        "a = f32[1,4,1] parameter(0) k = f32[2,1,1] parameter(1) ROOT r = f32[1,4,1] convolution(a, k), window={size=2 pad=1_0 rhs_reversal=1}, dim_labels=b0f_0io->b0f",
        "a = f32[1,4,1] parameter(0) k = f32[2,1,1] parameter(1) ROOT r = f32[1,4,1] convolution(a, k), window={size=2 pad=1_0}, dim_labels=b0f_0io->b0f",
        0, 1, 0, REASON_DIFFERENT, "oracle+smt+proof"},
    {"a_large_kernel_reversed_under_padding",
        "a = f32[1,5000000,1] parameter(0) k = f32[2,1,1] parameter(1) ROOT r = f32[1,5000000,1] convolution(a, k), window={size=2 pad=1_0 rhs_reversal=1}, dim_labels=b0f_0io->b0f",
        "a = f32[1,5000000,1] parameter(0) k = f32[2,1,1] parameter(1) ROOT r = f32[1,5000000,1] convolution(a, k), window={size=2 pad=1_0}, dim_labels=b0f_0io->b0f",
        0, 1, 0, REASON_DIFFERENT, "smt+proof"},
    {"the_same_offsets",
        "a = f32[9] parameter(0) i = s32[] parameter(1) ROOT r = f32[3] dynamic-slice(a, i), dynamic_slice_sizes={3}",
        "a = f32[9] parameter(0) i = s32[] parameter(1) b = f32[9] copy(a) j = s32[] copy(i) ROOT r = f32[3] dynamic-slice(b, j), dynamic_slice_sizes={3}",
        0, 0, 0, REASON_EXACT, ""},
    {"another_parameters_offset",
        "a = f32[9] parameter(0) i = s32[] parameter(1) j = s32[] parameter(2) ROOT r = f32[3] dynamic-slice(a, i), dynamic_slice_sizes={3}",
        "a = f32[9] parameter(0) i = s32[] parameter(1) j = s32[] parameter(2) ROOT r = f32[3] dynamic-slice(a, j), dynamic_slice_sizes={3}",
        0, 0, 0, REASON_DIFFERENT, ""},
    {"another_element_of_the_offsets",
        "a = f32[9] parameter(0) i = s32[2] parameter(1) s = s32[1] slice(i), slice={[0:1]} k = s32[] reshape(s) ROOT r = f32[3] dynamic-slice(a, k), dynamic_slice_sizes={3}",
        "a = f32[9] parameter(0) i = s32[2] parameter(1) s = s32[1] slice(i), slice={[1:2]} k = s32[] reshape(s) ROOT r = f32[3] dynamic-slice(a, k), dynamic_slice_sizes={3}",
        0, 0, 0, REASON_DIFFERENT, ""},
    {"offsets_computed_alike",
        "a = f32[9] parameter(0) i = s32[] parameter(1) k = s32[] add(i, i) ROOT r = f32[3] dynamic-slice(a, k), dynamic_slice_sizes={3}",
        "a = f32[9] parameter(0) i = s32[] parameter(1) k = s32[] add(i, i) b = f32[9] copy(a) ROOT r = f32[3] dynamic-slice(b, k), dynamic_slice_sizes={3}",
        0, 0, 0, REASON_EXACT, "proof"},
    {"offsets_computed_in_a_way_that_nobody_follows",
        "a = f32[9] parameter(0) i = s32[] parameter(1) ROOT r = f32[3] dynamic-slice(a, i), dynamic_slice_sizes={3}",
        "a = f32[9] parameter(0) i = s32[] parameter(1) f = f64[] convert(i) k = s32[] convert(f) ROOT r = f32[3] dynamic-slice(a, k), dynamic_slice_sizes={3}",
        0, 0, 0, REASON_OPEN, "computed"},
    {"the_same_the_other_way_round",
        "a = f32[9] parameter(0) i = s32[] parameter(1) f = f64[] convert(i) k = s32[] convert(f) ROOT r = f32[3] dynamic-slice(a, k), dynamic_slice_sizes={3}",
        "a = f32[9] parameter(0) i = s32[] parameter(1) ROOT r = f32[3] dynamic-slice(a, i), dynamic_slice_sizes={3}",
        0, 0, 0, REASON_OPEN, "computed"},
    {"offsets_computed_differently",
        "a = f32[9] parameter(0) i = s32[] parameter(1) ROOT r = f32[3] dynamic-slice(a, i), dynamic_slice_sizes={3}",
        "a = f32[9] parameter(0) i = s32[] parameter(1) o = s32[] constant(1) k = s32[] add(i, o) ROOT r = f32[3] dynamic-slice(a, k), dynamic_slice_sizes={3}",
        0, 0, 0, REASON_DIFFERENT, "proof"},
    {"no_semantics_is_no_equality",
        "a = f32[4] parameter(0) ROOT r = f32[4] custom-call(a), custom_call_target=\"f\"",
        "a = f32[4] parameter(0) ROOT r = f32[4] custom-call(a), custom_call_target=\"f\"", 0, 0, 0,
        REASON_OPEN, "custom-call"},
    {"a_sort_reads_the_whole_row",
        "a = f32[8] parameter(0) ROOT r = f32[8] sort(a), dimensions={0}, to_apply=lt",
        "a = f32[8] parameter(0) z = f32[] constant(0) s = f32[] reduce(a, z), dimensions={0}, to_apply=add ROOT r = f32[8] broadcast(s), dimensions={}",
        0, 0, 0, REASON_EXACT, ""},
    {"loops_of_other_bodies_prove_nothing", LOOP("turns", "1"), LOOP("keeps", "1"), 0, 0, 0,
        REASON_OPEN, "while 'w'"},
    {"another_leaf_of_a_loop_proves_nothing", LOOP("keeps", "1"), LOOP("keeps", "2"), 0, 0, 0,
        REASON_OPEN, "while 'w'"},
    {"a_loop_is_no_witness", LOOP("turns", "1"), CROSS("reverse(x), dimensions={0}"), 0, 0, 0,
        REASON_OPEN, "while 'w'"},
    {"a_loop_is_no_witness_the_other_way_round", CROSS("reverse(x), dimensions={0}"),
        LOOP("turns", "1"), 0, 0, 0, REASON_OPEN, "while 'w'"},
    {"the_same_loop_literally", LOOP("turns", "1"), LOOP("turns", "1"), 0, 0, 0, REASON_EXACT, ""},
    {"the_same_branches_literally", BRANCHES("turned"), BRANCHES("turned"), 0, 1, 0, REASON_EXACT,
        "literal"},
    {"the_same_branches_after_a_copy", BRANCHES("turned"),
        "q = pred[] parameter(0) x = f32[4] parameter(1) y = f32[4] copy(x) ROOT c = f32[4] conditional(q, y, y), true_computation=turned, false_computation=kept",
        0, 1, 0, REASON_OPEN, "conditional"},
    {"the_same_scatter_literally", SCATTERED, SCATTERED, 0, 1, 0, REASON_EXACT, "literal"},
    {"a_constant_that_is_cut_is_not_itself", CUT, CUT, 0, 0, 0, REASON_OPEN, "computed"},
    {"another_constant_in_a_branch", CHOSEN("0"), CHOSEN("1"), 0, 0, 0, REASON_OPEN, "conditional"},
    {"the_same_constant_in_a_branch", CHOSEN("0"), CHOSEN("0"), 0, 0, 0, REASON_EXACT, "literal"},
    {"a_read_that_no_loop_can_have_is_not_decided", CROSS("copy(x)"),
        "x = f32[4] parameter(0) z = f32[4] parameter(1) o = f32[] constant(0) i = s32[] constant(0) s = f32[3] slice(x), slice={[0:3]} "
        "y = f32[4] pad(s, o), padding=0_1 t = (s32[], f32[4], f32[4]) tuple(i, y, y) w = (s32[], f32[4], f32[4]) while(t), condition=once, body=keeps ROOT g = f32[4] get-tuple-element(w), index=1",
        0, 0, 0, REASON_OPEN, "may read"},
    {"branches_prove_nothing", BRANCHES("turned"), BRANCHES("kept"), 0, 1, 0, REASON_OPEN,
        "conditional"},
    {"which_branch_runs_may_not_matter", BRANCHES("turned"), BRANCHES("kept"), 0, 0, 0, REASON_OPEN,
        "conditional 'c'"},
    {"a_permutation_of_other_devices", CROSS(PAIRS "{{0,1},{1,0}}"), CROSS(PAIRS "{{0,0},{1,1}}"),
        0, 0, 0, REASON_OPEN, "collective-permute 'c'"},
    {"a_permutation_of_the_same_devices", CROSS(PAIRS "{{0,1},{1,0}}"),
        "x = f32[4] parameter(0) z = f32[4] parameter(1) y = f32[4] copy(x) c = f32[4] collective-permute(y), source_target_pairs={{0,1},{1,0}} ROOT r = f32[4] negate(c)",
        0, 0, 0, REASON_EXACT, "proof"},
    {"another_element_of_the_same_devices", CROSS(PAIRS "{{0,1},{1,0}}"),
        "x = f32[4] parameter(0) z = f32[4] parameter(1) y = f32[4] reverse(x), dimensions={0} ROOT c = f32[4] collective-permute(y), source_target_pairs={{0,1},{1,0}}",
        0, 0, 0, REASON_DIFFERENT, "proof"},
    {"a_broadcast_reads_what_one_device_has",
        CROSS("collective-broadcast(x), replica_groups={{0,1}}"), CROSS("negate(z)"), 0, 0, 0,
        REASON_DIFFERENT, ""},
    {"a_second_broadcast_may_have_nothing_to_send",
        "x = f32[4] parameter(0) z = f32[4] parameter(1) b = f32[4] collective-broadcast(x), replica_groups={{0,1}} c = f32[4] collective-broadcast(b), replica_groups={{2,3}} ROOT r = f32[4] negate(c)",
        CROSS("negate(z)"), 0, 0, 0, REASON_OPEN, "collective-broadcast 'c'"},
    {"slices_that_are_permuted_to_other_places", SLICES("0"), SLICES("1"), 0, 0, 0, REASON_OPEN,
        "collective-permute"},
    {"a_sum_over_devices_is_not_one_device", CROSS(SUM "{{0,1},{2,3}}"), CROSS("negate(x)"), 0, 0,
        0, REASON_OPEN, "all-reduce 'c'"},
    {"one_device_is_not_a_sum_over_devices", CROSS("negate(x)"), CROSS(SUM "{{0,1},{2,3}}"), 0, 0,
        0, REASON_OPEN, "all-reduce 'c'"},
    {"a_sum_over_other_groups", CROSS(SUM "{{0,1},{2,3}}"), CROSS(SUM "{{0,2},{1,3}}"), 0, 0, 0,
        REASON_OPEN, "all-reduce 'c'"},
    {"a_sum_of_what_came_from_elsewhere",
        "x = f32[4] parameter(0) y = f32[4] reverse(x), dimensions={0} c = f32[4] all-reduce(y), replica_groups={{0,1}}, to_apply=add ROOT r = f32[4] add(x, c)",
        "x = f32[4] parameter(0) y = f32[4] reverse(x), dimensions={0} c = f32[4] all-reduce(x), replica_groups={{0,1}}, to_apply=add ROOT r = f32[4] add(y, c)",
        0, 0, 0, REASON_OPEN, "meets"},
    {"gathered_in_another_order",
        "x = f32[1] parameter(0) ROOT g = f32[2] all-gather(x), dimensions={0}, replica_groups={{0,1}}",
        "x = f32[1] parameter(0) g = f32[2] all-gather(x), dimensions={0}, replica_groups={{0,1}} ROOT r = f32[2] reverse(g), dimensions={0}",
        0, 0, 0, REASON_OPEN, "all-gather 'g'"},
    {"an_order_by_other_keys", SORTED "keys ROOT r = f32[4] get-tuple-element(s), index=0",
        "k = f32[4] parameter(0) v = f32[4] parameter(1) ROOT r = f32[4] sort(k), dimensions={0}, to_apply=lt",
        0, 1, 0, REASON_OPEN, "sort 's'"},
    {"what_keys_do_not_order_is_not_read",
        SORTED "keys ROOT r = f32[4] get-tuple-element(s), index=0",
        "k = f32[4] parameter(0) v = f32[4] parameter(1) o = f32[] constant(0) s = f32[4] sort(k), dimensions={0}, to_apply=lt t = f32[] reduce(v, o), dimensions={0}, to_apply=add b = f32[4] broadcast(t), dimensions={} ROOT r = f32[4] add(s, b)",
        0, 1, 0, REASON_OPEN, "sort 's'"},
    {"what_keys_order_is_ordered", SORTED "keys ROOT r = f32[4] get-tuple-element(s), index=1",
        SORTED "keys c = f32[4] get-tuple-element(s), index=1 ROOT r = f32[4] copy(c)", 0, 1, 0,
        REASON_EXACT, ""},
    {"two_sums_at_once_are_two_sums",
        FOLDED
        "s = (f32[], f32[]) reduce(x, y, o, o), dimensions={0}, to_apply=both ROOT r = f32[] get-tuple-element(s), index=0",
        FOLDED "ROOT r = f32[] reduce(x, o), dimensions={0}, to_apply=add", 0, 1, 0, REASON_OPEN,
        "reduce 's'"},
    {"a_fold_that_forgets", FOLDED "ROOT r = f32[] reduce(x, o), dimensions={0}, to_apply=second",
        FOLDED "ROOT r = f32[] reduce(x, o), dimensions={0}, to_apply=add", 0, 0, 0, REASON_OPEN,
        "reduce 'r'"},
    {"a_fold_whose_map_forgets",
        FOLDED "ROOT r = f32[] reduce(x, o), dimensions={0}, to_apply=mapped",
        FOLDED "ROOT r = f32[] reduce(x, o), dimensions={0}, to_apply=add", 0, 0, 0, REASON_OPEN,
        "reduce 'r'"},
    {"what_a_map_forgets_is_not_read",
        FOLDED "ROOT r = f32[4] map(x, y), dimensions={0}, to_apply=second",
        FOLDED
        "v = f32[4] reverse(x), dimensions={0} ROOT r = f32[4] map(v, y), dimensions={0}, to_apply=second",
        0, 0, 0, REASON_EXACT, ""},
    {"what_a_map_forgets_hides_no_other_read",
        FOLDED "m = f32[4] map(x, y), dimensions={0}, to_apply=second ROOT r = f32[4] add(m, x)",
        FOLDED
        "v = f32[4] negate(x) m = f32[4] map(v, y), dimensions={0}, to_apply=second ROOT r = f32[4] add(m, x)",
        0, 0, 0, REASON_EXACT, ""},
    {"what_a_map_reads_is_read",
        FOLDED "ROOT r = f32[4] map(x, y), dimensions={0}, to_apply=second",
        FOLDED
        "v = f32[4] reverse(y), dimensions={0} ROOT r = f32[4] map(x, v), dimensions={0}, to_apply=second",
        0, 1, 0, REASON_DIFFERENT, ""},
    {"an_index_of_eight_bits_is_read_for_256_elements", ALL_REACHED("u8"), FIRST_REACHED("u8"), 0,
        1, 0, REASON_EXACT, "proof"},
    {"an_index_of_sixteen_bits_is_read_for_all_elements", ALL_REACHED("u16"), FIRST_REACHED("u16"),
        0, 1, 0, REASON_DIFFERENT, ""},
    {"an_index_is_not_read_where_no_window_ends", ALONG("1"), ALONG("0"), 0, 1, 0, REASON_DIFFERENT,
        ""},
};

static void every_row(void **) {
  uint32_t failed = 0;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const EquivRow *row = &rows[i];
    EquivFixture bench = bench_open(nullptr, row->before, row->after);
    EquivVerdict verdict = equiv_query(&bench, row->output, row->parameter, row->leaf);
    const char *judges = verdict.judges == nullptr ? "" : verdict.judges;
    bool has_words =
        strstr(judges, row->words) != nullptr || strstr(verdict.reason, row->words) != nullptr;
    if (verdict.answer != row->answer || !has_words) {
      print_error("%s: %s by %s: %s\n", row->name, equiv_answer_text(verdict.answer), judges,
          verdict.reason);
      failed++;
    }
    bench_close(&bench);
  }
  assert_int_equal(failed, 0);
}

static void witness_names_the_side_and_the_element(void **) {
  EquivFixture bench =
      bench_open(nullptr, "a = f32[5] parameter(0) ROOT r = f32[2] slice(a), slice={[1:3]}",
          "a = f32[5] parameter(0) ROOT r = f32[2] slice(a), slice={[2:4]}");
  EquivVerdict verdict = equiv_query(&bench, 0, 0, 0);
  assert_int_equal(verdict.answer, REASON_DIFFERENT);
  assert_true(verdict.has_witness);
  int64_t expected = verdict.point[0] + (verdict.reader == EQUIV_BEFORE ? 1 : 2);
  assert_int_equal(verdict.element[0], expected);
  bench_close(&bench);
}

/* The witness of a proof is checked like the one of an enumeration. */
static void witness_of_a_proof_is_a_read(void **) {
  EquivFixture bench = bench_open(&(JudgeOptions){.without_oracle = true},
      "a = f32[5000000] parameter(0) ROOT r = f32[2000000] slice(a), slice={[1:2000001]}",
      "a = f32[5000000] parameter(0) ROOT r = f32[2000000] slice(a), slice={[2:2000002]}");
  EquivVerdict verdict = equiv_query(&bench, 0, 0, 0);
  assert_int_equal(verdict.answer, REASON_DIFFERENT);
  assert_true(verdict.has_witness);
  assert_in_range(verdict.point[0], 0, 1999999);
  assert_int_equal(verdict.element[0], verdict.point[0] + (verdict.reader == EQUIV_BEFORE ? 1 : 2));
  bench_close(&bench);
}

/* A counterexample of a proof names the values that it depends on. */
static void witness_names_the_values_of_offsets(void **) {
  EquivFixture bench = bench_open(nullptr,
      "a = f32[9] parameter(0) i = s32[2] parameter(1) s = s32[1] slice(i), slice={[1:2]} k = s32[] reshape(s) ROOT r = f32[3] dynamic-slice(a, k), dynamic_slice_sizes={3}",
      "a = f32[9] parameter(0) i = s32[2] parameter(1) s = s32[1] slice(i), slice={[1:2]} k = s32[] reshape(s) o = s32[] constant(1) j = s32[] add(k, o) ROOT r = f32[3] dynamic-slice(a, j), dynamic_slice_sizes={3}");
  EquivVerdict verdict = equiv_query(&bench, 0, 0, 0);
  assert_int_equal(verdict.answer, REASON_DIFFERENT);
  assert_non_null(strstr(verdict.reason, "where i(1) = "));
  bench_close(&bench);
}

static void without_judges_nothing_is_equal(void **) {
  EquivFixture bench = bench_open(&(JudgeOptions){.without_oracle = true, .without_smt = true},
      "a = f32[5] parameter(0) ROOT r = f32[5] copy(a)",
      "a = f32[5] parameter(0) ROOT r = f32[5] negate(a)");
  EquivVerdict verdict = equiv_query(&bench, 0, 0, 0);
  assert_int_equal(verdict.answer, REASON_OPEN);
  assert_int_not_equal(verdict.reason[0], 0);
  bench_close(&bench);
}

/* Enumeration finds these maps to be an over-approximation. */
static void over_approximation_maps_are_no_equality(void **) {
#define RAGGED(kind) \
  "x = f32[6,3] parameter(0) y = f32[2,3,4] parameter(1) g = s32[2] parameter(2) n = f32[6,3] " kind \
  "(x) ROOT r = f32[6,4] ragged-dot(n, y, g), " \
  "lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}"
  EquivFixture bench =
      bench_open(&(JudgeOptions){.without_smt = true}, RAGGED("negate"), RAGGED("copy"));
  EquivVerdict verdict = equiv_query(&bench, 0, 1, 0);
  assert_int_equal(verdict.answer, REASON_OPEN);
  assert_non_null(strstr(verdict.reason, "over-approximation"));
  bench_close(&bench);
}

static void graphs_that_do_not_fit_are_errors(void **) {
  static const char *const others[] = {
      "a = f32[5] parameter(0) b = f32[] parameter(1) ROOT r = f32[5] copy(a)",
      "a = f32[6] parameter(0) ROOT r = f32[5] slice(a), slice={[0:5]}",
      "a = f32[5] parameter(0) ROOT r = f32[4] slice(a), slice={[0:4]}",
      "a = f32[5] parameter(0) ROOT r = (f32[5]) tuple(a)",
      "a = s32[5] parameter(0) f = f32[5] convert(a) ROOT r = f32[5] copy(f)",
  };
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    EquivFixture bench =
        bench_open(nullptr, "a = f32[5] parameter(0) ROOT r = f32[5] copy(a)", others[i]);
    assert_false(bench.is_made);
    assert_int_equal(bench.error.kind, ERROR_INPUT);
    bench_close(&bench);
  }
}

static void tokens_and_empty_arrays_are_no_pairs(void **) {
  const char *text =
      "t = token[] parameter(0) a = f32[0,3] parameter(1) b = f32[2] parameter(2) ROOT r = (token[], f32[2]) tuple(t, b)";
  EquivFixture bench = bench_open(nullptr, text, text);
  EquivPairs pairs = {};
  assert_true(bench.is_made);
  equiv_pairs(&bench.equiv, bench.arena, &pairs);
  assert_int_equal(pairs.count, 1);
  assert_int_equal(pairs.items[0].output, 1);
  assert_int_equal(pairs.items[0].parameter, 2);
  bench_close(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row),
      cmocka_unit_test(witness_names_the_side_and_the_element),
      cmocka_unit_test(witness_of_a_proof_is_a_read),
      cmocka_unit_test(witness_names_the_values_of_offsets),
      cmocka_unit_test(without_judges_nothing_is_equal),
      cmocka_unit_test(over_approximation_maps_are_no_equality),
      cmocka_unit_test(graphs_that_do_not_fit_are_errors),
      cmocka_unit_test(tokens_and_empty_arrays_are_no_pairs),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
