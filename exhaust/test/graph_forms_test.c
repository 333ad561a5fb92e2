/* Each form of the scope `graphs`: its instruction, and its values as sums of products of the
 * operands' elements that are written down. A letter is an element of the value at hand (a, b, c,
 * ...), a capital one of p1; `.` is a zero, `^` the larger of two. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/hlo/print/print.h"
#include "core/hlo/shape.h"
#include "exhaust/scopes/graph_forms.h"
#include "core/base/choices.h"

typedef struct FormRow {
  const char *form; /* how its words begin */
  uint64_t choices[2];
  const char *line;     /* of the root */
  const char *elements; /* with blanks between them */
} FormRow;

/* For the value f32[2,3]: a b c / d e f. */
static const FormRow of_rank_two[] = {{"negate", {}, "f32[2,3] negate(%p0)", "-a -b -c -d -e -f"},
    {"x - p1", {0}, "f32[2,3] subtract(%p0, %p1)", "a-A b-B c-C d-D e-E f-F"},
    {"x - p1", {1}, "f32[2,3] subtract(%p1, %p0)", "A-a B-b C-c D-d E-e F-f"},
    {"x + p1", {0}, "f32[2,3] add(%p0, %p1)", "a+A b+B c+C d+D e+E f+F"},
    {"x + p1", {1}, "f32[2,3] add(%p1, %p0)", "a+A b+B c+C d+D e+E f+F"},
    {"reverse", {0}, "f32[2,3] reverse(%p0), dimensions={0}", "d e f a b c"},
    {"reverse", {1}, "f32[2,3] reverse(%p0), dimensions={1}", "c b a f e d"},
    {"slice", {0, 0}, "f32[1,3] slice(%p0), slice={[0:1:1], [0:3:1]}", "a b c"},
    {"slice", {0, 1}, "f32[1,3] slice(%p0), slice={[1:2:1], [0:3:1]}", "d e f"},
    {"slice", {1, 0}, "f32[2,2] slice(%p0), slice={[0:2:1], [0:2:1]}", "a b d e"},
    {"slice", {1, 1}, "f32[2,2] slice(%p0), slice={[0:2:1], [1:3:1]}", "b c e f"},
    {"concatenate", {0}, "f32[4,3] concatenate(%p0, %p0), dimensions={0}",
        "a b c d e f a b c d e f"},
    {"concatenate", {1}, "f32[4,3] concatenate(%p0, %p1), dimensions={0}",
        "a b c d e f A B C D E F"},
    {"concatenate", {2}, "f32[4,3] concatenate(%p1, %p0), dimensions={0}",
        "A B C D E F a b c d e f"},
    {"sum", {0}, "f32[3] reduce(%p0, %c1), to_apply=%sum, dimensions={0}", "a+d b+e c+f"},
    {"sum", {1}, "f32[2] reduce(%p0, %c1), to_apply=%sum, dimensions={1}", "a+b+c d+e+f"},
    {"maximum", {0}, "f32[3] reduce(%p0, %c2), to_apply=%largest, dimensions={0}", "a^d b^e c^f"},
    {"maximum", {1}, "f32[2] reduce(%p0, %c2), to_apply=%largest, dimensions={1}", "a^b^c d^e^f"},
    {"pad", {0, 0}, "f32[3,3] pad(%p0, %c1), padding=1_0x0_0", ". . . a b c d e f"},
    {"pad", {0, 1}, "f32[3,3] pad(%p0, %c1), padding=0_1x0_0", "a b c d e f . . ."},
    {"pad", {1, 0}, "f32[2,4] pad(%p0, %c1), padding=0_0x1_0", ". a b c . d e f"},
    {"pad", {1, 1}, "f32[2,4] pad(%p0, %c1), padding=0_0x0_1", "a b c . d e f ."},
    {"transpose", {}, "f32[3,2] transpose(%p0), dimensions={1,0}", "a d b e c f"},
    {"broadcast", {0}, "f32[2,2,3] broadcast(%p0), dimensions={1,2}", "a b c d e f a b c d e f"},
    {"broadcast", {1}, "f32[2,3,2] broadcast(%p0), dimensions={0,1}", "a a b b c c d d e e f f"},
    {"reshape", {0}, "f32[6] reshape(%p0)", "a b c d e f"},
    {"reshape", {1}, "f32[2,3,1] reshape(%p0)", "a b c d e f"},
    {"window", {}, "f32[1,3] reduce-window(%p0, %c1), to_apply=%sum, window={size=2x1}",
        "a+d b+e c+f"},
    {"dot", {}, nullptr, nullptr}};

