/* Graphs whose values are not a function of their parameters: random numbers, received values,
 * calls with a side effect, sizes with only a bound. Both judges, and the cheaper one first, judge
 * all outputs: no merging, hoisting or repeating of such an operation has the same values. Each row
 * prints `name: answer`, so that mutants are detected. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/hlo/read/read.h"
#include "judge/graphs/equiv_open.h"

typedef struct StatesRow {
  const char *name, *before, *after;
  bool is_same;
} StatesRow;

#define ENTRY(lines) "HloModule m\n" LIMITS "ENTRY e {\nl = f32[] parameter(0)\n" lines "\n}\n"
#define LIMITS \
  "f {\nl = f32[] parameter(0)\nROOT q = f32[4] rng(l, l), distribution=rng_uniform\n}\n" \
  "g {\nl = f32[] parameter(0)\nROOT q = f32[4] rng(l, l), distribution=rng_uniform\n}\n" \
  "k {\nl = f32[] parameter(0)\nROOT q = f32[4] broadcast(l), dimensions={}\n}\n" \
  "add {\nx = s32[] parameter(0)\ny = s32[] parameter(1)\nROOT s = s32[] add(x, y)\n}\n"
#define RNG(name) name " = f32[4] rng(l, l), distribution=rng_uniform\n"
#define CALL(name, body) name " = f32[4] call(l), to_apply=" body "\n"
#define EFFECT(name, more) \
  name " = f32[4] custom-call(l), custom_call_target=\"t\", custom_call_has_side_effect=" more "\n"
#define STATE(name, more) name " = u64[2] rng-get-and-update-state(), delta=1" more "\n"
#define STATES(a, b) "ROOT r = (u64[2], u64[2]) tuple(" a ", " b ")"
#define INFEEDS \
  "t = token[] after-all()\na = (f32[], token[]) infeed(t)\nb = (f32[], token[]) infeed(t)\n" \
  "v = f32[] get-tuple-element(a), index=0\nw = f32[] get-tuple-element(b), index=0\n"
#define UNDER(header, lines) \
  "HloModule m, " header "\nENTRY e {\nl = f32[] parameter(0)\n" lines \
  "ROOT r = f32[] negate(l)\n}\n"
#define KIND(name) \
  name " = () custom-call(), custom_call_target=\"" name "\", custom_call_has_side_effect=true\n"
#define KINDS(first, second) KIND(first) KIND(second)
#define FEEDS(value) \
  "t = token[] after-all()\no = token[] outfeed(" value ", t), outfeed_shape=f32[]\n"
#define FEEDS_ROW(value) \
  "t = token[] after-all()\no = token[] outfeed(" value ", t), outfeed_shape=f32[4]\n"
#define TWO_SENDS(first, second) \
  "m = f32[] parameter(1)\nt = token[] after-all()\n" \
  "s = (f32[], u32[], token[]) send(" first ", t), channel_id=1\n" \
  "d = token[] send-done(s), channel_id=1\n" \
  "v = (f32[], u32[], token[]) send(" second ", d), channel_id=1\n" \
  "w = token[] send-done(v), channel_id=1\n"
/* The judges would have to follow the call. */
#define CALLED(sent) \
  "HloModule m\nf {\na = f32[] parameter(0)\nb = f32[] negate(a)\n" FEEDS( \
      sent) "ROOT c = f32[] copy(a)\n}\n" \
            "ENTRY e {\nl = f32[] parameter(0)\nROOT r = f32[] call(l), to_apply=f\n}\n"
#define PERMUTE(attributes) \
  MODULE("x = f32[4] parameter(0)\nROOT r = f32[4] collective-permute(x), " \
         "source_target_pairs={{0,1}}, frontend_attributes={" attributes "}")
#define TUPLED(operands) \
  MODULE("x = f32[4] parameter(0)\ny = f32[4] parameter(1)\ne = () tuple()\n" \
         "a = (f32[4], f32[4]) tuple(x, y)\nb = (f32[4], f32[4]) copy(a)\n" \
         "ROOT r = f32[4] custom-call(" operands "), custom_call_target=\"t\"")
#define LOG "c = f32[] custom-call(), custom_call_target=\"t\", custom_call_has_side_effect=true\n"
#define LOGGING(yes, no, entry, root) \
  "HloModule m\nf {\na = f32[] parameter(0)\n" yes "ROOT b = f32[] negate(a)\n}\n" \
  "g {\na = f32[] parameter(0)\n" no "ROOT b = f32[] negate(a)\n}\n" \
  "ENTRY e {\nl = f32[] parameter(0)\np = pred[] parameter(1)\n" entry "ROOT r = f32[] " root \
  "\n}\n"
#define BRANCHING "conditional(p, l, l), true_computation=f, false_computation=g"
#define OUTFEED "t = token[] after-all()\no = token[] outfeed(l, t), outfeed_shape=f32[]\n"
#define ZEROS "n = f32[] constant(-0)\nz = f32[] constant(0)\n"
#define DEVICES(header, groups) \
  "HloModule m, " header "\n" LIMITS "ENTRY e {\np = s32[4] parameter(0)\n" \
  "ROOT r = s32[4] all-reduce(p), replica_groups=" groups ", to_apply=add\n}\n"
#define BOTH(a, b) "ROOT r = (f32[4], f32[4]) tuple(" a ", " b ")"
#define MINUS(a, b) "ROOT r = f32[4] subtract(" a ", " b ")"
#define BRANCH(name) \
  name " = f32[4] conditional(p, l, l), true_computation=f, false_computation=k\n"

