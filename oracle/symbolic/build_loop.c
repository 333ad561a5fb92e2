/* Loops with a known number of iterations: the condition is a constant before each iteration. The
 * loop is then a sequence of its bodies, and the leaves that enter a body are those that the
 * previous body returns. Past most_trips iterations, or if the condition is not constant, the loop
 * is opaque. Where inputs are tried, such a loop is looked up: the conditions are evaluated until
 * one is false. */
#include "oracle/symbolic/build.h"

#include <string.h>

static constexpr uint32_t most_trips = 64;
static constexpr uint64_t node_elements =
    8; /* a node of a body costs as much as this many elements */

/* What is built of the iterations so far. */
struct LoopTerms {
  bool is_known;
  uint64_t most_work;                 /* the limit with which building more failed; 0: it has not */
  uint32_t trips;                     /* the number of iterations, if is_known */
  InputAlias *states[most_trips + 1]; /* [trip][leaf]: before the iteration; or nullptr */
  Term conditions[most_trips + 1];    /* [trip]: no_term until first use */
};

static const Computation *loop_called(const Instruction *loop, const char *role) {
  for (uint32_t i = 0; i < loop->called_count; i++)
    if (strcmp(loop->called_roles[i], role) == 0) return loop->called[i];
  return nullptr;
}

static TermBuilder *loop_enter(
    TermBuilder *builder, const Node *node, const char *role, InputAlias *state) {
  const Computation *computation = loop_called(node->instruction, role);
  if (computation == nullptr || computation->parameter_count != 1) return nullptr;
  TermBuilder *inner = ARENA_NEW(builder->arena, TermBuilder, 1);
  if (!builder_create(inner, builder->arena, builder->terms, builder->element, computation, false,
          builder->work, builder->most_work, builder->rejection))
    return nullptr;
  inner->aliases = state;
  inner->side = builder->side;
  inner->depth = builder->depth + 1;
  return builder_spend(builder, node, node_elements * inner->flow.nodes.count) ? inner : nullptr;
}

static InputAlias *next_state(TermBuilder *builder, const Node *node, TermBuilder *body) {
  InputAlias *state = ARENA_NEW(builder->arena, InputAlias, node->leaf_count);
  for (uint32_t leaf = 0; leaf < node->leaf_count; leaf++)
    state[leaf] = (InputAlias){body, body->flow.root, leaf};
  return state;
}

/* The values before an iteration; nullptr past the limits. */
static InputAlias *loop_state(
    TermBuilder *builder, const Node *node, LoopTerms *loop, uint32_t trip) {
  InputAlias **state = &loop->states[trip];
  if (*state != nullptr) return *state;
  if (trip == 0) {
    *state = ARENA_NEW(builder->arena, InputAlias, node->leaf_count);
    for (uint32_t leaf = 0; leaf < node->leaf_count; leaf++)
      (*state)[leaf] = (InputAlias){builder, node->operands[0], leaf};
    return *state;
  }
  if (loop->states[trip - 1] == nullptr) return nullptr;
  TermBuilder *body = loop_enter(builder, node, "body", loop->states[trip - 1]);
  if (body != nullptr && body->flow.root->leaf_count == node->leaf_count)
    *state = next_state(builder, node, body);
  return *state;
}

/* Whether the loop runs iteration `trip`, as a term; false past the limits. */
static bool loop_condition(
    TermBuilder *builder, const Node *node, LoopTerms *loop, uint32_t trip, Term *holds) {
  InputAlias *state = loop_state(builder, node, loop, trip);
  *holds = loop->conditions[trip];
  if (state == nullptr || *holds != no_term) return state != nullptr;
  TermBuilder *condition = loop_enter(builder, node, "condition", state);
  if (condition == nullptr || !builder_element(condition, condition->flow.root, 0, 0, holds))
    return false;
  loop->conditions[trip] = *holds;
  return true;
}

/* False if something was rejected. */
static bool loop_run(TermBuilder *builder, const Node *node, LoopTerms *loop) {
  for (loop->trips = 0; loop->trips <= most_trips; loop->trips++) {
    Term holds;
    int64_t value;
    if (!loop_condition(builder, node, loop, loop->trips, &holds))
      return !builder->rejection->is_set;
    if (!terms_is_constant(builder->terms, holds, &value)) return true;
    loop->is_known = value == 0;
    if (loop->is_known) return true;
  }
  return true;
}

static LoopTerms *loop_of(TermBuilder *builder, const Node *node) {
  NodeTerms *kept = &builder->nodes[node->number];
  if (kept->loop != nullptr) return kept->loop;
  LoopTerms *loop = ARENA_NEW(builder->arena, LoopTerms, 1);
  memset(loop->conditions, 0xff, sizeof loop->conditions);
  if (!loop_run(builder, node, loop)) return nullptr;
  return kept->loop = loop;
}

bool loop_condition_before(TermBuilder *builder, const Node *node, uint32_t trip, Term *holds) {
  LoopTerms *loop = loop_of(builder, node);
  if (loop == nullptr || trip > most_trips || builder->most_work <= loop->most_work) return false;
  bool is_built = loop_condition(builder, node, loop, trip, holds);
  if (!is_built) loop->most_work = builder->most_work;
  return is_built;
}

bool loop_element_before(
    TermBuilder *builder, const Node *node, uint32_t trip, const LeafElement *at, Term *term) {
  LoopTerms *loop = loop_of(builder, node);
  if (loop == nullptr || trip > most_trips) return false;
  InputAlias *state = loop_state(builder, node, loop, trip);
  return state != nullptr && builder_alias_element(builder, &state[at->leaf], at->element, term);
}

bool build_loop(
    TermBuilder *builder, const Node *node, uint32_t leaf, int64_t element, Term *term) {
  if (node->operand_count != 1) return build_opaque(builder, node, leaf, element, term);
  LoopTerms *loop = loop_of(builder, node);
  if (loop == nullptr) return false;
  if (loop->is_known)
    return builder_alias_element(builder, &loop->states[loop->trips][leaf], element, term);
  if (!build_opaque(builder, node, leaf, element, term)) return false;
  builder_record_lookup(builder, node, &(LeafElement){leaf, element}, *term);
  return true;
}
