/* The real modules of the data directory. All parse, except those listed here with their fault;
 * each prints a text that parses to the same graph and prints the same again. A wrong size in any
 * result is found. The largest module parses in under a second and in at most 20 times the memory
 * of its text. Skipped, with a message, if the directory is missing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/hlo/verify/check.h"
#include "core/hlo/compare.h"
#include "core/hlo/print/print.h"
#include "core/hlo/read/read.h"
#include "core/hlo/verify/verify.h"

#define DIRECTORY AFFIRM_DATA_DIR "/hlo"

static const struct {
  const char *file, *rejection, *why;
} not_read[] = {
    {"hlo__tools__tests__generate_hlo_test_checks_test_output.hlo",
        "133:3: call: operand 0 is f32[4], parameter 0 of 'foo.bar.baz.0' is f32[]",
        "an array for a scalar parameter"},
    {"hlo__transforms__tests__rewrite_bf16_conv_to_onednn.hlo",
        "36:8: convolution: the shape is bf16[4,4,5,5,32], the operation returns bf16[8,0,5,5,32]",
        "the declared sizes are not those of the window"},
    {"hlo__translate__hlo_to_mhlo__tests__dynamic_param.hlo",
        "1:1: expected a computation, found '#'", "a protocol buffer as text, not HLO text"},
    {"hlo__translate__hlo_to_mhlo__tests__module_attributes.hlo",
        "1:1: expected a computation, found '#'", "a protocol buffer as text, not HLO text"},
    {"tools__hlo_opt__tests__list_passes.hlo", "10:1: the text has no module", "comments alone"},
    {"tools__print_indexing_test.hlo",
        "30:9: fusion: operand 1 is s32[1024], parameter 1 of 'fused_computation' is s32[]",
        "an array for a scalar parameter"},
};
static constexpr size_t not_read_count = sizeof not_read / sizeof *not_read;

static bool is_module(const struct dirent *entry) {
  size_t length = strlen(entry->d_name);
  return length > 4 && strcmp(entry->d_name + length - 4, ".hlo") == 0;
}

static int is_module_file(const struct dirent *entry) { return is_module(entry); }

/* Calls `each` for every file; false if there is no directory. */
static bool for_each_file(
    void (*each)(const char *name, Arena *arena, const Source *source, void *state), void *state) {
  struct dirent **entries;
  int count = scandir(DIRECTORY, &entries, is_module_file, alphasort);
  if (count < 0) {
    print_message("skipped: there is no directory " DIRECTORY "\n");
    return false;
  }
  for (int i = 0; i < count; i++) {
    Arena *arena = arena_create();
    Error error = {};
    Source source;
    const char *path = arena_printf(arena, "%s/%s", DIRECTORY, entries[i]->d_name);
    assert_true(file_read(arena, path, (size_t)1 << 30, &source, &error));
    each(entries[i]->d_name, arena, &source, state);
    arena_destroy(arena);
    free(entries[i]);
  }
  free((void *)entries);
  return true;
}

static const char *expected_rejection(const char *name) {
  for (size_t i = 0; i < not_read_count; i++) {
    if (strcmp(not_read[i].file, name) == 0) return not_read[i].rejection;
  }
  return nullptr;
}

typedef struct ModulesTally {
  uint32_t files, modules, rejected, instructions;
} ModulesTally;

static void expect_rejection(
    const char *name, Arena *arena, const Error *error, ModulesTally *tally) {
  const char *actual = arena_printf(arena, "%u:%u: %s", error->line, error->column, error->message);
  const char *expected = expected_rejection(name);
  if (expected == nullptr) fail_msg("%s:%s", name, actual);
  assert_string_equal(actual, expected);
  assert_true(error->caret < strlen(error->excerpt) || error->excerpt[error->caret] == 0);
  tally->rejected++;
}

static void read_file(const char *name, Arena *arena, const Source *source, void *state) {
  ModulesTally *tally = state;
  Error error = {};
  uint32_t count;
  Source *parts;
  tally->files++;
  if (!hlo_split(arena, source, &count, &parts, &error)) {
    expect_rejection(name, arena, &error, tally);
    return;
  }
  for (uint32_t i = 0; i < count; i++) {
    const Module *module;
    error = (Error){};
    if (hlo_read(arena, &parts[i], &module, &error)) {
      tally->modules++;
      for (uint32_t j = 0; j < module->computation_count; j++) {
        tally->instructions += module->computations[j]->instruction_count;
      }
    } else {
      expect_rejection(name, arena, &error, tally);
    }
  }
}

