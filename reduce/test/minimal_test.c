/* A reduction ends at the smallest text that shows the finding, from any start. The findings are
 * properties of parsed maps, of modules and of bytes whose smallest text is known. */
#include "core/base/test/length.h"
#include "reduce/reduce.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/expr/visit.h"
#include "core/hlo/read/read.h"
#include "core/map/text.h"
#include "core/base/choices.h"
#include "generate/decode.h"
#include "generate/general_map.h"

static Arena *arena;

typedef struct MapFinding MapFinding;
typedef bool IsInMap(const MapFinding *finding, const Map *map);
struct MapFinding {
  IsInMap *is_in;
  int64_t number, kind;
  const char *smallest;
  MapContext *context;
  MapPair pair;
};

static bool has_results(const MapFinding *finding, const Map *map) {
  return map->result_count >= finding->number;
}

static bool has_constraints(const MapFinding *finding, const Map *map) {
  return map->constraint_count >= finding->number;
}

static bool has_variables(const MapFinding *finding, const Map *map) {
  return map_kind_count(map, (VarKind)finding->kind) >= finding->number;
}

static bool has_upper_end(const MapFinding *finding, const Map *map) {
  for (uint32_t i = 0; i < map_kind_count(map, (VarKind)finding->kind); i++)
    if (map_variables(map, (VarKind)finding->kind)[i].bounds.hi >= finding->number) return true;
  return false;
}

static bool has_lower_end(const MapFinding *finding, const Map *map) {
  for (uint32_t i = 0; i < map_kind_count(map, (VarKind)finding->kind); i++)
    if (map_variables(map, (VarKind)finding->kind)[i].bounds.lo <= finding->number) return true;
  return false;
}

static bool has_wide_constraint(const MapFinding *finding, const Map *map) {
  for (uint32_t i = 0; i < map->constraint_count; i++) {
    Interval in = map->constraints[i].in;
    if ((uint64_t)in.hi - (uint64_t)in.lo >= (uint64_t)finding->number && in.lo <= in.hi)
      return true;
  }
  return false;
}

static bool expr_shows(const ExprPool *pool, Expr expr, const MapFinding *finding) {
  const ExprNode *node = expr_node(pool, expr);
  bool is_constant = node->op == EXPR_CONST;
  if ((int64_t)node->op == finding->kind)
    return is_constant ? node->value >= finding->number
                       : node->op != EXPR_VAR || node->var_kind == (VarKind)finding->number;
  return !is_constant && node->op != EXPR_VAR &&
         (expr_shows(pool, node->left, finding) || expr_shows(pool, node->right, finding));
}

static bool has_in_results(const MapFinding *finding, const Map *map) {
  for (uint32_t i = 0; i < map->result_count; i++)
    if (expr_shows(finding->context->pool, map->results[i], finding)) return true;
  return false;
}

static bool has_in_constraints(const MapFinding *finding, const Map *map) {
  for (uint32_t i = 0; i < map->constraint_count; i++)
    if (expr_shows(finding->context->pool, map->constraints[i].expr, finding)) return true;
  return false;
}

static const Map *finding_map(MapContext *context, const char *text, size_t length) {
  Source source = {.name = "map",
      .text = arena_text(context->arena, text, length),
      .length = length,
      .first_line = 1};
  const Map *map;
  Error error = {};
  return map_parse(context, &source, &map, &error) ? map : nullptr;
}

/* Of a pair each map shows it; in a chain the maps fit each other. */
static bool map_shows(void *state, const char *text, size_t length) {
  const MapFinding *finding = state;
  MapMark mark = map_context_mark(finding->context);
  const char *between = strstr(text, " ; ");
  assert_int_equal(between != nullptr, finding->pair != PAIR_NONE);
  size_t first = between == nullptr ? length : (size_t)(between - text);
  const Map *maps[] = {finding_map(finding->context, text, first),
      between == nullptr ? nullptr
                         : finding_map(finding->context, between + 3, length - first - 3)};
  bool shows = maps[0] != nullptr && finding->is_in(finding, maps[0]);
  if (between != nullptr) shows = shows && maps[1] != nullptr && finding->is_in(finding, maps[1]);
  if (shows && finding->pair == PAIR_CHAIN) shows = maps[0]->result_count == maps[1]->dim_count;
  map_context_rewind(finding->context, mark);
  return shows;
}

