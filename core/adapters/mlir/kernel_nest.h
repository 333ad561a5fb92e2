/* The loop nest of a kernel. kernel.c writes the body between kernel_open and kernel_close. */
#ifndef CORE_ADAPTERS_MLIR_KERNEL_NEST_H
#define CORE_ADAPTERS_MLIR_KERNEL_NEST_H

#include "core/adapters/mlir/domain.h"
#include "core/adapters/mlir/kernel.h"

typedef enum Carried : uint8_t {
  CARRIED_SUM,   /* starts at 0; rows are added */
  CARRIED_FIRST, /* in a row: the least value of the inner variable, or %row_end; outside: the least
                  * linear index, or INT64_MAX */
} Carried;

static constexpr uint32_t most_carried = 3;

typedef struct KernelNest {
  Kernel *kernel;
  AffineText affine;
  Magnitudes sizes;
  NestVariable *loops; /* [count], outermost first */
  uint32_t count;
  uint32_t carried_count;
  Carried carried[most_carried];
  uint32_t next[most_carried]; /* the values that the body yields: numbers of %v, of type index */
  Error *error;
} KernelNest;

/* Chooses the width, from `least` (32 or 64) upwards, in which both maps can be evaluated over the
 * kernel's box. */
[[nodiscard]] bool kernel_choose_width(
    KernelNest *nest, const Map *a, const Map *b, uint32_t least);
/* Orders the loops. The box must have at least one variable and one point. */
void kernel_order_loops(KernelNest *nest);
[[nodiscard]] NestVariable kernel_innermost(const KernelNest *nest);

/* `parameters` follow begin and end. The body may use %zero, %one (index), %false, %row_end, the
 * loop variables, and the carried value k of its row as %x<count-1>_<k>. */
void kernel_open(KernelNest *nest, const char *parameters);
void kernel_close(KernelNest *nest);

#endif
