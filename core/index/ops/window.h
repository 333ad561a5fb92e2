/* One dimension of a window over a padded and dilated operand. */
#ifndef CORE_INDEX_OPS_WINDOW_H
#define CORE_INDEX_OPS_WINDOW_H

#include "core/index/ops/build.h"

/* The operand element under window element `offset` of the window at `position`: (position * stride
 * + offset * window_dilation - pad_low) floordiv base_dilation. Constraints require that the
 * division is exact and that the element lies in the operand of `size` elements. */
[[nodiscard]] Expr window_element(
    Build *build, const WindowDim *window, Expr position, Expr offset, int64_t size);
/* A range variable over the window; the constant 0 for size 1. */
[[nodiscard]] Expr window_offset(Build *build, const WindowDim *window);

#endif
