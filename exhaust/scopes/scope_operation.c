/* The table of operations. A way to apply an operation is the number of a choice sequence. */
#include "exhaust/scopes/scope_operation.h"

const ScopeOperation scope_operations[] = {
#define OPERATION(id, name, uses, ranges) {name, generate_##id, uses, ranges},
#include "generate/operations/scope.def"
};

/* Counts the ways for an f32 operand, without a builder. */
typedef struct Counted {
  OperationGenerator *generate;
  OperationCase at_hand;
} Counted;

static void counted_generate(void *generator, Choices *choices) {
  Counted *counted = generator;
  counted->at_hand.choices = choices;
  if (!counted->generate(&counted->at_hand)) choices_reject(choices);
}

static OperationCase case_of(const ScopeLimits *limits, const Tensor *in) {
  return (OperationCase){.limits = &limits->ranges, .type = TYPE_f32, .in = *in};
}

/* A key that no generator uses itself. */
static uint32_t key_of(GeneratedOperation operation) { return generated_count + operation; }

uint64_t scope_ways(const ScopeLimits *limits, GeneratedOperation operation, const Tensor *in) {
  Counted counted = {scope_operations[operation].generate, case_of(limits, in)};
  ChoiceKey key = operation_key(key_of(operation), in);
  return numbering_count(limits->numbering, &key, counted_generate, &counted);
}

Tensor scope_make_way(const ScopeLimits *limits, GeneratedOperation operation, const Tensor *in,
    uint64_t way, ScopeCase *made) {
  Sequence sequence;
  OperationCase at_hand = case_of(limits, in);
  ChoiceKey key = operation_key(key_of(operation), in);
  numbering_at(limits->numbering, &key, way, &sequence);
  GivenChoices given = choices_given(sequence.values, sequence.count);
  at_hand.choices = &given.choices;
  if (made != nullptr) {
    at_hand.builder = &made->body;
    at_hand.source = &made->source;
    at_hand.operand = made->at_hand;
  }
  [[maybe_unused]] bool is_case = scope_operations[operation].generate(&at_hand);
  assert(is_case);
  if (made != nullptr) made->at_hand = at_hand.result;
  return at_hand.out;
}
