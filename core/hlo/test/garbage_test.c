/* Bad input: every text ends in a graph or in an error with a position, in bounded time and memory.
 * Texts are cut at every position, or have bytes changed, doubled and removed; brackets that never
 * close; deep nesting of everything that nests; long chains. If a changed text still parses, the
 * graph prints and parses to the same graph. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/test/length.h"
#include "core/hlo/compare.h"
#include "core/hlo/read/from_text.h"
#include "core/hlo/print/print.h"

static uint64_t seed = 1;
static uint32_t garbage_below(uint32_t limit) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)((seed >> 33) % limit);
}

static bool returns(Arena *arena, const Module *module) {
  Error error = {};
  Text printed = text_create(arena);
  hlo_print(&printed, module);
  Source source = source_of(printed.bytes, printed.length);
  const Module *again;
  bool same = hlo_read(arena, &source, &again, &error) && hlo_same_graph(module, again, &error);
  if (!same) {
    error_print(&error, stderr);
    fputs(printed.bytes, stderr);
  }
  return same;
}

/* Copies the text into a block of its exact size, so that a sanitizer sees a read past the end. */
static bool read_exactly(Arena *arena, const char *text, size_t length) {
  char *copy = malloc(length == 0 ? 1 : length);
  assert_non_null(copy);
  if (length > 0) memcpy(copy, text, length);
  Source whole = source_of(copy, length);
  Source *parts;
  uint32_t count, read = 0;
  Error error = {};
  bool split = hlo_split(arena, &whole, &count, &parts, &error);
  assert_true(split || error.kind != ERROR_NONE);
  for (uint32_t i = 0; split && i < count; i++) {
    const Module *module;
    Error rejected = {};
    bool valid = hlo_read(arena, &parts[i], &module, &rejected);
    assert_true(valid == (rejected.kind == ERROR_NONE));
    assert_true(valid || rejected.line > 0);
    if (valid) assert_true(returns(arena, module));
    read += valid;
  }
  free(copy);
  return read > 0;
}

static const char small_module[] =
    "HloModule m, entry_computation_layout={(f32[4,8]{1,0})->(f32[4], f32[2,2])}\n"
    "\nFileNames\n1 \"a.py\"\nFunctionNames\n1 \"f\"\nFileLocations\n1 {line=2}\nStackFrames\n1 {a=1}\n\n"
    "%add (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
    "  ROOT %c = f32[] add(f32[] %a, f32[] %b), metadata={op_name=\"x\\\"y\"}\n}\n"
    "ENTRY main {\n  p = f32[4,8]{1,0:T(8,128)} parameter(0) // comment\n  z = f32[] constant(-1.5e+3)\n"
    "  r = f32[4]{0} reduce(p, z), dimensions={1}, to_apply=%add\n"
    "  s = f32[2,2] slice(p), slice={[0:2], [2:8:3]}\n  i = s32[] constant(3)\n"
    "  d = f32[1,8] dynamic-slice(p, i, /*index=2*/i), dynamic_slice_sizes={1,8}\n"
    "  w = f32[2,8] reduce-window(p, z), window={size=3x1 stride=1x1 pad=-1_1x0_0 rhs_dilate=1x1}, to_apply=add\n"
    "  y = f32[5,9] pad(p, z), padding=0_1x1_0_0\n  t = s32[2,2] constant({ { 1, 2 }, { 3, -4 } })\n"
    "  g = f32[4,8] all-reduce(p), to_apply=add, replica_groups=[2,2]<=[2,2]T(1,0), channel_id=1\n"
    "  c = f32[4,4] dot(p, p), lhs_contracting_dims={1}, rhs_contracting_dims={1}\n"
    "  b = ((f32[4,8]), f32[4,8], u32[]) abs-start(p), backend_config={\"a\":[1]}\n  e = f32[4,8] abs-done(b)\n"
    "  ROOT o = (f32[4], f32[2,2]) tuple(r, s)\n}\n";

