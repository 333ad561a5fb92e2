/* Maps as MLIR's simplified polyhedral form. Each map is a function: an affine.for for each
 * variable over the domain box, one affine.if for the constraints, affine.apply for the results
 * (affine.min and affine.max if the map has min or max, arith.muli for a product of variables). The
 * innermost body calls the private function `<name>.pair` with the point (dimensions, range
 * variables, runtime variables) and the results, once for each point. A constraint that no
 * affine_set can contain (min, max or a product inside) becomes arith.cmpi and scf.if. MLIR parses
 * and verifies every returned module.
 *
 * ERROR_OVERFLOW if some regrouping of an expression could leave int64 (magnitude.h);
 * ERROR_UNSUPPORTED for the map UNDEFINED. KNOWN EMPTY is a function without a loop. */
#ifndef CORE_ADAPTERS_MLIR_EMIT_H
#define CORE_ADAPTERS_MLIR_EMIT_H

#include "core/base/text.h"
#include "core/map/map.h"

typedef enum AffineForm : uint8_t {
  AFFINE_AS_STATED, /* the map's own expressions */
  AFFINE_CANONICAL, /* after MLIR's --canonicalize, as MLIR prints it; ERROR_LIMIT for more than
                     * 4,096 written nodes */
} AffineForm;

typedef struct NamedMap {
  const char *name; /* of the function; converted to a valid and unique symbol */
  const Map *map;
  const char *of; /* a line of a comment above the function; nullptr: none */
} NamedMap;

/* The text ends with a newline. On failure nothing is appended. */
[[nodiscard]] bool affine_emit(const MapContext *context, uint32_t count, const NamedMap *maps,
    AffineForm form, Text *text, Error *error);
/* Verifies texts of affine_emit, as stated, that were joined: the whole must be one module. */
[[nodiscard]] bool affine_whole(const Text *stated, AffineForm form, Text *text, Error *error);

#endif
