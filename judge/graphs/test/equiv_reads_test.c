/* Reads of two modules with their headers, and answers of the proof alone: devices that a header
 * counts, reads of a second graph that are more and not different, witnesses, and chains of
 * updates, whose cost must not double with each update. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/test/length.h"
#include "core/hlo/read/read.h"
#include "judge/graphs/equiv.h"

#define ADD \
  "add {\na = s32[] parameter(0)\nb = s32[] parameter(1)\nROOT r = s32[] add(a, b)\n}\nENTRY e {\n"
#define SUM "p = s32[4] parameter(0)\nROOT r = s32[4] all-reduce(p), to_apply=add, "
#define SLICED(id) \
  "p = s32[8] parameter(0)\ni = u32[] " id \
  "()\nROOT r = s32[4] dynamic-slice(p, i), dynamic_slice_sizes={4}"
#define PERMUTED \
  "p = s32[4] parameter(0)\nROOT r = s32[4] collective-permute(p), source_target_pairs={{0,1},{1,0}}"
#define FLAT "channel_id=1, use_global_device_ids=true, replica_groups={{0,1}}"

static const Module *reads_module(Arena *arena, const char *header, const char *lines) {
  Source *source = ARENA_NEW(arena, Source, 1);
  const char *text = arena_printf(arena, "HloModule m%s\n" ADD "%s\n}\n", header, lines);
  *source = (Source){.name = "test", .text = text, .length = strlen(text), .first_line = 1};
  const Module *module = nullptr;
  Error error = {};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s\n%s", text, error.message);
  return module;
}

/* The verdict about a pair; its texts live in the judge's context. */
static EquivVerdict verdict_about(
    Judge *judge, Arena *arena, const Module *before, const Module *after, uint32_t parameter) {
  Equiv equiv;
  Error error = {};
  EquivVerdict verdict;
  if (!equiv_create(judge, arena, before, after, &equiv, &error)) fail_msg("%s", error.message);
  equiv_judge(&equiv, (EquivPair){.parameter = parameter}, &verdict);
  return verdict;
}

typedef struct ReadsRow {
  const char *headers[2], *lines[2];
  uint32_t parameter;
  VerdictReason answer;
  const char *words; /* expected in the judges or the reason */
} ReadsRow;

static uint32_t reads_row_fails(const ReadsRow *row) {
  Error error = {};
  Arena *arena = arena_create();
  Judge *judge = judge_create(nullptr, &error);
  assert_non_null(judge);
  EquivVerdict verdict =
      verdict_about(judge, arena, reads_module(arena, row->headers[0], row->lines[0]),
          reads_module(arena, row->headers[1], row->lines[1]), row->parameter);
  const char *judges = verdict.judges == nullptr ? "" : verdict.judges;
  bool is_right =
      verdict.answer == row->answer &&
      (strstr(judges, row->words) != nullptr || strstr(verdict.reason, row->words) != nullptr);
  if (!is_right)
    print_error("'%s' '%s' %s\n: %s by '%s': '%s'\n", row->headers[0], row->headers[1],
        row->lines[0], equiv_answer_text(verdict.answer), judges, verdict.reason);
  judge_destroy(judge);
  arena_destroy(arena);
  return !is_right;
}

#define OTHER "the headers state other numbers of replicas or partitions, and "

