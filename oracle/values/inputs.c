/* Input values are hashes of the array, the element and the assignment, reduced to small numbers or
 * edges. */
#include "oracle/values/inputs.h"

#include "core/base/hash.h"
#include "oracle/semantics/arithmetic.h"
#include "oracle/values/notable.h"

static constexpr uint32_t first_edges = 8, first_offsets = 20;

bool inputs_have_edges(uint32_t assignment) {
  return assignment >= first_edges && assignment < first_offsets;
}

bool inputs_are_wide(uint32_t assignment) { return assignment >= evaluation_first_wide; }

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

void inputs_collect_array(InputConstants *constants, const TermData *atom) {
  if (!element_type_is_integral(atom->type) || atom->type == TYPE_pred) return;
  uint32_t at = 0;
  while (at < constants->array_count && constants->arrays[at] != atom->signature) at++;
  if (at < constants->array_count || at == inputs_most_constants) return;
  if (constants->array_count == 0 ||
      element_type_bits(atom->type) > element_type_bits(constants->widest))
    constants->widest = atom->type;
  constants->arrays[constants->array_count++] = atom->signature;
}

/* Mixes the array's number before the element's. Otherwise small numbers of both would coincide,
 * and elements of two arrays would have the same value in every assignment. */
static uint64_t atom_hash(const TermData *data) {
  uint64_t array = hash_mix(data->signature + 1, 0);
  return hash_mix(array, data->payload);
}

/* Offsets are past either end in some assignments, and inside in others. */
static int64_t offset_value(uint64_t hash) {
  int64_t any = (int64_t)(hash >> 20) % 1000;
  switch (hash % 4) {
    case 0: return -1 - any;
    case 1: return 100 + any;
    case 2: return any % 4;
    default: return any % 12;
  }
}

/* Beside stepped offsets elements are rarely equal, since each offset has one assignment. */
static constexpr int64_t most_beside_steps = 251;
/* Over the last assignments an input takes every value from 0 to 15. Two inputs have different
 * steps, or the same step and different starts, so that they do not move together. */
static int64_t stepped_value(uint32_t assignment, uint64_t own) {
  static_assert(evaluation_assignments - evaluation_usual == 16);
  uint64_t step = own >> 8 | 1, start = own >> 16;
  return (int64_t)(((assignment - evaluation_usual) * step + start) % 16);
}

/* The assignments use the kinds of small values in turn; in one of them every value is zero. */
static int64_t small_value(uint32_t assignment, uint64_t hash) {
  static constexpr uint32_t all_zero = 5;
  switch (assignment % 4) {
    case 0: return 1 + (int64_t)(hash >> 20) % 23;
    case 1: return assignment != all_zero && hash % 4 == 0 ? 1 + (int64_t)(hash >> 20) % 9 : 0;
    case 2: return (int64_t)(hash >> 20) % 17 - 8;
    default: return (int64_t)(hash >> 20) % 6;
  }
}

static int64_t beside_end(ElementType type, uint64_t hash) {
  switch (hash % 3) {
    case 0: return (int64_t)((uint64_t)integer_lowest(type) + 1);
    case 1: return (int64_t)((uint64_t)integer_highest(type) - 1);
    default: return -1;
  }
}

/* The first integer that floats with 11, or with 24, significand bits do not represent. */
static int64_t past_floats(ElementType type) {
  return element_type_bits(type) < 32 ? 2049 : 16777217;
}

/* In odd turns: a constant twice, then its two neighbours, as the type represents them; false if
 * there is no constant. */
static bool beside_constant(const InputConstants *constants, ElementType type, uint64_t own,
    uint64_t turn, Element *value) {
  static constexpr double most_converted = 0x1p24;
  static const int64_t steps[] = {0, 0, -1, 1};
  if (constants->count == 0 || turn % 2 == 0) return false;
  const Element *found = &constants->items[((own >> 8) + turn / 2) % constants->count];
  int64_t integer = found->integer, step = steps[turn % 8 / 2];
  double real = found->real;
  if (element_type_is_integral(found->type)) real = (double)integer;
  bool is_near = real > -most_converted && real < most_converted;
  if (element_type_is_integral(type)) {
    if (!element_type_is_integral(found->type)) integer = is_near ? (int64_t)real : 0;
    *value = element_of_integer(type, (int64_t)((uint64_t)integer + (uint64_t)step));
    return true;
  }
  *value = element_of_real(type, real + (double)step / 2);
  return is_near || found->type == type;
}

