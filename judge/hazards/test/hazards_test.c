/* Every module of corpus/hazards has the exit status that its comment expects, and the two elements
 * if the comment names them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <dirent.h>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/hlo/read/read.h"
#include "judge/hazards/hazards.h"

static int worst(Arena *arena, const Module *module, HazardVerdict *shown) {
  HazardPairs pairs;
  Error error = {};
  int status = 0;
  if (!hazard_pairs(arena, module, &pairs, &error)) fail_msg("%s", error.message);
  if (pairs.count == 0) return 2;
  for (uint32_t i = 0; i < pairs.count; i++) {
    HazardVerdict verdict;
    oracle_hazard_query(arena, &pairs.items[i].question, &verdict);
    int one = verdict.answer == HAZARD_NONE ? 0 : verdict.answer == HAZARD_FOUND ? 1 : 2;
    if (one == 1) *shown = verdict;
    if (one == 1 || status == 0) status = one;
  }
  return status;
}

static void print_index(Text *text, uint32_t rank, const int64_t *at) {
  text_string(text, "(");
  for (uint32_t i = 0; i < rank; i++)
    text_printf(text, "%s%lld", i == 0 ? "" : ", ", (long long)at[i]);
  text_string(text, ")");
}

/* In the format of the comments: "1, element (1), window element (0) before (1)". */
static const char *print_found(Arena *arena, int status, const HazardVerdict *shown) {
  Text text = text_create(arena);
  text_printf(&text, "%d", status);
  if (status != 1) return text.bytes;
  text_string(&text, ", element ");
  print_index(&text, shown->buffer_rank, shown->buffer);
  text_printf(&text, ", %s element ", shown->writes_window ? "window" : "output");
  print_index(&text, shown->rank, shown->writer);
  text_string(&text, " before ");
  print_index(&text, shown->reader_rank, shown->reader);
  return text.bytes;
}

/* The text with blanks and a comment on both sides of every `=` of the header. */
static const char *spaced_header(Arena *arena, const char *text) {
  const char *header = strstr(text, "HloModule "), *at = header + strcspn(header, "\n");
  Text made = text_create(arena);
  for (const char *from = text; from < at; from++)
    if (from > header && *from == '=') text_string(&made, "\t/*=*/ = \n");
    else text_append(&made, from, 1);
  text_string(&made, at);
  return made.bytes;
}

static uint32_t check_text(Arena *arena, const char *path, const char *text) {
  static const char mark[] = "// Expect: ";
  Source *source = ARENA_NEW(arena, Source, 1);
  const Module *module = nullptr;
  HazardVerdict shown = {};
  Error error = {};
  *source = (Source){.name = path, .text = text, .length = strlen(text), .first_line = 1};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s: %s", path, error.message);
  const char *expected = strstr(source->text, mark);
  if (expected == nullptr) fail_msg("%s: no line '%s'", path, mark);
  expected += sizeof mark - 1;
  size_t length = strcspn(expected, "\n") - 1;
  const char *found = print_found(arena, worst(arena, module, &shown), &shown);
  if (strncmp(found, expected, length) == 0) return 0;
  print_error("%s: %s, expected %.*s\n", strrchr(path, '/') + 1, found, (int)length, expected);
  return 1;
}

static uint32_t check_file(Arena *arena, const char *path) {
  Source source;
  Error error = {};
  if (!file_read(arena, path, 1 << 20, &source, &error)) fail_msg("%s: %s", path, error.message);
  return check_text(arena, path, source.text) +
         check_text(arena, path, spaced_header(arena, source.text));
}

