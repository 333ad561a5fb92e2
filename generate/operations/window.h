/* Windows of one dimension as choices: what reduce-window, select-and-scatter and convolution
 * share. */
#ifndef GENERATE_WINDOW_H
#define GENERATE_WINDOW_H

#include "generate/operations/operation.h"

/* Over a dimension of that size; `places`: how many the window has, 0 where it is wider than the
 * padded dimension. */
[[nodiscard]] WindowDim choose_window(
    Choices *choices, const OperationLimits *limits, int64_t size, int64_t *places);

#endif