/* For the value f32[3]; a dimension is not chosen. */
static const FormRow of_rank_one[] = {{"negate", {}, "f32[3] negate(%p0)", "-a -b -c"},
    {"reverse", {0}, "f32[3] reverse(%p0), dimensions={0}", "c b a"},
    {"slice", {0}, "f32[2] slice(%p0), slice={[0:2:1]}", "a b"},
    {"slice", {1}, "f32[2] slice(%p0), slice={[1:3:1]}", "b c"},
    {"sum", {0}, "f32[] reduce(%p0, %c1), to_apply=%sum, dimensions={0}", "a+b+c"},
    {"maximum", {0}, "f32[] reduce(%p0, %c2), to_apply=%largest, dimensions={0}", "a^b^c"},
    {"pad", {1}, "f32[4] pad(%p0, %c1), padding=0_1", "a b c ."},
    {"transpose", {}, nullptr, nullptr}, {"reshape", {0}, nullptr, nullptr},
    {"reshape", {1}, "f32[3,1] reshape(%p0)", "a b c"},
    {"dot", {0},
        "f32[] dot(%p0, %p1), lhs_contracting_dims={0}, "
        "rhs_contracting_dims={0}",
        "a*A+b*B+c*C"},
    {"dot", {1},
        "f32[] dot(%p1, %p0), lhs_contracting_dims={0}, "
        "rhs_contracting_dims={0}",
        "a*A+b*B+c*C"},
    {"window", {}, "f32[2] reduce-window(%p0, %c1), to_apply=%sum, window={size=2}", "a+b b+c"},
    {"broadcast", {0}, "f32[2,3] broadcast(%p0), dimensions={1}", "a b c a b c"},
    {"broadcast", {1}, "f32[3,2] broadcast(%p0), dimensions={0}", "a a b b c c"}};

/* For the value f32[], and for one without room. */
static const FormRow of_rank_zero[] = {{"negate", {}, "f32[] negate(%p0)", "-a"},
    {"x - p1", {0}, "f32[] subtract(%p0, %p1)", "a-A"}, {"reverse", {}, nullptr, nullptr},
    {"slice", {}, nullptr, nullptr}, {"concatenate", {}, nullptr, nullptr},
    {"sum", {}, nullptr, nullptr}, {"maximum", {}, nullptr, nullptr}, {"pad", {}, nullptr, nullptr},
    {"transpose", {}, nullptr, nullptr}, {"dynamic-slice", {}, nullptr, nullptr},
    {"window", {}, nullptr, nullptr}, {"dot", {}, nullptr, nullptr},
    {"reshape", {0}, nullptr, nullptr}, {"reshape", {1}, "f32[1] reshape(%p0)", "a"},
    {"broadcast", {0}, "f32[2] broadcast(%p0), dimensions={}", "a a"}};

static int64_t element_at(const char **at, const Array *in, const Array *other, uint32_t a) {
  char letter = *(*at)++;
  if (letter == '.') return 0;
  return letter >= 'a' ? in->values[a][letter - 'a'] : other->values[a][letter - 'A'];
}

static int64_t sum_at(const char **at, const Array *in, const Array *other, uint32_t a) {
  int64_t total = 0;
  for (char sign = '+'; sign != 0 && sign != ' '; sign = **at) {
    if (**at == '-' || **at == '+' || **at == '^') sign = *(*at)++;
    int64_t value = element_at(at, in, other, a);
    while (**at == '*') ++*at, value *= element_at(at, in, other, a);
    if (sign == '^') total = value > total ? value : total;
    else total += sign == '-' ? -value : value;
  }
  if (**at == ' ') ++*at;
  return total;
}

static FormGraph form_graph_begin(Arena *arena) {
  static const ElementType types[] = {TYPE_f32};
  FormGraph graph = {.module = hlo_module_builder(arena)};
  graph.sum = hlo_build_combiner(&graph.module, "sum", HLO_ADD, 1, types);
  graph.largest = hlo_build_combiner(&graph.module, "largest", HLO_MAXIMUM, 1, types);
  graph.body = hlo_build_computation(&graph.module, "e");
  return graph;
}

static void form_graph_fill(FormGraph *graph, const Array *start) {
  Builder *body = &graph->body;
  graph->at_hand = hlo_build_parameter(body, array_shape(body, start));
  graph->other = hlo_build_parameter(body, array_shape(body, start));
  graph->offset = hlo_build_parameter(body, shape_of_scalar(body, TYPE_s32));
  graph->none = build_number(body, TYPE_s32, 0);
  graph->zero = build_number(body, TYPE_f32, 0);
  graph->least = build_number(body, TYPE_f32, -1);
}

