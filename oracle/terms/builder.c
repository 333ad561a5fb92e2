/* What all families share: limits, what is kept of a node, atoms, and the leaf behind tuples and
 * copies. */
#include "oracle/terms/build.h"

#include <string.h>

#include "core/hlo/caller.h"

bool builder_refuse(Builder *builder, const Node *node, const char *why) {
  return refuse(builder->refusal, REASON_UNSUPPORTED, "%s '%s': %s",
      opcode_name(node->instruction->opcode), node->instruction->name, why);
}

bool builder_spend(Builder *builder, const Node *node, uint64_t elements) {
  *builder->work += elements;
  return *builder->work <= builder->most_work ||
         refuse(builder->refusal, REASON_TOO_LARGE,
             "too large: more than %llu elements are computed (at %s '%s')",
             (unsigned long long)builder->most_work, opcode_name(node->instruction->opcode),
             node->instruction->name);
}

bool builder_create(Builder *builder, Arena *arena, Terms *terms, BuildElement *element,
    const Computation *computation, bool is_body, uint64_t *work, uint64_t most_work,
    Refusal *refusal) {
  *builder = (Builder){.arena = arena,
      .element = element,
      .terms = terms,
      .refusal = refusal,
      .is_body = is_body,
      .work = work,
      .most_work = most_work,
      .reading = {.arena = arena, .refusal = refusal, .operand_limit = UINT32_MAX}};
  Computation *caller = caller_create(arena, computation);
  const Instruction *call = caller_call(arena, caller, computation, "graph");
  if (!flow_create(&builder->flow, arena, call, refusal)) return false;
  builder->nodes = ARENA_NEW(arena, NodeTerms, builder->flow.nodes.count);
  for (uint32_t i = 0; i < builder->flow.nodes.count; i++) {
    uint32_t leaves = builder->flow.nodes.items[i]->leaf_count;
    NodeTerms *node = &builder->nodes[i];
    *node = (NodeTerms){.elements = ARENA_NEW(arena, Term **, leaves),
        .fingerprints = ARENA_NEW(arena, Term, leaves),
        .is_cut = ARENA_NEW(arena, bool, leaves),
        .atoms = ARENA_NEW(arena, uint32_t, leaves),
        .digests = ARENA_NEW(arena, Term, leaves),
        .signature = no_term};
    node->folds = ARENA_NEW(arena, uint32_t, leaves);
    memset(node->folds, 0xff, leaves * sizeof(uint32_t));
    memset(node->digests, 0xff, leaves * sizeof(Term));
    memset(node->fingerprints, 0xff, leaves * sizeof(Term));
    memset(node->atoms, 0xff, leaves * sizeof(uint32_t));
  }
  return true;
}

void builder_forget(Builder *builder) {
  for (uint32_t i = 0; i < builder->flow.nodes.count; i++)
    for (uint32_t leaf = 0; leaf < builder->flow.nodes.items[i]->leaf_count; leaf++)
      builder->nodes[i].elements[leaf] = nullptr, builder->nodes[i].digests[leaf] = no_term;
  for (uint32_t i = 0; i < builder->flow.nodes.count; i++) builder->nodes[i].has_arguments = false;
}

void builder_resolve(const Node **node, uint32_t *leaf) {
  uint32_t operand, operand_leaf;
  while (structure_leaf(*node, *leaf, &operand, &operand_leaf) && operand != no_operand) {
    *node = (*node)->operands[operand];
    *leaf = operand_leaf;
  }
}

uint32_t builder_atoms(Builder *builder, const Node *node, uint32_t leaf) {
  uint32_t *signature = &builder->nodes[node->number].atoms[leaf];
  if (*signature != no_term) return *signature;
  char text[96], name[96];
  if (node->is_input) {
    snprintf(text, sizeof text, "%s%u.%u", builder->is_body ? "body argument " : "parameter ",
        node->input, leaf);
    snprintf(name, sizeof name, node->leaf_count > 1 ? "%c%u.%u" : "%c%u",
        builder->is_body ? 'x' : 'p', node->input, leaf);
  } else {
    snprintf(text, sizeof text, "array %u", builder->nodes[node->number].fingerprints[leaf]);
    snprintf(name, sizeof name, "%%%.80s", node->instruction->name);
  }
  *signature = signature_of(builder->terms, text, arena_text(builder->arena, name, strlen(name)));
  Signature *made = signature_at(builder->terms, *signature);
  made->shape = node->leaves[leaf].shape;
  made->is_body = node->is_input && builder->is_body && leaf == 0;
  made->number = node->is_input ? node->input : 0;
  return *signature;
}

Term builder_atom(Builder *builder, const Node *node, uint32_t leaf, int64_t element) {
  uint32_t signature = builder_atoms(builder, node, leaf);
  return term_make(builder->terms, TERM_ATOM, node->leaves[leaf].shape->type, signature,
      (uint64_t)element, 0, nullptr);
}