static void all_but_the_listed_are_read(void **state) {
  (void)state;
  ModulesTally tally = {};
  if (!for_each_file(read_file, &tally)) skip();
  print_message("%u files: %u modules read with %u instructions, %u rejected\n", tally.files,
      tally.modules, tally.instructions, tally.rejected);
  for (size_t i = 0; i < not_read_count; i++) {
    print_message(
        "rejected %s:%s (%s)\n", not_read[i].file, not_read[i].rejection, not_read[i].why);
  }
  assert_int_equal(tally.rejected, not_read_count);
}

/* Calls `each` for every module of the file that parses. */
static void for_each_module(Arena *arena, const Source *source,
    void (*each)(Arena *, const Module *, void *), void *state) {
  Error error = {};
  uint32_t count;
  Source *parts;
  if (!hlo_split(arena, source, &count, &parts, &error)) return;
  for (uint32_t i = 0; i < count; i++) {
    const Module *module;
    Error ignored = {};
    if (hlo_read(arena, &parts[i], &module, &ignored)) each(arena, module, state);
  }
}

static void print_and_read_again(Arena *arena, const Module *module, void *state) {
  uint32_t *count = state;
  Error error = {};
  Text printed = text_create(arena), again = text_create(arena);
  hlo_print(&printed, module);
  Source source = {
      .name = "printed", .text = printed.bytes, .length = printed.length, .first_line = 1};
  const Module *second;
  bool same = hlo_read(arena, &source, &second, &error) && hlo_same_graph(module, second, &error);
  if (!same) error_print(&error, stderr);
  assert_true(same);
  hlo_print(&again, second);
  assert_int_equal(again.length, printed.length);
  assert_memory_equal(again.bytes, printed.bytes, printed.length);
  ++*count;
}

static void round_trip(const char *name, Arena *arena, const Source *source, void *state) {
  (void)name;
  for_each_module(arena, source, print_and_read_again, state);
}

static void what_is_printed_reads_to_the_same_graph(void **state) {
  (void)state;
  uint32_t count = 0;
  if (!for_each_file(round_trip, &count)) skip();
  print_message("%u modules printed and read again\n", count);
  assert_true(count > 300);
}

static bool is_parsed(const Attribute *attribute) {
  static const char *const parsed[] = {
#define ATTRIBUTE(id, text, form, opcode, owner, field) text,
#include "core/hlo/opcodes.def"
#undef ATTRIBUTE
  };
  for (size_t i = 0; i < sizeof parsed / sizeof *parsed; i++) {
    if (strcmp(attribute->name, parsed[i]) == 0) return true;
  }
  return false;
}

/* Makes the graph like a built one: removes the text of everything that its fields contain. */
static void drop_texts(const Module *module) {
  for (uint32_t i = 0; i < module->computation_count; i++) {
    for (uint32_t j = 0; j < module->computations[i]->instruction_count; j++) {
      Instruction *instruction = module->computations[i]->instructions[j];
      uint32_t kept = 0;
      if (instruction->literal.count > 0) instruction->literal_text = nullptr;
      for (uint32_t k = 0; k < instruction->attribute_count; k++) {
        if (!is_parsed(&instruction->attributes[k]))
          instruction->attributes[kept++] = instruction->attributes[k];
      }
      instruction->attribute_count = kept;
    }
  }
}

static void print_fields_and_read_again(Arena *arena, const Module *module, void *state) {
  uint32_t *count = state;
  Error error = {};
  drop_texts(module);
  Text printed = text_create(arena);
  hlo_print(&printed, module);
  Source source = {
      .name = "printed", .text = printed.bytes, .length = printed.length, .first_line = 1};
  const Module *second;
  bool same = hlo_read(arena, &source, &second, &error);
  if (same) drop_texts(second);
  same = same && hlo_same_graph(module, second, &error);
  if (!same) error_print(&error, stderr);
  assert_true(same);
  ++*count;
}

static void fields_round_trip(const char *name, Arena *arena, const Source *source, void *state) {
  (void)name;
  for_each_module(arena, source, print_fields_and_read_again, state);
}

