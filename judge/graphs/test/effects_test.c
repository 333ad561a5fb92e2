/* Operations with an effect in random modules of nested calls: which run once, which must run after
 * which, and which are the same in two modules, against definitions over the module as it was
 * drawn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/text.h"
#include "core/hlo/read/read.h"
#include "judge/graphs/effect_needs.h"
#include "judge/graphs/effects.h"

static uint64_t state_of_effects = 7;

static uint32_t effect_below(uint32_t end) {
  state_of_effects =
      state_of_effects * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state_of_effects >> 33) % end;
}

static const Module *effects_module(Arena *arena, const char *text) {
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = (Source){.name = "m", .text = text, .length = strlen(text), .first_line = 1};
  const Module *module;
  Error error = {};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s\n%s", text, error.message);
  return module;
}

/* ---- modules with calls ---- */

typedef enum DrawnKind : uint8_t {
  DRAWN_PARAMETER,
  DRAWN_ADD,
  DRAWN_EFFECT,
  DRAWN_CALL,
  DRAWN_BRANCH, /* a conditional with one branch */
} DrawnKind;

static constexpr uint32_t most_bodies = 4, most_lines = 8;

typedef struct DrawnLine {
  DrawnKind kind;
  uint32_t a, b, calls;
  bool is_after[most_lines]; /* control predecessors */
} DrawnLine;

/* Body 0 is called by nobody before it; the last one is the entry. */
typedef struct DrawnBodies {
  uint32_t count, lines[most_bodies];
  DrawnLine of[most_bodies][most_lines];
} DrawnBodies;

static void draw_line(DrawnBodies *bodies, uint32_t body, uint32_t line) {
  DrawnLine *drawn = &bodies->of[body][line];
  *drawn = (DrawnLine){.kind = line == 0 ? DRAWN_PARAMETER : (DrawnKind)(1 + effect_below(4)),
      .a = effect_below(line == 0 ? 1 : line),
      .b = effect_below(line == 0 ? 1 : line),
      .calls = effect_below(body == 0 ? 1 : body)};
  if (body == 0 && drawn->kind > DRAWN_EFFECT) drawn->kind = DRAWN_EFFECT;
  if (drawn->kind == DRAWN_BRANCH && effect_below(3) > 0) drawn->kind = DRAWN_CALL;
  for (uint32_t i = 1; i < line; i++) drawn->is_after[i] = effect_below(8) == 0;
}

static DrawnBodies draw_bodies(void) {
  DrawnBodies bodies = {.count = 1 + effect_below(most_bodies)};
  for (uint32_t body = 0; body < bodies.count; body++) {
    bodies.lines[body] = 2 + effect_below(most_lines - 1);
    for (uint32_t line = 0; line < bodies.lines[body]; line++) draw_line(&bodies, body, line);
  }
  return bodies;
}

/* Names of other bodies order nothing. */
static void print_predecessors(Text *text, const DrawnLine *drawn, uint32_t body, uint32_t line) {
  bool is_first = true;
  for (uint32_t i = 1; i < line; i++) {
    if (!drawn->is_after[i]) continue;
    text_printf(text, "%s%s%u_%u", is_first ? ", control-predecessors={" : ", ",
        i % 2 == 0 ? "%v" : "v", body, i);
    is_first = false;
  }
  if (!is_first) text_string(text, "}");
}

static void print_line(Text *text, const DrawnLine *drawn, uint32_t body, uint32_t line) {
  if (drawn->kind == DRAWN_BRANCH) text_printf(text, "i%u_%u = s32[] constant(0)\n", body, line);
  text_printf(text, "v%u_%u = f32[2] ", body, line);
  switch (drawn->kind) {
    case DRAWN_PARAMETER: text_string(text, "parameter(0)"); break;
    case DRAWN_ADD: text_printf(text, "add(v%u_%u, v%u_%u)", body, drawn->a, body, drawn->b); break;
    case DRAWN_EFFECT:
      text_printf(text,
          "custom-call(v%u_%u), custom_call_target=\"t\", custom_call_has_side_effect=true", body,
          drawn->a);
      break;
    case DRAWN_CALL:
      text_printf(text, "call(v%u_%u), to_apply=b%u", body, drawn->a, drawn->calls);
      break;
    case DRAWN_BRANCH:
      text_printf(text, "conditional(i%u_%u, v%u_%u), branch_computations={b%u}", body, line, body,
          drawn->a, drawn->calls);
      break;
  }
  print_predecessors(text, drawn, body, line);
  text_string(text, "\n");
}

