/* Finds leaves of two loops that stay equal. Leaves of both loops are put into classes by their
 * initial values. Under the assumption that leaves of one class are equal, both bodies are
 * compared, and a class whose leaves differ afterwards is split, until no class is split. If both
 * conditions are then equal, both loops run equally often, and the final leaves of one class are
 * equal, by induction over the iterations. A leaf that the body returns unchanged is the outer
 * array.
 * Leaves may be in another order, and each loop may have further leaves. A loop that never ends has
 * no value, so nothing is claimed about it. */
#include <string.h>

#include "oracle/equivalence/values_state.h"

static constexpr uint32_t most_splits = 64;
static constexpr uint32_t most_partners = 32; /* initial values that are compared with one leaf */

struct Loop {
  const Node *nodes[2];
  bool in_parts, is_decided, ends_alike;
  uint32_t leaf_counts[2];
  uint32_t *classes[2]; /* [leaf] */
  bool *is_kept[2];     /* [leaf]: the body returns it unchanged */
  InputAlias *aliases[2];
  VerdictReason part;
};

static const Computation *loop_computation(const Node *node, const char *role) {
  const Instruction *instruction = node->instruction;
  for (uint32_t i = 0; i < instruction->called_count; i++)
    if (strcmp(instruction->called_roles[i], role) == 0) return instruction->called[i];
  return nullptr;
}

static bool loop_is_read(const Node *node) {
  const Computation *body = loop_computation(node, "body"),
                    *condition = loop_computation(node, "condition");
  return !node->is_input && node->instruction->opcode == HLO_WHILE && node->operand_count == 1 &&
         body != nullptr && condition != nullptr && body->parameter_count == 1 &&
         condition->parameter_count == 1 &&
         shape_leaf_count(body->root->shape) == node->leaf_count &&
         shape_leaf_count(body->parameters[0]->shape) == node->leaf_count;
}

static const Shape *loop_shape(const Loop *loop, int side, uint32_t leaf) {
  return loop->nodes[side]->leaves[leaf].shape;
}

/* --- classes by initial value --- */

static bool initial_fingerprint(
    OracleValues *values, const Loop *loop, int side, uint32_t leaf, Term *term) {
  return builder_fingerprint(&values->builders[side], loop->nodes[side]->operands[0], leaf, term);
}

static bool class_by_fingerprint(OracleValues *values, Loop *loop) {
  for (int side = 0; side < 2; side++)
    for (uint32_t leaf = 0; leaf < loop->leaf_counts[side]; leaf++)
      if (!initial_fingerprint(values, loop, side, leaf, &loop->classes[side][leaf])) return false;
  return true;
}

static bool has_partner(const Loop *loop, int side, uint32_t leaf) {
  for (uint32_t i = 0; i < loop->leaf_counts[1 - side]; i++)
    if (loop->classes[1 - side][i] == loop->classes[side][leaf]) return true;
  return false;
}

/* Joins classes whose initial values are proved equal but are different operations. */
static void class_by_proof(OracleValues *values, Loop *loop, uint32_t depth) {
  for (uint32_t leaf = 0; leaf < loop->leaf_counts[1]; leaf++) {
    uint32_t tried = 0;
    if (has_partner(loop, 1, leaf)) continue;
    for (uint32_t k = 0; k < loop->leaf_counts[0] && tried < most_partners; k++) {
      uint32_t other = (leaf + k) % loop->leaf_counts[0];
      if (!shape_compatible(loop_shape(loop, 0, other), loop_shape(loop, 1, leaf)) ||
          has_partner(loop, 0, other))
        continue;
      tried++;
      Arrays initial = {{loop->nodes[0]->operands[0], loop->nodes[1]->operands[0]}, {other, leaf}};
      if (!values_prove(values, initial, depth + 1)) continue;
      loop->classes[1][leaf] = loop->classes[0][other];
      break;
    }
  }
}

/* --- the bodies under the classes --- */

/* Binds each leaf inside the body to an outer array, or to the atom of its class. */
static void bind_inputs(Loop *loop, OracleValues *inner, uint32_t serial) {
  for (int side = 0; side < 2; side++) {
    TermBuilder *builder = &inner->builders[side];
    const Node *input = builder->flow.inputs[0];
    builder->aliases = loop->aliases[side];
    for (uint32_t leaf = 0; leaf < loop->leaf_counts[side]; leaf++) {
      uint32_t class = loop->classes[side][leaf];
      const char *text = arena_printf(inner->arena, "loop %u leaf %u", serial, class);
      uint32_t signature = signature_of(
          inner->terms, text, arena_printf(inner->arena, "loop%u.%u", inner->nesting, leaf));
      signature_at(inner->terms, signature)->shape = loop_shape(loop, side, leaf);
      builder->nodes[input->number].atoms[leaf] = signature;
    }
  }
}

