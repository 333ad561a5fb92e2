/* The decoder's state, shared by the files that build operations and operands. */
#ifndef GENERATE_DECODER_H
#define GENERATE_DECODER_H

#include "core/base/edges.h"
#include "core/base/choices.h"
#include "generate/decode.h"
#include "generate/operations/compose.h"

static constexpr uint32_t fuzz_max_rank = 4;
static constexpr uint32_t fuzz_max_values = 512;
/* A value with more maps, or with more variables of windows, offsets and indices in one map, cannot
 * be an operand, because both multiply the cost of every later operation. A value has at most eight
 * times as many maps for each operand of the operation that made it. */
static constexpr uint32_t fuzz_max_operand_maps = 16;
static constexpr uint32_t fuzz_max_operand_variables = 8;

/* An array that operations can use. */
typedef struct FuzzValue {
  Instruction *made;
  uint32_t maps;      /* upper bound of the maps from it to the parameters, without merging equal
                         maps */
  uint32_t variables; /* upper bound of the variables of windows, offsets and indices in one map */
} FuzzValue;

typedef struct Decoder {
  OperandSource source; /* the first member: operations receive it */
  Arena *arena;
  ModuleBuilder module;
  Builder body;
  ByteChoices choices; /* the record's choices */
  uint8_t record[fuzz_record_bytes];
  uint32_t value_count;
  uint32_t maps;      /* sum over the operands that the record has used so far */
  uint32_t variables; /* maximum over these operands */
  uint32_t pieces;    /* number of boxes into which the record's operation splits an operand */
  uint32_t bound;     /* number of variables that the operation adds */
  FuzzValue values[fuzz_max_values]; /* the last member: see fuzz_decode_graph */
} Decoder;

/* A number in [0, count) from byte `at` of the record. */
[[nodiscard]] static inline uint32_t record_choose(
    const Decoder *decoder, uint32_t at, uint32_t count) {
  return decoder->record[at % fuzz_record_bytes] % count;
}

/* The number of elements if every size 0 were 1. The limit applies to this number, because dropping
 * a dimension of size 0 makes the other sizes count. */
[[nodiscard]] int64_t fuzz_capacity(uint32_t rank, const int64_t *sizes);
/* The value that many before the newest, modulo their number. */
[[nodiscard]] FuzzValue value_after(const Decoder *decoder, uint32_t selector);
/* The same, but skips values that are too expensive for an operand. */
[[nodiscard]] Instruction *pick_value(Decoder *decoder, uint32_t selector);
/* Adds and returns what the record's operation made; passes nullptr on. */
Instruction *add_value(Decoder *decoder, Instruction *made);
/* The same for an instruction without operands. */
Instruction *add_source(Decoder *decoder, Instruction *made);
/* An existing value of this type and these sizes, or a new parameter. */
[[nodiscard]] Instruction *value_or_parameter(
    Decoder *decoder, ElementType type, const Tensor *tensor, uint32_t selector);
[[nodiscard]] Instruction *add_parameter(Decoder *decoder, ElementType type, const Tensor *tensor);
/* A constant array of s32. Values in [-1, 5] are counted from `from` in steps. Once the counter
 * reaches 192, every fourth value is an edge. */
[[nodiscard]] Instruction *add_literal(Decoder *decoder, const Tensor *tensor, uint32_t from);
/* A scalar constant; and a scalar s32 that is a parameter, a constant or arithmetic, depending on
 * `selector`. */
[[nodiscard]] Instruction *add_constant(Decoder *decoder, ElementType type, int64_t number);
[[nodiscard]] Instruction *add_offset(Decoder *decoder, uint32_t selector);
/* An array of s32 of that shape. */
[[nodiscard]] Instruction *add_indices(Decoder *decoder, const Tensor *tensor);
/* A shape with the memory order of dimensions that a byte selects, minor first: 0 is the default
 * order, others are permutations by Lehmer digits. */
[[nodiscard]] const Shape *shape_with_layout(
    Decoder *decoder, ElementType type, const Tensor *tensor, uint32_t byte);

/* One operation each: builds it and adds its value, or returns false if no value fits. */
typedef bool FuzzRecord(Decoder *decoder);
#define FUZZ_OPERATION(name) FuzzRecord decode_##name;
#include "generate/operations.def"
#undef FUZZ_OPERATION

#endif
