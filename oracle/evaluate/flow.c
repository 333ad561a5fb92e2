/* Builds the flattened graph. Within a computation, nodes are created in textual order, so only
 * calls recurse. The recursion depth is the nesting of calls, at most flow_max_nesting. */
#include "oracle/evaluate/flow.h"

#include <assert.h>

#include "core/base/stack.h"
#include "oracle/semantics/tiles.h"
#include "oracle/evaluate/value_form.h"
#include "oracle/evaluate/wide.h"

Leaf flow_stated_operand(const Node *node, uint32_t operand, uint32_t leaf) {
  Leaf stated = node->operands[operand]->leaves[leaf];
  stated.shape = shape_leaf(node->instruction->operands[operand]->shape, leaf);
  return stated;
}

int64_t leaf_element(const Leaf *leaf, const int64_t *at) {
  int64_t element = 0;
  for (uint32_t i = 0; i < leaf->rank; i++) {
    assert(at[i] >= 0 && at[i] < leaf->sizes[i]);
    element = element * leaf->sizes[i] + at[i];
  }
  return element;
}

void leaf_index(const Leaf *leaf, int64_t element, int64_t *at) {
  assert(element >= 0 && element < leaf->elements);
  for (uint32_t i = leaf->rank; i-- > 0;) {
    at[i] = element % leaf->sizes[i];
    element /= leaf->sizes[i];
  }
}

void leaf_next(const Leaf *leaf, int64_t *at) {
  for (uint32_t i = leaf->rank; i-- > 0;) {
    if (++at[i] < leaf->sizes[i]) return;
    at[i] = 0;
  }
}

static uint32_t dimension_at(const Leaf *leaf, uint32_t minor) {
  return leaf->shape->has_layout ? leaf->shape->minor_to_major[minor] : leaf->rank - 1 - minor;
}

int64_t leaf_position(const Leaf *leaf, const int64_t *at) {
  int64_t position = 0;
  for (uint32_t minor = leaf->rank; minor-- > 0;) {
    uint32_t dimension = dimension_at(leaf, minor);
    position = position * leaf->sizes[dimension] + at[dimension];
  }
  return position;
}

void leaf_at_position(const Leaf *leaf, int64_t position, int64_t *at) {
  for (uint32_t minor = 0; minor < leaf->rank; minor++) {
    uint32_t dimension = dimension_at(leaf, minor);
    at[dimension] = position % leaf->sizes[dimension];
    position /= leaf->sizes[dimension];
  }
}

static bool set_leaves(Flow *flow, Node *node, const Shape *shape) {
  node->leaf_count = shape_leaf_count(shape);
  node->leaves = ARENA_NEW(flow->arena, Leaf, node->leaf_count);
  Wide total = 0;
  for (uint32_t i = 0; i < node->leaf_count; i++) {
    const Shape *leaf = shape_leaf(shape, i);
    if (leaf->is_unbounded)
      return reject(flow->rejection, REASON_UNSUPPORTED, "a size of '%s' is not known",
          node->instruction->name);
    bool is_array = shape_is_array(leaf);
    node->leaves[i] = (Leaf){.shape = leaf,
        .rank = is_array ? leaf->rank : 0,
        .sizes = leaf->sizes,
        .elements = is_array ? shape_elements(leaf) : 0};
    if (node->leaves[i].rank > oracle_max_rank)
      return reject(flow->rejection, REASON_TOO_LARGE, "'%s' has rank %u, at most %u is judged",
          node->instruction->name, node->leaves[i].rank, oracle_max_rank);
    total += node->leaves[i].elements;
  }
  if (total > INT64_MAX)
    return reject(
        flow->rejection, REASON_TOO_LARGE, "'%s' has too many elements", node->instruction->name);
  return true;
}

/* A node without a number: the nodes of its bodies are numbered first. */
static bool node_create(
    Flow *flow, const Instruction *instruction, uint32_t operand_count, Node **created) {
  if (flow->nodes.count >= flow_max_nodes)
    return reject(flow->rejection, REASON_TOO_LARGE, "there are more than %u operations in '%s'",
        flow_max_nodes, flow->judged->name);
  Node *node = ARENA_NEW(flow->arena, Node, 1);
  node->instruction = instruction;
  node->operand_count = operand_count;
  node->operands = ARENA_NEW(flow->arena, Node *, operand_count);
  if (instruction->opcode == HLO_BITCAST)
    node->memories =
        ARENA_NEW(flow->arena, Memory, 2 * (size_t)shape_leaf_count(instruction->shape));
  *created = node;
  return set_leaves(flow, node, instruction->shape);
}

