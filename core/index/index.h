/* HLO instructions to indexing maps, both directions, through fusions.
 * Outputs and operands are counted by leaves: an array is one leaf, a tuple has the leaves of its
 * shape in depth-first order. Output-to-input (o2i): dimensions are the output leaf's, results the
 * operand leaf's. Input-to-output (i2o): the inverse relation. Operand k of a fusion, call or
 * async-start is parameter k of the computation that it runs. Which section of the operation
 * semantics a map follows stands in core/hlo/opcodes.def, by group. Instructions come from a
 * verified module, which must outlive the indexer or its next reset. Maps and reasons live in the
 * context until it is rewound. Tokens and arrays without elements take part in no map. An
 * instruction without operands (iota, constant, ..) answers for operand 0, leaf 0 as if it were a
 * scalar. Runtime sources: `instruction` is an instruction of the analysed instruction's own
 * computation or, for values that a called computation makes itself, of that one; never a parameter
 * of a called computation, for which the caller's operand stands. */
#ifndef CORE_INDEX_INDEX_H
#define CORE_INDEX_INDEX_H

#include "core/hlo/graph.h"
#include "core/simplify/simplify.h"

typedef enum IndexClaim : uint8_t {
  INDEX_EXACT,              /* the union of the maps is the read set; no maps: nothing is read */
  INDEX_OVER_APPROXIMATION, /* contains the read set; `reason` says what is lost */
  INDEX_UNDEFINED,          /* no answer; `reason` names the operation */
} IndexClaim;

/* A union of maps between one output leaf and one operand leaf, in a deterministic order, without
 * duplicates. */
typedef struct MapSet {
  IndexClaim claim;
  const char *reason; /* nullptr when exact */
  uint32_t count;
  const Map **maps; /* none is known empty or undefined */
} MapSet;

/* One per thread; holds the simplifier and what was computed for fusions so far. */
typedef struct Indexer Indexer;
/* simplifier == nullptr: raw maps, nothing simplified. */
[[nodiscard]] Indexer *indexer_create(MapContext *context, Simplifier *simplifier, Error *error);
void indexer_destroy(Indexer *indexer);
/* Forgets what is remembered of instructions (their arena is about to be rewound). A rewind of the
 * context is noticed without it. */
void indexer_reset(Indexer *indexer);

/* False on an error alone, with the name of an instruction: ERROR_INPUT (no such leaf or operand),
 * ERROR_OVERFLOW (an expression or bound leaves int64), ERROR_LIMIT (more than 1,000 dimensions,
 * calls nested past 200). An operation without maps is INDEX_UNDEFINED, not an error. */
[[nodiscard]] bool index_output_to_input(Indexer *indexer, const Instruction *instruction,
    uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf, MapSet *maps, Error *error);
[[nodiscard]] bool index_input_to_output(Indexer *indexer, const Instruction *instruction,
    uint32_t operand, uint32_t operand_leaf, uint32_t output_leaf, MapSet *maps, Error *error);

/* The same between the root of a computation and its parameters, through all of its
 * instructions. */
[[nodiscard]] bool index_computation_output_to_input(Indexer *indexer,
    const Computation *computation, uint32_t output_leaf, uint32_t parameter,
    uint32_t parameter_leaf, MapSet *maps, Error *error);
[[nodiscard]] bool index_computation_input_to_output(Indexer *indexer,
    const Computation *computation, uint32_t parameter, uint32_t parameter_leaf,
    uint32_t output_leaf, MapSet *maps, Error *error);

/* The name of a source as maps of `instruction` print it: `NAME`, or `COMPUTATION/NAME` for one of
 * a called computation that shares its name. */
[[nodiscard]] const char *index_source_name(
    Arena *arena, const Instruction *instruction, const Instruction *source);

/* From a root leaf to the values inside: every instruction of the computation that the leaf depends
 * on, operands before users, with one entry a leaf. Sets are those that
 * index_computation_output_to_input composes on its way. */
typedef struct ProducerMaps {
  const Instruction *producer;
  uint32_t leaf;
  MapSet maps;
} ProducerMaps;
[[nodiscard]] bool index_computation_by_producer(Indexer *indexer, const Computation *computation,
    uint32_t output_leaf, uint32_t *count, const ProducerMaps **producers, Error *error);

/* Collectives with their devices: (replica, partition, output index) -> (replica, partition,
 * operand index) in a run of so many replicas and partitions. Who takes part together follows from
 * replica_groups, channel_id and use_global_device_ids. Devices outside all groups are outside the
 * domain. index_output_to_input gives the same without devices: what some device reads. */
typedef struct IndexWorld {
  int64_t replicas, partitions; /* at least 1 each */
} IndexWorld;
[[nodiscard]] bool index_replicas_output_to_input(Indexer *indexer, const Instruction *instruction,
    IndexWorld world, uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf, MapSet *maps,
    Error *error);
[[nodiscard]] bool index_replicas_input_to_output(Indexer *indexer, const Instruction *instruction,
    IndexWorld world, uint32_t operand, uint32_t operand_leaf, uint32_t output_leaf, MapSet *maps,
    Error *error);

#endif
