/* Limits of the attributes that generators choose. A generator ignores limits that its file does
 * not name. */
#ifndef GENERATE_OPERATIONS_LIMITS_H
#define GENERATE_OPERATIONS_LIMITS_H

#include <stdint.h>

typedef struct OperationLimits {
  uint32_t most_rank;    /* of results whose shape is chosen */
  int64_t most_elements; /* likewise */
  int64_t slice_stride;  /* slice: most; 0: the size of the dimension */
  bool has_edges;        /* strides and paddings may also be the largest numbers of 8 to 64 bits */
  int64_t edge;          /* pad: low and high from -edge to edge */
  int64_t interior;      /* pad: 0 to interior */
  int64_t window;        /* window sizes, strides and dilations start at 1 */
  int64_t stride;
  int64_t window_low, window_high; /* range of both paddings of a window */
  int64_t dilation;
  uint32_t least_spatial, spatial; /* spatial dimensions of a convolution */
  bool all_labels;  /* convolution: every order of dimensions of all three arrays, not only of
                       the input */
  bool all_layouts; /* bitcast: the operand is a separate parameter in every layout */
  bool all_offsets; /* constant offsets from -1 to the size, not only -1, 0 and the size */
  int64_t added_size;   /* broadcast: most, for new dimensions; 0: up to most_elements */
  uint32_t part_size;   /* concatenate: most, for further operands */
  bool has_single_part; /* concatenate: a single operand too */
  uint32_t one_opcode;  /* elementwise: only this opcode, plus 1; 0: all */
  bool all_forms;       /* elementwise: all directions and all result types of conversions */
  bool draws_offsets;   /* dynamic slices: offsets come from the source of operands */
  int64_t columns;      /* dots: most, for the right side's free dimension */
  uint32_t ragged_groups;
  bool knows_groups;     /* ragged-dot: group sizes may be constants */
  bool has_ragged_batch; /* ragged-dot: three dimensions too */
  int64_t own_square;    /* cholesky, triangular-solve: a separate array up to this size; 0: the
                            operand */
  int64_t least_sides, most_sides; /* triangular-solve: number of right-hand sides */
  uint32_t batch_shapes;           /* gather: how many of the listed batch shapes */
  bool may_batch;                  /* gather, scatter: batching dimensions too */
  bool has_two_arrays;             /* scatter: two arrays too */
  bool any_groups;                 /* collectives: groups that are not listed too */
  bool is_finished;                /* no operation that starts what another instruction ends */
  uint32_t first_form, forms;      /* calls: this many forms from first_form on; 0: all */
  uint32_t added;                  /* broadcast, dot: most new dimensions */
} OperationLimits;

#endif
