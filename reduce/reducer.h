/* What the passes of the reducer share: the smallest text so far, and texts as lines. */
#ifndef FUZZ_REDUCER_H
#define FUZZ_REDUCER_H

#include "core/base/text.h"
#include "reduce/reduce.h"

typedef struct Reducer {
  Arena *arena;
  Reduction *reduction;
  const char *text;    /* the smallest so far */
  MapContext *context; /* of maps alone */
  MapPair pair;
} Reducer;

/* Tries edits of its kind once through and tells whether one was accepted. */
typedef bool Pass(Reducer *reducer);
/* All passes in turn until none helps or the trials are used up. */
void reducer_run(Reducer *reducer, Pass *const *passes, size_t count);
/* Accepts the text when it is another one and still shows the finding. */
bool text_try(Reducer *reducer, const char *candidate);

typedef struct Lines {
  uint32_t count, capacity;
  const char **items; /* without line ends; nullptr: gone */
} Lines;

[[nodiscard]] Lines lines_split(Arena *arena, const char *text);
[[nodiscard]] Lines lines_copy(Reducer *reducer, const Lines *lines);
/* Accepts the lines when they still show the finding. */
bool lines_try(Reducer *reducer, const Lines *lines);

[[nodiscard]] bool line_opens(const char *line);
[[nodiscard]] bool line_closes(const char *line);
[[nodiscard]] bool line_is_entry(const char *line);
[[nodiscard]] bool line_is_instruction(const char *line);
/* Where the opcode stands, or nullptr. */
[[nodiscard]] const char *line_operation(const char *line);
[[nodiscard]] uint32_t lines_parameters_before(const Lines *lines, uint32_t at);
/* Name of the computation that opens at the line, or of the instruction of it; and the shape
 * between " = " and the opcode. */
[[nodiscard]] const char *line_name(Arena *arena, const char *line);
[[nodiscard]] const char *line_shape(Arena *arena, const char *line);

[[nodiscard]] bool pass_bypass(Reducer *reducer); /* an operand stands for the instruction */
[[nodiscard]] bool pass_move_inner_root(
    Reducer *reducer); /* of a called computation; its callers take its shape */
[[nodiscard]] bool pass_cut(
    Reducer *reducer); /* an inner instruction becomes a parameter, of its caller too */
[[nodiscard]] bool pass_drop_parameters(
    Reducer *reducer); /* that nothing uses, with the operands for them */
[[nodiscard]] bool pass_number_everywhere(Reducer *reducer);
[[nodiscard]] bool pass_number_in_place(Reducer *reducer); /* of a line too */
[[nodiscard]] bool pass_number_pairs(Reducer *reducer);

#endif
