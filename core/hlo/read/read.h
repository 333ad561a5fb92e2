/* Parses HLO text, as XLA prints and reads it, to a module. Errors have file:line:column and what
 * was expected. */
#ifndef CORE_HLO_READ_READ_H
#define CORE_HLO_READ_READ_H

#include "core/hlo/graph.h"

/* Parses one module into `arena`. KEEP: `source` and its text must outlive the module. Reading
 * includes verification (hlo_verify). Parts of the text that no judge uses (sharding, metadata,
 * backend configurations, layouts after their colon) are kept as text, printed and compared
 * literally. Errors, each with its position in the text: ERROR_INPUT (no HLO, or a violated shape
 * rule), ERROR_OVERFLOW (a size or value leaves int64), ERROR_LIMIT (nesting deeper than 1,000, a
 * text of more than 2 GiB, more than 1,048,576 device ids or inferred dimensions, more than 65,536
 * scalars of index vectors), ERROR_UNSUPPORTED (a constant of unknown size). On an error `module`
 * is unchanged.
 *
 * Memory for the text of a real module is 4 to 10 times its length, at most about 20 times for the
 * densest of ordinary lines, 40 for a text of only short async forms and 60 for a text of only
 * elements of tuples. */
[[nodiscard]] bool hlo_read(
    Arena *arena, const Source *source, const Module **module, Error *error);

/* Splits a text of several modules, separated by `// -----` lines or by further HloModule headers,
 * into one source a module, for hlo_read. */
[[nodiscard]] bool hlo_split(
    Arena *arena, const Source *source, uint32_t *count, Source **parts, Error *error);

#endif
