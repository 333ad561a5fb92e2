/* Test support: operations in two halves and as a whole, as lines of an entry over p and q, and the
 * functions that they are. Two forms have the same values if and only if they are one function. */
#ifndef CORE_HLO_TEST_ASYNC_FORMS_H
#define CORE_HLO_TEST_ASYNC_FORMS_H

#include "core/base/arena.h"

/* The lines of an entry over p and q, whose root is an f32[4], and the function that it is. */
typedef struct AsyncForm {
  const char *function, *lines;
} AsyncForm;

#define GROUPS ", replica_groups={{0,1}}"
#define PAIRS ", source_target_pairs={{0,1},{1,0}}"
#define OTHER_PAIRS ", source_target_pairs={{0,1}}"
#define GATHERED "ROOT r = f32[4] slice(g), slice={[2:6]}\n"
#define STARTED(operation) "s = ((f32[4]), f32[4], u32[]) async-start(p), calls=" operation "\n"
#define UPDATED "u = ((f32[4]), f32[4], u32[]) async-update(s)\n"
#define BOTH_STARTED \
  "s = ((f32[4], f32[4]), (f32[4], f32[4]), u32[]) async-start(p, q), calls=both\n"
#define BOTH_DONE "t = (f32[4], f32[4]) async-done(s)\n"
#define PART_OF_START(part) "t = (f32[4], f32[4]) get-tuple-element(s), index=" part "\n"
#define LEAF(number) "ROOT r = f32[4] get-tuple-element(t), index=" number "\n"
#define PERMUTE_START(pairs) \
  "s = (f32[4], f32[4]) collective-permute-start(p), channel_id=1" pairs "\n"

static const AsyncForm async_forms[] = {
    {"p", "ROOT r = f32[4] copy(p)\n"},
    {"p", "s = (f32[4], f32[4], u32[]) copy-start(p)\nROOT r = f32[4] copy-done(s)\n"},
    {"p", "s = (f32[4], f32[8]) all-gather-start(p), dimensions={0}" GROUPS
          "\nROOT r = f32[4] get-tuple-element(s), index=0\n"},
    {"p", PERMUTE_START(PAIRS) "ROOT r = f32[4] get-tuple-element(s), index=0\n"},
    {"p", PERMUTE_START(OTHER_PAIRS) "ROOT r = f32[4] get-tuple-element(s), index=0\n"},
    {"sum", "ROOT r = f32[4] all-reduce(p), to_apply=add" GROUPS "\n"},
    {"sum", "s = f32[4] all-reduce-start(p), to_apply=add" GROUPS
            "\nROOT r = f32[4] all-reduce-done(s)\n"},
    {"gathered", "g = f32[8] all-gather(p), dimensions={0}" GROUPS "\n" GATHERED},
    {"gathered", "s = (f32[4], f32[8]) all-gather-start(p), dimensions={0}" GROUPS
                 "\ng = f32[8] all-gather-done(s)\n" GATHERED},
    {"gathered", "s = (f32[4], f32[8]) all-gather-start(p), dimensions={0}" GROUPS
                 "\ng = f32[8] get-tuple-element(s), index=1\n" GATHERED},
    {"permuted", "ROOT r = f32[4] collective-permute(p), channel_id=1" PAIRS "\n"},
    {"permuted", PERMUTE_START(PAIRS) "ROOT r = f32[4] collective-permute-done(s)\n"},
    {"sent to one", "ROOT r = f32[4] collective-permute(p), channel_id=1" OTHER_PAIRS "\n"},
    {"sent to one", PERMUTE_START(OTHER_PAIRS) "ROOT r = f32[4] collective-permute-done(s)\n"},
    {"-p", "ROOT r = f32[4] negate(p)\n"},
    {"-p", STARTED("negated") "ROOT r = f32[4] async-done(s)\n"},
    {"-p", STARTED("negated") UPDATED "ROOT r = f32[4] async-done(u)\n"},
    {"-p", STARTED("negated") "ROOT r = f32[4] get-tuple-element(s), index=1\n"},
    {"|p|", "ROOT r = f32[4] abs(p)\n"},
    {"|p|", STARTED("absolute") UPDATED "ROOT r = f32[4] async-done(u)\n"},
    {"p", STARTED("absolute") "t = (f32[4]) get-tuple-element(s), index=0\n"
                              "ROOT r = f32[4] get-tuple-element(t), index=0\n"},
    {"p", STARTED("negated") UPDATED "t = (f32[4]) get-tuple-element(u), index=0\n"
                                     "ROOT r = f32[4] get-tuple-element(t), index=0\n"},
    {"q", "ROOT r = f32[4] copy(q)\n"},
    {"p - q", "ROOT r = f32[4] subtract(p, q)\n"},
    {"p + q", "ROOT r = f32[4] add(p, q)\n"},
    {"p - q", BOTH_STARTED BOTH_DONE LEAF("0")},
    {"p + q", BOTH_STARTED BOTH_DONE LEAF("1")},
    {"p", BOTH_STARTED PART_OF_START("0") LEAF("0")},
    {"q", BOTH_STARTED PART_OF_START("0") LEAF("1")},
    {"p - q", BOTH_STARTED PART_OF_START("1") LEAF("0")},
    {"p + q", BOTH_STARTED PART_OF_START("1") LEAF("1")},
    {"exchanged", "ROOT r = f32[4] all-to-all(p), dimensions={0}" GROUPS "\n"},
    {"of the first", "ROOT r = f32[4] collective-broadcast(p)" GROUPS "\n"},
};
static constexpr uint32_t async_form_count = sizeof async_forms / sizeof *async_forms;

static const char *async_text(Arena *arena, const char *lines) {
  return arena_printf(arena,
      "HloModule m, replica_count=2\n"
      "add {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT s = f32[] add(x, y)\n}\n"
      "negated {\nx = f32[4] parameter(0)\nROOT n = f32[4] negate(x)\n}\n"
      "absolute {\nx = f32[4] parameter(0)\nROOT n = f32[4] abs(x)\n}\n"
      "both {\nx = f32[4] parameter(0)\ny = f32[4] parameter(1)\na = f32[4] subtract(x, y)\n"
      "b = f32[4] add(x, y)\nROOT t = (f32[4], f32[4]) tuple(a, b)\n}\n"
      "ENTRY e {\np = f32[4] parameter(0)\nq = f32[4] parameter(1)\n%s}\n",
      lines);
}

#endif
