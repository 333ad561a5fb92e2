/* Decides whether a law holds for all values of a type: both sides are terms of bit vectors or
 * floats, and the solver decides whether they may differ. Integer division rounds towards zero, and
 * a division by zero has all bits set, and a remainder by zero is the dividend. A shift by the
 * width or more leaves no bit of the value. A maximum with a NaN is a NaN. Two NaNs are equal, and
 * so are the two zeros, except at grade exact. The theory has no NaN payloads, so a law of floats
 * is never proved exact. */
#include "smt/values/values.h"

typedef struct LawProof {
  Z3Session session;
  Z3_context z3;
  Z3_sort sort;
  uint32_t bits;
  bool is_signed, is_float, is_missing; /* is_missing: an operation has no term */
  Z3_ast letters[4];
} LawProof;

static Z3_ast maximum_of(const LawProof *proof, bool is_least, const Z3_ast *of) {
  Z3_context z3 = proof->z3;
  Z3_ast low = is_least ? of[0] : of[1], high = is_least ? of[1] : of[0];
  if (!proof->is_float)
    return Z3_mk_ite(z3, proof->is_signed ? Z3_mk_bvslt(z3, low, high) : Z3_mk_bvult(z3, low, high),
        of[0], of[1]);
  Z3_ast nan[] = {Z3_mk_fpa_is_nan(z3, of[0]), Z3_mk_fpa_is_nan(z3, of[1])};
  return Z3_mk_ite(z3, Z3_mk_or(z3, 2, nan), Z3_mk_fpa_nan(z3, proof->sort),
      Z3_mk_ite(z3, Z3_mk_fpa_lt(z3, low, high), of[0], of[1]));
}

static Z3_ast float_operation(LawProof *proof, Opcode opcode, const Z3_ast *of) {
  Z3_context z3 = proof->z3;
  Z3_ast nearest = Z3_mk_fpa_rne(z3);
  if (opcode == HLO_ADD) return Z3_mk_fpa_add(z3, nearest, of[0], of[1]);
  if (opcode == HLO_SUBTRACT) return Z3_mk_fpa_sub(z3, nearest, of[0], of[1]);
  if (opcode == HLO_MULTIPLY) return Z3_mk_fpa_mul(z3, nearest, of[0], of[1]);
  if (opcode == HLO_DIVIDE) return Z3_mk_fpa_div(z3, nearest, of[0], of[1]);
  if (opcode == HLO_NEGATE) return Z3_mk_fpa_neg(z3, of[0]);
  if (opcode == HLO_ABS) return Z3_mk_fpa_abs(z3, of[0]);
  proof->is_missing = true;
  return of[0];
}

static Z3_ast quotient(const LawProof *proof, const Z3_ast *of) {
  Z3_context z3 = proof->z3;
  Z3_ast ones = Z3_mk_bvnot(z3, Z3_mk_int(z3, 0, proof->sort)),
         whole = proof->is_signed ? Z3_mk_bvsdiv(z3, of[0], of[1]) : Z3_mk_bvudiv(z3, of[0], of[1]);
  return Z3_mk_ite(z3, Z3_mk_eq(z3, of[1], Z3_mk_int(z3, 0, proof->sort)), ones, whole);
}

/* An unsigned number is its own size, and so is the least signed one. */
static Z3_ast size_of(const LawProof *proof, Z3_ast of) {
  Z3_context z3 = proof->z3;
  return proof->is_signed ? Z3_mk_ite(z3, Z3_mk_bvslt(z3, of, Z3_mk_int(z3, 0, proof->sort)),
                                Z3_mk_bvneg(z3, of), of)
                          : of;
}

static Z3_ast integer_operation(LawProof *proof, Opcode opcode, const Z3_ast *of) {
  Z3_context z3 = proof->z3;
  bool is_number = proof->bits > 1;
  if (opcode == HLO_AND) return Z3_mk_bvand(z3, of[0], of[1]);
  if (opcode == HLO_OR) return Z3_mk_bvor(z3, of[0], of[1]);
  if (opcode == HLO_XOR) return Z3_mk_bvxor(z3, of[0], of[1]);
  if (opcode == HLO_NOT) return Z3_mk_bvnot(z3, of[0]);
  if (is_number && opcode == HLO_ADD) return Z3_mk_bvadd(z3, of[0], of[1]);
  if (is_number && opcode == HLO_SUBTRACT) return Z3_mk_bvsub(z3, of[0], of[1]);
  if (is_number && opcode == HLO_MULTIPLY) return Z3_mk_bvmul(z3, of[0], of[1]);
  if (is_number && opcode == HLO_NEGATE) return Z3_mk_bvneg(z3, of[0]);
  if (is_number && opcode == HLO_DIVIDE) return quotient(proof, of);
  if (is_number && opcode == HLO_ABS) return size_of(proof, of[0]);
  if (is_number && opcode == HLO_REMAINDER)
    return proof->is_signed ? Z3_mk_bvsrem(z3, of[0], of[1]) : Z3_mk_bvurem(z3, of[0], of[1]);
  if (is_number && opcode == HLO_SHIFT_LEFT) return Z3_mk_bvshl(z3, of[0], of[1]);
  if (is_number && opcode == HLO_SHIFT_RIGHT_LOGICAL) return Z3_mk_bvlshr(z3, of[0], of[1]);
  if (is_number && opcode == HLO_SHIFT_RIGHT_ARITHMETIC) return Z3_mk_bvashr(z3, of[0], of[1]);
  proof->is_missing = true;
  return of[0];
}