/* A loop over (i, v, l, h); `round` defines w and k, the next v and h. */
#define LOOP(trips, round, entry) \
  "HloModule m\ncond {\nt = (s32[], f32[4], f32[], f32[4]) parameter(0)\n" \
  "i = s32[] get-tuple-element(t), index=0\nn = s32[] constant(" trips ")\n" \
  "ROOT c = pred[] compare(i, n), direction=LT\n}\n" \
  "body {\nt = (s32[], f32[4], f32[], f32[4]) parameter(0)\n" \
  "i = s32[] get-tuple-element(t), index=0\nv = f32[4] get-tuple-element(t), index=1\n" \
  "l = f32[] get-tuple-element(t), index=2\nh = f32[4] get-tuple-element(t), index=3\n" round \
  "one = s32[] constant(1)\nj = s32[] add(i, one)\n" \
  "ROOT r = (s32[], f32[4], f32[], f32[4]) tuple(j, w, l, k)\n}\n" \
  "ENTRY e {\nl = f32[] parameter(0)\nx = f32[4] parameter(1)\nz = s32[] constant(0)\n" entry \
  "}\n"
#define WHILE(name, hoisted) \
  name "0 = (s32[], f32[4], f32[], f32[4]) tuple(z, x, l, " hoisted ")\n" name \
       "1 = (s32[], f32[4], f32[], f32[4]) while(" name "0), condition=cond, body=body\n" name \
       " = f32[4] get-tuple-element(" name "1), index=1\n"
#define SUM "w = f32[4] add(v, q)\nk = f32[4] copy(h)\n"
#define INSIDE RNG("q") SUM
#define OUTSIDE "q = f32[4] copy(h)\n" SUM
/* Both random arrays of two rounds, bit by bit. */
#define BITS \
  RNG("q") \
  "a = s32[4] bitcast-convert(q)\nb = s32[4] bitcast-convert(h)\nc = s32[4] xor(a, b)\n" \
  "w = f32[4] bitcast-convert(c)\nk = f32[4] copy(q)\n"
#define SIZES "n = s32[] parameter(1)\nx = s32[8] parameter(2)\nz = s32[] constant(0)\n"
#define BOUNDED "l = f32[] parameter(0)\n" SIZES "d = s32[<=8] parameter(3)\n"
#define MODULE(lines) \
  "HloModule m\nadd {\nx = s32[] parameter(0)\ny = s32[] parameter(1)\nROOT s = s32[] add(x, y)\n}\n" \
  "ENTRY e {\n" lines "\n}\n"

#define OVER(replicas) \
  "HloModule m, replica_count=" replicas "\n" \
  "sum {\nx = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT s = f32[] add(x, y)\n}\n" \
  "ENTRY e {\nl = f32[] parameter(0)\n" RNG( \
      "q") "ROOT r = f32[4] all-reduce(q), replica_groups={}, to_apply=sum\n}\n"

/* A computation and an entry, each with an elided constant named c. */
#define NAMESAKES(shape, inner, entry) \
  "HloModule m\nf {\np = " shape " parameter(0)\nc = " shape " constant({...})\n" \
  "ROOT r = " shape " " inner "(p, c)\n}\n" \
  "ENTRY e {\np = " shape " parameter(0)\nc = " shape " constant({...})\n" entry "\n}\n"
#define TWICE(shape, inner, outer) \
  NAMESAKES(shape, inner, "a = " shape " call(p), to_apply=f\nROOT r = " shape " " outer "(a, c)")
#define ONE_BY_ONE(shape, inner, outer) \
  NAMESAKES(shape, outer, "a = " shape " " inner "(p, c)\nROOT r = " shape " call(a), to_apply=f")
#define COPIES(lines) \
  "HloModule m\nf {\np = s32[6] parameter(0)\nc.clone = s32[6] constant({...})\n" \
  "ROOT r = s32[6] subtract(p, c.clone)\n}\n" \
  "ENTRY e {\np = s32[6] parameter(0)\nc = s32[6] constant({...})\n" lines "\n}\n"
#define FUNCTION(name) \
  name " {\nx = f32[] parameter(0)\nc = f32[1] constant({...})\nd = f32[] reshape(c)\n" \
       "ROOT r = f32[] add(x, d)\n}\n"
#define MAPPED(one, other) \
  "HloModule m\n" FUNCTION("f") FUNCTION("g") "ENTRY e {\nx = f32[6] parameter(0)\n" \
                                              "a = f32[6] map(x), dimensions={0}, to_apply=" one \
                                              "\n" \
                                              "b = f32[6] map(x), dimensions={0}, to_apply=" other \
                                              "\nROOT r = f32[6] divide(a, b)\n}\n"
#define LITERALS(x, y, text) \
  ENTRY("a = f32[2] custom-call(l), custom_call_target=\"t\", literal=f32[2] " text "\n" \
        "b = f32[2] custom-call(l), custom_call_target=\"t\", literal=f32[2] " text "\n" \
        "ROOT r = f32[2] divide(" x ", " y ")")
#define PAIR(index) \
  ENTRY("t = (s32[], s32[]) constant((1, 2))\n" \
        "ROOT r = s32[] get-tuple-element(t), index=" index)

/* Values v and w received on two channels; `sent` comes first. */
#define TOKEN "t = token[] after-all()\n"
#define SEND(name, value, channel) \
  name " = (f32[], u32[], token[]) send(" value ", t), channel_id=" channel "\n" name \
       "d = token[] send-done(" name "), channel_id=" channel "\n"
#define RECEIVE(name, channel, more) \
  name "s = (f32[], u32[], token[]) recv(t), channel_id=" channel more "\n" name \
       "d = (f32[], token[]) recv-done(" name "s), channel_id=" channel "\n" name \
       " = f32[] get-tuple-element(" name "d), index=0\n"
#define RECEIVED(sent, v, w) \
  ENTRY("m = f32[] parameter(1)\n" TOKEN sent RECEIVE("v", v, "") \
          RECEIVE("w", w, "") "ROOT r = f32[] subtract(v, w)")
#define RECEIVED_ONE(channel, more) \
  ENTRY(TOKEN RECEIVE("v", channel, more) "ROOT r = f32[] add(v, l)")
#define FROM(pairs) ", frontend_attributes={_xla_send_recv_source_target_pairs={" pairs "}}"
#define SENT(one, other) SEND("x", one, "1") SEND("y", other, "2")
#define EXCHANGE(more) \
  ENTRY("ROOT r = f32[4] custom-call(l), custom_call_target=\"t\", " \
        "custom_call_has_side_effect=true, frontend_attributes={with=\"" more "\"}")
