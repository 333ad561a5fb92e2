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

typedef struct JudgementRow {
  const char *answer, *name;
} JudgementRow;

static void judgements_are_named(
    const JudgeOptions *options, const char *text, size_t count, const JudgementRow *rows) {
  Error error = {};
  Judge *judge = judge_create(options, &error);
  const Source source = {.name = "test", .text = text, .length = strlen(text), .first_line = 1};
  const Module *module;
  if (!hlo_read(judge->context->arena, &source, &module, &error)) fail_msg("%s", error.message);
  const Question question = {.instruction = module->entry->root, .direction = OUTPUT_TO_INPUT};
  for (size_t i = 0; i < count; i++) {
    const Map *answer = engine_faults_parse(judge->context, rows[i].answer);
    const MapSet set = {.count = answer->state == MAP_PLAIN, .maps = &answer, .claim = INDEX_EXACT};
    Judgement judgement = {};
    FaultName name;
    judge_maps(judge, &question, &set, &judgement);
    fault_name_of_judgement(judge, &judgement, &name);
    if (strcmp(name.text, rows[i].name) != 0)
      fail_msg("%s: %s, not %s", rows[i].answer, name.text, rows[i].name);
  }
  judge_destroy(judge);
}

/* A judgement of an instruction, with the same kinds. */
static void a_wrong_judgement_is_named_by_its_kind(void **) {
  static const JudgementRow rows[] = {
      {"(d0) -> (d0 * 2), domain: d0 in [0, 3]", "slice-o2i/missing/bound-by-one"},
      {"(d0)[s0] -> (d0 * 2 - s0), domain: d0 in [0, 4], s0 in [0, 1], d0 - s0 in [0, 4]",
          "slice-o2i/extra/bound-by-one"},
      {"(d0) -> (d0 floordiv 2), domain: d0 in [0, 4]", "slice-o2i/other/result"},
      {"(d0) -> (d0 * 2 + 1), domain: d0 in [0, 3]", "slice-o2i/other/domain+result-by-one"},
  };
  judgements_are_named(&(JudgeOptions){.without_smt = true},
      "HloModule m\nENTRY e { p = f32[9] parameter(0) ROOT r = f32[5] slice(p), slice={[0:9:2]} }",
      sizeof rows / sizeof *rows, rows);
}

/* More elements than are enumerated: the proof alone decides, and the names are the same. */
static void a_proved_judgement_has_the_same_name(void **) {
  static const JudgementRow rows[] = {
      {"(d0) -> (d0 * 2), domain: d0 in [0, 9999]", "slice-o2i/missing/bound-by-one"},
      {"KNOWN EMPTY", "slice-o2i/missing/no-map"},
      {"(d0)[s0] -> (d0 * 2 - s0), domain: d0 in [0, 10000], s0 in [0, 1], d0 - s0 in [0, 10000]",
          "slice-o2i/extra/bound-by-one"},
      {"(d0) -> (d0 * 2 + 1), domain: d0 in [0, 9999]", "slice-o2i/other/domain+result-by-one"},
      {"(d0)[s0] -> (d0 * 2 + s0), domain: d0 in [0, 10000], s0 in [0, 1]",
          "slice-o2i/outside/bound-by-one"},
  };
  judgements_are_named(&(JudgeOptions){},
      "HloModule m\nENTRY e { p = f32[20001] parameter(0) "
      "ROOT r = f32[10001] slice(p), slice={[0:20001:2]} }",
      sizeof rows / sizeof *rows, rows);
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
  static EngineFaults merged; /* the others come first, and stay one group */
  merged = (EngineFaults){};
  for (uint32_t i = faults.count; i > 0; i--) engine_faults_add(&merged, &faults.items[i - 1]);
  engine_faults_note(&merged, &(FaultName){"further/crashed/x"}, &(FaultWitness){.size = 1});
  assert_int_equal(merged.count, engine_faults_most);
  assert_string_equal(merged.items[0].name.text, "other");
  assert_int_equal(merged.items[0].count, last->count + 1);
  for (uint32_t i = 1; i < merged.count; i++)
    assert_int_equal(merged.items[i].count, i == merged.count - 1 ? 50 : 1);
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
  assert_non_null(strstr(error.message, ":2: a/b/c is listed twice"));
  error = (Error){};
  assert_false(read_names(arena, "nonsense\n", &(KnownFaults){}, &error));
  assert_non_null(strstr(error.message, ":1: nonsense is no name"));
  assert_true(fault_name_is_extra("simplify/extra/bounds"));
  assert_false(fault_name_is_extra("simplify/other/bounds"));
  arena_destroy(arena);
}