static void a_graph_without_texts_prints_from_its_fields(void **state) {
  (void)state;
  uint32_t count = 0;
  if (!for_each_file(fields_round_trip, &count)) skip();
  assert_true(count > 300);
}

/* A dimension whose size the operation determines; false if there is none. */
static bool fixed_dimension(Arena *arena, const Instruction *instruction, uint32_t *dimension) {
  const Shape *inferred;
  Error error = {};
  Check check = {.arena = arena, .instruction = instruction, .error = &error};
  if (!shape_is_array(instruction->shape) || instruction->shape->rank == 0) return false;
  assert_true(infer_shape(&check, &inferred));
  *dimension = 0;
  if (instruction->opcode == HLO_RESHAPE || instruction->opcode == HLO_BITCAST)
    return shape_elements(instruction->shape) > 0;
  if (instruction->opcode == HLO_BROADCAST) {
    if (instruction->dimensions.count == 0) return false;
    *dimension = (uint32_t)instruction->dimensions.values[0];
  }
  return inferred != nullptr;
}

/* Without its source, because finding the line of each error in 4 MB of text would take most of the
 * time. */
static void seed_wrong_sizes(Arena *arena, const Module *read, void *state) {
  uint32_t *count = state;
  Module without_source = *read;
  without_source.source = nullptr;
  const Module *module = &without_source;
  for (uint32_t i = 0; i < module->computation_count; i++) {
    for (uint32_t j = 0; j < module->computations[i]->instruction_count; j++) {
      ArenaMark mark = arena_mark(arena);
      Instruction wrong = *module->computations[i]->instructions[j];
      uint32_t dimension;
      if (fixed_dimension(arena, &wrong, &dimension)) {
        Shape shape = *wrong.shape;
        shape.sizes = arena_grow(arena, shape.sizes, shape.rank, shape.rank, sizeof *shape.sizes);
        shape.sizes[dimension]++;
        wrong.shape = &shape;
        Error error = {};
        bool accepted = hlo_verify_instruction(arena, module, &wrong, &error);
        if (accepted)
          fail_msg("a wrong size passes: %s of %s", wrong.name, opcode_name(wrong.opcode));
        ++*count;
      }
      arena_rewind(arena, mark);
    }
  }
}

static void seed_in_file(const char *name, Arena *arena, const Source *source, void *state) {
  (void)name;
  for_each_module(arena, source, seed_wrong_sizes, state);
}

static void a_wrong_size_is_found(void **state) {
  (void)state;
  uint32_t count = 0;
  if (!for_each_file(seed_in_file, &count)) skip();
  print_message("%u wrong sizes seeded, all found\n", count);
  assert_true(count > 10000);
}

static void the_largest_module_is_read_fast(void **state) {
  (void)state;
  static constexpr double most_seconds = 1;
  double best = most_seconds;
  size_t bytes = 0, length = 0;
  for (int round = 0; round < 3; round++) {
    Arena *arena = arena_create(), *graph = arena_create();
    Error error = {};
    Source source;
    const Module *module;
    if (!file_read(arena, DIRECTORY "/backends__cpu__benchmarks__hlo__gemma2_2b_keras_jax.hlo",
            (size_t)1 << 30, &source, &error)) {
      arena_destroy(arena);
      arena_destroy(graph);
      print_message("skipped: the module of 4 MB is missing\n");
      skip();
    }
    double start = clock_processor();
    assert_true(hlo_read(graph, &source, &module, &error));
    double seconds = clock_processor() - start;
    if (seconds < best) best = seconds;
    bytes = arena_bytes(graph);
    length = source.length;
    arena_destroy(arena);
    arena_destroy(graph);
  }
  print_message(
      "%zu bytes read in %.1f ms of processor time, %zu bytes of memory (%.1f times the text)\n",
      length, best * 1e3, bytes, (double)bytes / (double)length);
  assert_true(best < most_seconds);
  assert_true(bytes <= 20 * length);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_but_the_listed_are_read),
      cmocka_unit_test(what_is_printed_reads_to_the_same_graph),
      cmocka_unit_test(a_graph_without_texts_prints_from_its_fields),
      cmocka_unit_test(a_wrong_size_is_found),
      cmocka_unit_test(the_largest_module_is_read_fast),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