#define PART(attribute) \
  ENTRY("c = f32[] custom-call(l), custom_call_target=\"Sharding\", " attribute "\n" \
        "ROOT r = f32[] negate(c)")
#define FEED_ON(more) \
  ENTRY(TOKEN "i = (f32[], token[]) infeed(t)" more "\n" \
              "ROOT r = f32[] get-tuple-element(i), index=0")
#define FED_FROM(more) \
  ENTRY(TOKEN "o = token[] outfeed(l, t), outfeed_shape=f32[]" more "\n" \
              "ROOT r = f32[] add(l, l)")
#define ON_DEVICE(number) ", sharding={maximal device=" number "}"
#define FEED(config) \
  ENTRY(TOKEN "i = (f32[], token[]) infeed(t), infeed_config=\"" config "\"\n" \
              "ROOT r = f32[] get-tuple-element(i), index=0")
#define FED(config) \
  ENTRY(TOKEN "o = token[] outfeed(l, t), outfeed_shape=f32[], outfeed_config=\"" config "\"\n" \
              "ROOT r = f32[] add(l, l)")
#define FED_BOTH(first, second) \
  ENTRY(TOKEN "o = token[] outfeed(l, t), outfeed_shape=f32[], outfeed_config=\"" first "\"\n" \
              "p = token[] outfeed(l, o), outfeed_shape=f32[], outfeed_config=\"" second "\"\n" \
              "ROOT r = f32[] add(l, l)")
#define FED_APART(between, second) \
  ENTRY(TOKEN "u = token[] after-all()\n" \
              "o = token[] outfeed(l, t), outfeed_shape=f32[], outfeed_config=\"a\"\n" \
              "c = f32[] negate(l)" between "\n" \
              "p = token[] outfeed(l, u), outfeed_shape=f32[], outfeed_config=\"b\"" second "\n" \
              "ROOT r = f32[] add(l, l)")
#define STARTED(pairs) \
  ENTRY( \
      "s = (f32[], f32[]) collective-permute-start(l), channel_id=1, source_target_pairs={" pairs \
      "}\nROOT r = f32[] collective-permute-done(s)")

#define ON_THREAD(thread) \
  "HloModule m\nt {\nROOT a = f32[4] custom-call(), custom_call_target=\"A\", " \
  "custom_call_has_side_effect=true\n}\nENTRY e {\nl = f32[] parameter(0)\n" \
  "s = ((), f32[4], u32[]) async-start(), calls=t" thread "\nd = f32[4] async-done(s)\n" \
  "ROOT r = f32[] add(l, l)\n}\n"