static constexpr int64_t two_to_40 = INT64_C(1) << 40;

static const MapFinding map_findings[] = {
    {.is_in = has_results, .number = 1, .smallest = "() -> (0)"},
    {.is_in = has_results, .number = 2, .smallest = "() -> (0, 0)"},
    {.is_in = has_constraints, .number = 1, .smallest = "() -> (), domain: 0 in [0, 0]"},
    {.is_in = has_constraints,
        .number = 2,
        .smallest = "() -> (), domain: 0 in [0, 0], 0 in [0, 0]"},
    {.is_in = has_variables,
        .number = 1,
        .kind = VAR_DIM,
        .smallest = "(d0) -> (), domain: d0 in [0, 0]"},
    {.is_in = has_variables,
        .number = 2,
        .kind = VAR_DIM,
        .smallest = "(d0, d1) -> (), domain: d0 in [0, 0], d1 in [0, 0]"},
    {.is_in = has_variables,
        .number = 1,
        .kind = VAR_RANGE,
        .smallest = "()[s0] -> (), domain: s0 in [0, 0]"},
    {.is_in = has_variables,
        .number = 1,
        .kind = VAR_RUNTIME,
        .smallest = "(){rt0} -> (), domain: rt0 in [0, 0]"},
    {.is_in = has_upper_end,
        .number = 5,
        .kind = VAR_DIM,
        .smallest = "(d0) -> (), domain: d0 in [0, 5]"},
    {.is_in = has_upper_end,
        .number = 3,
        .kind = VAR_RANGE,
        .smallest = "()[s0] -> (), domain: s0 in [0, 3]"},
    {.is_in = has_upper_end,
        .number = two_to_40 + 12345,
        .kind = VAR_DIM,
        .smallest = "(d0) -> (), domain: d0 in [0, 1099511640121]"},
    {.is_in = has_upper_end,
        .number = INT64_MAX,
        .kind = VAR_RUNTIME,
        .smallest = "(){rt0} -> (), domain: rt0 in [0, 9223372036854775807]"},
    {.is_in = has_lower_end,
        .number = -2,
        .kind = VAR_DIM,
        .smallest = "(d0) -> (), domain: d0 in [-2, -2]"},
    {.is_in = has_wide_constraint, .number = 3, .smallest = "() -> (), domain: 0 in [0, 3]"},
    {.is_in = has_in_results,
        .kind = EXPR_VAR,
        .number = VAR_DIM,
        .smallest = "(d0) -> (d0), domain: d0 in [0, 0]"},
    {.is_in = has_in_results, .kind = EXPR_ADD, .smallest = "() -> (0 + 0)"},
    {.is_in = has_in_results, .kind = EXPR_MUL, .smallest = "() -> (0 * 0)"},
    {.is_in = has_in_results, .kind = EXPR_FLOORDIV, .smallest = "() -> (0 floordiv 1)"},
    {.is_in = has_in_results, .kind = EXPR_MOD, .smallest = "() -> (0 mod 1)"},
    {.is_in = has_in_constraints,
        .kind = EXPR_MOD,
        .smallest = "() -> (), domain: 0 mod 1 in [0, 0]"},
    {.is_in = has_in_results, .kind = EXPR_CONST, .number = 2, .smallest = "() -> (2)"},
    {.is_in = has_in_results, .kind = EXPR_CONST, .number = 37, .smallest = "() -> (37)"},
    {.is_in = has_in_constraints,
        .kind = EXPR_CONST,
        .number = 5,
        .smallest = "() -> (), domain: 5 in [0, 0]"},
};

/* In alike maps an expression changes wherever it occurs, and numbers are not edited alone. */
static const MapFinding alike_findings[] = {
    {.is_in = has_results, .number = 2, .smallest = "() -> (0, 0)"},
    {.is_in = has_constraints, .number = 1, .smallest = "() -> (), domain: 0 in [0, 0]"},
    {.is_in = has_variables,
        .number = 1,
        .kind = VAR_RANGE,
        .smallest = "()[s0] -> (), domain: s0 in [0, 0]"},
    {.is_in = has_lower_end,
        .number = -2,
        .kind = VAR_DIM,
        .smallest = "(d0) -> (), domain: d0 in [-2, -2]"},
    {.is_in = has_in_results, .kind = EXPR_ADD, .smallest = "() -> (0 + 0)"},
    {.is_in = has_in_constraints,
        .kind = EXPR_MUL,
        .smallest = "() -> (), domain: 0 * 0 in [0, 0]"},
};

