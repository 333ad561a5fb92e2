/* Values of integral elements as formulas. Data movement is followed; constants, iota and the arithmetic that stays linear are computed
 * with the wrap-around of the element type (x - 2^n * ((x - least) floordiv 2^n)) and HLO's truncating division; everything else is a value
 * atom: the element of that instruction, and nothing more is known of it than the bounds of its type.
 * The same walk gives the values that the operation semantics use and those that a map's runtime variables name, so equal elements are
 * equal terms. Recursion stops at a fixed depth and number of steps; then `too_deep` is set, and nothing is to be concluded. */
#include "smt/hlo_reading.h"

static constexpr uint32_t deepest = 500;
static constexpr uint32_t most_steps = 100'000;

typedef struct Valuing {
  Sums *sums;
} Valuing;

static Sum value_of(Valuing *work, const Frame *frame, const Instruction *instruction, uint32_t leaf, const Sum *index);

static bool type_range(ElementType type, Wide *lo, Wide *hi) {
  uint32_t bits = element_type_bits(type);
  if (!element_type_is_integral(type) || bits > 64) return false;
  if (type == TYPE_pred) bits = 1;
  bool is_signed = element_type_is_signed(type);
  *lo = is_signed ? -((Wide)1 << (bits - 1)) : 0;
  *hi = is_signed ? ((Wide)1 << (bits - 1)) - 1 : ((Wide)1 << bits) - 1;
  return true;
}

/* A number for a call: elements of one body seen through two calls are two elements. */
static Sum caller_number(Sums *sums, const Instruction *caller) {
  uint32_t at = 0;
  while (at < sums->caller_count && sums->callers[at] != caller) at++;
  if (at == sums->caller_capacity) {
    sums->caller_capacity = 2 * at + 8;
    sums->callers = arena_grow(sums->arena, sums->callers, at, sums->caller_capacity, sizeof *sums->callers);
  }
  if (at == sums->caller_count) sums->callers[sums->caller_count++] = caller;
  return sum_of_constant(sums, at);
}

/* Parameters of the outermost computation go by number, so that two graphs speak of the same values. */
static const char parameters_of_the_outermost;

const void *hlo_value_parameters(void) { return &parameters_of_the_outermost; }

/* An unknown element: its leaf, its index, and through which calls it is seen. */
static Sum unknown(Valuing *work, const Frame *frame, const Instruction *instruction, uint32_t leaf, const Sum *index) {
  const Shape *shape = shape_leaf(instruction->shape, leaf);
  Wide lo = INT64_MIN, hi = INT64_MAX;
  uint32_t count = 1 + shape->rank;
  (void)type_range(shape->type, &lo, &hi);
  for (const Frame *at = frame; at != nullptr && at->caller != nullptr; at = at->outer) count++;
  Sum *full = ARENA_NEW(work->sums->arena, Sum, count);
  bool outermost = instruction->opcode == HLO_PARAMETER && count == 1 + shape->rank;
  full[0] = sum_of_constant(work->sums, outermost ? leaf + ((Wide)instruction->number << 32) : leaf);
  for (uint32_t i = 0; i < shape->rank; i++) full[i + 1] = index[i];
  uint32_t next = 1 + shape->rank;
  for (const Frame *at = frame; at != nullptr && at->caller != nullptr; at = at->outer) full[next++] = caller_number(work->sums, at->caller);
  return sum_value(work->sums, outermost ? &parameters_of_the_outermost : (const void *)instruction, instruction->name, count, full, lo, hi);
}

/* x as its element type holds it. */
static Sum wrapped(Valuing *work, ElementType type, Sum x) {
  Wide least, most, lo, hi;
  if (!type_range(type, &least, &most)) return x;
  if (sum_bounds(work->sums, x, &lo, &hi) && least <= lo && hi <= most) return x;
  Wide span = most - least + 1;
  Sum turns = sum_floordiv(work->sums, sum_plus(work->sums, x, -least), span);
  return sum_subtract(work->sums, x, sum_scale(work->sums, turns, span));
}

static Sum constant_value(Valuing *work, const Instruction *constant, const Sum *index) {
  const Shape *shape = constant->shape;
  Sums *sums = work->sums;
  Wide position = 0, place;
  Ints literal = constant->literal;
  if (literal.count == 0) return unknown(work, nullptr, constant, 0, index);
  bool all_same = true;
  for (uint32_t i = 1; i < literal.count && all_same; i++) all_same = literal.values[i] == literal.values[0];
  for (uint32_t i = 0; i < shape->rank && !all_same; i++) {
    if (!sum_is_constant(sums, index[i], &place) || place < 0 || place >= shape->sizes[i]) return unknown(work, nullptr, constant, 0, index);
    position = position * shape->sizes[i] + place;
  }
  Wide value = literal.values[(uint32_t)position];
  if (shape->type == TYPE_u64 && value < 0) value += (Wide)1 << 64;
  return sum_of_constant(sums, value);
}

