/* Marks that the reader sets in a graph for comparisons of values: elided constants of one name,
 * arrays of bounded size, and stateful operations. Also tests what a comparison of graphs
 * distinguishes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "core/hlo/compare.h"
#include "core/hlo/namesakes.h"
#include "core/hlo/print/print.h"
#include "core/hlo/read/from_text.h"
#include "core/hlo/stateful.h"

static const Module *read_marks(Arena *arena, const char *text) {
  Error error = {};
  const Module *module = module_of(arena, text, &error);
  if (module == nullptr) error_print(&error, stderr);
  assert_non_null(module);
  return module;
}

/* The names of the namesakes, in the order of the text. */
static const char *namesakes_of(Arena *arena, const char *body) {
  const Module *module = read_marks(arena, body);
  Text text = text_create(arena);
  for (uint32_t i = 0; i < module->computation_count; i++)
    for (uint32_t k = 0; k < module->computations[i]->instruction_count; k++) {
      const Instruction *instruction = module->computations[i]->instructions[k];
      if (instruction->is_namesake) text_printf(&text, "%s ", instruction->name);
    }
  return text.bytes;
}

#define NOTHING(more) "c = f32[2] custom-call(), custom_call_target=\"t\"" more
#define SAFE ", frontend_attributes={_xla_cse_safe_zero_operand=\"true\"}"

static void elided_constants_of_one_name_are_namesakes(void **) {
  static const struct {
    const char *inner, *outer, *namesakes;
  } rows[] = {
      {"c = f32[4] constant({...})", "c = f32[4] constant({...})", "c c "},
      {"c = f32[4] constant({...})", "d = f32[4] constant({...})", ""},
      {"c = f32[4] constant({...})", "c = f32[5] constant({...})", ""},
      {"c = f32[4] constant({1, 2, 3, 4})", "c = f32[4] constant({...})", ""},
      {"c.1 = f32[4] constant({...})", "c.10 = f32[4] constant({...})", ""},
      {"ab = f32[4] constant({...})", "ac = f32[4] constant({...})", ""},
      {"c = f32[4] constant({...})", "c = f32[4] constant({...}) c.clone = f32[4] constant({...})",
          "c c c.clone "},
      {"c = f32[4] constant({...})", "c = f32[4] constant({...}) c.sunk.3 = f32[4] constant({...})",
          "c c c.sunk.3 "},
      {"c = f32[4] constant({...})", "c = f32[4] constant({...}) cc = f32[4] constant({...})",
          "c c "},
      {"c = f32[4] constant({...})",
          "c = f32[4] constant({...}) c.a = f32[4] constant({...}) c.sunk = f32[4] constant({...})",
          "c c c.sunk "},
      {"c = f32[2] custom-call(), custom_call_target=\"t\", literal=f32[2] {...}",
          "c = f32[2] custom-call(), custom_call_target=\"t\", literal=f32[2] {...}", "c c "},
      /* Calls of one target need not return the same, unless they have operands or say so. */
      {NOTHING(", literal=f32[2] {1, 2}"), NOTHING(", literal=f32[2] {1, 2}"), "c c "},
      {NOTHING(""), NOTHING(""), "c c "},
      {NOTHING(""), "d = f32[2] custom-call(), custom_call_target=\"t\"", ""},
      {NOTHING(""), "c = f32[2] custom-call(), custom_call_target=\"u\"", ""},
      {NOTHING(""), NOTHING(", backend_config=\"1\""), ""},
      {NOTHING(", backend_config=\"1\""), NOTHING(", backend_config=\"1\""), "c c "},
      {NOTHING(SAFE), NOTHING(SAFE), ""},
      {NOTHING(", custom_call_has_side_effect=true"), NOTHING(", custom_call_has_side_effect=true"),
          ""},
      {"a = f32[] constant(1) c = f32[2] custom-call(a), custom_call_target=\"t\"",
          "a = f32[] constant(1) c = f32[2] custom-call(a), custom_call_target=\"t\"", ""},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *arena = arena_create();
    const char *text = arena_printf(arena,
        "f { %s ROOT p = f32[] parameter(0) }\n"
        "ENTRY e { %s q = f32[] parameter(0) ROOT r = f32[] call(q), to_apply=f }",
        rows[i].inner, rows[i].outer);
    assert_string_equal(namesakes_of(arena, text), rows[i].namesakes);
    arena_destroy(arena);
  }
}

