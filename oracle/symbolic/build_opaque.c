/* The canonical text of an operation, and operations without semantics here, which are functions of
 * all elements of all operands.
 * The text omits source locations, scheduling, sharding and the names of computations; called
 * computations are represented by what they compute, after everything else. A text of the graph has
 * its length before it, so no text is like another part. A stateful operation is distinct from
 * every operation of the other graph. */
#include "oracle/symbolic/build.h"

#include <string.h>

#include "core/base/stack.h"
#include "core/hlo/attribute.h"
#include "core/hlo/namesakes.h"
#include "core/hlo/stateful.h"
#include "oracle/symbolic/precision.h"

static constexpr int64_t most_digested = 1 << 22; /* elements of an array that is one term */

static bool is_without_value(const Instruction *instruction, const Attribute *attribute) {
  static const char *const names[] = {"metadata", "sharding", "frontend_attributes",
      "control-predecessors", "statistics", "origin", "original_value", "schedule"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(attribute->name, names[i]) == 0) return true;
  return attribute_names_called(instruction, attribute->name);
}

/* The order by which values of the type are compared if none is stated. */
static const char *usual_order(ElementType type) {
  if (!element_type_is_integral(type)) return "FLOAT";
  return element_type_is_signed(type) ? "SIGNED" : "UNSIGNED";
}

static bool is_default(const Instruction *instruction, const Attribute *attribute) {
  if (instruction->opcode != HLO_CUSTOM_CALL && strcmp(attribute->name, "backend_config") == 0)
    return true;
  if (instruction->opcode == HLO_COMPARE && strcmp(attribute->name, "type") == 0)
    return strcmp(attribute->text, usual_order(instruction->operands[0]->shape->type)) == 0;
  if (strcmp(attribute->name, "custom_call_has_side_effect") == 0 ||
      strcmp(attribute->name, "is_host_transfer") == 0)
    return strcmp(attribute->text, "false") == 0;
  if (strcmp(attribute->name, "operand_precision") == 0)
    return operand_precision(attribute) == PRECISION_DEFAULT;
  return strcmp(attribute->name, "slice_sizes") == 0 && instruction->opcode == HLO_DYNAMIC_SLICE;
}

void builder_print_position(
    const TermBuilder *builder, const Instruction *instruction, Text *text) {
  text_printf(
      text, " at %s/%u of graph %u", instruction->parent->name, instruction->id, builder->side);
}

static void print_quoted(Text *text, const char *label, const char *quoted) {
  text_printf(text, " %s%zu:%s", label, strlen(quoted), quoted);
}

/* Prints the operation without its called computations. */
static void print_head(TermBuilder *builder, const Node *node, Text *text) {
  const Instruction *instruction = node->instruction;
  text_string(text, collective_name(node));
  if (instruction_is_stateful(instruction))
    text_printf(text, " run %u of graph %u", node->number, builder->side);
  if (instruction->opcode == HLO_GET_TUPLE_ELEMENT)
    text_printf(text, " %lld", (long long)instruction->number);
  if (instruction->literal_text != nullptr) print_quoted(text, "", instruction->literal_text);
  if (instruction_is_elided(instruction)) print_quoted(text, "named ", instruction->name);
  if (instruction->is_namesake) builder_print_position(builder, instruction, text);
  for (uint32_t i = 0; i < instruction->attribute_count; i++) {
    const Attribute *attribute = &instruction->attributes[i];
    bool has_value = attribute_names_end(instruction, attribute->name) ||
                     !is_without_value(instruction, attribute);
    if (!has_value || is_default(instruction, attribute) ||
        collective_devices(builder, instruction, attribute->name, text))
      continue;
    print_quoted(text, "", attribute->name);
    print_quoted(text, "=", attribute->text);
  }
  collective_print_groups(builder, instruction, text);
}

static bool print_called(TermBuilder *builder, const Node *node, Text *text) {
  const Instruction *instruction = node->instruction;
  for (uint32_t i = 0; i < instruction->called_count; i++) {
    uint32_t count;
    Term *results;
    if (instruction->opcode == HLO_CONDITIONAL || instruction->opcode == HLO_ASYNC_START) break;
    bool is_folded = opcode_family(instruction->opcode) == FAMILY_COLLECTIVE,
         is_built = is_folded ? builder_folded(builder, instruction->called[i], &count, &results)
                              : builder_body(builder, instruction->called[i], &count, &results);
    if (!is_built) return false;
    text_printf(text, " %s={", instruction->called_roles[i]);
    for (uint32_t leaf = 0; leaf < count; leaf++) text_printf(text, "t%u ", results[leaf]);
    text_string(text, "}");
  }
  return true;
}

