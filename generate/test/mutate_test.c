/* All results of the mutator and the crossover decode to valid modules, fit the capacity, and are
 * deterministic in the seed. Each kind of mutation occurs: its count over 100,000 mutations is
 * printed and, if it was applied alone, how often the graph shows its effect (one operation more,
 * another dimension of size 1, another layout). A graft is connected: it reads earlier values, and
 * later records read it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/map/test/random_map.h"
#include "generate/decoded_module.h"
#include "generate/mutate.h"
#include "generate/mutate_rule.h"
#include "smt/rules/prove.h"

static constexpr size_t capacity = fuzz_header_bytes + fuzz_max_operations * fuzz_record_bytes;

static size_t draw_up_to(RandomMaps *random, uint8_t *bytes, size_t most) {
  size_t size = (size_t)random_between(random, 0, (int64_t)most);
  for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)random_next(random);
  return size;
}

static size_t mutate_test_draw(RandomMaps *random, uint8_t *bytes) {
  return draw_up_to(random, bytes, capacity);
}

static void mutants_are_valid(void **state) {
  (void)state;
  Arena *arena = arena_create();
  RandomMaps random = {.state = 31};
  uint32_t changed = 0, rounds = getenv("AFFIRM_FEW") != nullptr ? 400 : 10000;
  for (uint32_t i = 0; i < rounds; i++) {
    ArenaMark mark = arena_mark(arena);
    uint8_t bytes[capacity] = {}, again[capacity], before[capacity];
    size_t size = mutate_test_draw(&random, bytes);
    uint32_t seed = (uint32_t)random_next(&random);
    memcpy(again, bytes, sizeof again);
    memcpy(before, bytes, sizeof before);
    size_t mutated = fuzz_mutate_graph(bytes, size, capacity, seed, nullptr);
    assert_true(mutated <= capacity);
    assert_int_equal(mutated, fuzz_mutate_graph(again, size, capacity, seed, nullptr));
    assert_memory_equal(bytes, again, mutated);
    changed += mutated != size || memcmp(bytes, before, size) != 0;
    (void)decoded_module(arena, bytes, mutated);
    arena_rewind(arena, mark);
  }
  assert_true(changed > rounds * 9 / 10);
  arena_destroy(arena);
}

/* Facts about a graph that mutations change. */
typedef struct MutateFacts {
  uint64_t opcodes, shapes, layouts, all;
  uint32_t instructions, fusions, calls, reversals, ones, zeros, outputs;
} MutateFacts;

static void look_at_array(MutateFacts *facts, const Shape *shape) {
  for (uint32_t i = 0; i < shape->rank; i++) {
    facts->ones += shape->sizes[i] == 1;
    facts->zeros += shape->sizes[i] == 0;
    facts->shapes = hash_mix(facts->shapes, (uint64_t)shape->sizes[i]);
    facts->layouts = hash_mix(facts->layouts, shape->has_layout ? shape->minor_to_major[i] + 1 : 0);
  }
  facts->shapes = hash_mix(facts->shapes, shape->type);
}

static MutateFacts facts_of(const Module *module) {
  MutateFacts facts = {.outputs = shape_leaf_count(module->entry->root->shape)};
  for (uint32_t c = 0; c < module->computation_count; c++)
    for (uint32_t i = 0; i < module->computations[c]->instruction_count; i++) {
      const Instruction *instruction = module->computations[c]->instructions[i];
      facts.instructions++;
      facts.fusions += instruction->opcode == HLO_FUSION;
      facts.calls += instruction->opcode == HLO_CALL;
      facts.reversals += instruction->opcode == HLO_REVERSE;
      facts.opcodes = hash_mix(facts.opcodes, instruction->opcode);
      if (!shape_is_tuple(instruction->shape)) look_at_array(&facts, instruction->shape);
      for (uint32_t k = 0; k < instruction->operand_count; k++)
        facts.all = hash_mix(facts.all, instruction->operands[k]->id);
      for (uint32_t k = 0; k < instruction->attribute_count; k++)
        facts.all = hash_mix(facts.all, hash_text(0, instruction->attributes[k].text));
    }
  facts.all = hash_mix(facts.all, hash_mix(facts.opcodes, hash_mix(facts.shapes, facts.layouts)));
  return facts;
}

