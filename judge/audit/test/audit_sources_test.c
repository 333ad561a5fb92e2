/* Names of sources in a foreign text, against the random computations that they are made from, and
 * the index maps of sources point by point against their owners' variables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/test/length.h"
#include "core/hlo/read/read.h"
#include "core/map/evaluate.h"
#include "core/map/points.h"
#include "judge/audit/audit_sources.h"

static uint64_t state_of_names = 5;

static uint32_t named_below(uint32_t end) {
  state_of_names = state_of_names * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state_of_names >> 33) % end;
}

/* ---- names ----
 *
 * Up to three computations, each of which calls the next. Each has two parameters, a sum, and two
 * further instructions, which are calls if there is a next computation, else sums. */

static constexpr uint32_t named_computations = 3, named_instructions = 5, named_words = 7;
static const char *const words_of_names[named_words] = {
    "a", "b", "ab", "c", "a.1", "x", "parameter"};

typedef struct NamedBody {
  uint32_t words[named_instructions]; /* all different */
  uint32_t operands[named_instructions][2];
  const char *call[named_instructions]; /* nullptr: no call */
} NamedBody;

typedef struct NamedModule {
  uint32_t count;
  NamedBody bodies[named_computations]; /* [0]: ENTRY */
} NamedModule;

static NamedModule draw_named(void) {
  NamedModule module = {.count = 1 + named_below(named_computations)};
  for (uint32_t i = 0; i < module.count; i++) {
    NamedBody *body = &module.bodies[i];
    uint32_t used = 0;
    for (uint32_t k = 0; k < named_instructions; k++) {
      do body->words[k] = named_below(named_words);
      while ((used >> body->words[k] & 1) != 0);
      used |= 1u << body->words[k];
      for (uint32_t side = 0; k >= 2 && side < 2; side++) body->operands[k][side] = named_below(k);
      bool is_call = k > 2 && i + 1 < module.count;
      body->call[k] = is_call ? (i == 0 && named_below(2) == 0 ? "fusion" : "call") : nullptr;
    }
  }
  return module;
}

static const Module *module_of_named(Arena *arena, const NamedModule *named) {
  Text text = text_create(arena);
  text_string(&text, "HloModule m\n");
  for (uint32_t i = named->count; i-- > 0;) {
    const NamedBody *body = &named->bodies[i];
    text_printf(&text, "%s%s {\n", i == 0 ? "ENTRY e" : "c", i == 0 ? "" : i == 1 ? "1" : "2");
    for (uint32_t k = 0; k < named_instructions; k++) {
      const char *a = words_of_names[body->words[body->operands[k][0]]],
                 *b = words_of_names[body->words[body->operands[k][1]]];
      text_printf(&text, "%s%s = s32[] ", k + 1 == named_instructions ? "ROOT " : "",
          words_of_names[body->words[k]]);
      if (k < 2) text_printf(&text, "parameter(%u)\n", k);
      else if (body->call[k] == nullptr) text_printf(&text, "add(%s, %s)\n", a, b);
      else
        text_printf(&text, "%s(%s, %s), %s=c%u\n", body->call[k], a, b,
            body->call[k][0] == 'c' ? "to_apply" : "kind=kLoop, calls", i + 1);
    }
    text_string(&text, "}\n");
  }
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = (Source){.name = "m", .text = text.bytes, .length = text.length, .first_line = 1};
  const Module *module;
  Error error = {};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s\n%s", text.bytes, error.message);
  return module;
}

static const Instruction *instruction_of_named(
    const Module *module, const NamedModule *named, uint32_t body, uint32_t at) {
  const char *const names[] = {"e", "c1", "c2"};
  for (uint32_t i = 0; i < module->computation_count; i++)
    for (uint32_t k = 0; k < module->computations[i]->instruction_count; k++) {
      const Instruction *instruction = module->computations[i]->instructions[k];
      if (strcmp(module->computations[i]->name, names[body]) == 0 &&
          strcmp(instruction->name, words_of_names[named->bodies[body].words[at]]) == 0)
        return instruction;
    }
  fail_msg("no instruction");
  return nullptr;
}

