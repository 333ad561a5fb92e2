/* Windows of one dimension as a choice: what reduce-window, select-and-scatter and convolution
 * share. */
#ifndef JUDGE_SCOPE_WINDOW_H
#define JUDGE_SCOPE_WINDOW_H

#include "exhaust/scope_operation.h"

typedef struct WindowWay {
  int64_t size, stride, low, high, base, dilation,
      result; /* result: how many places the window has */
} WindowWay;

/* Over a dimension of that size, within the ranges. */
[[nodiscard]] uint64_t window_ways(const ScopeRanges *ranges, int64_t size);
[[nodiscard]] WindowWay window_at(const ScopeRanges *ranges, int64_t size, uint64_t way);
/* ", window={size=.. stride=.. pad=.. lhs_dilate=.. rhs_dilate=..", without the closing brace. Rank
 * 1 or more. */
void write_window(ScopeWriter *writer, uint32_t rank, const WindowWay *windows);

#endif
