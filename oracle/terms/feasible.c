/* Offsets that are different elements of inputs take any positions of their type. All others are
 * evaluated for values of at most three elements of inputs: for all values of narrow types, and
 * otherwise for values near the wanted positions and at the limits of the type. */
#include "oracle/terms/feasible.h"

#include <string.h>

#include "core/base/arena.h"
#include "oracle/values/element.h"

static constexpr uint32_t most_atoms = 3, most_depth = 64, most_tried = 48;
static constexpr uint64_t most_evaluated = 2'000'000;

/* An element of an input, and the values to try. */
typedef struct FreeElement {
  Term atom;
  bool is_complete; /* all values of its type are tried */
  uint32_t count, at;
  int64_t tried[256];
} FreeElement;

typedef struct FeasibleSearch {
  Feasible *feasible;
  uint32_t atom_count;
  FreeElement atoms[most_atoms];
} FeasibleSearch;

static const TermData *data_of(const Feasible *feasible, Term term) {
  return term_data(feasible->terms, term);
}

static int64_t least_of(ElementType type) {
  return element_type_is_signed(type) ? (int64_t)-(UINT64_C(1) << (element_type_bits(type) - 1))
                                      : 0;
}

/* Of an unsigned type of 64 bits the largest signed number. */
static int64_t largest_of(ElementType type) {
  uint32_t bits = type == TYPE_pred ? 1 : element_type_bits(type);
  uint32_t digits = bits - (element_type_is_signed(type) || bits == 64);
  return (int64_t)((UINT64_C(1) << digits) - 1);
}

/* Whether all offsets are different elements that can take their positions. */
static bool are_free(const Feasible *feasible, uint32_t count, const Position *positions) {
  for (uint32_t i = 0; i < count; i++) {
    const TermData *data = data_of(feasible, positions[i].offset);
    if (data->kind != TERM_ATOM || !element_type_is_integral(data->type) ||
        positions[i].position > largest_of(data->type))
      return false;
    for (uint32_t k = 0; k < i; k++)
      if (positions[k].offset == positions[i].offset) return false;
  }
  return true;
}

/* --- the elements that offsets depend on --- */

static bool collect_atoms(FeasibleSearch *search, Term term, uint32_t depth) {
  Feasible *feasible = search->feasible;
  TermData data = *data_of(feasible, term);
  if (data.kind == TERM_CONSTANT) return true;
  if (depth == most_depth || ++feasible->work > most_evaluated) return false;
  if (data.kind == TERM_ATOM) {
    for (uint32_t i = 0; i < search->atom_count; i++)
      if (search->atoms[i].atom == term) return true;
    if (search->atom_count == most_atoms || !element_type_is_integral(data.type)) return false;
    search->atoms[search->atom_count++].atom = term;
    return true;
  }
  if (data.kind != TERM_APPLY && data.kind != TERM_PICK) return false;
  for (uint32_t i = 0; i < data.count; i++)
    if (!collect_atoms(search, term_children(feasible->terms, term)[i], depth + 1)) return false;
  return true;
}

static void try_value(FreeElement *element, ElementType type, int64_t value) {
  if (value < least_of(type) || value > largest_of(type) || element->count == most_tried) return;
  for (uint32_t i = 0; i < element->count; i++)
    if (element->tried[i] == value) return;
  element->tried[element->count++] = value;
}

static void choose_values(
    const FeasibleSearch *search, FreeElement *element, uint32_t count, const Position *positions) {
  ElementType type = data_of(search->feasible, element->atom)->type;
  int64_t least = least_of(type), largest = largest_of(type);
  static constexpr int64_t all = 255;
  element->count = element->at = 0;
  element->is_complete = type == TYPE_pred || element_type_bits(type) <= 8;
  for (int64_t value = least; element->is_complete && value <= largest; value++)
    element->tried[element->count++] = value;
  if (element->is_complete) return;
  static_assert(all < (int64_t)(sizeof element->tried / sizeof *element->tried));
  for (uint32_t i = 0; i < count; i++) {
    int64_t at = positions[i].position, last = positions[i].count - 1;
    const int64_t near[] = {at, at - 1, at + 1, -at, last - at, last + 1 - at, at / 2, (at + 1) / 2,
        2 * at, last, last + 1};
    for (size_t k = 0; k < sizeof near / sizeof *near; k++) try_value(element, type, near[k]);
  }
  static constexpr int64_t few = 3;
  for (int64_t value = -few; value <= few; value++) try_value(element, type, value);
  try_value(element, type, least);
  try_value(element, type, largest);
}

