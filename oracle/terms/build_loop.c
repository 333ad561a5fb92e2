/* Loops with a known number of iterations: the condition is a constant before each iteration. The
 * loop is then a sequence of its bodies, and the leaves that enter a body are those that the
 * previous body returns. Past most_trips iterations, or if the condition is not constant, the loop
 * is opaque. */
#include "oracle/terms/build.h"

#include <string.h>

static constexpr uint32_t most_trips = 64;
static constexpr uint64_t node_elements =
    8; /* a node of a body costs as much as this many elements */

struct LoopTerms {
  bool is_known;
  InputAlias *state; /* [leaf]: the final values, if is_known */
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

/* False if something was rejected. */
static bool loop_run(TermBuilder *builder, const Node *node, LoopTerms *loop) {
  InputAlias *state = ARENA_NEW(builder->arena, InputAlias, node->leaf_count);
  for (uint32_t leaf = 0; leaf < node->leaf_count; leaf++)
    state[leaf] = (InputAlias){builder, node->operands[0], leaf};
  for (uint32_t trip = 0; trip <= most_trips; trip++) {
    Term holds;
    int64_t value;
    TermBuilder *condition = loop_enter(builder, node, "condition", state);
    if (condition == nullptr || !builder_element(condition, condition->flow.root, 0, 0, &holds))
      return !builder->rejection->is_set;
    if (!terms_is_constant(builder->terms, holds, &value)) return true;
    if (value == 0) {
      loop->is_known = true;
      loop->state = state;
      return true;
    }
    TermBuilder *body = loop_enter(builder, node, "body", state);
    if (body == nullptr || body->flow.root->leaf_count != node->leaf_count)
      return !builder->rejection->is_set;
    state = next_state(builder, node, body);
  }
  return true;
}

bool build_loop(
    TermBuilder *builder, const Node *node, uint32_t leaf, int64_t element, Term *term) {
  NodeTerms *kept = &builder->nodes[node->number];
  if (node->operand_count != 1) return build_opaque(builder, node, leaf, element, term);
  if (kept->loop == nullptr) {
    LoopTerms *loop = ARENA_NEW(builder->arena, LoopTerms, 1);
    if (!loop_run(builder, node, loop)) return false;
    kept->loop = loop;
  }
  if (!kept->loop->is_known) return build_opaque(builder, node, leaf, element, term);
  return builder_alias_element(builder, &kept->loop->state[leaf], element, term);
}