/* The oracle, the proof and the comparison of texts know nothing of the header. */
static void other_numbers_of_devices_are_unknown(void **) {
  static const ReadsRow rows[] = {
      {{", replica_count=4", ", replica_count=2"},
          {SUM "replica_groups={}", SUM "replica_groups={}"}, 0, REASON_OPEN, OTHER "'r'"},
      {{"", ", replica_count=2"}, {SUM "replica_groups={}", SUM "replica_groups={}"}, 0,
          REASON_OPEN, OTHER},
      {{", replica_count=2", ""}, {SUM "replica_groups={{0,1}}", SUM "replica_groups={}"}, 0,
          REASON_OPEN, ""},
      {{"", ", num_partitions=2"}, {SUM "replica_groups={}", SUM "replica_groups={}"}, 0,
          REASON_OPEN, OTHER},
      {{", replica_count=2", ", replica_count=4"}, {SLICED("replica-id"), SLICED("replica-id")}, 0,
          REASON_OPEN, OTHER "'i'"},
      {{"", ", num_partitions=4"}, {SLICED("partition-id"), SLICED("partition-id")}, 0, REASON_OPEN,
          OTHER "'i'"},
      {{", replica_count=2", ", num_partitions=2"}, {SUM FLAT, SUM FLAT}, 0, REASON_OPEN, OTHER},
      {{", replica_count=2", ", replica_count=2"},
          {SUM "replica_groups={}", SUM "replica_groups={}"}, 0, REASON_EXACT, "proof"},
      {{", replica_count=2", ", replica_count=2"},
          {SUM "replica_groups={}", SUM "replica_groups={{0,1}}"}, 0, REASON_EXACT, "proof"},
      {{", replica_count=2", ""}, {SUM "replica_groups={{0,1}}", SUM "replica_groups={{0,1}}"}, 0,
          REASON_EXACT, "proof"},
      {{", num_partitions=2", ""}, {SUM "replica_groups={{0,1}}", SUM "replica_groups={{0,1}}"}, 0,
          REASON_EXACT, "proof"},
      {{", replica_count=2", ""}, {SUM FLAT, SUM FLAT}, 0, REASON_EXACT, "proof"},
      {{", replica_count=2", ", replica_count=4"}, {PERMUTED, PERMUTED}, 0, REASON_EXACT, ""},
      {{", replica_count=2", ", replica_count=4"},
          {"p = s32[4] parameter(0)\nROOT r = s32[4] copy(p)",
              "p = s32[4] parameter(0)\nROOT r = s32[4] negate(p)"},
          0, REASON_EXACT, "proof"},
  };
  uint32_t failed = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) failed += reads_row_fails(&rows[i]);
  assert_int_equal(failed, 0);
}

#define SCATTERED(update) \
  "p = s32[2] parameter(0)\ni = s32[1,1] parameter(1)\nu = s32[2] parameter(2)\n" \
  "v0 = s32[1] slice(u), slice={[0:1]}\nv1 = s32[1] slice(u), slice={[1:2]}\n" update \
  "s = s32[2] scatter(p, i, v), update_window_dims={}, inserted_window_dims={0}, " \
  "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add\n"
#define FIRST SCATTERED("v = s32[1] copy(v0)\n") "ROOT r = s32[2] copy(s)"
#define LAST SCATTERED("v = s32[1] copy(v1)\n") "ROOT r = s32[2] copy(s)"
#define BOTH SCATTERED("v = s32[1] add(v0, v1)\n") "ROOT r = s32[2] copy(s)"
#define TURNED SCATTERED("v = s32[1] copy(v0)\n") "ROOT r = s32[2] reverse(s), dimensions={0}"
/* Offsets of one array under other names. */
#define PART(name, from, to) \
  "a = s32[9] parameter(0)\n" name " = s32[2] parameter(1)\ns = s32[1] slice(" name \
  "), slice={[" from ":" to "]}\nk = s32[] reshape(s)\n" \
  "ROOT r = s32[3] dynamic-slice(a, k), dynamic_slice_sizes={3}"

/* An array of offsets has an element once, and no others than its own. */
static void a_proof_alone_tells_more_from_different(void **) {
  static const ReadsRow rows[] = {
      {{"", ""}, {FIRST, BOTH}, 2, REASON_EXTRA, "where i(0, 0) = 0: (0) reads (1) after only"},
      {{"", ""}, {BOTH, FIRST}, 2, REASON_DIFFERENT,
          "where i(0, 0) = 0: (0) reads (1) before only"},
      {{"", ""}, {FIRST, LAST}, 2, REASON_DIFFERENT,
          "where i(0, 0) = 0: (0) reads (0) before only"},
      {{"", ""}, {FIRST, TURNED}, 2, REASON_DIFFERENT,
          "where i(0, 0) = 0: (0) reads (0) before only"},
      {{"", ""}, {TURNED, FIRST}, 2, REASON_DIFFERENT,
          "where i(0, 0) = 1: (0) reads (0) before only"},
  };
  uint32_t failed = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) failed += reads_row_fails(&rows[i]);
  assert_int_equal(failed, 0);
}

/* ---- small sets of reads ---- */

