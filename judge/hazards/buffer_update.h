/* Updates in place. A dynamic-update-slice, a scatter, a loop and some collectives write into the
 * memory of their operands, as do fusions of them, and outputs that state their operand. A call, a
 * conditional and an asynchronous computation may return memory of their operands. */
#ifndef JUDGE_HAZARDS_BUFFER_UPDATE_H
#define JUDGE_HAZARDS_BUFFER_UPDATE_H

#include "judge/hazards/buffer_callee.h"

/* The value whose memory `made` is in, if `made` is an update in place, an output that states its
 * operand, or what a callee returned. */
[[nodiscard]] bool buffer_updated(const Buffers *buffers, BufferLeaf made, BufferLeaf *before);
/* Whether an output of a fusion is an update in place of a parameter: by `writer`, in the fused
 * computation, of the parameter's leaf `before`. */
[[nodiscard]] bool buffer_fused(
    const Buffers *buffers, BufferLeaf made, BufferLeaf *writer, BufferLeaf *before);
/* Whether an update in place, for which buffer_updated is true, changes the memory. */
[[nodiscard]] bool buffer_is_changed(const Buffers *buffers, BufferLeaf made);
/* The oldest value of the memory. Without a schedule the oldest that no update changed since, as
 * the compiler may still copy an array before it is changed. */
[[nodiscard]] BufferLeaf buffer_memory(const Buffers *buffers, BufferLeaf made);
/* Whether it may overwrite any element. */
[[nodiscard]] bool buffer_is_unfollowed(const Buffers *buffers, BufferLeaf made);
/* Whether buffer_updated or buffer_effects may find memory; these are slower. */
[[nodiscard]] bool buffer_may_update(const Instruction *instruction);

#endif
