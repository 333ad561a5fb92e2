/* Prints terms: p0[1,2] is an element of a parameter, a fold shows its first tuples, and terms
 * deeper than `depth` are "..". */
#include "oracle/terms/term.h"
#include "oracle/values/element.h"

static constexpr uint32_t shown_children = 4;

static void print_atom(Text *text, const TermSignature *signature, uint64_t element) {
  int64_t index[64];
  text_string(text, signature->name);
  const Shape *shape = signature->shape;
  if (shape == nullptr || shape->rank == 0 || shape->rank > 64) return;
  if (shape_elements(shape) == 0) return;
  for (uint32_t i = shape->rank; i-- > 0;) {
    index[i] = (int64_t)(element % (uint64_t)shape->sizes[i]);
    element /= (uint64_t)shape->sizes[i];
  }
  text_string(text, "[");
  text_integers(text, ",", shape->rank, index);
  text_string(text, "]");
}

void terms_print(Text *text, const Terms *terms, Term term, uint32_t depth) {
  const TermData *data = term_data(terms, term);
  if (data->kind == TERM_CONSTANT) {
    element_print(text, element_of_constant(data->type, data->payload));
    return;
  }
  const TermSignature *signature = signature_at(terms, data->signature);
  if (data->kind == TERM_ATOM) {
    print_atom(text, signature, data->payload);
    return;
  }
  if (data->kind != TERM_TUPLE) text_string(text, signature->name);
  if (depth == 0) {
    text_string(text, "(..)");
    return;
  }
  text_string(text, "(");
  for (uint32_t i = 0; i < data->count && i < shown_children; i++) {
    if (i > 0) text_string(text, ", ");
    terms_print(text, terms, term_children(terms, term)[i], depth - 1);
  }
  if (data->count > shown_children) text_printf(text, ", .. %u in all", data->count);
  text_string(text, ")");
}

/* The one child in which two terms differ, if exactly one differs. */
static bool one_child(const Terms *terms, Term before, Term after, uint32_t *child) {
  const TermData *a = term_data(terms, before), *b = term_data(terms, after);
  uint32_t different = 0;
  if (a->kind != b->kind || a->signature != b->signature || a->count != b->count ||
      a->payload != b->payload)
    return false;
  for (uint32_t i = 0; i < a->count; i++)
    if (term_children(terms, before)[i] != term_children(terms, after)[i]) {
      *child = i;
      different++;
    }
  return different == 1;
}

uint32_t terms_part(const Terms *terms, Term *before, Term *after) {
  uint32_t child = 0, depth = 0;
  for (; one_child(terms, *before, *after, &child); depth++) {
    *before = term_children(terms, *before)[child];
    *after = term_children(terms, *after)[child];
  }
  return depth;
}
