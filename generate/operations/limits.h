/* Limits of the attributes that generators of operations choose. A limit that an operation's file
 * does not name does not concern it. */
#ifndef GENERATE_LIMITS_H
#define GENERATE_LIMITS_H

#include <stdint.h>

typedef struct OperationLimits {
  uint32_t most_rank;    /* of results whose shape is chosen, */
  int64_t most_elements; /* and their elements */
  int64_t slice_stride;  /* of slices; 0: up to the size of the dimension */
  bool has_edges;        /* strides and paddings are also the largest numbers of 8 to 64 bits */
  int64_t edge;          /* pad: low and high from -edge to edge */
  int64_t interior;      /* pad: 0 to interior */
  int64_t window;        /* sizes of windows from 1, as are strides and dilations */
  int64_t stride;
  int64_t window_low, window_high; /* both paddings of a window, from low to high */
  int64_t dilation;
  uint32_t least_spatial, spatial; /* dimensions of a convolution */
  bool all_labels;  /* convolution: every order of dimensions of all three arrays, not of the input
                       alone */
  bool all_layouts; /* bitcast: the operand is a parameter in every layout, not the value at hand */
  bool all_offsets; /* constant offsets from -1 to the size, not only -1, 0 and the size */
  int64_t added_size;   /* broadcast: sizes of new dimensions; 0: up to most_elements */
  uint32_t part_size;   /* concatenate: sizes of further operands */
  bool has_single_part; /* concatenate: of one operand too */
  uint32_t one_opcode;  /* elementwise: this opcode and 1 more; 0: all */
  bool all_forms;       /* elementwise: all directions, all types to convert to */
  bool draws_offsets;   /* dynamic slices: the source of operands gives offsets */
  int64_t columns;      /* dots: size of the free dimension on the right */
  uint32_t ragged_groups;
  bool knows_groups;     /* ragged-dot: sizes of groups are constants too */
  bool has_ragged_batch; /* ragged-dot: of three dimensions */
  int64_t own_square;    /* cholesky, triangular-solve: of an array of their own up to that size; 0:
                            of the operand */
  int64_t least_sides, most_sides; /* triangular-solve */
  uint32_t batch_shapes;           /* gather: of the list of batch shapes */
  bool may_batch;                  /* gather, scatter: batching dimensions beside the others */
  bool has_two_arrays;             /* scatter: of one array or two */
  bool any_groups;                 /* collectives: groups that are not listed too */
  bool is_finished;                /* no result that begins what another instruction ends */
  uint32_t first_form, forms;      /* calls: so many forms from there on; 0: all */
  uint32_t added;                  /* broadcast, dot: new dimensions at most */
} OperationLimits;

#endif