/* The sum of slices of p: output i reads p[i + k] for each bit k of `offsets`. */
static const Module *sum_of_slices(Arena *arena, uint32_t offsets) {
  Text text = text_create(arena);
  text_string(&text, "p = s32[4] parameter(0)\ns = s32[2] iota(), iota_dimension=0\n");
  const char *sum = "s";
  for (uint32_t k = 0; k < 3; k++) {
    if ((offsets >> k & 1) == 0) continue;
    text_printf(&text, "x%u = s32[2] slice(p), slice={[%u:%u]}\ny%u = s32[2] add(%s, x%u)\n", k, k,
        k + 2, k, sum, k);
    sum = arena_printf(arena, "y%u", k);
  }
  text_printf(&text, "ROOT r = s32[2] copy(%s)", sum);
  return reads_module(arena, "", text.bytes);
}

static VerdictReason answer_of_offsets(uint32_t before, uint32_t after) {
  if (before == after) return REASON_EXACT;
  return (before & ~after) == 0 ? REASON_EXTRA : REASON_DIFFERENT;
}

/* The witness is read by the reader and not by the other graph. */
static bool is_a_witness(const EquivVerdict *verdict, uint32_t before, uint32_t after) {
  int64_t offset = verdict->element[0] - verdict->point[0];
  if (offset < 0 || offset > 2 || verdict->point_rank != 1 || verdict->element_rank != 1)
    return false;
  uint32_t reader = verdict->reader == EQUIV_BEFORE ? before : after,
           other = verdict->reader == EQUIV_BEFORE ? after : before;
  return (reader >> offset & 1) != 0 && (other >> offset & 1) == 0;
}

static void small_sets_of_reads_are_compared_by_each_judge(void **) {
  static const JudgeOptions judges[] = {{}, {.without_oracle = true}, {.without_smt = true}};
  const uint32_t step = test_length(1, 3, 7);
  for (uint32_t at = 0; at < 3 * 64; at += step) {
    uint32_t before = at % 8, after = at / 8 % 8;
    Error error = {};
    Arena *arena = arena_create();
    Judge *judge = judge_create(&judges[at / 64], &error);
    assert_non_null(judge);
    EquivVerdict verdict =
        verdict_about(judge, arena, sum_of_slices(arena, before), sum_of_slices(arena, after), 0);
    VerdictReason wanted = answer_of_offsets(before, after);
    bool is_right = verdict.answer == wanted && verdict.has_witness == (wanted != REASON_EXACT) &&
                    (wanted == REASON_EXACT || is_a_witness(&verdict, before, after)) &&
                    verdict.is_unread == (before == 0 && after == 0);
    if (!is_right)
      fail_msg("judges %u, offsets %u and %u: %s by %s: %s", at / 64, before, after,
          equiv_answer_text(verdict.answer), verdict.judges == nullptr ? "none" : verdict.judges,
          verdict.reason);
    judge_destroy(judge);
    arena_destroy(arena);
  }
}

/* The names are those of the first graph. */
static void a_witness_names_a_parameter_once(void **) {
  Error error = {};
  Arena *arena = arena_create();
  Judge *judge = judge_create(&(JudgeOptions){.without_oracle = true}, &error);
  assert_non_null(judge);
  Smt *smt = judge->smt;
  Verdict verdict;
  bool known;
  assert_true(smt_same_reads(smt, reads_module(arena, "", PART("i", "0", "1"))->entry,
      reads_module(arena, "", PART("j", "1", "2"))->entry, 0, 0, 0, &known, &verdict, &error));
  assert_int_equal(verdict.status, VERDICT_REFUTED);
  assert_non_null(strstr(verdict_text(&verdict), "where i(0) = "));
  assert_non_null(strstr(verdict_text(&verdict), ", i(1) = "));
  judge_destroy(judge);
  arena_destroy(arena);
}

/* Updates at offsets of their own; the last one is that of `last`. */
static const Module *chain_of_updates(
    Arena *arena, uint32_t count, uint32_t last, const char *operation) {
  Text text = text_create(arena);
  text_string(&text, "p = s32[64] parameter(0)\nu = s32[2] parameter(1)\n");
  for (uint32_t i = 0; i < count; i++) text_printf(&text, "i%u = s32[] parameter(%u)\n", i, i + 2);
  for (uint32_t i = 0; i < count; i++)
    text_printf(&text, "x%u = s32[64] dynamic-update-slice(%s, u, i%u)\n", i,
        i == 0 ? "p" : arena_printf(arena, "x%u", i - 1), i + 1 == count ? last : i);
  text_printf(&text, "ROOT r = s32[64] %s(x%u)", operation, count - 1);
  return reads_module(arena, "", text.bytes);
}

