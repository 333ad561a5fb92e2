/* Test support: pairs of operations that differ in one attribute, and whether their values are the
 * same for all operands. Include it after cmocka.h. */
#ifndef CORE_HLO_TEST_ATTRIBUTE_ROWS_H
#define CORE_HLO_TEST_ATTRIBUTE_ROWS_H

#include "core/base/text.h"

typedef struct AttributeCase {
  const char *operation; /* without the attribute that differs */
  const char *one, *other;
  bool is_same;
} AttributeCase;

#define LESS \
  "lt { a = f32[] parameter(0) b = f32[] parameter(1) " \
  "ROOT c = pred[] compare(a, b), direction=LT }\n"

static const AttributeCase attribute_cases[] = {
    {"f32[3,3] cholesky(p)", ", lower=true", ", lower=true", true},
    {"f32[3,3] cholesky(p)", ", lower=true", ", lower=false", false},
    {"f32[3,3] cholesky(p)", ", lower=true", ", lower=true, metadata={op_name=\"x\"}", true},
    {"f32[3,3] cholesky(p)", ", lower=true", ", lower=true, backend_config=\"x\"", true},
    {"f32[3,3] cholesky(p)", ", lower=true", ", lower=true, sharding={replicated}", true},
    {"f32[3,3] cholesky(p)", ", lower=true", ", lower=true, frontend_attributes={a=\"b\"}", true},
    {"f32[3,3] triangular-solve(p, q), transpose_a=NO_TRANSPOSE, lower=true, left_side=true",
        ", unit_diagonal=true", ", unit_diagonal=false", false},
    {"f32[3,3] triangular-solve(p, q), transpose_a=NO_TRANSPOSE, lower=true, unit_diagonal=true",
        ", left_side=true", ", left_side=false", false},
    {"f32[3,3] triangular-solve(p, q), left_side=true, lower=true, unit_diagonal=true",
        ", transpose_a=TRANSPOSE", ", transpose_a=NO_TRANSPOSE", false},
    {"f32[3,3] sort(p), to_apply=lt", ", dimensions={0}", ", dimensions={0}, is_stable=false",
        true},
    {"f32[3,3] sort(p), to_apply=lt", ", dimensions={0}", ", dimensions={1}", false},
    {"c64[3,3] fft(z), fft_type=FFT", ", fft_length={3}", ", fft_length={3}", true},
    {"c64[3,3] fft(z), fft_length={3}", ", fft_type=FFT", ", fft_type=IFFT", false},
    {"c64[3,3] fft(z), fft_type=FFT", ", fft_length={3}", ", fft_length={3,3}", false},
    {"f32[3,3] custom-call(p)", ", custom_call_target=\"f\"", ", custom_call_target=\"f\"", true},
    {"f32[3,3] custom-call(p)", ", custom_call_target=\"f\"", ", custom_call_target=\"g\"", false},
    {"f32[3,3] custom-call(p), custom_call_target=\"f\"", ", backend_config=\"x\"",
        ", backend_config=\"y\"", false},
    {"f32[3,3] custom-call(p), custom_call_target=\"f\"", "", ", custom_call_has_side_effect=false",
        true},
    {"f32[3,3] custom-call(p), custom_call_target=\"f\"", "",
        ", output_to_operand_aliasing={{}: (0, {})}", false},
    {"f32[3,3] reduce-precision(p), exponent_bits=5", ", mantissa_bits=7", ", mantissa_bits=8",
        false},
    {"f32[3,3] reduce-precision(p), mantissa_bits=7", ", exponent_bits=5", ", exponent_bits=6",
        false},
    {"pred[3,3] compare(p, q)", ", direction=LT", ", direction=LE", false},
    {"pred[3,3] compare(p, q), direction=LT", "", ", type=FLOAT", true},
    {"pred[3,3] compare(p, q), direction=LT", "", ", type=TOTALORDER", false},
    {"pred[3] compare(i, i), direction=LT", "", ", type=SIGNED", true},
    {"pred[3] compare(u, u), direction=LT", "", ", type=UNSIGNED", true},
    {"pred[3] compare(b, b), direction=LT", "", ", type=UNSIGNED", true},
    {"f32[3,3] dot(p, q), lhs_contracting_dims={1}", ", rhs_contracting_dims={0}",
        ", rhs_contracting_dims={1}", false},
    {"f32[3,3] dot(p, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}", "",
        ", operand_precision={default,default}", true},
    {"f32[3,3] dot(p, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}", "",
        ", operand_precision={highest,default}", false},
    {"f32[3,3] all-gather(p), dimensions={0}", ", replica_groups={{0},{1}}",
        ", replica_groups={{1},{0}}", true},
    {"f32[3,3] all-reduce(p), to_apply=add", ", replica_groups={{0,1},{2,3}}",
        ", replica_groups={{2,3},{0,1}}", true},
    {"f32[3,3] all-reduce(p), to_apply=add", ", replica_groups={{0,1},{2,3}}",
        ", replica_groups={{0,2},{1,3}}", false},
    {"f32[3,3] collective-permute(p)", ", source_target_pairs={{0,1},{1,0}}",
        ", source_target_pairs={{1,0},{0,1}}", true},
    {"f32[3,3] collective-permute(p)", ", source_target_pairs={{0,1},{1,0}}",
        ", source_target_pairs={{0,1}}", false},
};

static constexpr size_t attribute_case_count = sizeof attribute_cases / sizeof *attribute_cases;

/* The module of one operation of the row. */
static const char *attribute_module(Arena *arena, const AttributeCase *row, bool is_other) {
  return arena_printf(arena,
      "HloModule m\n" LESS
      "add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }\n"
      "ENTRY e {\np = f32[3,3] parameter(0)\nq = f32[3,3] parameter(1)\nz = c64[3,3] parameter(2)\n"
      "i = s8[3] parameter(3)\nu = u8[3] parameter(4)\nb = pred[3] parameter(5)\n"
      "ROOT r = %s%s\n}\n",
      row->operation, is_other ? row->other : row->one);
}

#endif
