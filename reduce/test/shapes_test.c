/* The edits of slices and reshapes, each one of all small modules: what it changes becomes smaller,
 * the rest stays, and the module prints and reads back. Edits end where nothing can be smaller. */
#include "reduce/reduce_graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/hlo/print/print.h"
#include "core/hlo/read/read.h"

static ReducedGraph graph_of(Arena *arena, const char *text) {
  Source source = {.name = "m", .text = text, .length = strlen(text), .first_line = 1};
  const Module *module;
  Error error = {};
  if (!hlo_read(arena, &source, &module, &error)) fail_msg("%s\n%s", text, error.message);
  return (ReducedGraph){arena, (Module *)module};
}

static const char *graph_text(const ReducedGraph *graph) {
  Text text = text_create(graph->arena);
  hlo_print(&text, graph->module);
  return text.bytes;
}

/* ---- slices ---- */

typedef struct SliceRange {
  int64_t start, limit, stride, size;
} SliceRange;

static SliceRange slice_range(const Instruction *slice, uint32_t dimension) {
  return (SliceRange){slice->starts.values[dimension], slice->limits.values[dimension],
      slice->strides.values[dimension], slice->shape->sizes[dimension]};
}

static const char *slice_text(Arena *arena, const SliceRange *one, const SliceRange *other) {
  return arena_printf(arena,
      "HloModule m\nENTRY e {\n  p = f32[7,9] parameter(0)\n  ROOT s = f32[%d,%d] slice(p), slice={[%d:%d:%d], [%d:%d:%d]}\n}\n",
      (int)one->size, (int)other->size, (int)one->start, (int)one->limit, (int)one->stride,
      (int)other->start, (int)other->limit, (int)other->stride);
}

static bool same_range(const SliceRange *a, const SliceRange *b) {
  return a->start == b->start && a->limit == b->limit && a->stride == b->stride &&
         a->size == b->size;
}

/* A range that only became smaller, and ends past its last element. */
static bool is_smaller_range(const SliceRange *now, const SliceRange *old) {
  return now->start >= 0 && now->start <= old->start && now->stride >= 1 &&
         now->stride <= old->stride && now->size >= 1 && now->size <= old->size &&
         now->limit <= old->limit && now->limit == now->start + (now->size - 1) * now->stride + 1 &&
         (now->start < old->start || now->stride < old->stride || now->size < old->size);
}

/* Tries each edit; returns whether one was made, and its text. */
static bool check_slice(Arena *arena, const char *text, const char **edited) {
  ReducedGraph first = graph_of(arena, text);
  uint32_t edits = graph_slice_edits(&first);
  bool is_any = false;
  assert_true(edits > 0);
  assert_false(graph_edit_slice(&first, edits));
  const char *before = graph_text(&first);
  for (uint32_t i = 0; i < edits; i++) {
    ReducedGraph graph = graph_of(arena, text);
    const Instruction *slice = graph.module->entry->root;
    SliceRange old[] = {slice_range(slice, 0), slice_range(slice, 1)};
    uint32_t dimension = i < edits / 2 ? 0 : 1;
    bool is_edited = graph_edit_slice(&graph, i);
    SliceRange now[] = {slice_range(slice, 0), slice_range(slice, 1)};
    assert_true(same_range(&now[1 - dimension], &old[1 - dimension]));
    if (!is_edited) {
      assert_string_equal(graph_text(&graph), before);
      continue;
    }
    assert_true(is_smaller_range(&now[dimension], &old[dimension]));
    const char *printed = graph_text(&graph);
    ReducedGraph again = graph_of(arena, printed);
    assert_string_equal(graph_text(&again), printed);
    is_any = true;
    *edited = printed;
  }
  return is_any;
}

/* Edits lead to the element at 0. */
static void slices_become_smaller(void **) {
  for (int64_t start = 0; start < 4; start++)
    for (int64_t stride = 1; stride < 4; stride++)
      for (int64_t size = 1; start + (size - 1) * stride < 7; size++)
        for (uint32_t swapped = 0; swapped < 2; swapped++) {
          Arena *arena = arena_create();
          SliceRange one = {start, start + (size - 1) * stride + 1, stride, size},
                     other = {2, 2 + 2 * 2 + 1, 2, 3};
          const char *text = slice_text(arena, swapped ? &other : &one, swapped ? &one : &other);
          uint32_t steps = 0;
          while (check_slice(arena, text, &text)) assert_true(steps++ < 40);
          const Instruction *slice = graph_of(arena, text).module->entry->root;
          for (uint32_t i = 0; i < 2; i++)
            assert_true(same_range(&(SliceRange){0, 1, 1, 1},
                &(SliceRange){slice->starts.values[i], slice->limits.values[i],
                    slice->strides.values[i], slice->shape->sizes[i]}));
          arena_destroy(arena);
        }
}