static OracleValues *loop_bodies_enter(OracleValues *values, Loop *loop, const char *role) {
  OracleValues *inner = values_of_bodies(values, loop_computation(loop->nodes[0], role),
      loop_computation(loop->nodes[1], role), false);
  if (!inner->is_built) return nullptr;
  bind_inputs(loop, inner, values->shared->serials++);
  return values_prepare(inner) ? inner : nullptr;
}

/* Whether all initial values of the leaf's class have the same fingerprint. */
static bool is_class_of_one(OracleValues *values, const Loop *loop, int of, uint32_t leaf) {
  for (int side = 0; side < 2; side++)
    for (uint32_t i = 0; i < loop->leaf_counts[side]; i++) {
      Term initial;
      if (loop->classes[side][i] == loop->classes[of][leaf] &&
          (!initial_fingerprint(values, loop, side, i, &initial) ||
              initial != loop->classes[side][i]))
        return false;
    }
  return true;
}

/* Finds leaves that the body returns unchanged. Such a leaf aliases its initial value if the other
 * loop has no leaf of its class, or all initial values of the class have one fingerprint. */
static void find_kept(OracleValues *values, Loop *loop, const OracleValues *inner) {
  for (int side = 0; side < 2; side++)
    for (uint32_t leaf = 0; leaf < loop->leaf_counts[side]; leaf++) {
      const Node *node = inner->builders[side].flow.root;
      uint32_t at = leaf;
      builder_resolve(&node, &at);
      loop->is_kept[side][leaf] = node->is_input && at == leaf;
    }
  for (int side = 0; side < 2; side++)
    for (uint32_t leaf = 0; leaf < loop->leaf_counts[side]; leaf++) {
      if (!loop->is_kept[side][leaf] ||
          (has_partner(loop, side, leaf) && !is_class_of_one(values, loop, side, leaf)))
        continue;
      loop->aliases[side][leaf] =
          (InputAlias){&values->builders[side], loop->nodes[side]->operands[0], leaf};
    }
}

typedef struct Next {
  Term fingerprint;
  uint32_t class; /* of the next round */
} Next;

static bool next_fingerprints(const Loop *loop, OracleValues *inner, Next *next[2]) {
  for (int side = 0; side < 2; side++)
    for (uint32_t leaf = 0; leaf < loop->leaf_counts[side]; leaf++)
      if (!builder_fingerprint(&inner->builders[side], inner->builders[side].flow.root, leaf,
              &next[side][leaf].fingerprint))
        return false;
  return true;
}

static bool same_next(OracleValues *inner, Next *const next[2], uint32_t before, uint32_t after) {
  if (next[0][before].fingerprint == next[1][after].fingerprint) return true;
  Arrays arrays = {{inner->builders[0].flow.root, inner->builders[1].flow.root}, {before, after}};
  return values_prove(inner, arrays, 0);
}

/* Whether an earlier leaf of the same side has the same class and the same result. */
static bool earlier_equal(
    const Loop *loop, int side, const Next *next, uint32_t leaf, uint32_t *at) {
  for (*at = 0; *at < leaf; ++*at)
    if (loop->classes[side][*at] == loop->classes[side][leaf] &&
        next[*at].fingerprint == next[leaf].fingerprint)
      return true;
  return false;
}

static uint32_t partner_class(
    const Loop *loop, OracleValues *inner, Next *const next[2], uint32_t leaf) {
  for (uint32_t i = 0; i < loop->leaf_counts[0]; i++) {
    uint32_t other = (leaf + i) % loop->leaf_counts[0];
    if (loop->classes[0][other] == loop->classes[1][leaf] && same_next(inner, next, other, leaf))
      return next[0][other].class;
  }
  return no_term;
}

static uint32_t count_classes(const Loop *loop, uint32_t *const classes[2]) {
  uint32_t count = 0;
  for (int side = 0; side < 2; side++)
    for (uint32_t leaf = 0; leaf < loop->leaf_counts[side]; leaf++) {
      bool is_first = true;
      for (uint32_t i = 0; is_first && i < leaf; i++)
        is_first = classes[side][i] != classes[side][leaf];
      for (uint32_t i = 0; is_first && side == 1 && i < loop->leaf_counts[0]; i++)
        is_first = classes[0][i] != classes[1][leaf];
      count += is_first;
    }
  return count;
}