static const StatesRow rows[] = {
    {"a_draw_over_other_devices", OVER("2"), OVER("4"), false},
    {"a_draw_over_the_same_devices", OVER("2"), OVER("2"), true},
    {"namesakes_are_two", NAMESAKES("s32[6]", "subtract", "ROOT a = s32[6] call(c), to_apply=f"),
        NAMESAKES("s32[6]", "subtract",
            "z = s32[] constant(0)\nROOT a = s32[6] broadcast(z), dimensions={}"),
        false},
    {"namesakes_and_one", TWICE("s32[6]", "subtract", "add"),
        "HloModule m\nENTRY e {\nROOT p = s32[6] parameter(0)\n}\n", false},
    {"namesakes_exchanged", TWICE("s32[6]", "subtract", "multiply"),
        ONE_BY_ONE("s32[6]", "subtract", "multiply"), false},
    {"namesakes_at_any_size", TWICE("f32[4000000]", "subtract", "multiply"),
        ONE_BY_ONE("f32[4000000]", "subtract", "multiply"), false},
    {"namesakes_that_are_inlined", TWICE("f32[4000000]", "subtract", "multiply"),
        "HloModule m\nENTRY e {\np = f32[4000000] parameter(0)\nc = f32[4000000] constant({...})\n"
        "a = f32[4000000] subtract(p, c)\nROOT r = f32[4000000] multiply(a, c)\n}\n",
        false},
    {"namesakes_and_themselves", TWICE("s32[6]", "subtract", "multiply"),
        TWICE("s32[6]", "subtract", "multiply"), true},
    {"namesakes_at_any_size_and_themselves", TWICE("f32[4000000]", "subtract", "multiply"),
        TWICE("f32[4000000]", "subtract", "multiply"), true},
    {"one_namesake_and_itself", NAMESAKES("s32[6]", "add", "ROOT r = s32[6] subtract(c, c)"),
        NAMESAKES(
            "s32[6]", "add", "z = s32[] constant(0)\nROOT a = s32[6] broadcast(z), dimensions={}"),
        true},
    {"a_copy_is_the_constant", COPIES("ROOT a = s32[6] call(p), to_apply=f"),
        COPIES("ROOT a = s32[6] subtract(p, c)"), true},
    {"namesakes_in_two_functions", MAPPED("f", "g"), MAPPED("f", "f"), false},
    {"namesakes_in_two_functions_exchanged", MAPPED("f", "g"), MAPPED("g", "f"), false},
    {"namesakes_in_two_functions_and_themselves", MAPPED("f", "g"), MAPPED("f", "g"), true},
    {"two_literals", LITERALS("a", "b", "{...}"), LITERALS("b", "a", "{...}"), false},
    {"two_literals_for_one", LITERALS("a", "b", "{...}"), LITERALS("a", "a", "{...}"), false},
    {"two_literals_and_themselves", LITERALS("a", "b", "{...}"), LITERALS("a", "b", "{...}"), true},
    {"equal_literals", LITERALS("a", "b", "{1, 2}"), LITERALS("b", "a", "{1, 2}"), true},
    {"elements_of_a_constant_tuple", PAIR("0"), PAIR("1"), false},
    {"an_element_of_a_constant_tuple", PAIR("1"), PAIR("1"), true},
    {"channels_exchanged", RECEIVED(SENT("l", "m"), "1", "2"), RECEIVED(SENT("l", "m"), "2", "1"),
        false},
    {"channels_exchanged_without_sends", RECEIVED("", "1", "2"), RECEIVED("", "2", "1"), false},
    {"channels_kept", RECEIVED(SENT("l", "m"), "1", "2"),
        RECEIVED("k = f32[] copy(l)\n" SENT("k", "m"), "1", "2"), true},
    {"sends_exchanged", RECEIVED(SENT("l", "m"), "1", "2"), RECEIVED(SENT("m", "l"), "1", "2"),
        false},
    {"another_channel", RECEIVED_ONE("1", ""), RECEIVED_ONE("2", ""), false},
    {"sharded_to_other_devices", PART("sharding={devices=[2]0,1}"),
        PART("sharding={devices=[2]1,0}"), false},
    {"sharded_or_replicated", PART("sharding={devices=[2]0,1}"), PART("sharding={replicated}"),
        false},
    {"sharded_alike", PART("sharding={devices=[2]0,1}"),
        PART("sharding={devices=[2]0,1}, metadata={op_name=\"n\"}"), true},
    {"a_call_with_other_axes", PART("frontend_attributes={axes=\"x\"}"),
        PART("frontend_attributes={axes=\"y\"}"), false},
    {"fed_on_another_device", FEED_ON(ON_DEVICE("0")), FEED_ON(ON_DEVICE("1")), false},
    {"fed_from_another_device", FED_FROM(ON_DEVICE("0")), FED_FROM(ON_DEVICE("1")), false},
    {"received_on_another_device", RECEIVED_ONE("1", ON_DEVICE("0")),
        RECEIVED_ONE("1", ON_DEVICE("1")), false},
    {"sharding_of_what_computes", ENTRY("ROOT r = f32[] negate(l), sharding={maximal device=0}"),
        ENTRY("ROOT r = f32[] negate(l), sharding={replicated}"), true},
    {"another_source", RECEIVED_ONE("1", FROM("{0,1}")), RECEIVED_ONE("1", FROM("{1,0}")), false},
    {"the_same_source", RECEIVED_ONE("1", FROM("{0,1}")),
        ENTRY(TOKEN RECEIVE("v", "1", FROM("{0,1}")) "k = f32[] copy(l)\n"
                                                     "ROOT r = f32[] add(v, k)"),
        true},
    {"sent_on_another_channel", ENTRY(TOKEN SEND("x", "l", "1") "ROOT r = f32[] add(l, l)"),
        ENTRY(TOKEN SEND("x", "l", "2") "ROOT r = f32[] add(l, l)"), false},
    {"a_call_with_another", EXCHANGE("a"), EXCHANGE("b"), false},
    {"a_call_with_the_same", EXCHANGE("a"), EXCHANGE("a"), true},
    {"another_infeed", FEED("a"), FEED("b"), false},
    {"another_outfeed", FED("a"), FED("b"), false},
    {"the_same_outfeed", FED("a"), FED("a"), true},
    {"two_outfeeds_exchanged", FED_BOTH("a", "b"), FED_BOTH("b", "a"), false},
    {"two_outfeeds_in_order", FED_BOTH("a", "b"), FED_BOTH("a", "b"), true},
    {"two_outfeeds_in_no_order", FED_APART("", ""), FED_APART("", ""), true},
    {"two_outfeeds_that_control_orders", FED_APART("", ", control-predecessors={o}"),
        FED_APART("", ", control-predecessors={%o}"), true},
    {"two_outfeeds_that_control_orders_no_longer", FED_APART("", ", control-predecessors={o}"),
        FED_APART("", ", control-predecessors={c}"), false},
    {"two_outfeeds_that_control_orders_through_another",
        FED_APART(", control-predecessors={%o}", ", control-predecessors={%u, %c}"),
        FED_APART("", ", control-predecessors={%u, %c}"), false},
    {"two_outfeeds_that_control_orders_second", FED_APART("", ", control-predecessors={%u, %o}"),
        FED_APART("", ", control-predecessors={%u}"), false},
    {"two_outfeeds_that_control_orders_now", FED_APART("", ""),
        FED_APART("", ", control-predecessors={o}"), true},
    {"two_outfeeds_that_an_unwritten_one_orders", FED_APART("", ", control-predecessors={w}"),
        FED_APART("", ", control-predecessors={w}"), true},
    {"two_outfeeds_that_another_orders", FED_APART("", ", control-predecessors={w}"),
        FED_APART("", ", control-predecessors={v}"), false},
    {"two_outfeeds_that_an_unwritten_one_orders_no_longer",
        FED_APART("", ", control-predecessors={w}"), FED_APART("", ""), false},
    {"two_outfeeds_that_an_unwritten_one_orders_now", FED_APART("", ""),
        FED_APART("", ", control-predecessors={w}"), true},
    {"on_another_thread", ON_THREAD(", async_execution_thread=\"host\""),
        ON_THREAD(", async_execution_thread=\"device\""), false},
    {"on_no_thread", ON_THREAD(", async_execution_thread=\"host\""), ON_THREAD(""), false},
    {"on_the_main_thread", ON_THREAD(", async_execution_thread=\"main\""), ON_THREAD(""), true},
    {"started_with_others", STARTED("{0,1}"), STARTED("{1,0}"), false},
    {"started_with_the_same", STARTED("{0,1}"), STARTED("{0,1}"), true},
    {"two_draws_are_two", ENTRY(RNG("a") RNG("b") BOTH("a", "b")),
        ENTRY(RNG("c") RNG("d") BOTH("c", "d")), true},
    {"two_draws_for_one", ENTRY(RNG("a") RNG("b") BOTH("a", "b")), ENTRY(RNG("a") BOTH("a", "a")),
        false},
    {"the_second_draw_for_both", ENTRY(RNG("a") RNG("b") BOTH("a", "b")),
        ENTRY(RNG("b") BOTH("b", "b")), false},
    {"calls_of_one_draw", ENTRY(CALL("a", "f") CALL("b", "f") MINUS("a", "b")),
        ENTRY(CALL("a", "f") MINUS("a", "a")), false},
    {"calls_of_one_draw_as_outputs", ENTRY(CALL("a", "f") CALL("b", "f") BOTH("a", "b")),
        ENTRY(CALL("a", "f") BOTH("a", "a")), false},
    {"calls_of_one_draw_and_itself", ENTRY(CALL("a", "f") CALL("b", "f") MINUS("a", "b")),
        ENTRY(CALL("c", "f") CALL("d", "f") MINUS("c", "d")), true},
    {"calls_of_two_draws", ENTRY(CALL("a", "f") CALL("b", "g") MINUS("a", "b")),
        ENTRY(CALL("a", "f") CALL("b", "g") "n = f32[4] copy(a)\n" MINUS("n", "b")), true},
    {"branches_of_one_draw",
        ENTRY("p = pred[] parameter(1)\n" BRANCH("a") BRANCH("b") MINUS("a", "b")),
        ENTRY("p = pred[] parameter(1)\n" BRANCH("a") MINUS("a", "a")), false},
    {"effects_are_two", ENTRY(EFFECT("a", "true") EFFECT("b", "true") BOTH("a", "b")),
        ENTRY(EFFECT("a", "true") EFFECT("b", "true") BOTH("a", "a")), false},
    {"effects_exchanged", ENTRY(EFFECT("a", "true") EFFECT("b", "true") MINUS("a", "b")),
        ENTRY(EFFECT("a", "true") EFFECT("b", "true") MINUS("b", "a")), false},
    {"effects_in_order", ENTRY(EFFECT("a", "true") EFFECT("b", "true") MINUS("a", "b")),
        ENTRY(EFFECT("c", "true") EFFECT("d", "true") "n = f32[4] copy(c)\n" MINUS("n", "d")),
        true},
    {"states_exchanged",
        ENTRY(STATE("a", "") STATE("b", ", control-predecessors={a}") STATES("a", "b")),
        ENTRY(STATE("a", "") STATE("b", ", control-predecessors={a}") STATES("b", "a")), false},
    {"states_in_order", ENTRY(STATE("a", "") STATE("b", "") STATES("a", "b")),
        ENTRY(STATE("c", "") STATE("d", "") "k = u64[2] copy(c)\n" STATES("k", "d")), true},
    {"a_state_that_is_lost", ENTRY(STATE("a", "") STATE("b", "") "ROOT r = u64[2] copy(b)"),
        ENTRY(STATE("b", "") "ROOT r = u64[2] copy(b)"), false},
    {"an_earlier_state", ENTRY(STATE("a", "") STATE("b", "") "ROOT r = u64[2] copy(b)"),
        ENTRY(STATE("a", "") STATE("b", "") "ROOT r = u64[2] copy(a)"), false},
    {"infeeds_exchanged", ENTRY(INFEEDS "ROOT r = f32[] subtract(v, w)"),
        ENTRY(INFEEDS "ROOT r = f32[] subtract(w, v)"), false},
    {"infeeds_in_order", ENTRY(INFEEDS "ROOT r = f32[] subtract(v, w)"),
        ENTRY(INFEEDS "k = f32[] copy(w)\nROOT r = f32[] subtract(v, k)"), true},
    {"calls_in_no_order", UNDER("x=1", KINDS("a", "b")), UNDER("x=1", KINDS("b", "a")), true},
    {"calls_out_of_the_schedule", UNDER("is_scheduled=true", KINDS("a", "b")),
        UNDER("is_scheduled=true", KINDS("b", "a")), false},
    {"calls_that_lose_the_schedule", UNDER("is_scheduled=true", KINDS("a", "b")),
        UNDER("is_scheduled=false", KINDS("a", "b") "k = f32[] copy(l)\n"), false},
    {"calls_that_get_a_schedule",
        UNDER("is_scheduled=false", KINDS("a", "b") "k = f32[] copy(l)\n"),
        UNDER("is_scheduled=true", KINDS("b", "a")), true},
    {"an_outfeed_that_is_lost", ENTRY(OUTFEED "ROOT r = f32[] add(l, l)"),
        ENTRY("ROOT r = f32[] add(l, l)"), false},
    {"an_outfeed_of_another_value", ENTRY(FEEDS("l") "ROOT r = f32[] add(l, l)"),
        ENTRY("n = f32[] negate(l)\n" FEEDS("n") "ROOT r = f32[] add(l, l)"), false},
    {"an_outfeed_of_a_copy", ENTRY(FEEDS("l") "ROOT r = f32[] add(l, l)"),
        ENTRY("n = f32[] copy(l)\n" FEEDS("n") "ROOT r = f32[] add(l, l)"), true},
    {"an_outfeed_of_another_random_number",
        ENTRY(RNG("a") FEEDS_ROW("a") "ROOT r = f32[4] add(a, a)"),
        ENTRY(RNG("a") RNG("b") FEEDS_ROW("b") "ROOT r = f32[4] add(a, a)"), false},
    {"an_outfeed_of_the_random_number", ENTRY(RNG("a") FEEDS_ROW("a") "ROOT r = f32[4] add(a, a)"),
        ENTRY(RNG("b") FEEDS_ROW("b") "c = f32[4] copy(b)\nROOT r = f32[4] add(c, b)"), true},
    {"an_outfeed_of_another_run_of_a_random_number",
        ENTRY(CALL("a", "f") CALL("b", "f") FEEDS_ROW("a") "ROOT r = f32[4] add(a, a)"),
        ENTRY(CALL("a", "f") CALL("b", "f") FEEDS_ROW("b") "ROOT r = f32[4] add(a, a)"), false},
    {"two_sends_exchanged", ENTRY(TWO_SENDS("l", "m") "ROOT r = f32[] add(l, m)"),
        ENTRY(TWO_SENDS("m", "l") "ROOT r = f32[] add(l, m)"), false},
    {"two_sends_in_order", ENTRY(TWO_SENDS("l", "m") "ROOT r = f32[] add(l, m)"),
        ENTRY("k = f32[] copy(l)\n" TWO_SENDS("k", "m") "ROOT r = f32[] add(l, m)"), true},
    {"a_call_that_prints_another_value",
        ENTRY("c = () custom-call(l), custom_call_target=\"p\", custom_call_has_side_effect=true\n"
              "ROOT r = f32[] copy(l)"),
        ENTRY("n = f32[] negate(l)\n"
              "c = () custom-call(n), custom_call_target=\"p\", custom_call_has_side_effect=true\n"
              "ROOT r = f32[] copy(l)"),
        false},
    {"an_outfeed_in_a_call", CALLED("a"), CALLED("b"), false},
    {"the_same_outfeed_in_a_call", CALLED("a"), CALLED("a"), true},
    {"a_log_in_another_branch", LOGGING(LOG, "", "", BRANCHING), LOGGING("", LOG, "", BRANCHING),
        false},
    {"a_log_out_of_a_branch", LOGGING(LOG, "", "", BRANCHING), LOGGING("", "", LOG, BRANCHING),
        false},
    {"a_log_out_of_a_call", LOGGING(LOG, "", "", "call(l), to_apply=f"),
        LOGGING("", "", LOG, "negate(l)"), true},
    {"an_outfeed_that_stays", ENTRY(OUTFEED "ROOT r = f32[] add(l, l)"),
        ENTRY("ROOT r = f32[] add(l, l)\n" OUTFEED), true},
    {"an_outfeed_beside_an_unknown_size",
        ENTRY("u = f32[?] parameter(1)\n" OUTFEED "ROOT r = f32[] add(l, l)"),
        ENTRY("u = f32[?] parameter(1)\nROOT r = f32[] add(l, l)"), false},
    {"a_call_that_is_lost", ENTRY(EFFECT("a", "true") "ROOT r = f32[] add(l, l)"),
        ENTRY("ROOT r = f32[] add(l, l)"), false},
    {"calls_without_effect_are_one",
        ENTRY(EFFECT("a", "false") EFFECT("b", "false") BOTH("a", "b")),
        ENTRY(EFFECT("a", "false") BOTH("a", "a")), true},
    {"draws_of_a_short_loop", LOOP("2", INSIDE, WHILE("a", "x") "ROOT r = f32[4] copy(a)\n"),
        LOOP("2", INSIDE,
            "q = f32[4] rng(l, l), distribution=rng_uniform\ns = f32[4] add(x, q)\n"
            "ROOT r = f32[4] add(s, q)\n"),
        false},
    {"draws_of_two_rounds", LOOP("2", BITS, WHILE("a", "x") "ROOT r = f32[4] copy(a)\n"),
        LOOP("2", BITS,
            "n = s32[4] broadcast(z), dimensions={}\nROOT r = f32[4] bitcast-convert(n)\n"),
        false},
    {"draw_out_of_a_short_loop", LOOP("2", INSIDE, WHILE("a", "x") "ROOT r = f32[4] copy(a)\n"),
        LOOP("2", OUTSIDE, RNG("q") WHILE("a", "q") "ROOT r = f32[4] copy(a)\n"), false},
    {"draw_out_of_a_long_loop", LOOP("500", INSIDE, WHILE("a", "x") "ROOT r = f32[4] copy(a)\n"),
        LOOP("500", OUTSIDE, RNG("q") WHILE("a", "q") "ROOT r = f32[4] copy(a)\n"), false},
    {"two_loops_with_one_body",
        LOOP("500", INSIDE, WHILE("a", "x") WHILE("b", "x") "ROOT r = f32[4] subtract(a, b)\n"),
        LOOP("500", INSIDE, WHILE("a", "x") "ROOT r = f32[4] subtract(a, a)\n"), false},
    {"a_loop_with_draws", LOOP("500", INSIDE, WHILE("a", "x") "ROOT r = f32[4] copy(a)\n"),
        LOOP("500", INSIDE, WHILE("b", "x") "c = f32[4] copy(b)\nROOT r = f32[4] copy(c)\n"), true},
    {"sum_of_a_bound", MODULE(BOUNDED "ROOT r = s32[] reduce(d, z), dimensions={0}, to_apply=add"),
        MODULE(BOUNDED "s = s32[8] slice(d), slice={[0:8]}\n"
                       "ROOT r = s32[] reduce(s, z), dimensions={0}, to_apply=add"),
        false},
    {"behind_a_bound",
        MODULE("l = f32[] parameter(0)\n" SIZES
               "s = s32[<=8] set-dimension-size(x, n), dimensions={0}\n"
               "c = s32[<=16] concatenate(s, x), dimensions={0}\n"
               "ROOT r = s32[1] slice(c), slice={[8:9]}"),
        MODULE("l = f32[] parameter(0)\n" SIZES "ROOT r = s32[1] slice(x), slice={[0:1]}"), false},
    {"inner_bound_in_a_row",
        MODULE("l = f32[] parameter(0)\nd = s32[2,<=4] parameter(1)\n"
               "ROOT r = s32[<=8] reshape(d)"),
        MODULE("l = f32[] parameter(0)\nd = s32[2,<=4] parameter(1)\nc = s32[2,<=4] copy(d)\n"
               "ROOT r = s32[<=8] reshape(c)"),
        false},
    {"outer_bound_in_a_row",
        MODULE("l = f32[] parameter(0)\nd = s32[1,<=4,2] parameter(1)\n"
               "ROOT r = s32[<=8] reshape(d)"),
        MODULE("l = f32[] parameter(0)\nd = s32[1,<=4,2] parameter(1)\nc = s32[1,<=4,2] copy(d)\n"
               "ROOT r = s32[<=8] reshape(c)"),
        true},
    {"elements_of_a_bound", MODULE(BOUNDED "ROOT r = s32[<=8] add(d, d)"),
        MODULE(BOUNDED "c = s32[<=8] copy(d)\nROOT r = s32[<=8] add(c, d)"), true},
    {"a_parameter_with_a_bound", MODULE("d = s32[<=8] parameter(0)\nROOT r = s32[<=8] negate(d)"),
        MODULE("d = s32[8] parameter(0)\nROOT r = s32[8] negate(d)"), false},
    {"a_bound_that_a_stated_shape_drops",
        MODULE("l = f32[] parameter(0)\nd = s32[<=8] parameter(1)\nROOT r = s32[<=8] negate(d)"),
        MODULE("l = f32[] parameter(0)\nd = s32[<=8] parameter(1)\nROOT r = s32[8] negate(d)"),
        false},
    {"a_bound_that_a_copy_drops",
        MODULE(BOUNDED "c = s32[8] copy(d)\nROOT r = s32[4] slice(c), slice={[4:8]}"),
        MODULE(BOUNDED "c = s32[8] copy(d)\nb = s32[8] copy(c)\n"
                       "ROOT r = s32[4] slice(b), slice={[4:8]}"),
        false},
    {"zeros_as_many_as_other_elements",
        MODULE(BOUNDED "e = s32[<=8] parameter(4)\nROOT r = s32[<=8] subtract(d, d)"),
        MODULE(BOUNDED "e = s32[<=8] parameter(4)\nROOT r = s32[<=8] subtract(e, e)"), false},
    {"zeros_as_many_as_other_rows",
        MODULE("d = s32[<=4,<=4] parameter(0)\nROOT r = s32[<=4,<=4] subtract(d, d)"),
        MODULE("d = s32[<=4,<=4] parameter(0)\n"
               "t = s32[<=4,<=4] transpose(d), dimensions={1,0}\n"
               "ROOT r = s32[<=4,<=4] subtract(t, t)"),
        false},
    {"zeros_as_many_as_the_only_bound", MODULE(BOUNDED "ROOT r = s32[<=8] subtract(d, d)"),
        MODULE(BOUNDED "e = s32[<=8] negate(d)\nROOT r = s32[<=8] subtract(e, e)"), true},
    {"the_size_of_a_result_with_a_bound",
        MODULE("l = f32[] parameter(0)\n" SIZES
               "c = s32[<=8] custom-call(x), custom_call_target=\"f\"\n"
               "ROOT r = s32[] get-dimension-size(c), dimensions={0}"),
        MODULE(
            "l = f32[] parameter(0)\n" SIZES "c = s32[8] custom-call(x), custom_call_target=\"f\"\n"
            "ROOT r = s32[] get-dimension-size(c), dimensions={0}"),
        false},
    {"all_replicas_of_two_and_of_four", DEVICES("replica_count=2", "{}"),
        DEVICES("replica_count=4", "{}"), false},
    {"all_replicas_of_two_and_of_unstated", DEVICES("replica_count=2", "{}"),
        DEVICES("is_scheduled=true", "{}"), false},
    {"all_partitions_of_two_and_of_four", DEVICES("num_partitions=2", "{}, channel_id=1"),
        DEVICES("num_partitions=4", "{}, channel_id=1"), false},
    {"all_replicas_of_two", DEVICES("replica_count=2", "{}"),
        DEVICES("is_scheduled=true, replica_count=2", "{}"), true},
    {"all_replicas_and_their_list", DEVICES("replica_count=2", "{}"),
        DEVICES("replica_count=2", "{{0,1}}"), true},
    {"all_replicas_in_no_attribute_and_their_list", DEVICES("replica_count=2", "[1,2]<=[2]"),
        "HloModule m, replica_count=2\n" LIMITS "ENTRY e {\np = s32[4] parameter(0)\n"
        "ROOT r = s32[4] all-reduce(p), to_apply=add\n}\n",
        true},
    {"all_replicas_and_each_alone", DEVICES("replica_count=2", "{}"),
        DEVICES("replica_count=2", "{{0},{1}}"), false},
    {"all_replicas_and_another_order_is_open", DEVICES("replica_count=2", "{}"),
        DEVICES("replica_count=2", "{{1,0}}"), false},
    {"all_replicas_and_a_list_of_unstated", DEVICES("is_scheduled=true", "{}"),
        DEVICES("is_scheduled=true", "{{0,1}}"), false},
    {"all_replicas_with_partitions_and_their_list",
        DEVICES("replica_count=2, num_partitions=4", "{}, channel_id=1"),
        DEVICES("replica_count=2, num_partitions=4", "{{0,1}}, channel_id=1"), true},
    {"all_partitions_and_a_list_of_replicas", DEVICES("num_partitions=2", "{}, channel_id=1"),
        DEVICES("num_partitions=2", "{{0,1}}, channel_id=1"), false},
    {"a_permute_in_some_iterations", PERMUTE("_xla_send_recv_validation=\"{{0,6}}\""),
        PERMUTE("_xla_send_recv_validation=\"{{0,7}}\""), false},
    {"a_permute_in_some_and_in_all_iterations", PERMUTE("_xla_send_recv_validation=\"{{0,6}}\""),
        PERMUTE("a=\"b\""), false},
    {"a_permute_with_a_note", PERMUTE("a=\"b\""), PERMUTE("a=\"c\""), true},
    {"attribute_that_nobody_knows",
        MODULE("l = s32[4] parameter(0)\nROOT r = s32[4] reverse(l), dimensions={0}, strange=1"),
        MODULE("l = s32[4] parameter(0)\nROOT r = s32[4] reverse(l), dimensions={0}"), false},
    {"attribute_that_nobody_knows_of_a_sum",
        MODULE("l = s32[4] parameter(0)\nk = s32[4] parameter(1)\n"
               "ROOT r = s32[4] add(l, k), strange=1"),
        MODULE("l = s32[4] parameter(0)\nk = s32[4] parameter(1)\n"
               "ROOT r = s32[4] add(k, l), strange=1"),
        false},
    {"attribute_that_nobody_knows_in_one_text",
        MODULE("l = s32[4] parameter(0)\nROOT r = s32[4] reverse(l), dimensions={0}, strange=1"),
        MODULE("l = s32[4] parameter(0)\nROOT r = s32[4] reverse(l), dimensions={0}, strange=1"),
        true},
    {"attribute_that_nobody_knows_of_a_product",
        MODULE("l = f32[4] parameter(0)\nROOT r = f32[] dot(l, l), lhs_contracting_dims={0}, "
               "rhs_contracting_dims={0}, sparsity=L.0@2:4"),
        MODULE("l = f32[4] parameter(0)\nROOT r = f32[] dot(l, l), lhs_contracting_dims={0}, "
               "rhs_contracting_dims={0}"),
        false},
    {"a_call_of_a_tuple_and_of_its_elements", TUPLED("a"), TUPLED("x, y"), false},
    {"a_call_of_an_empty_tuple_more", TUPLED("x"), TUPLED("x, e"), false},
    {"calls_of_tuples_nested_in_two_ways", TUPLED("a, x"), TUPLED("x, b"), false},
    {"a_call_of_a_tuple_that_is_copied", TUPLED("a, e"), TUPLED("b, e"), true},
    {"attribute_of_the_source",
        MODULE("l = s32[4] parameter(0)\n"
               "ROOT r = s32[4] reverse(l), dimensions={0}, metadata={op_name=\"a\"}"),
        MODULE("l = s32[4] parameter(0)\nROOT r = s32[4] reverse(l), dimensions={0}"), true},
    {"zeros_of_two_signs_maximum", ENTRY(ZEROS "ROOT r = f32[] maximum(n, z)"),
        ENTRY(ZEROS "ROOT r = f32[] copy(n)"), false},
    {"zeros_of_two_signs_minimum", ENTRY(ZEROS "ROOT r = f32[] minimum(z, n)"),
        ENTRY(ZEROS "ROOT r = f32[] copy(z)"), false},
    {"zeros_of_two_signs_clamp",
        ENTRY(ZEROS "o = f32[] constant(1)\nROOT r = f32[] clamp(n, z, o)"),
        ENTRY(ZEROS "ROOT r = f32[] copy(n)"), false},
    {"zeros_of_two_signs_divide_one",
        ENTRY(ZEROS "m = f32[] maximum(n, z)\no = f32[] constant(1)\nd = f32[] divide(o, m)\n"
                    "c = pred[] compare(d, z), direction=LT\nq = f32[] parameter(1)\n"
                    "ROOT r = f32[] select(c, l, q)"),
        ENTRY("q = f32[] parameter(1)\nROOT r = f32[] copy(l)"), false},
    {"zeros_of_one_sign", ENTRY(ZEROS "ROOT r = f32[] maximum(z, z)"),
        ENTRY(ZEROS "ROOT r = f32[] copy(z)"), true},
    {"less_than_zero_unsigned_wide", ENTRY("m = f32[] constant(-1)\nROOT r = u64[] convert(m)"),
        ENTRY("ROOT r = u64[] constant(18446744073709551615)"), false},
    {"one_unsigned_wide", ENTRY("m = f32[] constant(1)\nROOT r = u64[] convert(m)"),
        ENTRY("ROOT r = u64[] constant(1)"), true},
    {"two_draws_beside_an_unknown_size",
        ENTRY("u = f32[?] parameter(1)\n" RNG("a") RNG("b") BOTH("a", "b")),
        ENTRY("u = f32[?] parameter(1)\n" RNG("a") BOTH("a", "a")), false},
    {"a_call_of_an_unknown_size",
        ENTRY("u = f32[?] parameter(1)\nROOT r = f32[4] custom-call(u), custom_call_target=\"t\""),
        ENTRY("u = f32[?] parameter(1)\nc = f32[?] copy(u)\n"
              "ROOT r = f32[4] custom-call(u), custom_call_target=\"t\""),
        true},
    {"a_bound_and_itself",
        MODULE(BOUNDED "ROOT r = s32[] reduce(d, z), dimensions={0}, to_apply=add"),
        MODULE(BOUNDED "ROOT s = s32[] reduce(d, z), dimensions={0}, to_apply=add"), true},
};

