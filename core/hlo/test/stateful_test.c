/* Stateful operations of random modules, against definitions that follow every path of calls: how
 * often a computation runs, in which order the operations stand, and which of them are of one kind.
 * Also the names in lists of control predecessors. */
#include "core/hlo/stateful.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "core/base/test/length.h"
#include "core/hlo/attribute.h"
#include "core/hlo/read/from_text.h"

static constexpr uint32_t most_computations = 9, most_listed = 64;

static uint64_t draw_state;

static uint32_t draw_below(uint32_t limit) {
  draw_state = draw_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)((draw_state >> 33) % limit);
}

/* Appends operations that compute v<i> from v<i-1>; those that call take one of the computations
 * f0 to f<callees - 1>. */
static void random_step(Text *text, uint32_t i, uint32_t callees) {
  uint32_t kind = draw_below(callees == 0 ? 7 : 14), a = callees == 0 ? 0 : draw_below(callees),
           b = callees == 0 ? 0 : draw_below(callees), channel = 1 + draw_below(2);
  const char *effect = draw_below(2) == 0 ? ", custom_call_has_side_effect=true" : "";
  switch (kind) {
    case 0:
    case 1:
      text_printf(text, "v%u = f32[] rng(v%u, v%u), distribution=rng_uniform\n", i, i - 1, i - 1);
      return;
    case 2:
    case 3:
      text_printf(text, "v%u = f32[] custom-call(v%u), custom_call_target=\"%s\"%s\n", i, i - 1,
          channel == 1 ? "A" : "B", effect);
      return;
    case 4:
      text_printf(text,
          "t%u = token[] after-all()\nr%u = (f32[], u32[], token[]) recv(t%u), channel_id=%u\n"
          "d%u = (f32[], token[]) recv-done(r%u), channel_id=%u\n"
          "v%u = f32[] get-tuple-element(d%u), index=0\n",
          i, i, i, channel, i, i, channel, i, i);
      return;
    case 5:
      text_printf(text, "s%u = u64[2] rng-get-and-update-state(), delta=%u\nv%u = f32[] abs(v%u)\n",
          i, channel, i, i - 1);
      return;
    case 6: text_printf(text, "v%u = f32[] negate(v%u)\n", i, i - 1); return;
    case 7:
    case 8: text_printf(text, "v%u = f32[] call(v%u), to_apply=f%u\n", i, i - 1, a); return;
    case 9:
      text_printf(text, "v%u = f32[] fusion(v%u), kind=kLoop, calls=f%u\n", i, i - 1, a);
      return;
    case 10:
      text_printf(text, "v%u = f32[] while(v%u), condition=yes, body=f%u\n", i, i - 1, a);
      return;
    case 11:
      text_printf(text, "v%u = f32[] map(v%u), dimensions={}, to_apply=f%u\n", i, i - 1, a);
      return;
    case 12:
      text_printf(text,
          "c%u = pred[] constant(true)\nv%u = f32[] conditional(c%u, v%u, v%u), "
          "true_computation=f%u, false_computation=f%u\n",
          i, i, i, i - 1, i - 1, a, b);
      return;
    default:
      text_printf(text,
          "a%u = ((f32[]), f32[], s32[]) async-start(v%u), calls=f%u\n"
          "v%u = f32[] async-done(a%u), calls=f%u\n",
          i, i - 1, a, i, i, a);
      return;
  }
}

static const Module *random_module(Arena *arena) {
  Text text = text_create(arena);
  text_string(&text, "yes { p = f32[] parameter(0) ROOT r = pred[] constant(true) }\n");
  uint32_t computations = 1 + draw_below(most_computations - 1);
  for (uint32_t c = 0; c < computations; c++) {
    bool is_entry = c + 1 == computations;
    if (is_entry) text_string(&text, "ENTRY ");
    text_printf(&text, "f%u {\nv0 = f32[] parameter(0)\n", c);
    uint32_t steps = 1 + draw_below(is_entry ? 5 : 3);
    for (uint32_t i = 1; i <= steps; i++) random_step(&text, i, c);
    text_printf(&text, "ROOT z = f32[] negate(v%u)\n}\n", steps);
  }
  Error error = {};
  const Module *module = module_of(arena, text.bytes, &error);
  if (module == nullptr) fail_msg("%s\n%s", text.bytes, error.message);
  return module;
}

/* ---- definitions ---- */

static bool defined_stateful(const Instruction *instruction) {
  const Attribute *effect = instruction_attribute(instruction, "custom_call_has_side_effect");
  Opcode opcode = instruction->opcode;
  return opcode == HLO_RNG || opcode == HLO_RNG_GET_AND_UPDATE_STATE || opcode == HLO_RECV ||
         opcode == HLO_RECV_DONE || (opcode == HLO_CUSTOM_CALL && effect != nullptr);
}

