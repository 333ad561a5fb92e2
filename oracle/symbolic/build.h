/* Builds the term of each element of a computation's output.
 * A builder flattens one computation; both graphs of a comparison have a builder over one store.
 * Atoms are elements of parameters, identified by number and leaf, and elements of cut arrays,
 * identified by the array's fingerprint.
 * Rejected as too large: arrays that data movement reads past the limits, and what exceeds the
 * memory of a comparison. */
#ifndef ORACLE_SYMBOLIC_BUILD_H
#define ORACLE_SYMBOLIC_BUILD_H

#include "oracle/semantics/reading.h"
#include "oracle/terms/term.h"

typedef struct ConstantLiteral {
  bool is_read, is_elided;
  uint32_t count;
  const char **tokens;
} ConstantLiteral;

typedef struct LoopTerms LoopTerms;
typedef struct SortForm SortForm;
/* The data that the builder caches for a node. */
typedef struct NodeTerms {
  void **elements;          /* [leaf]: a tree of pages of terms, each nullptr until first use */
  Term *fingerprints;       /* [leaf]: the whole array as one term, no_term until first use */
  bool *is_cut;             /* [leaf] */
  uint32_t *atoms;          /* [leaf]: signature of the array's atoms, no_term until first use */
  Term *digests;            /* [leaf]: the elements as one term, no_term until first use */
  uint32_t *folds;          /* [leaf]: signature of a reduction's fold, no_term until first use */
  uint32_t signature;       /* of the operation, no_term until first use */
  uint32_t array_signature; /* of the operation on whole arrays, no_term until first use */
  bool has_arguments;       /* of an opaque operation: */
  uint32_t argument_count;
  Term *arguments;
  ConstantLiteral literal;
  LoopTerms *loop; /* nullptr until first use */
  SortForm *sorts; /* [leaf], nullptr until first use */
} NodeTerms;

typedef struct TermBuilder TermBuilder;
/* The outer array that a leaf of a loop's parameter equals, if every iteration returns the leaf
 * unchanged. */
typedef struct InputAlias {
  TermBuilder *builder; /* nullptr: none */
  const Node *node;
  uint32_t leaf;
} InputAlias;
typedef struct LeafElement {
  uint32_t leaf;
  int64_t element;
} LeafElement;
/* An element of a dynamic slice, a gather or a loop that is an opaque term (lookups.h). */
typedef struct TermLookup {
  Term term;
  TermBuilder *builder;
  const Node *node;
  LeafElement at;
} TermLookup;
typedef struct TermLookups {
  uint32_t count, capacity;
  TermLookup *items;
} TermLookups;
/* Builds the term of an element: the switch over operations, which calls the families. */
typedef bool BuildElement(
    TermBuilder *builder, const Node *node, uint32_t leaf, int64_t element, Term *term);

struct TermBuilder {
  Arena *arena;
  BuildElement *element;
  Terms *terms;
  Rejection *rejection;
  Flow flow;
  NodeTerms *nodes;          /* by number */
  bool is_body;              /* parameters are those of a body */
  uint32_t side;             /* number of the graph, 0 or 1 */
  const InputAlias *aliases; /* by leaf of parameter 0; or nullptr */
  TermLookups *lookups;      /* of both graphs; nullptr: none are recorded */
  Reading reading;
  uint64_t *work; /* shared: elements built */
  uint64_t most_work;
  size_t bytes_before, most_bytes; /* of the arena: bytes when the builder was created, and the
                                      limit of further bytes */
  uint32_t depth;
};

static constexpr uint32_t builder_max_depth = 6000;
static constexpr uint32_t page_bits = 9;
static constexpr int64_t page_elements = 1 << page_bits;

/* Flattens `computation`. With `is_body`, its parameters are the atoms of a function, not of the
 * graph. */
[[nodiscard]] bool builder_create(TermBuilder *builder, Arena *arena, Terms *terms,
    BuildElement *element, const Computation *computation, bool is_body, uint64_t *work,
    uint64_t most_work, Rejection *rejection);