static const char *bodies_text(Arena *arena, const DrawnBodies *bodies) {
  Text text = text_create(arena);
  text_string(&text, "HloModule m\n");
  for (uint32_t body = 0; body < bodies->count; body++) {
    text_printf(&text, "%sb%u {\n", body + 1 == bodies->count ? "ENTRY " : "", body);
    for (uint32_t line = 0; line < bodies->lines[body]; line++)
      print_line(&text, &bodies->of[body][line], body, line);
    text_printf(&text, "ROOT r%u = f32[2] copy(v%u_%u)\n}\n", body, body, bodies->lines[body] - 1);
  }
  return text.bytes;
}

static const Instruction *line_in(
    const Module *module, Arena *arena, uint32_t body, uint32_t line) {
  const char *name = arena_printf(arena, "v%u_%u", body, line);
  for (uint32_t i = 0; i < module->computation_count; i++)
    for (uint32_t k = 0; k < module->computations[i]->instruction_count; k++)
      if (strcmp(module->computations[i]->instructions[k]->name, name) == 0)
        return module->computations[i]->instructions[k];
  fail();
  return nullptr;
}

/* The only line that runs the body. */
static bool drawn_caller(
    const DrawnBodies *bodies, uint32_t called, uint32_t *body, uint32_t *line) {
  uint32_t callers = 0;
  for (uint32_t i = 0; i < bodies->count; i++)
    for (uint32_t k = 0; k < bodies->lines[i]; k++) {
      const DrawnLine *drawn = &bodies->of[i][k];
      if (drawn->kind < DRAWN_CALL || drawn->calls != called) continue;
      callers++;
      *body = i;
      *line = k;
    }
  return callers == 1;
}

static bool drawn_runs_once(const DrawnBodies *bodies, uint32_t body) {
  uint32_t line;
  while (body + 1 < bodies->count) {
    if (!drawn_caller(bodies, body, &body, &line) || bodies->of[body][line].kind != DRAWN_CALL)
      return false;
  }
  return true;
}

static bool drawn_reaches(const DrawnLine *lines, uint32_t from, uint32_t to, bool with_control) {
  if (from == to) return true;
  const DrawnLine *drawn = &lines[from];
  if (drawn->kind == DRAWN_PARAMETER) return false;
  if (drawn_reaches(lines, drawn->a, to, with_control)) return true;
  if (drawn->kind == DRAWN_ADD && drawn_reaches(lines, drawn->b, to, with_control)) return true;
  for (uint32_t i = 1; i < from && with_control; i++)
    if (drawn->is_after[i] && drawn_reaches(lines, i, to, with_control)) return true;
  return false;
}

/* Both go up to the body that both are in: there one line must follow the other. Bodies are called
 * by later ones. */
static bool drawn_follows(const DrawnBodies *bodies, uint32_t body, uint32_t line, uint32_t on_body,
    uint32_t on_line, EffectOrder order) {
  while (body != on_body)
    assert_true(body < on_body ? drawn_caller(bodies, body, &body, &line)
                               : drawn_caller(bodies, on_body, &on_body, &on_line));
  if (order == ORDER_OF_SCHEDULE) return line > on_line;
  return line != on_line &&
         drawn_reaches(bodies->of[body], line, on_line, order == ORDER_WITH_CONTROL);
}

