/* A text of several maps, as `affirm check` reads it: a map in each line, or over several lines as
 * XLA prints it. */
#ifndef CORE_MAP_LINES_H
#define CORE_MAP_LINES_H

#include "core/base/arena.h"
#include "core/base/error.h"

/* True for a text of maps: after comments it begins with `(`, a word of its own or a heading. HLO
 * text begins with none of these. */
[[nodiscard]] bool map_lines_begin(const Source *source);

typedef struct MapLines {
  const Source *source;
  size_t at;       /* of the next line, in bytes; at or past the source's length: none */
  uint32_t number; /* of the next line; begins at the source's first_line */
} MapLines;

/* The next line, with the lines that continue it: a domain, bounds, constraints, sources of runtime
 * variables. Also blank lines, comments and headings (map_line_is_skipped). In the arena. */
[[nodiscard]] Source map_lines_next(Arena *arena, MapLines *lines);
/* True for a blank line, a comment, and a heading of print_indexing (`Output 0 operand 1:`). */
[[nodiscard]] bool map_line_is_skipped(const Source *line);

#endif
