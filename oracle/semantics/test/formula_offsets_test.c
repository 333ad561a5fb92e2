/* Gathers, scatters_of_constants, and slices and updates at offsets: first with constant indices,
 * then with an index that is a parameter, against a chain of selections between the results for
 * each of its values. */
#include "core/hlo/test/formula_offsets.h"
#include "oracle/semantics/test/formula.h"

static void gathers_of_constants(void **state) { (void)state, formula_rounds(draw_gather, 600); }
static void scatters_of_constants(void **state) { (void)state, formula_rounds(draw_scatter, 600); }
static void slices_at_offsets(void **state) {
  (void)state, formula_rounds(draw_dynamic_slice, 200);
}
static void updates_at_offsets(void **state) {
  (void)state, formula_rounds(draw_dynamic_update, 200);
}

/* --- an index that is a parameter --- */

static constexpr int64_t most_index = 6; /* past every size */

/* The operation, with the operand as the parameter. */
static const char *asked_module(
    OracleFixture *bench, const DrawnFormula *formula, uint32_t operand) {
  const char *module = formula_module(bench, formula);
  const char *line = strstr(module, arena_printf(bench->arena, "c%u = ", operand));
  const char *literal = strstr(line, " constant("), *rest = strchr(line, '\n');
  return arena_printf(bench->arena, "%.*s parameter(0)%s", (int)(literal - module), module, rest);
}

/* One selection: the results for this value of the index, or those for larger ones. */
static void print_selection(OracleFixture *bench, Text *text, const DrawnFormula *formula,
    int64_t value, const char *type, const char *root) {
  Text shape = text_create(bench->arena);
  tensor_print_type(&shape, &formula->output);
  tensor_print(text, arena_printf(bench->arena, "t%lld", (long long)value + 9), &formula->output);
  text_printf(text,
      "k%lld = %s[] constant(%lld)\nb%lld = pred[] compare(i, k%lld), direction=LE\n"
      "w%lld = pred%s broadcast(b%lld), dimensions={}\n%ss%lld = %s select(w%lld, t%lld, s%lld)\n",
      (long long)value + 9, type, (long long)value, (long long)value + 9, (long long)value + 9,
      (long long)value + 9, shape.bytes + 3, (long long)value + 9, root, (long long)value + 9,
      shape.bytes, (long long)value + 9, (long long)value + 9, (long long)value + 10);
}

/* The results for each value of the index, as a chain; at `wrong` one element is changed. */
static const char *chain_module(
    OracleFixture *bench, DrawnFormula *formula, uint32_t operand, int64_t least, int64_t wrong) {
  Text text = text_create(bench->arena);
  FormulaTensor *index = &formula->operands[operand];
  const char *type = index->type == nullptr ? "s32" : index->type;
  text_string(&text, "HloModule m\nENTRY e {\np = ");
  tensor_print_type(&text, index);
  text_printf(&text, " parameter(0)\ni = %s[] reshape(p)\n", type);
  for (int64_t value = most_index; value >= least; value--) {
    Text reads[formula_operands];
    for (uint32_t i = 0; i < formula_operands; i++) reads[i] = text_create(bench->arena);
    index->values[0] = value;
    formula_evaluate(formula, reads);
    if (value == wrong) formula->output.values[formula_below(formula, formula->output.count)]++;
    if (value == most_index)
      tensor_print(
          &text, arena_printf(bench->arena, "s%lld", (long long)value + 9), &formula->output);
    else print_selection(bench, &text, formula, value, type, value == least ? "ROOT " : "");
  }
  text_string(&text, "}\n");
  return text.bytes;
}

/* An operand with one element that is an index: of a slice or update a random offset. */
static bool find_index(DrawnFormula *formula, uint32_t *operand) {
  bool is_row = strcmp(formula->opcode, "gather") == 0 || strcmp(formula->opcode, "scatter") == 0;
  uint32_t first = strcmp(formula->opcode, "dynamic-update-slice") == 0 ? 2 : 1;
  *operand = is_row ? 1 : first + (uint32_t)formula_below(formula, formula->operand_count - first);
  return formula->operands[*operand].count == 1;
}

static void give_types(DrawnFormula *formula, uint32_t first, const char *type, int64_t least) {
  bool is_scatter = strcmp(formula->opcode, "scatter") == 0;
  uint32_t end = is_scatter ? 2 : formula->operand_count;
  for (uint32_t i = first; i < end; i++) {
    formula->operands[i].type = type;
    if (formula->operands[i].values[0] < least) formula->operands[i].values[0] = least;
  }
}

static bool check_index(OracleFixture *bench, DrawnFormula *formula) {
  static const char *const types[] = {"s32", "u32", "s8", "u8", "s64", "u64", "s16", "u16"};
  static const int element_bits[] = {32, 32, 8, 8, 64, 64, 16, 16};
  uint32_t operand, type = (uint32_t)formula_below(formula, 8);
  int64_t least = type % 2 == 0 ? -2 : 0;
  if (!find_index(formula, &operand)) return false;
  give_types(
      formula, strcmp(formula->opcode, "dynamic-update-slice") == 0 ? 2 : 1, types[type], least);
  int64_t none = most_index + 1, wrong = formula_between(formula, least, most_index - 1);
  const char *module = asked_module(bench, formula, operand);
  check_modules(bench, module, chain_module(bench, formula, operand, least, none), REASON_EXACT);
  const char *other = chain_module(bench, formula, operand, least, wrong);
  bool is_tried = wrong >= 0 && element_bits[type] >= 32; /* each offset from 0 to 15 */
  if (is_tried) check_modules(bench, module, other, REASON_DIFFERENT);
  else assert_false(has_answer(bench, module, other, REASON_EXACT));
  return true;
}

static void index_rounds(DrawFormula *draw, uint32_t rounds) {
  formula_rounds_with(draw, check_index, rounds);
}

static void gathers_at_a_parameter(void **state) { (void)state, index_rounds(draw_gather, 100); }
static void scatters_at_a_parameter(void **state) { (void)state, index_rounds(draw_scatter, 100); }
static void slices_at_a_parameter(void **state) {
  (void)state, index_rounds(draw_dynamic_slice, 100);
}
static void updates_at_a_parameter(void **state) {
  (void)state, index_rounds(draw_dynamic_update, 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gathers_of_constants),
      cmocka_unit_test(scatters_of_constants),
      cmocka_unit_test(slices_at_offsets),
      cmocka_unit_test(updates_at_offsets),
      cmocka_unit_test(gathers_at_a_parameter),
      cmocka_unit_test(scatters_at_a_parameter),
      cmocka_unit_test(slices_at_a_parameter),
      cmocka_unit_test(updates_at_a_parameter),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