static uint32_t position_of(const Module *module, const Computation *computation) {
  uint32_t position = 0;
  while (module->computations[position] != computation) position++;
  return position;
}

/* How often each computation runs: the number of paths of calls to it, and whether one passes a
 * loop, or an operation that calls it for each element. */
typedef struct DefinedRuns {
  const Module *module;
  uint32_t paths[most_computations + 2];
  bool in_loop[most_computations + 2], for_each[most_computations + 2];
} DefinedRuns;

static void follow_paths(
    DefinedRuns *runs, const Computation *computation, bool in_loop, bool for_each) {
  uint32_t position = position_of(runs->module, computation);
  if (runs->paths[position] > 1000) return;
  runs->paths[position]++;
  runs->in_loop[position] |= in_loop;
  runs->for_each[position] |= for_each;
  for (uint32_t i = 0; i < computation->instruction_count; i++) {
    const Instruction *instruction = computation->instructions[i];
    if (instruction->opcode == HLO_ASYNC_DONE) continue;
    for (uint32_t k = 0; k < instruction->called_count; k++)
      follow_paths(runs, instruction->called[k], in_loop || instruction->opcode == HLO_WHILE,
          for_each || instruction->opcode == HLO_MAP);
  }
}

static StatefulRuns defined_runs_of(const DefinedRuns *runs, const Computation *computation) {
  uint32_t position = position_of(runs->module, computation);
  if (runs->paths[position] > 1 || runs->for_each[position]) return STATEFUL_OFTEN;
  return runs->in_loop[position] ? STATEFUL_IN_LOOP : STATEFUL_ONCE;
}

/* The operations in the order in which they stand if each call is replaced by what it calls, the
 * first time. */
typedef struct DefinedOrder {
  const Instruction *items[most_listed];
  const Computation *entered[most_computations + 2];
  uint32_t count, entered_count, random_numbers;
} DefinedOrder;

static void list_in_order(DefinedOrder *order, const Computation *computation) {
  for (uint32_t i = 0; i < order->entered_count; i++)
    if (order->entered[i] == computation) return;
  order->entered[order->entered_count++] = computation;
  for (uint32_t i = 0; i < computation->instruction_count; i++) {
    const Instruction *instruction = computation->instructions[i];
    for (uint32_t k = 0; instruction->opcode != HLO_ASYNC_DONE && k < instruction->called_count;
        k++)
      list_in_order(order, instruction->called[k]);
    order->random_numbers += instruction->opcode == HLO_RNG;
    if (!defined_stateful(instruction) || instruction->opcode == HLO_RNG ||
        instruction->opcode == HLO_RECV_DONE)
      continue;
    assert_true(order->count < most_listed);
    order->items[order->count++] = instruction;
  }
}

static bool defined_kind(const Instruction *a, const Instruction *b) {
  const Attribute *one = instruction_attribute(a, "custom_call_target"),
                  *other = instruction_attribute(b, "custom_call_target");
  if (a->opcode != b->opcode || a->channel_id != b->channel_id) return false;
  return one == nullptr || strcmp(one->text, other->text) == 0;
}

/* ---- comparisons ---- */

static StatefulRuns check_runs(Arena *arena, const Module *module) {
  DefinedRuns runs = {.module = module};
  StatefulRuns most = STATEFUL_NONE;
  follow_paths(&runs, module->entry, false, false);
  for (uint32_t c = 0; c < module->computation_count; c++) {
    const Computation *computation = module->computations[c];
    for (uint32_t i = 0; i < computation->instruction_count; i++) {
      if (runs.paths[c] == 0 || !defined_stateful(computation->instructions[i])) continue;
      StatefulRuns one = defined_runs_of(&runs, computation);
      if (one > most) most = one;
    }
  }
  const Instruction *worst;
  assert_int_equal(stateful_runs(arena, module->entry, &worst), most);
  assert_int_equal(worst == nullptr, most == STATEFUL_NONE);
  if (worst != nullptr) {
    assert_true(defined_stateful(worst));
    assert_int_equal(defined_runs_of(&runs, worst->parent), most);
  }
  return most;
}

static void check_order(const StatefulOrder *order, const DefinedOrder *defined) {
  assert_int_equal(order->count, defined->count);
  for (uint32_t i = 0; i < order->count; i++) {
    uint32_t before = 0;
    assert_ptr_equal(order->items[i], defined->items[i]);
    for (uint32_t k = 0; k < i; k++) before += defined_kind(defined->items[k], defined->items[i]);
    assert_int_equal(stateful_number(order, order->items[i]), before);
  }
}

