/* Values of integral elements as formulas. Data movement is followed. Constants, iota and linear
 * arithmetic are computed with the wrap-around of the element type (x - 2^n * ((x - least) floordiv
 * 2^n)) and HLO's truncating division. Everything else is a value atom: the element of that
 * instruction, of which only the bounds of its type are known.
 * The same walk computes the values in operation semantics and those of a map's runtime variables,
 * so equal elements are equal terms. Recursion stops at a fixed depth and number of steps; then
 * `too_deep` is set, and no conclusion is valid. */
#include <assert.h>
#include <string.h>

#include "core/base/stack.h"
#include "smt/semantics/hlo_reading.h"

static constexpr uint32_t deepest = 500;
static constexpr uint32_t most_steps = 100'000;

typedef struct Valuing {
  Sums *sums;
} Valuing;

static Sum hlo_value_value_of(Valuing *work, const CallSite *frame, const Instruction *instruction,
    uint32_t leaf, const Sum *index);

/* A number for a call: elements of one body reached through two calls are different elements. */
static Sum caller_number(Sums *sums, const Instruction *caller) {
  uint32_t at = 0;
  while (at < sums->caller_count && sums->callers[at] != caller) at++;
  if (at == sums->caller_capacity) {
    sums->caller_capacity = 2 * at + 8;
    sums->callers =
        arena_grow(sums->arena, sums->callers, at, sums->caller_capacity, sizeof *sums->callers);
  }
  if (at == sums->caller_count) sums->callers[sums->caller_count++] = caller;
  return sum_of_constant(sums, at);
}

/* Identifies parameters of the outermost computation by number and type, so that two graphs share
 * their values, and each atom has the bounds of its own type. */
static const char parameters_of_the_outermost;

/* An unknown element: its leaf, its index, and the calls through which it is reached. */
static Sum hlo_value_unknown(Valuing *work, const CallSite *frame, const Instruction *instruction,
    uint32_t leaf, const Sum *index) {
  assert(leaf < shape_leaf_count(instruction->shape));
  const Shape *shape = shape_leaf(instruction->shape, leaf);
  Wide lo = INT64_MIN, hi = INT64_MAX;
  uint32_t count = 1 + shape->rank;
  (void)hlo_type_range(shape->type, &lo, &hi);
  for (const CallSite *at = frame; at != nullptr && at->caller != nullptr; at = at->outer) count++;
  Sum *full = ARENA_NEW(work->sums->arena, Sum, count);
  bool outermost = instruction->opcode == HLO_PARAMETER && count == 1 + shape->rank;
  full[0] = sum_of_constant(work->sums,
      outermost ? leaf + ((Wide)instruction->number << 32) + ((Wide)shape->type << 80) : leaf);
  for (uint32_t i = 0; i < shape->rank; i++) full[i + 1] = index[i];
  uint32_t next = 1 + shape->rank;
  for (const CallSite *at = frame; at != nullptr && at->caller != nullptr; at = at->outer)
    full[next++] = caller_number(work->sums, at->caller);
  return sum_value(work->sums, outermost ? &parameters_of_the_outermost : (const void *)instruction,
      instruction->name, count, full, lo, hi);
}

static Sum constant_value(
    Valuing *work, const Instruction *constant, uint32_t leaf, const Sum *index) {
  const Shape *shape = constant->shape;
  Sums *sums = work->sums;
  Wide position = 0, component;
  Ints literal = constant->literal;
  if (literal.count == 0) return hlo_value_unknown(work, nullptr, constant, leaf, index);
  bool all_same = true;
  for (uint32_t i = 1; i < literal.count && all_same; i++)
    all_same = literal.values[i] == literal.values[0];
  for (uint32_t i = 0; i < shape->rank && !all_same; i++) {
    if (!sum_is_constant(sums, index[i], &component) || component < 0 ||
        component >= shape->sizes[i])
      return hlo_value_unknown(work, nullptr, constant, leaf, index);
    position = position * shape->sizes[i] + component;
  }
  Wide value = literal.values[(uint32_t)position];
  if (shape->type == TYPE_u64 && value < 0) value += (Wide)1 << 64;
  return sum_of_constant(sums, value);
}

typedef enum Taken : uint8_t { TAKEN_NEVER, TAKEN_ALWAYS, TAKEN_SOMETIMES } Taken;

/* Whether the access happens for every index, for none, or for some. */
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

static bool is_bitcast(const Instruction *instruction) {
  return instruction->opcode == HLO_BITCAST || instruction->opcode == HLO_BITCAST_CONVERT;
}

/* Whether each element is one of an operand, or an integer with the bits of one. Wrapping into 64
 * bits is not stated. */
static bool keeps_bits(const Instruction *instruction, uint32_t leaf) {
  if (!is_bitcast(instruction)) return true;
  const Shape *operand = shape_leaf(instruction->operands[0]->shape, leaf),
              *result = shape_leaf(instruction->shape, leaf);
  ElementType from = operand->type, to = result->type;
  if (instruction->opcode == HLO_BITCAST && shape_stored_bits(operand) != shape_stored_bits(result))
    return false;
  bool is_flag = from == TYPE_pred || to == TYPE_pred;
  return from == to ||
         (element_type_is_integral(from) && element_type_is_integral(to) && !is_flag &&
             element_type_bits(from) == element_type_bits(to) && element_type_bits(to) < 64);
}