/* The root's line of the printed module; the module has what the form did not use as well. */
static const char *form_line(Arena *arena, FormGraph *graph) {
  Text text = text_create(arena);
  Computation *entry = hlo_build_finish(&graph->body, graph->at_hand);
  assert_non_null(entry);
  entry->is_entry = true;
  const Module module = {.name = "m",
      .computation_count = graph->module.computations.count,
      .computations = graph->module.computations.items,
      .entry = entry};
  hlo_print(&text, &module);
  const char *root = strstr(strstr(text.bytes, "ENTRY"), "ROOT ");
  root = strstr(root, " = ") + 3;
  return arena_text(arena, root, strcspn(root, "\n"));
}

static const GraphForm *form_named(const char *name) {
  for (uint32_t i = 0; i < graph_form_count; i++)
    if (strncmp(graph_forms[i].words, name, strlen(name)) == 0) return &graph_forms[i];
  fail_msg("no form %s", name);
  return nullptr;
}

/* The same with an instruction and without; an illegal form makes neither. */
static void check_form(const FormRow *row, const Array *start, bool has_graph) {
  Arena *arena = arena_create();
  FormGraph graph = form_graph_begin(arena);
  form_graph_fill(&graph, start);
  GivenChoices given = choices_given(row->choices, 2);
  OperationChain chain = {.graph = has_graph ? &graph : nullptr,
      .start = start,
      .value = parameter_of(start, 0),
      .choices = &given.choices};
  const Array in = chain.value, other = parameter_of(start, 1);
  graph_form_make(form_named(row->form), &chain);
  if (chain.is_illegal != (row->line == nullptr)) fail_msg("%s", row->form);
  assert_int_equal(chain.made, row->line != nullptr);
  if (row->line != nullptr) {
    const Shape *shape = array_shape(&graph.body, &chain.value);
    for (uint32_t a = 0; a < assignments; a++) {
      const char *at = row->elements;
      for (int64_t i = 0; i < array_elements(&chain.value); i++)
        if (chain.value.values[a][i] != sum_at(&at, &in, &other, a))
          fail_msg("%s: element %lld", row->line, (long long)i);
      if (*at != 0) fail_msg("%s: no element for %s", row->line, at);
    }
    if (has_graph) {
      assert_true(shape_equal(shape, graph.at_hand->shape));
      assert_string_equal(form_line(arena, &graph), row->line);
    }
  }
  arena_destroy(arena);
}

static void check_forms(const FormRow *rows, size_t count, const Array *start) {
  for (size_t i = 0; i < count; i++) {
    check_form(&rows[i], start, false);
    check_form(&rows[i], start, true);
  }
}

static void forms_have_their_values_and_instructions(void **) {
  check_forms(
      of_rank_two, sizeof of_rank_two / sizeof *of_rank_two, &(Array){.rank = 2, .sizes = {2, 3}});
  check_forms(
      of_rank_one, sizeof of_rank_one / sizeof *of_rank_one, &(Array){.rank = 1, .sizes = {3}});
  check_forms(of_rank_zero, sizeof of_rank_zero / sizeof *of_rank_zero, &(Array){});
}

/* Whether a form applies to a value, by the sizes of the value and of p1 alone. */
static bool form_applies(const char *form, uint64_t way, const Array *value, const Array *start) {
  bool is_alike = value->rank == start->rank, is_last = form[0] == 'c' && way == 0;
  for (uint32_t i = 0; is_alike && i < value->rank; i++)
    is_alike = value->sizes[i] == start->sizes[i];
  int64_t elements = 1;
  for (uint32_t i = 0; i < value->rank; i++) elements *= value->sizes[i];
  bool has_room = elements <= 48, has_two = value->rank > 0 && value->sizes[0] > 1;
  if (strcmp(form, "x - p1") == 0 || strcmp(form, "x + p1") == 0) return is_alike;
  if (strcmp(form, "concatenate") == 0) return value->rank > 0 && has_room && (is_last || is_alike);
  if (strcmp(form, "broadcast") == 0) return value->rank < 3 && has_room;
  if (strcmp(form, "transpose") == 0) return value->rank > 1;
  if (strcmp(form, "reshape") == 0) return way == 0 ? value->rank > 1 : value->rank < 3;
  if (strcmp(form, "dot") == 0) return value->rank == 1 && is_alike;
  return has_two; /* the first dimension loses a place */
}

