/* HLO instructions to indexing maps, in both directions, through fusions.
 *
 * Outputs and operands are counted by leaves: an array is one leaf, a tuple has the leaves of its
 * shape in depth-first order. Output-to-input (o2i): dimensions index the output leaf, results the
 * operand leaf. Input-to-output (i2o) is the inverse relation. Operand k of a fusion, call or
 * async-start is parameter k of the computation that it runs. core/hlo/opcodes.def lists, by group,
 * the section of the operation semantics that a map follows.
 *
 * Instructions come from a verified module, which must outlive the indexer or its next reset. Maps
 * and reasons live in the context until it is rewound. Tokens and arrays without elements have no
 * maps. An instruction without operands (iota, constant, ..) has maps for operand 0, leaf 0, as if
 * that were a scalar. Runtime sources: `instruction` is in the analysed instruction's own
 * computation or, for values computed inside a called computation, in that one. It is never a
 * parameter of a called computation; the caller's operand replaces it. */
#ifndef CORE_INDEX_INDEX_H
#define CORE_INDEX_INDEX_H

#include "core/hlo/graph.h"
#include "core/simplify/simplify.h"

typedef enum IndexClaim : uint8_t {
  INDEX_EXACT,              /* the union of the maps is the read set; no maps: nothing is read */
  INDEX_OVER_APPROXIMATION, /* the union contains the read set; `reason` states what is lost */
  INDEX_UNDEFINED,          /* no maps; `reason` names the operation */
} IndexClaim;

/* A union of maps between one output leaf and one operand leaf, in a deterministic order, without
 * duplicates. */
typedef struct MapSet {
  IndexClaim claim;
  const char *reason; /* nullptr when exact */
  uint32_t count;
  const Map **maps; /* none is known empty or undefined */
} MapSet;

/* One for each thread; owns a cache of the maps of called computations. */
typedef struct Indexer Indexer;
/* Without a simplifier (nullptr) maps are raw. */
[[nodiscard]] Indexer *indexer_create(MapContext *context, Simplifier *simplifier, Error *error);
void indexer_destroy(Indexer *indexer);
/* Clears the cache of instructions, before their arena is rewound. A rewind of the context is
 * detected without it. */
void indexer_reset(Indexer *indexer);

/* False only on an error, with the name of an instruction: ERROR_INPUT (no such leaf or operand),
 * ERROR_OVERFLOW (an expression or bound leaves int64), ERROR_LIMIT (more than 1,000 dimensions,
 * calls nested deeper than 200). An operation without maps is INDEX_UNDEFINED, not an error. */
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

/* The name of a source in printed maps of `instruction`: `NAME`, or `COMPUTATION/NAME` for one in a
 * called computation whose name is not unique. */
[[nodiscard]] const char *index_source_name(
    Arena *arena, const Instruction *instruction, const Instruction *source);

/* From a root leaf to the values inside: every instruction of the computation that the leaf depends
 * on, operands before users, with one entry for each leaf. The sets are the intermediate ones of
 * index_computation_output_to_input. ERROR_UNSUPPORTED if a size of the computation is unknown. */
typedef struct ProducerMaps {
  const Instruction *producer;
  uint32_t leaf;
  MapSet maps;
} ProducerMaps;
[[nodiscard]] bool index_computation_by_producer(Indexer *indexer, const Computation *computation,
    uint32_t output_leaf, uint32_t *count, const ProducerMaps **producers, Error *error);

/* Collectives with their devices: (replica, partition, output index) -> (replica, partition,
 * operand index), on a mesh of the given numbers of replicas and partitions. Groups follow from
 * replica_groups, channel_id and use_global_device_ids. Devices outside all groups are outside the
 * domain. index_output_to_input returns the maps without devices: the elements that are read on any
 * device; across several collectives mostly an over-approximation (fusion/exchange.h). */
typedef struct IndexMesh {
  int64_t replicas, partitions; /* each at least 1 */
} IndexMesh;
[[nodiscard]] bool index_replicas_output_to_input(Indexer *indexer, const Instruction *instruction,
    IndexMesh mesh, uint32_t output_leaf, uint32_t operand, uint32_t operand_leaf, MapSet *maps,
    Error *error);
[[nodiscard]] bool index_replicas_input_to_output(Indexer *indexer, const Instruction *instruction,
    IndexMesh mesh, uint32_t operand, uint32_t operand_leaf, uint32_t output_leaf, MapSet *maps,
    Error *error);

#endif