/* ---- reshapes ---- */

static const char *reshape_text(Arena *arena, const int64_t operand[2], const int64_t result[2]) {
  return arena_printf(arena,
      "HloModule m\nENTRY e {\n  p = f32[%d,%d] parameter(0)\n  ROOT r = f32[%d,%d] reshape(p)\n}\n",
      (int)operand[0], (int)operand[1], (int)result[0], (int)result[1]);
}

/* One size of each is divided by the same number above 1. */
static void check_divided(const int64_t old[4], const int64_t now[4]) {
  int64_t divisors[2] = {1, 1};
  for (uint32_t i = 0; i < 4; i++) {
    assert_int_equal(old[i] % now[i], 0);
    if (now[i] == old[i]) continue;
    assert_int_equal(divisors[i / 2], 1);
    divisors[i / 2] = old[i] / now[i];
  }
  assert_true(divisors[0] > 1);
  assert_int_equal(divisors[0], divisors[1]);
}

/* Returns whether there is an edit. Each pair of sizes with a common divisor has one by the
 * greatest of them. */
static bool check_reshape(Arena *arena, const int64_t old[4], int64_t edited[4]) {
  const char *text = reshape_text(arena, old, old + 2);
  ReducedGraph first = graph_of(arena, text);
  uint32_t edits = graph_reshape_edits(&first);
  bool is_greatest[2][2] = {}, is_any = false;
  assert_false(graph_edit_reshape(&first, edits));
  for (uint32_t i = 0; i < edits; i++) {
    ReducedGraph graph = graph_of(arena, text);
    if (!graph_edit_reshape(&graph, i)) continue;
    const Instruction *reshape = graph.module->entry->root;
    const int64_t *from = reshape->operands[0]->shape->sizes, *to = reshape->shape->sizes;
    int64_t now[] = {from[0], from[1], to[0], to[1]};
    check_divided(old, now);
    for (uint32_t k = 0; k < 4; k++) {
      int64_t divisor = old[k % 2] / now[k % 2], least = divisor + 1;
      while (least <= old[k % 2] && (old[k % 2] % least != 0 || old[2 + k / 2] % least != 0))
        least++;
      bool is_pair = now[k % 2] != old[k % 2] && now[2 + k / 2] != old[2 + k / 2];
      if (is_pair && least > old[k % 2]) is_greatest[k % 2][k / 2] = true;
    }
    (void)graph_of(arena, graph_text(&graph));
    memcpy(edited, now, sizeof now);
    is_any = true;
  }
  for (uint32_t k = 0; k < 4; k++) {
    int64_t common = 1;
    for (int64_t d = 2; d <= old[k % 2]; d++)
      if (old[k % 2] % d == 0 && old[2 + k / 2] % d == 0) common = d;
    assert_int_equal(is_greatest[k % 2][k / 2], common > 1);
  }
  return is_any;
}

static void reshapes_are_divided_on_both_sides(void **) {
  for (int64_t elements = 1; elements <= 36; elements++)
    for (int64_t a = 1; a <= elements; a++)
      for (int64_t c = 1; c <= elements; c++) {
        if (elements % a != 0 || elements % c != 0) continue;
        Arena *arena = arena_create();
        int64_t sizes[] = {a, elements / a, c, elements / c}, edited[4];
        while (check_reshape(arena, sizes, edited)) memcpy(sizes, edited, sizeof sizes);
        for (uint32_t i = 0; i < 4; i++) assert_int_equal(sizes[i], 1);
        arena_destroy(arena);
      }
}

/* Factors beyond 2^16 are not searched for: the product of two of them is divided as a whole. */
static void large_factors_are_not_searched_for(void **) {
  static const struct {
    int64_t size;
    uint32_t edits;
  } rows[] = {{INT64_C(65537) * 65539, 1}, {INT64_C(3) * 65537 * 65539, 2}, {3 * 65537, 2}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *arena = arena_create();
    const char *text = arena_printf(arena,
        "HloModule m\nENTRY e {\n  p = s8[%lld] parameter(0)\n  ROOT r = s8[1,%lld] reshape(p)\n}\n",
        (long long)rows[i].size, (long long)rows[i].size);
    ReducedGraph first = graph_of(arena, text);
    uint32_t edits = graph_reshape_edits(&first), made = 0;
    for (uint32_t k = 0; k < edits; k++) {
      ReducedGraph graph = graph_of(arena, text);
      made += graph_edit_reshape(&graph, k);
    }
    assert_int_equal(made, rows[i].edits);
    arena_destroy(arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slices_become_smaller),
      cmocka_unit_test(reshapes_are_divided_on_both_sides),
      cmocka_unit_test(large_factors_are_not_searched_for),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