/* A body at a place where it runs: 0 is the entry. */
typedef struct DrawnPlace {
  uint32_t body, outer, line; /* the line of the outer place that calls it */
  bool is_needed[most_lines], is_entered[most_lines]; /* entered: it runs to reach another line */
} DrawnPlace;

static constexpr uint32_t most_places = 512;

/* What a line needs. */
typedef struct DrawnNeeds {
  const DrawnBodies *bodies;
  bool with_control, has_grown;
  uint32_t count;
  DrawnPlace places[most_places];
} DrawnNeeds;

static void add_drawn_places(DrawnNeeds *needs, uint32_t body, uint32_t outer, uint32_t line) {
  const uint32_t at = needs->count++;
  assert_true(at < most_places);
  needs->places[at] = (DrawnPlace){.body = body, .outer = outer, .line = line};
  for (uint32_t i = 0; i < needs->bodies->lines[body]; i++)
    if (needs->bodies->of[body][i].kind >= DRAWN_CALL)
      add_drawn_places(needs, needs->bodies->of[body][i].calls, at, i);
}

static DrawnPlace *place_inside(DrawnNeeds *needs, uint32_t outer, uint32_t line) {
  for (uint32_t i = 1; i < needs->count; i++)
    if (needs->places[i].outer == outer && needs->places[i].line == line) return &needs->places[i];
  fail();
  return nullptr;
}

static void need_line(DrawnNeeds *needs, DrawnPlace *place, uint32_t line) {
  needs->has_grown |= !place->is_needed[line];
  place->is_needed[line] = true;
}

static void need_place(DrawnNeeds *needs, DrawnPlace *place) {
  for (uint32_t line = 0; line < needs->bodies->lines[place->body]; line++) {
    need_line(needs, place, line);
    if (needs->bodies->of[place->body][line].kind >= DRAWN_CALL)
      need_place(needs, place_inside(needs, (uint32_t)(place - needs->places), line));
  }
}

static void need_of_line(DrawnNeeds *needs, DrawnPlace *place, uint32_t line) {
  const DrawnLine *lines = needs->bodies->of[place->body], *drawn = &lines[line];
  const uint32_t at = (uint32_t)(place - needs->places);
  if (drawn->kind == DRAWN_ADD || drawn->kind == DRAWN_EFFECT) need_line(needs, place, drawn->a);
  if (drawn->kind == DRAWN_ADD) need_line(needs, place, drawn->b);
  if (drawn->kind >= DRAWN_CALL) {
    DrawnPlace *inside = place_inside(needs, at, line);
    if (inside->is_needed[0]) need_line(needs, place, drawn->a);
    if (place->is_needed[line]) need_line(needs, inside, needs->bodies->lines[inside->body] - 1);
  }
  for (uint32_t i = 1; i < line && needs->with_control; i++) {
    if (!drawn->is_after[i]) continue;
    need_line(needs, place, i);
    if (lines[i].kind >= DRAWN_CALL) need_place(needs, place_inside(needs, at, i));
  }
}

/* The only place of a body that runs once. */
static DrawnPlace *only_place(DrawnNeeds *needs, uint32_t body) {
  for (uint32_t i = 0; i < needs->count; i++)
    if (needs->places[i].body == body) return &needs->places[i];
  fail();
  return nullptr;
}

/* Until nothing more is needed. */
static DrawnNeeds drawn_needs(
    const DrawnBodies *bodies, uint32_t body, uint32_t line, bool with_control) {
  DrawnNeeds needs = {.bodies = bodies, .with_control = with_control, .has_grown = true};
  add_drawn_places(&needs, bodies->count - 1, 0, 0);
  DrawnPlace *place = only_place(&needs, body);
  need_line(&needs, place, line);
  while (place != needs.places) {
    DrawnPlace *outer = &needs.places[place->outer];
    outer->is_entered[place->line] = true;
    place = outer;
  }
  while (needs.has_grown) {
    needs.has_grown = false;
    for (uint32_t i = 0; i < needs.count; i++)
      for (uint32_t k = 0; k < bodies->lines[needs.places[i].body]; k++)
        if (needs.places[i].is_needed[k] || needs.places[i].is_entered[k])
          need_of_line(&needs, &needs.places[i], k);
  }
  return needs;
}

