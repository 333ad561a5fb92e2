/* HLO text to a module: what XLA prints and reads. Errors name file:line:column and what was
 * expected. */
#ifndef CORE_HLO_READ_H
#define CORE_HLO_READ_H

#include "core/hlo/graph.h"

/* Reads one module. `source` and its text must outlive the module. Reading includes verification
 * (hlo_verify). Nesting of tuples and parentheses past 1,000 is refused. Memory for the text of a
 * real module is 4 to
 * 10 times its length, at most about 20 times for the densest of ordinary lines, and 40 for nothing
 * but short async forms. */
[[nodiscard]] bool hlo_read(
    Arena *arena, const Source *source, const Module **module, Error *error);

/* A text may hold several modules (separated by `// -----` lines or by further HloModule headers);
 * gives each one's source, which hlo_read takes. */
[[nodiscard]] bool hlo_split(
    Arena *arena, const Source *source, uint32_t *count, Source **parts, Error *error);

#endif
