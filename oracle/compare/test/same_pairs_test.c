/* Compares two over-approximations of one query: whether they relate the same pairs under every
 * assignment. */
#include "oracle/test/test_module.h"

#define GATHER \
  "a = f32[4] parameter(0)\nb = s32[2,1] parameter(1)\nROOT r = f32[2] gather(a, b), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, " \
  "index_vector_dim=1, slice_sizes={1}"

#define ONE "d0 in [0, 1], rt0 in [0, 3]"
#define FROM(index) \
  "(d0){rt0} -> (rt0), domain: " ONE "\nruntime variables:\nrt0: b; (d0){rt0} -> (" index \
  "), domain: " ONE
#define PIECE(at) FROM_PIECE(at, "d0 in [" at ", " at "], rt0 in [0, 3]")
#define FROM_PIECE(at, domain) \
  "(d0){rt0} -> (rt0), domain: " domain "\nruntime variables:\nrt0: b; (d0){rt0} -> (" at \
  ", 0), domain: " domain
#define TWO "d0 in [0, 1], rt0 in [0, 3], rt1 in [0, 3]"
#define NAMES_MORE \
  "(d0){rt0, rt1} -> (rt1), domain: " TWO \
  "\nruntime variables:\nrt0: b; (d0){rt0, rt1} -> (-d0 + 1, 0), domain: " TWO \
  "\nrt1: b; (d0){rt0, rt1} -> (d0, 0), domain: " TWO
#define EITHER "d0 in [0, 1], s0 in [0, 1], rt0 in [0, 3]"
#define OF_RANGE \
  "(d0)[s0]{rt0} -> (rt0), domain: " EITHER \
  "\nruntime variables:\nrt0: b; (d0)[s0]{rt0} -> (s0, 0), domain: " EITHER
#define ANY "d0 in [0, 1], s0 in [0, 3], rt0 in [0, 3]"
#define BY_CONSTRAINT \
  "(d0)[s0]{rt0} -> (s0), domain: " ANY \
  ", s0 - rt0 in [0, 0]\nruntime variables:\nrt0: b; (d0)[s0]{rt0} -> (d0, 0), domain: " ANY
#define BACK "d0 in [0, 3], s0 in [0, 1], rt0 in [0, 3]"
#define BACK_FROM(index) \
  "(d0)[s0]{rt0} -> (s0), domain: " BACK \
  ", d0 - rt0 in [0, 0]\nruntime variables:\nrt0: b; (d0)[s0]{rt0} -> (" index \
  ", 0), domain: " BACK

typedef struct PairsCase {
  const char *name;
  bool is_backward;
  const char *before[3], *after[3];
  VerdictReason answer;
  const char *words; /* part of the sentence */
} PairsCase;

static const PairsCase pairs_cases[] = {
    {"the same", false, {FROM("d0, 0")}, {FROM("d0, 0")}, REASON_EXACT, "the same pairs"},
    {"the element of the other row", false, {FROM("d0, 0")}, {FROM("-d0 + 1, 0")}, REASON_WRONG,
        "where b[0,0] = "},
    {"before names an element more", false, {NAMES_MORE}, {FROM("d0, 0")}, REASON_EXACT,
        "the same pairs"},
    {"after names an element more", false, {FROM("d0, 0")}, {NAMES_MORE}, REASON_EXACT,
        "the same pairs"},
    {"an element more, which is the one that decides", false, {NAMES_MORE}, {FROM("-d0 + 1, 0")},
        REASON_WRONG, "before alone"},
    {"in pieces", false, {PIECE("0"), PIECE("1")}, {FROM("d0, 0")}, REASON_EXACT, "the same pairs"},
    {"a piece less", false, {FROM("d0, 0")}, {PIECE("1")}, REASON_WRONG, "before alone"},
    {"a piece more", false, {PIECE("0")}, {PIECE("0"), PIECE("1")}, REASON_EXTRA, "after alone"},
    {"the source's index has a range variable", false, {OF_RANGE}, {FROM("0, 0"), FROM("1, 0")},
        REASON_EXACT, "the same pairs"},
    {"and one of its values is lost", false, {OF_RANGE}, {FROM("1, 0")}, REASON_WRONG,
        "before alone"},
    {"a range variable that equals the runtime one", false, {BY_CONSTRAINT}, {FROM("d0, 0")},
        REASON_EXACT, "the same pairs"},
    {"everything", false, {FROM("d0, 0")}, {"(d0)[s0] -> (s0), domain: d0 in [0, 1], s0 in [0, 3]"},
        REASON_EXTRA, "36 after alone"},
    {"nothing, and nothing", false, {"KNOWN EMPTY"}, {}, REASON_EXACT, "the same pairs"},
    {"nothing", false, {FROM("d0, 0")}, {}, REASON_WRONG, "before alone"},
    {"outside", false, {FROM("d0, 0")}, {"(d0) -> (4), domain: d0 in [0, 1]"}, REASON_WRONG,
        "outside of 'a'"},
    {"of another rank", false, {FROM("d0, 0")}, {"(d0) -> (d0, d0), domain: d0 in [0, 1]"},
        REASON_WRONG, "2 results"},
    {"undefined", false, {"UNDEFINED"}, {FROM("d0, 0")}, REASON_UNSUPPORTED, "undefined"},
    {"turned, the same", true, {BACK_FROM("s0")}, {BACK_FROM("s0")}, REASON_EXACT,
        "the same pairs"},
    {"turned, the element of the other row", true, {BACK_FROM("s0")}, {BACK_FROM("-s0 + 1")},
        REASON_WRONG, "of 'a' and (0) of 'r' where b[0,0] = -1"},
};

static OracleMaps maps_of(OracleFixture *bench, const char *const *texts) {
  const Map **maps = ARENA_NEW(bench->arena, const Map *, 3);
  uint32_t count = 0;
  for (; count < 3 && texts[count] != nullptr; count++) maps[count] = map_of(bench, texts[count]);
  return (OracleMaps){count, maps};
}

static void every_case(void **) {
  for (size_t i = 0; i < sizeof pairs_cases / sizeof *pairs_cases; i++) {
    const PairsCase *row = &pairs_cases[i];
    OracleFixture bench = bench_create();
    const Instruction *root = root_of(&bench, GATHER);
    Verdict verdict;
    Error error = {};
    assert_true(oracle_same_pairs(bench.oracle, root, row->is_backward, 0, 0, 0,
        maps_of(&bench, row->before), maps_of(&bench, row->after), &verdict, &error));
    if (verdict.reason != row->answer || strstr(verdict_text(&verdict), row->words) == nullptr)
      fail_msg("%s: %d, %s", row->name, verdict.reason, verdict_text(&verdict));
    bench_destroy(&bench);
  }
}

static void a_question_must_exist(void **) {
  OracleFixture bench = bench_create();
  const Instruction *root = root_of(&bench, GATHER);
  Verdict verdict;
  Error error = {};
  assert_false(oracle_same_pairs(
      bench.oracle, root, false, 0, 2, 0, (OracleMaps){}, (OracleMaps){}, &verdict, &error));
  assert_non_null(strstr(error.message, "no operand 2"));
  bench_destroy(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_case), cmocka_unit_test(a_question_must_exist)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
