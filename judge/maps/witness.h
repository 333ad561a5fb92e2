/* The pair that shows a refuted judgement: missing from the maps, too much in them, or outside a
 * tensor. */
#ifndef JUDGE_MAPS_WITNESS_H
#define JUDGE_MAPS_WITNESS_H

#include "judge/maps/judge.h"

typedef enum WitnessKind : uint8_t {
  WITNESS_NONE, /* no judge refutes the maps */
  WITNESS_MISSING,
  WITNESS_EXTRA,
  WITNESS_OUTSIDE /* a point or a result outside its tensor, or a value that leaves int64 */
} WitnessKind;

typedef struct PairWitness {
  WitnessKind kind;
  uint32_t point_rank, element_rank;
  const int64_t *point;   /* the index that the map goes from; nullptr: no judge names a point */
  const int64_t *element; /* the index that it goes to; nullptr: none, as for a point of the domain
                             outside the tensor */
} PairWitness;

/* The witness of the first judge that refutes the maps. */
[[nodiscard]] PairWitness judgement_witness(const Judgement *judgement);

#endif
