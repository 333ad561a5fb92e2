/* Decides whether a loop nest that writes into a buffer still reads what it has overwritten.
 * A kernel is a computation whose output elements are computed one after the other and then
 * written. If an output and a parameter share a buffer, writing an element overwrites its memory
 * position. A dynamic-update-slice of the parameter itself writes only its window. The decision
 * enumerates every offset after its clamp, every element and every read. Offsets of a window are
 * read again for each of its elements. */
#ifndef ORACLE_HAZARDS_HAZARD_H
#define ORACLE_HAZARDS_HAZARD_H

#include "core/base/arena.h"
#include "oracle/oracle.h"

typedef enum HazardAnswer : uint8_t {
  HAZARD_NONE,  /* nothing is read after it was overwritten */
  HAZARD_FOUND, /* an element is, and the verdict names it */
  HAZARD_UNKNOWN,
} HazardAnswer;

/* A leaf of a parameter of the kernel. */
typedef struct HazardInput {
  uint32_t parameter, leaf;
} HazardInput;

typedef struct HazardQuestion {
  const Computation *kernel;
  uint32_t output;                    /* leaf that is written */
  uint32_t parameter, parameter_leaf; /* whose buffer it overwrites */
  uint32_t same_count;                /* of further parameters with the same memory: the caller */
  const HazardInput *same;            /* passes one buffer as several operands */
  uint32_t order_count;               /* of dimensions of the loop nest, outermost first; */
  const uint32_t *order;              /* 0: in the memory order of the output */
  const Instruction *unbounded;  /* an instruction around the kernel with an unknown size; nullptr:
                                    none */
  const Instruction *unfollowed; /* the writer, if it may overwrite any element; nullptr: it is the
                                    kernel's output */
  const bool *is_computed; /* [parameter]: it may take fewer values than those of its type, and
                              a hazard that needs one of them is unknown; nullptr: none */
  const char
      *reads_at_most;    /* why the kernel may read less: a hazard is then unknown; or nullptr */
  const char *undecided; /* why the pair is not decided; nullptr: it is */
  bool reads_after;      /* the other outputs are computed after all writes */
  bool is_written_twice; /* another output is also written into this memory */
  uint32_t other_output; /* that output */
} HazardQuestion;

typedef struct HazardVerdict {
  HazardAnswer answer;
  bool writes_window; /* of a dynamic-update-slice; elements are then named by their index in the
                         window */
  uint32_t reader_output;   /* the leaf whose element reads */
  bool reads_offset;        /* it reads for the offset of its window */
  HazardInput reader_input; /* the parameter through which it reads the memory */
  uint32_t rank, reader_rank, buffer_rank;
  int64_t writer[oracle_max_rank], reader[oracle_max_rank]; /* output elements */
  int64_t buffer[oracle_max_rank]; /* the parameter's element that is overwritten and then read */
  const char *offsets;             /* of the window; or nullptr */
  char reason[400];                /* of HAZARD_UNKNOWN */
} HazardVerdict;

/* Always sets a verdict. KEEP: the arena and the kernel. */
void oracle_hazard_query(Arena *arena, const HazardQuestion *question, HazardVerdict *verdict);
/* False for a reshape whose layouts order the elements differently, or whose type is another float:
 * it makes a new array. True for every other operation. */
[[nodiscard]] bool oracle_hazard_keeps_memory(const Instruction *instruction);
/* Whether the leaf is an in-place update of a parameter: a dynamic-update-slice of the parameter,
 * possibly through bitcasts and reshapes. */
[[nodiscard]] bool oracle_hazard_updates(Arena *arena, const Computation *kernel, uint32_t output,
    uint32_t *parameter, uint32_t *parameter_leaf);

#endif