/* The switch over operations. */
[[nodiscard]] BuildElement build_element;
[[nodiscard]] static inline bool builder_element(
    TermBuilder *builder, const Node *node, uint32_t leaf, int64_t element, Term *term) {
  return builder->element(builder, node, leaf, element, term);
}
/* One term for a whole array: the operation applied to whole arrays. Equal fingerprints mean equal
 * arrays. */
[[nodiscard]] bool builder_fingerprint(
    TermBuilder *builder, const Node *node, uint32_t leaf, Term *term);
/* Discards the terms of elements, for instance because other arrays are cut now. */
void builder_forget(TermBuilder *builder);

/* The outer array that the leaf of an input equals; nullptr if there is none. The node must be
 * resolved. */
[[nodiscard]] static inline const InputAlias *builder_alias(
    const TermBuilder *builder, const Node *node, uint32_t leaf) {
  bool has_alias = node->is_input && node->input == 0 && builder->aliases != nullptr &&
                   builder->aliases[leaf].builder != nullptr;
  return has_alias ? &builder->aliases[leaf] : nullptr;
}

/* Builds an element of the array that an alias names, with the depth of this builder. */
[[nodiscard]] bool builder_alias_element(
    const TermBuilder *builder, const InputAlias *alias, int64_t element, Term *term);

/* Follows tuples, copies, barriers and unchanged leaves of loops to the leaf that they copy. */
void builder_resolve(const Node **node, uint32_t *leaf);
/* Prints the instruction's position, which makes the text different from every text of the other
 * graph. */
void builder_print_position(const TermBuilder *builder, const Instruction *instruction, Text *text);
/* The signature of the operation with the attributes that change its value, without its
 * operands. */
[[nodiscard]] bool builder_signature(TermBuilder *builder, const Node *node, uint32_t *signature);
/* The signature of the operation on whole arrays, which includes the sizes of its output. */
[[nodiscard]] bool builder_array_signature(
    TermBuilder *builder, const Node *node, const char *prefix, uint32_t *signature);
/* The element as an atom of its array. */
[[nodiscard]] Term builder_atom(
    TermBuilder *builder, const Node *node, uint32_t leaf, int64_t element);
[[nodiscard]] uint32_t builder_atoms(TermBuilder *builder, const Node *node, uint32_t leaf);
/* The results of a called computation over the body's own atoms, by leaf: a scalar by its element,
 * an array by its fingerprint. */
[[nodiscard]] bool builder_body(
    TermBuilder *builder, const Computation *body, uint32_t *count, Term **results);
/* The same for a function that is applied in an order that is not stated, as that of a reduction:
 * functions that differ in the order of the operands of sums and the like are one. */
[[nodiscard]] bool builder_folded(
    TermBuilder *builder, const Computation *body, uint32_t *count, Term **results);
/* Whether the function of two updates depends on their order: a sum or a product of floats, which
 * rounds, or an extremum, which may be one NaN or zero or another, if the grade distinguishes
 * these. */
[[nodiscard]] bool builder_rounds_in_order(const TermBuilder *builder, Term function);
/* One more of at most `updates` updates by such a function, in an order that is not stated. */
[[nodiscard]] Term builder_unordered(
    TermBuilder *builder, Term function, int64_t updates, const Term arguments[2]);
/* The scalar argument `number` of a function. */
[[nodiscard]] Term builder_argument(TermBuilder *builder, uint32_t number, const Shape *scalar);
/* Records an opaque term as the element of its node, if the builder records any. */
void builder_record_lookup(
    TermBuilder *builder, const Node *node, const LeafElement *at, Term term);
/* Always returns false. */
[[nodiscard]] static inline bool builder_reject(
    TermBuilder *builder, const Node *node, const char *why) {
  return reject(builder->rejection, REASON_UNSUPPORTED, "%s '%s': %s",
      opcode_name(node->instruction->opcode), node->instruction->name, why);
}
[[nodiscard]] bool builder_spend(TermBuilder *builder, const Node *node, uint64_t elements);

