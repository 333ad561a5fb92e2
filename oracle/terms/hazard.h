/* Does a loop nest that writes into a buffer still read what it has overwritten?
 * A kernel is a computation whose output elements are computed one after the other, each from what
 * it reads, and then written. Where an output and a parameter share one buffer, an element is
 * overwritten at its place in memory. A dynamic-update-slice of the parameter itself writes its
 * window alone. Decided by enumeration: every offset after its clamp, every element, every read. */
#ifndef ORACLE_HAZARD_H
#define ORACLE_HAZARD_H

#include "core/base/arena.h"
#include "oracle/oracle.h"

typedef enum HazardAnswer : uint8_t {
  HAZARD_NONE,  /* nothing is read after it was overwritten */
  HAZARD_FOUND, /* an element is, and is named */
  HAZARD_UNKNOWN,
} HazardAnswer;

typedef struct HazardQuestion {
  const Computation *kernel;
  uint32_t output;                    /* leaf that is written */
  uint32_t parameter, parameter_leaf; /* whose buffer it is written into */
  uint32_t order_count;               /* of dimensions of the loop nest, outermost first; */
  const uint32_t *order;              /* 0: as the output lies in memory */
  const Instruction *unbounded; /* around the kernel, with a size that is not known; null: none */
  bool reads_after;             /* the other outputs are computed once all is written */
} HazardQuestion;

typedef struct HazardVerdict {
  HazardAnswer answer;
  bool writes_window; /* of a dynamic-update-slice; its elements are named by their index in it */
  uint32_t reader_output; /* the leaf whose element reads */
  uint32_t rank, reader_rank, buffer_rank;
  int64_t writer[oracle_max_rank], reader[oracle_max_rank]; /* output elements */
  int64_t buffer[oracle_max_rank]; /* the parameter's element that is overwritten and then read */
  const char *offsets;             /* of the window; or nullptr */
  char reason[400];                /* UNKNOWN */
} HazardVerdict;

/* Never fails. KEEP: the arena and the kernel. */
void oracle_hazard_ask(Arena *arena, const HazardQuestion *question, HazardVerdict *verdict);
/* Whether the leaf is an update of a parameter in place: through bitcasts and reshapes a
 * dynamic-update-slice of the parameter. */
[[nodiscard]] bool oracle_hazard_updates(Arena *arena, const Computation *kernel, uint32_t output,
    uint32_t *parameter, uint32_t *parameter_leaf);

#endif
