/* Shape inference: a row for each possible fault of an operation, and rows that are valid. The
 * message is that of the last instruction, or "read" if the graph is valid. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "core/hlo/read/from_text.h"
#include "core/hlo/verify/verify.h"

#define P "p = f32[4] parameter(0)\n"
#define Q P "q = f32[4,6] parameter(1)\n"
#define S P "s = f32[] parameter(1)\n"
#define I "p = f32[8,9] parameter(0)\ni = s32[5,2] parameter(1)\n"
#define IX "x = s32[] parameter(2)\n"
#define L "t = f32[4,6]{0,1:T(2)} parameter(0)\n"

typedef struct VerifyRow {
  const char *instructions, *message;
} VerifyRow;

static const VerifyRow elementwise[] = {
    {P "r = f32[4] add(p)", "add: 1 operand, not 2"},
    {P "r = f32[4] add(p, p)", "read"},
    {Q "r = f32[4] add(p, q)", "add: operands 0 and 1 differ in size: f32[4] and f32[4,6]"},
    {P "r = f32[5] add(p, p)", "add: the shape is f32[5], the operation returns f32[4]"},
    {P "r = s32[4] add(p, p)", "add: the shape is s32[4], the operation returns f32[4]"},
    {P "q = s32[4] parameter(1) r = f32[4] add(p, q)",
        "add: operands 0 and 1 differ in element type: f32 and s32"},
    {P "r = f32[4] compare(p, p), direction=LT",
        "compare: the shape is f32[4], the operation returns pred[4]"},
    {P "r = pred[4] compare(p, p)", "compare: direction is missing"},
    {P "r = pred[4] compare(p, p), direction=LT, type=TOTALORDER", "read"},
    {P "r = pred[4] compare(p, p), direction=LT, type=FLOAT", "read"},
    {P "r = pred[4] compare(p, p), direction=LT, type=SIGNED",
        "compare: a comparison of f32 is not of type 'SIGNED'"},
    {"q = s32[4] parameter(0) r = pred[4] compare(q, q), direction=LT, type=SIGNED", "read"},
    {"q = s32[4] parameter(0) r = pred[4] compare(q, q), direction=LT, type=UNSIGNED",
        "compare: a comparison of s32 is not of type 'UNSIGNED'"},
    {"q = u32[4] parameter(0) r = pred[4] compare(q, q), direction=LT, type=SIGNED",
        "compare: a comparison of u32 is not of type 'SIGNED'"},
    {P "r = pred[4] compare(p, p), direction=LTE",
        "compare: no comparison has the direction 'LTE'"},
    {P "r = s8[4] convert(p)", "read"},
    {P "r = s8[5] convert(p)", "convert: the shape is s8[5], the operation returns s8[4]"},
    {P "c = pred[] parameter(1) r = f32[4] select(c, p, p)", "read"},
    {P "c = pred[5] parameter(1) r = f32[4] select(c, p, p)",
        "select: operands 1 and 0 differ in size: f32[4] and pred[5]"},
    {P "r = f32[4] select(p, p, p)", "select: operand 0 has element type f32, not pred"},
    {S "r = f32[4] clamp(s, p, p)", "read"},
    {S "r = f32[4] clamp(p, s, p)", "clamp: operands 1 and 0 differ in size: f32[] and f32[4]"},
    {P "r = c64[4] complex(p, p)", "read"},
    {P "r = f32[4] real(p)", "read"},
    {"p = c128[4] parameter(0) r = f64[4] abs(p)", "read"},
    {"p = s32[4] parameter(0) r = s32[4] real(p)",
        "real: operand 0 has element type s32, not a floating-point or complex one"},
    {P "r = pred[4] is-finite(p)", "read"},
    {P "r = f32[4] map(p, p), dimensions={0}, to_apply=add", "read"},
    {P "r = f32[4] map(p), dimensions={0}, to_apply=add",
        "map: computation 'add' has 2 parameters, not 1"},
    {"p = (f32[4]) parameter(0) r = (f32[4]) negate(p)",
        "negate: operand 0 is (f32[4]), not an array"},
    {"p = (f32[4]) parameter(0) r = (f32[4]) copy(p)", "read"},
};

static const VerifyRow rearranging[] = {
    {P "r = s32[4,2] iota(), iota_dimension=2", "iota: iota_dimension is 2, the rank 2"},
    {P "r = pred[4,2] iota(), iota_dimension=1",
        "iota: the element type is pred, no type of numbers"},
    {P "r = s32[] iota(), iota_dimension=0", "iota: iota_dimension is 0, the rank 0"},
    {P "r = u32[] partition-id()", "read"},
    {P "r = f32[3,4] broadcast(p), dimensions={1}", "read"},
    {P "r = f32[3,4] broadcast(p), dimensions={0}",
        "broadcast: the shape is f32[3,4], the operation returns f32[4,4]"},
    {P "r = f32[3,4] broadcast(p), dimensions={2}",
        "broadcast: dimensions names dimension 2 of rank 2"},
    {P "r = f32[3,4] broadcast(p), dimensions={}", "broadcast: dimensions has 0 entries, not 1"},
    {Q "r = f32[4,6] broadcast(q), dimensions={1,1}",
        "broadcast: dimensions names dimension 1 twice"},
    {Q "r = f32[6,4] transpose(q), dimensions={1,0}", "read"},
    {Q "r = f32[4,6] transpose(q), dimensions={1,0}",
        "transpose: the shape is f32[4,6], the operation returns f32[6,4]"},
    {Q "r = f32[4,6] reverse(q), dimensions={1,2}",
        "reverse: dimensions names dimension 2 of rank 2"},
    {Q "r = f32[2,2] slice(q), slice={[0:4:2], [1:6:3]}", "read"},
    {Q "r = f32[4,6] slice(q), slice={[0:4], [0:7]}",
        "slice: limit 7 of dimension 1 is past the operand's size 6"},
    {Q "r = f32[4,6] slice(q), slice={[0:4], [3:2]}",
        "slice: start 3 of dimension 1 is not in [0, limit 2]"},
    {Q "r = f32[4,6] slice(q), slice={[0:4:0], [0:6]}",
        "slice: stride 0 of dimension 0 is not positive"},
    {Q "r = f32[4,6] slice(q), slice={[0:4]}", "slice: slice has 1 entry, not 2"},
    {Q "r = f32[4,0] slice(q), slice={[0:4], [2:2]}", "read"},
    {Q "r = f32[3,8] reshape(q)", "read"},
    {Q "r = f32[5,5] reshape(q)", "reshape: f32[4,6] has 24 elements, f32[5,5] has 25"},
    {Q "r = s32[3,8] reshape(q)", "reshape: the element type changes from f32 to s32"},
    {Q "r = s16[48] bitcast(q)", "read"},
    {Q "r = f32[48] bitcast(q)", "bitcast: f32[4,6] and f32[48] differ in size"},
    {"t = (f32[4,6], s32[2]) parameter(0) r = (s16[48], (s32[2])) bitcast(t)",
        "bitcast: (s32[2]) is no bitcast of s32[2]"},
    {"t = (f32[4,6], s32[2]) parameter(0) r = (s16[48], s32[2,1]) bitcast(t)", "read"},
    {"t = (f32[4,6], s32[2]) parameter(0) r = (s32[2], f32[4,6]) bitcast(t)",
        "bitcast: f32[4,6] and s32[2] differ in size"},
    {"t = (f32[4,6], s32[2]) parameter(0) r = (f32[4,6]) bitcast(t)",
        "bitcast: (f32[4,6]) is no bitcast of (f32[4,6], s32[2])"},
    {"t = (f32[4,6], s32[2]) parameter(0) r = f32[4,6] bitcast(t)",
        "bitcast: f32[4,6] is no bitcast of (f32[4,6], s32[2])"},
    {Q "r = (f32[4,6]) bitcast(q)", "bitcast: the result is (f32[4,6]), not an array"},
    {P "r = u8[4,4] bitcast-convert(p)", "read"},
    {P "r = u8[4] bitcast-convert(p)",
        "bitcast-convert: the shape is u8[4], the operation returns u8[4,4]"},
    {"p = u8[3,4] parameter(0) r = f32[3] bitcast-convert(p)", "read"},
    {"p = u8[3,2] parameter(0) r = f32[3] bitcast-convert(p)",
        "bitcast-convert: the operand's last dimension is not 4, the ratio of the widths"},
    {Q "r = f32[4,12] concatenate(q, q), dimensions={1}", "read"},
    {Q "r = f32[4,12] concatenate(q, q), dimensions={2}",
        "concatenate: dimensions names dimension 2 of rank 2"},
    {Q "r = f32[8,6] concatenate(q, p), dimensions={0}",
        "concatenate: operands 0 and 1 differ outside dimension 0: f32[4,6] and f32[4]"},
    {S "r = f32[8] pad(p, s), padding=-1_2_1", "read"},
    {S "r = f32[9] pad(p, s), padding=-1_2_1",
        "pad: the shape is f32[9], the operation returns f32[8]"},
    {S "r = f32[0] pad(p, s), padding=-5_0", "pad: dimension 0 would have the size -1"},
    {S "r = f32[8] pad(p, s), padding=0_0_-1", "pad: interior padding of dimension 0 is negative"},
    {S "r = f32[8] pad(p, s), padding=9223372036854775807_0",
        "pad: the size of dimension 0 overflows int64"},
    {P "r = f32[8] pad(p, p), padding=2_2", "pad: operand 1 is f32[4], not a scalar"},
};

static const VerifyRow reducing[] = {
    {Q "s = f32[] constant(0) r = f32[6] reduce(q, s), dimensions={0}, to_apply=add", "read"},
    {Q "s = f32[] constant(0) r = f32[4] reduce(q, s), dimensions={0}, to_apply=add",
        "reduce: the shape is f32[4], the operation returns f32[6]"},
    {Q "s = f32[] constant(0) r = f32[6] reduce(q, s), dimensions={2}, to_apply=add",
        "reduce: dimensions names dimension 2 of rank 2"},
    {Q "s = f32[] constant(0) r = f32[6] reduce(q, s), dimensions={0}",
        "reduce: to_apply is missing"},
    {Q "s = f32[] constant(0) r = f32[6] reduce(q, s), dimensions={0}, to_apply=add2",
        "reduce: computation 'add2' has 4 parameters, not 2"},
    {Q "s = f32[] constant(0) r = f32[6] reduce(q, s, s), dimensions={0}, to_apply=add",
        "reduce: 3 operands: inputs and as many initial values are needed"},
    {P "i = s32[4] parameter(1) a = f32[] constant(0) b = s32[] constant(0) "
       "r = (f32[], s32[]) reduce(p, i, a, b), dimensions={0}, to_apply=add2",
        "read"},
    {S "r = f32[4] reduce-window(p, s), window={size=3 pad=1_1}, to_apply=add", "read"},
    {S "r = f32[3] reduce-window(p, s), window={size=3 stride=2 pad=0_1 lhs_dilate=2 rhs_dilate=2}, to_apply=add",
        "reduce-window: the shape is f32[3], the operation returns f32[2]"},
    {S "r = f32[4] reduce-window(p, s), window={size=3x1 pad=1_1x0_0}, to_apply=add",
        "reduce-window: the window has 2 dimensions, the operand 1"},
    {S "r = f32[4] reduce-window(p, s), window={size=0}, to_apply=add",
        "reduce-window: size, stride or dilation of window dimension 0 is not positive"},
    {S "r = f32[4] reduce-window(p, s), window={size=1 pad=-5_0}, to_apply=add",
        "reduce-window: the padding leaves window dimension 0 the size -1"},
    {S "r = f32[4] reduce-window(p, s), window={size=4611686018427387904 rhs_dilate=4}, to_apply=add",
        "reduce-window: the size of window dimension 0 overflows int64"},
    {S "q = f32[2] parameter(2) r = f32[4] select-and-scatter(p, q, s), window={size=2 stride=2}, select=less, scatter=add",
        "read"},
    {S "q = f32[3] parameter(2) r = f32[4] select-and-scatter(p, q, s), window={size=2 stride=2}, select=less, scatter=add",
        "select-and-scatter: the source is f32[3], the windows have the places f32[2]"},
    {S "r = f32[] scan(p, s), dimensions={0}, num_carries=1, to_apply=add", "read"},
    {S "r = f32[] scan(p, s), dimensions={0}, num_carries=2, to_apply=add",
        "scan: num_carries is 2 of 2 operands"},
};

static const VerifyRow contracting[] = {
    {Q "r = f32[4,4] dot(q, q), lhs_contracting_dims={1}, rhs_contracting_dims={1}", "read"},
    {Q "r = f32[4] dot(q, q), lhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_batch_dims={0}, rhs_contracting_dims={1}",
        "read"},
    {Q "r = f32[6] dot(p, q), lhs_contracting_dims={0}, rhs_contracting_dims={1}",
        "dot: lhs dimension 0 of size 4 is paired with rhs dimension 1 of size 6"},
    {Q "r = f32[6] dot(p, q), lhs_contracting_dims={0}, rhs_contracting_dims={}",
        "dot: 1 and 0 dimensions are paired"},
    {Q "r = f32[6] dot(p, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
        "dot: lhs_contracting_dims names dimension 1 of rank 1"},
    {Q "r = f32[4] dot(q, q), lhs_batch_dims={0}, lhs_contracting_dims={0}, rhs_batch_dims={0}, rhs_contracting_dims={1}",
        "dot: dimension 0 is both batch and contracting"},
    {Q "r = f32[6] dot(p, q), lhs_contracting_dims={0}, rhs_contracting_dims={0}", "read"},
    {Q "r = f32[4] dot(p, q), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
        "dot: the shape is f32[4], the operation returns f32[6]"},
    {"a = f32[11,5] parameter(0) b = f32[3,5,7] parameter(1) g = s64[3] parameter(2) "
     "r = f32[11,7] ragged-dot(a, b, g), lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}",
        "read"},
    {"a = f32[11,5] parameter(0) b = f32[3,5,7] parameter(1) g = s64[4] parameter(2) "
     "r = f32[11,7] ragged-dot(a, b, g), lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}",
        "ragged-dot: dimension 0 has the size 3 for 4 groups"},
    {"a = f32[11,5] parameter(0) b = f32[5,7] parameter(1) g = s64[3] parameter(2) "
     "r = f32[3,11,7] ragged-dot(a, b, g), lhs_contracting_dims={1}, rhs_contracting_dims={0}, lhs_ragged_dims={1}",
        "read"},
    {"a = f8e4m3fn[2,8] parameter(0) b = f8e4m3fn[3,8] parameter(1) c = f8e8m0fnu[2,3] parameter(2) d = f8e8m0fnu[3,2] parameter(3) "
     "r = f32[2,3] scaled-dot(a, b, c, d), lhs_contracting_dims={1}, rhs_contracting_dims={1}",
        "scaled-dot: dimension 1 of size 8 is not 3 equal blocks"},
    {"a = f32[2,5,6,4] parameter(0) k = f32[3,3,2,6] parameter(1) "
     "r = f32[2,3,4,6] convolution(a, k), window={size=3x3}, dim_labels=b01f_01io->b01f, feature_group_count=2",
        "read"},
    {"a = f32[2,5,6,4] parameter(0) k = f32[3,3,2,6] parameter(1) "
     "r = f32[2,3,4,6] convolution(a, k), window={size=3x3}, dim_labels=b01f_01io->b01f",
        "convolution: 4 input features in 1 groups, and 2 in the kernel"},
    {"a = f32[2,5,6,4] parameter(0) k = f32[3,3,4,6] parameter(1) "
     "r = f32[1,3,4,6] convolution(a, k), window={size=3x3}, dim_labels=b01f_01io->b01f, batch_group_count=2",
        "read"},
    {"a = f32[2,5,6,4] parameter(0) k = f32[3,3,4,6] parameter(1) "
     "r = f32[2,3,4,6] convolution(a, k), window={size=3x2}, dim_labels=b01f_01io->b01f",
        "convolution: window dimension 1 has the size 2, the kernel 3"},
    {"a = f32[2,5,6,4] parameter(0) k = f32[3,4,6] parameter(1) "
     "r = f32[2,3,4,6] convolution(a, k), window={size=3x2}, dim_labels=b01f_01io->b01f",
        "convolution: an array of rank 3 has labels for 4 dimensions"},
    {"a = f32[1,4,9] parameter(0) k = f32[6,4,3] parameter(1) r = f32[1,6,7] convolution(a, k), "
     "window={size=3 rhs_reversal=2}, dim_labels=bf0_oi0->bf0",
        "the window's rhs_reversal is 2, not 0 or 1"},
    {"a = f32[2,4] parameter(0) k = f32[4,6] parameter(1) r = f32[2,6] convolution(a, k), dim_labels=bf_io->bf",
        "read"},
};

static const VerifyRow dynamic[] = {
    {Q IX "r = f32[2,3] dynamic-slice(q, x, x), dynamic_slice_sizes={2,3}", "read"},
    {Q IX "r = f32[2,7] dynamic-slice(q, x, x), dynamic_slice_sizes={2,7}",
        "dynamic-slice: slice size 7 of dimension 1 is not in [0, 6]"},
    {Q IX "r = f32[2,3] dynamic-slice(q, x), dynamic_slice_sizes={2,3}",
        "dynamic-slice: 1 index for 2 dimensions"},
    {P "v = s32[2] parameter(1) r = f32[2] dynamic-slice(p, v), dynamic_slice_sizes={2}",
        "dynamic-slice: operand 1 is s32[2], not a scalar"},
    {P "v = s32[1] parameter(1) r = f32[2] dynamic-slice(p, v), dynamic_slice_sizes={2}", "read"},
    {P "b = pred[] parameter(1) r = f32[2] dynamic-slice(p, b), dynamic_slice_sizes={2}",
        "dynamic-slice: index 0 has element type pred"},
    {P "b = pred[5,1] parameter(1) r = f32[5] gather(p, b), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, "
       "index_vector_dim=1, slice_sizes={1}",
        "gather: the indices have element type pred"},
    {S "r = f32[2] dynamic-slice(p, s), dynamic_slice_sizes={2}",
        "dynamic-slice: index 0 has element type f32"},
    {Q IX "u = f32[2,6] parameter(3) r = f32[4,6] dynamic-update-slice(q, u, x, x)", "read"},
    {Q IX "u = f32[5,6] parameter(3) r = f32[4,6] dynamic-update-slice(q, u, x, x)",
        "dynamic-update-slice: the update's size 5 of dimension 0 is past the operand's size 4"},
    {I "r = f32[3,5,4] gather(p, i), offset_dims={0,2}, collapsed_slice_dims={}, start_index_map={1,0}, "
       "index_vector_dim=1, slice_sizes={3,4}",
        "read"},
    {I "r = f32[5,4] gather(p, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={1,0}, "
       "index_vector_dim=1, slice_sizes={1,4}",
        "read"},
    {I "r = f32[5,4] gather(p, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={1,0}, "
       "index_vector_dim=1, slice_sizes={2,4}",
        "gather: dimension 0 is left out, and its slice size is 2"},
    {I "r = f32[5,4] gather(p, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={1}, "
       "index_vector_dim=1, slice_sizes={1,4}",
        "gather: start_index_map has 1 entry, an index vector 2"},
    {I "r = f32[3,5,4] gather(p, i), offset_dims={2,0}, collapsed_slice_dims={}, start_index_map={1,0}, "
       "index_vector_dim=1, slice_sizes={3,4}",
        "gather: offset_dims is not in increasing order"},
    {I "r = f32[3,5,4] gather(p, i), offset_dims={0,2}, collapsed_slice_dims={}, start_index_map={1,0}, "
       "index_vector_dim=1, slice_sizes={3,10}",
        "gather: slice size 10 of dimension 1 is not in [0, 9]"},
    {I "r = f32[3,5,4] gather(p, i), offset_dims={0,2}, collapsed_slice_dims={}, start_index_map={1,0}, "
       "index_vector_dim=3, slice_sizes={3,4}",
        "gather: index_vector_dim 3 is not in [0, 2]"},
    {"p = f32[5,9] parameter(0) i = s32[5,2] parameter(1) r = f32[5,2,4] gather(p, i), offset_dims={2}, "
     "collapsed_slice_dims={}, start_index_map={1}, operand_batching_dims={0}, start_indices_batching_dims={0}, "
     "index_vector_dim=2, slice_sizes={1,4}",
        "read"},
    {"p = f32[8,9] parameter(0) i = s32[5,2] parameter(1) r = f32[5,2,4] gather(p, i), offset_dims={2}, "
     "collapsed_slice_dims={}, start_index_map={1}, operand_batching_dims={0}, start_indices_batching_dims={0}, "
     "index_vector_dim=2, slice_sizes={1,4}",
        "gather: batching dimensions of the sizes 8 and 5"},
    {I "u = f32[5,4] parameter(2) r = f32[8,9] scatter(p, i, u), update_window_dims={1}, inserted_window_dims={0}, "
       "scatter_dims_to_operand_dims={0,1}, index_vector_dim=1, to_apply=add",
        "read"},
    {I "u = f32[6,4] parameter(2) r = f32[8,9] scatter(p, i, u), update_window_dims={1}, inserted_window_dims={0}, "
       "scatter_dims_to_operand_dims={0,1}, index_vector_dim=1, to_apply=add",
        "scatter: dimension 0 of the updates has the size 6, the indices have 5"},
    {I "u = f32[5,10] parameter(2) r = f32[8,9] scatter(p, i, u), update_window_dims={1}, inserted_window_dims={0}, "
       "scatter_dims_to_operand_dims={0,1}, index_vector_dim=1, to_apply=add",
        "scatter: dimension 1 of the updates has the size 10, past the operand's 9"},
    {I "r = f32[8,9] scatter(p, i, p, p), update_window_dims={1}, inserted_window_dims={0}, "
       "scatter_dims_to_operand_dims={0,1}, index_vector_dim=1, to_apply=add",
        "scatter: 4 operands: arrays, indices and as many updates are needed"},
};

static const VerifyRow ordering[] = {
    {P "r = f32[4] sort(p), dimensions={0}, to_apply=less", "read"},
    {P "r = f32[4] sort(p), dimensions={0}, to_apply=add",
        "sort: computation 'add' returns f32[], not pred[]"},
    {P "r = (f32[4], s32[4]) topk(p), k=4", "read"},
    {P "r = (f32[5], s32[5]) topk(p), k=5", "topk: k 5 is not in [0, 4]"},
    {"p = f32[2,3,3] parameter(0) r = f32[2,3,3] cholesky(p), lower=true", "read"},
    {Q "r = f32[4,6] cholesky(q)",
        "cholesky: operand 0 is f32[4,6], not a batch of square matrices"},
    {"a = f32[4,4] parameter(0) b = f32[4,6] parameter(1) r = f32[4,6] triangular-solve(a, b), left_side=true",
        "read"},
    {"a = f32[4,4] parameter(0) b = f32[4,6] parameter(1) r = f32[4,6] triangular-solve(a, b)",
        "triangular-solve: operands f32[4,4] and f32[4,6] do not fit"},
    {Q "r = c64[4,4] fft(q), fft_type=RFFT, fft_length={6}", "read"},
    {Q "r = c64[4,4] fft(q), fft_type=RFFT, fft_length={5}",
        "fft: length 5 at place 0 does not fit the operand's size 6"},
    {"p = c64[4,4] parameter(0) r = f32[4,6] fft(p), fft_type=IRFFT, fft_length={6}", "read"},
};

static const VerifyRow calling[] = {
    {P "t = (f32[4]) tuple(p) r = f32[4] get-tuple-element(t), index=0", "read"},
    {P "t = (f32[4]) tuple(p) r = f32[4] get-tuple-element(t), index=1",
        "get-tuple-element: index 1 of a tuple with 1 element"},
    {P "r = f32[4] get-tuple-element(p), index=0",
        "get-tuple-element: operand 0 is f32[4], not a tuple"},
    {P "r = (f32[4], f32[4]) tuple(p)",
        "tuple: the shape is (f32[4], f32[4]), the operation returns (f32[4])"},
    {P "r = f32[4] fusion(p), kind=kLoop, calls=id", "read"},
    {Q "r = f32[4] fusion(q), kind=kLoop, calls=id",
        "fusion: operand 0 is f32[4,6], parameter 0 of 'id' is f32[4]"},
    {P "r = f32[4] fusion(p, p), kind=kLoop, calls=id",
        "fusion: computation 'id' has 1 parameter for 2 operands"},
    {P "r = f32[5] fusion(p), kind=kLoop, calls=id",
        "fusion: the shape is f32[5], the operation returns f32[4]"},
    {P "r = f32[4] call(p)", "call: calls is missing"},
    {P "r = f32[4] while(p), condition=yes, body=id", "read"},
    {P "r = f32[4] while(p), condition=id, body=id",
        "while: the condition returns f32[4], not pred[]"},
    {P "r = f32[4] while(p), condition=yes, body=yes", "while: the body returns pred[] for f32[4]"},
    {P "x = s32[] parameter(1) r = f32[4] conditional(x, p, p), branch_computations={id, id}",
        "read"},
    {P "x = s32[] parameter(1) r = f32[4] conditional(x, p, p), branch_computations={id}",
        "conditional: 1 branches for 3 operands"},
    {P "x = s32[] parameter(1) r = f32[4] conditional(x, p, p), branch_computations={id, yes}",
        "conditional: branches 0 and 1 return f32[4] and pred[]"},
    {P "s = ((f32[4]), f32[4]) async-start(p), calls=id r = f32[4] async-done(s)", "read"},
    {P "r = ((f32[4]), f32[5]) async-start(p), calls=id",
        "async-start: the shape is not ((operands), result, ...) of 'id'"},
    {P "s = (f32[4], f32[4], u32[]) copy-start(p) r = f32[4] copy-done(s)", "read"},
    {P "r = (f32[4], f32[5], u32[]) copy-start(p)",
        "copy-start: the shape is not (destination, source, context) for f32[4]"},
    {P "r = token[] after-all(p)", "read"},
    {P "t = (f32[4], f32[4]) tuple(p, p) k = token[] after-all(p, t) r = token[] after-all(k, p)",
        "read"},
};

static const VerifyRow collective[] = {
    {P "r = f32[8] all-gather(p), dimensions={0}, replica_groups={{0,1}}", "read"},
    {P "r = f32[12] all-gather(p), dimensions={0}, replica_groups={{0,1}}",
        "all-gather: f32[12] is not f32[4] with dimension 0 multiplied by the group size 2"},
    {P "r = f32[12] all-gather(p), dimensions={0}, replica_groups={}", "read"},
    {P "r = f32[8] all-gather(p), dimensions={0}, replica_groups={{0,1},{2}}",
        "all-gather: the groups have 2 and 1 members"},
    {P "r = f32[2] reduce-scatter(p), dimensions={0}, replica_groups={{0,1}}, to_apply=add",
        "read"},
    {P "r = f32[3] reduce-scatter(p), dimensions={0}, replica_groups={{0,1}}, to_apply=add",
        "reduce-scatter: f32[4] is not f32[3] with dimension 0 multiplied by the group size 2"},
    {P "r = f32[4] all-to-all(p), dimensions={0}, replica_groups={{0,1,2}}",
        "all-to-all: dimension 0 of size 4 in groups of 3"},
    {P "r = (f32[4], f32[4]) all-to-all(p, p), replica_groups={{0,1}}", "read"},
    {P "q = f32[5] parameter(1) r = (f32[4], f32[5]) all-to-all(p, q), replica_groups={{0,1}}",
        "all-to-all: operands 0 and 1 differ in size: f32[4] and f32[5]"},
    {P "q = s32[4] parameter(1) r = (f32[4], s32[4]) all-to-all(p, q), replica_groups={{0,1}}",
        "all-to-all: operands 0 and 1 differ in element type: f32 and s32"},
    {P "r = (f32[4], f32[4]) all-to-all(p, p), replica_groups={{0,1,2}}",
        "all-to-all: 2 operands in groups of 3"},
    {P "r = f32[4] all-to-all(p), replica_groups={{0}}",
        "all-to-all: the shape is f32[4], the operation returns (f32[4])"},
    {P "r = (f32[4], f32[4]) all-to-all(p, p), replica_groups={{0,1}}, dimensions={0}",
        "all-to-all: 2 operands, not 1, along a dimension"},
    {P "q = (f32[4]) parameter(1) r = (f32[4]) all-reduce(q), to_apply=add",
        "all-reduce: operand 0 is (f32[4]), not an array"},
    {P "q = (f32[4]) parameter(1) r = (f32[4]) collective-broadcast(q), replica_groups={{0,1}}",
        "collective-broadcast: operand 0 is (f32[4]), not an array"},
    {P "q = (f32[4]) parameter(1) r = ((f32[4]), (f32[4])) collective-permute-start(q), source_target_pairs={{0,1}}",
        "collective-permute-start: operand 0 is (f32[4]), not an array"},
    {P "q = (f32[4]) parameter(1) r = ((f32[4]), (f32[4])) collective-permute(p, q), source_target_pairs={{0,1}}",
        "collective-permute: operand 1 is (f32[4]), not an array"},
    {P "r = f32[4] collective-permute(p, p), source_target_pairs={{0,1}}",
        "collective-permute: 2 operands, not 1, or 4 for slices"},
    {P "i = s32[] parameter(1) r = f32[4] collective-permute(p, p, i, i), source_target_pairs={{0,1}}, slice_sizes={{2}}",
        "read"},
    {P "i = s32[] parameter(1) r = f32[5] collective-permute(p, p, i, i), source_target_pairs={{0,1}}, slice_sizes={{2}}",
        "collective-permute: the shape is f32[5], the operation returns f32[4]"},
    {P "s = (f32[4], f32[8], u32[]) all-gather-start(p), dimensions={0}",
        "all-gather-start: the shape is not (operands, result, ...)"},
    {P "r = f32[5] all-reduce(p), to_apply=add",
        "all-reduce: the shape is f32[5], the operation returns f32[4]"},
    {P "r = () all-reduce(), to_apply=add", "read"},
    {P "r = f32[4] all-reduce()", "all-reduce: the shape is f32[4], the operation returns ()"},
    {P "s = (f32[4], f32[8]) all-gather-start(p), dimensions={0} r = f32[8] all-gather-done(s)",
        "read"},
    {P "s = (f32[4], f32[4], u32[]) collective-permute-start(p), source_target_pairs={{0,1}} r = f32[4] collective-permute-done(s)",
        "read"},
    {P "r = f32[5] collective-permute(p), source_target_pairs={{0,1}}",
        "collective-permute: the shape is f32[5], the operation returns f32[4]"},
};

static void check_rows(const VerifyRow *rows, size_t count) {
  for (size_t i = 0; i < count; i++) {
    Arena *arena = arena_create();
    Error error = {};
    const Module *module = module_of(arena, with_callees(arena, rows[i].instructions), &error);
    if (module == nullptr) assert_true(error.line >= 7);
    assert_string_equal(module == nullptr ? error.message : "read", rows[i].message);
    arena_destroy(arena);
  }
}

#define ROWS_TEST(name) \
  static void name##_rows(void **state) { \
    (void)state; \
    check_rows(name, sizeof name / sizeof *name); \
  }
ROWS_TEST(elementwise)
ROWS_TEST(rearranging)
ROWS_TEST(reducing)
ROWS_TEST(contracting)
ROWS_TEST(dynamic)
ROWS_TEST(ordering)
ROWS_TEST(calling)
ROWS_TEST(collective)

/* The same rules infer a shape that the text omits. */
static void a_shape_left_out_is_inferred(void **state) {
  (void)state;
  static const VerifyRow rows[] = {
      {Q "r = transpose(q), dimensions={1,0}", "f32[6,4]{0,1}"},
      {L "r = transpose(t), dimensions={1,0}", "f32[6,4]{1,0:T(2)}"},
      {"t = f32[2,3,4]{0,2,1} parameter(0) r = transpose(t), dimensions={2,0,1}",
          "f32[4,2,3]{1,0,2}"},
      {L "r = negate(t)", "f32[4,6]{0,1:T(2)}"},
      {L "r = copy(t)", "f32[4,6]{0,1:T(2)}"},
      {L "u = f32[4,6]{1,0} parameter(1) r = multiply(t, u)", "f32[4,6]{0,1:T(2)}"},
      {L "u = f32[4,6] parameter(1) r = multiply(u, t)", "f32[4,6]"},
      {L "r = compare(t, t), direction=EQ", "pred[4,6]{0,1:T(2)}"},
      {L "c = pred[4,6] parameter(1) r = select(c, t, t)", "f32[4,6]{0,1:T(2)}"},
      {L "c = f32[] parameter(1) r = clamp(c, t, c)", "f32[4,6]{0,1:T(2)}"},
      {L "r = complex(t, t)", "c64[4,6]{0,1:T(2)}"},
      {L "r = map(t, t), to_apply=add", "f32[4,6]"},
      {L "r = reverse(t), dimensions={0}", "f32[4,6]{0,1:T(2)}"},
      {L "r = slice(t), slice={[0:2], [0:6]}", "f32[2,6]"},
      {L "r = fft(t), fft_type=RFFT, fft_length={6}", "c64[4,4]{0,1:T(2)}"},
      {"t = s4[4,6]{0,1:T(2)E(4)S(1)} parameter(0) r = negate(t)", "s4[4,6]{0,1:T(2)E(4)S(1)}"},
      {"t = s4[4,6]{0,1:T(2)E(4)S(1)} parameter(0) r = compare(t, t), direction=EQ",
          "pred[4,6]{0,1:T(2)S(1)}"},
      {"t = s4[4,6]{0,1:E(4)} parameter(0) r = compare(t, t), direction=EQ", "pred[4,6]{0,1}"},
      {Q "r = compare(q, q), direction=EQ", "pred[4,6]"},
      {Q "r = dot(p, q), lhs_contracting_dims={0}, rhs_contracting_dims={0}", "f32[6]"},
      {S "r = pad(p, s), padding=1_2", "f32[7]"},
      {S "r = reduce(p, s), dimensions={0}, to_apply=add", "f32[]"},
      {P "r = tuple(p, p)", "(f32[4], f32[4])"},
      {P "r = while(p), condition=yes, body=id", "f32[4]"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *arena = arena_create();
    Error error = {};
    const Module *module = module_of(arena, with_callees(arena, rows[i].instructions), &error);
    if (module == nullptr) error_print(&error, stderr);
    assert_non_null(module);
    Text text = text_create(arena);
    shape_print(&text, module->entry->root->shape);
    assert_string_equal(text.bytes, rows[i].message);
    arena_destroy(arena);
  }
}

/* Graphs that no text can express: one fault seeded in a parsed module. */
typedef void BreakModule(Module *module);
static Instruction *instruction_at(Module *module, uint32_t i) {
  return module->entry->instructions[i];
}
static void operand_missing(Module *module) { instruction_at(module, 2)->operands[0] = nullptr; }
static void operand_below(Module *module) {
  instruction_at(module, 1)->operands[0] = instruction_at(module, 2);
}
static void operand_elsewhere(Module *module) {
  instruction_at(module, 2)->operands[0] = module->computations[0]->instructions[0];
}
static void callee_missing(Module *module) { instruction_at(module, 1)->called[0] = nullptr; }
static void callee_is_caller(Module *module) {
  instruction_at(module, 1)->called[0] = module->entry;
}
static void root_missing(Module *module) { module->entry->root = nullptr; }
static void root_elsewhere(Module *module) { module->entry->root = module->computations[0]->root; }
static void wrong_id(Module *module) { instruction_at(module, 1)->id = 2; }
static void wrong_number(Module *module) { instruction_at(module, 0)->number = 1; }
static void same_name(Module *module) { module->entry->name = module->computations[0]->name; }
static void entry_missing(Module *module) { module->entry = nullptr; }
static void shape_missing(Module *module) { instruction_at(module, 2)->shape = nullptr; }
static void wrong_layout(Module *module) {
  static uint32_t order[] = {1};
  static Shape shape;
  shape = *instruction_at(module, 2)->shape;
  shape.has_layout = true;
  shape.minor_to_major = order;
  instruction_at(module, 2)->shape = &shape;
}
static void numbers_missing(Module *module) { instruction_at(module, 3)->dot = nullptr; }

static void faults_in_a_built_graph_are_found(void **state) {
  (void)state;
  static const struct {
    BreakModule *fault;
    const char *message;
  } rows[] = {
      {operand_missing, "negate: operand 0 is not defined above in the same computation"},
      {operand_below, "call: operand 0 is not defined above in the same computation"},
      {operand_elsewhere, "negate: operand 0 is not defined above in the same computation"},
      {callee_missing, "call: called computation 0 is not defined before this one"},
      {callee_is_caller, "call: called computation 0 is not defined before this one"},
      {root_missing, "computation 'e' has no root"},
      {root_elsewhere, "computation 'e' has no root"},
      {wrong_id, "call: its place is wrong"},
      {wrong_number, "parameter: number 1 is not this parameter's"},
      {same_name, "two computations are named 'f'"},
      {entry_missing, "the entry is not one of the module's computations"},
      {shape_missing, "negate: the shape is missing"},
      {wrong_layout, "negate: the layout is not a permutation"},
      {numbers_missing, "dot: the dimension numbers are missing"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *arena = arena_create();
    Error error = {};
    const Module *read = module_of(arena,
        "f { ROOT p = f32[4] parameter(0) } ENTRY e { p = f32[4] parameter(0) "
        "c = f32[4] call(p), to_apply=f n = f32[4] negate(c) ROOT d = f32[4,4] dot(n, n) }",
        &error);
    assert_non_null(read);
    Module module = *read;
    assert_true(hlo_verify(arena, &module, &error));
    rows[i].fault(&module);
    assert_false(hlo_verify(arena, &module, &error));
    assert_string_equal(error.message, rows[i].message);
    arena_destroy(arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elementwise_rows),
      cmocka_unit_test(rearranging_rows),
      cmocka_unit_test(reducing_rows),
      cmocka_unit_test(contracting_rows),
      cmocka_unit_test(dynamic_rows),
      cmocka_unit_test(ordering_rows),
      cmocka_unit_test(calling_rows),
      cmocka_unit_test(collective_rows),
      cmocka_unit_test(a_shape_left_out_is_inferred),
      cmocka_unit_test(faults_in_a_built_graph_are_found),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