/* In eight turns an integer is twice at an end of its type, once next to an end or a power of two,
 * once past the integers that floats represent, and four times at or next to a constant. Every
 * second float is a fraction. */
static Element edge_value(const InputConstants *constants, uint32_t assignment, ElementType type,
    uint64_t own, uint64_t turn) {
  Element value;
  uint64_t hash = hash_mix(own, assignment * UINT64_C(977) + 5);
  if (beside_constant(constants, type, own, turn, &value)) return value;
  int64_t small = small_value(assignment, hash);
  if (!element_type_is_integral(type))
    return element_of_real(
        type, hash % 2 == 0 ? (double)small : (double)((int64_t)(hash >> 20) % 63 - 31) / 4);
  switch (turn % 8) {
    case 0: return element_of_integer(type, (int64_t)integer_lowest(type));
    case 2: return element_of_integer(type, (int64_t)(uint64_t)integer_highest(type));
    case 4:
      if (hash % 2 == 0) return element_of_integer(type, beside_end(type, hash >> 4));
      return element_of_integer(
          type, (int64_t)(UINT64_C(1) << (hash >> 8) % element_type_bits(type)));
    case 6: return element_of_integer(type, past_floats(type));
    default: return element_of_integer(type, small);
  }
}

static double large_value(uint32_t assignment) {
  static const double values[evaluation_large] = {100, 0x1p70, -0x1p70, 800};
  return values[assignment % evaluation_large];
}

/* Integers next to the square root of the number of values, or of half of them. */
static int64_t root_value(ElementType type, uint64_t hash) {
  static const int64_t roots[] = {46340, 46341, 65535, 65536}, narrow[] = {181, 182, 255, 256},
                       wide[] = {3037000499, 3037000500, 4294967295, 4294967296};
  uint32_t bits = element_type_bits(type);
  int64_t root = (bits > 32 ? wide : bits > 16 ? roots : narrow)[hash % 4];
  return hash >> 2 & 1 ? -root : root;
}

/* The number of the array among those of integers, so that neighbours have different parities. */
static uint64_t wide_position(const InputConstants *constants, const TermData *atom) {
  uint32_t at = 0;
  while (at < constants->array_count && constants->arrays[at] != atom->signature) at++;
  return at + atom->payload;
}

/* In six tries every second input is at an edge, in turn, beside odd numbers or any numbers. Then
 * come roots, and numbers of the full width. */
static int64_t wide_value(
    const InputConstants *constants, uint32_t try, const TermData *atom, uint64_t hash) {
  ElementType type = atom->type;
  uint64_t half = UINT64_C(1) << (element_type_bits(type) - 1);
  const int64_t edges[] = {(int64_t)integer_lowest(type), (int64_t)(uint64_t)integer_highest(type),
      (int64_t)(hash % 2 == 0 ? half : half - 1)};
  bool is_edge = wide_position(constants, atom) % 2 == try % 2;
  int64_t odd = 3 + 2 * (int64_t)(hash >> 20 & 15);
  if (try < 6 && is_edge) return edges[try / 2];
  if (try < 4) return hash >> 8 & 1 ? -odd : odd;
  if (try == 6) return root_value(type, 1);
  return try == 7 ? root_value(type, hash >> 8) : (int64_t)hash;
}

/* The assignments of notable integers are passes over the list of the widest type. In the first
 * two, all inputs are at one number, and the predicates of the second are those of the first,
 * negated. Then each class of inputs is there alone, beside small numbers. Then come numbers that
 * have nothing to do with each other, and last each class beside one of the first numbers. Elements
 * of one array are at different numbers of the list, so that many elements need few passes. */
