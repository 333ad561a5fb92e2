/* Sets of opcodes as bits. Called computations are entered to a fixed depth, which bounds the work
 * if many computations call the same one. */
#include "judge/maps/operations.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

static constexpr uint32_t word_count = sizeof(OpcodeSet) / sizeof(uint64_t);
static constexpr uint32_t most_calls = 6;
static constexpr uint32_t text_bits = 20;

void opcode_set_add(OpcodeSet *set, Opcode opcode) {
  assert(opcode < opcode_count);
  set->words[opcode / 64] |= UINT64_C(1) << opcode % 64;
}

bool opcode_set_has(const OpcodeSet *set, Opcode opcode) {
  return (set->words[opcode / 64] >> opcode % 64 & 1) != 0;
}

bool opcode_set_is_empty(const OpcodeSet *set) { return opcode_set_is_same(set, &(OpcodeSet){}); }

bool opcode_set_is_same(const OpcodeSet *a, const OpcodeSet *b) {
  return memcmp(a, b, sizeof *a) == 0;
}

void opcode_set_intersect(OpcodeSet *set, const OpcodeSet *other) {
  for (uint32_t i = 0; i < word_count; i++) set->words[i] &= other->words[i];
}

void opcode_set_unite(OpcodeSet *set, const OpcodeSet *other) {
  for (uint32_t i = 0; i < word_count; i++) set->words[i] |= other->words[i];
}

bool opcode_set_contains(const OpcodeSet *set, const OpcodeSet *other) {
  bool all = true;
  for (uint32_t i = 0; i < word_count; i++) all = all && (other->words[i] & ~set->words[i]) == 0;
  return all;
}

bool opcode_set_add_list(OpcodeSet *set, const char *list) {
  for (const char *at = list;;) {
    size_t length = strcspn(at, ",");
    Opcode opcode;
    if (!opcode_from_name(at, length, &opcode)) return false;
    opcode_set_add(set, opcode);
    at += length;
    if (*at++ == 0) return true;
  }
}

bool opcode_set_of_option(OpcodeSet *set, const char *list) {
  static const char frames[] = "parameter,constant,tuple,get-tuple-element,fusion,call,copy";
  *set = (OpcodeSet){};
  return opcode_set_add_list(set, frames) && opcode_set_add_list(set, list);
}

/* The recursion depth is at most most_calls. */
static void add_called(OpcodeSet *set, const Instruction *instruction, uint32_t depth) {
  opcode_set_add(set, instruction->opcode);
  for (uint32_t i = 0; i < instruction->called_count && depth < most_calls; i++) {
    const Computation *called = instruction->called[i];
    for (uint32_t k = 0; k < called->instruction_count; k++)
      add_called(set, called->instructions[k], depth + 1);
  }
}

void opcode_set_add_instruction(OpcodeSet *set, const Instruction *instruction) {
  add_called(set, instruction, 0);
}

static bool is_name(char letter) {
  return isalnum((unsigned char)letter) != 0 || letter == '-' || letter == '_' || letter == '.' ||
         letter == '%';
}

void opcode_set_add_text(OpcodeSet *set, const char *text, size_t length) {
  for (size_t at = 0; at < length; at++) {
    size_t first = at;
    Opcode opcode;
    while (text[at] == '(' && first > 0 && is_name(text[first - 1])) first--;
    if (first < at && opcode_from_name(text + first, at - first, &opcode))
      opcode_set_add(set, opcode);
  }
}

static uint64_t elements_of(const Shape *shape) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < shape_leaf_count(shape); i++) {
    const Shape *leaf = shape_leaf(shape, i);
    bool is_known = shape_is_array(leaf) && !leaf->is_unbounded;
    sum += is_known ? (uint64_t)shape_elements(leaf) : 1;
  }
  return sum;
}

static uint64_t size_of(uint64_t elements, size_t text_length) {
  uint64_t most = (UINT64_C(1) << text_bits) - 1;
  uint64_t bytes = text_length < most ? text_length : most;
  return elements < UINT64_MAX >> text_bits ? elements << text_bits | bytes : UINT64_MAX;
}

uint64_t counterexample_size(const Instruction *instruction, size_t text_length) {
  uint64_t elements = elements_of(instruction->shape);
  for (uint32_t i = 0; i < instruction->operand_count; i++)
    elements += elements_of(instruction->operands[i]->shape);
  return size_of(elements, text_length);
}

uint64_t counterexample_text_size(size_t text_length) { return size_of(text_length, text_length); }
