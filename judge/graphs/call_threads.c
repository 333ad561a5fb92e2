/* Callers come after what they call: from the last computation to the first one, each passes its
 * threads on to those that it calls. */
#include "judge/graphs/call_threads.h"

#include <string.h>

#include "core/hlo/compare.h"

/* A target and the thread on which it is called. */
typedef struct ThreadCall {
  const char *target, *thread;
} ThreadCall;

typedef struct ThreadCalls {
  ThreadCall *items;
  uint32_t count, capacity;
} ThreadCalls;

/* The threads on which a computation runs. */
typedef struct Threads {
  const char **items;
  uint32_t count, capacity;
} Threads;

static constexpr char main_thread[] = "\"main\"";

/* The thread that a start states for what it calls; nullptr: the one of its own computation. */
static const char *stated_thread(const Instruction *instruction) {
  const Attribute *thread = instruction_attribute(instruction, "async_execution_thread");
  return instruction->opcode == HLO_ASYNC_START && thread != nullptr ? thread->text : nullptr;
}

static bool states_other_thread(const Instruction *instruction) {
  const char *thread = stated_thread(instruction);
  return thread != nullptr && strcmp(thread, main_thread) != 0;
}

static void thread_add(Arena *arena, Threads *threads, const char *thread) {
  for (uint32_t i = 0; i < threads->count; i++)
    if (strcmp(threads->items[i], thread) == 0) return;
  *ARENA_PUSH(arena, threads) = thread;
}

/* Returns whether the target is called on another thread too. */
static bool call_add(Arena *arena, ThreadCalls *calls, ThreadCall call) {
  bool is_known = false, is_apart = false;
  for (uint32_t i = 0; i < calls->count; i++) {
    if (strcmp(calls->items[i].target, call.target) != 0) continue;
    bool is_same = strcmp(calls->items[i].thread, call.thread) == 0;
    is_known |= is_same;
    is_apart |= !is_same;
  }
  if (!is_known) *ARENA_PUSH(arena, calls) = call;
  return is_apart;
}

static void pass_threads(Arena *arena, const Module *module, Threads *threads, uint32_t at) {
  const Computation *computation = module->computations[at];
  for (uint32_t i = 0; i < computation->instruction_count; i++) {
    const Instruction *instruction = computation->instructions[i];
    const char *stated = stated_thread(instruction);
    bool is_end = instruction->opcode == HLO_ASYNC_UPDATE || instruction->opcode == HLO_ASYNC_DONE;
    for (uint32_t k = 0; !is_end && k < instruction->called_count; k++) {
      uint32_t called = 0;
      while (module->computations[called] != instruction->called[k]) called++;
      for (uint32_t t = 0; t < threads[at].count; t++)
        thread_add(arena, &threads[called], stated != nullptr ? stated : threads[at].items[t]);
    }
  }
}

static const Instruction *call_apart(Arena *arena, const Module *module, ThreadCalls *calls) {
  Threads *threads = ARENA_NEW(arena, Threads, module->computation_count);
  const Instruction *apart = nullptr;
  for (uint32_t i = module->computation_count; i-- > 0 && apart == nullptr;) {
    const Computation *computation = module->computations[i];
    if (computation == module->entry) thread_add(arena, &threads[i], main_thread);
    pass_threads(arena, module, threads, i);
    for (uint32_t k = 0; k < computation->instruction_count && apart == nullptr; k++) {
      const Instruction *instruction = computation->instructions[k];
      const Attribute *target = instruction_attribute(instruction, "custom_call_target");
      bool is_call = instruction->opcode == HLO_CUSTOM_CALL && target != nullptr;
      for (uint32_t t = 0; is_call && t < threads[i].count; t++)
        if (call_add(arena, calls, (ThreadCall){target->text, threads[i].items[t]}))
          apart = instruction;
    }
  }
  return apart;
}

const Instruction *call_on_two_threads(Arena *arena, const Module *before, const Module *after) {
  ThreadCalls calls = {};
  if (module_find(before, states_other_thread) == nullptr &&
      module_find(after, states_other_thread) == nullptr)
    return nullptr;
  const Instruction *apart = call_apart(arena, before, &calls);
  return apart != nullptr ? apart : call_apart(arena, after, &calls);
}