/* --- whole functions against definitions --- */

static uint64_t fault_random(uint64_t *state, uint64_t below) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (*state >> 33) % below;
}

/* The name of a reply: of each run of letters, digits and `_` that does not begin with a digit, the
 * part without digits; a hyphen between them. */
static void define_name(const char *operation, const char *kind, const char *words, char *name) {
  char *end = name + sprintf(name, "%s/%s/", operation, kind);
  bool is_first = true;
  for (const char *at = words; *at != 0;) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    size_t word = strspn(at, letters);
    if (word > 0 && strchr("0123456789", *at) == nullptr) {
      if (!is_first) *end++ = '-';
      is_first = false;
      for (size_t i = 0; i < word; i++)
        if (strchr("0123456789", at[i]) == nullptr) *end++ = at[i];
    }
    at += word > 0 ? word : 1;
  }
  *end = 0;
}

static void names_of_replies_have_only_letters(void **) {
  static const char signs[] = "abZ_09 :()./-3x";
  uint64_t random = 1;
  for (uint32_t i = 0; i < 5000; i++) {
    EngineReply reply = {.kind = (EngineKind)(1 + i % (engine_kind_count - 1))};
    char why[40] = "", kind[40], wanted[200];
    uint32_t length = (uint32_t)fault_random(&random, 30);
    for (uint32_t k = 0; k < length; k++) why[k] = signs[fault_random(&random, sizeof signs - 1)];
    reply.why = why;
    snprintf(kind, sizeof kind, "%s", engine_kind_text(reply.kind));
    for (char *at = kind; *at != 0; at++)
      if (*at == ' ') *at = '-';
    FaultName name;
    fault_name_of_reply("add", &reply, &name);
    define_name("add", kind, why, wanted);
    assert_string_equal(name.text, wanted);
    if (length == 0) continue;
    reply.quoted = (uint32_t)(1 + fault_random(&random, length)); /* what follows is a quotation */
    fault_name_of_reply("add", &reply, &name);
    why[reply.quoted] = 0;
    define_name("add", kind, why, wanted);
    assert_string_equal(name.text, wanted);
  }
}

/* A name is cut to its capacity, wherever the cut falls. */
static void long_names_are_cut(void **) {
  char why[400] = "";
  for (uint32_t length = 100; length < 200; length++)
    for (uint32_t word = 1; word < 9; word++) {
      for (uint32_t i = 0; i < length; i++) why[i] = i % (word + 1) == word ? ' ' : 'a';
      why[length] = 0;
      FaultName name;
      char wanted[500];
      memset(&name, 'z', sizeof name);
      fault_name_of_reply("add", &(EngineReply){.kind = ENGINE_CRASHED, .why = why}, &name);
      define_name("add", "crashed", why, wanted);
      size_t used = strnlen(name.text, sizeof name.text);
      assert_true(used < sizeof name.text && strncmp(name.text, wanted, used) == 0);
      if (strlen(wanted) + 2 < sizeof name.text) assert_string_equal(name.text, wanted);
      else assert_true(used + 4 > sizeof name.text);
    }
}

static const char *const kinds_of_maps[] = {"missing", "extra", "other", "outside", "disagree"};