static void modules_have_the_hazards_that_they_name(void **state) {
  (void)state;
  static const char directory[] = AFFIRM_SOURCE_DIR "/corpus/hazards";
  DIR *files = opendir(directory);
  uint32_t count = 0, faults = 0;
  assert_non_null(files);
  for (const struct dirent *entry = readdir(files); entry != nullptr; entry = readdir(files)) {
    if (strstr(entry->d_name, ".hlo") == nullptr) continue;
    Arena *arena = arena_create();
    faults += check_file(arena, arena_printf(arena, "%s/%s", directory, entry->d_name));
    count++;
    arena_destroy(arena);
  }
  closedir(files);
  assert_true(count >= 14);
  assert_int_equal(faults, 0);
}

#define SCATTERED(line, updates) \
  line \
      "\n ROOT r = f32[4] scatter(x, i, " updates \
      "), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=plus"

/* Which elements a fused scatter overwrites is not known: it is safe only if the fusion has no
 * other use of the buffer. */
static void fused_scatters_are_safe_only_alone(void **state) {
  (void)state;
  static const struct {
    const char *body, *second; /* what the fusion gets as `y` */
    int status;
  } rows[] = {
      {SCATTERED("", "u"), "b", 0},
      {SCATTERED("n = f32[4] negate(y)\n m = f32[1] slice(n), slice={[0:1]}", "m"), "b", 0},
      {SCATTERED("n = f32[4] negate(y)\n m = f32[1] slice(n), slice={[0:1]}", "m"), "a", 2},
      {SCATTERED("m = f32[1] slice(x), slice={[0:1]}", "m"), "b", 2},
      {SCATTERED("b = f32[4] bitcast(x)\n m = f32[1] slice(b), slice={[0:1]}", "m"), "b", 2},
      {SCATTERED("", "u") "\n n = f32[4] negate(r)", "b", 2},
  };
  Arena *arena = arena_create();
  for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
    const char *text = arena_printf(arena,
        "// Expect: %d.\nHloModule m%s\n"
        "keep {\n x = f32[4] parameter(0)\n ROOT r = f32[4] negate(x)\n}\n"
        "plus {\n p = f32[] parameter(0)\n q = f32[] parameter(1)\n ROOT s = f32[] add(p, q)\n}\n"
        "scattered {\n x = f32[4] parameter(0)\n i = s32[1,1] parameter(1)\n"
        " u = f32[1] parameter(2)\n y = f32[4] parameter(3)\n %s\n}\n"
        "ENTRY e {\n c = f32[4] parameter(0)\n d = f32[4] parameter(1)\n"
        " k = f32[4] fusion(c), kind=kLoop, calls=keep, output_to_operand_aliasing={{}: (0, {})}\n"
        " a = f32[4] copy(d)\n b = f32[4] negate(d)\n i = s32[1,1] constant({{1}})\n"
        " u = f32[1] constant({1})\n"
        " v = f32[4] fusion(a, i, u, %s), kind=kInput, calls=scattered\n"
        " ROOT r = (f32[4], f32[4]) tuple(v, k)\n}\n",
        rows[i / 2].status, i % 2 == 0 ? "" : ", is_scheduled=true", rows[i / 2].body,
        rows[i / 2].second);
    assert_int_equal(check_text(arena, arena_printf(arena, "/row %zu", i), text), 0);
  }
  arena_destroy(arena);
}

/* A kernel reverses one array and is stored in the buffer of one: a hazard if they are the same.
 * Each is an operand or a leaf of one. */