static bool mutate_shows(
    FuzzMutation mutation, const MutateFacts *before, const MutateFacts *after) {
  switch (mutation) {
    case FUZZ_MUTATION_insert:
    case FUZZ_MUTATION_repeat:
    case FUZZ_MUTATION_graft:
      return after->instructions > before->instructions && after->opcodes != before->opcodes;
    case FUZZ_MUTATION_delete: return after->instructions < before->instructions;
    case FUZZ_MUTATION_replace: return after->opcodes != before->opcodes;
    case FUZZ_MUTATION_swap:
    case FUZZ_MUTATION_turn_around:
    case FUZZ_MUTATION_change_operand:
    case FUZZ_MUTATION_change_attribute: return after->all != before->all;
    case FUZZ_MUTATION_change_shape: return after->shapes != before->shapes;
    case FUZZ_MUTATION_change_layout: return after->layouts != before->layouts;
    case FUZZ_MUTATION_make_one: return after->ones > before->ones;
    case FUZZ_MUTATION_make_zero: return after->zeros > before->zeros;
    case FUZZ_MUTATION_reverse: return after->reversals > before->reversals;
    case FUZZ_MUTATION_wrap: return after->fusions > before->fusions;
    case FUZZ_MUTATION_unwrap:
      return after->fusions + after->calls < before->fusions + before->calls;
    case FUZZ_MUTATION_change_outputs: return after->outputs != before->outputs;
  }
  return false;
}

static void each_kind_is_taken_and_shows(void **state) {
  (void)state;
  Arena *arena = arena_create();
  RandomMaps random = {.state = 33};
  uint32_t taken[fuzz_mutation_count] = {}, alone[fuzz_mutation_count] = {},
           shown[fuzz_mutation_count] = {};
  uint32_t rounds = getenv("AFFIRM_FEW") != nullptr ? 10000 : 100000;
  for (uint32_t i = 0; i < rounds; i++) {
    ArenaMark mark = arena_mark(arena);
    uint8_t bytes[capacity] = {};
    size_t size = draw_up_to(&random, bytes, fuzz_header_bytes + 4 * fuzz_record_bytes);
    MutateFacts before = facts_of(decoded_module(arena, bytes, size));
    uint32_t kinds;
    size = fuzz_mutate_graph(bytes, size, capacity, (uint32_t)random_next(&random), &kinds);
    MutateFacts after = facts_of(decoded_module(arena, bytes, size));
    for (uint32_t k = 0; k < fuzz_mutation_count; k++) {
      if ((kinds >> k & 1) == 0) continue;
      taken[k]++;
      if (kinds != 1u << k) continue;
      alone[k]++;
      shown[k] += mutate_shows((FuzzMutation)k, &before, &after);
    }
    arena_rewind(arena, mark);
  }
  for (uint32_t k = 0; k < fuzz_mutation_count; k++)
    print_message("%-16s %7u taken, alone %6u, and then the graph shows it %6u\n",
        fuzz_mutation_name((FuzzMutation)k), taken[k], alone[k], shown[k]);
  for (uint32_t k = 0; k < fuzz_mutation_count; k++)
    if (taken[k] == 0 || shown[k] * 4 < alone[k] || shown[k] == 0)
      fail_msg("%s is not what it says", fuzz_mutation_name((FuzzMutation)k));
  arena_destroy(arena);
}

/* In a body with every fusion around it that the header gives, a wrap inserts one more: it reverses
 * the newest value, and the operations before it are still read. */
static void a_wrap_inside_is_a_fusion(void **) {
  Arena *arena = arena_create();
  uint32_t wraps = 0;
  for (uint32_t seed = 0; seed < 4000; seed++) {
    ArenaMark mark = arena_mark(arena);
    uint8_t bytes[capacity] = {2};
    uint32_t kinds;
    MutateFacts before = facts_of(decoded_module(arena, bytes, fuzz_header_bytes));
    size_t size = fuzz_mutate_graph(bytes, fuzz_header_bytes, capacity, seed, &kinds);
    if (kinds == 1u << FUZZ_MUTATION_wrap && size == fuzz_header_bytes + fuzz_record_bytes) {
      MutateFacts after = facts_of(decoded_module(arena, bytes, size));
      assert_int_equal(after.fusions, before.fusions + 1);
      assert_true(after.reversals > before.reversals);
      wraps++;
    }
    arena_rewind(arena, mark);
  }
  assert_true(wraps > 10);
  arena_destroy(arena);
}

static void crossings_are_valid(void **state) {
  (void)state;
  Arena *arena = arena_create();
  RandomMaps random = {.state = 32};
  uint32_t rounds = getenv("AFFIRM_FEW") != nullptr ? 400 : 10000;
  for (uint32_t i = 0; i < rounds; i++) {
    ArenaMark mark = arena_mark(arena);
    uint8_t first[capacity], second[capacity], out[capacity];
    size_t first_size = mutate_test_draw(&random, first),
           second_size = mutate_test_draw(&random, second);
    size_t size = fuzz_cross_graphs(first, first_size, second, second_size, out,
        (size_t)random_between(&random, 0, capacity), (uint32_t)random_next(&random));
    assert_true(size <= capacity);
    (void)decoded_module(arena, out, size);
    arena_rewind(arena, mark);
  }
  arena_destroy(arena);
}