/* A set of instructions, a bit each. */
static uint32_t named_bit(uint32_t body, uint32_t at) {
  return 1u << (body * named_instructions + at);
}

/* What the word denotes inside of the body, if its parameters are the instructions `given`. All
 * ways through its calls are followed. */
static uint32_t denoted_inside(const NamedModule *named, uint32_t body, const uint32_t given[2],
    uint32_t word, uint32_t only_body) {
  uint32_t found = 0, is[named_instructions];
  for (uint32_t k = 0; k < named_instructions; k++) {
    is[k] = k < 2 ? given[k] : named_bit(body, k);
    const NamedBody *own = &named->bodies[body];
    if (own->words[k] == word && (only_body == UINT32_MAX || only_body == body)) found |= is[k];
    if (own->call[k] == nullptr) continue;
    const uint32_t inner[] = {is[own->operands[k][0]], is[own->operands[k][1]]};
    found |= denoted_inside(named, body + 1, inner, word, only_body);
  }
  return found;
}

static uint32_t denoted(
    const NamedModule *named, uint32_t body, uint32_t root, uint32_t word, uint32_t only_body) {
  const NamedBody *own = &named->bodies[body];
  for (uint32_t k = 0; k < named_instructions; k++)
    if (own->words[k] == word && (only_body == UINT32_MAX || only_body == body))
      return named_bit(body, k);
  if (own->call[root] == nullptr) return 0;
  const uint32_t given[] = {
      named_bit(body, own->operands[root][0]), named_bit(body, own->operands[root][1])};
  return denoted_inside(named, body + 1, given, word, only_body);
}

static const Map *owner_of_named(MapContext *context, const char *text) {
  Map *map = map_create(context, 1, 0, 1, 1, 0), *index = map_create(context, 1, 0, 1, 1, 0);
  map->dims[0].bounds = index->dims[0].bounds = (Interval){0, 3};
  map->results[0] = expr_var(context->pool, VAR_RUNTIME, 0);
  index->results[0] = expr_var(context->pool, VAR_DIM, 0);
  map->sources = ARENA_NEW(context->arena, RuntimeSource, 1);
  map->sources[0] = (RuntimeSource){.name = text, .index = index, .clamp = {-1, 2}};
  return map;
}

static void check_named(MapContext *context, const Module *module, const NamedModule *named,
    const Instruction *root, const char *text, uint32_t wanted) {
  const Map *resolved;
  Error error = {};
  Text why = text_create(context->arena);
  assert_true(
      audit_resolve_sources(context, root, owner_of_named(context, text), &resolved, &why, &error));
  const RuntimeSource *source = &resolved->sources[0];
  assert_true(source->clamp.lo == -1 && source->clamp.hi == 2);
  if (__builtin_popcount(wanted) != 1) {
    assert_true(
        source->instruction == nullptr && source->name == nullptr && source->index == nullptr);
    assert_string_equal(why.bytes,
        arena_printf(context->arena, "%s '%s' (rt0); ",
            wanted == 0 ? "no instruction is called" : "more than one instruction is called",
            text));
    return;
  }
  uint32_t bit = (uint32_t)__builtin_ctz(wanted);
  if (why.length != 0 ||
      source->instruction !=
          instruction_of_named(module, named, bit / named_instructions, bit % named_instructions))
    fail_msg("'%s' of %s: %s", text, root->name, why.length == 0 ? "another" : why.bytes);
}

/* A name as it may be printed, with what follows it. */
static const char *printed_name(Arena *arena, const char *computation, const char *word) {
  static const char *const ends[] = {"", " = s32[] add(c, x)", "=s32[]", " "};
  return arena_printf(arena, "%s%s%s%s%s", named_below(2) == 0 ? "%" : "", computation,
      computation[0] == 0 ? "" : "/", word, ends[named_below(4)]);
}

