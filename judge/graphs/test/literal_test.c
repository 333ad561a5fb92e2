/* Literal equality of random small graphs, against the definition: each needed instruction of the
 * first graph has one twin of the same kind in the second, and the operands' twins are the twin's
 * operands. All choices of twins are tried. */
#include "judge/graphs/equiv_literal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/text.h"
#include "core/hlo/read/read.h"

static uint64_t state_of_literals = 5;

static uint32_t literal_below(uint32_t end) {
  state_of_literals =
      state_of_literals * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state_of_literals >> 33) % end;
}

/* ---- graphs ---- */

static constexpr uint32_t most_nodes = 9, parameters = 2;

/* What instructions may differ in: opcode, attributes, called computations, literals. Kinds of one
 * meaning are literally the same. */
static const struct {
  uint32_t meaning;
  const char *before, *after; /* the text around the operands */
  uint32_t operands;
  bool is_opaque;
} literal_kinds[] = {
    {0, "add(", ")", 2, false},
    {1, "subtract(", ")", 2, false},
    {2, "reverse(", "), dimensions={0}", 1, false},
    {3, "reverse(", "), dimensions={}", 1, false},
    {4, "custom-call(", "), custom_call_target=\"t\"", 1, true},
    {5, "custom-call(", "), custom_call_target=\"u\"", 1, true},
    {6, "rng(z, l", "), distribution=rng_uniform", 0, true},
    {7, "map(", "), dimensions={0}, to_apply=f", 1, false},
    {7, "map(", "), dimensions={0}, to_apply=renamed", 1, false},
    {8, "map(", "), dimensions={0}, to_apply=longer", 1, false},
    {9, "map(", "), dimensions={0}, to_apply=other", 1, false},
    {10, "constant({1, 2", "})", 0, false},
    {11, "constant({2, 1", "})", 0, false},
    {0, "add(", "), metadata={op_name=\"n\"}", 2, false},
    {12, "constant({...", "})", 0, false}, /* equals nothing */
};
static constexpr uint32_t kind_count = sizeof literal_kinds / sizeof *literal_kinds, elided = 12;

static const char functions_text[] =
    "f {\na = f32[] parameter(0)\nROOT r = f32[] negate(a)\n}\n"
    "renamed {\nb = f32[] parameter(0)\nROOT s = f32[] negate(b)\n}\n"
    "other {\na = f32[] parameter(0)\nROOT r = f32[] abs(a)\n}\n"
    "longer {\na = f32[] parameter(0)\nROOT r = f32[] negate(a)\nc = f32[] abs(a)\n}\n";

typedef struct LiteralNode {
  uint32_t kind, operands[2];
} LiteralNode;

/* The nodes after the parameters; `roots` are the elements of the root, a tuple. */
typedef struct LiteralGraph {
  uint32_t count, roots[2];
  LiteralNode nodes[most_nodes];
} LiteralGraph;

static LiteralNode draw_node(uint32_t below) {
  uint32_t kind = literal_below(2) == 0 ? literal_below(kind_count) : literal_below(5);
  return (LiteralNode){kind, {literal_below(below), literal_below(below)}};
}

static LiteralGraph draw_graph(void) {
  LiteralGraph graph = {.count = 4};
  for (uint32_t i = 0; i < graph.count; i++) graph.nodes[i] = draw_node(parameters + i);
  for (uint32_t i = 0; i < 2; i++) graph.roots[i] = parameters + graph.count - 1 - literal_below(2);
  return graph;
}

/* Moves uses of one number to another, each or some. */
static void move_uses(LiteralGraph *graph, uint32_t from, uint32_t to, bool all) {
  for (uint32_t i = 0; i < graph->count; i++)
    for (uint32_t k = 0; k < 2; k++)
      if (graph->nodes[i].operands[k] == from && parameters + i > to &&
          (all || literal_below(2) == 0))
        graph->nodes[i].operands[k] = to;
  for (uint32_t k = 0; k < 2; k++)
    if (graph->roots[k] == from && (all || literal_below(2) == 0)) graph->roots[k] = to;
}

/* Appends a copy of a node in the place after it, which some uses take. */
static void repeat_node(LiteralGraph *graph, uint32_t at) {
  for (uint32_t i = graph->count; i > at + 1; i--) graph->nodes[i] = graph->nodes[i - 1];
  graph->nodes[at + 1] = graph->nodes[at];
  graph->count++;
  for (uint32_t i = at + 2; i < graph->count; i++)
    for (uint32_t k = 0; k < 2; k++)
      graph->nodes[i].operands[k] += graph->nodes[i].operands[k] > parameters + at;
  for (uint32_t k = 0; k < 2; k++) graph->roots[k] += graph->roots[k] > parameters + at;
  move_uses(graph, parameters + at, parameters + at + 1, false);
}

static void share_nodes(LiteralGraph *graph) {
  for (uint32_t i = 0; i < graph->count; i++)
    for (uint32_t k = 0; k < i; k++)
      if (memcmp(&graph->nodes[i], &graph->nodes[k], sizeof *graph->nodes) == 0)
        move_uses(graph, parameters + i, parameters + k, true);
}

