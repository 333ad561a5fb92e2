/* The cells are sorted by operation and direction, and printed line by line. */
#include "cli/report/matrix.h"

#include <stdlib.h>
#include <string.h>

typedef struct MatrixLine {
  const MatrixCell *first; /* with the operation and direction of the line */
  Status worst;
} MatrixLine;

static bool is_of_line(const MatrixCell *a, const MatrixCell *b) {
  return strcmp(a->operation, b->operation) == 0 && strcmp(a->direction, b->direction) == 0;
}

void matrix_add(Arena *arena, Matrix *matrix, const MatrixCell *cell) {
  for (uint32_t i = 0; i < matrix->count; i++) {
    MatrixCell *found = &matrix->items[i];
    if (!is_of_line(found, cell) || strcmp(found->verdict, cell->verdict) != 0) continue;
    found->count++;
    return;
  }
  *ARENA_PUSH(arena, matrix) = *cell;
  matrix->items[matrix->count - 1].count = 1;
}

/* The order: refuted, then open or bad input, then proved. */
static int rank_of(Status status) {
  return status == STATUS_REFUTED ? 0 : status == STATUS_PROVED ? 2 : 1;
}

static int by_rank(const void *left, const void *right) {
  const MatrixLine *a = left, *b = right;
  int order = rank_of(a->worst) - rank_of(b->worst);
  if (order == 0) order = strcmp(a->first->operation, b->first->operation);
  return order != 0 ? order : strcmp(a->first->direction, b->first->direction);
}

static int by_verdict(const void *left, const void *right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static uint32_t lines_of(const Matrix *matrix, MatrixLine *lines) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < matrix->count; i++) {
    const MatrixCell *cell = &matrix->items[i];
    uint32_t k = 0;
    while (k < count && !is_of_line(lines[k].first, cell)) k++;
    if (k == count) lines[count++] = (MatrixLine){.first = cell, .worst = cell->status};
    if (rank_of(cell->status) < rank_of(lines[k].worst)) lines[k].worst = cell->status;
  }
  qsort(lines, count, sizeof *lines, by_rank);
  return count;
}

static uint32_t words_of(const Matrix *matrix, const char **words) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < matrix->count; i++) {
    uint32_t k = 0;
    while (k < count && strcmp(words[k], matrix->items[i].verdict) != 0) k++;
    if (k == count) words[count++] = matrix->items[i].verdict;
  }
  qsort(words, count, sizeof *words, by_verdict);
  return count;
}

static const MatrixCell *cell_of(
    const Matrix *matrix, const MatrixLine *line, const char *verdict) {
  for (uint32_t i = 0; i < matrix->count; i++)
    if (is_of_line(&matrix->items[i], line->first) &&
        strcmp(matrix->items[i].verdict, verdict) == 0)
      return &matrix->items[i];
  return nullptr;
}

static void print_heading(Text *text, const char *scope, const char *words) {
  text_printf(text, "<th scope=\"%s\">", scope);
  html_between(text, "", words, "</th>");
}

static void print_cell(Text *text, const MatrixCell *cell) {
  if (cell == nullptr) {
    text_string(text, "<td></td>");
    return;
  }
  text_printf(text, "<td class=\"%s\"", html_class(cell->status));
  html_attribute(text, "verdict", cell->verdict);
  text_printf(text, "><b>%llu</b></td>", (unsigned long long)cell->count);
}

static void print_line(Text *text, const Matrix *matrix, const MatrixLine *line,
    uint32_t word_count, const char *const *words) {
  const MatrixCell *first = line->first;
  const char *direction = strcmp(first->direction, "o2i") == 0   ? ", output to input"
                          : strcmp(first->direction, "i2o") == 0 ? ", input to output"
                                                                 : "";
  text_string(text, "<tr");
  html_attribute(text, "opcode", first->operation);
  html_attribute(text, "direction", first->direction);
  text_string(text, ">");
  print_heading(text, "row", arena_printf(text->arena, "%s%s", first->operation, direction));
  for (uint32_t i = 0; i < word_count; i++) print_cell(text, cell_of(matrix, line, words[i]));
  text_string(text, "</tr>\n");
}

void matrix_print(Text *text, const Matrix *matrix) {
  MatrixLine *lines = ARENA_NEW(text->arena, MatrixLine, (size_t)matrix->count + 1);
  const char **words = ARENA_NEW(text->arena, const char *, (size_t)matrix->count + 1);
  uint32_t line_count = lines_of(matrix, lines), word_count = words_of(matrix, words);
  text_string(text, "<table aria-label=\"rows by operation and direction\">\n<tr>");
  print_heading(text, "col", "operation");
  for (uint32_t i = 0; i < word_count; i++) print_heading(text, "col", words[i]);
  text_string(text, "</tr>\n");
  for (uint32_t i = 0; i < line_count; i++) print_line(text, matrix, &lines[i], word_count, words);
  text_string(text, "</table>");
}