/* Prints the layouts of a custom call's operands. It reads their memory, so its value depends on
 * them; operand_layout_constraints, which is part of the operation, states them if it is given. */
static void print_operand_layouts(Text *text, const Node *node) {
  if (instruction_attribute(node->instruction, "operand_layout_constraints") != nullptr) return;
  for (uint32_t i = 0; i < node->instruction->operand_count; i++)
    for (uint32_t leaf = 0; leaf < node->operands[i]->leaf_count; leaf++) {
      const Shape *shape = flow_stated_operand(node, i, leaf).shape;
      uint32_t order[oracle_max_rank] = {};
      text_string(text, " of {");
      if (shape_is_array(shape)) shape_minor_to_major(shape, order);
      for (uint32_t k = 0; shape_is_array(shape) && k < shape->rank; k++)
        text_printf(text, k == 0 ? "%u" : ",%u", order[k]);
      if (shape->layout_rest != nullptr) text_printf(text, ":%s", shape->layout_rest);
      text_string(text, "}");
    }
}

/* Prints how an operand or a result is nested: a call is given tuples as such. */
static void print_nesting(Text *text, const Shape *shape) {
  if (!shape_is_tuple(shape)) {
    text_string(text, ".");
    return;
  }
  text_string(text, "(");
  for (uint32_t i = 0; i < shape->element_count; i++) print_nesting(text, shape->elements[i]);
  text_string(text, ")");
}

static void print_call_nesting(Text *text, const Instruction *call) {
  text_string(text, " nested ");
  print_nesting(text, call->shape);
  for (uint32_t i = 0; i < call->operand_count; i++) {
    text_string(text, ",");
    print_nesting(text, call->operands[i]->shape);
  }
}

/* Prints types and sizes. Layouts are omitted, except for a bitcast and a custom call, whose value
 * may depend on them. */
static void print_sizes(Text *text, const Node *node, const Shape *shape) {
  if (node->instruction->opcode == HLO_BITCAST || node->instruction->opcode == HLO_CUSTOM_CALL) {
    shape_print(text, shape);
    return;
  }
  text_string(text, element_type_name(shape->type));
  for (uint32_t i = 0; shape_is_array(shape) && i < shape->rank; i++)
    text_printf(text, "%c%s%lld", i == 0 ? '[' : ',', shape_has_bound(shape, i) ? "<=" : "",
        (long long)shape->sizes[i]);
}

bool builder_signature(TermBuilder *builder, const Node *node, uint32_t *signature) {
  NodeTerms *kept = &builder->nodes[node->number];
  if (kept->signature != no_term) {
    *signature = kept->signature;
    return true;
  }
  Text text = text_create(builder->arena);
  text_printf(&text, "%s ", element_type_name(node->leaves[0].shape->type));
  print_head(builder, node, &text);
  if (!print_called(builder, node, &text)) return false;
  *signature = kept->signature =
      signature_of(builder->terms, text.bytes, opcode_name(node->instruction->opcode));
  if (node->instruction->opcode == HLO_MAP && node->instruction->called_count == 1) {
    uint32_t count;
    Term *results;
    if (!builder_body(builder, node->instruction->called[0], &count, &results)) return false;
    signature_at(builder->terms, *signature)->body_count = count;
    signature_at(builder->terms, *signature)->body = results;
  }
  signature_at(builder->terms, *signature)->instruction = node->instruction;
  return true;
}

bool builder_array_signature(
    TermBuilder *builder, const Node *node, const char *prefix, uint32_t *signature) {
  Text text = text_create(builder->arena);
  LeafRange results = collective_results(node);
  text_string(&text, prefix);
  for (uint32_t i = results.first; i < results.end; i++) {
    text_string(&text, " ");
    print_sizes(&text, node, node->leaves[i].shape);
  }
  if (node->instruction->opcode == HLO_BITCAST) {
    text_string(&text, " of ");
    shape_print(&text, node->instruction->operands[0]->shape);
  }
  if (node->instruction->opcode == HLO_CUSTOM_CALL) {
    print_call_nesting(&text, node->instruction);
    print_operand_layouts(&text, node);
  }
  text_string(&text, " ");
  print_head(builder, node, &text);
  size_t head = text.length;
  if (!print_called(builder, node, &text)) return false;
  *signature = signature_of(builder->terms, text.bytes, collective_name(node));
  TermSignature *made = signature_at(builder->terms, *signature);
  made->instruction = node->instruction;
  made->is_opaque = true;
  made->head_length = head;
  made->shape = node->leaf_count > 0 ? node->leaves[0].shape : nullptr;
  return true;
}