typedef enum Taken : uint8_t { TAKEN_NEVER, TAKEN_ALWAYS, TAKEN_SOMETIMES } Taken;

/* Does the access happen whatever the index? */
static Taken is_taken(const Sums *sums, const Access *access) {
  Taken taken = TAKEN_ALWAYS;
  for (uint32_t i = 0; i < access->piece.withins.count; i++) {
    Within within = access->piece.withins.items[i];
    Wide value;
    if (!sum_is_constant(sums, within.sum, &value)) taken = TAKEN_SOMETIMES;
    else if (value < within.lo || value > within.hi) return TAKEN_NEVER;
  }
  return access->lacking != nullptr || access->piece.hidden.count > 0 ? TAKEN_SOMETIMES : taken;
}

/* Where data movement leads: the first operand that is read, if that is sure. */
static Sum moved_value(Valuing *work, const Frame *frame, const Instruction *instruction, uint32_t leaf, const Sum *index) {
  Reading reading = {.sums = work->sums, .frame = frame, .instruction = instruction, .leaf = leaf, .index = index};
  reading.shape = shape_leaf(instruction->shape, leaf);
  if (!hlo_accesses(&reading)) return unknown(work, frame, instruction, leaf, index);
  for (uint32_t i = 0; i < reading.accesses.count; i++) {
    const Access *access = reading.accesses.items[i];
    Taken taken = is_taken(work->sums, access);
    if (taken == TAKEN_ALWAYS) return value_of(work, frame, instruction->operands[access->operand], access->leaf, access->element);
    if (taken == TAKEN_SOMETIMES) break;
  }
  return unknown(work, frame, instruction, leaf, index);
}

static Sum operand_value(Valuing *work, const Frame *frame, const Instruction *instruction, uint32_t operand, const Sum *index) {
  const Instruction *source = instruction->operands[operand];
  return value_of(work, frame, source, 0, source->shape->rank == 0 ? nullptr : index);
}

/* Towards zero: max(x, 0) floordiv c - max(-x, 0) floordiv c for a constant c > 0. */
static Sum truncated(Sums *sums, Sum x, Wide c) {
  Sum zero = sum_of_constant(sums, 0);
  Sum up = sum_floordiv(sums, sum_max(sums, x, zero), c);
  Sum down = sum_floordiv(sums, sum_max(sums, sum_scale(sums, x, -1), zero), c);
  return sum_subtract(sums, up, down);
}

static Sum computed(Valuing *work, const Frame *frame, const Instruction *instruction, const Sum *index) {
  Sums *sums = work->sums;
  Wide c, least;
  Sum a = operand_value(work, frame, instruction, 0, index);
  Sum b = instruction->operand_count > 1 ? operand_value(work, frame, instruction, 1, index) : a;
  ElementType type = instruction->shape->type;
  if (type == TYPE_pred) return unknown(work, frame, instruction, 0, index);
  switch ((uint32_t)instruction->opcode) {
    case HLO_ADD: return wrapped(work, type, sum_add(sums, a, b));
    case HLO_SUBTRACT: return wrapped(work, type, sum_subtract(sums, a, b));
    case HLO_NEGATE: return wrapped(work, type, sum_scale(sums, a, -1));
    case HLO_MAXIMUM: return sum_max(sums, a, b);
    case HLO_MINIMUM: return sum_min(sums, a, b);
    case HLO_CLAMP: return sum_min(sums, sum_max(sums, a, b), operand_value(work, frame, instruction, 2, index));
    case HLO_MULTIPLY:
      if (sum_is_constant(sums, a, &c)) return wrapped(work, type, sum_scale(sums, b, c));
      if (sum_is_constant(sums, b, &c)) return wrapped(work, type, sum_scale(sums, a, c));
      return unknown(work, frame, instruction, 0, index);
    case HLO_DIVIDE:
    case HLO_REMAINDER:
      if (!sum_is_constant(sums, b, &c) || c <= 0) return unknown(work, frame, instruction, 0, index);
      if (instruction->opcode == HLO_DIVIDE) return truncated(sums, a, c);
      return sum_subtract(sums, a, sum_scale(sums, truncated(sums, a, c), c));
    case HLO_CONVERT:
      if (!type_range(instruction->operands[0]->shape->type, &least, &c)) return unknown(work, frame, instruction, 0, index);
      return wrapped(work, type, a);
    default: return unknown(work, frame, instruction, 0, index);
  }
}