/* All operations with a term have two operands, but for three. */
static bool has_its_operands(const LawTree *tree) {
  bool is_unary = tree->opcode == HLO_NOT || tree->opcode == HLO_NEGATE || tree->opcode == HLO_ABS;
  return tree->count == (is_unary ? 1 : 2);
}

static Z3_ast law_side(LawProof *proof, const LawTree *tree) {
  Z3_ast of[2] = {};
  if (tree->kind == LAW_TREE_VARIABLE) return proof->letters[tree->variable];
  if (tree->is_minus_zero && proof->is_float) return Z3_mk_fpa_zero(proof->z3, proof->sort, true);
  if (tree->kind == LAW_TREE_CONSTANT)
    return proof->is_float
               ? Z3_mk_fpa_numeral_double(proof->z3, (double)tree->constant, proof->sort)
               : Z3_mk_int64(proof->z3, (int64_t)tree->constant, proof->sort);
  if (!has_its_operands(tree)) {
    proof->is_missing = true;
    return proof->letters[0];
  }
  for (uint32_t i = 0; i < tree->count; i++) of[i] = law_side(proof, tree->operands[i]);
  if (tree->opcode == HLO_MAXIMUM || tree->opcode == HLO_MINIMUM)
    return maximum_of(proof, tree->opcode == HLO_MINIMUM, of);
  return proof->is_float ? float_operation(proof, tree->opcode, of)
                         : integer_operation(proof, tree->opcode, of);
}

static Z3_ast sides_same(const LawProof *proof, Z3_ast left, Z3_ast right, LawGrade grade) {
  Z3_context z3 = proof->z3;
  if (!proof->is_float) return Z3_mk_eq(z3, left, right);
  Z3_ast nan[] = {Z3_mk_fpa_is_nan(z3, left), Z3_mk_fpa_is_nan(z3, right)};
  Z3_ast either[] = {Z3_mk_and(z3, 2, nan),
      grade == LAW_EXACT ? Z3_mk_eq(z3, left, right) : Z3_mk_fpa_eq(z3, left, right)};
  return Z3_mk_or(z3, 2, either);
}

static VerdictStatus law_proved(const ValueLaw *law, LawProof *proof) {
  static const char *const names[] = {"w", "x", "y", "z"};
  Z3_context z3 = proof->z3 = proof->session.z3;
  proof->sort = proof->is_float ? Z3_mk_fpa_sort_16(z3) : Z3_mk_bv_sort(z3, proof->bits);
  for (uint32_t i = 0; i < 4; i++)
    proof->letters[i] = Z3_mk_const(z3, Z3_mk_string_symbol(z3, names[i]), proof->sort);
  Z3_ast left = law_side(proof, law->left), right = law_side(proof, law->right);
  if (proof->is_missing || z3_failed(&proof->session)) return VERDICT_UNKNOWN;
  Z3_ast same = sides_same(proof, left, right, law->grade);
  Z3_solver_assert(z3, proof->session.solver, Z3_mk_not(z3, same));
  Z3_lbool answer = watched_check(z3, proof->session.solver, proof->session.stop);
  if (z3_failed(&proof->session) || answer == Z3_L_UNDEF) return VERDICT_UNKNOWN;
  return answer == Z3_L_FALSE ? VERDICT_PROVED : VERDICT_REFUTED;
}

static const char *refutation(Arena *arena, const LawProof *proof) {
  Z3_model model = Z3_solver_get_model(proof->z3, proof->session.solver);
  return model == nullptr ? "" : arena_printf(arena, "%s", Z3_model_to_string(proof->z3, model));
}

VerdictStatus smt_law(
    Arena *arena, const char *line, uint64_t rlimit, bool (*stop)(void), const char **why) {
  static constexpr struct {
    LawClass types;
    uint32_t bits;
    bool is_signed;
  } rows[] = {{LAW_CLASS_PRED, 1, false}, {LAW_CLASS_INTEGRAL, 32, true},
      {LAW_CLASS_INTEGRAL, 32, false}, {LAW_CLASS_INTEGRAL, 64, true},
      {LAW_CLASS_INTEGRAL, 64, false}, {LAW_CLASS_FLOATING, 16, true}};
  ValueLaw law;
  *why = "no law that has terms here";
  bool is_law = law_line(arena, line, &law);
  VerdictStatus status = VERDICT_UNKNOWN;
  if (!is_law || law.grade == LAW_FAST) return status;
  for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (rows[i].types != law.types) continue;
    LawProof proof = {.bits = rows[i].bits,
        .is_signed = rows[i].is_signed,
        .is_float = law.types == LAW_CLASS_FLOATING,
        .session = z3_open(law.types == LAW_CLASS_FLOATING ? "QF_FP" : "QF_BV", rlimit, 0)};
    proof.session.stop = stop;
    status = law_proved(&law, &proof);
    if (status == VERDICT_REFUTED) *why = refutation(arena, &proof);
    if (status == VERDICT_UNKNOWN) *why = proof.is_missing ? "an operation without a term" : "open";
    z3_close(&proof.session);
    if (status != VERDICT_PROVED) return status;
  }
  bool is_payload = law.types == LAW_CLASS_FLOATING && law.grade == LAW_EXACT;
  return is_payload ? VERDICT_UNKNOWN : status;
}