static void names_denote_what_the_computations_say(void **) {
  static const char *const computations[] = {"e", "c1", "c2"};
  const uint32_t rounds = test_length(1500, 400, 100);
  uint32_t seen[3] = {};
  for (uint32_t round = 0; round < rounds; round++) {
    MapContext *context = map_context_create();
    NamedModule named = draw_named();
    const Module *module = module_of_named(context->arena, &named);
    uint32_t body = named_below(4) == 0 ? named_below(named.count) : 0,
             at = named_below(3) == 0 ? named_below(5) : 3 + named_below(2);
    const Instruction *root = instruction_of_named(module, &named, body, at);
    for (uint32_t word = 0; word < named_words; word++) {
      uint32_t wanted = denoted(&named, body, at, word, UINT32_MAX), only = named_below(3);
      check_named(context, module, &named, root,
          printed_name(context->arena, "", words_of_names[word]), wanted);
      seen[__builtin_popcount(wanted) > 2 ? 2 : __builtin_popcount(wanted)]++;
      check_named(context, module, &named, root,
          printed_name(context->arena, computations[only], words_of_names[word]),
          denoted(&named, body, at, word, only));
    }
    for (uint32_t number = 0; number < 3; number++) {
      bool has_body = named.bodies[body].call[at] != nullptr;
      uint32_t given = number > 1 ? 0
                       : has_body ? named.bodies[body].operands[at][number]
                                  : number,
               wanted = number > 1 ? 0 : named_bit(body, given);
      check_named(context, module, &named, root,
          arena_printf(context->arena, "parameter(%u)%s", number, named_below(2) == 0 ? "" : "  "),
          wanted);
      check_named(
          context, module, &named, root, arena_printf(context->arena, "parameter(%u)x", number), 0);
    }
    map_context_destroy(context);
  }
  assert_true(seen[0] > rounds / 10 && seen[1] > rounds && seen[2] > rounds / 10);
}

/* ---- index maps ---- */

static constexpr uint32_t indexed_most = 4;

/* Variables of one map: two dimensions, one range variable and one runtime variable at most. */
typedef struct IndexedSide {
  uint32_t counts[3];
  const char *names[indexed_most];
  Interval bounds[indexed_most];
} IndexedSide;

static VarKind indexed_kind(const IndexedSide *side, uint32_t variable) {
  return variable < side->counts[0]                     ? VAR_DIM
         : variable < side->counts[0] + side->counts[1] ? VAR_RANGE
                                                        : VAR_RUNTIME;
}

static uint32_t indexed_first(const IndexedSide *side, VarKind kind) {
  return kind == VAR_DIM ? 0 : side->counts[0] + (kind == VAR_RUNTIME ? side->counts[1] : 0);
}

static IndexedSide draw_indexed(bool is_owner) {
  static const char *const names[] = {"x", "y", "d1"};
  IndexedSide side = {.counts = {named_below(3), named_below(2), is_owner ? 1 : named_below(2)}};
  for (uint32_t i = 0; i < side.counts[0] + side.counts[1] + side.counts[2]; i++) {
    side.names[i] = named_below(4) == 0 ? names[(i + named_below(2)) % 3] : nullptr;
    side.bounds[i].lo = named_below(2);
    side.bounds[i].hi = side.bounds[i].lo + named_below(3);
  }
  return side;
}

static Map *map_of_indexed(MapContext *context, const IndexedSide *side) {
  Map *map = map_create(context, side->counts[0], side->counts[1], side->counts[2], 1, 0);
  for (uint32_t i = 0; i < map_variable_count(map); i++)
    *map_variable(map, i) = (Variable){.bounds = side->bounds[i], .name = side->names[i]};
  return map;
}

/* The owner's variable of the same kind that is printed alike; UINT32_MAX if there is none. The
 * first of them counts. */
static uint32_t namesake(
    Arena *arena, const IndexedSide *owner, const IndexedSide *index, uint32_t variable) {
  VarKind kind = indexed_kind(index, variable);
  uint32_t number = variable - indexed_first(index, kind);
  const char *name = index->names[variable] != nullptr
                         ? index->names[variable]
                         : arena_printf(arena, "%s%u", variable_prefix(kind), number);
  for (uint32_t i = 0; i < owner->counts[kind]; i++) {
    uint32_t at = indexed_first(owner, kind) + i;
    const char *own = owner->names[at] != nullptr
                          ? owner->names[at]
                          : arena_printf(arena, "%s%u", variable_prefix(kind), i);
    if (strcmp(own, name) == 0) return at;
  }
  return UINT32_MAX;
}