static void a_text_cut_anywhere_is_reported(void **state) {
  (void)state;
  Arena *arena = arena_create();
  ArenaMark mark = arena_mark(arena);
  size_t last = sizeof small_module - 2;
  for (size_t length = 0; length < sizeof small_module; length++) {
    arena_rewind(arena, mark);
    assert_int_equal(read_exactly(arena, small_module, length), length >= last);
  }
  arena_destroy(arena);
}

/* One change: a byte, a piece doubled, a piece removed, or a piece overwritten by another one of
 * the text. */
static size_t garbage_change(char *text, size_t length) {
  static const char bytes[] = "{}()[]<>,=:%\"'/*-_.x?0123456789aTS \n";
  size_t at = garbage_below((uint32_t)length), piece = 1 + garbage_below(12);
  if (piece > length - at) piece = length - at;
  switch (garbage_below(5)) {
    case 0: text[at] = bytes[garbage_below(sizeof bytes - 1)]; break;
    case 1: text[at] = (char)garbage_below(256); break;
    case 2: memmove(text + at, text + at + piece, length - at - piece); return length - piece;
    case 3: memmove(text + at + piece, text + at, length - at); return length + piece;
    default: memmove(text + at, text + garbage_below((uint32_t)(length - piece + 1)), piece); break;
  }
  return length;
}

static uint32_t read_changed(Arena *arena, const char *text, size_t length, int rounds) {
  uint32_t read = 0;
  char *changed = malloc(length + 200);
  assert_non_null(changed);
  for (int round = 0; round < rounds; round++) {
    ArenaMark mark = arena_mark(arena);
    memcpy(changed, text, length);
    size_t now = length;
    for (uint32_t changes = 1 + garbage_below(4); changes > 0 && now > 0; changes--)
      now = garbage_change(changed, now);
    read += read_exactly(arena, changed, now);
    arena_rewind(arena, mark);
  }
  free(changed);
  return read;
}

static void changed_texts_are_read_or_reported(void **state) {
  (void)state;
  Arena *arena = arena_create();
  uint32_t read = read_changed(arena, small_module, sizeof small_module - 1, 6000);
  print_message("%u of 6000 changed texts still read\n", read);
  assert_true(read > 100 && read < 5900);
  arena_destroy(arena);
}

static void changed_real_modules_are_read_or_reported(void **state) {
  (void)state;
  static const char *const names[] = {
      "backends__cpu__benchmarks__hlo__jax.b380442861.hlo",
      "backends__cpu__tests__thunk_coverage__cpu.hlo",
      "backends__gpu__codegen__emitters__tests__scatter__variadic_scatter_argmax.hlo",
      "hlo__translate__tests__import_async_collectives.hlo",
      "hlo__translate__hlo_to_mhlo__tests__ragged_dot.hlo",
      "tests__isolated_convolution.hlo",
      "tools__tests__data__spmd.hlo",
      "codegen__emitters__tests__loop__tuple_nested.hlo",
  };
  uint32_t read = 0, total = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    Arena *arena = arena_create();
    Error error = {};
    Source source;
    const char *path = arena_printf(arena, "%s/hlo/%s", AFFIRM_DATA_DIR, names[i]);
    if (file_read(arena, path, 1 << 20, &source, &error)) {
      read += read_changed(arena, source.text, source.length, 300);
      total += 300;
      for (size_t cut = 0; cut < source.length; cut += 1 + garbage_below(100)) {
        ArenaMark mark = arena_mark(arena);
        (void)read_exactly(arena, source.text, cut);
        arena_rewind(arena, mark);
      }
    }
    arena_destroy(arena);
  }
  if (total == 0) {
    print_message("skipped: there is no directory " AFFIRM_DATA_DIR "/hlo\n");
    skip();
  }
  print_message("%u of %u changed modules still read\n", read, total);
}