bool builder_fingerprint(TermBuilder *builder, const Node *node, uint32_t leaf, Term *term) {
  struct {
    uint32_t count, capacity;
    Term *items;
  } children = {};
  uint32_t signature;
  builder_resolve(&node, &leaf);
  Term *kept = &builder->nodes[node->number].fingerprints[leaf];
  *term = *kept;
  if (*kept != no_term) return true;
  const InputAlias *alias = builder_alias(builder, node, leaf);
  if (alias != nullptr) return builder_fingerprint(alias->builder, alias->node, alias->leaf, term);
  if (node->is_input) {
    *term = *kept = term_make(
        builder->terms, TERM_ARRAY, TYPE_opaque, builder_atoms(builder, node, leaf), 0, 0, nullptr);
    return true;
  }
  if (++builder->depth > builder_max_depth || stack_is_low())
    return reject(builder->rejection, REASON_TOO_LARGE, "too deep");
  for (uint32_t i = 0; i < node->operand_count; i++)
    for (uint32_t k = 0; k < node->operands[i]->leaf_count; k++) {
      Term child;
      if (!builder_fingerprint(builder, node->operands[i], k, &child)) return false;
      *ARENA_PUSH(builder->arena, &children) = child;
    }
  builder->depth--;
  uint32_t *known = &builder->nodes[node->number].array_signature;
  if (*known == no_term && !builder_array_signature(builder, node, "array", known)) return false;
  signature = *known;
  *term = *kept = term_make(builder->terms, TERM_ARRAY, TYPE_opaque, signature,
      leaf - collective_results(node).first, children.count, children.items);
  return true;
}

/* A scalar argument of a body is replaced where the body is applied, so its element is a child. */
static bool is_replaced(const TermBuilder *builder, const Leaf *leaf) {
  return builder->is_body && leaf->rank == 0;
}

/* Whether the terms are the elements of one whole array of atoms, in order. */
static bool is_whole(
    TermBuilder *builder, const Leaf *leaf, const Term *elements, uint32_t *signature) {
  if (leaf->elements == 0 || is_replaced(builder, leaf)) return false;
  for (int64_t i = 0; i < leaf->elements; i++) {
    const TermData *data = term_data(builder->terms, elements[i]);
    if (data->kind != TERM_ATOM || data->payload != (uint64_t)i) return false;
    if (i == 0) *signature = data->signature;
    if (data->signature != *signature) return false;
  }
  const TermSignature *of = signature_at(builder->terms, *signature);
  const Shape *shape = of->shape;
  if (of->is_body && leaf->rank == 0) return false; /* it is replaced, in whatever builder */
  return shape != nullptr && shape_elements(shape) == leaf->elements && shape->rank == leaf->rank &&
         memcmp(shape->sizes, leaf->sizes, leaf->rank * sizeof *leaf->sizes) == 0;
}

/* A value that has no elements, and yet is a value. A token has none. */
static bool has_no_elements(const Leaf *leaf) {
  return !shape_is_array(leaf->shape) && leaf->shape->type != TYPE_token;
}

/* Represents all elements of an array by one term. Whole parameters and cut arrays are not
 * enumerated. */
static bool builder_digest(TermBuilder *builder, const Node *node, uint32_t leaf, Term *term) {
  uint32_t signature;
  builder_resolve(&node, &leaf);
  NodeTerms *kept = &builder->nodes[node->number];
  const Leaf *array = &node->leaves[leaf];
  *term = kept->digests[leaf];
  if (*term != no_term) return true;
  const InputAlias *alias = builder_alias(builder, node, leaf);
  if (alias != nullptr) return builder_digest(alias->builder, alias->node, alias->leaf, term);
  if (has_no_elements(array) && !node->is_input) return build_opaque(builder, node, leaf, 0, term);
  bool is_replaced_input = node->is_input && is_replaced(builder, array) && !has_no_elements(array);
  if ((node->is_input && !is_replaced_input) || kept->is_cut[leaf]) {
    *term = kept->digests[leaf] = term_make(builder->terms, TERM_ARRAY, array->shape->type,
        builder_atoms(builder, node, leaf), 0, 0, nullptr);
    return true;
  }
  if (array->elements > most_digested)
    return builder_spend(builder, node, builder->most_work) &&
           reject(builder->rejection, REASON_TOO_LARGE,
               "too large: more than %lld elements are one argument (at %s '%s')",
               (long long)most_digested, opcode_name(node->instruction->opcode),
               node->instruction->name);
  Term *elements = ARENA_NEW(builder->arena, Term, array->elements);
  for (int64_t i = 0; i < array->elements; i++)
    if (!builder_element(builder, node, leaf, i, &elements[i])) return false;
  if (is_whole(builder, array, elements, &signature))
    *term = term_make(builder->terms, TERM_ARRAY, array->shape->type, signature, 0, 0, nullptr);
  else {
    Text text = text_create(builder->arena);
    text_string(&text, "all elements of ");
    print_sizes(&text, node, array->shape);
    *term = term_make(builder->terms, TERM_ARRAY, array->shape->type,
        signature_of(builder->terms, text.bytes, "array"), 0, (uint32_t)array->elements, elements);
  }
  kept->digests[leaf] = *term;
  return true;
}