/* Each kind is the kind of its own names alone, and "wrong" is the kind of wrong maps. */
static void a_name_has_one_kind(void **) {
  const char *kinds[engine_kind_count + 6];
  uint32_t count = 0;
  for (uint32_t i = 0; i < 5; i++) kinds[count++] = kinds_of_maps[i];
  kinds[count++] = fault_unsettled;
  for (uint32_t i = 0; i < engine_kind_count; i++) kinds[count++] = engine_kind_text((EngineKind)i);
  for (uint32_t i = 0; i < count; i++) {
    char name[100], changed[100];
    snprintf(name, sizeof name, "pad/%s/mod", kinds[i]);
    for (char *at = name; *at != 0; at++)
      if (*at == ' ') *at = '-';
    for (uint32_t k = 0; k < count; k++)
      assert_int_equal(fault_name_has_kind(name, kinds[k]), strcmp(kinds[i], kinds[k]) == 0);
    assert_int_equal(fault_name_has_kind(name, "wrong"), i < 5);
    assert_int_equal(fault_name_is_extra(name), i == 1);
    assert_int_equal(fault_name_is_of_domain(name), false);
    snprintf(changed, sizeof changed, "pad/%s/bounds", kinds[i]);
    assert_int_equal(fault_name_is_of_domain(changed), i < 5);
    assert_true(fault_kind_is_known(kinds[i]));
    snprintf(changed, sizeof changed, "%sx", kinds[i]);
    assert_false(fault_kind_is_known(changed) || fault_name_has_kind(name, changed));
    snprintf(changed, sizeof changed, "%.*s", (int)strlen(kinds[i]) - 1, kinds[i]);
    assert_false(fault_kind_is_known(changed) || fault_name_has_kind(name, changed));
  }
  assert_true(fault_kind_is_known("wrong"));
  assert_false(fault_kind_is_known("") || fault_name_has_kind("missing", "missing"));
  assert_false(fault_name_is_of_domain("bounds"));
}

static bool is_smaller(const FaultWitness *a, const FaultWitness *b) {
  return a->size != b->size ? a->size < b->size : a->number < b->number;
}

/* Groups that are noted in parts and merged are those of all witnesses: each with its count and its
 * three smallest witnesses in order. */
static void merged_groups_are_those_of_all(void **) {
  static EngineFaults parts[3], all;
  static FaultWitness noted[4][60];
  uint64_t random = 7;
  for (uint32_t round = 0; round < 200; round++) {
    uint32_t counts[4] = {};
    memset(parts, 0, sizeof parts);
    all = (EngineFaults){};
    for (uint32_t i = 0; i < 40; i++) {
      uint32_t group = (uint32_t)fault_random(&random, 4);
      FaultWitness witness = {.size = fault_random(&random, 6), .number = i};
      FaultName name = {};
      snprintf(name.text, sizeof name.text, "op%u/crashed/x", group);
      engine_faults_note(&parts[fault_random(&random, 3)], &name, &witness);
      noted[group][counts[group]++] = witness;
    }
    for (uint32_t part = 0; part < 3; part++)
      for (uint32_t i = 0; i < parts[part].count; i++)
        engine_faults_add(&all, &parts[part].items[i]);
    for (uint32_t i = 0; i < all.count; i++) {
      const EngineFault *fault = &all.items[i];
      uint32_t group = (uint32_t)(fault->name.text[2] - '0'), count = counts[group];
      assert_int_equal(fault->count, count);
      assert_int_equal(fault->kept, count < 3 ? count : 3);
      for (uint32_t k = 0; k < fault->kept; k++) {
        uint32_t smaller = 0;
        for (uint32_t other = 0; other < count; other++)
          smaller += is_smaller(&noted[group][other], &fault->witnesses[k]);
        assert_int_equal(smaller, k);
      }
      counts[group] = 0;
    }
    for (uint32_t group = 0; group < 4; group++) assert_int_equal(counts[group], 0);
  }
}

/* Larger groups first, equal ones by name, and what is no fault last. */
static void groups_are_printed_by_their_count(void **) {
  static EngineFaults faults;
  static const struct {
    const char *name;
    uint32_t count;
  } groups[] = {{"b/crashed/x", 2}, {"a/crashed/x", 2}, {"c/unsettled/x", 9}, {"d/extra/y", 5},
      {"a/unsettled/z", 1}, {"lone", 1}};
  static const char *const order[] = {"d ", "a ", "b ", "lone ", "c ", "a "};
  Arena *arena = arena_create();
  Text text = text_create(arena);
  engine_faults_print(&text, &faults);
  assert_int_equal(text.length, 0);
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
    for (uint32_t k = 0; k < groups[i].count; k++) {
      FaultName name = {};
      FaultWitness witness = witness_of(k + 1);
      snprintf(name.text, sizeof name.text, "%s", groups[i].name);
      engine_faults_note(&faults, &name, &witness);
    }
  engine_faults_print(&text, &faults);
  const char *line = strchr(text.bytes, '\n') + 1;
  for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
    assert_int_equal(strncmp(line, order[i], strlen(order[i])), 0);
    line = strchr(line, '\n') + 1;
  }
  assert_int_equal(*line, 0);
  assert_non_null(strstr(text.bytes, " extra/y "));
  assert_non_null(strstr(text.bytes, " 5  w1; w2; w3\n"));
  assert_non_null(strstr(text.bytes, " 1  w1\n"));
  arena_destroy(arena);
}