/* --- evaluation --- */

static bool offset_value(FeasibleSearch *search, Term term, uint32_t depth, Element *value);

static bool picked_value(
    FeasibleSearch *search, const TermData *data, Term term, uint32_t depth, Element *value) {
  Element offset;
  const Term *children = term_children(search->feasible->terms, term);
  if (!offset_value(search, children[0], depth + 1, &offset)) return false;
  int64_t at = offset_clamp(offset.type, offset.integer, (int64_t)data->count - 1);
  return offset_value(search, children[1 + at], depth + 1, value);
}

/* False if the value is not known exactly. */
static bool offset_value(FeasibleSearch *search, Term term, uint32_t depth, Element *value) {
  Terms *terms = search->feasible->terms;
  TermData data = *term_data(terms, term);
  if (depth == most_depth || ++search->feasible->work > most_evaluated) return false;
  if (data.kind == TERM_CONSTANT) {
    *value = element_of_constant(data.type, data.payload);
    return true;
  }
  if (data.kind == TERM_PICK) return picked_value(search, &data, term, depth, value);
  for (uint32_t i = 0; data.kind == TERM_ATOM && i < search->atom_count; i++)
    if (search->atoms[i].atom == term) {
      *value = element_of_integer(data.type, search->atoms[i].tried[search->atoms[i].at]);
      return true;
    }
  Element operands[3];
  const TermSignature *of = signature_at(terms, data.signature);
  if (data.kind != TERM_APPLY || of->is_opaque || of->instruction == nullptr || data.count == 0 ||
      data.count > sizeof operands / sizeof *operands)
    return false;
  for (uint32_t i = 0; i < data.count; i++)
    if (!offset_value(search, term_children(terms, term)[i], depth + 1, &operands[i])) return false;
  return element_apply(of->instruction, data.count, operands, value) && value->is_known &&
         value->is_exact && !value->is_rounded;
}

/* Whether the current values give all positions; `is_known` is cleared if one is not known. */
static bool holds(
    FeasibleSearch *search, uint32_t count, const Position *positions, bool *is_known) {
  for (uint32_t i = 0; i < count; i++) {
    Element offset;
    if (!offset_value(search, positions[i].offset, 0, &offset) ||
        !element_type_is_integral(offset.type)) {
      *is_known = false;
      return false;
    }
    if (offset_clamp(offset.type, offset.integer, positions[i].count) != positions[i].position)
      return false;
  }
  return true;
}

static bool next_values(FeasibleSearch *search) {
  for (uint32_t i = 0; i < search->atom_count; i++) {
    if (++search->atoms[i].at < search->atoms[i].count) return true;
    search->atoms[i].at = 0;
  }
  return false;
}

VerdictStatus positions_are_feasible(
    Feasible *feasible, uint32_t count, const Position *positions) {
  if (are_free(feasible, count, positions)) return VERDICT_PROVED;
  FeasibleSearch search = {.feasible = feasible};
  bool is_known = true, is_complete = true;
  for (uint32_t i = 0; i < count; i++)
    if (!collect_atoms(&search, positions[i].offset, 0)) return VERDICT_UNKNOWN;
  for (uint32_t i = 0; i < search.atom_count; i++) {
    choose_values(&search, &search.atoms[i], count, positions);
    is_complete = is_complete && search.atoms[i].is_complete;
  }
  do {
    if (feasible->work > most_evaluated) return VERDICT_UNKNOWN;
    if (holds(&search, count, positions, &is_known)) return VERDICT_PROVED;
  } while (next_values(&search));
  return is_known && is_complete ? VERDICT_REFUTED : VERDICT_UNKNOWN;
}