static bool is_effect_that_runs_once(const DrawnBodies *bodies, uint32_t body, uint32_t line) {
  return line < bodies->lines[body] && bodies->of[body][line].kind == DRAWN_EFFECT &&
         drawn_runs_once(bodies, body);
}

typedef struct EffectCounts {
  uint32_t follows, not_follows, needs, unneeded, once, often;
} EffectCounts;

static void check_effect(Arena *arena, const DrawnBodies *bodies, const Module *module,
    uint32_t body, uint32_t line, EffectCounts *counts) {
  const Instruction *second = line_in(module, arena, body, line);
  EffectFollowing following = {.arena = arena, .module = module};
  EffectNeeds leaves = {.following = &following};
  DrawnNeeds needs[2] = {
      drawn_needs(bodies, body, line, false), drawn_needs(bodies, body, line, true)};
  for (uint32_t i = 0; i < bodies->count; i++)
    for (uint32_t k = 0; k < bodies->lines[i]; k++) {
      if (!is_effect_that_runs_once(bodies, i, k)) continue;
      const Instruction *first = line_in(module, arena, i, k);
      for (uint32_t control = 0; control < 2; control++) {
        bool is_needed = first != second && only_place(&needs[control], i)->is_needed[k];
        if (effect_needs(&leaves, first, second, control) != is_needed)
          fail_msg("%s, %s, %u needs", first->name, second->name, control);
        counts->needs += is_needed;
        counts->unneeded += !is_needed && drawn_follows(bodies, body, line, i, k,
                                              control ? ORDER_WITH_CONTROL : ORDER_OF_OPERANDS);
      }
      for (uint32_t order = 0; order <= ORDER_OF_SCHEDULE; order++) {
        bool follows = drawn_follows(bodies, body, line, i, k, (EffectOrder)order);
        if (effect_follows(&following, first, second, (EffectOrder)order) != follows)
          fail_msg("%s, %s, %u", first->name, second->name, order);
        counts->follows += follows;
        counts->not_follows += !follows;
      }
    }
}

static void effects_follow_along_operands_and_calls(void **) {
  EffectCounts counts = {};
  for (uint32_t round = 0; round < 800; round++) {
    Arena *arena = arena_create();
    DrawnBodies bodies = draw_bodies();
    const char *text = bodies_text(arena, &bodies);
    const Module *module = effects_module(arena, text);
    EffectFollowing following = {.arena = arena, .module = module};
    for (uint32_t body = 0; body < bodies.count; body++)
      for (uint32_t line = 1; line < bodies.lines[body]; line++) {
        const Instruction *one = line_in(module, arena, body, line);
        bool is_effect = bodies.of[body][line].kind == DRAWN_EFFECT;
        assert_int_equal(instruction_has_effect(one), is_effect);
        bool runs_once = drawn_runs_once(&bodies, body);
        if (effect_runs_once(&following, one) != runs_once) fail_msg("%s\n%s", one->name, text);
        counts.once += runs_once;
        counts.often += !runs_once;
        if (is_effect && runs_once) check_effect(arena, &bodies, module, body, line, &counts);
      }
    arena_destroy(arena);
  }
  assert_true(counts.follows > 1000 && counts.not_follows > 1000);
  assert_true(counts.needs > 1000 && counts.unneeded > 20);
  assert_true(counts.once > 1000 && counts.often > 300);
}

/* ---- pairs ---- */

static constexpr uint32_t most_effects = 6, effect_forms = 6;

/* Effects that are distinguished by one attribute each. */
static const char *const forms_of_effects[effect_forms] = {
    "f32[2] custom-call(x), custom_call_target=\"s\", custom_call_has_side_effect=true",
    "f32[2] custom-call(x), custom_call_target=\"t\", custom_call_has_side_effect=true",
    "f32[2] custom-call(x), custom_call_target=\"t\", custom_call_has_side_effect=true, frontend_attributes={a=\"1\"}",
    "(f32[2], u32[], token[]) send(x, k), channel_id=1",
    "(f32[2], u32[], token[]) send(x, k), channel_id=2",
    "token[] outfeed(x, k), outfeed_config=\"c\""};

