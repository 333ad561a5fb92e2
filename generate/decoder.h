/* The decoder's state, shared by the files that write the families of operations. */
#ifndef FUZZ_DECODER_H
#define FUZZ_DECODER_H

#include "core/base/edges.h"
#include "core/base/text.h"
#include "core/hlo/shape.h"
#include "generate/choices/choices.h"
#include "generate/decode.h"

static constexpr uint32_t fuzz_max_rank = 4;
static constexpr uint32_t fuzz_max_values = 320;
/* A value of more maps, or of maps with more variables of windows, offsets and indices, is no
 * operand: both multiply what each operation after it costs. It has at most eight times as many
 * maps for each operand of the operation that made it. */
static constexpr uint32_t fuzz_max_operand_maps = 16;
static constexpr uint32_t fuzz_max_operand_variables = 8;

/* An array that operations can use. */
typedef struct FuzzValue {
  uint32_t id; /* its name is v<id> */
  ElementType type;
  uint32_t rank;
  int64_t sizes[fuzz_max_rank];
  uint32_t minor_to_major[fuzz_max_rank];
  bool has_layout;
  uint32_t maps;      /* as many lead from it to the parameters, were none of them alike */
  uint32_t variables; /* that windows, offsets and indices bind in one of them, at most */
} FuzzValue;

typedef struct Decoder {
  Arena *arena;
  Text body;         /* instructions of the decoded computation */
  Text computations; /* reducers and the like, before it */
  uint8_t record[fuzz_record_bytes];
  uint32_t next_id, value_count, parameter_count;
  uint32_t maps;      /* of the operands that the record has taken so far, together */
  uint32_t variables; /* the most of any of these operands */
  uint32_t pieces; /* into so many boxes the record's operation cuts what it leaves of an operand */
  uint32_t bound;  /* so many variables it binds itself */
  uint32_t reducers;                 /* bit set: which helper computations are written */
  FuzzValue values[fuzz_max_values]; /* the last two members: see fuzz_decode_graph */
  FuzzValue parameters[fuzz_max_values];
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
/* 2 bits of the record: `at` counts pairs of bits. */
[[nodiscard]] static inline uint32_t choose_bits(const Decoder *decoder, uint32_t at) {
  return decoder->record[(at / 4) % fuzz_record_bytes] >> (at % 4 * 2) & 3;
}

[[nodiscard]] int64_t fuzz_elements(const FuzzValue *value);
/* Elements if every size 0 were 1: what the limit is about, since dropping a dimension of size 0
 * brings the others to life. */
[[nodiscard]] int64_t fuzz_capacity(const FuzzValue *value);
/* 0 selects the newest value. */
[[nodiscard]] FuzzValue pick_value(Decoder *decoder, uint32_t selector);
/* The newest value of this type and these sizes among those before; the value itself if there is no
 * other. */
[[nodiscard]] FuzzValue pick_alike(Decoder *decoder, FuzzValue value, uint32_t selector);
/* Starts `v<id> = type[sizes] ` and makes it the newest value once finish_value has been called. */
void begin_value(Decoder *decoder, FuzzValue *value);
void finish_value(Decoder *decoder, const FuzzValue *value);
void print_value_shape(Text *text, const FuzzValue *value);
/* A new parameter of the decoded computation, without or with the layout of the shape. */
[[nodiscard]] FuzzValue add_parameter(Decoder *decoder, FuzzValue shape);
[[nodiscard]] FuzzValue add_laid_out_parameter(Decoder *decoder, FuzzValue shape);
/* A value of this type and these sizes made before, or a new parameter if there is none. */
[[nodiscard]] FuzzValue value_or_parameter(Decoder *decoder, FuzzValue shape, uint32_t selector);
/* A constant array of s32, its values counted from `from` in steps, in [-1, 5]; from 192 on every
 * fourth one is an edge. */
[[nodiscard]] FuzzValue add_literal(Decoder *decoder, FuzzValue shape, uint32_t from);
/* The layout that a byte says: 0 the default one, others a permutation by Lehmer digits. */
void choose_layout(FuzzValue *value, uint32_t byte);
/* The permutation of rank numbers that a byte says; 0 the identity. */
void permutation_of(uint32_t byte, uint32_t rank, int64_t *order);
/* A scalar constant; and a scalar s32 that is a parameter, a constant or arithmetic, as `selector`
 * says. */
[[nodiscard]] FuzzValue add_constant(Decoder *decoder, ElementType type, int64_t number);
[[nodiscard]] FuzzValue add_offset(Decoder *decoder, uint32_t selector);
/* An array of s32 of that shape. */
[[nodiscard]] FuzzValue add_indices(Decoder *decoder, FuzzValue indices, Choices *choices);
/* The name of a computation that reduces `count` values of these types at once. */
[[nodiscard]] const char *reducer_name(Decoder *decoder, uint32_t count, const FuzzValue *values);
/* Starts `v<id> = (shapes of the values, and what `more` says) `; the number of the tuple, which is
 * no value that operations can use. */
[[nodiscard]] uint32_t begin_tuple(
    Decoder *decoder, uint32_t count, const FuzzValue *values, const char *more);
/* An element of a tuple as a new value. */
void take_element(Decoder *decoder, uint32_t tuple, uint32_t index, FuzzValue value);
[[nodiscard]] uint32_t add_token(Decoder *decoder);
/* Sets dimensions to 1 from the back until the value has at most fuzz_max_elements elements. */
void shrink_to_fit(FuzzValue *value);
void print_numbers(Text *text, const char *name, uint32_t count, const int64_t *numbers);

/* One operation each: writes it and adds its value, or returns false when no value fits. */
typedef bool FuzzWriter(Decoder *decoder);
#define FUZZ_OPERATION(name) FuzzWriter fuzz_write_##name;
#include "generate/operations.def"
#undef FUZZ_OPERATION

#endif
