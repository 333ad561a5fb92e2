/* HLO text to a module: what XLA prints and reads. Errors name file:line:column and what was
 * expected. */
#ifndef CORE_HLO_READ_H
#define CORE_HLO_READ_H

#include "core/hlo/graph.h"

/* Reads one module into `arena`. `source` and its text must outlive the module. Reading includes
 * verification (hlo_verify). What the text has and nobody judges (sharding, metadata, backend
 * configurations, layouts after their colon) is kept as text, printed and compared literally.
 * Errors, each with its place in the text: ERROR_INPUT (no HLO, or a shape rule is violated),
 * ERROR_OVERFLOW (a size or value leaves int64), ERROR_LIMIT (nesting past 1,000, a text past 2
 * GiB, more than 1,048,576 device ids or inferred dimensions, 65,536 scalars of index vectors),
 * ERROR_UNSUPPORTED (a constant whose size is not known). `module` is then unchanged.
 * Memory for the text of a real module is 4 to 10 times its length, at most about 20 times for the
 * densest of ordinary lines, 40 for nothing but short async forms and 60 for nothing but elements
 * of tuples. */
[[nodiscard]] bool hlo_read(
    Arena *arena, const Source *source, const Module **module, Error *error);

/* A text may hold several modules (separated by `// -----` lines or by further HloModule headers);
 * gives each one's source, which hlo_read takes. */
[[nodiscard]] bool hlo_split(
    Arena *arena, const Source *source, uint32_t *count, Source **parts, Error *error);

#endif