static char *garbage_repeated(
    Arena *arena, const char *before, const char *piece, size_t count, const char *after) {
  size_t length = strlen(piece), start = strlen(before);
  char *text = ARENA_NEW(arena, char, start + length * count + strlen(after) + 1);
  memcpy(text, before, start);
  for (size_t i = 0; i < count; i++) memcpy(text + start + i * length, piece, length);
  strcpy(text + start + length * count, after);
  return text;
}

/* Nesting deeper than 1,000 is rejected for everything that nests, and so is a hundred times that
 * depth. */
static void deep_nesting_is_rejected(void **state) {
  (void)state;
  static const struct {
    const char *before, *piece;
  } nests[] = {
      {"", "("},
      {"", "{"},
      {"HloModule m, a=", "{"},
      {"HloModule m, a=", "[("},
      {"ENTRY e { a = ", "("},
      {"ENTRY e { a = f32[] parameter(0) b = ", "f32[] negate("},
      {"ENTRY e { a = f32[] parameter(0) b = ", "negate("},
      {"ENTRY e { a = f32[] parameter(0), x=", "{"},
      {"ENTRY e { a = f32[] parameter(0) b = f32[] call(a), to_apply=",
          "{ p = f32[] parameter(0) q = f32[] call(p), to_apply="},
      {"ENTRY e { a = f32[2]{0:T", "("},
      {"ENTRY e { a = f32[2] constant(", "{"},
      {"ENTRY e { a = (f32[]) constant(", "("},
  };
  for (size_t i = 0; i < sizeof nests / sizeof *nests; i++) {
    Arena *arena = arena_create();
    Error error = {};
    char *text = garbage_repeated(arena, nests[i].before, nests[i].piece, 100000, "");
    assert_null(module_of(arena, text, &error));
    assert_true(error.kind == ERROR_LIMIT || error.kind == ERROR_INPUT);
    arena_destroy(arena);
  }
}

/* Everything that may nest is parsed at the maximum depth. */
static void nesting_up_to_the_limit_is_read(void **state) {
  (void)state;
  Arena *arena = arena_create();
  Error error = {};
  char *tuples = garbage_repeated(arena, "ENTRY e { a = ", "(", 1000, "");
  tuples = garbage_repeated(arena, tuples, ")", 1000, " parameter(0) }");
  assert_non_null(module_of(arena, tuples, &error));
  char *nested =
      garbage_repeated(arena, "ENTRY e { a = f32[] parameter(0) b = ", "negate(", 999, "a");
  nested = garbage_repeated(arena, nested, ")", 999, "}");
  const Module *module = module_of(arena, nested, &error);
  assert_non_null(module);
  assert_int_equal(module->entry->instruction_count, 1000);
  arena_destroy(arena);
}

static void brackets_without_end_are_rejected(void **state) {
  (void)state;
  static constexpr size_t longest = (size_t)100 << 20, long_enough = (size_t)2 << 20;
  char *text = malloc(longest);
  assert_non_null(text);
  for (const char *bracket = "({[\"/<,"; *bracket != 0; bracket++) {
    size_t length = *bracket == '(' ? longest : long_enough;
    memset(text, *bracket, length);
    Arena *arena = arena_create();
    Source source = source_of(text, length);
    Source *parts;
    uint32_t count;
    Error error = {};
    const Module *module;
    bool read = hlo_split(arena, &source, &count, &parts, &error) &&
                hlo_read(arena, &parts[0], &module, &error);
    assert_false(read);
    assert_true(error.line == 1);
    assert_true(arena_bytes(arena) < 1 << 20);
    arena_destroy(arena);
  }
  free(text);
}

