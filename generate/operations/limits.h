/* Limits of the attributes that generators of operations choose. A limit that an operation's file
 * does not name does not concern it. */
#ifndef GENERATE_LIMITS_H
#define GENERATE_LIMITS_H

#include <stdint.h>

typedef struct OperationLimits {
  int64_t slice_stride; /* of slices; 0: up to the size of the dimension */
  bool has_edges;       /* strides and paddings are also the largest numbers of 8 to 64 bits */
  int64_t edge;         /* pad: low and high from -edge to edge */
  int64_t interior;     /* pad: 0 to interior */
  int64_t window;       /* sizes of windows from 1, as are strides and dilations */
  int64_t stride;
  int64_t window_low, window_high; /* both paddings of a window, from low to high */
  int64_t dilation;
  uint32_t least_spatial, spatial; /* dimensions of a convolution */
  bool all_labels;  /* convolution: every order of dimensions of all three arrays, not of the input
                       alone */
  bool all_layouts; /* bitcast: the operand is a parameter in every layout, not the value at hand */
  bool all_offsets; /* constant offsets from -1 to the size, not only -1, 0 and the size */
  uint32_t added;   /* broadcast, dot: new dimensions at most */
} OperationLimits;

#endif