static constexpr uint32_t joint_passes = 2, mixed_passes = 4, most_classes = 8;

static uint32_t input_classes(const InputConstants *constants) {
  uint32_t count = constants->array_count;
  return count < 2 ? 2 : count > most_classes ? most_classes : count;
}

uint32_t inputs_notable_tries(const InputConstants *constants) {
  uint32_t length = notable_count(constants, constants->widest);
  if (constants->atom_count == 1) return length;
  uint32_t class_passes = input_classes(constants) * (1 + notable_first(constants));
  return length * (joint_passes + mixed_passes + class_passes);
}

/* Of an input of another class than the one that is at a notable number: small, or one of the
 * first numbers. */
static int64_t beside_notable(const InputConstants *constants, uint32_t pass, uint32_t classes,
    ElementType type, int64_t small) {
  uint32_t first = joint_passes + classes + mixed_passes;
  return pass < first ? small : notable_value(constants, type, (pass - first) / classes);
}

static Element notable_input(
    const InputConstants *constants, uint32_t assignment, const TermData *atom, uint64_t hash) {
  uint32_t length = notable_count(constants, constants->widest),
           try = assignment - evaluation_first_notable, pass = try / length,
           classes = input_classes(constants), mixed = joint_passes + classes;
  ElementType type = atom->type;
  if (type == TYPE_pred) {
    uint64_t bit = pass < joint_passes ? (atom_hash(atom) >> 40) + pass : hash >> 40;
    return element_of_integer(type, (int64_t)(bit % 2));
  }
  int64_t small = small_value(assignment, hash);
  if (!element_type_is_integral(type)) return element_of_real(type, (double)small / 4);
  bool is_mixed = pass >= mixed && pass < mixed + mixed_passes;
  uint64_t at = is_mixed ? hash >> 16 : try % length + atom->payload;
  uint32_t class = pass < mixed ? pass - joint_passes : pass - mixed - mixed_passes;
  if (pass >= joint_passes && !is_mixed &&
      wide_position(constants, atom) % classes != class % classes)
    return element_of_integer(type, beside_notable(constants, pass, classes, type, small));
  return element_of_integer(type, notable_value(constants, type, at));
}

Element inputs_value(const InputConstants *constants, uint32_t assignment, const TermData *atom) {
  static constexpr uint32_t all_lowest = 16, all_highest = 17;
  uint64_t own = atom_hash(atom), hash = hash_mix(own, assignment * UINT64_C(977) + 5);
  ElementType type = atom->type;
  bool is_integral = element_type_is_integral(type);
  if (assignment >= evaluation_first_notable)
    return notable_input(constants, assignment, atom, hash);
  if (type == TYPE_pred) return element_of_integer(type, (int64_t)(hash >> 40) % 2);
  if (inputs_are_wide(assignment)) {
    uint32_t try = assignment - evaluation_first_wide;
    return is_integral ? element_of_integer(type, wide_value(constants, try, atom, hash))
                       : element_of_real(type, (double)small_value(assignment, hash) / 4);
  }
  bool is_end = assignment == all_lowest || assignment == all_highest;
  uint64_t turn = assignment < all_lowest     ? own % 64 + assignment
                  : assignment == all_lowest  ? 0
                  : assignment == all_highest ? 2
                                              : hash >> 32;
  if (is_end && !is_integral) return element_of_real(type, assignment == all_lowest ? -7.75 : 7.75);
  if (inputs_have_edges(assignment)) return edge_value(constants, assignment, type, own, turn);
  if (!is_integral && assignment >= evaluation_assignments)
    return element_of_real(type, large_value(assignment));
  bool is_offset = is_integral && element_type_bits(type) >= 32 && assignment >= first_offsets;
  bool is_stepped = assignment >= evaluation_usual;
  int64_t value = is_offset    ? is_stepped ? stepped_value(assignment, own) : offset_value(hash)
                  : is_stepped ? 1 + (int64_t)(hash >> 20) % most_beside_steps
                               : small_value(assignment, hash);
  return is_integral ? element_of_integer(type, value) : element_of_real(type, (double)value);
}