/* The value of the index map's variable at a point of the owner. False if none is known: a range
 * or runtime variable must have all the values that the owner's has. */
static bool indexed_value(Arena *arena, const IndexedSide *owner, const IndexedSide *index,
    uint32_t variable, const int64_t *at, int64_t *value) {
  uint32_t own = namesake(arena, owner, index, variable);
  Interval bounds = index->bounds[variable];
  bool has_own = own != UINT32_MAX &&
                 (indexed_kind(index, variable) == VAR_DIM ||
                     (owner->bounds[own].lo >= bounds.lo && owner->bounds[own].hi <= bounds.hi));
  *value = has_own ? at[own] : bounds.lo;
  return has_own || bounds.lo == bounds.hi;
}

static void index_maps_have_the_values_of_their_owners_variables(void **) {
  const uint32_t rounds = test_length(6000, 2000, 400);
  Error error = {};
  Arena *arena = arena_create();
  const Source text = {.name = "m",
      .text = "ENTRY e {\nROOT a = s32[9] parameter(0)\n}\n",
      .length = 41,
      .first_line = 1};
  const Module *module;
  if (!hlo_read(arena, &text, &module, &error)) fail_msg("%s", error.message);
  uint32_t known = 0;
  for (uint32_t round = 0; round < rounds; round++) {
    MapContext *context = map_context_create();
    IndexedSide owner = draw_indexed(true), index = draw_indexed(false);
    Map *map = map_of_indexed(context, &owner), *of_source = map_of_indexed(context, &index);
    uint32_t used = named_below(16), count = map_variable_count(of_source);
    Expr sum = expr_const(context->pool, 0);
    for (uint32_t i = 0; i < count; i++) {
      VarKind kind = indexed_kind(&index, i);
      if ((used >> i & 1) != 0)
        sum = expr_binary(context->pool, EXPR_ADD,
            expr_binary(context->pool, EXPR_MUL, sum, expr_const(context->pool, 10)),
            expr_var(context->pool, kind, i - indexed_first(&index, kind)));
    }
    of_source->results[0] = sum;
    map->results[0] = expr_const(context->pool, 0);
    map->sources = ARENA_NEW(context->arena, RuntimeSource, 1);
    map->sources[0] = (RuntimeSource){.name = "a", .index = of_source, .clamp = {0, 9}};
    const Map *resolved;
    Text why = text_create(context->arena);
    assert_true(audit_resolve_sources(
        context, module->computations[0]->root, map, &resolved, &why, &error));
    const RuntimeSource *source = &resolved->sources[0];
    for (uint32_t code = 0; code < 4 * 4 * 4 * 4; code++) {
      const int64_t at[] = {code % 4, code / 4 % 4, code / 16 % 4, code / 64};
      int64_t wanted = 0, value, result[1];
      bool is_known = true;
      for (uint32_t i = 0; i < count; i++) {
        if ((used >> i & 1) == 0) continue;
        is_known &= indexed_value(context->arena, &owner, &index, i, at, &value);
        wanted = wanted * 10 + value;
      }
      assert_int_equal(source->instruction != nullptr, is_known);
      assert_int_equal(why.length == 0, is_known);
      if (!is_known) break;
      if (code == 0) known++;
      assert_true(map_same_kinds(source->index, map));
      for (uint32_t i = 0; i < map_variable_count(map); i++)
        assert_memory_equal(&map_variable(source->index, i)->bounds, &map_variable(map, i)->bounds,
            sizeof(Interval));
      Point point = map_point(map, at);
      bool is_inside = true;
      for (uint32_t i = 0; i < map_variable_count(map); i++)
        is_inside &= at[i] >= owner.bounds[i].lo && at[i] <= owner.bounds[i].hi;
      assert_int_equal(
          map_evaluate(context, source->index, &point, result) == POINT_INSIDE, is_inside);
      if (is_inside) assert_int_equal(result[0], wanted);
    }
    map_context_destroy(context);
  }
  assert_true(known > rounds / 5 && known < rounds - rounds / 5);
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_denote_what_the_computations_say),
      cmocka_unit_test(index_maps_have_the_values_of_their_owners_variables),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
