/* Expressions as the text of MLIR's affine dialect. Each loop variable and each cut is one SSA
 * value of type index. A cut is a node that does not belong in an affine_map: min and max
 * (affine.min, affine.max), a product of two expressions that are not constants (arith.muli), and a
 * node that would make a map large (affine.apply): a shared node of 8 or more nodes, or 64 nodes
 * since the last cut. So the text is linear in the number of distinct nodes, and MLIR's own
 * recursion is at most 64 at any depth here.
 *
 * Keeps: the value of every SSA name is the value of its expression, as long as magnitude(e) fits
 * the width that is run. */
#ifndef CORE_ADAPTERS_MLIR_AFFINE_H
#define CORE_ADAPTERS_MLIR_AFFINE_H

#include "core/base/text.h"
#include "core/expr/memo.h"
#include "core/map/map.h"

typedef enum AffineCut : uint8_t { CUT_NONE, CUT_MIN, CUT_MAX, CUT_PRODUCT, CUT_APPLY } AffineCut;

typedef struct AffinePlan {
  AffineCut cut;
  bool has_cut;       /* the node or one below it is a cut */
  bool is_affine;     /* neither the node nor one below it is a min, max or product */
  bool is_constant;   /* no variable, and no cut */
  uint32_t size;      /* nodes down to the next cuts */
  uint32_t tree_size; /* nodes of the whole tree, counting shared ones at every occurrence;
                       * saturates */
} AffinePlan;

typedef struct AffineText {
  const MapContext *context;
  Arena *scratch;
  Text *text;
  int indent;
  Memo uses;   /* handle -> number of uses as a child or root */
  Memo positions; /* handle -> position in `items` */
  uint32_t count, capacity;
  AffinePlan *items;
  Memo values; /* handle -> number of %v.., for expressions whose value is already written and in
                * scope */
  uint32_t next_value;
  bool variables_only; /* true while an affine_set is written, whose operands must be loop
                        * variables */
} AffineText;

/* The operands of an affine_map or affine_set that is being written: variables and cuts. */
typedef struct AffineOperands {
  uint32_t count, capacity;
  Expr *items;
} AffineOperands;

[[nodiscard]] AffineText affine_text_create(const MapContext *context, Arena *scratch, Text *text);
/* Counts the uses in a root. Call it for every root before anything is written. */
void affine_count(AffineText *affine, Expr root);
/* Writes a new, indented line. */
[[gnu::format(printf, 2, 3)]] void affine_line(AffineText *affine, const char *format, ...);
/* Writes the loop variable's name: %d0, %s0, %rt0. */
void affine_variable(Text *text, VarKind kind, uint32_t index);

/* The number of nodes of the expression's tree; saturates. */
[[nodiscard]] uint32_t affine_tree_size(AffineText *affine, Expr expr);
/* True if one affine_set over only loop variables can contain the expression within 64 nodes, as
 * affine.if requires. */
[[nodiscard]] bool affine_is_pure(AffineText *affine, Expr expr);
/* Writes the lines that are missing, and returns the number of the SSA name: %v<number> is the
 * value. */
[[nodiscard]] uint32_t affine_value(AffineText *affine, Expr expr);

/* Appends the affine expression; operands are d0, d1, .. by their position in `operands`, which
 * grows. Cuts inside must already have values. */
void affine_expression(AffineText *affine, Text *text, AffineOperands *operands, Expr expr);
/* Write `(d0, d1)` and `(%d0, %v3)` for the operands. */
void affine_parameters(Text *text, const AffineOperands *operands);
void affine_arguments(const AffineText *affine, Text *text, const AffineOperands *operands);

#endif
