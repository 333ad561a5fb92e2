/* affirm audit as a user sees it: output lines, exit statuses, mutants, and XLA's own outputs if
 * they are available. */
#include <dirent.h>
#include "cli/test/test_command.h"
#include "core/base/text.h"

/* --- maps --- */

static const char transpose[] =
    "HloModule m\nENTRY e {\n  p = f32[4,6]{1,0} parameter(0)\n  ROOT t = f32[6,4]{1,0} transpose(p), dimensions={1,0}\n}\n";

static Ran audit(const char *module, const char *maps) {
  return RUN(audit, write_text("m.hlo", module), WORD("--maps"), write_text("maps.txt", maps));
}

static void right_maps_are_exact(void **) {
  Ran ran = audit(transpose,
      "I0801 12:00:00.1 17 tool.cc:9] hello\nOutput 0 operand 0:\n(d0, d1) -> (d1, d0), domain: d0 in [0, 5], d1 in [0, 3]\n");
  assert_int_equal(ran.status, 0);
  assert_contains(ran.printed,
      "1 exact, 0 over-approximation, 0 wrong, 0 undefined, 0 malformed, 0 disagree, 0 not judged; lines passed over 1,");
  assert_int_equal(
      audit(transpose,
          "Output 0 operand 0:\n(d0, d1) -> (d1, d0),\n  domain:\n  d0 in [0, 2],\n  d1 in [0, 3]\n"
          "(d0, d1) -> (d1, d0), domain: d0 in [3, 5], d1 in [0, 3]\n")
          .status,
      0);
}

/* One constant is changed: the witness names the read, and the row names the command that replays
 * it. */
static void a_mutant_constant_is_wrong(void **) {
  Ran ran = audit(
      transpose, "Output 0 operand 0:\n(d0, d1) -> (d1, d0), domain: d0 in [0, 4], d1 in [0, 3]\n");
  assert_int_equal(ran.status, 1);
  assert_contains(ran.printed, "element (5, 0) of 't' reads (0, 5) of 'p'");
  assert_contains(ran.printed, "    point        (5, 0)\n    element      (0, 5)\n");
  assert_contains(ran.printed, "--output 0 --operand 0\n");
  ran = audit(transpose,
      "Output 0 operand 0:\n(d0, d1) -> (d1, d0 + 1), domain: d0 in [0, 5], d1 in [0, 3]\n");
  assert_int_equal(ran.status, 1);
  assert_contains(ran.printed, "outside of 'p'");
}

static void more_is_over_approximation(void **) {
  const char *maps =
      "Output 0 operand 0:\n(d0, d1)[s0] -> (s0, d0), domain: d0 in [0, 5], d1 in [0, 3], s0 in [0, 3]\n";
  Ran ran = audit(transpose, maps);
  assert_int_equal(ran.status, 0);
  assert_contains(ran.printed, "over-approximation");
  assert_contains(ran.printed, ": 72 pairs too many: element (0, 0)");
  ran = RUN(audit, path_of("m.hlo"), WORD("--exact"), WORD("--quiet"), WORD("--maps"),
      path_of("maps.txt"));
  assert_int_equal(ran.status, 1);
  assert_contains(ran.printed, ": 72 pairs too many: element (0, 0)");
}