static const MapFinding chain_findings[] = {
    {.is_in = has_results,
        .number = 1,
        .smallest = "() -> (0) ; (d0) -> (0), domain: d0 in [0, 0]"},
    {.is_in = has_constraints,
        .number = 1,
        .smallest = "() -> (), domain: 0 in [0, 0] ; () -> (), domain: 0 in [0, 0]"},
    {.is_in = has_variables,
        .number = 1,
        .kind = VAR_RANGE,
        .smallest = "()[s0] -> (), domain: s0 in [0, 0] ; ()[s0] -> (), domain: s0 in [0, 0]"},
    {.is_in = has_in_results,
        .kind = EXPR_ADD,
        .smallest = "() -> (0 + 0) ; (d0) -> (0 + 0), domain: d0 in [0, 0]"},
};

static const char *random_map(MapContext *context, uint64_t seed) {
  RandomChoices choices = choices_of_seed(seed);
  Text text = text_create(arena);
  map_print(&text, context, generate_general_map(context, &choices.choices), MAP_STYLE_LINE);
  return text.bytes;
}

static const char *random_start(const MapFinding *finding, uint64_t seed) {
  const char *text = random_map(finding->context, seed);
  if (finding->pair == PAIR_NONE) return text;
  const char *second =
      finding->pair == PAIR_ALIKE ? text : random_map(finding->context, seed + 1'000'000);
  return arena_printf(arena, "%s ; %s", text, second);
}

static bool reduce_finding(const MapFinding *row, uint64_t seed, MapPair pair) {
  MapFinding finding = *row;
  finding.context = map_context_create();
  finding.pair = pair;
  Reduction reduction = {.still_shows = map_shows, .state = &finding, .most_trials = 5000};
  const char *text = random_start(&finding, seed), *smallest, *wanted = finding.smallest;
  if (pair == PAIR_ALIKE) wanted = arena_printf(arena, "%s ; %s", wanted, wanted);
  bool shows = reduce_maps(arena, finding.context, &reduction, pair, text, &smallest);
  if (shows && strcmp(smallest, wanted) != 0)
    fail_msg("%s\nbecame %s\nnot    %s", text, smallest, wanted);
  if (shows) assert_in_range(reduction.trials, 1, 4999);
  assert_false(shows && reduction.is_cut);
  reduction.most_trials = 3;
  if (shows && strlen(text) > 4 * strlen(wanted)) {
    assert_true(reduce_maps(arena, finding.context, &reduction, pair, text, &smallest));
    assert_true(reduction.is_cut);
  }
  map_context_destroy(finding.context);
  return shows;
}

static void reduce_each(const MapFinding *findings, size_t count, MapPair pair) {
  for (size_t i = 0; i < count; i++) {
    uint32_t shown = 0;
    for (uint64_t seed = 0; seed < 2000 && shown < test_length(12, 12, 4); seed++)
      shown += reduce_finding(&findings[i], seed, pair);
    if (shown < 3) fail_msg("%u starts for %s", shown, findings[i].smallest);
  }
}

static void a_map_becomes_the_smallest(void **) {
  reduce_each(map_findings, sizeof map_findings / sizeof *map_findings, PAIR_NONE);
}

static void alike_maps_become_the_smallest(void **) {
  reduce_each(alike_findings, sizeof alike_findings / sizeof *alike_findings, PAIR_ALIKE);
}

static void a_chain_becomes_the_smallest(void **) {
  reduce_each(chain_findings, sizeof chain_findings / sizeof *chain_findings, PAIR_CHAIN);
}

typedef struct TextFinding {
  const char *letters; /* in this order, with anything between them */
  int64_t number;      /* or a number of at least this */
} TextFinding;

static bool text_shows(void *state, const char *text, size_t length) {
  const TextFinding *finding = state;
  if (finding->letters != nullptr) {
    const char *wanted = finding->letters;
    for (size_t i = 0; i < length && *wanted != 0; i++) wanted += text[i] == *wanted;
    return *wanted == 0;
  }
  for (size_t i = 0; i < length; i++)
    if (strtoll(text + i, nullptr, 10) >= finding->number) return true;
  return false;
}

