/* The graph of one instruction, flattened: fusions and calls are replaced by their bodies, and
 * inner parameters by the arguments. The nodes are operations, and one input for each operand of
 * the judged instruction.
 * Keeps: a node's operands have smaller numbers than the node. A computation that is called twice
 * has two frames, so each of its instructions has two nodes.
 * A flow with a nesting of calls above flow_max_nesting, or with more than flow_max_nodes nodes, is
 * rejected as too large. */
#ifndef ORACLE_EVALUATE_FLOW_H
#define ORACLE_EVALUATE_FLOW_H

#include "oracle/semantics/rejection.h"

static constexpr uint32_t flow_max_nesting = 200;
static constexpr uint32_t flow_max_nodes = 200000;

typedef struct Node Node;
typedef struct Frame Frame;

/* One leaf of a node's shape: its index space. Tokens and opaque values have no elements. */
typedef struct Leaf {
  const Shape *shape;
  uint32_t rank;
  const int64_t *sizes;
  int64_t elements;
} Leaf;

struct Node {
  const Instruction *instruction;
  Frame *frame;
  uint32_t number;
  uint32_t operand_count;
  Node **operands; /* the instruction's operands, then the roots of branches and async bodies */
  uint32_t leaf_count;
  Leaf *leaves;
  bool is_input; /* represents operand `input` of the judged instruction */
  uint32_t input;
  Node *outside;   /* of an input: the node of the operand itself, once its value was needed */
  bool is_fixed;   /* the value is known without any choice: constants, iotas and integer arithmetic
                      of those */
  uint8_t *needed; /* by leaf: a queried element may depend on it */
  bool reaches;    /* the node depends on the target input */
  bool is_dynamic; /* chosen values decide which elements of the target the node depends on */
  bool is_cut;     /* its own indices are chosen values */
  bool differs;    /* of a node that reaches: on another device it may depend on other elements */
  int64_t base;    /* of a cut node that is not the root: the number of its first element in sets */
  struct Memory *memories; /* of a bitcast: [2] for each leaf, the layouts of output and operand,
                              computed at first use */
  uint32_t *sets;          /* set numbers by leaf and element, where they have been computed */
  uint64_t drawn;       /* the last assignment under which an element was drawn; of no parameter */
  const uint64_t *cone; /* by number: what the node depends on; nullptr until it is asked for */
  bool is_given_known;  /* `has_given` is */
  bool has_given;       /* of a custom call: a parameter, or what no rule states, is passed to it */
};

struct Frame {
  const Computation *computation;
  Node **arguments; /* the values of the parameters; nullptr where they are unknown */
  Node **nodes;     /* by instruction id */
  uint32_t nesting;
  bool is_inside; /* part of the judged instruction */
  Frame *next;
};

typedef struct NodeList {
  uint32_t count, capacity;
  Node **items;
} NodeList;

typedef struct Flow {
  Arena *arena;
  Rejection *rejection;
  const Instruction *judged;
  NodeList nodes;
  Frame *frames;
  uint32_t input_count;
  Node **inputs;
  Node *root;
  Frame *outside;
  bool is_fixed_known;
} Flow;

[[nodiscard]] bool flow_create(
    Flow *flow, Arena *arena, const Instruction *judged, Rejection *rejection);
/* The node that computes the value of an input: the operand, in the computation around the judged
 * instruction. */
[[nodiscard]] bool flow_outside(Flow *flow, Node *input, Node **node);
/* Sets is_fixed of every node, and of every node built later. */
[[nodiscard]] bool flow_know_fixed(Flow *flow);
/* The node of an instruction that a map names. Rejects an instruction that is not part of the flow
 * or its surroundings, or that runs several times in it. */
[[nodiscard]] bool flow_find(Flow *flow, const Instruction *instruction, Node **node);

/* A leaf of an operand with the layout that the node's own computation states for it. The array
 * that is passed there may have another layout. */
[[nodiscard]] Leaf flow_stated_operand(const Node *node, uint32_t operand, uint32_t leaf);

/* Convert between row-major element numbers and indices. */
[[nodiscard]] int64_t leaf_element(const Leaf *leaf, const int64_t *at);
void leaf_index(const Leaf *leaf, int64_t element, int64_t *at);
/* The next index in row-major order; after the last index, the first. */
void leaf_next(const Leaf *leaf, int64_t *at);
/* The position of an element in memory, counted in elements, and the index at a position. Without a
 * layout the first dimension is the major one. */
[[nodiscard]] int64_t leaf_position(const Leaf *leaf, const int64_t *at);
void leaf_at_position(const Leaf *leaf, int64_t position, int64_t *at);

#endif
