/* How often each verdict stands at each operation and direction, as a table: what is worst comes
 * first. The page's script makes its numbers buttons. */
#ifndef CLI_REPORT_MATRIX_H
#define CLI_REPORT_MATRIX_H

#include "cli/report/html.h"

typedef struct MatrixCell {
  const char *operation, *direction, *word; /* direction: o2i, i2o or "" */
  Status status;
  uint64_t count;
} MatrixCell;

typedef struct Matrix {
  uint32_t count, capacity;
  MatrixCell *items;
} Matrix;

/* One more row of the page. */
void matrix_add(Arena *arena, Matrix *matrix, const MatrixCell *cell);
void matrix_print(Text *text, const Matrix *matrix);

#endif
