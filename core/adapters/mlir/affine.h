/* Expressions as the text of MLIR's affine dialect. Each loop variable and each cut is one SSA
 * value of type index. A cut is a node that no single affine_map can hold or should: min and max
 * (affine.min, affine.max), a product of two expressions that are not constants (arith.muli), and
 * what makes a map large (affine.apply): a shared node of 8 or more nodes, or 64 nodes since the
 * last cut. So a map's text is linear in the number of distinct nodes, and MLIR's own recursion is
 * bounded by 64 whatever the depth here.
 * Keeps: the value of every SSA name is the value of its expression, as long as magnitude(e) fits
 * the width that is run. */
#ifndef CORE_MLIR_AFFINE_H
#define CORE_MLIR_AFFINE_H

#include "core/base/text.h"
#include "core/expr/memo.h"
#include "core/map/map.h"

typedef enum AffineCut : uint8_t { CUT_NONE, CUT_MIN, CUT_MAX, CUT_PRODUCT, CUT_APPLY } AffineCut;

typedef struct AffinePlan {
  AffineCut cut;
  bool has_cut;       /* below it or itself */
  bool is_affine;     /* no min, max or product below it or itself */
  bool is_constant;   /* no variable and no cut below */
  uint32_t size;      /* nodes since the cuts below */
  uint32_t tree_size; /* nodes of the whole tree, shared ones as often as they occur; saturates */
} AffinePlan;

typedef struct AffineText {
  const MapContext *context;
  Arena *scratch;
  Text *text;
  int indent;
  Memo uses;   /* handle -> times it is a child or a root */
  Memo places; /* handle -> place in items */
  uint32_t count, capacity;
  AffinePlan *items;
  Memo values; /* handle -> number of %v.., for expressions whose value stands in the text and is in
                  scope */
  uint32_t next_value;
  bool variables_only; /* while an affine_set is written, whose operands must be loop variables */
} AffineText;

/* An operand of an affine_map or affine_set that is being written: a variable or a cut. */
typedef struct AffineOperands {
  uint32_t count, capacity;
  Expr *items;
} AffineOperands;

[[nodiscard]] AffineText affine_text_create(const MapContext *context, Arena *scratch, Text *text);
/* Every root is counted before anything is written. */
void affine_count(AffineText *affine, Expr root);
/* A new line, indented. */
[[gnu::format(printf, 2, 3)]] void affine_line(AffineText *affine, const char *format, ...);
/* %d0, %s0, %rt0: the loop variable's name. */
void affine_variable(Text *text, VarKind kind, uint32_t index);

/* Nodes of the expression written out as a tree; saturates. */
[[nodiscard]] uint32_t affine_tree_size(AffineText *affine, Expr expr);
/* True when one affine_set over loop variables alone holds it within 64 nodes: what affine.if can
 * take. */
[[nodiscard]] bool affine_is_pure(AffineText *affine, Expr expr);
/* Writes what is missing and gives the SSA name's number: %v<number> is the value. */
[[nodiscard]] uint32_t affine_value(AffineText *affine, Expr expr);

/* Appends the affine expression, operands as d0, d1, .. by their place in `operands`, which grows.
 * Cuts inside must have values. */
void affine_expression(AffineText *affine, Text *text, AffineOperands *operands, Expr expr);
/* `(d0, d1)` and `(%d0, %v3)` of the operands. */
void affine_parameters(Text *text, const AffineOperands *operands);
void affine_arguments(const AffineText *affine, Text *text, const AffineOperands *operands);

#endif
