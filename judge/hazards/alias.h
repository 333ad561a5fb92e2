/* Aliasing statements in the text of a graph: a list of `{OUTPUT}: (NUMBER, {LEAF}, ..)`. */
#ifndef JUDGE_HAZARDS_ALIAS_H
#define JUDGE_HAZARDS_ALIAS_H

#include "core/hlo/graph.h"

/* A leaf of the output and a leaf of the parameter or operand of that number. */
typedef struct AliasStatement {
  uint32_t output, number, leaf;
} AliasStatement;

typedef struct AliasStatements {
  uint32_t count, capacity;
  AliasStatement *items;
} AliasStatements;

/* Parses the text after the opening brace; `output` and `numbered` have the shapes that may be
 * aliased. */
[[nodiscard]] bool alias_read(Arena *arena, const char *at, const Shape *output,
    const Instruction *const *numbered, uint32_t count, AliasStatements *statements);
/* The operands into which the instruction writes, as its output_to_operand_aliasing states. */
[[nodiscard]] bool alias_stated(
    Arena *arena, const Instruction *instruction, AliasStatements *statements, Error *error);

#endif
