/* Functions shared by all families: limits, the cache of a node, atoms, and the resolution of
 * tuples and copies. */
#include "oracle/symbolic/build.h"

#include <string.h>

#include "core/hlo/caller.h"

static constexpr size_t usual_bytes = (size_t)512 << 20;

bool builder_spend(TermBuilder *builder, const Node *node, uint64_t elements) {
  *builder->work += elements;
  if (arena_bytes(builder->arena) - builder->bytes_before > builder->most_bytes)
    return reject(builder->rejection, REASON_TOO_LARGE,
        "too large: the terms take more than %zu MB (at %s '%s')", builder->most_bytes >> 20,
        opcode_name(node->instruction->opcode), node->instruction->name);
  return *builder->work <= builder->most_work ||
         reject(builder->rejection, REASON_TOO_LARGE,
             "too large: more than %llu elements are computed (at %s '%s')",
             (unsigned long long)builder->most_work, opcode_name(node->instruction->opcode),
             node->instruction->name);
}

bool builder_create(TermBuilder *builder, Arena *arena, Terms *terms, BuildElement *element,
    const Computation *computation, bool is_body, uint64_t *work, uint64_t most_work,
    Rejection *rejection) {
  *builder = (TermBuilder){.arena = arena,
      .element = element,
      .terms = terms,
      .rejection = rejection,
      .is_body = is_body,
      .work = work,
      .most_work = most_work,
      .bytes_before = arena_bytes(arena),
      .most_bytes = usual_bytes,
      .reading = {.arena = arena, .rejection = rejection, .operand_limit = UINT32_MAX}};
  Computation *caller = caller_create(arena, computation);
  const Instruction *call = caller_call(arena, caller, computation, "graph");
  if (!flow_create(&builder->flow, arena, call, rejection)) return false;
  builder->nodes = ARENA_NEW(arena, NodeTerms, builder->flow.nodes.count);
  for (uint32_t i = 0; i < builder->flow.nodes.count; i++) {
    uint32_t leaves = builder->flow.nodes.items[i]->leaf_count;
    NodeTerms *node = &builder->nodes[i];
    *node = (NodeTerms){.elements = ARENA_NEW(arena, void *, leaves),
        .fingerprints = ARENA_NEW(arena, Term, leaves),
        .is_cut = ARENA_NEW(arena, bool, leaves),
        .atoms = ARENA_NEW(arena, uint32_t, leaves),
        .digests = ARENA_NEW(arena, Term, leaves),
        .signature = no_term,
        .array_signature = no_term};
    node->folds = ARENA_NEW(arena, uint32_t, leaves);
    memset(node->folds, 0xff, leaves * sizeof(uint32_t));
    memset(node->digests, 0xff, leaves * sizeof(Term));
    memset(node->fingerprints, 0xff, leaves * sizeof(Term));
    memset(node->atoms, 0xff, leaves * sizeof(uint32_t));
  }
  return true;
}

void builder_forget(TermBuilder *builder) {
  for (uint32_t i = 0; i < builder->flow.nodes.count; i++)
    for (uint32_t leaf = 0; leaf < builder->flow.nodes.items[i]->leaf_count; leaf++)
      builder->nodes[i].elements[leaf] = nullptr, builder->nodes[i].digests[leaf] = no_term;
  for (uint32_t i = 0; i < builder->flow.nodes.count; i++) {
    builder->nodes[i].has_arguments = false;
    builder->nodes[i].loop = nullptr;
    builder->nodes[i].sorts = nullptr;
  }
}

/* Whether a loop's body returns the leaf unchanged; the loop's result is then its initial value. */
static bool loop_keeps(const Node *loop, uint32_t leaf) {
  const Instruction *instruction = loop->instruction;
  const Computation *body = nullptr;
  for (uint32_t i = 0; i < instruction->called_count; i++)
    if (strcmp(instruction->called_roles[i], "body") == 0) body = instruction->called[i];
  if (body == nullptr || loop->operand_count != 1 || body->parameter_count != 1 ||
      body->root->opcode != HLO_TUPLE)
    return false;
  uint32_t first = 0;
  for (uint32_t i = 0; i < body->root->operand_count; i++) {
    const Instruction *part = body->root->operands[i];
    uint32_t leaves = shape_leaf_count(part->shape);
    if (leaf < first + leaves)
      return part->opcode == HLO_GET_TUPLE_ELEMENT && part->number == i &&
             part->operands[0]->opcode == HLO_PARAMETER;
    first += leaves;
  }
  return false;
}