/* The value that data movement reads: that of the first operand read, if the access is certain. */
static Sum moved_value(Valuing *work, const CallSite *frame, const Instruction *instruction,
    uint32_t leaf, const Sum *index) {
  assert(leaf < shape_leaf_count(instruction->shape));
  SmtReading reading = {.sums = work->sums,
      .frame = frame,
      .value = hlo_value,
      .instruction = instruction,
      .leaf = leaf,
      .index = index};
  reading.shape = shape_leaf(instruction->shape, leaf);
  if (!hlo_accesses(&reading)) return hlo_value_unknown(work, frame, instruction, leaf, index);
  for (uint32_t i = 0; i < reading.accesses.count; i++) {
    const Access *access = reading.accesses.items[i];
    Taken taken = is_taken(work->sums, access);
    if (taken == TAKEN_ALWAYS)
      return hlo_value_value_of(
          work, frame, instruction->operands[access->operand], access->leaf, access->element);
    if (taken == TAKEN_SOMETIMES) break;
  }
  return hlo_value_unknown(work, frame, instruction, leaf, index);
}

static Sum operand_value(Valuing *work, const CallSite *frame, const Instruction *instruction,
    uint32_t operand, const Sum *index) {
  const Instruction *source = instruction->operands[operand];
  return hlo_value_value_of(work, frame, source, 0, source->shape->rank == 0 ? nullptr : index);
}

/* Whether the operation is elementwise and has equal results for equal operands. */
static bool is_function(const Instruction *instruction) {
  return opcode_family(instruction->opcode) == FAMILY_ELEMENTWISE &&
         instruction->opcode != HLO_MAP && instruction->operand_count > 0;
}

static bool same_attribute(const Instruction *a, const Instruction *b, const char *name) {
  const Attribute *x = instruction_attribute(a, name), *y = instruction_attribute(b, name);
  return x == nullptr || y == nullptr ? x == y : strcmp(x->text, y->text) == 0;
}

static bool same_function(const Instruction *a, const Instruction *b) {
  if (a->opcode != b->opcode || a->shape->type != b->shape->type ||
      a->operand_count != b->operand_count)
    return false;
  for (uint32_t i = 0; i < a->operand_count; i++)
    if (a->operands[i]->shape->type != b->operands[i]->shape->type) return false;
  return same_attribute(a, b, "direction") && same_attribute(a, b, "type");
}

/* One pointer for all instructions with the same operation, operand types and attributes. */
static const void *function_of(Sums *sums, const Instruction *instruction) {
  for (uint32_t i = 0; i < sums->function_count; i++)
    if (same_function(sums->functions[i]->first, instruction)) return sums->functions[i];
  if (sums->function_count == sums->function_capacity) {
    sums->function_capacity = 2 * sums->function_count + 8;
    sums->functions = arena_grow(sums->arena, sums->functions, sums->function_count,
        sums->function_capacity, sizeof *sums->functions);
  }
  ValueFunction *function = ARENA_NEW(sums->arena, ValueFunction, 1);
  function->first = instruction;
  sums->functions[sums->function_count++] = function;
  return function;
}

static bool function_commutes(Opcode opcode) {
  return opcode == HLO_MULTIPLY || opcode == HLO_AND || opcode == HLO_OR || opcode == HLO_XOR;
}

/* An operation without a formula, as an unknown function of its operands' values: equal operands
 * imply equal results, in any order if the operation commutes. */
static Sum applied(Valuing *work, const Instruction *instruction, Sum *operands) {
  Wide lo = INT64_MIN, hi = INT64_MAX;
  if (function_commutes(instruction->opcode) && operands[0].at > operands[1].at) {
    Sum first = operands[0];
    operands[0] = operands[1];
    operands[1] = first;
  }
  (void)hlo_type_range(instruction->shape->type, &lo, &hi);
  return sum_value(work->sums, function_of(work->sums, instruction), instruction->name,
      instruction->operand_count, operands, lo, hi);
}

static Sum computed(
    Valuing *work, const CallSite *frame, const Instruction *instruction, const Sum *index) {
  Sum *operands = ARENA_NEW(work->sums->arena, Sum, instruction->operand_count), value;
  for (uint32_t i = 0; i < instruction->operand_count; i++)
    operands[i] = operand_value(work, frame, instruction, i, index);
  return hlo_compute(work->sums, instruction, operands, &value)
             ? value
             : applied(work, instruction, operands);
}

/* A parameter of a called computation is the caller's operand, in the caller's frame. */
static Sum parameter_value(Valuing *work, const CallSite *frame, const Instruction *parameter,
    uint32_t leaf, const Sum *index) {
  uint32_t operand;
  if (frame == nullptr || frame->caller == nullptr || !frame_operand(frame, parameter, &operand))
    return hlo_value_unknown(work, frame, parameter, leaf, index);
  return hlo_value_value_of(work, frame->outer, frame->caller->operands[operand], leaf, index);
}