static void stated_aliases_name_their_leaf(void **state) {
  (void)state;
  static const char *const leaves[] = {
      "(0, {})", "(1, {0})", "(1, {1})", "(2, {1, 0})", "(2, {0})"};
  static const char *const arrays[] = {"x", "y0", "y1", "z10", "z0"};
  static constexpr uint32_t count = sizeof leaves / sizeof *leaves;
  Arena *arena = arena_create();
  for (uint32_t read = 0; read < count; read++)
    for (uint32_t stored = 0; stored < count; stored++) {
      const char *text = arena_printf(arena,
          "// Expect: %s.\nHloModule m\n"
          "f {\n x = f32[2] parameter(0)\n y = (f32[2], f32[2]) parameter(1)\n"
          " z = (f32[2], (f32[2])) parameter(2)\n y0 = f32[2] get-tuple-element(y), index=0\n"
          " y1 = f32[2] get-tuple-element(y), index=1\n z0 = f32[2] get-tuple-element(z), index=0\n"
          " z1 = (f32[2]) get-tuple-element(z), index=1\n"
          " z10 = f32[2] get-tuple-element(z1), index=0\n"
          " ROOT r = f32[2] reverse(%s), dimensions={0}\n}\n"
          "ENTRY e {\n x = f32[2] parameter(0)\n y = (f32[2], f32[2]) parameter(1)\n"
          " z = (f32[2], (f32[2])) parameter(2)\n ROOT r = f32[2] fusion(x, y, z), kind=kLoop,"
          " calls=f, output_to_operand_aliasing={{}: %s}\n}\n",
          read == stored ? "1, element (0), output element (0) before (1)" : "0", arrays[read],
          leaves[stored]);
      assert_int_equal(check_text(arena, arena_printf(arena, "/%u in %u", read, stored), text), 0);
    }
  arena_destroy(arena);
}

/* An offset that is no parameter of the module may have few values, so only a hazard at all of them
 * is one. */
static void offsets_from_outside_need_not_have_a_value(void **) {
#define WRITTEN_AT_J(update) \
  "f {\n p = f32[8] parameter(0)\n j = s32[] parameter(1)\n o = s32[] constant(4)\n" \
  " k = s32[] add(j, o)\n w = f32[2] dynamic-slice(p, " update "), dynamic_slice_sizes={2}\n" \
  " v = f32[2] reverse(w), dimensions={0}\n ROOT u = f32[8] dynamic-update-slice(p, v, j)\n}\n"
#define FUSED(j) \
  "ENTRY e {\n p = f32[8] parameter(0)\n x = s32[] parameter(1)\n j = s32[] " j \
  "\n ROOT r = f32[8] fusion(p, j), kind=kLoop, calls=f\n}\n"
#define CALLED(j) \
  "g {\n p = f32[8] parameter(0)\n v = f32[1] parameter(1)\n j = s32[] parameter(2)\n" \
  " o = s32[] constant(4)\n k = s32[] add(j, o)\n u = f32[8] dynamic-update-slice(p, v, j)\n" \
  " w = f32[1] dynamic-slice(p, " j "), dynamic_slice_sizes={1}\n" \
  " ROOT t = (f32[8], f32[1]) tuple(u, w)\n}\n" \
  "ENTRY e {\n p = f32[8] parameter(0)\n v = f32[1] parameter(1)\n j = s32[] constant(0)\n" \
  " ROOT r = (f32[8], f32[1]) call(p, v, j), to_apply=g\n}\n"
#define GATHERED(line) \
  "ENTRY e {\n p = f32[4] parameter(0)\n x = s32[4,1] parameter(1)\n " line \
  "\n ROOT g = f32[4] gather(p, i), offset_dims={}, collapsed_slice_dims={0}, " \
  "start_index_map={0}, index_vector_dim=1, slice_sizes={1}\n}\n"
#define MASKED(line) \
  "f {\n p = f32[4] parameter(0)\n m = pred[4] parameter(1)\n" \
  " t = f32[4] reverse(p), dimensions={0}\n ROOT s = f32[4] select(m, t, p)\n}\n" \
  "ENTRY e {\n p = f32[4] parameter(0)\n x = pred[4] parameter(1)\n " line \
  "\n ROOT r = f32[4] fusion(p, m), kind=kLoop, calls=f, output_to_operand_aliasing={{}: (0, {})}\n}\n"
#define TWO_OFFSETS(i, j) \
  "f {\n p = f32[8] parameter(0)\n i = s32[] parameter(1)\n j = s32[] parameter(2)\n" \
  " w = f32[2] dynamic-slice(p, i), dynamic_slice_sizes={2}\n" \
  " ROOT u = f32[8] dynamic-update-slice(p, w, j)\n}\nENTRY e {\n p = f32[8] parameter(0)\n" \
  " x = s32[] parameter(1)\n y = s32[] parameter(2)\n" \
  " ROOT r = f32[8] fusion(p, " i ", " j "), kind=kLoop, calls=f\n}\n"
#define OF_CONSTANT(i, j) \
  "f {\n p = f32[8] parameter(0)\n c = s32[4] constant({...})\n" \
  " a = s32[1] slice(c), slice={[" i "]}\n b = s32[] reshape(a)\n" \
  " d = s32[1] slice(c), slice={[" j "]}\n k = s32[] reshape(d)\n" \
  " w = f32[2] dynamic-slice(p, b), dynamic_slice_sizes={2}\n" \
  " v = f32[2] reverse(w), dimensions={0}\n ROOT u = f32[8] dynamic-update-slice(p, v, k)\n}\n" \
  "ENTRY e {\n p = f32[8] parameter(0)\n ROOT r = f32[8] fusion(p), kind=kLoop, calls=f\n}\n"
  static const struct {
    const char *text;
    int status;
  } rows[] = {{WRITTEN_AT_J("k") FUSED("bitcast(x)"), 1},
      {WRITTEN_AT_J("k") FUSED("constant(0)"), 2}, {WRITTEN_AT_J("k") FUSED("abs(x)"), 2},
      {WRITTEN_AT_J("j") FUSED("abs(x)"), 1}, {CALLED("k"), 2}, {CALLED("j"), 1},
      {GATHERED("i = s32[4,1] bitcast(x)"), 1},
      {GATHERED("i = s32[4,1] iota(), iota_dimension=0"), 2}, {MASKED("m = pred[4] bitcast(x)"), 1},
      {MASKED("f = pred[] constant(false)\n m = pred[4] broadcast(f), dimensions={}"), 2},
      {TWO_OFFSETS("x", "y"), 1}, {TWO_OFFSETS("x", "x"), 2}, {OF_CONSTANT("0:1", "1:2"), 2},
      {OF_CONSTANT("1:2", "1:2"), 1}};
  Arena *arena = arena_create();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *text = arena_printf(arena,
        "// Expect: %d.\nHloModule m, is_scheduled=true, input_output_alias={ {}: (0, {}) }\n%s",
        rows[i].status, rows[i].text);
    assert_int_equal(check_text(arena, arena_printf(arena, "/row %zu", i), text), 0);
  }
  arena_destroy(arena);
}