static const Computation *body_of(const Module *module) {
  for (uint32_t c = 0; c < module->computation_count; c++)
    if (strcmp(module->computations[c]->name, "body") == 0) return module->computations[c];
  fail_msg("no body");
  return nullptr;
}

/* The number of body instructions from the first `records` records, without the root. */
static uint32_t prefix_of(Arena *arena, const uint8_t *bytes, size_t records) {
  return body_of(decoded_module(arena, bytes, fuzz_header_bytes + records * fuzz_record_bytes))
             ->instruction_count -
         1;
}

/* True if an instruction in [from, to) has an operand in [low, high). */
static bool reads(
    const Computation *body, uint32_t from, uint32_t to, uint32_t low, uint32_t high) {
  for (uint32_t i = from; i < to; i++)
    for (uint32_t k = 0; k < body->instructions[i]->operand_count; k++) {
      uint32_t operand = body->instructions[i]->operands[k]->id;
      if (operand >= low && operand < high) return true;
    }
  return false;
}

/* Grafts a piece of the second graph between the third and fourth operation of six. */
static void a_graft_is_fed_and_feeds(void **state) {
  (void)state;
  Arena *arena = arena_create();
  RandomMaps random = {.state = 34};
  uint32_t fed = 0, feeds = 0, both = 0, rounds = 2000;
  for (uint32_t i = 0; i < rounds; i++) {
    ArenaMark mark = arena_mark(arena);
    uint8_t first[capacity], second[capacity], out[capacity];
    static constexpr size_t size = fuzz_header_bytes + 6 * fuzz_record_bytes;
    for (size_t k = 0; k < size; k++) first[k] = (uint8_t)random_next(&random);
    for (size_t k = 0; k < size; k++) second[k] = (uint8_t)random_next(&random);
    FuzzGraft graft = {.from = (size_t)random_between(&random, 0, 4), .count = 2, .at = 3};
    assert_int_equal(
        fuzz_graft_graph(first, size, second, graft, out, capacity), size + 2 * fuzz_record_bytes);
    assert_memory_equal(out, first, fuzz_header_bytes + 3 * fuzz_record_bytes);
    assert_memory_equal(
        out + size + fuzz_record_bytes, first + size - fuzz_record_bytes, fuzz_record_bytes);
    uint32_t before = prefix_of(arena, out, 3), after = prefix_of(arena, out, 5),
             end = prefix_of(arena, out, 8);
    const Computation *body = body_of(decoded_module(arena, out, size + 2 * fuzz_record_bytes));
    bool is_fed = reads(body, before, after, 0, before),
         does_feed = reads(body, after, end, before, after);
    fed += is_fed;
    feeds += does_feed;
    both += is_fed && does_feed;
    arena_rewind(arena, mark);
  }
  print_message("of %u grafts %u read what is before them, %u are read by what is after, %u both\n",
      rounds, fed, feeds, both);
  assert_true(fed > rounds / 2 && feeds > rounds / 2 && both > rounds / 3);
  arena_destroy(arena);
}

/* Without further bytes the selected rule is unchanged: the rule itself for a low second byte, its
 * negative example for a high one. */
static void every_second_rule_is_a_negative(void **) {
  Arena *arena = arena_create();
  RuleSet rules = {};
  Error error = {};
  assert_true(rules_engine(arena, &rules, &error));
  uint32_t near = 0;
  for (uint32_t i = 0; i < 256; i++) {
    Text texts[2] = {text_create(arena), text_create(arena)};
    for (uint8_t half = 0; half < 2; half++) {
      const uint8_t bytes[] = {(uint8_t)i, half == 0 ? 0 : 128};
      Rule rule = fuzz_mutate_rule(arena, &rules, bytes, sizeof bytes),
           plain = rules.items[(bytes[0] + 256u * bytes[1]) % rules.count];
      Rule chosen = half == 1 && plain.has_negative ? rule_negative(&plain) : plain;
      assert_int_equal(rule.guard_count, chosen.guard_count);
      near += half == 1 && plain.has_negative;
      rule_print(&texts[0], &rule);
      chosen.name = "changed";
      chosen.has_negative = false;
      chosen.example = chosen.order = nullptr;
      rule_print(&texts[1], &chosen);
      assert_string_equal(texts[0].bytes, texts[1].bytes);
    }
  }
  assert_true(near > 200);
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(mutants_are_valid),
      cmocka_unit_test(each_kind_is_taken_and_shows), cmocka_unit_test(a_wrap_inside_is_a_fusion),
      cmocka_unit_test(crossings_are_valid), cmocka_unit_test(a_graft_is_fed_and_feeds),
      cmocka_unit_test(every_second_rule_is_a_negative)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
