/* The decoder's state, shared by the files that make operations and their operands. */
#ifndef FUZZ_DECODER_H
#define FUZZ_DECODER_H

#include "core/base/edges.h"
#include "generate/choices/drivers.h"
#include "generate/decode.h"
#include "generate/operations/compose.h"

static constexpr uint32_t fuzz_max_rank = 4;
static constexpr uint32_t fuzz_max_values = 512;
/* A value of more maps, or of maps with more variables of windows, offsets and indices, is no
 * operand: both multiply what each operation after it costs. It has at most eight times as many
 * maps for each operand of the operation that made it. */
static constexpr uint32_t fuzz_max_operand_maps = 16;
static constexpr uint32_t fuzz_max_operand_variables = 8;

/* An array that operations can use. */
typedef struct FuzzValue {
  Instruction *made;
  uint32_t maps;      /* as many lead from it to the parameters, were none of them alike */
  uint32_t variables; /* that windows, offsets and indices bind in one of them, at most */
} FuzzValue;

typedef struct Decoder {
  OperandSource source; /* the first member: operations get it */
  Arena *arena;
  ModuleBuilder module;
  Builder body;
  ByteChoices choices; /* of the record */
  uint8_t record[fuzz_record_bytes];
  uint32_t value_count;
  uint32_t maps;      /* of the operands that the record has taken so far, together */
  uint32_t variables; /* the most of any of these operands */
  uint32_t pieces; /* into so many boxes the record's operation cuts what it leaves of an operand */
  uint32_t bound;  /* so many variables it binds itself */
  FuzzValue values[fuzz_max_values]; /* the last member: see fuzz_decode_graph */
} Decoder;

/* A number in [0, count) from byte `at` of the record. */
[[nodiscard]] static inline uint32_t record_choose(
    const Decoder *decoder, uint32_t at, uint32_t count) {
  return decoder->record[at % fuzz_record_bytes] % count;
}
/* An edge of s32 where the byte asks for it, as a quarter of them do; else the usual number. */
[[nodiscard]] static inline int64_t edge_or(const Decoder *decoder, uint32_t at, int64_t usual) {
  uint8_t byte = decoder->record[at % fuzz_record_bytes];
  return byte >= 192 ? edge_of_bits(32, true, byte) : usual;
}

/* Elements if every size 0 were 1: what the limit is about, since dropping a dimension of size 0
 * brings the others to life. */
[[nodiscard]] int64_t fuzz_capacity(uint32_t rank, const int64_t *sizes);
/* 0 selects the newest value. */
[[nodiscard]] Instruction *pick_value(Decoder *decoder, uint32_t selector);
/* What the record's operation has made becomes a value, and is returned; nullptr is passed on. */
Instruction *add_value(Decoder *decoder, Instruction *made);
/* The same of what has no operands. */
Instruction *add_source(Decoder *decoder, Instruction *made);
/* A value of this type and these sizes made before, or a new parameter if there is none. */
[[nodiscard]] Instruction *value_or_parameter(
    Decoder *decoder, ElementType type, const Tensor *tensor, uint32_t selector);
[[nodiscard]] Instruction *add_parameter(Decoder *decoder, ElementType type, const Tensor *tensor);
/* A constant array of s32, its values counted from `from` in steps, in [-1, 5]; from 192 on every
 * fourth one is an edge. */
[[nodiscard]] Instruction *add_literal(Decoder *decoder, const Tensor *tensor, uint32_t from);
/* A scalar constant; and a scalar s32 that is a parameter, a constant or arithmetic, as `selector`
 * says. */
[[nodiscard]] Instruction *add_constant(Decoder *decoder, ElementType type, int64_t number);
[[nodiscard]] Instruction *add_offset(Decoder *decoder, uint32_t selector);
/* An array of s32 of that shape. */
[[nodiscard]] Instruction *add_indices(Decoder *decoder, const Tensor *tensor);
/* The order of dimensions in memory that a byte says, minor first: 0 the default one, others a
 * permutation by Lehmer digits. */
[[nodiscard]] const Shape *shape_with_layout(
    Decoder *decoder, ElementType type, const Tensor *tensor, uint32_t byte);

/* One operation each: builds it and adds its value, or returns false when no value fits. */
typedef bool FuzzRecord(Decoder *decoder);
#define FUZZ_OPERATION(name) FuzzRecord decode_##name;
#include "generate/operations.def"
#undef FUZZ_OPERATION

#endif