/* A call has the value of its body's root; the frame lives as long as the arena. */
static Sum called_value(Valuing *work, const CallSite *frame, const Instruction *caller,
    uint32_t leaf, const Sum *index) {
  CallSite *inner = ARENA_NEW(work->sums->arena, CallSite, 1);
  *inner = (CallSite){.caller = caller, .outer = frame};
  return hlo_value_value_of(work, inner, caller->called[0]->root, leaf, index);
}

/* Opcodes for which each element of the result is one element of an operand. */
static const bool passes_on[opcode_count] = {
    [HLO_COPY] = true,
    [HLO_TUPLE] = true,
    [HLO_GET_TUPLE_ELEMENT] = true,
    [HLO_OPTIMIZATION_BARRIER] = true,
    [HLO_COPY_START] = true,
    [HLO_COPY_DONE] = true,
    [HLO_BITCAST] = true,
    [HLO_BITCAST_CONVERT] = true,
    [HLO_BROADCAST] = true,
    [HLO_TRANSPOSE] = true,
    [HLO_REVERSE] = true,
    [HLO_SLICE] = true,
    [HLO_RESHAPE] = true,
    [HLO_CONCATENATE] = true,
    [HLO_PAD] = true,
    [HLO_DYNAMIC_SLICE] = true,
    [HLO_GATHER] = true,
};

static Sum hlo_value_value_of(Valuing *work, const CallSite *frame, const Instruction *instruction,
    uint32_t leaf, const Sum *index) {
  assert(leaf < shape_leaf_count(instruction->shape));
  assert(index != nullptr || instruction->opcode != HLO_IOTA); /* it has a dimension */
  ElementType type = shape_leaf(instruction->shape, leaf)->type;
  if (work->sums->value_depth >= deepest || stack_is_low() || work->sums->value_steps >= most_steps)
    work->sums->too_deep = true;
  bool is_unbounded = instruction_unbounded(instruction) != nullptr;
  if (!element_type_is_integral(type) || work->sums->too_deep || is_unbounded)
    return hlo_value_unknown(work, frame, instruction, leaf, index);
  work->sums->value_depth++;
  work->sums->value_steps++;
  Sum value;
  if (instruction->opcode == HLO_CONSTANT) value = constant_value(work, instruction, leaf, index);
  else if (instruction->opcode == HLO_IOTA)
    value = hlo_wrapped(work->sums, type, index[instruction->number]);
  else if (instruction->opcode == HLO_PARAMETER)
    value = parameter_value(work, frame, instruction, leaf, index);
  else if (opcode_group(instruction->opcode) == GROUP_call)
    value = called_value(work, frame, instruction, leaf, index);
  else if (passes_on[instruction->opcode] && keeps_bits(instruction, leaf))
    value = moved_value(work, frame, instruction, leaf, index);
  else if (is_function(instruction)) value = computed(work, frame, instruction, index);
  else value = hlo_value_unknown(work, frame, instruction, leaf, index);
  if (is_bitcast(instruction) && type != shape_leaf(instruction->operands[0]->shape, leaf)->type)
    value = hlo_wrapped(work->sums, type, value);
  work->sums->value_depth--;
  return value;
}

Sum hlo_value(Sums *sums, const CallSite *frame, const Instruction *instruction, uint32_t leaf,
    const Sum *index) {
  assert(leaf < shape_leaf_count(instruction->shape));
  Valuing work = {.sums = sums};
  return hlo_value_value_of(&work, frame, instruction, leaf, index);
}

static bool is_known_at_run_time(const Instruction *instruction) {
  OpcodeFamily family = opcode_family(instruction->opcode);
  if (family == FAMILY_SOURCE)
    return instruction->opcode != HLO_CONSTANT && instruction->opcode != HLO_IOTA;
  return family == FAMILY_OPAQUE || family == FAMILY_COLLECTIVE ||
         instruction->opcode == HLO_WHILE || instruction->opcode == HLO_CONDITIONAL;
}

static bool is_computed_from_constants(Arena *scratch, const Instruction *instruction) {
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

const Instruction *hlo_value_function(const Sums *sums, uint32_t at) {
  const SumAtom *atom = &sums->atoms[at];
  for (uint32_t i = 0; i < sums->function_count; i++)
    if (atom->instruction == sums->functions[i]) return sums->functions[i]->first;
  return nullptr;
}

AtomValueKind hlo_value_kind(const Sums *sums, uint32_t at) {
  const SumAtom *atom = &sums->atoms[at];
  Wide value;
  bool constant = true;
  if (atom->instruction == &parameters_of_the_outermost) return VALUE_OF_PARAMETER;
  if (hlo_value_function(sums, at) == nullptr)
    return is_computed_from_constants(sums->arena, atom->instruction) ? VALUE_FIXED
                                                                      : VALUE_OF_INSTRUCTION;
  for (uint32_t i = 0; i < atom->index_count; i++)
    constant &= sum_is_constant(sums, atom->index[i], &value);
  return constant ? VALUE_FIXED : VALUE_OF_FUNCTION;
}
