/* Names of faults: each seeded difference of an answer is named by the change that repairs it;
 * replies differ by their words, not by their numbers; groups keep the three smallest witnesses. */
#include "judge/engines/engine_faults.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/hlo/read/read.h"
#include "core/map/text.h"

static const Map *engine_faults_parse(MapContext *context, const char *text) {
  const Source source = {.name = "test", .text = text, .length = strlen(text), .first_line = 1};
  const Map *map;
  Error error = {};
  if (!map_parse(context, &source, &map, &error)) fail_msg("%s: %s", text, error.message);
  return map;
}

typedef struct EngineFaultsRepairRow {
  const char *wanted, *answer, *name;
} EngineFaultsRepairRow;

#define BOX ", domain: d0 in [0, 9], d1 in [0, 6]"
static const EngineFaultsRepairRow repairs[] = {
    {"(d0, d1) -> (d0 mod 4 + d1)" BOX, "(d0, d1) -> (d0 floordiv 4 + d1)" BOX,
        "simplify/other/mod-for-floordiv"},
    {"(d0, d1) -> (d0 floordiv 4, d1)" BOX, "(d0, d1) -> (d0 ceildiv 4, d1)" BOX,
        "simplify/other/floordiv-for-ceildiv"},
    {"(d0, d1) -> (min(d0, d1))" BOX, "(d0, d1) -> (max(d0, d1))" BOX,
        "simplify/other/min-for-max"},
    {"(d0, d1) -> (d0, d1)" BOX, "(d0, d1) -> (d0 mod 5, d1)" BOX, "simplify/other/drop-mod"},
    {"(d0, d1) -> (d0 * 3 + d1)" BOX, "(d0, d1) -> (d0 * 2 + d1)" BOX,
        "simplify/other/constant-by-one"},
    {"(d0, d1) -> (d0, d1)" BOX, "(d0, d1) -> (d0 + 1, d1)" BOX, "simplify/other/result-by-one"},
    {"(d0, d1) -> (d0, d1)" BOX, "(d0, d1) -> (d1, d0)" BOX, "simplify/other/swap-results"},
    {"(d0, d1) -> (d0 * 7 + d1)" BOX, "(d0, d1) -> (d1 * 7 + d0)" BOX,
        "simplify/other/swap-dimensions"},
    {"(d0, d1) -> (d0 * 5 + d1, d0)" BOX, "(d0, d1) -> (d1 * 9, d0)" BOX, "simplify/other/result"},
    {"(d0, d1) -> (d0 * 5 + d1, d0 * 3)" BOX, "(d0, d1) -> (d1 * 9, d1 * 2)" BOX,
        "simplify/other/results"},
    {"(d0, d1) -> (d0)" BOX, "(d0, d1) -> (d0), domain: d0 in [0, 10], d1 in [0, 6]",
        "simplify/extra/bound-by-one"},
    {"(d0, d1) -> (d0)" BOX, "(d0, d1) -> (d0), domain: d0 in [0, 8], d1 in [0, 6]",
        "simplify/missing/bound-by-one"},
    {"(d0, d1) -> (d0)" BOX, "(d0, d1) -> (d0), domain: d0 in [2, 6], d1 in [1, 3]",
        "simplify/missing/bounds"},
    {"(d0, d1) -> (d0)" BOX, "(d0, d1) -> (d0)" BOX ", d0 + d1 in [0, 5]",
        "simplify/missing/drop-constraint"},
    {"(d0, d1) -> (d0)" BOX ", d0 + d1 in [0, 5]", "(d0, d1) -> (d0)" BOX,
        "simplify/extra/add-constraint"},
    {"(d0, d1) -> (d0)" BOX ", d0 + d1 in [0, 5]", "(d0, d1) -> (d0)" BOX ", d0 + d1 in [0, 6]",
        "simplify/extra/interval-by-one"},
    {"(d0, d1) -> (d0)" BOX ", d0 + d1 in [1, 5], d0 mod 3 in [0, 1]",
        "(d0, d1) -> (d0), domain: d0 in [0, 4], d1 in [0, 6], d0 + d1 in [3, 9]",
        "simplify/other/domain"},
    /* a wrong operator is not named by a number that happens to repair a small map, and a wrong
     * bound is not named by an operator that does */
    {"(d0) -> (d0 mod 2), domain: d0 in [2, 2]", "(d0) -> (d0 floordiv 2), domain: d0 in [2, 2]",
        "simplify/other/mod-for-floordiv"},
    {"(d0) -> (d0), domain: d0 in [0, 9], d0 mod 2 in [0, 0]",
        "(d0) -> (d0), domain: d0 in [0, 9], d0 mod 2 in [0, 1]", "simplify/extra/interval-by-one"},
    {"(d0) -> (d0), domain: d0 in [0, 9], d0 ceildiv 4 in [1, 2]",
        "(d0) -> (d0), domain: d0 in [0, 9], d0 floordiv 4 in [1, 2]",
        "simplify/other/ceildiv-for-floordiv"},
    {"(d0) -> (d0), domain: d0 in [0, 9], d0 mod 4 in [0, 2]",
        "(d0) -> (d0), domain: d0 in [0, 9], d0 floordiv 4 in [0, 2]",
        "simplify/extra/mod-for-floordiv"},
    /* the first fault does not hide the second */
    {"(d0, d1) -> (d0 mod 4, d1)" BOX,
        "(d0, d1) -> (d0 floordiv 4, d1), domain: d0 in [0, 8], d1 in [0, 6]",
        "simplify/other/domain+mod-for-floordiv"},
    {"(d0, d1) -> (d0)" BOX, "KNOWN EMPTY", "simplify/missing/empty"},
    {"(d0, d1) -> (d0)" BOX,
        "(d0, d1)[s0] -> (s0), domain: d0 in [0, 9], d1 in [0, 6], s0 in [0, 9]",
        "simplify/extra/no-repair"},
};

