/* A table that counts each verdict for each operation and direction; the worst lines come first.
 * The page's script turns its numbers into buttons. */
#ifndef CLI_REPORT_MATRIX_H
#define CLI_REPORT_MATRIX_H

#include "cli/report/html.h"

typedef struct MatrixCell {
  const char *operation, *direction, *verdict; /* direction: o2i, i2o or "" */
  Status status;
  uint64_t count;
} MatrixCell;

typedef struct Matrix {
  uint32_t count, capacity;
  MatrixCell *items;
} Matrix;

/* Counts one more row of the page. */
void matrix_add(Arena *arena, Matrix *matrix, const MatrixCell *cell);
void matrix_print(Text *text, const Matrix *matrix);

#endif