static const Module *module_of(Arena *arena, const char *name, const char *text) {
  const Module *module = nullptr;
  Error error = {};
  Source *source = ARENA_NEW(arena, Source, 1);
  *source = (Source){.name = name, .text = text, .length = strlen(text)};
  if (!hlo_read(arena, source, &module, &error)) fail_msg("%s: %s\n%s", name, error.message, text);
  return module;
}

/* True if all outputs have the same values, by both judges or by the oracle alone. */
static bool same_values_answer(const StatesRow *row, bool one_judge) {
  Arena *arena = arena_create();
  MapContext *context = map_context_create();
  Smt *smt = smt_create(context, nullptr);
  EquivValues values;
  Error error = {};
  bool is_same = true, is_same_alone = true;
  const Module *before = module_of(arena, row->name, row->before),
               *after = module_of(arena, row->name, row->after);
  assert_true(equiv_values_open(arena, before, after,
      &(ValuesLimits){
          .elements = 8'000, .grade = LAW_EXACT, .one_judge = one_judge, .steps = 12'000},
      smt, &values, &error));
  for (uint32_t i = 0; i < values.leaf_count; i++) {
    EquivValuesVerdict *verdict = ARENA_NEW(arena, EquivValuesVerdict, 1);
    equiv_values_query(&values, i, &verdict->values);
    is_same_alone = is_same_alone && verdict->values.answer == REASON_EXACT;
    equiv_values_judge(&values, i, verdict);
    is_same = is_same && equiv_values_status(verdict->answer) == STATUS_PROVED;
  }
  equiv_values_close(&values);
  smt_destroy(smt);
  map_context_destroy(context);
  arena_destroy(arena);
  return is_same || is_same_alone;
}

static void states_are_kept(void **) {
  uint32_t failed = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (int one_judge = 0; one_judge < 2; one_judge++) {
      bool is_same = same_values_answer(&rows[i], one_judge == 1);
      if (is_same == rows[i].is_same) continue;
      print_message("%s: %s\n", rows[i].name, is_same ? "same values" : "not the same");
      failed++;
    }
  assert_int_equal(failed, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(states_are_kept)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