static void each_malformed_map_has_a_reason(void **) {
  static const struct {
    const char *maps, *reason;
  } rows[] = {
      {"(d0) -> (d0, d0), domain: d0 in [0, 3]\n", "1 dimension, the tensor has rank 2"},
      {"(d0, d1) -> (d0), domain: d0 in [0, 5], d1 in [0, 3]\n", "1 result, the tensor has rank 2"},
      {"(d0, d1) -> (d1, d2), domain: d0 in [0, 5], d1 in [0, 3]\n", "line 2, column 18"},
      {"\n\n(d0, d1) -> (d1, d0 mod 0), domain: d0 in [0, 5], d1 in [0, 3]\n", "line 4, column"},
      {"(d0, d1) -> (d1, d0), domain: d0 in [0, 5], d1 in [0, 3]\nthe operand is read once\n",
          "line 3, column 1: unknown name 'the' in a line below the map; an empty line ends"},
      {"\n", "neither a map nor (none)"},
      {"(none)\n(d0, d1) -> (d1, d0), domain: d0 in [0, 5], d1 in [0, 3]\n", "(none) and a map"},
      {"(none)\nOutput 0 operand 1:\n(none)\n", "t has 1 output and 1 operand"},
      {"(none)\nOutput 0 operand 0.1:\n(none)\n", "operand 0 has 1 leaf"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Ran ran = audit(transpose, arena_printf(arena, "Output 0 operand 0:\n%s", rows[i].maps));
    assert_contains(ran.printed, "malformed ");
    assert_contains(ran.printed, rows[i].reason);
    assert_int_not_equal(ran.status, 0);
    assert_int_equal(ran.status, strstr(ran.printed, "0 wrong") != nullptr ? 3 : 1);
  }
}

static void an_undefined_map_is_never_right(void **) {
  Ran ran = audit(transpose, "Output 0 operand 0:\nUNDEFINED\n");
  assert_int_equal(ran.status, 2);
  assert_contains(ran.printed, "1 undefined");
  ran = audit(transpose, "Output 0 operand 0:\n(none)\n");
  assert_int_equal(ran.status, 1);
  ran = audit(transpose, "Output 0 operand 0:\nKNOWN EMPTY\n");
  assert_int_equal(ran.status, 1);
  ran = audit(
      "ENTRY e {\n  a = f32[4] parameter(0)\n  b = f32[4] parameter(1)\n  ROOT s = f32[4] add(a, b)\n}\n",
      "Output 0 operand 1:\n(d0) -> (d0), domain: d0 in [0, 3]\n");
  assert_int_equal(ran.status, 2);
  assert_contains(ran.printed, "Output 0 operand 0    : the text has no block for it");
  ran = audit(transpose,
      "Output 0 operand 0:\n(d0, d1) -> (d1, d0), domain: d0 in [0, 5], d1 in [0, 3]\n"
      "Output 0 operand 0:\n(d0, d1) -> (d1, d0), domain: d0 in [0, 5], d1 in [0, 3]\n");
  assert_int_equal(ran.status, 3);
  assert_contains(ran.printed, "occurs twice");
  assert_int_equal(audit(transpose, "no heading\n").status, 3);
}

/* A source that cannot be identified leaves the verdict open, whatever the map. */
static void unknown_sources_are_not_judged(void **) {
  const char *module =
      "ENTRY e {\n  d = f32[9] parameter(0)\n  at = s32[] parameter(1)\n  ROOT s = f32[4] dynamic-slice(d, at), dynamic_slice_sizes={4}\n}\n";
  const char *format =
      "Output 0 operand 0:\n(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 3], rt0 in [0, 5]\n%s"
      "Output 0 operand 1:\n(d0) -> (), domain: d0 in [0, 3]\n";
  const char *known[] = {"at; (d0) -> ()", "%at; (d0) -> ()", "parameter(1); (d0) -> ()",
      "%at = s32[] parameter(1); (d0) -> ()"};
  for (int i = 0; i < 4; i++) {
    char *lines =
        arena_printf(arena, "runtime variables:\n\nrt0: %s, domain: d0 in [0, 3]\n", known[i]);
    assert_int_equal(audit(module, arena_printf(arena, format, lines)).status, 0);
  }
  Ran ran = audit(module, arena_printf(arena, format, ""));
  assert_int_equal(ran.status, 2);
  assert_contains(ran.printed, "no source is given (rt0)");
  ran = audit(module, arena_printf(arena, format,
                          "runtime variables:\nrt0: nobody; (d0) -> (), domain: d0 in [0, 3]\n"));
  assert_int_equal(ran.status, 2);
  assert_contains(ran.printed, "no instruction is called 'nobody' (rt0)");
  ran = audit(
      module, arena_printf(arena, format,
                  "runtime variables:\nrt0: parameter(2); (d0) -> (), domain: d0 in [0, 3]\n"));
  assert_int_equal(ran.status, 2);
  ran = audit(
      module, arena_printf(arena, format,
                  "runtime variables:\nrt0: parameter(0); (d0) -> (d0), domain: d0 in [0, 3]\n"));
  assert_int_not_equal(ran.status, 0);
}

/* Sources through fusions: a name inside, a parameter inside that is an operand outside, and a name
 * that exists in both. */
static void sources_are_found_through_fusions(void **) {
  const char *module =
      "deep {\n  x = s32[16] parameter(0)\n  k = s32[] parameter(1)\n  one = s32[] constant(1)\n  at = s32[] add(k, one)\n"
      "  ROOT r = s32[8] dynamic-slice(x, at), dynamic_slice_sizes={8}\n}\n"
      "mid {\n  y = s32[16] parameter(0)\n  m = s32[] parameter(1)\n  ROOT f = s32[8] fusion(y, m), kind=kLoop, calls=deep\n}\n"
      "ENTRY e {\n  a = s32[16] parameter(0)\n  b = s32[] parameter(1)\n  at = s32[] negate(b)\n"
      "  ROOT g = s32[8] fusion(a, at), kind=kLoop, calls=mid\n}\n";
  static const struct {
    const char *source;
    int status;
  } rows[] = {{"deep/at", 0}, {"%deep/at", 0}, {"at", 1}, {"e/at", 1}, {"mid/at", 2}, {"k", 1},
      {"m", 1}, {"parameter(1)", 1}, {"b", 1}, {"parameter(7)", 2}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Ran ran = audit(module,
        arena_printf(arena,
            "Output 0 operand 0:\n(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 7], rt0 in [0, 8]\nruntime variables:\n\n"
            "rt0: %s; (d0) -> (), domain: d0 in [0, 7]\nOutput 0 operand 1:\n(d0) -> (), domain: d0 in [0, 7]\n",
            rows[i].source));
    assert_int_equal(ran.status, rows[i].status);
  }
}

/* The source element of an offset: which index counts. A variable that only the index map uses must
 * have a single value. */
static void index_maps_are_read(void **) {
  const char *module =
      "ENTRY e {\n  d = f32[9,2] parameter(0)\n  at = s32[4,1] parameter(1)\n  ROOT g = f32[4,1,2] gather(d, at), offset_dims={1,2}, "
      "collapsed_slice_dims={}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,2}\n}\n";
  static const struct {
    const char *index;
    int status;
  } rows[] = {
      {"(d0, d1, d2) -> (d0, 0), domain: d0 in [0, 3], d1 in [0, 0], d2 in [0, 1]", 0},
      {"(d0, d1, d2) -> (3 - d0, 0), domain: d0 in [0, 3], d1 in [0, 0], d2 in [0, 1]", 1},
      {"(d0, d1, d2)[s7] -> (d0, s7), domain: d0 in [0, 3], d1 in [0, 0], d2 in [0, 1], s7 in [0, 0]",
          0},
      {"(d0, d1, d2)[s7] -> (d0, s7), domain: d0 in [0, 3], d1 in [0, 0], d2 in [0, 1], s7 in [0, 1]",
          2},
      {"(d0, d1, d2) -> (d0), domain: d0 in [0, 3], d1 in [0, 0], d2 in [0, 1]", 2},
      {"KNOWN EMPTY", 2},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Ran ran = audit(module,
        arena_printf(arena,
            "Output 0 operand 0:\n(d0, d1, d2){rt0} -> (rt0, d2), domain: d0 in [0, 3], d1 in [0, 0], d2 in [0, 1], rt0 in "
            "[0, 8]\nruntime variables:\n\nrt0: at; %s\nOutput 0 operand 1:\n(d0, d1, d2) -> (d0, 0), domain: d0 in [0, 3], "
            "d1 in [0, 0], d2 in [0, 1]\n",
            rows[i].index));
    if (ran.status != rows[i].status)
      fail_msg("%s: %d\n%s", rows[i].index, ran.status, ran.printed);
  }
}

static void json_is_a_line_an_operand(void **) {
  write_text("m.hlo", transpose);
  write_text("maps.txt",
      "Output 0 operand 0:\n(d0, d1) -> (d1, d0), domain: d0 in [0, 4], d1 in [0, 3]\n");
  Ran ran = RUN(audit, path_of("m.hlo"), WORD("--json"), WORD("--maps"), path_of("maps.txt"));
  assert_int_equal(ran.status, 1);
  assert_contains(ran.printed, "\"answer\":\"wrong\"");
  assert_contains(ran.printed, "\"point\":[5,0],\"element\":[0,5],\"extra\":0,\"missing\":4}\n");
}

/* The proof alone decides about more than 4,096 elements. */
static void a_proved_witness_is_printed(void **) {
  write_text("m.hlo",
      "HloModule m\nENTRY e { p = f32[10000] parameter(0) ROOT r = f32[10000] reverse(p), dimensions={0} }\n");
  write_text("maps.txt", "Output 0 operand 0:\n(d0) -> (9999 - d0), domain: d0 in [0, 9998]\n");
  Ran ran = RUN(audit, path_of("m.hlo"), WORD("--json"), WORD("--maps"), path_of("maps.txt"));
  assert_int_equal(ran.status, 1);
  assert_contains(ran.printed, "\"judges\":\"smt\"");
  assert_contains(ran.printed, "\"point\":[9999],\"element\":[0]}\n");
  ran = RUN(audit, path_of("m.hlo"), WORD("--maps"), path_of("maps.txt"));
  assert_contains(ran.printed, "    point        (9999)\n    element      (0)\n");
}

/* A text has all blocks from input to output, or none. */
static void a_missing_inverse_is_not_judged(void **) {
  static const char sum[] =
      "HloModule m\nENTRY e {\n  p = f32[4] parameter(0)\n  q = f32[4] parameter(1)\n  ROOT s = f32[4] add(p, q)\n}\n";
  static const char forward[] =
      "Output 0 operand 0:\n(d0) -> (d0), domain: d0 in [0, 3]\nOutput 0 operand 1:\n(d0) -> (d0), domain: d0 in [0, 3]\n";
  assert_int_equal(audit(sum, forward).status, 0);
  Ran ran = audit(sum,
      arena_printf(arena, "%sOperand 0 output 0:\n(d0) -> (d0), domain: d0 in [0, 3]\n", forward));
  assert_int_equal(ran.status, 2);
  assert_contains(ran.printed, "Operand 1 output 0    : the text has no block for it");
}

/* The name of every text in corpus/foreign states the verdict: wrong for defects, exact for
 * corrected ones. */
static void foreign_defects_are_found(void **) {
  static const struct {
    const char *name, *text;
    int status;
  } rows[] = {{"nested_offsets", "wrong", 1}, {"nested_offsets", "exact", 0},
      {"update_outside", "wrong", 1}, {"update_outside", "over-approximation", 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char *module = arena_printf(arena, AFFIRM_SOURCE_DIR "/corpus/foreign/%s.hlo", rows[i].name);
    Ran ran = RUN(audit, module, WORD("--maps"),
        arena_printf(
            arena, AFFIRM_SOURCE_DIR "/corpus/foreign/%s.%s.txt", rows[i].name, rows[i].text));
    assert_int_equal(ran.status, rows[i].status);
    assert_contains(ran.printed, arena_printf(arena, "  %s ", rows[i].text));
    assert_contains(ran.printed, " 0 undefined, 0 malformed, 0 disagree, 0 not judged");
  }
}

/* --- XLA's own outputs --- */

typedef struct RealOutput {
  const char *name, *totals;
  int status;
} RealOutput;

static const RealOutput real_outputs[] = {
    {"backends__gpu__codegen__triton__tests__concat__concat_prune_inactive", "operands 3: 3 exact",
        0},
    {"backends__gpu__codegen__triton__tests__bitcast__bitcast_dynamic_slice", "operands 2: 2 exact",
        0},
    {"backends__gpu__codegen__emitters__tests__reduce_row__large_to_unit", "operands 2: 2 exact",
        0},
    {"backends__gpu__codegen__triton__tests__dynamic_slice__dyn_slice_of_dyn_slice",
        "operands 1: 0 exact, 0 over-approximation, 1 wrong", 1},
    {"codegen__emitters__tests__dynamic_update_slice__out_of_bounds",
        "operands 4: 2 exact, 1 over-approximation, 1 wrong", 1},
    {"backends__gpu__tests__pad_to_static",
        "operands 4: 0 exact, 0 over-approximation, 0 wrong, 4 undefined", 2},
};

static Ran audit_real(const char *name) {
  return RUN(audit, arena_printf(arena, AFFIRM_DATA_DIR "/hlo/%s.hlo", name), WORD("--maps"),
      arena_printf(arena, AFFIRM_DATA_DIR "/print_indexing/%s.txt", name));
}

static void a_handful_of_real_outputs(void **) {
  if (access(AFFIRM_DATA_DIR "/print_indexing", R_OK) != 0) {
    print_message("skipped: no directory " AFFIRM_DATA_DIR "/print_indexing\n");
    skip();
  }
  for (size_t i = 0; i < sizeof real_outputs / sizeof *real_outputs; i++) {
    Ran ran = audit_real(real_outputs[i].name);
    assert_int_equal(ran.status, real_outputs[i].status);
    assert_contains(ran.printed, real_outputs[i].totals);
  }
}

typedef struct AuditTotals {
  uint32_t texts, unread, exact, over_approximation, wrong, undefined, malformed, disagree,
      not_judged;
} AuditTotals;

static void add_totals(const char *printed, AuditTotals *totals) {
  const char *line = strstr(printed, "operands ");
  uint32_t all, exact, over_approximation, wrong, undefined, malformed, disagree, not_judged;
  assert_non_null(line);
  int read = sscanf(line,
      "operands %u: %u exact, %u over-approximation, %u wrong, %u undefined, %u malformed, %u disagree, %u not judged",
      &all, &exact, &over_approximation, &wrong, &undefined, &malformed, &disagree, &not_judged);
  assert_int_equal(read, 8);
  assert_int_equal(
      all, exact + over_approximation + wrong + undefined + malformed + disagree + not_judged);
  totals->exact += exact;
  totals->over_approximation += over_approximation;
  totals->wrong += wrong;
  totals->undefined += undefined;
  totals->malformed += malformed;
  totals->disagree += disagree;
  totals->not_judged += not_judged;
}

/* All outputs, with the totals of corpus/foreign/README.md. The one that is rejected is not a valid
 * module: its fusion gets an array for a scalar parameter. */
static void all_real_outputs(void **) {
  DIR *entries =
      getenv("AFFIRM_FEW") != nullptr ? nullptr : opendir(AFFIRM_DATA_DIR "/print_indexing");
  if (entries == nullptr) {
    print_message("skipped: no directory " AFFIRM_DATA_DIR "/print_indexing, or a short run\n");
    skip();
  }
  AuditTotals totals = {};
  for (struct dirent *entry; (entry = readdir(entries)) != nullptr;) {
    size_t length = strlen(entry->d_name);
    if (length < 4 || strcmp(entry->d_name + length - 4, ".txt") != 0) continue;
    ArenaMark mark = arena_mark(arena);
    Ran ran = audit_real(arena_text(arena, entry->d_name, length - 4));
    totals.texts++;
    totals.unread += strstr(ran.printed, "; modules not read 1\n") != nullptr;
    add_totals(strstr(ran.printed, "operands "), &totals);
    arena_rewind(arena, mark);
  }
  closedir(entries);
  print_message(
      "%u texts, %u unread: %u exact, %u over-approximation, %u wrong, %u undefined, %u malformed, %u disagree, %u not judged\n",
      totals.texts, totals.unread, totals.exact, totals.over_approximation, totals.wrong,
      totals.undefined, totals.malformed, totals.disagree, totals.not_judged);
  assert_int_equal(totals.texts, 204);
  assert_int_equal(totals.unread, 1);
  assert_int_equal(totals.exact, 314);
  assert_int_equal(totals.over_approximation, 7);
  assert_int_equal(totals.wrong, 7);
  assert_int_equal(totals.undefined, 9111);
  assert_int_equal(totals.malformed, 0);
  assert_int_equal(totals.disagree, 0);
  assert_int_equal(totals.not_judged, 3);
}

/* --- output of affirm map --- */

static Ran round_trip(char *module) {
  Ran maps = RUN(map, module);
  return RUN(audit, module, WORD("--maps"), write_text("maps.txt", maps.printed));
}

/* Fusions printed in two blocks, where the body's maps must not outlive their block; a gather of a
 * gather; names that the body and the entry give to different operands. */
static void printed_maps_are_audited_right(void **) {
  static const char *const modules[] = {
      "f {\n o = f32[5,6] parameter(0)\n t = s32[7,1] parameter(1)\n i = s32[4,1] parameter(2)\n j = s32[4,1] gather(t, i), offset_dims={1}, "
      "collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,1}\n ROOT g = f32[4,6] gather(o, j), offset_dims={1}, "
      "collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,6}\n}\nENTRY e {\n o = f32[5,6] parameter(0)\n"
      " t = s32[7,1] parameter(1)\n i = s32[4,1] parameter(2)\n ROOT f = f32[4,6] fusion(o, t, i), kind=kLoop, calls=f\n}\n",
      "f {\n p = f32[8] parameter(0)\n a = s32[] parameter(1)\n d = f32[3] dynamic-slice(p, a), dynamic_slice_sizes={3}\n"
      " ROOT e = f32[8] dynamic-update-slice(p, d, a)\n}\nENTRY e {\n p = f32[8] parameter(0)\n a = s32[] parameter(1)\n"
      " ROOT f = f32[8] fusion(p, a), kind=kLoop, calls=f\n}\n",
      "f {\n p = f32[9] parameter(0)\n a = s32[] parameter(1)\n b = s32[] parameter(2)\n ROOT d = f32[3] dynamic-slice(p, a), dynamic_slice_sizes={3}\n}\n"
      "ENTRY e {\n p = f32[9] parameter(0)\n a = s32[] parameter(1)\n b = s32[] parameter(2)\n ROOT r = f32[3] fusion(p, b, a), kind=kLoop, calls=f\n}\n",
      "f {\n p = f32[9] parameter(0)\n k = s32[] parameter(1)\n a = s32[] negate(k)\n ROOT d = f32[3] dynamic-slice(p, a), dynamic_slice_sizes={3}\n}\n"
      "ENTRY e {\n p = f32[9] parameter(0)\n k = s32[] parameter(1)\n a = s32[] abs(k)\n ROOT r = f32[3] fusion(p, a), kind=kLoop, calls=f\n}\n",
  };
  for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
    Ran ran = round_trip(write_text("m.hlo", modules[i]));
    if (ran.status != 0) fail_msg("%s", ran.printed);
    assert_contains(ran.printed,
        " 0 over-approximation, 0 wrong, 0 undefined, 0 malformed, 0 disagree, 0 not judged");
  }
}

/* A text about several instructions: each block is judged for the instruction of its section. */
static void sections_name_the_instruction(void **) {
  Ran ran = round_trip(AFFIRM_SOURCE_DIR "/corpus/modules/attention.hlo");
  assert_int_equal(ran.status, 0);
  assert_contains(ran.printed, "operands 10: 10 exact");
  char *module = write_text("m.hlo", transpose);
  ran = RUN(audit, module, WORD("--maps"),
      write_text("maps.txt",
          "# t in nowhere\nOutput 0 operand 0:\n(d0, d1) -> (d1, d0), domain: d0 in [0, 5], d1 in [0, 3]\n"));
  assert_int_equal(ran.status, 3);
  assert_contains(ran.printed, "the module has no instruction 't' in 'nowhere'");
}

static void every_style_reads_back(void **) {
  write_text("m.hlo",
      "ENTRY e {\n d = f32[9,2] parameter(0)\n at = s32[] parameter(1)\n z = s32[] constant(0)\n"
      " ROOT s = f32[4,2] dynamic-slice(d, at, z), dynamic_slice_sizes={4,2}\n}\n");
  static const char *const styles[] = {"line", "pretty", "xla"};
  for (int i = 0; i < 3; i++) {
    Ran maps = RUN(map, path_of("m.hlo"), WORD("--style"), arena_printf(arena, "%s", styles[i]));
    assert_contains(maps.printed, "runtime variables:");
    Ran ran = RUN(check, write_text("maps.txt", maps.printed));
    assert_int_equal(ran.status, 0);
    assert_contains(ran.printed, "not read 0\n");
    assert_int_equal(RUN(audit, path_of("m.hlo"), WORD("--maps"), path_of("maps.txt")).status, 0);
  }
}

static void nothing_to_judge_is_bad_input(void **) {
  char *empty = write_text("empty.txt", "\n\n");
  assert_int_equal(RUN(audit, WORD("--pairs"), empty).status, 3);
  assert_int_equal(RUN(audit, WORD("--compose"), empty).status, 3);
  assert_int_equal(RUN(audit, write_text("empty.case", "# a remark\n")).status, 3);
  char *module = write_text("m.hlo", transpose),
       *maps = write_text("maps.txt",
           "Output 0 operand 0:\n(d0, d1) -> (d1, d0), domain: d0 in [0, 5], d1 in [0, 3]\n");
  Ran ran = RUN(audit, module, WORD("--maps"), maps, WORD("--operand"), WORD("7"));
  assert_int_equal(ran.status, 3);
  assert_contains(ran.complained, "nothing to judge");
  assert_int_not_equal(
      RUN(check, write_text("prove.case", "# no_rule\nprove\nrules\nend\nproved\n")).status, 0);
}

/* --- pairs --- */

static Ran lines(const char *option, const char *text) {
  return RUN(audit, (char *)option, write_text("lines.txt", text));
}

static void one_answer_a_line_in_order(void **) {
  Ran ran = lines("--pairs",
      "(d0) -> (d0 mod 8), domain: d0 in [0, 7]\t(d0) -> (d0), domain: d0 in [0, 7]\n"
      "(d0)[s0] -> (d0), domain: d0 in [0, 8], s0 in [0, 3]\t(d0) -> (d0), domain: d0 in [0, 8]\n"
      "\n"
      "(d0)[s0] -> (d0 + s0), domain: d0 in [0, 3], s0 in [0, 3]\t(d0)[s0] -> (d0 + s0), domain: d0 in [0, 3], s0 in [0, 2]\n"
      "nonsense\n"
      "(d0) -> (d9), domain: d0 in [0, 3]\t(d0) -> (d0), domain: d0 in [0, 3]\n"
      "UNDEFINED\t(d0) -> (d0), domain: d0 in [0, 3]\n"
      "KNOWN EMPTY\t(d0) -> (d0), domain: d0 in [0, 3], d0 in [4, 5]\n"
      "KNOWN EMPTY\t(d0) -> (d0), domain: d0 in [0, 3]\n"
      "(d0) -> (d0), domain: d0 in [0, 3], d0 mod 2 in [0, 0]\t(d0) -> (d0), domain: d0 in [0, 3]\n"
      "(d0)[s0, s1] -> (d0 + s1), domain: d0 in [0, 3], s0 in [0, 1], s1 in [0, 2]\t(d0)[s0] -> (d0 + s0), domain: d0 in [0, 3], s0 in [0, 2]\n"
      "(d0) -> (d0), domain: d0 in [0, 3]\t(d0, d1) -> (d0), domain: d0 in [0, 3], d1 in [0, 3]");
  assert_int_equal(ran.status, 1);
  assert_string_equal(ran.printed,
      "same map\nsame relation\n\ndifferent at d0 = 0, s0 = 3: before (3), after outside the domain\n"
      "error: expected 2 maps with a tab between them\nerror: unknown name 'd9' (column 10)\n"
      "unknown (UNDEFINED is no map)\nsame map\ndifferent at d0 = 0: before known empty, after (0)\n"
      "different at d0 = 1: before outside the domain, after (1)\nsame relation\n"
      "different: 1 dimension and 1 result before, 2 and 1 after\n");
  assert_contains(
      ran.complained, "pairs 11: 2 same map, 2 same relation, 4 different, 1 unknown, 2 error");
  assert_int_equal(lines("--pairs", "UNDEFINED\tUNDEFINED\n").status, 2);
  assert_int_equal(lines("--pairs", "x\ty\n").status, 3);
  assert_int_equal(lines("--pairs", "").status, 3);
}

/* Too many points to enumerate: the statement is proved, or refuted at a point. */
static void large_domains_are_proved(void **) {
  const char *chain = "(d0) -> (d0 floordiv 96 * 96 + d0 mod 96), domain: d0 in [0, 4398046511103]";
  Ran ran = lines("--pairs",
      arena_printf(arena,
          "%s\t(d0) -> (d0), domain: d0 in [0, 4398046511103]\n%s\t(d0) -> (d0), domain: d0 in [0, 4398046511102]\n"
          "(d0)[s0] -> (d0), domain: d0 in [0, 4398046511103], s0 in [0, 9]\t(d0) -> (d0), domain: d0 in [0, 4398046511103]\n",
          chain, chain));
  assert_int_equal(ran.status, 1);
  assert_string_equal(ran.printed,
      "same map\ndifferent at d0 = 4398046511103: before (4398046511103), after outside the domain\nsame relation\n");
}

/* Unused runtime variables may be removed and the others renumbered; swapped variables are not the
 * same. */
static void dropped_variables_keep_the_relation(void **) {
  Text text = text_create(arena);
  for (int i = 0; i < 2; i++) {
    const char *d = i == 0 ? "d0 in [0, 9]" : "d0 in [0, 4398046511103]";
    text_printf(&text,
        "(d0){rt0, rt1} -> (d0 + rt1), domain: %s, rt0 in [0, 3], rt1 in [0, 4]\t(d0){rt0} -> (d0 + rt0), domain: %s, rt0 in [0, 4]\n",
        d, d);
    text_printf(
        &text, "(d0){rt0} -> (d0), domain: %s, rt0 in [0, 3]\t(d0) -> (d0), domain: %s\n", d, d);
    text_printf(&text,
        "(d0){rt0} -> (d0), domain: %s, rt0 in [0, 3], d0 + rt0 in [0, 9]\t(d0) -> (d0), domain: %s\n",
        d, d);
    text_printf(&text,
        "(d0){rt0, rt1} -> (d0 + rt1), domain: %s, rt0 in [0, 4], rt1 in [0, 4]\t"
        "(d0){rt0, rt1} -> (d0 + rt0), domain: %s, rt0 in [0, 4], rt1 in [0, 4]\n",
        d, d);
    text_printf(
        &text, "(d0)[s0] -> (s0 + d0), domain: %s, s0 in [0, 1]\t(d0) -> (d0), domain: %s\n", d, d);
  }
  Ran ran = lines("--pairs", text.bytes);
  assert_int_equal(ran.status, 1);
  assert_contains(
      ran.complained, "pairs 10: 0 same map, 4 same relation, 6 different, 0 unknown, 0 error");
  assert_contains(ran.printed, "same relation\nsame relation\ndifferent at d0 = ");
  assert_contains(ran.printed, "before reaches (1), after does not\n");
  assert_null(strstr(ran.printed, "only"));
}

static void compositions_are_judged(void **) {
  Ran ran = lines("--compose",
      "(d0) -> (d0 + 1), domain: d0 in [0, 3]\t(d0) -> (2 * d0), domain: d0 in [0, 9]\t(d0) -> (2 * d0 + 2), domain: d0 in [0, 3]\n"
      "(d0) -> (d0 + 1), domain: d0 in [0, 3]\t(d0) -> (2 * d0), domain: d0 in [0, 3]\t(d0) -> (2 * d0 + 2), domain: d0 in [0, 3]\n"
      "(d0) -> (d0, d0), domain: d0 in [0, 3]\t(d0) -> (d0), domain: d0 in [0, 3]\tKNOWN EMPTY\n");
  assert_int_equal(ran.status, 1);
  assert_contains(
      ran.printed, "same map\ndifferent at d0 = 3: before outside the domain, after (8)\nerror: ");
}

/* Two equal maps, with one bound of one of them moved, must be distinguished. */
static void moved_bounds_are_seen(void **) {
  Text text = text_create(arena);
  for (int i = 0; i < 3000; i++) {
    int n = 3 + i % 29, m = 1 + i % 7, c = 2 + i % 11;
    text_printf(&text,
        "(d0)[s0] -> (d0 floordiv %d, %d * s0 + d0 mod %d), domain: d0 in [0, %d], s0 in [0, %d]\t",
        c, c, c, n, m);
    text_printf(&text,
        "(d0)[s0] -> (d0 floordiv %d, %d * s0 + d0 mod %d), domain: d0 in [0, %d], s0 in [0, %d]\n",
        c, c, c, n - i % 2, m - 1 + i % 2);
  }
  Ran ran = lines("--pairs", text.bytes);
  assert_int_equal(ran.status, 1);
  assert_contains(ran.complained,
      "pairs 3000: 0 same map, 0 same relation, 3000 different, 0 unknown, 0 error");
}

/* Maps, pairs and triples as cases; they may have lines with the sources of runtime variables. */
static void cases_are_audited(void **) {
  const char *module =
      "hlo\nd = f32[9] parameter(0)\nat = s32[] parameter(1)\nROOT s = f32[4] dynamic-slice(d, at), dynamic_slice_sizes={4}\nend\n";
  const char *map =
      "map (d0){rt0} -> (d0 + rt0), domain: d0 in [0, 3], rt0 in [0, %d]\n  runtime variables:\n  rt0: at; (d0) -> (), domain: d0 in [0, 3]\n";
  Text text = text_create(arena);
  text_printf(&text, "# right\ncheck o2i 0 0 %s%sexact\n\n", module, arena_printf(arena, map, 5));
  text_printf(&text, "# seeded\ncheck o2i 0 0 %s%swrong\n\n", module, arena_printf(arena, map, 4));
  text_string(&text,
      "# pair\nsame (d0) -> (d0), domain: d0 in [0, 1] ; (d0) -> (d0), domain: d0 in [0, 2]\nrefuted\n\n"
      "# triple\ncompose (d0) -> (d0 + 1), domain: d0 in [0, 1] ; (d0) -> (d0), domain: d0 in [0, 2]\n= (d0) -> (1 + d0), domain: d0 in [0, 1]\n\n"
      "# no_audit\nparse (d0) -> (d0), domain: d0 in [0, 1]\n= (d0) -> (d0), domain: d0 in [0, 1]\n");
  Ran ran = RUN(audit, write_text("x.case", text.bytes));
  assert_int_equal(ran.status, 1);
  assert_contains(ran.printed, "  exact ");
  assert_contains(ran.printed, "  wrong ");
  assert_contains(
      ran.printed, arena_printf(arena, "replay       affirm audit %s\n", path_of("x.case")));
  assert_contains(ran.printed,
      "\ndifferent at d0 = 2: before outside the domain, after (2)\nsame map\nerror: no_audit: the case has no result of another engine\n");
  assert_contains(ran.printed, "operands 2: 1 exact, 0 over-approximation, 1 wrong");
  ran = RUN(audit, path_of("x.case"), WORD("--json"));
  assert_int_equal(ran.status, 1);
  for (const char *at = ran.printed; *at != 0; at += strcspn(at, "\n") + 1)
    assert_int_equal(*at, '{');
  assert_contains(ran.printed,
      "{\"version\":1,\"case\":\"triple\",\"line\":28,\"answer\":\"same map\",\"text\":\"same map\"}\n");
}

static void usage_is_status_3(void **) {
  assert_int_equal(RUN(audit, WORD("x.hlo")).status, 3);
  assert_int_equal(RUN(audit, WORD("--pairs"), WORD("a"), WORD("--compose"), WORD("b")).status, 3);
  assert_int_equal(RUN(audit, WORD("--pairs"), path_of("missing")).status, 3);
  assert_int_equal(RUN(audit, WORD("--pairs"), directory).status, 3);
  assert_int_equal(RUN(audit, path_of("missing"), WORD("--maps"), path_of("missing")).status, 3);
  char *module = write_text("m.hlo", transpose),
       *maps = write_text("maps.txt", "Output 0 operand 0:\nUNDEFINED\n");
  assert_int_equal(RUN(audit, module, WORD("--module"), WORD("2"), WORD("--maps"), maps).status, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(right_maps_are_exact, command_begin, command_end),
      cmocka_unit_test_setup_teardown(a_mutant_constant_is_wrong, command_begin, command_end),
      cmocka_unit_test_setup_teardown(more_is_over_approximation, command_begin, command_end),
      cmocka_unit_test_setup_teardown(each_malformed_map_has_a_reason, command_begin, command_end),
      cmocka_unit_test_setup_teardown(an_undefined_map_is_never_right, command_begin, command_end),
      cmocka_unit_test_setup_teardown(unknown_sources_are_not_judged, command_begin, command_end),
      cmocka_unit_test_setup_teardown(
          sources_are_found_through_fusions, command_begin, command_end),
      cmocka_unit_test_setup_teardown(index_maps_are_read, command_begin, command_end),
      cmocka_unit_test_setup_teardown(json_is_a_line_an_operand, command_begin, command_end),
      cmocka_unit_test_setup_teardown(a_proved_witness_is_printed, command_begin, command_end),
      cmocka_unit_test_setup_teardown(a_missing_inverse_is_not_judged, command_begin, command_end),
      cmocka_unit_test_setup_teardown(foreign_defects_are_found, command_begin, command_end),
      cmocka_unit_test_setup_teardown(a_handful_of_real_outputs, command_begin, command_end),
      cmocka_unit_test_setup_teardown(all_real_outputs, command_begin, command_end),
      cmocka_unit_test_setup_teardown(printed_maps_are_audited_right, command_begin, command_end),
      cmocka_unit_test_setup_teardown(sections_name_the_instruction, command_begin, command_end),
      cmocka_unit_test_setup_teardown(every_style_reads_back, command_begin, command_end),
      cmocka_unit_test_setup_teardown(nothing_to_judge_is_bad_input, command_begin, command_end),
      cmocka_unit_test_setup_teardown(one_answer_a_line_in_order, command_begin, command_end),
      cmocka_unit_test_setup_teardown(large_domains_are_proved, command_begin, command_end),
      cmocka_unit_test_setup_teardown(
          dropped_variables_keep_the_relation, command_begin, command_end),
      cmocka_unit_test_setup_teardown(compositions_are_judged, command_begin, command_end),
      cmocka_unit_test_setup_teardown(moved_bounds_are_seen, command_begin, command_end),
      cmocka_unit_test_setup_teardown(cases_are_audited, command_begin, command_end),
      cmocka_unit_test_setup_teardown(usage_is_status_3, command_begin, command_end),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