/* A chain of 100,000 computations, each called by the one before it in the text. */
static void a_long_chain_of_calls_is_read(void **state) {
  (void)state;
  const uint32_t count = test_length(100000, 100000, 20000);
  Arena *arena = arena_create();
  Error error = {};
  Text text = text_create(arena);
  text_string(&text, "ENTRY e{p=f32[]parameter(0)ROOT c=f32[]call(p),to_apply=f0}");
  for (uint32_t i = 0; i < count; i++) {
    text_printf(&text, "f%u{p=f32[]parameter(0)ROOT c=f32[]call(p),to_apply=f%u}", i, i + 1);
  }
  char *open = arena_printf(arena, "%sf%u{ROOT p=f32[]parameter(0)}", text.bytes, count);
  const Module *module = module_of(arena, open, &error);
  assert_non_null(module);
  assert_ptr_equal(module->computations[count + 1], module->entry);
  char *cycle = arena_printf(
      arena, "%sf%u{p=f32[]parameter(0)ROOT c=f32[]call(p),to_apply=f7}", text.bytes, count);
  assert_null(module_of(arena, cycle, &error));
  assert_non_null(strstr(error.message, "which it is part of"));
  arena_destroy(arena);
}

/* Each tuple contains the one before it twice, without written shapes: 2^100000 elements in a short
 * text. */
static void shapes_left_out_do_not_explode(void **state) {
  (void)state;
  Arena *arena = arena_create();
  Error error = {};
  Text text = text_create(arena);
  text_string(&text, "ENTRY e { t0 = f32[] parameter(0)\n");
  for (uint32_t i = 0; i < 100000; i++) text_printf(&text, "t%u = tuple(t%u, t%u)\n", i + 1, i, i);
  assert_null(module_of(arena, arena_printf(arena, "%s}", text.bytes), &error));
  assert_int_equal(error.kind, ERROR_LIMIT);
  arena_destroy(arena);
}

static void a_nul_is_rejected(void **state) {
  (void)state;
  Arena *arena = arena_create();
  static const char text[] = "ENTRY e { p = f32[] parameter(0), a=\"\0\" }";
  Source source = source_of(text, sizeof text - 1);
  const Module *module;
  Error error = {};
  assert_false(hlo_read(arena, &source, &module, &error));
  assert_int_equal(error.column, 38);
  assert_string_equal(error.message,
      "a byte 0x00 in the text; XLA dumps modules as text with --xla_dump_hlo_as_text");
  arena_destroy(arena);
}

/* 200,000 instructions with names of equal length, 200 attributes on one, wide operands: no step is
 * quadratic. */
static void large_texts_are_read(void **state) {
  (void)state;
  Arena *arena = arena_create();
  Error error = {};
  Text text = text_create(arena);
  text_string(&text, "ENTRY e { name0000000 = f32[] parameter(0)\n");
  const uint32_t count = test_length(200000, 200000, 50000);
  for (uint32_t i = 1; i < count; i++)
    text_printf(&text, "name%07u = f32[] negate(name%07u)\n", i, i - 1);
  text_printf(&text, "wide = f32[%u] concatenate(", count);
  for (uint32_t i = 0; i < count; i++) text_string(&text, i > 0 ? ",r" : "r");
  text_string(&text, "), dimensions={0} }");
  char *whole = arena_printf(arena, "ENTRY e { c = f32[] parameter(0) r = f32[1] reshape(c) %s",
      strstr(text.bytes, "name0000000"));
  whole = arena_printf(arena, "%s", whole);
  char *parameter = strstr(whole, "parameter(0)\n");
  parameter[10] = '1';
  const Module *module = module_of(arena, whole, &error);
  if (module == nullptr) error_print(&error, stderr);
  assert_non_null(module);
  assert_int_equal(module->entry->instruction_count, count + 3);
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_text_cut_anywhere_is_reported),
      cmocka_unit_test(changed_texts_are_read_or_reported),
      cmocka_unit_test(changed_real_modules_are_read_or_reported),
      cmocka_unit_test(deep_nesting_is_rejected),
      cmocka_unit_test(nesting_up_to_the_limit_is_read),
      cmocka_unit_test(brackets_without_end_are_rejected),
      cmocka_unit_test(a_long_chain_of_calls_is_read),
      cmocka_unit_test(shapes_left_out_do_not_explode),
      cmocka_unit_test(a_nul_is_rejected),
      cmocka_unit_test(large_texts_are_read),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
