/* Maps as MLIR's simplified polyhedral form: for each map a function with an affine.for per
 * variable over the domain box, one affine.if for the constraints, affine.apply for the results
 * (affine.min and affine.max where the map has min or max, arith.muli for a product of variables),
 * and in the innermost place a call of the private function `<name>.pair` with the point
 * (dimensions, range variables, runtime variables) and the results: that call is what the module
 * does, once for each point. A constraint that no affine_set can hold (min, max or a product
 * inside) is arith.cmpi and scf.if. MLIR parses and verifies every module that is given back.
 * Rejects with ERROR_OVERFLOW when some regrouping of an expression could leave int64
 * (magnitude.h), with ERROR_UNSUPPORTED for the map UNDEFINED. KNOWN EMPTY is a function without a
 * loop. */
#ifndef CORE_MLIR_EMIT_H
#define CORE_MLIR_EMIT_H

#include "core/base/text.h"
#include "core/map/map.h"

typedef enum AffineForm : uint8_t {
  AFFINE_AS_STATED, /* the map's own expressions */
  AFFINE_CANONICAL, /* after MLIR's --canonicalize, as MLIR prints it; ERROR_LIMIT past 4,096 nodes
                       written out */
} AffineForm;

typedef struct NamedMap {
  const char *name; /* of the function; made a valid and distinct symbol */
  const Map *map;
} NamedMap;

/* The text ends with a newline. Nothing is appended when it fails. */
[[nodiscard]] bool affine_emit(const MapContext *context, uint32_t count, const NamedMap *maps,
    AffineForm form, Text *text, Error *error);

#endif