static void change_graph(LiteralGraph *graph) {
  uint32_t at = literal_below(graph->count);
  uint32_t kind = graph->nodes[at].kind;
  switch (literal_below(6)) {
    case 0: graph->nodes[at] = draw_node(parameters + at); break;
    case 1: graph->nodes[at].operands[literal_below(2)] = literal_below(parameters + at); break;
    case 2: share_nodes(graph); break;
    case 3: graph->roots[0] = graph->roots[1]; break;
    case 4: /* a neighbour with as many operands */
      if (kind + 1 < kind_count && literal_kinds[kind + 1].operands == literal_kinds[kind].operands)
        graph->nodes[at].kind++;
      break;
    default:
      if (graph->count < most_nodes) repeat_node(graph, at);
      break;
  }
}

static const Computation *literal_entry(Arena *arena, const LiteralGraph *graph, char letter) {
  Text text = text_create(arena);
  text_printf(&text, "HloModule m\n%sENTRY e {\n", functions_text);
  text_printf(&text, "%c0 = f32[2] parameter(0)\n%c1 = f32[2] parameter(1)\n", letter, letter);
  text_string(&text, "z = f32[] constant(0)\nl = f32[] constant(1)\n");
  for (uint32_t i = 0; i < graph->count; i++) {
    const LiteralNode *node = &graph->nodes[i];
    text_printf(
        &text, "%c%u = f32[2] %s", letter, parameters + i, literal_kinds[node->kind].before);
    for (uint32_t k = 0; k < literal_kinds[node->kind].operands; k++)
      text_printf(&text, "%s%c%u", k == 0 ? "" : ", ", letter, node->operands[k]);
    text_printf(&text, "%s\n", literal_kinds[node->kind].after);
  }
  text_printf(&text, "ROOT t = (f32[2], f32[2]) tuple(%c%u, %c%u)\n}\n", letter, graph->roots[0],
      letter, graph->roots[1]);
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = (Source){.name = "test", .text = text.bytes, .length = text.length, .first_line = 1};
  const Module *module = nullptr;
  Error error = {};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s\n%s", text.bytes, error.message);
  return module->entry;
}

/* ---- the definition ---- */

static void mark_needed(const LiteralGraph *graph, uint32_t at, bool *needed) {
  needed[at] = true;
  if (at < parameters) return;
  const LiteralNode *node = &graph->nodes[at - parameters];
  for (uint32_t k = 0; k < literal_kinds[node->kind].operands; k++)
    mark_needed(graph, node->operands[k], needed);
}

static bool may_be_twins(const LiteralNode *a, const LiteralNode *b, const uint32_t *twins) {
  uint32_t meaning = literal_kinds[a->kind].meaning;
  if (meaning != literal_kinds[b->kind].meaning || meaning == elided) return false;
  for (uint32_t k = 0; k < literal_kinds[a->kind].operands; k++)
    if (twins[a->operands[k]] != b->operands[k]) return false;
  return true;
}

/* Tries all twins of the nodes from `at` on. */
static bool has_twins(const LiteralGraph *before, const LiteralGraph *after, const bool *needed,
    uint32_t leaf, uint32_t at, uint32_t *twins) {
  if (at == parameters + before->count) return twins[before->roots[leaf]] == after->roots[leaf];
  if (at < parameters || !needed[at]) {
    twins[at] = at;
    return has_twins(before, after, needed, leaf, at + 1, twins);
  }
  for (uint32_t i = 0; i < after->count; i++) {
    twins[at] = parameters + i;
    if (may_be_twins(&before->nodes[at - parameters], &after->nodes[i], twins) &&
        has_twins(before, after, needed, leaf, at + 1, twins))
      return true;
  }
  return false;
}

static EquivLiteral literal_by_definition(
    const LiteralGraph *before, const LiteralGraph *after, uint32_t leaf) {
  bool needed[parameters + most_nodes] = {}, is_opaque = false;
  uint32_t twins[parameters + most_nodes] = {};
  mark_needed(before, before->roots[leaf], needed);
  if (!has_twins(before, after, needed, leaf, 0, twins)) return LITERAL_NO;
  for (uint32_t i = 0; i < before->count; i++)
    is_opaque |= needed[parameters + i] && literal_kinds[before->nodes[i].kind].is_opaque;
  return is_opaque ? LITERAL_UNDEFINED : LITERAL_YES;
}

static void each_needed_instruction_has_one_twin(void **) {
  uint32_t counts[3] = {};
  for (uint32_t round = 0; round < 1500; round++) {
    Arena *arena = arena_create();
    LiteralGraph before = draw_graph(), after;
    if (literal_below(3) == 0) repeat_node(&before, literal_below(before.count));
    after = before;
    for (uint32_t changes = literal_below(3); changes > 0; changes--) change_graph(&after);
    const Computation *graphs[] = {
        literal_entry(arena, &before, 'x'), literal_entry(arena, &after, 'y')};
    for (uint32_t leaf = 0; leaf < 2; leaf++) {
      EquivLiteral wanted = literal_by_definition(&before, &after, leaf),
                   found = equiv_literal(arena, graphs[0], graphs[1], leaf);
      if (found != wanted) fail_msg("round %u, leaf %u: %u, not %u", round, leaf, found, wanted);
      counts[wanted]++;
    }
    arena_destroy(arena);
  }
  for (uint32_t i = 0; i < 3; i++) assert_true(counts[i] > 300);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_needed_instruction_has_one_twin),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