static const char *random_text(Choices *choices) {
  static const char *const words[] = {
      "alpha", "beta", "gamma ray", "0", "17", "99999", "{", "}", "\n", "\n", " = ", "\"x y\""};
  Text text = text_create(arena);
  for (uint64_t i = 20 + choose(choices, 200); i > 0; i--)
    text_string(&text, words[choose(choices, sizeof words / sizeof *words)]);
  return text.bytes;
}

static void a_text_becomes_the_smallest(void **) {
  static const struct {
    TextFinding finding;
    const char *smallest;
  } rows[] = {{{.letters = "gab"}, "gab"}, {{.letters = "{\n}"}, "{\n}"}, {{.letters = "a"}, "a"},
      {{.letters = "hhtt"}, "hhtt"}, {{.number = 18}, "18"}, {{.number = 4567}, "4567"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    for (uint64_t seed = 0; seed < 10; seed++) {
      RandomChoices choices = choices_of_seed(seed);
      TextFinding finding = rows[i].finding;
      Reduction reduction = {.still_shows = text_shows, .state = &finding, .most_trials = 20000};
      const char *text = random_text(&choices.choices), *smallest;
      size_t length = strlen(text);
      if (!reduce_text(arena, &reduction, text, &length, &smallest)) continue;
      assert_string_equal(smallest, rows[i].smallest);
      assert_int_equal(length, strlen(smallest));
      assert_false(reduction.is_cut);
      reduction.most_trials = 2;
      length = strlen(text);
      if (length < 3 * strlen(rows[i].smallest)) continue;
      assert_true(reduce_text(arena, &reduction, text, &length, &smallest));
      assert_true(reduction.is_cut);
    }
  }
}

typedef struct ModuleFinding {
  Opcode opcode;
  Arena *scratch;
} ModuleFinding;

static const Module *module_of(Arena *scratch, const char *text, size_t length) {
  Source *source = ARENA_NEW(scratch, Source, 1);
  *source = (Source){.name = "m", .text = text, .length = length, .first_line = 1};
  const Module *module;
  Error error = {};
  return hlo_read(scratch, source, &module, &error) ? module : nullptr;
}

static const Instruction *instruction_of(const Module *module, Opcode opcode) {
  for (uint32_t c = 0; c < module->computation_count; c++)
    for (uint32_t i = 0; i < module->computations[c]->instruction_count; i++)
      if (module->computations[c]->instructions[i]->opcode == opcode)
        return module->computations[c]->instructions[i];
  return nullptr;
}

static bool module_shows(void *state, const char *text, size_t length) {
  const ModuleFinding *finding = state;
  ArenaMark mark = arena_mark(finding->scratch);
  const Module *module = module_of(finding->scratch, text, length);
  bool shows = module != nullptr && instruction_of(module, finding->opcode) != nullptr;
  arena_rewind(finding->scratch, mark);
  return shows;
}

/* What an instruction needs beside parameters and what it calls. */
static uint32_t needed(Opcode opcode) {
  return opcode == HLO_ASYNC_UPDATE || opcode == HLO_ASYNC_DONE ? 1 : 0;
}

static bool reduce_opcode(ModuleFinding *finding, const char *text) {
  Reduction reduction = {.still_shows = module_shows, .state = finding, .most_trials = 5000};
  const char *smallest, *again;
  if (!reduce_hlo(arena, &reduction, text, &smallest)) return false;
  const Module *module = module_of(arena, smallest, strlen(smallest));
  const Instruction *found = instruction_of(module, finding->opcode);
  uint32_t others = found->parent->instruction_count - found->parent->parameter_count - 1;
  if (finding->opcode == HLO_PARAMETER) others++;
  if (others > needed(finding->opcode) ||
      module->computation_count > 1 + found->called_count + needed(finding->opcode))
    fail_msg("%s\nbecame %s", text, smallest);
  assert_int_not_equal(reduction.trials, reduction.most_trials);
  assert_false(reduction.is_cut);
  assert_true(reduce_hlo(arena, &reduction, smallest, &again));
  if (strcmp(again, smallest) != 0) fail_msg("%s\nbecame %s", smallest, again);
  return true;
}

/* Without its reshape the offset is an index vector, which the reader splits into scalars. */
static void an_offset_does_not_become_a_vector(void **) {
  static const char text[] =
      "HloModule m\nENTRY e {\n p = s32[1] parameter(0)\n v = s32[5] iota(), iota_dimension=0\n"
      " w = s32[1] slice(v), slice={[3:4]}\n i = s32[] reshape(w)\n"
      " ROOT d = s32[1] dynamic-slice(p, i), dynamic_slice_sizes={1}\n}\n";
  ModuleFinding finding = {.opcode = HLO_DYNAMIC_SLICE, .scratch = arena_create()};
  assert_true(reduce_opcode(&finding, text));
  arena_destroy(finding.scratch);
}

/* The finding: the instruction has more than one element. */
static bool several_show(void *state, const char *text, size_t length) {
  const ModuleFinding *finding = state;
  ArenaMark mark = arena_mark(finding->scratch);
  const Module *module = module_of(finding->scratch, text, length);
  const Instruction *found = module == nullptr ? nullptr : instruction_of(module, finding->opcode);
  bool shows = found != nullptr && shape_elements(found->shape) > 1;
  arena_rewind(finding->scratch, mark);
  return shows;
}

/* Numbers that only fit together: limit, stride and shape of a slice, both shapes of a reshape. */
static void numbers_shrink_together(void **) {
  static const struct {
    Opcode opcode;
    const char *from, *to, *smallest;
  } rows[] = {
      {HLO_SLICE, "s8[10,9]", "s8[3,4] slice(p), slice={[1:9:3],[0:8:2]}",
          "  %p = s8[1,2] parameter(0)\n"
          "  ROOT %r = s8[1,2] slice(%p), slice={[0:1:1], [0:2:1]}\n"},
      {HLO_RESHAPE, "f32[125,75]", "f32[9375] reshape(p)",
          "  %p = f32[1,2] parameter(0)\n  ROOT %r = f32[2] reshape(%p)\n"},
      {HLO_RESHAPE, "f32[21,10,11]", "f32[14,165] reshape(p)",
          "  %p = f32[1,1,2] parameter(0)\n  ROOT %r = f32[1,2] reshape(%p)\n"},
  };
  Arena *scratch = arena_create();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    ModuleFinding finding = {.opcode = rows[i].opcode, .scratch = scratch};
    Reduction reduction = {.still_shows = several_show, .state = &finding, .most_trials = 5000};
    const char *smallest, *text = arena_printf(arena,
                              "HloModule m\nENTRY e {\n p = %s parameter(0)\n ROOT r = %s\n}\n",
                              rows[i].from, rows[i].to);
    assert_true(reduce_hlo(arena, &reduction, text, &smallest));
    if (strstr(smallest, rows[i].smallest) == nullptr) fail_msg("%s became %s", text, smallest);
  }
  arena_destroy(scratch);
}

