/* Spots, the call frames through which they are reached, and the atoms of their indices. */
#include <assert.h>
#include <stdarg.h>

#include "smt/values/values.h"

const CallSite *proof_frame(ValuesProof *proof, const CallSite *outer, const Instruction *caller) {
  for (uint32_t i = 0; i < proof->frames.count; i++)
    if (proof->frames.items[i]->caller == caller && proof->frames.items[i]->outer == outer)
      return proof->frames.items[i];
  CallSite *frame = ARENA_NEW(proof->arena, CallSite, 1);
  *frame = (CallSite){.caller = caller, .outer = outer};
  return *ARENA_PUSH(proof->arena, &proof->frames) = frame;
}

bool spot_is_well_formed(const Sums *sums, const Spot *spot) {
  return spot->leaf < shape_leaf_count(spot->instruction->shape) &&
         spot->rank == shape_leaf(spot->instruction->shape, spot->leaf)->rank &&
         sums_has_all(sums, spot->rank, spot->index);
}

Spot spot_at(
    const CallSite *frame, const Instruction *instruction, uint32_t leaf, const Sum *index) {
  assert(leaf < shape_leaf_count(instruction->shape));
  return (Spot){.frame = frame,
      .instruction = instruction,
      .leaf = leaf,
      .rank = shape_leaf(instruction->shape, leaf)->rank,
      .index = index};
}

Spot spot_replaced(ValuesProof *proof, const AtomChange *change, Spot spot) {
  Sum *index = ARENA_NEW(proof->arena, Sum, spot.rank);
  for (uint32_t i = 0; i < spot.rank; i++) index[i] = spot.index[i];
  sums_replace(proof->sums, change, spot.rank, index);
  spot.index = index;
  assert(spot_is_well_formed(proof->sums, &spot));
  return spot;
}

bool spot_same(const Spot *a, const Spot *b) {
  if (a->frame != b->frame || a->instruction != b->instruction || a->leaf != b->leaf) return false;
  for (uint32_t i = 0; i < a->rank; i++)
    if (!sum_same(a->index[i], b->index[i])) return false;
  return true;
}

Sum proof_variable(ValuesProof *proof, uint32_t role, uint32_t number, int64_t size) {
  if (size <= 1) return sum_of_constant(proof->sums, 0);
  for (uint32_t i = 0; i < proof->pool.count; i++) {
    const PoolAtom *known = &proof->pool.items[i];
    if (known->role == role && known->number == number && known->size == size)
      return sum_of_atom(proof->sums, known->atom);
  }
  PoolAtom made = {.role = role, .number = number, .size = size};
  Sum sum = sum_free_within(
      proof->sums, arena_printf(proof->arena, "v%u_%u", role, number), 0, (Wide)size - 1);
  if (sum_is_atom(proof->sums, sum, &made.atom)) *ARENA_PUSH(proof->arena, &proof->pool) = made;
  return sum;
}

bool proof_is_first(const ValuesProof *proof, const Instruction *instruction) {
  for (uint32_t i = 0; i < proof->first.count; i++)
    if (proof->first.items[i] == instruction->parent) return true;
  return false;
}

const Shape *spot_shape(const Spot *spot) {
  return shape_leaf(spot->instruction->shape, spot->leaf);
}

ElementType spot_type(const Spot *spot) { return spot_shape(spot)->type; }

Same proof_open(ValuesProof *proof, const char *format, ...) {
  if (proof->is_quiet || proof->reason[0] != 0) return SAME_OPEN;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(proof->reason, sizeof proof->reason, format, arguments);
  va_end(arguments);
  return SAME_OPEN;
}

uint64_t proof_rlimit(const ValuesProof *proof) {
  return proof->rlimit_used + (proof->has_query ? proof->query.rlimit_used : 0);
}

/* Reads the clock only now and then, because that costs more than most steps. */
static const char *why_over(ValuesProof *proof) {
  static constexpr uint64_t usual_steps = 400'000, looks_between = 64, rlimit_of_step = 50;
  static constexpr size_t most_bytes = (size_t)600 << 20, limited_bytes = (size_t)64 << 20,
                          bytes_of_step = 1 << 12;
  if (proof->sums->overflow) return sums_overflow_reason(proof->sums);
  uint64_t most_steps = proof->most_steps == 0 ? usual_steps : proof->most_steps;
  if (proof->steps >= most_steps) return "too many pairs of operations";
  if (proof->most_steps != 0 &&
      proof_rlimit(proof) - proof->rlimit_from > most_steps * rlimit_of_step)
    return "too much for the solver";
  if (proof->most_steps != 0 && proof->looks % 8 == 0 &&
      arena_bytes(proof->arena) - proof->bytes_from > most_steps * bytes_of_step)
    return "too much memory for one question";
  if (proof->looks++ % looks_between != 0 && !proof->was_over) return nullptr;
  if (arena_bytes(proof->arena) > (proof->most_steps == 0 ? most_bytes : limited_bytes))
    return "too much memory";
  return budget_is_spent() ? budget_reason() : nullptr;
}

bool proof_is_over(ValuesProof *proof) {
  const char *why = why_over(proof);
  proof->was_over = why != nullptr;
  if (why != nullptr && proof->reason[0] == 0)
    snprintf(proof->reason, sizeof proof->reason, "%s", why);
  return why != nullptr;
}

bool proof_accesses(ValuesProof *proof, SmtReading *reading) {
  proof->sums->value_steps = 0;
  bool is_known = hlo_accesses(reading);
  proof->sums->value_steps = 0;
  proof->sums->too_deep = false;
  return is_known;
}

Sum proof_value(ValuesProof *proof, const Spot *spot) {
  assert(spot_is_well_formed(proof->sums, spot));
  proof->sums->value_steps = 0;
  Sum value = hlo_value(proof->sums, spot->frame, spot->instruction, spot->leaf, spot->index);
  proof->sums->value_steps = 0;
  proof->sums->too_deep = false;
  return value;
}
