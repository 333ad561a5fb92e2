/* One Z3 context per obligation, so that a verdict never depends on earlier queries. Seeds are
 * fixed, and the budget is an rlimit per check, so a verdict is the same on every machine. Z3's
 * errors neither abort nor jump: z3_failed must be called before a verdict is used. It is true
 * after any failed call, since a failed push would leave assertions in later queries. An
 * out-of-memory error ends the program. */
#ifndef SMT_SOLVER_Z3_CONTEXT_H
#define SMT_SOLVER_Z3_CONTEXT_H

#include <stdint.h>
#include <z3.h>

#include "core/base/arena.h"

typedef struct Z3Session {
  Z3_context z3;
  Z3_solver solver;
  Z3_sort integers;
  bool (*stop)(void); /* of watched_check; may be null */
  uint64_t errors;    /* z3_errors when it was opened */
} Z3Session;

/* The failed calls of this thread, without checks. */
extern _Thread_local uint64_t z3_errors;

static constexpr uint64_t z3_default_rlimit = 20'000'000;

/* GIVE (one reference): parameters with which Z3 does not handle signals. Its own handler would
 * intercept Ctrl-C during a check. */
[[nodiscard]] static inline Z3_params z3_make_params(Z3_context z3) {
  Z3_params params = Z3_mk_params(z3);
  Z3_params_inc_ref(z3, params);
  Z3_params_set_bool(z3, params, Z3_mk_string_symbol(z3, "ctrl_c"), false);
  return params;
}

/* GIVE (one reference). `logic` null: Z3's simple solver, for all logics. rlimit 0: the default;
 * more than 32 bits is cut. */
[[nodiscard]] static inline Z3_solver z3_make_solver(
    Z3_context z3, const char *logic, uint64_t rlimit, uint32_t seed) {
  Z3_solver solver = logic == nullptr ? Z3_mk_simple_solver(z3)
                                      : Z3_mk_solver_for_logic(z3, Z3_mk_string_symbol(z3, logic));
  Z3_solver_inc_ref(z3, solver);
  Z3_params params = z3_make_params(z3);
  uint64_t budget = rlimit == 0 ? z3_default_rlimit : rlimit;
  Z3_params_set_uint(z3, params, Z3_mk_string_symbol(z3, "rlimit"),
      budget > UINT32_MAX ? UINT32_MAX : (uint32_t)budget);
  Z3_params_set_uint(z3, params, Z3_mk_string_symbol(z3, "random_seed"), seed);
  Z3_solver_set_params(z3, solver, params);
  Z3_params_dec_ref(z3, params);
  return solver;
}

/* Without memory Z3 returns null for every term, and accepts no null terms. So the program exits
 * here, as for any allocation failure. A check creates no terms and ends undecided instead
 * (watch.c). Other errors are counted. */
static inline void z3_note_error(Z3_context, Z3_error_code code) {
  if (code == Z3_MEMOUT_FAIL) arena_out_of_memory(0);
  z3_errors += code != Z3_OK;
}

/* Limits the memory of Z3 in this process, at the first call. */
void z3_limit_memory(void);

[[nodiscard]] static inline Z3Session z3_open(const char *logic, uint64_t rlimit, uint32_t seed) {
  z3_limit_memory();
  Z3_config config = Z3_mk_config();
  Z3_context z3 = config == nullptr ? nullptr : Z3_mk_context(config);
  if (z3 == nullptr) arena_out_of_memory(0);
  Z3_del_config(config);
  uint64_t errors = z3_errors;
  Z3_set_error_handler(z3, z3_note_error);
  return (Z3Session){.z3 = z3,
      .solver = z3_make_solver(z3, logic, rlimit, seed),
      .integers = Z3_mk_int_sort(z3),
      .errors = errors};
}

static inline void z3_close(Z3Session *session) {
  if (session->z3 == nullptr) return;
  Z3_solver_dec_ref(session->z3, session->solver);
  Z3_del_context(session->z3);
  *session = (Z3Session){};
}

[[nodiscard]] static inline bool z3_failed(const Z3Session *session) {
  return Z3_get_error_code(session->z3) != Z3_OK || z3_errors != session->errors;
}

/* Any int64 as a numeral (Z3_mk_int64 takes all of them). */
[[nodiscard]] static inline Z3_ast z3_integer(const Z3Session *session, int64_t value) {
  return Z3_mk_int64(session->z3, value, session->integers);
}

/* Resource units that the context has used since its creation. */
[[nodiscard]] static inline uint64_t z3_rlimit_used(const Z3Session *session) {
  Z3_stats stats = Z3_solver_get_statistics(session->z3, session->solver);
  if (stats == nullptr) return 0;
  Z3_stats_inc_ref(session->z3, stats);
  uint64_t used = 0;
  for (unsigned i = 0; i < Z3_stats_size(session->z3, stats); i++) {
    Z3_string key = Z3_stats_get_key(session->z3, stats, i);
    if (__builtin_strcmp(key, "rlimit count") == 0 && Z3_stats_is_uint(session->z3, stats, i))
      used = Z3_stats_get_uint_value(session->z3, stats, i);
  }
  Z3_stats_dec_ref(session->z3, stats);
  return used;
}

#endif