/* The count stands in one column, also beside names that are longer than the usual columns. */
static void counts_stand_in_one_column(void **) {
  static EngineFaults faults;
  static const char *const names[] = {"pad-o2i/missing/bounds",
      "an-operation-with-a-long-name/crashed/SIGABRT-Check-failed-of-a-name-that-is-long",
      "collective-permute-start-o2i/other/domain"};
  Arena *arena = arena_create();
  Text text = text_create(arena);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    FaultName name = {};
    FaultWitness witness = witness_of(1);
    snprintf(name.text, sizeof name.text, "%s", names[i]);
    engine_faults_note(&faults, &name, &witness);
  }
  engine_faults_print(&text, &faults);
  const char *line = text.bytes;
  const ptrdiff_t column = strstr(line, "count") + strlen("count") - line;
  while (*(line = strchr(line, '\n') + 1) != 0)
    assert_int_equal(strncmp(line + column, "  w1\n", strlen("  w1\n")), 0);
  arena_destroy(arena);
}

/* The kind of every judgement that refutes, by the pairs that the oracle counted. Without a map, or
 * with more than 64, no change is looked for. */
static void the_kind_is_what_the_oracle_counted(void **) {
  static const VerdictReason answers[] = {REASON_WRONG, REASON_EXTRA, REASON_DISSENT};
  static const char text[] =
      "HloModule m\nENTRY e { p = f32[3] parameter(0) ROOT r = f32[3] reverse(p), dimensions={0} }";
  Judge *judge = make_judge();
  const Source source = {.name = "test", .text = text, .length = strlen(text), .first_line = 1};
  const Module *module;
  const Map *maps[65];
  Error error = {};
  assert_true(hlo_read(judge->context->arena, &source, &module, &error));
  for (uint32_t i = 0; i < 65; i++)
    maps[i] = engine_faults_parse(judge->context, "(d0) -> (d0), domain: d0 in [0, 2]");
  for (uint32_t code = 0; code < 3 * 2 * 2 * 2 * 2; code++) {
    VerdictReason answer = answers[code / 16];
    bool has_missing = code % 2 == 1, has_extra = code / 2 % 2 == 1, is_back = code / 4 % 2 == 1;
    Judgement judgement = {.question = {.instruction = module->entry->root,
                               .direction = is_back ? INPUT_TO_OUTPUT : OUTPUT_TO_INPUT},
        .answer = answer,
        .maps = {.count = code / 8 % 2 == 1 ? 65 : 0, .maps = maps}};
    judgement.by[BY_ORACLE].reason = answer;
    judgement.by[BY_ORACLE].missing = has_missing;
    judgement.by[BY_ORACLE].extra = has_extra;
    const char *kind = answer == REASON_DISSENT ? "disagree"
                       : answer == REASON_EXTRA ? "extra"
                       : !has_missing           ? "outside"
                       : has_extra              ? "other"
                                                : "missing";
    char wanted[100];
    snprintf(wanted, sizeof wanted, "reverse-%s/%s/no-map", is_back ? "i2o" : "o2i", kind);
    FaultName name;
    fault_name_of_judgement(judge, &judgement, &name);
    assert_string_equal(name.text, wanted);
  }
  judge_destroy(judge);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_wrong_answer_is_named_by_its_repair),
      cmocka_unit_test(a_wrong_judgement_is_named_by_its_kind),
      cmocka_unit_test(a_proved_judgement_has_the_same_name),
      cmocka_unit_test(a_reply_is_named_by_its_words),
      cmocka_unit_test(a_group_keeps_the_three_smallest),
      cmocka_unit_test(names_are_read_from_a_file),
      cmocka_unit_test(names_of_replies_have_only_letters),
      cmocka_unit_test(long_names_are_cut),
      cmocka_unit_test(a_name_has_one_kind),
      cmocka_unit_test(merged_groups_are_those_of_all),
      cmocka_unit_test(groups_are_printed_by_their_count),
      cmocka_unit_test(counts_stand_in_one_column),
      cmocka_unit_test(the_kind_is_what_the_oracle_counted),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
