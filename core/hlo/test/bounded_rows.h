/* Test support: pairs of graphs over arrays of bounded size. If the bounds are the true sizes, as
 * in the same texts without `<=`, both graphs of a pair have the same values. If a true size is
 * smaller, their values differ. */
#ifndef CORE_HLO_TEST_BOUNDED_ROWS_H
#define CORE_HLO_TEST_BOUNDED_ROWS_H

#define BOUNDED(lines) \
  "HloModule m\nturn { x = f32[<=4] parameter(0) ROOT r = f32[<=4] reverse(x), dimensions={0} }\n" \
  "ENTRY e {\na = f32[<=4] parameter(0)\nb = f32[<=4] parameter(1)\nd = f32[4] parameter(2)\n" \
  "m = f32[3,<=4] parameter(3)\nu = f32[1] parameter(4)\nz = f32[] constant(0)\n" \
  "n = s32[] constant(9)\nk = s32[1] constant({9})\n" lines "\n}\n"

typedef struct BoundedRow {
  const char *name, *before, *after;
} BoundedRow;

static const BoundedRow bounded_rows[] = {
    {"concatenate",
        BOUNDED("c = f32[<=8] concatenate(a, b), dimensions={0}\n"
                "ROOT s = f32[<=4] slice(c), slice={[4:8]}"),
        BOUNDED("ROOT s = f32[<=4] copy(b)")},
    {"concatenate_with_a_known_size",
        BOUNDED("c = f32[<=8] concatenate(a, d), dimensions={0}\n"
                "ROOT s = f32[<=4] slice(c), slice={[4:8]}"),
        BOUNDED("h = f32[<=8] concatenate(d, d), dimensions={0}\n"
                "ROOT s = f32[<=4] slice(h), slice={[0:4]}")},
    {"reverse",
        BOUNDED(
            "c = f32[<=4] reverse(a), dimensions={0}\nROOT s = f32[<=1] slice(c), slice={[0:1]}"),
        BOUNDED("ROOT s = f32[<=1] slice(a), slice={[3:4]}")},
    {"reverse_in_a_call",
        BOUNDED("c = f32[<=4] call(a), to_apply=turn\nROOT s = f32[<=1] slice(c), slice={[0:1]}"),
        BOUNDED("ROOT s = f32[<=1] slice(a), slice={[3:4]}")},
    {"pad",
        BOUNDED("c = f32[<=6] pad(a, z), padding=0_2\nROOT s = f32[<=2] slice(c), slice={[4:6]}"),
        BOUNDED("ROOT s = f32[<=2] broadcast(z), dimensions={}")},
    {"reshape", BOUNDED("c = f32[<=12] reshape(m)\nROOT s = f32[<=1] slice(c), slice={[4:5]}"),
        BOUNDED("o = f32[1,<=1] slice(m), slice={[1:2], [0:1]}\nROOT s = f32[<=1] reshape(o)")},
    {"dynamic_slice", BOUNDED("ROOT s = f32[1] dynamic-slice(a, n), dynamic_slice_sizes={1}"),
        BOUNDED(
            "t = s32[] constant(3)\nROOT s = f32[1] dynamic-slice(a, t), dynamic_slice_sizes={1}")},
    {"dynamic_update_slice",
        BOUNDED("c = f32[<=4] dynamic-update-slice(a, u, n)\n"
                "ROOT s = f32[<=1] slice(c), slice={[3:4]}"),
        BOUNDED("c = f32[<=4] dynamic-update-slice(b, u, n)\n"
                "ROOT s = f32[<=1] slice(c), slice={[3:4]}")},
    {"gather",
        BOUNDED("ROOT s = f32[1] gather(a, k), offset_dims={0}, collapsed_slice_dims={}, "
                "start_index_map={0}, index_vector_dim=0, slice_sizes={1}"),
        BOUNDED(
            "t = s32[1] constant({3})\nROOT s = f32[1] gather(a, t), offset_dims={0}, "
            "collapsed_slice_dims={}, start_index_map={0}, index_vector_dim=0, slice_sizes={1}")},
};

#endif
