/* Inputs are hashes of the array, the element and the assignment, made small or put on an edge. */
#include "oracle/values/inputs.h"

#include "core/base/hash.h"
#include "oracle/semantics/arithmetic.h"

static constexpr uint32_t first_edges = 8, first_offsets = 20;

bool inputs_have_edges(uint32_t assignment) {
  return assignment >= first_edges && assignment < first_offsets;
}

void inputs_collect_constant(InputConstants *constants, const Terms *terms, Term term) {
  const TermData *data = term_data(terms, term);
  if (data->kind != TERM_APPLY) return;
  for (uint32_t i = 0; i < data->count && constants->count < inputs_most_constants; i++) {
    const TermData *child = term_data(terms, term_children(terms, term)[i]);
    if (child->kind != TERM_CONSTANT || child->type == TYPE_pred) continue;
    Element value = element_of_constant(child->type, child->payload);
    bool is_held = !value.is_known;
    for (uint32_t k = 0; k < constants->count && !is_held; k++)
      is_held = constants->items[k].type == value.type &&
                constants->items[k].integer == value.integer &&
                !(constants->items[k].real < value.real || constants->items[k].real > value.real);
    if (!is_held) constants->items[constants->count++] = value;
  }
}

/* The array is mixed before the element is: small numbers of both would meet, and elements of two
 * arrays would have one value in every assignment. */
static uint64_t atom_hash(const TermData *data) {
  uint64_t array = hash_mix(data->signature + 1, 0);
  return hash_mix(array, data->payload);
}

/* What is an offset is past either end in some assignments, and inside in others. */
static int64_t offset_value(uint64_t hash) {
  int64_t any = (int64_t)(hash >> 20) % 1000;
  switch (hash % 4) {
    case 0: return -1 - any;
    case 1: return 100 + any;
    case 2: return any % 4;
    default: return any % 12;
  }
}

/* The kinds of small values take turns. */
static int64_t small_value(uint32_t assignment, uint64_t hash) {
  switch (assignment % 4) {
    case 0: return 1 + (int64_t)(hash >> 20) % 23;
    case 1: return hash % 4 == 0 ? 1 + (int64_t)(hash >> 20) % 9 : 0;
    case 2: return (int64_t)(hash >> 20) % 17 - 8;
    default: return (int64_t)(hash >> 20) % 6;
  }
}

/* The ends of the type and their neighbours, all ones, and the first integers that floats of 11 and
 * of 24 bits do not hold. */
static int64_t integer_edge(ElementType type, uint64_t hash) {
  int64_t lowest = (int64_t)integer_lowest(type),
          highest = (int64_t)(uint64_t)integer_highest(type);
  switch (hash % 8) {
    case 0: return lowest;
    case 1: return highest;
    case 2: return (int64_t)((uint64_t)lowest + 1);
    case 3: return (int64_t)((uint64_t)highest - 1);
    case 4: return -1;
    case 5: return (int64_t)(UINT64_C(1) << (element_type_bits(type) - 1));
    case 6: return 2049;
    default: return 16777217;
  }
}

/* A constant of the type, or a number next to it; false: there is none. */
static bool beside_constant(
    const InputConstants *constants, ElementType type, uint64_t hash, Element *value) {
  if (constants->count == 0) return false;
  const Element *found = &constants->items[(hash >> 8) % constants->count];
  if (found->type != type) return false;
  int64_t step = (int64_t)(hash >> 16) % 3 - 1;
  *value = element_type_is_integral(type)
               ? element_of_integer(type, (int64_t)((uint64_t)found->integer + (uint64_t)step))
               : element_of_real(type, found->real + (double)step / 2);
  return true;
}

/* One of three is an edge, one lies beside a constant, one is small; of floats that are small every
 * second one is a fraction. `turn` moves an input from one edge to the next. */
static Element edge_value(const InputConstants *constants, uint32_t assignment, ElementType type,
    uint64_t hash, uint64_t turn) {
  Element value;
  bool is_integral = element_type_is_integral(type);
  if (turn % 3 == 0 && beside_constant(constants, type, hash, &value)) return value;
  if (turn % 3 == 1 && is_integral) return element_of_integer(type, integer_edge(type, turn));
  int64_t small = small_value(assignment, hash);
  if (is_integral) return element_of_integer(type, small);
  if (hash % 2 == 0) return element_of_real(type, (double)small);
  return element_of_real(type, (double)((int64_t)(hash >> 20) % 63 - 31) / 4);
}

static double large_value(uint32_t assignment) {
  static const double values[evaluation_large] = {100, 0x1p70, -0x1p70, 800};
  return values[assignment % evaluation_large];
}

Element inputs_value(const InputConstants *constants, uint32_t assignment, const TermData *atom) {
  static constexpr uint32_t first_drawn = 16;
  uint64_t own = atom_hash(atom), hash = hash_mix(own, assignment * UINT64_C(977) + 5);
  ElementType type = atom->type;
  bool is_integral = element_type_is_integral(type);
  if (type == TYPE_pred) return element_of_integer(type, (int64_t)(hash >> 40) % 2);
  uint64_t turn = assignment < first_drawn ? own % 64 + assignment : hash >> 32;
  if (inputs_have_edges(assignment)) return edge_value(constants, assignment, type, hash, turn);
  if (!is_integral && assignment >= evaluation_assignments)
    return element_of_real(type, large_value(assignment));
  bool is_offset = is_integral && element_type_bits(type) >= 32 && assignment >= first_offsets;
  int64_t value = is_offset ? offset_value(hash) : small_value(assignment, hash);
  return is_integral ? element_of_integer(type, value) : element_of_real(type, (double)value);
}