/* Random lists of two computations: a constant is a namesake if two of its original's name and of
 * its shape have one name. */
static void namesakes_are_found_in_any_list(void **) {
  static const struct {
    const char *name, *original;
  } names[] = {{"a", "a"}, {"b", "b"}, {"a.clone", "a"}, {"b.clone.1", "b"}, {"a.sunk.2", "a"},
      {"ab", "ab"}, {"a.1", "a.1"}, {"ab.clone", "ab"}, {"c", "c"}};
  static constexpr uint32_t name_count = sizeof names / sizeof *names;
  uint64_t state = 20261210;
  uint32_t found = 0;
  for (uint32_t round = 0; round < 400; round++) {
    uint32_t of[2 * name_count], sizes[2 * name_count], count = 0;
    Arena *arena = arena_create();
    Text texts[2] = {text_create(arena), text_create(arena)}, wanted = text_create(arena);
    text_string(&wanted, "");
    for (uint32_t side = 0; side < 2; side++)
      for (uint32_t i = 0; i < name_count; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint32_t drawn = (uint32_t)(state >> 33);
        if (drawn % 3 > 0) continue;
        of[count] = i;
        sizes[count] = 4 + drawn / 3 % 2;
        text_printf(&texts[side], "%s = f32[%u] constant({...}) ", names[i].name, sizes[count++]);
      }
    for (uint32_t i = 0; i < count; i++) {
      bool is_namesake = false;
      for (uint32_t j = 0; j < count; j++)
        for (uint32_t k = 0; k < j; k++)
          is_namesake |= of[j] == of[k] && sizes[j] == sizes[k] && sizes[j] == sizes[i] &&
                         strcmp(names[of[j]].original, names[of[i]].original) == 0;
      if (is_namesake) text_printf(&wanted, "%s ", names[of[i]].name);
      found += is_namesake;
    }
    const char *text = arena_printf(arena,
        "f { %s ROOT p = f32[] parameter(0) }\n"
        "ENTRY e { %s q = f32[] parameter(0) ROOT r = f32[] call(q), to_apply=f }",
        texts[0].bytes == nullptr ? "" : texts[0].bytes,
        texts[1].bytes == nullptr ? "" : texts[1].bytes);
    assert_string_equal(namesakes_of(arena, text), wanted.bytes);
    arena_destroy(arena);
  }
  assert_true(found > 100);
}