/* What may write all of its output before it reads is not followed in its operand's buffer. */
static void a_select_and_scatter_is_unknown_in_place(void **) {
  Arena *arena = arena_create();
  static const char text[] =
      "// Expect: 2.\nHloModule m, is_scheduled=true, input_output_alias={ {}: (0, {}) }\n"
      "ge {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n"
      " ROOT r = pred[] compare(a, b), direction=GE\n}\n"
      "plus {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = f32[] add(a, b)\n}\n"
      "ENTRY e {\n p = f32[4] parameter(0)\n q = f32[4] parameter(1)\n z = f32[] constant(0)\n"
      " ROOT s = f32[4] select-and-scatter(p, q, z), window={size=1}, select=ge, scatter=plus\n}\n";
  assert_int_equal(check_text(arena, "/select-and-scatter", text), 0);
  arena_destroy(arena);
}

/* An update in place that reads the buffer through another operand is unknown, unless each element
 * is written where it is read. */
static void updates_by_their_own_operand_are_unknown(void **) {
#define SCATTERED_IN(base, updates) \
  "scatter(" base ", i, " updates "), update_window_dims={}, inserted_window_dims={0,1}, " \
  "scatter_dims_to_operand_dims={0,1}, index_vector_dim=2, to_apply=plus"
  static const struct {
    const char *line;
    int status;
  } rows[] = {{SCATTERED_IN("a", "b"), 0}, {SCATTERED_IN("a", "a"), 2},
      {SCATTERED_IN("a", "same"), 2}, {SCATTERED_IN("a", "other"), 2}, {SCATTERED_IN("c", "c"), 0},
      {"dynamic-update-slice(a, b, z, z)", 0}, {"dynamic-update-slice(a, same, z, z)", 0},
      {"dynamic-update-slice(a, other, z, z)", 2},
      {"custom-call(a, b), custom_call_target=\"f\", output_to_operand_aliasing={{}: (0, {})}", 0},
      {"custom-call(a, a), custom_call_target=\"f\", output_to_operand_aliasing={{}: (0, {})}", 2}};
  Arena *arena = arena_create();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *text = arena_printf(arena,
        "// Expect: %d.\nHloModule m, is_scheduled=true\n"
        "keep {\n x = s32[2,2] parameter(0)\n ROOT r = s32[2,2] negate(x)\n}\n"
        "plus {\n p = s32[] parameter(0)\n q = s32[] parameter(1)\n ROOT s = s32[] add(p, q)\n}\n"
        "ENTRY e {\n p = s32[2,2]{1,0} parameter(0)\n q = s32[2,2]{1,0} parameter(1)\n"
        " i = s32[2,2,2] parameter(2)\n z = s32[] constant(0)\n"
        " c = s32[2,2]{1,0} constant({{1, 2}, {3, 4}})\n a = s32[2,2]{1,0} copy(p)\n"
        " b = s32[2,2]{1,0} copy(q)\n same = s32[2,2]{1,0} bitcast(a)\n"
        " other = s32[2,2]{0,1} bitcast(a)\n"
        " k = s32[2,2] fusion(q), kind=kLoop, calls=keep, output_to_operand_aliasing={{}: (0, {})}\n"
        " v = s32[2,2]{1,0} %s\n ROOT r = (s32[2,2]{1,0}, s32[2,2]) tuple(v, k)\n}\n",
        rows[i].status, rows[i].line);
    assert_int_equal(check_text(arena, arena_printf(arena, "/row %zu", i), text), 0);
  }
  arena_destroy(arena);
}

