/* A bitcast-convert between widths. A wide element consists of several narrow ones along the last
 * dimension, the first of which has the lowest bits. Splitting a joined element returns the
 * elements from which it was joined. Joining all parts of one element, in order, returns that
 * element. This also holds for elements smaller than a byte, whichever of them comes first. Their
 * values are unknown, because their order is not specified: XLA's expander begins with the lowest
 * bits, but its packed arrays do not always do so. */
#include "oracle/symbolic/build.h"

static constexpr uint32_t most_parts = 64;

static uint32_t bits_of(const Leaf *leaf) { return element_type_bits(leaf->shape->type); }

bool bits_are_followed(const Node *node) {
  if (node->leaf_count != 1 || node->operand_count != 1 || node->operands[0]->leaf_count != 1)
    return false;
  const Leaf *output = &node->leaves[0], *operand = &node->operands[0]->leaves[0];
  uint32_t one = bits_of(output), other = bits_of(operand);
  return one > 0 && other > 0 && output->shape->type != TYPE_pred &&
         operand->shape->type != TYPE_pred &&
         output->elements * (int64_t)one == operand->elements * (int64_t)other &&
         (one > other ? one % other == 0 && one / other <= most_parts
                      : other % one == 0 && other / one <= most_parts);
}

static uint32_t bits_signature(Terms *terms, Bits bits, ElementType from, ElementType to) {
  char text[64];
  const char *name = bits == BITS_PART ? "part" : "joined";
  snprintf(
      text, sizeof text, "%s of %s as %s", name, element_type_name(from), element_type_name(to));
  uint32_t signature = signature_of(terms, text, "bitcast-convert");
  signature_at(terms, signature)->bits = bits;
  signature_at(terms, signature)->is_opaque = true;
  return signature;
}

static bool has_bits(const Terms *terms, Term term, Bits bits) {
  const TermData *data = term_data(terms, term);
  return data->kind == TERM_APPLY && signature_at(terms, data->signature)->bits == bits;
}

static Term bits_part(Terms *terms, ElementType to, uint64_t part, Term whole) {
  ElementType from = term_data(terms, whole)->type;
  if (has_bits(terms, whole, BITS_JOINED) &&
      term_data(terms, term_children(terms, whole)[0])->type == to)
    return term_children(terms, whole)[part];
  return term_make(
      terms, TERM_APPLY, to, bits_signature(terms, BITS_PART, from, to), part, 1, &whole);
}

static Term bits_joined(Terms *terms, ElementType to, uint32_t count, const Term *parts) {
  Term whole = no_term;
  for (uint32_t i = 0; i < count; i++) {
    bool is_part = has_bits(terms, parts[i], BITS_PART) && term_data(terms, parts[i])->payload == i;
    Term of = is_part ? term_children(terms, parts[i])[0] : no_term;
    if (!is_part || (i > 0 && of != whole) || term_data(terms, of)->type != to) {
      uint32_t signature = bits_signature(terms, BITS_JOINED, term_data(terms, parts[0])->type, to);
      return term_make(terms, TERM_APPLY, to, signature, 0, count, parts);
    }
    whole = of;
  }
  return whole;
}

bool build_bits(TermBuilder *builder, const Node *node, int64_t element, Term *term) {
  const Node *from = node->operands[0];
  ElementType to = node->leaves[0].shape->type;
  uint32_t one = bits_of(&node->leaves[0]), other = bits_of(&from->leaves[0]);
  Term parts[most_parts];
  if (one < other) {
    int64_t count = other / one;
    if (!builder_element(builder, from, 0, element / count, &parts[0])) return false;
    *term = bits_part(builder->terms, to, (uint64_t)(element % count), parts[0]);
    return true;
  }
  uint32_t count = one / other;
  for (uint32_t i = 0; i < count; i++)
    if (!builder_element(builder, from, 0, element * count + i, &parts[i])) return false;
  *term = bits_joined(builder->terms, to, count, parts);
  return true;
}