static void a_copy_has_the_name_of_its_original(void **) {
  static const struct {
    const char *name;
    int length;
  } rows[] = {{"c", 1}, {"c.12", 4}, {"c.clone", 1}, {"c.clone.3", 1}, {"c.2.sunk", 3},
      {"clone", 5}, {"c.", 1}, {"c.sun", 5}, {".clone", 0}, {"", 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    assert_int_equal(original_length(rows[i].name), rows[i].length);
}

/* The name of the first instruction of the entry that depends on a size of which only a bound is
 * known. */
static const char *bounded_of(Arena *arena, const char *text) {
  const Instruction *bounded = read_marks(arena, text)->entry->bounded;
  return bounded == nullptr ? "" : bounded->name;
}

static void sizes_with_a_bound_are_followed(void **) {
  static const struct {
    const char *body, *bounded;
  } rows[] = {
      {"p = f32[<=4,3] parameter(0) ROOT r = f32[<=4,3] negate(p)", ""},
      {"p = f32[<=4,3] parameter(0) ROOT r = f32[3,<=4] transpose(p), dimensions={1,0}", ""},
      {"p = f32[<=4,3] parameter(0) ROOT r = f32[<=12] reshape(p)", ""},
      {"p = f32[1,<=4,3] parameter(0) ROOT r = f32[<=12] reshape(p)", ""},
      {"p = f32[3,<=4] parameter(0) ROOT r = f32[<=12] reshape(p)", "r"},
      {"p = f32[<=12] parameter(0) ROOT r = f32[3,<=4] reshape(p)", "r"},
      {"p = f32[<=4,3]{1,0} parameter(0) ROOT r = f32[<=12]{0} bitcast(p)", ""},
      {"p = f32[<=4,3]{0,1} parameter(0) ROOT r = f32[<=12]{0} bitcast(p)", "r"},
      {"p = f32[<=4,3] parameter(0) z = f32[] constant(0) ROOT r = f32[<=4] reduce(p, z), dimensions={1}, to_apply=add",
          ""},
      {"p = f32[<=4,3] parameter(0) z = f32[] constant(0) ROOT r = f32[3] reduce(p, z), dimensions={0}, to_apply=add",
          "r"},
      {"p = f32[<=4,3] parameter(0) ROOT r = f32[<=4,3] reverse(p), dimensions={0}", "r"},
      {"p = f32[<=4] parameter(0) ROOT r = f32[2] slice(p), slice={[0:2]}", "r"},
      {"p = f32[<=4] parameter(0) n = negate(p) ROOT r = concatenate(n, n), dimensions={0}", "r"},
      {"p = f32[<=4] parameter(0) ROOT r = f32[4] negate(p)", "r"},
      {"p = f32[4] parameter(0) ROOT r = f32[<=4] negate(p)", "r"},
      {"p = f32[<=4] parameter(0) ROOT r = f32[4] reshape(p)", "r"},
      {"z = f32[] parameter(0) ROOT r = f32[<=4] broadcast(z), dimensions={}", "r"},
      {"ROOT r = s32[<=4] iota(), iota_dimension=0", "r"},
      {"p = f32[4] parameter(0) i = s32[] parameter(1) ROOT r = set-dimension-size(p, i), dimensions={0}",
          ""},
      {"p = f32[4] parameter(0) i = s32[] parameter(1) ROOT r = f32[4] set-dimension-size(p, i), dimensions={0}",
          "r"},
      {"p = f32[<=4] parameter(0) ROOT r = f32[<=4] call(p), to_apply=bounded", ""},
      {"p = f32[<=4] parameter(0) ROOT r = f32[4] call(p), to_apply=fixed", "r"},
      {"p = f32[<=4] parameter(0) ROOT r = f32[<=4] call(p), to_apply=turned", "t"},
      {"p = f32[<=4] parameter(0) ROOT r = f32[<=4] call(p), to_apply=calls_turned", "t"},
      {"p = f32[<=4] parameter(0) q = f32[<=4] reverse(p), dimensions={0} "
       "ROOT r = f32[<=4] call(p), to_apply=turned",
          "q"},
      {"p = f32[4] parameter(0) ROOT r = f32[<=4] call(p), to_apply=bounded", "r"},
      {"p = f32[<=4] parameter(0) c = pred[] parameter(1) ROOT r = f32[<=4] conditional(c, p, p), true_computation=fixed, false_computation=bounded",
          "r"},
      {"p = f32[<=4] parameter(0) c = pred[] parameter(1) ROOT r = f32[<=4] conditional(c, p, p), true_computation=bounded, false_computation=bounded",
          ""},
      {"p = f32[<=4] parameter(0) q = f32[4] parameter(1) c = pred[] parameter(2) ROOT r = f32[4] conditional(c, q, p), true_computation=fixed, false_computation=fixed",
          "r"},
      {"p = f32[<=4] parameter(0) q = f32[4] parameter(1) c = pred[] parameter(2) ROOT r = f32[4] conditional(c, p, q), true_computation=fixed, false_computation=fixed",
          "r"},
      {"p = f32[<=4] parameter(0) ROOT s = (f32[<=4], f32[<=4], u32[]) copy-start(p)", ""},
      {"p = f32[<=4] parameter(0) ROOT s = (f32[4], f32[<=4], u32[]) copy-start(p)", "s"},
      {"p = f32[<=4] parameter(0) ROOT s = (f32[<=4], f32[4], u32[]) copy-start(p)", "s"},
      {"p = f32[<=4] parameter(0) ROOT s = ((f32[<=4]), f32[<=4]) async-start(p), calls=bounded",
          ""},
      {"p = f32[<=4] parameter(0) ROOT s = ((f32[4]), f32[<=4]) async-start(p), calls=bounded",
          "s"},
      {"p = f32[<=4] parameter(0) ROOT s = ((f32[<=4]), f32[4]) async-start(p), calls=bounded",
          "s"},
      {"p = f32[<=4] parameter(0) ROOT s = ((f32[<=4]), f32[4]) async-start(p), calls=fixed", "s"},
      {"p = (f32[<=4]) parameter(0) ROOT r = (f32[4]) opt-barrier(p)", "r"},
      {"p = s32[<=4] parameter(0) ROOT r = s32[<=4] subtract(p, p)", ""},
      {"p = s32[<=4] parameter(0) q = s32[<=4] parameter(1) ROOT r = s32[<=4] subtract(p, p)", "r"},
      {"p = s32[<=4,<=4] parameter(0) ROOT r = s32[<=4,<=4] subtract(p, p)", "r"},
      {"p = s32[<=4] parameter(0) q = s32[<=4] parameter(1) ROOT r = s32[<=4] negate(p)", ""},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *arena = arena_create();
    const char *text = arena_printf(arena,
        "add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }\n"
        "bounded { a = f32[<=4] parameter(0) ROOT c = f32[<=4] negate(a) }\n"
        "fixed { a = f32[4] parameter(0) ROOT c = f32[4] negate(a) }\n"
        "turned { a = f32[<=4] parameter(0) ROOT t = f32[<=4] reverse(a), dimensions={0} }\n"
        "calls_turned { a = f32[<=4] parameter(0) ROOT c = f32[<=4] call(a), to_apply=turned }\n"
        "ENTRY e { %s }",
        rows[i].body);
    if (strcmp(bounded_of(arena, text), rows[i].bounded) != 0) print_message("%s\n", rows[i].body);
    assert_string_equal(bounded_of(arena, text), rows[i].bounded);
    arena_destroy(arena);
  }
}

/* The shapes are XLA's: a slice of one element has no bound, and a gather takes the bound of a
 * dimension that it takes as a whole. */
static void shapes_that_are_left_out_keep_bounds(void **) {
  static const struct {
    const char *root, *shape;
  } rows[] = {
      {"negate(p)", "f32[<=4,3]"},
      {"compare(p, q), direction=LT", "pred[<=4,<=3]"},
      {"select(c, p, q)", "f32[<=4,<=3]"},
      {"clamp(z, p, z)", "f32[<=4,3]"},
      {"transpose(p), dimensions={1,0}", "f32[3,<=4]{0,1}"},
      {"slice(p), slice={[0:2], [0:1]}", "f32[<=2,1]"},
      {"slice(p), slice={[0:1], [0:1]}", "f32[1,1]"},
      {"concatenate(p, q), dimensions={0}", "f32[<=8,<=3]"},
      {"pad(p, z), padding=1_1x0_0", "f32[<=6,3]"},
      {"reduce(p, z), dimensions={1}, to_apply=add", "f32[<=4]"},
      {"reduce(p, z), dimensions={0}, to_apply=add", "f32[3]"},
      {"reduce-window(p, z), window={size=2x1}, to_apply=add", "f32[<=3,3]"},
      {"reverse(p), dimensions={0}", "f32[<=4,3]"},
      {"dot(p, q), lhs_contracting_dims={1}, rhs_contracting_dims={1}", "f32[<=4,4]"},
      {"dot(p, q), lhs_contracting_dims={0}, rhs_contracting_dims={0}", "f32[3,<=3]"},
      {"dot(p, q), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_contracting_dims={1}",
          "f32[<=4]"},
      {"dynamic-slice(p, i, i), dynamic_slice_sizes={4,3}", "f32[4,3]"},
      {"dynamic-update-slice(p, q, i, i)", "f32[<=4,3]"},
      {"gather(p, v), offset_dims={1,2}, collapsed_slice_dims={}, start_index_map={0}, index_vector_dim=1, slice_sizes={4,2}",
          "f32[<=5,<=4,2]"},
      {"gather(p, v), offset_dims={1,2}, collapsed_slice_dims={}, start_index_map={0}, index_vector_dim=1, slice_sizes={3,3}",
          "f32[<=5,3,3]"},
      {"convolution(p, k), dim_labels=bf_io->bf", "f32[<=4,<=6]"},
      {"convolution(m, n), window={size=2}, dim_labels=bf0_oi0->bf0", "f32[2,4,<=4]"},
      {"convolution(o, n), window={size=2}, dim_labels=bf0_oi0->bf0", "f32[2,4,4]"},
      {"convolution(o, l), window={size=2}, dim_labels=bf0_oi0->bf0", "f32[2,4,<=4]"},
      {"set-dimension-size(p, i), dimensions={1}", "f32[<=4,<=3]"},
      {"topk(q), k=2", "(f32[4,2], s32[4,2])"},
      {"topk(p), k=2", "(f32[<=4,2], s32[<=4,2])"},
      {"tuple(p)", "(f32[<=4,3])"},
      {"call(p), to_apply=bounded", "f32[<=4,3]"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *arena = arena_create();
    const char *text = arena_printf(arena,
        "add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }\n"
        "bounded { a = f32[<=4,3] parameter(0) ROOT c = negate(a) }\n"
        "ENTRY e { p = f32[<=4,3] parameter(0) q = f32[4,<=3] parameter(1) z = f32[] parameter(2) "
        "c = pred[4,3] parameter(3) i = s32[] parameter(4) v = s32[<=5,1] parameter(5) "
        "k = f32[3,<=6] parameter(6) m = f32[2,3,<=5] parameter(7) n = f32[4,3,2] parameter(8) "
        "o = f32[2,3,5] parameter(9) l = f32[4,3,<=2] parameter(10) ROOT r = %s }",
        rows[i].root);
    Text shape = text_create(arena);
    shape_print(&shape, read_marks(arena, text)->entry->root->shape);
    if (strcmp(shape.bytes, rows[i].shape) != 0) print_message("%s\n", rows[i].root);
    assert_string_equal(shape.bytes, rows[i].shape);
    arena_destroy(arena);
  }
}

static void a_state_is_once_in_a_loop_or_often(void **) {
  static const char callees[] =
      "g { a = f32[] parameter(0) ROOT b = f32[] rng(a, a), distribution=rng_uniform }\n"
      "f { a = f32[] parameter(0) ROOT b = f32[] call(a), to_apply=g }\n"
      "pure { a = f32[] parameter(0) ROOT b = f32[] negate(a) }\n"
      "cond { a = f32[] parameter(0) ROOT b = pred[] constant(true) }\n"
      "loop { a = f32[] parameter(0) ROOT b = f32[] while(a), condition=cond, body=g }\n";
  static const struct {
    const char *body;
    StatefulRuns runs;
  } rows[] = {
      {"ROOT r = f32[] call(p), to_apply=pure", STATEFUL_NONE},
      {"ROOT r = f32[] rng(p, p), distribution=rng_uniform", STATEFUL_ONCE},
      {"ROOT r = f32[] call(p), to_apply=g", STATEFUL_ONCE},
      {"ROOT r = f32[] call(p), to_apply=f", STATEFUL_ONCE},
      {"ROOT r = f32[] while(p), condition=cond, body=g", STATEFUL_IN_LOOP},
      {"ROOT r = f32[] while(p), condition=cond, body=f", STATEFUL_IN_LOOP},
      {"ROOT r = f32[] call(p), to_apply=loop", STATEFUL_IN_LOOP},
      {"q = f32[] call(p), to_apply=g ROOT r = f32[] call(q), to_apply=g", STATEFUL_OFTEN},
      {"q = f32[] call(p), to_apply=f ROOT r = f32[] call(q), to_apply=g", STATEFUL_OFTEN},
      {"q = f32[] call(p), to_apply=f ROOT r = f32[] call(q), to_apply=f", STATEFUL_OFTEN},
      {"q = f32[] call(p), to_apply=loop ROOT r = f32[] call(q), to_apply=loop", STATEFUL_OFTEN},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *arena = arena_create();
    const Instruction *worst;
    const Module *module = read_marks(arena,
        arena_printf(arena, "%sENTRY e { p = f32[] parameter(0) %s }", callees, rows[i].body));
    if (stateful_runs(arena, module->entry, &worst) != rows[i].runs)
      print_message("%s\n", rows[i].body);
    assert_int_equal(stateful_runs(arena, module->entry, &worst), rows[i].runs);
    assert_int_equal(worst == nullptr, rows[i].runs == STATEFUL_NONE);
    arena_destroy(arena);
  }
}

static const char *conditional_of(Arena *arena, const char *index, const char *branches) {
  return arena_printf(arena,
      "f { a = f32[] parameter(0) ROOT b = f32[] negate(a) }\n"
      "g { a = f32[] parameter(0) ROOT b = f32[] abs(a) }\n"
      "ENTRY e { i = %s[] parameter(0) p = f32[] parameter(1)\n"
      "  ROOT r = f32[] conditional(i, p, p), %s }",
      index, branches);
}

static void branches_print_by_the_type_of_their_index(void **) {
  static const char pair[] = "true_computation=%f, false_computation=%g",
                    list[] = "branch_computations={%f, %g}";
  Arena *arena = arena_create();
  for (uint32_t i = 0; i < 2; i++) {
    const char *index = i == 0 ? "pred" : "s32", *branches = i == 0 ? pair : list;
    const Module *module = read_marks(arena, conditional_of(arena, index, branches));
    Instruction *root = module->entry->root;
    root->attribute_count = 0;
    Text text = text_create(arena);
    hlo_print(&text, module);
    if (strstr(text.bytes, branches) == nullptr) print_message("%s\n", text.bytes);
    assert_non_null(strstr(text.bytes, branches));
    assert_null(strstr(text.bytes, i == 0 ? "branch_computations" : "true_computation"));
  }
  arena_destroy(arena);
}

static void one_field_makes_another_graph(void **) {
  static const char *const rows[][2] = {
      {"custom-call(p, p), custom_call_target=\"t\", dim_labels=bf_io->bf",
          "custom-call(p, p), custom_call_target=\"t\""},
      {"custom-call(p, p), custom_call_target=\"t\", dim_labels=bf_io->bf",
          "custom-call(p, p), custom_call_target=\"t\", dim_labels=fb_io->bf"},
      {"convolution(p, p), dim_labels=bf_io->bf", "convolution(p, p), dim_labels=bf_oi->bf"},
      {"all-reduce(p), replica_groups={{0,1}}, to_apply=add",
          "all-reduce(p), replica_groups={{0},{1}}, to_apply=add"},
      {"collective-broadcast(p), replica_groups={{0,1}}",
          "collective-broadcast(p), replica_groups={{0,2}}"},
      {"negate(p)", "abs(p)"},
      {"reverse(p), dimensions={0}", "reverse(p), dimensions={1}"},
      {"transpose(p), dimensions={0,1}", "transpose(p), dimensions={1,0}"},
      {"pad(p, z), padding=1_-1x0_0", "pad(p, z), padding=-1_1x0_0"},
      {"pad(p, z), padding=0_0x0_0", "pad(p, z), padding=0_0x1_-1"},
      {"iota(), iota_dimension=0", "iota(), iota_dimension=1"},
      {"dot(p, q), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
          "dot(p, q), lhs_contracting_dims={0}, rhs_contracting_dims={1}"},
      {"reduce-window(p, z), window={size=1x3 pad=0_0x1_1}, to_apply=add",
          "reduce-window(p, z), window={size=1x3 pad=0_0x0_2}, to_apply=add"},
      {"add(p, q)", "add(q, p)"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (uint32_t turn = 0; turn < 2; turn++) {
      Arena *arena = arena_create();
      Error error = {};
      const Module *graphs[2];
      for (uint32_t k = 0; k < 2; k++) {
        graphs[k] = read_marks(arena,
            arena_printf(arena,
                "add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }\n"
                "ENTRY e { p = f32[4,4] parameter(0) q = f32[4,4] parameter(1) z = f32[] parameter(2) ROOT r = f32[4,4] %s }",
                rows[i][k ^ turn]));
        /* What is parsed alone must tell them apart. */
        graphs[k]->entry->root->attribute_count = 0;
      }
      assert_true(hlo_same_graph(graphs[0], graphs[0], &error));
      assert_false(hlo_same_graph(graphs[0], graphs[1], &error));
      arena_destroy(arena);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elided_constants_of_one_name_are_namesakes),
      cmocka_unit_test(namesakes_are_found_in_any_list),
      cmocka_unit_test(a_copy_has_the_name_of_its_original),
      cmocka_unit_test(sizes_with_a_bound_are_followed),
      cmocka_unit_test(shapes_that_are_left_out_keep_bounds),
      cmocka_unit_test(a_state_is_once_in_a_loop_or_often),
      cmocka_unit_test(branches_print_by_the_type_of_their_index),
      cmocka_unit_test(one_field_makes_another_graph),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