/* An operation that is not followed is unknown in the buffer of its operand, unless backends
 * compute it there. */
static void operations_in_their_operand_are_unknown(void **) {
#define SORTED(first, second) \
  "s = (f32[4], f32[4]) sort(p, q), dimensions={0}, to_apply=less\n" \
  " v = f32[4] get-tuple-element(s), index=" first \
  "\n w = f32[4] get-tuple-element(s), index=" second
#define SOLVED(a, b) \
  "v = f32[2,2] triangular-solve(" a ", " b "), left_side=true, lower=true, " \
  "transpose_a=NO_TRANSPOSE, unit_diagonal=false\n w = f32[2,2] negate(q)"
#define ALONE(line) line "\n w = f32[4] negate(q)"
  static const struct {
    const char *shape, *lines;
    int status;
  } rows[] = {{"f32[4]", SORTED("0", "1"), 0}, {"f32[4]", SORTED("1", "0"), 2},
      {"f32[2,2]", SOLVED("q", "p"), 0}, {"f32[2,2]", SOLVED("p", "q"), 2},
      {"f32[4]", ALONE("v = f32[4] all-reduce(p), replica_groups={{0,1}}, to_apply=plus"), 0},
      {"f32[4]", ALONE("v = f32[4] all-to-all(p), replica_groups={{0,1}}, dimensions={0}"), 2},
      {"f32[4]", ALONE("v = f32[4] custom-call(p), custom_call_target=\"f\""), 2},
      {"f32[4]",
          ALONE("s = (f32[4], f32[4]) collective-permute-start(p), source_target_pairs={{0,1}}\n"
                " v = f32[4] collective-permute-done(s)"),
          2},
      {"f32[4]", ALONE("s = (f32[4], f32[4], u32[]) copy-start(p)\n v = f32[4] copy-done(s)"), 0},
      {"f32[2,2]",
          "s = (f32[2,2]{0,1}, f32[2,2], u32[]) copy-start(p)\n v = f32[2,2]{0,1} copy-done(s)\n"
          " w = f32[2,2] negate(q)",
          2},
      {"f32[2,2]", "v = f32[2,2] cholesky(p), lower=true\n w = f32[2,2] negate(q)", 0}};
  Arena *arena = arena_create();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *shape = rows[i].shape,
               *text = arena_printf(arena,
                   "// Expect: %d.\nHloModule m, is_scheduled=true, input_output_alias={ {0}: (0, "
                   "{}), {1}: (1, {}) }\n"
                   "keep {\n x = s32[2] parameter(0)\n ROOT r = s32[2] negate(x)\n}\n"
                   "plus {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n"
                   " ROOT r = f32[] add(a, b)\n}\n"
                   "less {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n"
                   " c = f32[] parameter(2)\n d = f32[] parameter(3)\n"
                   " ROOT r = pred[] compare(a, b), direction=LT\n}\n"
                   "ENTRY e {\n p = %s parameter(0)\n q = %s parameter(1)\n"
                   " z = s32[2] parameter(2)\n %s\n k = s32[2] fusion(z), kind=kLoop, calls=keep, "
                   "output_to_operand_aliasing={{}: (0, {})}\n"
                   " ROOT r = (%s, %s, s32[2]) tuple(v, w, k)\n}\n",
                   rows[i].status, shape, shape, rows[i].lines, shape, shape);
    assert_int_equal(check_text(arena, arena_printf(arena, "/row %zu", i), text), 0);
  }
  arena_destroy(arena);
}