/* The effects are in two computations. */
static const Module *draw_effects(Arena *arena, uint32_t count, const uint32_t *forms) {
  Text text = text_create(arena);
  uint32_t inner = effect_below(count + 1);
  text_string(&text, "HloModule m\nb {\nx = f32[2] parameter(0)\nk = token[] after-all()\n");
  for (uint32_t i = 0; i < count; i++) {
    if (i == inner)
      text_string(&text,
          "ROOT r = f32[2] copy(x)\n}\nENTRY e {\nx = f32[2] parameter(0)\nk = token[] after-all()\n"
          "c = f32[2] call(x), to_apply=b\n");
    text_printf(&text, "e%u = %s\n", i, forms_of_effects[forms[i]]);
  }
  if (inner == count)
    text_string(&text,
        "ROOT r = f32[2] copy(x)\n}\nENTRY e {\nx = f32[2] parameter(0)\nc = f32[2] call(x), to_apply=b\n");
  text_string(&text, "ROOT q = f32[2] copy(x)\n}\n");
  return effects_module(arena, text.bytes);
}

static uint32_t number_of_form(uint32_t count, const uint32_t *forms, uint32_t form) {
  uint32_t number = 0;
  for (uint32_t i = 0; i < count; i++) number += forms[i] == form;
  return number;
}

/* The form of an effect, and how many of its form come before it in the text. */
static uint32_t place_of_effect(const Instruction *effect, const uint32_t *forms, uint32_t *form) {
  uint32_t at = (uint32_t)(effect->name[1] - '0'), before = 0;
  *form = forms[at];
  for (uint32_t i = 0; i < at; i++) before += forms[i] == *form;
  return before;
}

static void effects_are_paired_by_form_and_place(void **) {
  uint32_t same = 0, other = 0;
  for (uint32_t round = 0; round < 2000; round++) {
    Arena *arena = arena_create();
    uint32_t counts[2] = {effect_below(most_effects + 1), effect_below(most_effects + 1)},
             forms[2][most_effects];
    for (uint32_t i = 0; i < most_effects; i++) {
      forms[0][i] = effect_below(effect_forms);
      forms[1][i] = effect_below(effect_forms);
    }
    if (effect_below(4) > 0) { /* the same ones, in another order */
      counts[1] = counts[0];
      for (uint32_t i = 0; i < counts[0]; i++) forms[1][i] = forms[0][counts[0] - 1 - i];
      if (counts[0] > 0 && effect_below(3) == 0) forms[1][0] = effect_below(effect_forms);
    }
    const Module *before = draw_effects(arena, counts[0], forms[0]),
                 *after = draw_effects(arena, counts[1], forms[1]);
    EffectPairs pairs = {};
    const Instruction *lost = effects_pair(arena, before, after, &pairs);
    bool are_same = true;
    for (uint32_t form = 0; form < effect_forms; form++)
      are_same &=
          number_of_form(counts[0], forms[0], form) == number_of_form(counts[1], forms[1], form);
    assert_int_equal(lost == nullptr, are_same);
    same += are_same;
    other += !are_same;
    if (are_same) assert_int_equal(pairs.count, counts[0]);
    for (uint32_t i = 0; i < pairs.count; i++) {
      uint32_t form[2], place[2];
      for (uint32_t side = 0; side < 2; side++)
        place[side] = place_of_effect(pairs.items[i].sides[side], forms[side], &form[side]);
      assert_true(form[0] == form[1] && place[0] == place[1]);
      for (uint32_t k = 0; k < i; k++)
        assert_ptr_not_equal(pairs.items[k].sides[0], pairs.items[i].sides[0]);
    }
    if (lost != nullptr) {
      bool is_before = false;
      for (uint32_t i = 0; i < before->computation_count; i++)
        is_before |= lost->parent == before->computations[i];
      uint32_t form;
      (void)place_of_effect(lost, forms[is_before ? 0 : 1], &form);
      uint32_t own = number_of_form(counts[is_before ? 0 : 1], forms[is_before ? 0 : 1], form),
               others = number_of_form(counts[is_before ? 1 : 0], forms[is_before ? 1 : 0], form);
      assert_true(own > others);
    }
    arena_destroy(arena);
  }
  assert_true(same > 500 && other > 500);
}