static EquivVerdict verdict_of_chains(
    Judge *judge, Arena *arena, uint32_t last, uint32_t parameter) {
  return verdict_about(judge, arena, chain_of_updates(arena, 12, 11, "copy"),
      chain_of_updates(arena, 12, last, "negate"), parameter);
}

/* Twelve updates have 4,096 combinations of sides. */
static void a_chain_of_updates_has_one_path(void **) {
  Error error = {};
  Arena *arena = arena_create();
  Judge *judge = judge_create(nullptr, &error);
  assert_non_null(judge);
  for (uint32_t parameter = 0; parameter < 4; parameter++) {
    EquivVerdict same = verdict_of_chains(judge, arena, 11, parameter);
    assert_int_equal(same.answer, REASON_EXACT);
    assert_string_equal(same.judges, "proof");
  }
  EquivVerdict other = verdict_of_chains(judge, arena, 10, 0);
  assert_true(other.answer == REASON_EXTRA);
  assert_string_equal(other.judges, "proof");
  judge_destroy(judge);
  arena_destroy(arena);
}

/* Each addition of a slice at an offset doubles the paths. The last constant slice starts at
 * `from`.
 */
static const Module *sums_of_slices(
    Arena *arena, uint32_t count, uint32_t from, const char *operation) {
  Text text = text_create(arena);
  text_string(&text, "x = s32[64] parameter(0)\n");
  for (uint32_t i = 0; i < count; i++) text_printf(&text, "i%u = s32[] parameter(%u)\n", i, i + 1);
  const char *last = "x";
  for (uint32_t i = 0; i < count; i++) {
    uint32_t size = 63 - i;
    text_printf(&text, "y%u = s32[%u] dynamic-slice(%s, i%u), dynamic_slice_sizes={%u}\n", i, size,
        last, i, size);
    uint32_t start = i + 1 == count ? from : 0;
    text_printf(
        &text, "z%u = s32[%u] slice(%s), slice={[%u:%u]}\n", i, size, last, start, start + size);
    text_printf(&text, "x%u = s32[%u] add(y%u, z%u)\n", i, size, i, i);
    last = arena_printf(arena, "x%u", i);
  }
  text_printf(&text, "ROOT r = s32[%u] %s(%s)", 64 - count, operation, last);
  return reads_module(arena, "", text.bytes);
}

static EquivVerdict verdict_of_sums(Judge *judge, Arena *arena, uint32_t count, uint32_t from) {
  return verdict_about(judge, arena, sums_of_slices(arena, count, 0, "copy"),
      sums_of_slices(arena, count, from, "negate"), 0);
}

/* Nine additions have 512 paths, too many to tell what differs. A brief run follows the 128 paths
 * of seven, which takes a hundredth of the time. */
static void many_paths_with_offsets_are_the_same_or_unknown(void **) {
  Error error = {};
  Arena *arena = arena_create();
  Judge *judge = judge_create(&(JudgeOptions){.without_oracle = true}, &error);
  assert_non_null(judge);
  EquivVerdict same = verdict_of_sums(judge, arena, 9, 0);
  assert_int_equal(same.answer, REASON_EXACT);
  assert_string_equal(same.judges, "proof");
  EquivVerdict other = verdict_of_sums(judge, arena, test_length(9, 9, 7), 1);
  if (test_is_brief()) {
    assert_int_not_equal(other.answer, REASON_EXACT);
    print_message("skipped: nine additions, which are too many\n");
  } else {
    assert_int_equal(other.answer, REASON_OPEN);
    assert_non_null(strstr(other.reason, "too many paths through the graph, with offsets"));
  }
  judge_destroy(judge);
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(other_numbers_of_devices_are_unknown),
      cmocka_unit_test(a_proof_alone_tells_more_from_different),
      cmocka_unit_test(small_sets_of_reads_are_compared_by_each_judge),
      cmocka_unit_test(a_witness_names_a_parameter_once),
      cmocka_unit_test(a_chain_of_updates_has_one_path),
      cmocka_unit_test(many_paths_with_offsets_are_the_same_or_unknown),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
