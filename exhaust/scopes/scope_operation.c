/* The table of operations. The ways to apply one are the numbers of its sequences of choices. */
#include "exhaust/scopes/scope_operation.h"

const ScopeOperation scope_operations[] = {
#define OPERATION(id, name, uses, ranges) {name, scope_##id, uses, ranges},
#include "exhaust/scopes/scope.def"
};

/* Of an operand of f32, without a writer. */
typedef struct Counted {
  ScopeGenerator *generate;
  OperationCase at_hand;
} Counted;

static void counted_generate(void *generator, Choices *choices) {
  Counted *counted = generator;
  counted->at_hand.choices = choices;
  if (!counted->generate(&counted->at_hand, nullptr)) choices_reject(choices);
}

static OperationCase case_of(const ScopeLimits *limits, const Tensor *in) {
  return (OperationCase){.limits = &limits->ranges, .type = TYPE_f32, .in = *in};
}

uint64_t scope_ways(const ScopeLimits *limits, ScopeOperationId operation, const Tensor *in) {
  Counted counted = {scope_operations[operation].generate, case_of(limits, in)};
  ChoiceKey key = operation_key(scope_key(operation), in);
  return numbering_count(limits->numbering, &key, counted_generate, &counted);
}

Tensor scope_write_way(const ScopeLimits *limits, ScopeOperationId operation, const Tensor *in,
    uint64_t way, ScopeWriter *writer) {
  Sequence sequence;
  OperationCase at_hand = case_of(limits, in);
  ChoiceKey key = operation_key(scope_key(operation), in);
  numbering_at(limits->numbering, &key, way, &sequence);
  GivenChoices given = choices_given(sequence.values, sequence.count);
  at_hand.choices = &given.choices;
  [[maybe_unused]] bool is_case = scope_operations[operation].generate(&at_hand, writer);
  assert(is_case);
  return at_hand.out;
}
