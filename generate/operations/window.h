/* Chooses windows of one dimension, for reduce-window, select-and-scatter and convolution. */
#ifndef GENERATE_OPERATIONS_WINDOW_H
#define GENERATE_OPERATIONS_WINDOW_H

#include "generate/operations/operation.h"

/* Chooses a window over a dimension of this size. `places` receives the number of window positions,
 * 0 if the window is wider than the padded dimension. */
[[nodiscard]] WindowDim choose_window(
    Choices *choices, const OperationLimits *limits, int64_t size, int64_t *positions);

#endif
