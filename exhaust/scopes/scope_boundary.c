/* Ways to pass a tensor through what runs another computation (loops, branches, calls, async pairs,
 * fusions that take tuples apart and make them), what begins a transfer whose end stands in the
 * scopes of structure and collectives, batch norms, and what nothing can be known of. What is asked
 * is the last instruction. */
#include <assert.h>
#include <string.h>

#include "exhaust/scopes/scope_operation.h"

#define NEGATED(name) \
  "{\n    " name "a = X parameter(0)\n    ROOT " name "n = X negate(" name "a) }"
#define BACKWARD(name) "{\n    " name "a = X parameter(0)\n    ROOT " name "n = X copy(" name "a) }"
#define ZEROS(name) \
  "{\n    " name "a = X parameter(0)\n    " name "z = f32[] constant(0)\n    ROOT " name \
  "n = X broadcast(" name "z), dimensions={} }"
#define PAIR_OF(name) \
  "{\n    " name "a = X parameter(0)\n    " name "n = X negate(" name "a)\n    ROOT " name \
  "t = (X, X) tuple(" name "n, " name "a) }"
#define FOREVER(name, shape) \
  "{\n    " name "c = " shape " parameter(0)\n    ROOT " name "w = pred[] constant(true) }"
#define STARTED "  s = ((X), X, u32[]) async-start(V), calls=" NEGATED("f") "\n"

/* X: the tensor's shape, V: its name, P: a second parameter of the shape; each form has to leave
 * `ROOT r`. */
