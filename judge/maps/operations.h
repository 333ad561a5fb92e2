/* The operations of a counterexample, and its size. Counterexamples that share an operation are
 * reported together, and the smallest one is shown. */
#ifndef JUDGE_MAPS_OPERATIONS_H
#define JUDGE_MAPS_OPERATIONS_H

#include "core/hlo/graph.h"

typedef struct OpcodeSet {
  uint64_t words[(opcode_count + 63) / 64];
} OpcodeSet;

[[nodiscard]] bool opcode_set_has(const OpcodeSet *set, Opcode opcode);
[[nodiscard]] bool opcode_set_is_empty(const OpcodeSet *set);
[[nodiscard]] bool opcode_set_is_same(const OpcodeSet *a, const OpcodeSet *b);
/* Intersects `set` with `other`. */
void opcode_set_intersect(OpcodeSet *set, const OpcodeSet *other);
void opcode_set_add(OpcodeSet *set, Opcode opcode);
/* Adds the opcodes of `other` to `set`. */
void opcode_set_unite(OpcodeSet *set, const OpcodeSet *other);
/* Adds the instruction's opcode and those of the computations that it calls. */
void opcode_set_add_instruction(OpcodeSet *set, const Instruction *instruction);
/* Adds the opcodes of a comma-separated list. False if a word is no opcode. */
[[nodiscard]] bool opcode_set_add_list(OpcodeSet *set, const char *list);
/* Parses the list of --opcodes of `exhaust` and `fuzz`, and adds the opcodes that only connect
 * others: parameters, constants, tuples, fusions, calls and copies. */
[[nodiscard]] bool opcode_set_of_option(OpcodeSet *set, const char *list);
/* Whether `set` has each opcode of `other`. */
[[nodiscard]] bool opcode_set_contains(const OpcodeSet *set, const OpcodeSet *other);
/* Adds each opcode that the text names in front of a parenthesis, as in `pad(p0, p1)`. */
void opcode_set_add_text(OpcodeSet *set, const char *text, size_t length);

/* Orders counterexamples: elements of the instruction's output and operands first, then bytes of
 * the text that shows it. */
[[nodiscard]] uint64_t counterexample_size(const Instruction *instruction, size_t text_length);
/* The same of a text without an instruction: a byte counts as an element. */
[[nodiscard]] uint64_t counterexample_text_size(size_t text_length);

#endif
