/* The read relation of small operations with several operands and results, by search, against the
 * operation run on sets of elements: every pair of an element of a result and of an operand. */
#include "core/hlo/test/leaf_operations.h"

#include "core/base/test/length.h"
#include "core/hlo/read/read.h"
#include "smt/relation/relation_search.h"
#include "smt/semantics/hlo_walk.h"

static Sum *leaf_index(Sums *sums, Arena *arena, uint32_t rank) {
  Sum *index = ARENA_NEW(arena, Sum, leaf_rank);
  for (uint32_t i = 0; i < rank; i++) index[i] = sum_free(sums, "x");
  return index;
}

static void give_index(
    const Sums *sums, const Sum *index, LeafShape shape, uint32_t element, Wide *values) {
  int64_t at[leaf_rank];
  leaf_at(shape, element, at);
  for (uint32_t i = 0; i < shape.rank; i++) {
    uint32_t atom = 0;
    assert_true(sum_is_atom(sums, index[i], &atom));
    values[atom] = at[i];
  }
}

typedef struct LeafQuestion {
  const LeafReads *reads;
  const char *module;
  uint32_t result, slot;
  Sums *sums;
  const Sum *output, *element;
  const WalkAnswer *answer;
} LeafQuestion;

static bool has_pair(const LeafQuestion *question, uint32_t output, uint32_t element) {
  Sums *sums = question->sums;
  uint32_t count = sums->atom_count;
  Wide *values = ARENA_NEW(sums->arena, Wide, count);
  give_index(sums, question->output, question->reads->results[question->result], output, values);
  give_index(
      sums, question->element, question->reads->slots[question->slot].shape, element, values);
  for (uint32_t i = 0; i < count; i++) assert_true(sums_complete_atom(sums, values, i));
  for (uint32_t i = 0; i < question->answer->relation.count; i++) {
    SearchResult found = relation_search(sums, &question->answer->relation.items[i], count, values);
    assert_int_not_equal(found, FOUND_TOO_FAR);
    if (found == FOUND) return true;
  }
  return false;
}

static void check_slot(LeafQuestion question, const Instruction *root) {
  const LeafReads *reads = question.reads;
  LeafShape from = reads->results[question.result], to = reads->slots[question.slot].shape;
  question.sums = sums_create(reads->arena);
  question.output = leaf_index(question.sums, reads->arena, from.rank);
  question.element = leaf_index(question.sums, reads->arena, to.rank);
  WalkAnswer answer = hlo_walk_operand(question.sums, root, question.result, question.output,
      reads->slots[question.slot].operand, reads->slots[question.slot].leaf, question.element);
  question.answer = &answer;
  if (answer.walked != WALKED || answer.at_most != nullptr)
    fail_msg("%s\nresult %u, slot %u: %s", question.module, question.result, question.slot,
        answer.walked == WALKED ? answer.at_most : answer.lacking);
  for (uint32_t i = 0; i < leaf_count(from); i++)
    for (uint32_t k = 0; k < leaf_count(to); k++) {
      bool is_read = (reads->sets[question.result][i].of[question.slot] >> k & 1) != 0;
      if (has_pair(&question, i, k) != is_read)
        fail_msg("%s\nresult %u, element %u: element %u of slot %u is %s", question.module,
            question.result, i, k, question.slot, is_read ? "read" : "not read");
    }
}

static void results_read_what_they_are_computed_from(void **) {
  const uint32_t rounds = test_length(400, 200, 40);
  static LeafReads reads;
  for (size_t kind = 0; kind < sizeof leaf_operations / sizeof *leaf_operations; kind++) {
    uint64_t random = 5;
    for (uint32_t round = 0; round < rounds; round++) {
      reads = (LeafReads){.random = random, .arena = arena_create()};
      const char *text = leaf_module(&reads, leaf_operations[kind]);
      Source source = {.name = "leaf", .text = text, .length = strlen(text), .first_line = 1};
      const Module *module;
      Error error = {};
      if (!hlo_read(reads.arena, &source, &module, &error)) fail_msg("%s\n%s", error.message, text);
      for (uint32_t result = 0; result < reads.result_count; result++)
        for (uint32_t slot = 0; slot < reads.slot_count; slot++)
          check_slot(
              (LeafQuestion){.reads = &reads, .module = text, .result = result, .slot = slot},
              module->entry->root);
      random = reads.random;
      arena_destroy(reads.arena);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(results_read_what_they_are_computed_from),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
