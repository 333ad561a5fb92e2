/* The proving judge: the only user of Z3. Three answers; UNKNOWN never passes. Budgets are rlimit, never seconds; seeds are fixed.
 * Every SAT is replayed by evaluation before it is reported as REFUTED; every hypothesis set is checked satisfiable first. */
#ifndef SMT_SMT_H
#define SMT_SMT_H

#include "core/hlo/graph.h"
#include "core/map/map.h"

typedef enum SmtAnswer : uint8_t { SMT_PROVED, SMT_REFUTED, SMT_UNKNOWN } SmtAnswer;

static constexpr uint32_t smt_max_values = 64;

typedef struct SmtVerdict {
  SmtAnswer answer;
  uint32_t value_count;
  int64_t values[smt_max_values]; /* of a refutation: dims, ranges, runtimes */
  uint64_t rlimit_used;
  char text[512];                 /* REFUTED: the point and both sides; UNKNOWN: why */
} SmtVerdict;

typedef struct Smt Smt;
typedef struct SmtOptions {
  uint64_t rlimit; /* 0: the default */
  uint32_t seed;
} SmtOptions;
[[nodiscard]] Smt *smt_create(const MapContext *context, const SmtOptions *options);
void smt_destroy(Smt *smt);

/* The same map point by point, same domain (variables the same number and kind). */
[[nodiscard]] bool smt_same_map(Smt *smt, const Map *before, const Map *after, SmtVerdict *verdict, Error *error);
/* The same relation between dimensions and results; range variables may differ (dropped, renumbered). */
[[nodiscard]] bool smt_same_relation(Smt *smt, const Map *before, const Map *after, SmtVerdict *verdict, Error *error);

typedef enum SmtCover : uint8_t { SMT_EXACT, SMT_COVERS, SMT_WRONG, SMT_UNDECIDED, SMT_NO_SEMANTICS } SmtCover;
/* Does the union of maps denote the read relation of the operand leaf, at the instruction's own (production) sizes? The semantics are
 * written here as formulas, from the operation semantics. `verdict` has the missing (or first extra) pair. */
[[nodiscard]] bool smt_output_to_input(Smt *smt, const Instruction *instruction, uint32_t output_leaf, uint32_t operand,
                                       uint32_t operand_leaf, uint32_t map_count, const Map *const *maps, SmtCover *cover,
                                       SmtVerdict *verdict, Error *error);

#endif