static void forms_apply_by_their_sizes(void **) {
  static const char *const forms[] = {"x - p1", "x + p1", "concatenate", "broadcast", "transpose",
      "reshape", "dot", "dynamic-slice", "window"};
  static const Array values[] = {{}, {.rank = 1, .sizes = {1}}, {.rank = 1, .sizes = {2}},
      {.rank = 1, .sizes = {48}}, {.rank = 1, .sizes = {49}}, {.rank = 2, .sizes = {1, 2}},
      {.rank = 2, .sizes = {2, 1}}, {.rank = 2, .sizes = {7, 7}}, {.rank = 2, .sizes = {24, 2}},
      {.rank = 3, .sizes = {1, 2, 2}}, {.rank = 3, .sizes = {2, 2, 2}}};
  static constexpr size_t count = sizeof values / sizeof *values;
  for (size_t form = 0; form < sizeof forms / sizeof *forms; form++)
    for (size_t at = 0; at < count; at++)
      for (size_t start = 0; start < count; start++)
        for (uint64_t way = 0; way < 3; way++) {
          GivenChoices given = choices_given(&way, 1);
          OperationChain chain = {.start = &values[start],
              .value = parameter_of(&values[at], 0),
              .choices = &given.choices};
          if (way == 2 && strcmp(forms[form], "concatenate") != 0) continue;
          graph_form_make(form_named(forms[form]), &chain);
          bool applies = form_applies(forms[form], way, &values[at], &values[start]);
          if (chain.is_illegal == applies)
            fail_msg("%s, %zu of %zu, way %d", forms[form], at, start, (int)way);
          assert_int_equal(chain.made, applies);
        }
}

/* A slice of all places but one, from the offset of the assignment, which is clamped. */
static void dynamic_slices_are_clamped(void **) {
  static const int64_t offsets[assignments] = {0, 1, 9};
  for (int64_t rows = 2; rows < 5; rows++)
    for (int64_t columns = 1; columns < 4; columns++) {
      Arena *arena = arena_create();
      Array start = {.rank = 2, .sizes = {rows, columns}};
      FormGraph graph = form_graph_begin(arena);
      form_graph_fill(&graph, &start);
      OperationChain chain = {.graph = &graph, .start = &start, .value = parameter_of(&start, 0)};
      const Array in = chain.value;
      graph_form_make(form_named("dynamic-slice"), &chain);
      assert_false(chain.is_illegal);
      assert_true(chain.value.sizes[0] == rows - 1 && chain.value.sizes[1] == columns);
      for (uint32_t a = 0; a < assignments; a++)
        for (int64_t i = 0; i < (rows - 1) * columns; i++)
          assert_true(chain.value.values[a][i] ==
                      in.values[a][i + (offsets[a] < 1 ? offsets[a] : 1) * columns]);
      assert_string_equal(form_line(arena, &graph),
          arena_printf(arena,
              "f32[%lld,%lld] dynamic-slice(%%p0, %%p2, %%c0), dynamic_slice_sizes={%lld,%lld}",
              (long long)rows - 1, (long long)columns, (long long)rows - 1, (long long)columns));
      arena_destroy(arena);
    }
}

static void must_be_distinct(const int64_t *values, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < i; k++) assert_true(values[i] != values[k]);
}

/* Assignments give every element of every parameter another number. Sums and differences of the two
 * parameters are distinct too, and so are the steps between neighbouring differences: the
 * differences are no linear function of the place. */
static void assigned_numbers_are_distinct(void **) {
  static constexpr uint32_t count = 35;
  const Array start = {.rank = 2, .sizes = {5, 7}}, other = parameter_of(&start, 1);
  const Array array = parameter_of(&start, 0);
  for (uint32_t a = 0; a < assignments; a++) {
    int64_t both[2 * count], sums[count], differences[count], steps[count - 1];
    for (uint32_t i = 0; i < count; i++) {
      both[i] = array.values[a][i];
      both[count + i] = other.values[a][i];
      sums[i] = both[i] + both[count + i];
      differences[i] = both[i] - both[count + i];
    }
    for (uint32_t i = 0; i + 1 < count; i++) steps[i] = differences[i + 1] - differences[i];
    must_be_distinct(both, 2 * count);
    must_be_distinct(sums, count);
    must_be_distinct(differences, count);
    must_be_distinct(steps, count - 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(forms_have_their_values_and_instructions),
      cmocka_unit_test(forms_apply_by_their_sizes), cmocka_unit_test(dynamic_slices_are_clamped),
      cmocka_unit_test(assigned_numbers_are_distinct)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