/* A parameter of a called computation is the caller's operand, seen from where the caller stands. */
static Sum parameter_value(Valuing *work, const Frame *frame, const Instruction *parameter, uint32_t leaf, const Sum *index) {
  if (frame == nullptr || frame->caller == nullptr || parameter->number >= frame->caller->operand_count || frame->caller->opcode == HLO_MAP)
    return unknown(work, frame, parameter, leaf, index);
  return value_of(work, frame->outer, frame->caller->operands[parameter->number], leaf, index);
}

/* A call is its body's root; the frame lives as long as the arena. */
static Sum called_value(Valuing *work, const Frame *frame, const Instruction *caller, uint32_t leaf, const Sum *index) {
  Frame *inner = ARENA_NEW(work->sums->arena, Frame, 1);
  *inner = (Frame){.caller = caller, .outer = frame};
  return value_of(work, inner, caller->called[0]->root, leaf, index);
}

static Sum value_of(Valuing *work, const Frame *frame, const Instruction *instruction, uint32_t leaf, const Sum *index) {
  ElementType type = shape_leaf(instruction->shape, leaf)->type;
  if (work->sums->value_depth >= deepest || work->sums->value_steps >= most_steps) work->sums->too_deep = true;
  if (!element_type_is_integral(type) || work->sums->too_deep) return unknown(work, frame, instruction, leaf, index);
  work->sums->value_depth++;
  work->sums->value_steps++;
  Sum value;
  switch ((uint32_t)instruction->opcode) {
    case HLO_CONSTANT: value = constant_value(work, instruction, index); break;
    case HLO_IOTA: value = wrapped(work, type, index[instruction->number]); break;
    case HLO_PARAMETER: value = parameter_value(work, frame, instruction, leaf, index); break;
    case HLO_FUSION:
    case HLO_CALL: value = called_value(work, frame, instruction, leaf, index); break;
    case HLO_COPY:
    case HLO_TUPLE:
    case HLO_GET_TUPLE_ELEMENT:
    case HLO_OPTIMIZATION_BARRIER:
    case HLO_COPY_START:
    case HLO_COPY_DONE:
    case HLO_BITCAST:
    case HLO_BROADCAST:
    case HLO_TRANSPOSE:
    case HLO_REVERSE:
    case HLO_SLICE:
    case HLO_RESHAPE:
    case HLO_CONCATENATE:
    case HLO_PAD:
    case HLO_DYNAMIC_SLICE:
    case HLO_GATHER: value = moved_value(work, frame, instruction, leaf, index); break;
    case HLO_ADD:
    case HLO_SUBTRACT:
    case HLO_NEGATE:
    case HLO_MAXIMUM:
    case HLO_MINIMUM:
    case HLO_CLAMP:
    case HLO_MULTIPLY:
    case HLO_DIVIDE:
    case HLO_REMAINDER:
    case HLO_CONVERT: value = computed(work, frame, instruction, index); break;
    default: value = unknown(work, frame, instruction, leaf, index); break;
  }
  work->sums->value_depth--;
  return value;
}

Sum hlo_value(Sums *sums, const Frame *frame, const Instruction *instruction, uint32_t leaf, const Sum *index) {
  Valuing work = {.sums = sums};
  return value_of(&work, frame, instruction, leaf, index);
}

static bool is_known_at_run_time(const Instruction *instruction) {
  OpcodeFamily family = opcode_family(instruction->opcode);
  if (family == FAMILY_SOURCE) return instruction->opcode != HLO_CONSTANT && instruction->opcode != HLO_IOTA;
  return family == FAMILY_OPAQUE || family == FAMILY_COLLECTIVE || instruction->opcode == HLO_WHILE || instruction->opcode == HLO_CONDITIONAL;
}

bool hlo_value_is_fixed(Arena *scratch, const Instruction *instruction) {
  bool *wanted = ARENA_NEW(scratch, bool, instruction->id + 1);
  wanted[instruction->id] = true;
  for (uint32_t i = instruction->id + 1; i-- > 0;) {
    const Instruction *at = instruction->parent->instructions[i];
    if (!wanted[i]) continue;
    if (is_known_at_run_time(at)) return false;
    for (uint32_t k = 0; k < at->operand_count; k++) wanted[at->operands[k]->id] = true;
  }
  return true;
}