/* The families other than data movement, each in its own file. */
[[nodiscard]] bool build_constant(
    TermBuilder *builder, const Node *node, uint32_t leaf, int64_t element, Term *term);
[[nodiscard]] bool build_iota(TermBuilder *builder, const Node *node, int64_t element, Term *term);
[[nodiscard]] bool build_reduce(
    TermBuilder *builder, const Node *node, uint32_t leaf, int64_t element, Term *term);
[[nodiscard]] bool build_dot(TermBuilder *builder, const Node *node, int64_t element, Term *term);
[[nodiscard]] bool build_convolution(
    TermBuilder *builder, const Node *node, int64_t element, Term *term);
[[nodiscard]] bool build_dynamic(
    TermBuilder *builder, const Node *node, int64_t element, Term *term);
/* The terms of the node's offsets at an element, by dimension of the operand: no_term where the
 * clamp leaves one value. */
[[nodiscard]] bool dynamic_offsets(TermBuilder *builder, const Node *node, int64_t element,
    uint32_t *rank, Term offsets[oracle_max_rank]);
/* The element that these offsets select, which are clamped. */
[[nodiscard]] bool dynamic_candidate(TermBuilder *builder, const Node *node, int64_t element,
    const int64_t values[oracle_max_rank], Term *term);
[[nodiscard]] bool bitcast_is_followed(const Node *node, uint32_t leaf);
[[nodiscard]] bool build_bitcast(
    TermBuilder *builder, const Node *node, uint32_t leaf, int64_t element, Term *term);
/* A bitcast-convert between widths: parts of one element, or one element of several. */
[[nodiscard]] bool bits_are_followed(const Node *node);
[[nodiscard]] bool build_bits(TermBuilder *builder, const Node *node, int64_t element, Term *term);
/* Whether the output leaf of a collective's start is its operand of the same number. */
[[nodiscard]] bool collective_operand(const Node *node, uint32_t leaf);
/* The output leaves from `first` up to `end`. */
typedef struct LeafRange {
  uint32_t first, end;
} LeafRange;
/* The results in the output of a collective's start; all leaves of other operations. */
[[nodiscard]] LeafRange collective_results(const Node *node);
/* The opcode's name; of a collective's start, that of the collective. */
[[nodiscard]] const char *collective_name(const Node *node);
/* Prints the groups of devices, sorted. */
void collective_print_groups(TermBuilder *builder, const Instruction *instruction, Text *text);
/* Prints the pairs that the attribute states, sorted. Returns false, and prints nothing, if the
 * attribute states neither pairs nor groups. */
[[nodiscard]] bool collective_devices(
    TermBuilder *builder, const Instruction *instruction, const char *attribute, Text *text);
/* A collective of constants is a constant; any other one is opaque. */
[[nodiscard]] bool build_collective(
    TermBuilder *builder, const Node *node, uint32_t leaf, int64_t element, Term *term);
[[nodiscard]] bool build_scatter(
    TermBuilder *builder, const Node *node, int64_t element, Term *term);
[[nodiscard]] bool build_select_and_scatter(
    TermBuilder *builder, const Node *node, int64_t element, Term *term);
[[nodiscard]] bool build_loop(
    TermBuilder *builder, const Node *node, uint32_t leaf, int64_t element, Term *term);
/* Of a loop that is opaque: whether it runs iteration `trip`, and an element before it. False past
 * the limits. */
[[nodiscard]] bool loop_condition_before(
    TermBuilder *builder, const Node *node, uint32_t trip, Term *holds);
[[nodiscard]] bool loop_element_before(
    TermBuilder *builder, const Node *node, uint32_t trip, const LeafElement *at, Term *term);
[[nodiscard]] bool build_sort(
    TermBuilder *builder, const Node *node, uint32_t leaf, int64_t element, Term *term);
[[nodiscard]] bool build_opaque(
    TermBuilder *builder, const Node *node, uint32_t leaf, int64_t element, Term *term);

#endif