static void number_node(Flow *flow, Node *node) {
  node->number = flow->nodes.count;
  *ARENA_PUSH(flow->arena, &flow->nodes) = node;
  if (flow->is_fixed_known) node->is_fixed = !node->is_input && node_is_fixed(node);
}

static bool frame_create(Flow *flow, const Computation *computation, Node **arguments,
    uint32_t nesting, bool is_inside, Frame **frame) {
  if (nesting > flow_max_nesting)
    return reject(
        flow->rejection, REASON_TOO_LARGE, "calls are nested more than %u deep", flow_max_nesting);
  if (stack_is_low()) return reject(flow->rejection, REASON_TOO_LARGE, "%s", stack_low_text);
  *frame = ARENA_NEW(flow->arena, Frame, 1);
  **frame = (Frame){.computation = computation,
      .arguments = arguments,
      .nodes = ARENA_NEW(flow->arena, Node *, computation->instruction_count),
      .nesting = nesting,
      .is_inside = is_inside,
      .next = flow->frames};
  flow->frames = *frame;
  return true;
}

static bool flow_build(Flow *flow, Frame *frame, const Instruction *last, Node **node);

static bool build_body(
    Flow *flow, const Frame *around, const Computation *body, Node **arguments, Node **root) {
  Frame *frame = nullptr;
  return frame_create(flow, body, arguments, around->nesting + 1, around->is_inside, &frame) &&
         flow_build(flow, frame, body->root, root);
}

/* The operands of `instruction` in `frame`; their nodes exist already. */
static void link_operands(const Frame *frame, const Instruction *instruction, Node **operands) {
  for (uint32_t i = 0; i < instruction->operand_count; i++) {
    assert(instruction->operands[i]->parent == frame->computation);
    operands[i] = frame->nodes[instruction->operands[i]->id];
    assert(operands[i] != nullptr);
  }
}

static bool is_inlined(const Instruction *instruction) {
  return (instruction->opcode == HLO_FUSION || instruction->opcode == HLO_CALL) &&
         instruction->called_count > 0;
}

static uint32_t body_count(const Instruction *instruction) {
  if (instruction->opcode == HLO_ASYNC_START) return instruction->called_count > 0;
  if (instruction->opcode == HLO_CONDITIONAL &&
      instruction->operand_count == instruction->called_count + 1)
    return instruction->called_count;
  return 0;
}

/* Adds the roots of a node's bodies as further operands. An async body takes all operands; branch i
 * of a conditional takes operand i + 1. */
static bool link_bodies(Flow *flow, const Frame *around, Node *node) {
  const Instruction *instruction = node->instruction;
  for (uint32_t i = instruction->operand_count; i < node->operand_count; i++) {
    uint32_t body = i - instruction->operand_count;
    Node **arguments =
        instruction->opcode == HLO_ASYNC_START ? node->operands : node->operands + 1 + body;
    if (!build_body(flow, around, instruction->called[body], arguments, &node->operands[i]))
      return false;
  }
  return true;
}

static bool add_operation(Flow *flow, Frame *frame, const Instruction *instruction, Node **node) {
  if (!node_create(flow, instruction, instruction->operand_count + body_count(instruction), node))
    return false;
  assert(*node != nullptr);
  link_operands(frame, instruction, (*node)->operands);
  if (!link_bodies(flow, frame, *node)) return false;
  number_node(flow, *node);
  return true;
}

static bool add_node(Flow *flow, Frame *frame, const Instruction *instruction, Node **node) {
  if (instruction->opcode == HLO_PARAMETER && frame->arguments != nullptr) {
    *node = frame->arguments[instruction->number];
    return true;
  }
  if (!is_inlined(instruction)) return add_operation(flow, frame, instruction, node);
  Node **arguments = ARENA_NEW(flow->arena, Node *, instruction->operand_count);
  link_operands(frame, instruction, arguments);
  return build_body(flow, frame, instruction->called[0], arguments, node);
}