static const char *const boundaries[] = {
    "  ROOT r = X while(V), condition=" FOREVER("k", "X") ", body=" NEGATED("b") "\n",
    "  P\n  t = (X, X) tuple(V, p1)\n  ROOT r = (X, X) while(t), condition=" FOREVER("k",
        "(X, X)") ", body={\n    b = (X, X) parameter(0)\n"
                  "    x = X get-tuple-element(b), index=0\n    y = X get-tuple-element(b), index=1\n    ROOT w = (X, X) tuple(y, x) }\n",
    "  i = s32[] parameter(1)\n  t = (s32[], X) tuple(i, V)\n  ROOT r = (s32[], X) while(t), condition={\n    c = (s32[], X) parameter(0)\n"
    "    k = s32[] get-tuple-element(c), index=0\n    l = s32[] constant(3)\n    ROOT q = pred[] compare(k, l), direction=LT }, body={\n    b = (s32[], X) parameter(0)\n"
    "    j = s32[] get-tuple-element(b), index=0\n    o = s32[] constant(1)\n    m = s32[] add(j, o)\n    x = X get-tuple-element(b), index=1\n    ROOT w = (s32[], X) tuple(m, x) }\n",
    "  ROOT r = X call(V), to_apply={\n    a = X parameter(0)\n    ROOT w = X while(a), condition=" FOREVER(
        "k", "X") ", body=" NEGATED("b") " }\n",
    "  c = pred[] parameter(1)\n  ROOT r = X conditional(c, V, V), true_computation=" NEGATED(
        "t") ", false_computation=" BACKWARD("f") "\n",
    "  c = pred[] parameter(1)\n  d = X parameter(2)\n  ROOT r = X conditional(c, V, d), true_computation=" NEGATED(
        "t") ", false_computation=" ZEROS("f") "\n",
    "  c = s32[] parameter(1)\n  d = X parameter(2)\n  ROOT r = X conditional(c, V, d, V), branch_computations={" NEGATED(
        "t") ", " BACKWARD("f") ", " ZEROS("z") "}\n",
    "  c = pred[] parameter(1)\n  ROOT r = (X, X) conditional(c, V, V), true_computation=" PAIR_OF(
        "t") ", false_computation=" PAIR_OF("f") "\n",
    "  c = pred[] parameter(1)\n  d = X parameter(2)\n  t = (X, X) tuple(V, d)\n  ROOT r = X conditional(c, t, V), true_computation={\n    a = (X, X) parameter(0)\n"
    "    ROOT n = X get-tuple-element(a), index=1 }, false_computation=" NEGATED("f") "\n",
    "  ROOT r = X call(V), to_apply=" NEGATED("f") "\n",
    "  P\n  ROOT r = X call(V, p1), to_apply={\n    a = X parameter(0)\n    b = X parameter(1)\n    ROOT n = X negate(b) }\n",
    "  P\n  ROOT r = (X, X) call(V, p1), to_apply={\n    a = X parameter(0)\n    b = X parameter(1)\n    n = X subtract(b, a)\n    ROOT t = (X, X) tuple(b, n) }\n",
    "  ROOT r = X call(V), to_apply={\n    a = X parameter(0)\n    ROOT n = X call(a), to_apply=" NEGATED(
        "g") " }\n",
    "  ROOT r = ((X), X, u32[]) async-start(V), calls=" NEGATED("f") "\n",
    STARTED "  ROOT r = ((X), X, u32[]) async-update(s)\n",
    STARTED "  ROOT r = X async-done(s)\n",
    STARTED "  u = ((X), X, u32[]) async-update(s)\n  ROOT r = X async-done(u)\n",
    "  P\n  s = ((X, X), X, u32[]) async-start(V, p1), calls={\n    a = X parameter(0)\n    b = X parameter(1)\n    ROOT n = X negate(b) }\n  ROOT r = X async-done(s)\n",
    "  P\n  ROOT r = ((X, X), X) fusion(V, p1), kind=kLoop, calls={\n    a = X parameter(0)\n    b = X parameter(1)\n    n = X negate(a)\n    i = (X, X) tuple(b, n)\n"
    "    ROOT t = ((X, X), X) tuple(i, a) }\n",
    "  t = (X, (X, s32[])) parameter(1)\n  ROOT r = X fusion(t), kind=kLoop, calls={\n    a = (X, (X, s32[])) parameter(0)\n    i = (X, s32[]) get-tuple-element(a), index=1\n"
    "    x = X get-tuple-element(a), index=0\n    y = X get-tuple-element(i), index=0\n    ROOT s = X subtract(x, y) }\n",
    "  P\n  ROOT r = X fusion(V, p1), kind=kLoop, calls={\n    a = X parameter(0)\n    b = X parameter(1)\n    i = (X, X) fusion(b, a), kind=kLoop, calls={\n      c = X parameter(0)\n"
    "      d = X parameter(1)\n      ROOT t = (X, X) tuple(d, c) }\n    ROOT n = X get-tuple-element(i), index=1 }\n",
    "  P\n  ROOT r = (X, (X)) fusion(V, p1), kind=kLoop, calls={\n    a = X parameter(0)\n    b = X parameter(1)\n    i = (X, X) tuple(a, b)\n    j = ((X, X), X) tuple(i, a)\n"
    "    k = (X, X) get-tuple-element(j), index=0\n    l = X get-tuple-element(k), index=1\n    m = (X) tuple(l)\n    ROOT t = (X, (X)) tuple(b, m) }\n",
    "  l = f32[] parameter(1)\n  h = f32[] parameter(2)\n  ROOT r = X rng(l, h), distribution=rng_uniform\n",
    "  ROOT r = X all-reduce-start(V), replica_groups={{0,1}}, to_apply={\n    a = f32[] parameter(0)\n    b = f32[] parameter(1)\n    ROOT s = f32[] add(a, b) }\n",
    "  ROOT r = (X, X) all-gather-start(V), replica_groups={{0}}, dimensions={0}\n",
    "  ROOT r = (X, X, u32[], u32[]) collective-permute-start(V), source_target_pairs={{0,1}}\n",
};
static constexpr uint32_t boundary_count = sizeof boundaries / sizeof *boundaries;