void builder_resolve(const Node **node, uint32_t *leaf) {
  uint32_t operand, operand_leaf;
  for (;;) {
    bool is_kept =
        !(*node)->is_input && (*node)->instruction->opcode == HLO_WHILE && loop_keeps(*node, *leaf);
    if (is_kept) operand = 0, operand_leaf = *leaf;
    else if (collective_operand(*node, *leaf)) operand = *leaf, operand_leaf = 0;
    else if (!structure_leaf(*node, *leaf, &operand, &operand_leaf) || operand == no_operand)
      return;
    const Node *from = (*node)->operands[operand];
    if (from->leaves[operand_leaf].shape->type != (*node)->leaves[*leaf].shape->type) return;
    *node = from;
    *leaf = operand_leaf;
  }
}

/* " f32[2,3]" */
static void print_argument(Text *text, const Shape *shape) {
  text_printf(text, " %s", element_type_name(shape->type));
  for (uint32_t i = 0; shape_is_array(shape) && i < shape->rank; i++)
    text_printf(text, "%c%lld", i == 0 ? '[' : ',', (long long)shape->sizes[i]);
}

static void print_body_argument(Text *text, uint32_t number, uint32_t leaf, const Shape *shape) {
  text_printf(text, "body argument %u.%u", number, leaf);
  print_argument(text, shape); /* other bodies have other arguments */
}

Term builder_argument(TermBuilder *builder, uint32_t number, const Shape *scalar) {
  Text text = text_create(builder->arena);
  print_body_argument(&text, number, 0, scalar);
  uint32_t signature =
      signature_of(builder->terms, text.bytes, arena_printf(builder->arena, "x%u", number));
  TermSignature *made = signature_at(builder->terms, signature);
  made->shape = scalar;
  made->is_body = true;
  made->number = number;
  return term_make(builder->terms, TERM_ATOM, scalar->type, signature, 0, 0, nullptr);
}

uint32_t builder_atoms(TermBuilder *builder, const Node *node, uint32_t leaf) {
  uint32_t *signature = &builder->nodes[node->number].atoms[leaf];
  if (*signature != no_term) return *signature;
  Text text = text_create(builder->arena);
  char name[96];
  const Shape *shape = node->leaves[leaf].shape;
  if (node->is_input) {
    if (builder->is_body) print_body_argument(&text, node->input, leaf, shape);
    else text_printf(&text, "parameter %u.%u", node->input, leaf);
    snprintf(name, sizeof name, node->leaf_count > 1 ? "%c%u.%u" : "%c%u",
        builder->is_body ? 'x' : 'p', node->input, leaf);
  } else {
    text_printf(&text, "array %u", builder->nodes[node->number].fingerprints[leaf]);
    snprintf(name, sizeof name, "%%%.80s", node->instruction->name);
  }
  *signature =
      signature_of(builder->terms, text.bytes, arena_text(builder->arena, name, strlen(name)));
  TermSignature *made = signature_at(builder->terms, *signature);
  made->shape = shape;
  made->is_body = node->is_input && builder->is_body && leaf == 0;
  made->number = node->is_input ? node->input : 0;
  return *signature;
}

Term builder_atom(TermBuilder *builder, const Node *node, uint32_t leaf, int64_t element) {
  uint32_t signature = builder_atoms(builder, node, leaf);
  return term_make(builder->terms, TERM_ATOM, node->leaves[leaf].shape->type, signature,
      (uint64_t)element, 0, nullptr);
}

void builder_record_lookup(
    TermBuilder *builder, const Node *node, const LeafElement *at, Term term) {
  static constexpr uint32_t most_lookups = 1 << 16;
  TermLookups *lookups = builder->lookups;
  if (lookups == nullptr || lookups->count == most_lookups) return;
  *ARENA_PUSH(builder->arena, lookups) =
      (TermLookup){.term = term, .builder = builder, .node = node, .at = *at};
}

bool builder_alias_element(
    const TermBuilder *builder, const InputAlias *alias, int64_t element, Term *term) {
  uint32_t depth = alias->builder->depth;
  if (alias->builder != builder) alias->builder->depth = builder->depth + 1;
  bool is_built = builder_element(alias->builder, alias->node, alias->leaf, element, term);
  alias->builder->depth = depth;
  return is_built;
}