/* Creates the nodes of `last` and of everything that it depends on within its computation. */
static bool flow_build(Flow *flow, Frame *frame, const Instruction *last, Node **node) {
  uint8_t *needed = ARENA_NEW(flow->arena, uint8_t, last->id + 1);
  needed[last->id] = 1;
  for (uint32_t id = last->id + 1; id-- > 0;) {
    const Instruction *instruction = frame->computation->instructions[id];
    for (uint32_t i = 0;
        needed[id] && frame->nodes[id] == nullptr && i < instruction->operand_count; i++) {
      assert(instruction->operands[i]->id < id);
      needed[instruction->operands[i]->id] = 1;
    }
  }
  for (uint32_t id = 0; id <= last->id; id++) {
    if (!needed[id] || frame->nodes[id] != nullptr) continue;
    Node *made;
    if (!add_node(flow, frame, frame->computation->instructions[id], &made)) return false;
    frame->nodes[id] = made;
  }
  *node = frame->nodes[last->id];
  return true;
}

static bool make_inputs(Flow *flow) {
  flow->input_count = flow->judged->operand_count;
  flow->inputs = ARENA_NEW(flow->arena, Node *, flow->input_count);
  for (uint32_t i = 0; i < flow->input_count; i++) {
    if (!node_create(flow, flow->judged->operands[i], 0, &flow->inputs[i])) return false;
    flow->inputs[i]->is_input = true;
    flow->inputs[i]->input = i;
    number_node(flow, flow->inputs[i]);
  }
  return true;
}

static bool make_root(Flow *flow) {
  static const Frame judged_frame = {.is_inside = true};
  const Instruction *judged = flow->judged;
  if (is_inlined(judged))
    return build_body(flow, &judged_frame, judged->called[0], flow->inputs, &flow->root);
  if (!node_create(flow, judged, flow->input_count + body_count(judged), &flow->root)) return false;
  for (uint32_t i = 0; i < flow->input_count; i++) flow->root->operands[i] = flow->inputs[i];
  if (!link_bodies(flow, &judged_frame, flow->root)) return false;
  number_node(flow, flow->root);
  return true;
}

bool flow_create(Flow *flow, Arena *arena, const Instruction *judged, Rejection *rejection) {
  *flow = (Flow){.arena = arena, .rejection = rejection, .judged = judged};
  return make_inputs(flow) && make_root(flow);
}

static bool outside_frame(Flow *flow) {
  return flow->outside != nullptr ||
         frame_create(flow, flow->judged->parent, nullptr, 0, false, &flow->outside);
}

bool flow_outside(Flow *flow, Node *input, Node **node) {
  assert(input->is_input);
  if (input->outside == nullptr &&
      !(outside_frame(flow) &&
          flow_build(flow, flow->outside, flow->judged->operands[input->input], &input->outside)))
    return false;
  *node = input->outside;
  return true;
}

/* Inputs have the smallest numbers. Nodes outside of the judged instruction get is_fixed when they
 * are built. */
bool flow_know_fixed(Flow *flow) {
  if (flow->is_fixed_known) return true;
  flow->is_fixed_known = true;
  uint32_t inside = flow->nodes.count;
  for (uint32_t i = 0; i < flow->input_count; i++) {
    Node *input = flow->inputs[i], *outside;
    if (input->leaf_count != 1 || !element_type_is_integral(input->leaves[0].shape->type)) continue;
    if (!flow_outside(flow, input, &outside)) return false;
    input->is_fixed = outside->is_fixed;
  }
  for (uint32_t i = flow->input_count; i < inside; i++)
    flow->nodes.items[i]->is_fixed = node_is_fixed(flow->nodes.items[i]);
  return true;
}

bool flow_find(Flow *flow, const Instruction *instruction, Node **node) {
  if (!outside_frame(flow)) return false;
  Frame *found = nullptr;
  uint32_t inside = 0, around = 0;
  for (Frame *frame = flow->frames; frame != nullptr; frame = frame->next) {
    if (frame->computation != instruction->parent) continue;
    if (frame->is_inside || inside == 0) found = frame;
    inside += frame->is_inside;
    around += !frame->is_inside;
  }
  if (inside + around == 0)
    return reject(flow->rejection, REASON_UNSUPPORTED,
        "the map names '%s', which is not part of '%s' or its surroundings", instruction->name,
        flow->judged->name);
  if (inside > 1 || (inside == 0 && around > 1))
    return reject(flow->rejection, REASON_UNSUPPORTED,
        "the map names '%s', which runs several times in '%s'", instruction->name,
        flow->judged->name);
  return flow_build(flow, found, instruction, node);
}
