/* Test support: texts of operand_precision, grouped by meaning, and operations that pass elements
 * on, in two precisions. Include <string.h> before this file. */
#ifndef CORE_HLO_TEST_PRECISION_ROWS_H
#define CORE_HLO_TEST_PRECISION_ROWS_H

#include "core/base/arena.h"

typedef struct PrecisionRow {
  const char *text;    /* "": the attribute is not given */
  const char *meaning; /* equal meanings are the same function */
} PrecisionRow;

static const PrecisionRow precision_rows[] = {{"", "default default"},
    {"{default,default}", "default default"}, {"{default, default}", "default default"},
    {"{DEFAULT,Default}", "default default"}, {"{highest,highest}", "highest highest"},
    {"{HIGHEST,HIGHEST}", "highest highest"}, {"{high,high}", "high high"},
    {"{HIGH,default}", "high default"}, {"{high,default}", "high default"},
    {"{high,default,highest}", "high default highest"}, {"{default,high}", "default high"},
    {"{Highest,default}", "highest default"}, {"{packed_nibble,packed_nibble}", "packed packed"},
    {"{PACKED_NIBBLE,PACKED_NIBBLE}", "packed packed"},
    {"{Packed_Nibble,default}", "packed default"}};

/* Whether the second meaning is the first one with its words exchanged. */
static bool precision_is_exchanged(const char *one, const char *other) {
  size_t first = strcspn(one, " "), second = strlen(one + first + 1);
  return strlen(other) == strlen(one) && strncmp(other, one + first + 1, second) == 0 &&
         other[second] == ' ' && strncmp(other + second + 1, one, first) == 0;
}

/* What stands before and after an operand of f32[1,2]: each operation returns the operand. */
[[maybe_unused]] static const char *const passing_rows[][2] = {{"copy(", ")"}, {"reshape(", ")"},
    {"transpose(", "), dimensions={0,1}"}, {"slice(", "), slice={[0:1],[0:2]}"},
    {"concatenate(", "), dimensions={1}"}, {"pad(", ", z), padding=0_0x0_0"},
    {"reverse(", "), dimensions={0}"}, {"broadcast(", "), dimensions={0,1}"},
    {"select(q, p, ", ")"}, {"sort(", "), dimensions={0}, to_apply=less"},
    {"dynamic-slice(", ", i, i), dynamic_slice_sizes={1,2}"},
    {"dynamic-update-slice(p, ", ", i, k)"},
    {"gather(", ", j), offset_dims={0,1}, collapsed_slice_dims={}, start_index_map={1}, "
                "index_vector_dim=0, slice_sizes={1,2}"},
    {"scatter(p, j, ", "), update_window_dims={0,1}, inserted_window_dims={}, "
                       "scatter_dims_to_operand_dims={1}, index_vector_dim=0, to_apply=last"}};

/* The operation twice: what it returns first has the type. */
[[maybe_unused]] static const char *passing_module(
    Arena *arena, const char *const row[2], const char *type) {
  return arena_printf(arena,
      "HloModule m\nless {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\n"
      "ROOT c = pred[] compare(x, y), direction=LT\n}\n"
      "last {\nx = f32[] parameter(0)\nROOT y = f32[] parameter(1)\n}\n"
      "ENTRY e {\np = f32[1,2] parameter(0)\nq = pred[1,2] parameter(1)\nk = s32[] parameter(2)\n"
      "i = s32[] constant(0)\nj = s32[1] constant({0})\nz = f32[] constant(0)\n"
      "a = %s[1,2] %sp%s\nROOT r = f32[1,2] %sa%s\n}\n",
      type, row[0], row[1], row[0], row[1]);
}

#endif