/* A fusion reads the older value of the operand that it updates. Without a schedule the compiler
 * copies that one, unless a call returned it unchanged. */
static void older_values_are_apart_without_a_schedule(void **) {
  static const char *const lines[] = {"dynamic-update-slice(p, u, z)", "call(p), to_apply=g"};
  Arena *arena = arena_create();
  for (int i = 0; i < 4; i++) {
    bool is_scheduled = i % 2 == 1, is_returned = i / 2 == 1;
    const char *text = arena_printf(arena,
        "// Expect: %d.\nHloModule m%s\n"
        "f {\n b = f32[4] parameter(0)\n c = f32[4] parameter(1)\n"
        " s = f32[3] slice(c), slice={[0:3]}\n o = s32[] constant(1)\n"
        " ROOT d = f32[4] dynamic-update-slice(b, s, o)\n}\n"
        "g {\n b = f32[4] parameter(0)\n ROOT c = f32[4] bitcast(b)\n}\n"
        "ENTRY e {\n p = f32[4] parameter(0)\n u = f32[1] constant({1})\n z = s32[] constant(3)\n"
        " q = f32[4] %s\n ROOT r = f32[4] fusion(q, p), kind=kLoop, calls=f\n}\n",
        is_scheduled || is_returned, is_scheduled ? ", is_scheduled=true" : "", lines[i / 2]);
    assert_int_equal(check_text(arena, arena_printf(arena, "/row %d", i), text), 0);
  }
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(modules_have_the_hazards_that_they_name),
      cmocka_unit_test(fused_scatters_are_safe_only_alone),
      cmocka_unit_test(stated_aliases_name_their_leaf),
      cmocka_unit_test(a_select_and_scatter_is_unknown_in_place),
      cmocka_unit_test(updates_by_their_own_operand_are_unknown),
      cmocka_unit_test(operations_in_their_operand_are_unknown),
      cmocka_unit_test(older_values_are_apart_without_a_schedule),
      cmocka_unit_test(offsets_from_outside_need_not_have_a_value),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
