/* Numbers all choice sequences of a generator in lexicographic order, without making the cases.
 * Between two joins (choices.h) the sequences are enumerated once per key, and after a key they are
 * counted once. Case k is found by binary search in the sums, segment by segment, so that a shard
 * or a resumed run can start anywhere.
 * Keeps: the numbers are a function of the generator alone. Every number below the count is a case,
 * and different numbers have different sequences. */
#ifndef GENERATE_NUMBERING_H
#define GENERATE_NUMBERING_H

#include "core/base/arena.h"
#include "core/base/choices.h"

static constexpr uint32_t sequence_capacity = 96; /* limit of the choices in a case that have
                                                     alternatives */

typedef struct Sequence {
  uint32_t count;
  uint64_t values[sequence_capacity];
} Sequence;

/* Runs the generator once. Its result is not used here. */
typedef void ChoiceGenerator(void *generator, Choices *choices);

typedef struct ChoiceNumbering ChoiceNumbering;
/* Allocated in the arena. */
[[nodiscard]] ChoiceNumbering *numbering_create(Arena *arena);
/* The same for numbering_count alone: no sequence is stored, and numbering_at must not be called.
 */
[[nodiscard]] ChoiceNumbering *numbering_create_counts(Arena *arena);
/* The number of sequences of the generator from the start with this key. Equal keys must mean equal
 * starts, among all generators and joins of the numbering. */
[[nodiscard]] uint64_t numbering_count(
    ChoiceNumbering *numbering, const ChoiceKey *key, ChoiceGenerator *generate, void *generator);
/* Writes sequence k. numbering_count must have been called with the key, and k must be below its
 * result. */
void numbering_at(
    const ChoiceNumbering *numbering, const ChoiceKey *key, uint64_t k, Sequence *sequence);

#endif