/* One round; `has_split` reports whether a class was split. */
static bool split_classes(OracleValues *values, Loop *loop, bool is_first, bool *has_split) {
  OracleValues *inner = loop_bodies_enter(values, loop, "body");
  Next *next[2];
  uint32_t fresh = 0, *made[2], at;
  if (inner == nullptr) return false;
  if (is_first) {
    find_kept(values, loop, inner);
    inner = loop_bodies_enter(values, loop, "body");
    if (inner == nullptr) return false;
  }
  for (int side = 0; side < 2; side++) {
    next[side] = ARENA_NEW(values->arena, Next, loop->leaf_counts[side]);
    made[side] = ARENA_NEW(values->arena, uint32_t, loop->leaf_counts[side]);
  }
  if (!next_fingerprints(loop, inner, next)) return false;
  for (int side = 0; side < 2; side++)
    for (uint32_t leaf = 0; leaf < loop->leaf_counts[side]; leaf++) {
      uint32_t *class = &next[side][leaf].class;
      if (earlier_equal(loop, side, next[side], leaf, &at)) *class = next[side][at].class;
      else *class = side == 1 ? partner_class(loop, inner, next, leaf) : no_term;
      if (*class == no_term) *class = fresh++;
      made[side][leaf] = *class;
    }
  values_leave_bodies(values, inner);
  *has_split = count_classes(loop, made) != count_classes(loop, loop->classes);
  for (int side = 0; side < 2; side++) loop->classes[side] = made[side];
  return true;
}

/* Conditions are proved without tries, because tried values seldom include the value at which a
 * loop ends. */
static bool conditions_equal(OracleValues *values, Loop *loop) {
  OracleValues *inner = loop_bodies_enter(values, loop, "condition");
  if (inner == nullptr) return false;
  inner->in_parts = false;
  Arrays roots = {{inner->builders[0].flow.root, inner->builders[1].flow.root}, {0, 0}};
  bool are_equal = values_prove(inner, roots, 0);
  values_leave_bodies(values, inner);
  return are_equal;
}

static void loop_leaves_decide(OracleValues *values, Loop *loop, uint32_t depth) {
  bool has_split = true;
  if (values->nesting >= most_nesting || !class_by_fingerprint(values, loop)) return;
  class_by_proof(values, loop, depth);
  for (uint32_t round = 0; has_split && round < most_splits; round++)
    if (!split_classes(values, loop, round == 0, &has_split)) return;
  loop->is_decided = !has_split;
  loop->ends_alike = loop->is_decided && conditions_equal(values, loop);
}

static Loop *find_loop(OracleValues *values, const Arrays *arrays) {
  for (uint32_t i = 0; i < values->loops.count; i++) {
    Loop *loop = values->loops.items[i];
    if (loop->nodes[0] == arrays->nodes[0] && loop->nodes[1] == arrays->nodes[1] &&
        loop->in_parts == values->in_parts)
      return loop;
  }
  return nullptr;
}

static Loop *create_loop(OracleValues *values, const Arrays *arrays) {
  Loop *loop = ARENA_NEW(values->arena, Loop, 1);
  loop->in_parts = values->in_parts;
  for (int side = 0; side < 2; side++) {
    uint32_t leaves = arrays->nodes[side]->leaf_count;
    loop->nodes[side] = arrays->nodes[side];
    loop->leaf_counts[side] = leaves;
    loop->classes[side] = ARENA_NEW(values->arena, uint32_t, leaves);
    loop->is_kept[side] = ARENA_NEW(values->arena, bool, leaves);
    loop->aliases[side] = ARENA_NEW(values->arena, InputAlias, leaves);
  }
  *ARENA_PUSH(values->arena, &values->loops) = loop;
  return loop;
}

bool values_prove_loop(OracleValues *values, const Arrays *arrays, uint32_t depth) {
  if (!loop_is_read(arrays->nodes[0]) || !loop_is_read(arrays->nodes[1])) return false;
  Loop *loop = find_loop(values, arrays);
  if (loop == nullptr) {
    VerdictReason part = values->part;
    loop = create_loop(values, arrays);
    loop_leaves_decide(values, loop, depth);
    loop->part = values->part;
    values->part = part;
  }
  if (!loop->ends_alike ||
      loop->classes[0][arrays->leaves[0]] != loop->classes[1][arrays->leaves[1]])
    return false;
  values_weaken(values, loop->part);
  return true;
}