static Judge *make_judge(void) {
  Error error = {};
  Judge *judge = judge_create(&(JudgeOptions){.without_smt = true}, &error);
  if (judge == nullptr) fail_msg("%s", error.message);
  return judge;
}

static void a_wrong_answer_is_named_by_its_repair(void **) {
  Judge *judge = make_judge();
  for (size_t i = 0; i < sizeof repairs / sizeof *repairs; i++) {
    const EngineFaultsRepairRow *row = &repairs[i];
    FaultName name;
    fault_name_of_map(judge, "simplify", false, engine_faults_parse(judge->context, row->wanted),
        engine_faults_parse(judge->context, row->answer), &name);
    if (strcmp(name.text, row->name) != 0)
      fail_msg("%s for %s: %s, not %s", row->answer, row->wanted, name.text, row->name);
  }
  judge_destroy(judge);
}

/* A judgement of an instruction, with the same kinds. */
static void a_wrong_judgement_is_named_by_its_kind(void **) {
  static const char text[] =
      "HloModule m\nENTRY e { p = f32[9] parameter(0) ROOT r = f32[5] slice(p), slice={[0:9:2]} }";
  static const struct {
    const char *answer, *name;
  } rows[] = {
      {"(d0) -> (d0 * 2), domain: d0 in [0, 3]", "slice-o2i/missing/bound-by-one"},
      {"(d0)[s0] -> (d0 * 2 - s0), domain: d0 in [0, 4], s0 in [0, 1], d0 - s0 in [0, 4]",
          "slice-o2i/extra/bound-by-one"},
      {"(d0) -> (d0 floordiv 2), domain: d0 in [0, 4]", "slice-o2i/other/result"},
      {"(d0) -> (d0 * 2 + 1), domain: d0 in [0, 3]", "slice-o2i/other/domain+result-by-one"},
  };
  Judge *judge = make_judge();
  const Source source = {.name = "test", .text = text, .length = strlen(text), .first_line = 1};
  const Module *module;
  Error error = {};
  if (!hlo_read(judge->context->arena, &source, &module, &error)) fail_msg("%s", error.message);
  const Question question = {.instruction = module->entry->root, .direction = OUTPUT_TO_INPUT};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const Map *answer = engine_faults_parse(judge->context, rows[i].answer);
    const MapSet set = {.count = 1, .maps = &answer, .claim = INDEX_EXACT};
    Judgement judgement = {};
    FaultName name;
    judge_maps(judge, &question, &set, &judgement);
    fault_name_of_judgement(judge, &judgement, &name);
    if (strcmp(name.text, rows[i].name) != 0)
      fail_msg("%s: %s, not %s", rows[i].answer, name.text, rows[i].name);
  }
  judge_destroy(judge);
}

