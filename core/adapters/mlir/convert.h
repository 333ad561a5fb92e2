/* Maps to and from MlirAffineMap and MlirIntegerSet. Dimensions stay dimensions; range variables
 * and then runtime variables become symbols. The set holds every variable's bounds, in order, and
 * then the constraints: `e in [l, u]` as e - l >= 0 and u - e >= 0, or as e - l == 0 where l = u;
 * an end INT64_MIN or INT64_MAX demands nothing.
 * MLIR folds while it builds and does not check for overflow, so what comes back is the same map,
 * but not the same expressions, and that only where no fold can leave int64: the checked conversion
 * rejects the rest with ERROR_OVERFLOW (magnitude.h, variables counting 1). affirm's own
 * expressions stay raw: nothing is ever kept as an MLIR expression. Rejected with
 * ERROR_UNSUPPORTED: min and max, which AffineExpr lacks (emission has affine.min and affine.max),
 * a product of two expressions that both hold dimensions, and the map UNDEFINED; with ERROR_LIMIT:
 * 1,000 levels or 16,384 nodes written out, for MLIR's folding walks the whole tree for each node.
 */
#ifndef CORE_MLIR_CONVERT_H
#define CORE_MLIR_CONVERT_H

#include <mlir-c/AffineExpr.h>
#include <mlir-c/AffineMap.h>
#include <mlir-c/IntegerSet.h>

#include "core/base/text.h"
#include "core/map/map.h"

typedef enum ConvertCheck : uint8_t {
  CONVERT_CHECKED,      /* rejects what a fold could change */
  CONVERT_AS_MLIR_DOES, /* for audits of MLIR: overflow wraps as MLIR lets it */
} ConvertCheck;

/* Where a map's variables stand among MLIR's symbols. */
typedef struct SymbolPlaces {
  uint32_t ranges, runtimes; /* the symbol of s0, and of rt0 */
} SymbolPlaces;

typedef struct MlirForm {
  MlirAffineMap map;
  MlirIntegerSet domain;
} MlirForm;

/* The form lives as long as the MLIR context. A known-empty map has no results and MLIR's empty
 * set. */
[[nodiscard]] bool convert_to_mlir(MlirContext mlir, const MapContext *context, const Map *map,
    ConvertCheck check, MlirForm *form, Error *error);
/* Back: `like` gives the numbers of variables of each kind (which must add up to the form's), names
 * and runtime sources. A map that map_check rejects is an error of its kind. */
[[nodiscard]] bool convert_from_mlir(
    MapContext *context, const Map *like, MlirForm form, const Map **map, Error *error);

/* Single expressions; `places` are those of the map that the variables belong to. */
[[nodiscard]] bool convert_expressions(MlirContext mlir, const MapContext *context,
    SymbolPlaces places, ConvertCheck check, uint32_t count, const Expr *expressions,
    MlirAffineExpr *converted, Error *error);
[[nodiscard]] bool convert_expression_back(
    MapContext *context, const Map *like, MlirAffineExpr converted, Expr *expr, Error *error);
/* Appends what MLIR prints. */
void convert_print(MlirForm form, Text *text);

#endif