static const char *const unknowns[] = {
    "  ROOT r = X custom-call(V), custom_call_target=\"unknown\"\n",
    "  P\n  ROOT r = (X, X) custom-call(p1, V), custom_call_target=\"pair\"\n",
    "  k = token[] after-all()\n  ROOT r = token[] outfeed(V, k)\n",
    "  k = token[] after-all()\n  ROOT r = (X, token[]) infeed(k)\n",
    "  k = token[] after-all()\n  ROOT r = (X, u32[], token[]) send(V, k), channel_id=1\n",
    "  k = token[] after-all()\n  s = (X, u32[], token[]) send(V, k), channel_id=1\n  ROOT r = token[] send-done(s), channel_id=1\n",
    "  k = token[] after-all()\n  ROOT r = (X, u32[], token[]) recv(k), channel_id=2\n",
    "  k = token[] after-all()\n  s = (X, u32[], token[]) recv(k), channel_id=2\n  ROOT r = (X, token[]) recv-done(s), channel_id=2\n",
    "  g = u64[2] parameter(1)\n  ROOT r = (u64[2], u32[3]) rng-bit-generator(g), algorithm=rng_default\n",
    "  ROOT r = s32[] get-dimension-size(V), dimensions={0}\n",
    "  n = s32[] parameter(1)\n  ROOT r = X set-dimension-size(V, n), dimensions={0}\n",
    "  n = s32[] parameter(1)\n  ROOT r = X dynamic-reshape(V, n)\n",
};
static constexpr uint32_t unknown_count = sizeof unknowns / sizeof *unknowns;

/* Forms that name dimension 0 need one, and those with an operand for each dimension exactly
 * one. */
static bool scope_boundary_fits(const char *form, const Tensor *in) {
  bool has_dimension = strstr(form, "dimensions={0}") != nullptr;
  bool has_one = strstr(form, " dynamic-reshape(") != nullptr;
  return has_one ? in->rank == 1 : !has_dimension || in->rank > 0;
}

static bool generate_form(
    OperationCase *at_hand, ScopeWriter *writer, uint32_t count, const char *const *forms) {
  const char *form = forms[choose(at_hand->choices, count)];
  at_hand->out = at_hand->in;
  if (!scope_boundary_fits(form, &at_hand->in)) return false;
  if (writer != nullptr) scope_write_filled(writer, &at_hand->in, form);
  return true;
}

bool scope_boundary(OperationCase *at_hand, ScopeWriter *writer) {
  return generate_form(at_hand, writer, boundary_count, boundaries);
}
bool scope_unknown(OperationCase *at_hand, ScopeWriter *writer) {
  return generate_form(at_hand, writer, unknown_count, unknowns);
}

/* F: the shape of the feature dimension alone. */
static const char *const norms[] = {
    "  ROOT r = (X, F, F) batch-norm-training(V, g, h)",
    "  ROOT r = X batch-norm-inference(V, g, h, m, v)",
    "  o = X parameter(1)\n  ROOT r = (X, F, F) batch-norm-grad(V, g, m, v, o)",
};
static constexpr uint32_t norm_count = sizeof norms / sizeof *norms;

bool scope_batch_norm(OperationCase *at_hand, ScopeWriter *writer) {
  const Tensor *in = &at_hand->in;
  at_hand->out = *in;
  if (in->rank == 0) return false;
  uint32_t form = (uint32_t)choose(at_hand->choices, norm_count),
           along = (uint32_t)choose(at_hand->choices, in->rank), first = form == 2 ? 2 : 1;
  if (writer == nullptr) return true;
  Tensor feature = {.rank = 1, .sizes = {in->sizes[along]}};
  static const char *const names[] = {"g", "h", "m", "v"};
  bool is_used[] = {true, form != 2, form != 0, form != 0};
  ShapeWords features = scope_shape_words("f32", &feature);
  for (uint32_t i = 0, next = first; i < 4; i++)
    if (is_used[i])
      text_printf(writer->text, "  %s = %s parameter(%u)\n", names[i], features.text, next++);
  const char *at = norms[form];
  for (const char *feature_at; (feature_at = strchr(at, 'F')) != nullptr; at = feature_at + 1) {
    char part[64] = {};
    assert((size_t)(feature_at - at) < sizeof part);
    memcpy(part, at, (size_t)(feature_at - at));
    scope_write_filled(writer, in, part);
    text_string(writer->text, features.text);
  }
  scope_write_filled(writer, in, at);
  text_printf(writer->text, ", epsilon=0.001, feature_index=%u\n", along);
  return true;
}