static void a_module_becomes_one_instruction(void **) {
  ModuleFinding finding = {.scratch = arena_create()};
  uint32_t shown = 0;
  const uint32_t seeds = test_length(8, 8, 4);
  for (uint64_t seed = 0; seed < seeds; seed++) {
    RandomChoices choices = choices_of_seed(seed);
    uint8_t bytes[200];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)choose(&choices.choices, 256);
    size_t length;
    const char *text = fuzz_decode_graph(arena, bytes, sizeof bytes, &length);
    for (uint32_t opcode = 0; opcode < opcode_count; opcode++) {
      finding.opcode = (Opcode)opcode;
      shown += reduce_opcode(&finding, text);
    }
  }
  assert_in_range(shown, 5 * seeds, UINT32_MAX);
  arena_destroy(finding.scratch);
}

int main(void) {
  arena = arena_create();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_map_becomes_the_smallest),
      cmocka_unit_test(alike_maps_become_the_smallest),
      cmocka_unit_test(a_chain_becomes_the_smallest),
      cmocka_unit_test(a_text_becomes_the_smallest),
      cmocka_unit_test(an_offset_does_not_become_a_vector),
      cmocka_unit_test(numbers_shrink_together),
      cmocka_unit_test(a_module_becomes_one_instruction),
  };
  int failed = cmocka_run_group_tests(tests, nullptr, nullptr);
  arena_destroy(arena);
  return failed;
}
