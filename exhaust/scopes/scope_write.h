/* Writes one case as HLO text: values are named v0, v1, .., parameters p0, p1, .., constants c0,
 * c1, ... A step of a case takes the value at hand and leaves a new one; what else it needs becomes
 * a parameter. */
#ifndef JUDGE_SCOPE_WRITE_H
#define JUDGE_SCOPE_WRITE_H

#include "core/base/text.h"
#include "core/hlo/graph.h"
#include "generate/operations/tensor.h"

static constexpr uint32_t scope_max_parameters = 32;

static constexpr uint32_t scope_max_called = 8;

typedef struct ScopeParameter {
  const char *type;
  Tensor tensor;
} ScopeParameter;

typedef struct ScopeWriter {
  Text *text;         /* the instructions */
  Text *computations; /* that they call, which stand before them */
  uint32_t parameter_count, constant_count, value_count;
  ScopeParameter parameters[scope_max_parameters];
  const char *called[scope_max_called]; /* names of the computations */
  uint32_t called_count;
  char at_hand[16]; /* the name of the value that the next step takes */
  bool is_last;     /* the next instruction is the root */
} ScopeWriter;

/* "f32[2,3]", with "{0,1}" where a layout is given and there is a dimension. */
void scope_write_shape(
    Text *text, const char *type, const Tensor *tensor, const uint32_t *minor_to_major);
/* "name={1,2}" after ", ". */
void scope_write_numbers(Text *text, const char *name, uint32_t count, const uint32_t *numbers);
void scope_write_sizes(Text *text, const char *name, uint32_t count, const int64_t *numbers);
/* A line `p1 = TYPE[..] parameter(1)`; gives the number. */
uint32_t scope_write_parameter(ScopeWriter *writer, const char *type, const Tensor *tensor);
uint32_t scope_write_laid_parameter(
    ScopeWriter *writer, const char *type, const Tensor *tensor, const uint32_t *minor_to_major);
/* Once for each name. */
void scope_write_computation(ScopeWriter *writer, const Computation *computation);
/* `x + y` of f32 by the name `add`. */
void scope_write_add(ScopeWriter *writer);
/* `[ROOT ]vN = f32[..] OPCODE(v0`: the caller writes further operands, `)` and the attributes, then
 * scope_write_end. */
void scope_write_begin(ScopeWriter *writer, const Tensor *out, const char *opcode);
void scope_write_begin_with(ScopeWriter *writer, const char *type, const Tensor *out,
    const uint32_t *minor_to_major, const char *opcode);
void scope_write_end(ScopeWriter *writer);

/* "f32[2,3]" as words of its own. */
typedef struct ShapeWords {
  char text[96];
} ShapeWords;
[[nodiscard]] ShapeWords scope_shape_words(const char *type, const Tensor *tensor);
/* A form of whole lines: X is the tensor's shape, V the value at hand, P a line `p1 = X
 * parameter(1)`; everything else stands as it is. */
void scope_write_filled(ScopeWriter *writer, const Tensor *tensor, const char *form);

#endif