static void stateful_operations_are_those_of_the_paths(void **) {
  uint32_t seen[4] = {}, partners = 0, modules = test_length(20000, 1200, 300);
  for (uint32_t i = 0; i < modules; i++) {
    Arena *arena = arena_create();
    draw_state = i;
    const Module *module = random_module(arena);
    StatefulRuns runs = check_runs(arena, module);
    DefinedOrder defined = {};
    list_in_order(&defined, module->entry);
    StatefulOrder order = stateful_order(arena, module->entry);
    check_order(&order, &defined);
    assert_int_equal(stateful_number(&order, module->entry->root), UINT32_MAX);
    bool have_partners = runs <= STATEFUL_ONCE && defined.random_numbers <= 1;
    assert_int_equal(stateful_have_partners(arena, module->entry), have_partners);
    seen[runs]++;
    partners += have_partners && runs == STATEFUL_ONCE;
    arena_destroy(arena);
  }
  for (uint32_t i = 0; i < 4; i++) assert_true(seen[i] > modules / 50);
  assert_true(partners > modules / 50);
}

/* The position of the instruction of this name; UINT32_MAX: there is none. */
static uint32_t defined_position(const Instruction *instruction, const char *name) {
  uint32_t position = UINT32_MAX;
  for (uint32_t i = 0; i < instruction->parent->instruction_count; i++)
    if (strcmp(instruction->parent->instructions[i]->name, name) == 0) position = i;
  return position;
}

/* Random lists of names above, of which some begin or continue another, and of names of nothing. */
static void control_predecessors_are_names_of_the_computation(void **) {
  static const char *const names[] = {"a", "ab", "a.1", "b", "a.10", "c", "none", "abc"},
                           *const gaps[] = {",", ", ", " ,%", ", // a\n%", "\r\n,", ",\t/*,b*/"};
  static constexpr uint32_t most_names = 5;
  draw_state = 1;
  for (uint32_t i = 0; i < 1000; i++) {
    Arena *arena = arena_create();
    Error error = {};
    const char *wanted[most_names];
    uint32_t count = draw_below(most_names + 1);
    Text text = text_create(arena);
    text_string(&text,
        "ENTRY e { a = f32[] parameter(0) ab = f32[] abs(a) a.1 = f32[] abs(a) b = f32[] abs(a) "
        "a.10 = f32[] abs(a) c = f32[] abs(a) ROOT r = f32[] abs(a), control-predecessors={");
    text_string(&text, draw_below(2) == 0 ? "" : "\r/*c,*/");
    for (uint32_t k = 0; k < count; k++) {
      wanted[k] = names[draw_below(sizeof names / sizeof *names)];
      text_printf(&text, "%s%s", k == 0 ? "" : gaps[draw_below(6)], wanted[k]);
    }
    text_string(&text, draw_below(2) == 0 ? "} }" : " /*a*/ } }");
    const Module *module = module_of(arena, text.bytes, &error);
    if (module == nullptr) fail_msg("%s\n%s", text.bytes, error.message);
    const Instruction *root = module->entry->root;
    assert_int_equal(root->predecessor_count, count);
    for (uint32_t k = 0; k < count; k++) {
      assert_int_equal(root->predecessors[k].position, defined_position(root, wanted[k]));
      assert_string_equal(root->predecessors[k].name, wanted[k]);
    }
    arena_destroy(arena);
  }
}

/* Of the opcodes that have the attribute, and of no other one. */
static void attributes_name_called_computations(void **) {
  static const struct {
    const char *name;
    Opcode opcode; /* HLO_CALL: every one */
  } rows[] = {{"calls", HLO_CALL}, {"called_computations", HLO_CALL}, {"to_apply", HLO_CALL},
      {"condition", HLO_WHILE}, {"body", HLO_WHILE}, {"true_computation", HLO_CONDITIONAL},
      {"false_computation", HLO_CONDITIONAL}, {"branch_computations", HLO_CONDITIONAL},
      {"select", HLO_SELECT_AND_SCATTER}, {"scatter", HLO_SELECT_AND_SCATTER}};
  for (uint32_t opcode = 0; opcode < opcode_count; opcode++) {
    const Instruction instruction = {.opcode = (Opcode)opcode};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
      assert_int_equal(attribute_names_called(&instruction, rows[i].name),
          rows[i].opcode == HLO_CALL || rows[i].opcode == opcode);
    assert_false(attribute_names_called(&instruction, "metadata"));
    assert_false(attribute_names_called(&instruction, "call"));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(stateful_operations_are_those_of_the_paths),
      cmocka_unit_test(control_predecessors_are_names_of_the_computation),
      cmocka_unit_test(attributes_name_called_computations)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