/* The element of a result of the operation as one number: no two elements have the same. */
static bool opaque_payload(
    TermBuilder *builder, const Node *node, uint32_t leaf, int64_t element, uint64_t *payload) {
  static constexpr uint32_t element_bits = 48;
  const uint32_t result = leaf - collective_results(node).first;
  *payload = ((uint64_t)result << element_bits) + (uint64_t)element;
  return (result < UINT32_C(1) << (64 - element_bits) && element < INT64_C(1) << element_bits) ||
         reject(builder->rejection, REASON_TOO_LARGE,
             "too large: more than 65,536 results or 2^48 elements (at %s '%s')",
             opcode_name(node->instruction->opcode), node->instruction->name);
}

bool build_opaque(
    TermBuilder *builder, const Node *node, uint32_t leaf, int64_t element, Term *term) {
  NodeTerms *kept = &builder->nodes[node->number];
  uint64_t payload;
  uint32_t signature;
  struct {
    uint32_t count, capacity;
    Term *items;
  } arguments = {};
  if (!opaque_payload(builder, node, leaf, element, &payload)) return false;
  for (uint32_t i = 0; !kept->has_arguments && i < node->operand_count; i++)
    for (uint32_t k = 0; k < node->operands[i]->leaf_count; k++) {
      Term digest;
      if (!builder_digest(builder, node->operands[i], k, &digest)) return false;
      *ARENA_PUSH(builder->arena, &arguments) = digest;
    }
  if (!kept->has_arguments) {
    if (!builder_array_signature(builder, node, "opaque", &signature)) return false;
    kept->has_arguments = true;
    kept->argument_count = arguments.count;
    kept->arguments = arguments.items;
    kept->signature = signature;
  }
  *term = term_make(builder->terms, TERM_APPLY, node->leaves[leaf].shape->type, kept->signature,
      payload, kept->argument_count, kept->arguments);
  return true;
}

bool builder_body(TermBuilder *builder, const Computation *body, uint32_t *count, Term **results) {
  const TermsBody *known = terms_find_body(builder->terms, body);
  if (known != nullptr) {
    *count = known->count;
    *results = ARENA_NEW(builder->arena, Term, known->count);
    if (known->count > 0) memcpy(*results, known->results, known->count * sizeof **results);
    return true;
  }
  TermBuilder *inner = ARENA_NEW(builder->arena, TermBuilder, 1);
  OperandSorting sorting = terms_sort_operands(builder->terms, SORTING_INTEGERS);
  bool is_built = builder_create(inner, builder->arena, builder->terms, builder->element, body,
      true, builder->work, builder->most_work, builder->rejection);
  inner->depth = builder->depth + 8;
  inner->side = builder->side;
  *count = is_built ? shape_leaf_count(body->root->shape) : 0;
  *results = ARENA_NEW(builder->arena, Term, *count);
  for (uint32_t i = 0; is_built && i < *count; i++) {
    const Node *root = inner->flow.root;
    is_built = root->leaves[i].elements == 1 ? builder_element(inner, root, i, 0, &(*results)[i])
                                             : builder_fingerprint(inner, root, i, &(*results)[i]);
  }
  (void)terms_sort_operands(builder->terms, sorting);
  if (is_built) terms_add_body(builder->terms, body, *count, *results);
  return is_built;
}

bool builder_folded(
    TermBuilder *builder, const Computation *body, uint32_t *count, Term **results) {
  Term *arguments = ARENA_NEW(builder->arena, Term, body->parameter_count);
  if (!builder_body(builder, body, count, results)) return false;
  for (uint32_t i = 0; i < body->parameter_count; i++) {
    const Shape *shape = body->parameters[i]->shape;
    if (!shape_is_array(shape) || shape->rank != 0) return true;
    arguments[i] = builder_argument(builder, i, shape);
  }
  const Term *built = *results; /* are kept for the body */
  *results = ARENA_NEW(builder->arena, Term, *count);
  OperandSorting sorting = terms_sort_operands(builder->terms, SORTING_ALL);
  for (uint32_t i = 0; i < *count; i++)
    (*results)[i] = term_substitute(builder->terms, built[i], arguments);
  (void)terms_sort_operands(builder->terms, sorting);
  return true;
}
