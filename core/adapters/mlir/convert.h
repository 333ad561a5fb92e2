/* Maps to and from MlirAffineMap and MlirIntegerSet. Dimensions remain dimensions; range variables
 * and then runtime variables become symbols. The set contains every variable's bounds, in order,
 * and then the constraints: `e in [l, u]` as e - l >= 0 and u - e >= 0, or as e - l == 0 if l = u;
 * an end INT64_MIN or INT64_MAX adds nothing.
 *
 * MLIR folds while it builds and does not check for overflow. Therefore the map that comes back is
 * the same map with other expressions, and only if no fold can leave int64. The checked conversion
 * rejects all other maps with ERROR_OVERFLOW (magnitude.h, with variables counting as 1). affirm's
 * own expressions are never stored as MLIR expressions. ERROR_UNSUPPORTED: min and max, which
 * AffineExpr lacks (emission has affine.min and affine.max), a product of two expressions that both
 * contain dimensions, and the map UNDEFINED. ERROR_LIMIT: more than 1,000 levels or 16,384 nodes of
 * the tree, because MLIR's folding walks the whole tree for each node. */
#ifndef CORE_ADAPTERS_MLIR_CONVERT_H
#define CORE_ADAPTERS_MLIR_CONVERT_H

#include <mlir-c/AffineExpr.h>
#include <mlir-c/AffineMap.h>
#include <mlir-c/IntegerSet.h>

#include "core/base/text.h"
#include "core/map/map.h"

typedef enum ConvertCheck : uint8_t {
  CONVERT_CHECKED,      /* rejects expressions that a fold could change */
  CONVERT_AS_MLIR_DOES, /* for audits of MLIR: overflow wraps as in MLIR */
} ConvertCheck;

/* The positions of a map's variables among MLIR's symbols. */
typedef struct SymbolPositions {
  uint32_t ranges, runtimes; /* the symbols of s0 and of rt0 */
} SymbolPositions;

typedef struct MlirForm {
  MlirAffineMap map;
  MlirIntegerSet domain;
} MlirForm;

/* The form lives as long as the MLIR context. A known-empty map has no results, and its domain is
 * MLIR's empty set. */
[[nodiscard]] bool convert_to_mlir(MlirContext mlir, const MapContext *context, const Map *map,
    ConvertCheck check, MlirForm *form, Error *error);
/* The reverse conversion. `like` provides the numbers of variables of each kind (which must add up
 * to the form's), names and runtime sources. A map that map_check rejects is an error of that
 * kind. */
[[nodiscard]] bool convert_from_mlir(
    MapContext *context, const Map *like, MlirForm form, const Map **map, Error *error);

/* Single expressions; `places` are those of the map that owns the variables. */
[[nodiscard]] bool convert_expressions(MlirContext mlir, const MapContext *context,
    SymbolPositions positions, ConvertCheck check, uint32_t count, const Expr *expressions,
    MlirAffineExpr *converted, Error *error);
[[nodiscard]] bool convert_expression_back(
    MapContext *context, const Map *like, MlirAffineExpr converted, Expr *expr, Error *error);
/* Appends the form as MLIR prints it. */
void convert_print(MlirForm form, Text *text);

#endif