/* ---- entries that end elsewhere ---- */

static void entries_are_copied_up_to_another_root(void **) {
  for (uint32_t round = 0; round < 100; round++) {
    Arena *arena = arena_create();
    DrawnBodies bodies = draw_bodies();
    const Computation *entry = effects_module(arena, bodies_text(arena, &bodies))->entry;
    const Instruction *root = entry->instructions[effect_below(entry->instruction_count)];
    const Computation *copy = entry_ending_at(arena, entry, root);
    assert_int_equal(copy->instruction_count, entry->instruction_count);
    assert_ptr_equal(copy->root, copy->instructions[root->id]);
    for (uint32_t i = 0; i < entry->instruction_count; i++) {
      const Instruction *from = entry->instructions[i], *to = copy->instructions[i];
      assert_true(from != to && to->parent == copy && to->is_root == (to == copy->root));
      assert_true(to->opcode == from->opcode && to->id == from->id && to->shape == from->shape);
      assert_true(to->operand_count == from->operand_count && to->called == from->called);
      for (uint32_t k = 0; k < from->operand_count; k++)
        assert_ptr_equal(to->operands[k], copy->instructions[from->operands[k]->id]);
    }
    for (uint32_t i = 0; i < entry->parameter_count; i++)
      assert_ptr_equal(copy->parameters[i], copy->instructions[entry->parameters[i]->id]);
    assert_true(entry->root->is_root);
    arena_destroy(arena);
  }
}

/* The second effect is given what calls compute that lead to each other 2^levels times. */
static const char *effect_tower_text(Arena *arena, uint32_t levels) {
  const char *text = "HloModule m\nf0 {\nq = s32[] parameter(0)\nROOT n = s32[] negate(q)\n}\n";
  for (uint32_t i = 0; i < levels; i++)
    text = arena_printf(arena,
        "%sf%u {\nq = s32[] parameter(0)\nv = s32[] call(q), to_apply=f%u\n"
        "ROOT w = s32[] call(v), to_apply=f%u\n}\n",
        text, i + 1, i, i);
  return arena_printf(arena,
      "%sENTRY e {\nx = s32[] parameter(0)\n"
      "a = s32[] custom-call(x), custom_call_target=\"t\", custom_call_has_side_effect=true\n"
      "v = s32[] call(a), to_apply=f%u\n"
      "b = s32[] custom-call(v), custom_call_target=\"u\", custom_call_has_side_effect=true\n"
      "ROOT r = s32[] negate(x)\n}\n",
      text, levels);
}

static void needs_across_too_many_calls_are_cut(void **) {
  Arena *arena = arena_create();
  for (uint32_t levels = 2; levels <= 20; levels += 9) {
    const Module *module = effects_module(arena, effect_tower_text(arena, levels));
    EffectFollowing following = {.arena = arena, .module = module};
    EffectNeeds needs = {.following = &following};
    const Instruction *first = module->entry->instructions[1],
                      *second = module->entry->instructions[3];
    bool is_needed = effect_needs(&needs, first, second, false);
    assert_int_equal(effect_needs_are_cut(&needs), levels == 20);
    assert_true(is_needed || levels == 20);
  }
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(needs_across_too_many_calls_are_cut),
      cmocka_unit_test(effects_follow_along_operands_and_calls),
      cmocka_unit_test(effects_are_paired_by_form_and_place),
      cmocka_unit_test(entries_are_copied_up_to_another_root),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
