/* All sequences of choices of a generator, numbered in lexicographic order, without making them.
 * Between two joins (choices.h) the sequences are listed once for each key; after a key they are
 * counted once. Case k is found by halving sums, segment by segment, so that a shard or a resumed
 * run begins anywhere at once.
 * Keeps: the numbers are a function of the generator alone; every number below the count is a case,
 * and different numbers have different sequences. */
#ifndef GENERATE_NUMBERING_H
#define GENERATE_NUMBERING_H

#include "core/base/arena.h"
#include "generate/choices/choices.h"
#include "generate/choices/drivers.h"

static constexpr uint32_t sequence_capacity = 96; /* choices of one case that have alternatives */

typedef struct Sequence {
  uint32_t count;
  uint64_t values[sequence_capacity];
} Sequence;

/* Runs the generator once. What it makes is not looked at here. */
typedef void ChoiceGenerator(void *generator, Choices *choices);

typedef struct ChoiceNumbering ChoiceNumbering;
/* Lives in the arena. */
[[nodiscard]] ChoiceNumbering *numbering_create(Arena *arena);
/* The number of sequences of the generator whose start has this key. Equal keys are equal starts,
 * among all generators and joins of the numbering. */
[[nodiscard]] uint64_t numbering_count(
    ChoiceNumbering *numbering, const ChoiceKey *key, ChoiceGenerator *generate, void *generator);
/* Sequence k; numbering_count has been called with the key, and k is below what it gave. */
void numbering_at(
    const ChoiceNumbering *numbering, const ChoiceKey *key, uint64_t k, Sequence *sequence);

#endif