static void a_reply_is_named_by_its_words(void **) {
  static const struct {
    EngineReply reply;
    const char *name;
  } rows[] = {
      {{.kind = ENGINE_ABORTED,
           .words = 7,
           .why =
               "SIGABRT; its last words: F0000 00:00:1766 17 map.cc:321] Check failed: rank == 3 (2 vs. "
               "3)  | of 0x7ffe12"},
          "pad/aborted/SIGABRT-Check-failed-rank-vs"},
      {{.kind = ENGINE_ABORTED,
           .words = 7,
           .why =
               "SIGABRT; its last words: F0001 00:09:11 18 map.cc:99] Check failed: rank == 4 (1 vs. 4)"},
          "pad/aborted/SIGABRT-Check-failed-rank-vs"},
      {{.kind = ENGINE_CRASHED, .why = "SIGSEGV"}, "pad/crashed/SIGSEGV"},
      {{.kind = ENGINE_CRASHED, .why = "SIGFPE"}, "pad/crashed/SIGFPE"},
      {{.kind = ENGINE_GARBAGE, .why = "1:5: expected ')', in the answer (d0 -> x", .quoted = 17},
          "pad/garbage/expected"},
      {{.kind = ENGINE_RANK, .why = "3 dimensions were wanted"},
          "pad/wrong-rank/dimensions-were-wanted"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    FaultName name;
    fault_name_of_reply("pad", &rows[i].reply, &name);
    assert_string_equal(name.text, rows[i].name);
  }
  assert_true(fault_name_has_kind("pad/wrong-rank/x", "wrong rank"));
  assert_true(fault_name_has_kind("pad-o2i/missing/x", "wrong"));
  assert_false(fault_name_has_kind("pad/crashed/x", "wrong"));
  assert_false(fault_name_has_kind("pad/crashed/x", "crash"));
}

static FaultWitness witness_of(uint64_t size) {
  FaultWitness witness = {.size = size, .number = size};
  snprintf(witness.text, sizeof witness.text, "w%llu", (unsigned long long)size);
  return witness;
}

static void a_group_keeps_the_three_smallest(void **) {
  static EngineFaults faults;
  faults = (EngineFaults){};
  for (uint64_t i = 0; i < 50; i++) {
    FaultWitness witness = witness_of(1 + (i * 37 + 11) % 50);
    engine_faults_note(&faults, &(FaultName){"pad/crashed/SIGSEGV"}, &witness);
  }
  assert_int_equal(faults.count, 1);
  assert_int_equal(faults.items[0].count, 50);
  assert_int_equal(faults.items[0].kept, 3);
  for (uint32_t i = 0; i < 3; i++) assert_int_equal(faults.items[0].witnesses[i].size, i + 1);
  for (uint32_t i = 0; i < 200; i++) {
    FaultName name = {};
    snprintf(name.text, sizeof name.text, "op%u/crashed/x", i);
    FaultWitness witness = witness_of(1);
    engine_faults_note(&faults, &name, &witness);
  }
  assert_int_equal(faults.count, engine_faults_most);
  const EngineFault *last = &faults.items[engine_faults_most - 1];
  assert_string_equal(last->name.text, "other");
  uint64_t sum = 0;
  for (uint32_t i = 0; i < faults.count; i++) sum += faults.items[i].count;
  assert_int_equal(sum, 250);
}

static bool read_names(Arena *arena, const char *text, KnownFaults *known, Error *error) {
  char path[] = P_tmpdir "/engine_faults_XXXXXX";
  int file = mkstemp(path);
  assert_true(file >= 0);
  assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
  close(file);
  bool is_read = known_faults_read(arena, path, known, error);
  unlink(path);
  return is_read;
}

static void names_are_read_from_a_file(void **) {
  Arena *arena = arena_create();
  KnownFaults known = {};
  Error error = {};
  assert_true(read_names(
      arena, "# known\n\n  simplify/extra/bounds   documented\npad/crashed/x\n", &known, &error));
  assert_int_equal(known.count, 2);
  assert_true(known_faults_has(&known, &(FaultName){"simplify/extra/bounds"}));
  assert_false(known_faults_has(&known, &(FaultName){"simplify/extra/bound"}));
  assert_true(known.items[0].is_seen && !known.items[1].is_seen);
  assert_false(read_names(arena, "a/b/c\na/b/c\n", &(KnownFaults){}, &error));
  assert_non_null(strstr(error.message, ":2: a/b/c stands here a second time"));
  error = (Error){};
  assert_false(read_names(arena, "nonsense\n", &(KnownFaults){}, &error));
  assert_non_null(strstr(error.message, ":1: nonsense is no name"));
  assert_true(fault_name_is_extra("simplify/extra/bounds"));
  assert_false(fault_name_is_extra("simplify/other/bounds"));
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_wrong_answer_is_named_by_its_repair),
      cmocka_unit_test(a_wrong_judgement_is_named_by_its_kind),
      cmocka_unit_test(a_reply_is_named_by_its_words),
      cmocka_unit_test(a_group_keeps_the_three_smallest),
      cmocka_unit_test(names_are_read_from_a_file),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
