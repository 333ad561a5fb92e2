/* The reader: accepted texts, checked by their printed form, and rejected texts with the position
 * of the error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/hlo/read/from_text.h"
#include "core/hlo/header.h"
#include "core/hlo/print/print.h"

#define P2 "p = f32[2] parameter(0) "
#define P23 "p = f32[2,3] parameter(0) "

/* The instructions of an entry, and how the last one prints. */
static const struct {
  const char *instructions, *printed;
} forms[] = {
    /* shapes */
    {"p = f32[10, 20, 30] parameter(0)", "%p = f32[10,20,30] parameter(0)"},
    {"p = f32[2,3]{0,1} parameter(0)", "%p = f32[2,3]{0,1} parameter(0)"},
    {"p = bf16[8,128]{1,0:T(8,128)(2,1)S(1)} parameter(0)",
        "%p = bf16[8,128]{1,0:T(8,128)(2,1)S(1)} parameter(0)"},
    {"p = s4[4]{0:E(4)} parameter(0)", "%p = s4[4]{0:E(4)} parameter(0)"},
    {"p = f32[4,4]{1,0:D(D,C)} parameter(0)", "%p = f32[4,4]{1,0:D(D,C)} parameter(0)"},
    {"p = f32[]{:T(128)} parameter(0)", "%p = f32[]{:T(128)} parameter(0)"},
    {"p = f32[4]{0:SC(0:1,2)S(2)} parameter(0)", "%p = f32[4]{0:SC(0:1,2)S(2)} parameter(0)"},
    {"p = f32[<=4,2] parameter(0)", "%p = f32[<=4,2] parameter(0)"},
    {"p = (f32[?,4]{1,0}, s32[ ? ]) parameter(0)", "%p = (f32[?,4]{1,0}, s32[?]) parameter(0)"},
    {"p = (f32[], (s32[2]{0}, /*index=2*/token[]), ()) parameter(0)",
        "%p = (f32[], (s32[2]{0}, token[]), ()) parameter(0)"},
    {"p = b(f32[4]) parameter(0)", "%p = b(f32[4]) parameter(0)"},
    {"b = f32[2] parameter(0) ROOT c = f32[2] add(b, b)", "%c = f32[2] add(%b, %b)"},
    /* names, operand types, comments */
    {"%p.1-x_2 = f32[2] parameter(0) // a comment\n ROOT %q = f32[2] /* b */ negate(f32[2]{0} %p.1-x_2)",
        "%q = f32[2] negate(%p.1-x_2)"},
    {"%ROOT = f32[2] parameter(0)", "%ROOT = f32[2] parameter(0)"},
    {P2 "q = add(p, p)", "%q = f32[2] add(%p, %p)"},
    {P2 "ROOT q = f32[2] add(negate(p), f32[2] abs(p)), metadata={op_name=\"x\"}",
        "%q = f32[2] add(%nested.130, %nested.141), metadata={op_name=\"x\"}"},
    /* literals */
    {"c = f32[2,2] constant({ { 1, -2.5e+3 }, { .5, nan } })",
        "%c = f32[2,2] constant({ { 1, -2.5e+3 }, { .5, nan } })"},
    {"c = f32[3] constant({inf, -inf, -nan(0x1f)})",
        "%c = f32[3] constant({inf, -inf, -nan(0x1f)})"},
    {"c = c64[2] constant({(1, -2), (inf, 0)})", "%c = c64[2] constant({(1, -2), (inf, 0)})"},
    {"c = f8e4m3fn[] constant(464)", "%c = f8e4m3fn[] constant(464)"},
    {"c = f8e5m2[] constant(-61439)", "%c = f8e5m2[] constant(-61439)"},
    {"c = f8e5m2fnuz[] constant(61439)", "%c = f8e5m2fnuz[] constant(61439)"},
    {"c = f8e4m3[] constant(247.9)", "%c = f8e4m3[] constant(247.9)"},
    {"c = f8e4m3fnuz[] constant(247.9)", "%c = f8e4m3fnuz[] constant(247.9)"},
    {"c = f8e4m3b11fnuz[] constant(30.9)", "%c = f8e4m3b11fnuz[] constant(30.9)"},
    {"c = f8e3m4[] constant(-15.74)", "%c = f8e3m4[] constant(-15.74)"},
    {"c = f8e8m0fnu[] constant(1e-320)", "%c = f8e8m0fnu[] constant(1e-320)"},
    {"c = f8e8m0fnu[] constant(2.5e38)", "%c = f8e8m0fnu[] constant(2.5e38)"},
    {"c = f4e2m1fn[] constant(1e9)", "%c = f4e2m1fn[] constant(1e9)"},
    {"c = f8e4m3fn[] constant(-inf)", "%c = f8e4m3fn[] constant(-inf)"},
    {"c = f8e8m0fnu[] constant(nan)", "%c = f8e8m0fnu[] constant(nan)"},
    {"c = pred[2] constant({true, 0})", "%c = pred[2] constant({true, 0})"},
    {"c = s32[2,1,2] constant({ { /*i0=0*/ { 1, 2 } }, { /*i0=1*/ { 3,/*, 5*/ 4 } }// end\n })",
        "%c = s32[2,1,2] constant({ { { 1, 2 } }, { { 3, 4 } }\n })"},
    {"c = f32[100,200] constant({...})", "%c = f32[100,200] constant({...})"},
    {"c = f32[3] constant(1)", "%c = f32[3] constant(1)"},
    {"c = f32[0] constant({})", "%c = f32[0] constant({})"},
    {"c = (f32[], s32[2]) constant((1.5, {1, 2}))", "%c = (f32[], s32[2]) constant((1.5, {1, 2}))"},
    {"c = u64[] constant(18446744073709551615)", "%c = u64[] constant(18446744073709551615)"},
    /* attributes */
    {P2 "q = f32[2] negate(p), backend_config={\"a\":{\"b\":[1,\"}\"]}}, sharding={devices=[2]0,1 /*x*/}",
        "%q = f32[2] negate(%p), backend_config={\"a\":{\"b\":[1,\"}\"]}}, sharding={devices=[2]0,1 /*x*/}"},
    {P2 "q = f32[2] negate(p), what=ever, backend_config=\"a\\\"b\", frontend_attributes={x=\"{\"}",
        "%q = f32[2] negate(%p), what=ever, backend_config=\"a\\\"b\", frontend_attributes={x=\"{\"}"},
    {"i = s32[2,3] iota(), dimensions={1}", "%i = s32[2,3] iota(), dimensions={1}"},
    {P23 "q = f32[1,2] slice(p), slice={[1:2], [0:3:2]}",
        "%q = f32[1,2] slice(%p), slice={[1:2], [0:3:2]}"},
    {P2 "c = f32[] constant(0) q = f32[6] pad(p, c), padding=-1_4_1",
        "%q = f32[6] pad(%p, %c), padding=-1_4_1"},
    {P2 "c = f32[] constant(0) q = f32[] pad(c, c), padding=", "%q = f32[] pad(%c, %c), padding="},
    {P2 "c = f32[] constant(0) q = f32[] pad(c, c), padding=, metadata={}\nx = f32[] negate(q)",
        "%x = f32[] negate(%q)"},
    {P2 "c = f32[] constant(0) q = f32[6] pad(p, c), padding=-1_5\nx = f32[6] negate(q)",
        "%x = f32[6] negate(%q)"},
    {P2 "q = f32[2] call(p), to_apply={ x = f32[2] parameter(0) ROOT y = f32[2] abs(x) }",
        "%q = f32[2] call(%p), to_apply=%q.nested.139"},
};

static void forms_are_read(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    Arena *arena = arena_create();
    Error error = {};
    const char *text = arena_printf(arena, "%s%s}",
        "HloModule some_module, is_scheduled=true, input_output_alias={ {}: (0,{}) } ENTRY e { ",
        forms[i].instructions);
    const Module *module = module_of(arena, text, &error);
    if (module == nullptr) error_print(&error, stderr);
    assert_non_null(module);
    const Computation *entry = module->entry;
    Text printed = text_create(arena);
    hlo_print_instruction(&printed, entry->instructions[entry->instruction_count - 1]);
    const char *expected = entry->instructions[entry->instruction_count - 1]->is_root
                               ? arena_printf(arena, "ROOT %s", forms[i].printed)
                               : forms[i].printed;
    assert_string_equal(printed.bytes, expected);
    arena_destroy(arena);
  }
}

/* Its own layouts, bounds and comments are not compared. */
static void the_layout_of_entry_has_its_shapes(void **) {
  static const char *const layouts[] = {"(f32[2,3]{0,1}, (s32[], f32[4]))->(s32[], f32[2,3]{1,0})",
      "( f32[2,3]{1,0:T(8,128)}, /*index=1*/(s32[], f32[<=4]) ) -> (s32[], f32[2,3])"};
  for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
    Arena *arena = arena_create();
    Error error = {};
    const char *text = arena_printf(arena,
        "HloModule m, entry_computation_layout={%s}, is_scheduled=true\n"
        "ENTRY e {\np = f32[2,3] parameter(0)\nq = (s32[], f32[4]) parameter(1)\n"
        "s = s32[] get-tuple-element(q), index=0\nROOT r = (s32[], f32[2,3]) tuple(s, p)\n}\n",
        layouts[i]);
    const Module *module = module_of(arena, text, &error);
    if (module == nullptr) error_print(&error, stderr);
    assert_non_null(module);
    Text printed = text_create(arena);
    hlo_print(&printed, module);
    assert_non_null(strstr(printed.bytes, layouts[i]));
    arena_destroy(arena);
  }
}

/* A module whose header states these attributes after its name. */
static const Module *module_with_header(Arena *arena, const char *attributes) {
  Error error = {};
  const Module *module = module_of(arena,
      arena_printf(arena, "HloModule m%s\nENTRY e { p = f32[] parameter(0) }", attributes), &error);
  assert_non_null(module);
  return module;
}

static void an_attribute_of_the_header_is_left_out(void **) {
  static const struct {
    const char *header, *without_b;
  } headers[] = {{", a=1, b={c=2, d=\"b=3\"}, e={b=4}", "a=1, e={b=4}"}, {", b=(1, 2), a=1", "a=1"},
      {", b=1", nullptr}, {"", nullptr}, {", /* b=1 */ a = \"x, b=2\" ,c=3", "a=\"x, b=2\", c=3"}};
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
    Arena *arena = arena_create();
    const Module *module = module_with_header(arena, headers[i].header);
    const char *without = header_without(arena, module, "b");
    assert_int_equal(without == nullptr, headers[i].without_b == nullptr);
    if (without != nullptr) assert_string_equal(without, headers[i].without_b);
    arena_destroy(arena);
  }
}

static void a_schedule_is_stated_by_the_header(void **) {
  static const struct {
    const char *header;
    bool is_scheduled;
  } headers[] = {{"", false}, {", is_scheduled=true", true}, {", is_scheduled=false", false},
      {", a={is_scheduled=true}", false}, {", is_scheduled=truest", false},
      {", a=true, is_scheduled=true, b=false", true}, {", was_scheduled=true", false}};
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
    Arena *arena = arena_create();
    const Module *module = module_with_header(arena, headers[i].header);
    assert_int_equal(module_is_scheduled(module), headers[i].is_scheduled);
    arena_destroy(arena);
  }
}

#define IN_ENTRY(text) "ENTRY e {\n" text "\n}"

static const struct {
  const char *text, *rejection;
} rejected[] = {
    {"", "1:1: expected a computation, found the end of the text"},
    {"\n  // nothing\n", "3:1: expected a computation, found the end of the text"},
    {"HloModule", "1:10: expected the module's name, found the end of the text"},
    {"HloModule m\n", "2:1: expected a computation, found the end of the text"},
    {"HloModule m, ", "1:14: expected an attribute of the module, found the end of the text"},
    {"HloModule m ENTRY e {",
        "1:22: expected an instruction's name or '}', found the end of the text"},
    {"ENTRY e { }", "1:11: expected an instruction's name or '}', found '}'"},
    {"# RUN\nENTRY e { p = f32[] parameter(0) }", "1:1: expected a computation, found '#'"},
    {"ENTRY e { p = f32[] parameter(0) } ENTRY f { p = f32[] parameter(0) }",
        "1:36: a second ENTRY"},
    {"e { p = f32[] parameter(0) } e { p = f32[] parameter(0) }", "1:30: a second computation 'e'"},
    {"e (p: f32[2]) -> f32[3] { p = f32[2] parameter(0) }",
        "1:18: the root 'p' has the shape f32[2]"},
    {"HloModule m, entry_computation_layout={(f32[2])->f32[2]} ENTRY e { p = f32[3] parameter(0) }",
        "1:39: the parameter 'p' of ENTRY has the shape f32[3], and entry_computation_layout "
        "states f32[2]"},
    {"HloModule m, entry_computation_layout={(f32[2])->s32[2]} ENTRY e { p = f32[2] parameter(0) }",
        "1:39: the root 'p' of ENTRY has the shape f32[2], and entry_computation_layout states "
        "s32[2]"},
    {"HloModule m, entry_computation_layout={(f32[2], f32[])->f32[2]} ENTRY e { p = f32[2] "
     "parameter(0) }",
        "1:39: ENTRY has 1 parameter, and entry_computation_layout states 2"},
    {"HloModule m, entry_computation_layout={()->f32[2]} ENTRY e { p = f32[2] parameter(0) }",
        "1:39: ENTRY has 1 parameter, and entry_computation_layout states 0"},
    {"HloModule m, entry_computation_layout={(f32[2],)->f32[2]} ENTRY e {",
        "1:48: expected a shape, found ')'"},
    {"HloModule m, entry_computation_layout={(f32[2])} ENTRY e {",
        "1:48: expected '->' after the parameters, found '}'"},
    {"HloModule m, entry_computation_layout={f32[2]} ENTRY e {",
        "1:40: expected '(' before the parameters, found 'f32'"},
    {"HloModule m /* open", "1:13: the comment is not closed"},
    {"HloModule m, a=\"open", "1:16: the string is not closed"},
    {"HloModule m, a={(})", "1:18: expected ')', found '}'"},
    {"HloModule m, a={(", "1:16: '{' is not closed"},
    {"f{p=f32[]parameter(0)}g{q=f32[]parameter(0)c=f32[]call(q),to_apply=h}",
        "1:68: no computation 'h'"},
    {"f{p=f32[]parameter(0)ROOT c=f32[]call(p),to_apply=g}\ng{p=f32[]parameter(0)ROOT d=f32[]call(p),to_apply=f}",
        "2:27: 'd' calls 'f', which it is part of"},
    {"f{p=f32[]parameter(0)ROOT c=f32[]call(p),to_apply=f}",
        "1:27: 'c' calls 'f', which it is part of"},
    {IN_ENTRY("a = f32[] add(b, b)"),
        "2:15: no instruction 'b' is defined above in this computation"},
    {IN_ENTRY("a = f32[] negate(a)"),
        "2:18: no instruction 'a' is defined above in this computation"},
    {IN_ENTRY("a = f32[] negate(b)\nb = f32[] negate(a)"),
        "2:18: no instruction 'b' is defined above in this computation"},
    {IN_ENTRY("a = f32[] parameter(0)\na = f32[] negate(a)"),
        "3:1: a second instruction 'a' in one computation"},
    {IN_ENTRY("a = f32[] parameter(0)\nb = f32[] parameter(0)"), "3:1: a second parameter 0"},
    {IN_ENTRY("a = f32[] parameter(1)"),
        "2:1: parameter 1 of a computation with 1 parameter; the numbers start at 0"},
    {IN_ENTRY("a = f32[] parameter(-1)"), "2:21: a parameter's number is from 0 to 2147483646"},
    {IN_ENTRY("ROOT a = f32[] parameter(0) ROOT b = f32[] negate(a)"),
        "2:29: a second ROOT in one computation"},
    {IN_ENTRY("a = f32[] froh(b)"), "2:11: 'froh' is not an opcode"},
    {IN_ENTRY("a = f33[] parameter(0)"), "2:5: 'f33' is no element type"},
    {IN_ENTRY("a = b[2] parameter(0)"), "2:5: 'b' is no element type"},
    {IN_ENTRY("a = (f32[], b[]) parameter(0)"), "2:13: expected a shape, found 'b'"},
    {IN_ENTRY("a = b(f32[2] parameter(0)"),
        "2:14: expected ')' after a buffer's shape, found 'parameter'"},
    {IN_ENTRY("a = f32[4] parameter(0)\nb = f32[4] reverse(a), dimension={0}"),
        "3:1: reverse: dimensions is missing; did you mean it by 'dimension'?"},
    {IN_ENTRY("a = f32[4] parameter(0)\nb = f32[4] reverse(a), slice={[0:1]}"),
        "3:1: reverse: dimensions is missing"},
    {IN_ENTRY("a = parameter(0)"), "2:1: parameter: the shape is missing"},
    {IN_ENTRY("a = f32[2 parameter(0)"),
        "2:11: expected ']' after the sizes of a shape, found 'parameter'"},
    {IN_ENTRY("a = f32[-2] parameter(0)"), "2:9: a dimension's size is negative"},
    {IN_ENTRY("a = f32[?] constant({1})"), "2:21: a constant of a size that is not known"},
    {IN_ENTRY("a = f32[??] parameter(0)"),
        "2:10: expected ']' after the sizes of a shape, found '?'"},
    {IN_ENTRY("a = f32[<=?] parameter(0)"), "2:11: expected a dimension's size, found '?'"},
    {IN_ENTRY("a = f32[99999999999999999999] parameter(0)"), "2:9: the integer does not fit int64"},
    {IN_ENTRY("a = f32[4294967296,0,4294967296] parameter(0)"),
        "2:5: the element count overflows int64 at dimension 2 of size 4294967296"},
    {IN_ENTRY("a = f32[2,3]{1,1} parameter(0)"), "2:16: 1 is not one of the dimensions left of 2"},
    {IN_ENTRY("a = f32[2,3]{1} parameter(0)"),
        "2:15: expected ',' between the dimensions of a layout, found '}'"},
    {IN_ENTRY("a = f32[2]{0,1} parameter(0)"),
        "2:11: the layout has more dimensions than the shape's 1"},
    {IN_ENTRY("a = f32[2]{0:T8} parameter(0)"),
        "2:16: expected '(' after a layout's property, found '}'"},
    {IN_ENTRY("a = f32[2] parameter(0) b = f32[2] negate(f32[3] a)"),
        "2:43: 'a' has the shape f32[2]"},
    {IN_ENTRY("a = f32[2] constant({1, 2, 3})"), "2:28: more than the 2 elements of dimension 0"},
    {IN_ENTRY("a = f32[2] constant({1})"), "2:23: dimension 0 of the literal has 1 element, not 2"},
    {IN_ENTRY("a = f32[2] constant({{1, 2}})"),
        "2:22: the literal is nested deeper than the shape's rank 1"},
    {IN_ENTRY("a = f32[2,2] constant({1, 2})"),
        "2:24: expected 2 nested braces around a value, found 1"},
    {IN_ENTRY("a = f32[2,2] constant({{...}})"),
        "2:25: '...' is allowed only in the outermost braces"},
    {IN_ENTRY("a = f32[] constant()"), "2:20: expected a number, found ')'"},
    {IN_ENTRY("a = s8[] constant(128)"), "2:19: 128 is outside the range of s8"},
    {IN_ENTRY("a = u4[] constant(16)"), "2:19: 16 is outside the range of u4"},
    {IN_ENTRY("a = f16[] constant(-65520)"), "2:20: -65520 is outside the range of f16"},
    {IN_ENTRY("a = bf16[] constant(1e100)"), "2:21: 1e100 is outside the range of bf16"},
    {IN_ENTRY("a = f32[2] constant({1, 3.4028235677973366e38})"),
        "2:25: 3.4028235677973366e38 is outside the range of f32"},
    {IN_ENTRY(
         "a = f16[] constant(00000000000000000000000000000000000000000000000000000000000065520)"),
        "2:20: 00000000000000000000000000000000000000000000000000000000000065520 is outside the range of f16"},
    {IN_ENTRY("a = f64[] constant(-1.8e308)"), "2:20: -1.8e308 is outside the range of f64"},
    {IN_ENTRY("a = f32[2] constant({inf, .1e999})"), "2:27: .1e999 is outside the range of f32"},
    {IN_ENTRY("a = f8e5m2[] constant(1e400)"), "2:23: 1e400 is outside the range of f8e5m2"},
    {IN_ENTRY("a = f8e5m2[] constant(61440)"), "2:23: 61440 is outside the range of f8e5m2"},
    {IN_ENTRY("a = f8e5m2[] constant(-61440)"), "2:23: -61440 is outside the range of f8e5m2"},
    {IN_ENTRY("a = f8e5m2fnuz[] constant(61440)"),
        "2:27: 61440 is outside the range of f8e5m2fnuz"},
    {IN_ENTRY("a = f8e4m3fn[] constant(464.1)"), "2:25: 464.1 is outside the range of f8e4m3fn"},
    {IN_ENTRY("a = f8e4m3fn[] constant(-480)"), "2:25: -480 is outside the range of f8e4m3fn"},
    {IN_ENTRY("a = f8e4m3[] constant(248)"), "2:23: 248 is outside the range of f8e4m3"},
    {IN_ENTRY("a = f8e4m3fnuz[] constant(248)"), "2:27: 248 is outside the range of f8e4m3fnuz"},
    {IN_ENTRY("a = f8e4m3b11fnuz[] constant(31)"),
        "2:30: 31 is outside the range of f8e4m3b11fnuz"},
    {IN_ENTRY("a = f8e3m4[] constant(15.75)"), "2:23: 15.75 is outside the range of f8e3m4"},
    {IN_ENTRY("a = f8e8m0fnu[] constant(0)"), "2:26: 0 is outside the range of f8e8m0fnu"},
    {IN_ENTRY("a = f8e8m0fnu[] constant(-1)"), "2:26: -1 is outside the range of f8e8m0fnu"},
    {IN_ENTRY("a = f8e8m0fnu[] constant(2.6e38)"),
        "2:26: 2.6e38 is outside the range of f8e8m0fnu"},
    {IN_ENTRY("a = c64[] constant((0, 1e39))"), "2:24: 1e39 is outside the range of c64"},
    {IN_ENTRY("a = s32[] constant(1.5)"), "2:21: expected ')' after the literal, found '.'"},
    {IN_ENTRY("a = f32[] constant((1, 2))"), "2:20: expected a value, found '('"},
    {IN_ENTRY("a = token[] constant(1)"), "2:22: there are no constants of type token"},
    {IN_ENTRY("a = s32[4] iota()"), "2:1: iota: iota_dimension is missing"},
    {IN_ENTRY("a = f32[] parameter(0), x=1, x=2"), "2:30: attribute 'x' is given twice"},
    {"HloModule m, is_scheduled=true, x=1, is_scheduled=false\n" IN_ENTRY("a = f32[] parameter(0)"),
        "1:38: attribute 'is_scheduled' is given twice"},
    {IN_ENTRY("a = f32[] parameter(0), x"),
        "3:1: expected '=' after an attribute's name, found '}'"},
    {IN_ENTRY("a = f32[] parameter(0), channel_id=99999999999999999999"),
        "2:36: the integer does not fit int64"},
    {IN_ENTRY("a = f32[4] parameter(0) b = f32[4] reduce-window(a), window={size=2 size=2}"),
        "2:69: the window has 'size' twice"},
    {IN_ENTRY("a = f32[4] parameter(0) b = f32[4] reduce-window(a), window={size=2x2 stride=1}"),
        "2:61: the window's stride has 1 dimension, its size 2"},
    {IN_ENTRY("a = f32[4] parameter(0) b = f32[4] convolution(a, a), dim_labels=b0f_0io->b00f"),
        "2:77: the label '0' is used twice"},
    {IN_ENTRY("a = f32[4] parameter(0) b = f32[4] convolution(a, a), dim_labels=b1f_0io->b0f"),
        "2:66: spatial dimension 0 is missing"},
    {IN_ENTRY("a = f32[4] parameter(0) b = f32[4] all-reduce(a), replica_groups=[2,2]<=[5]"),
        "2:66: expected groups as [count,size]<=[sizes]T(permutation) with equal products"},
    {IN_ENTRY(
         "a = f32[4] parameter(0) b = f32[4] all-reduce(a), replica_groups=[1,9999999]<=[9999999]"),
        "2:66: the module's replica groups have more than 1048576 device ids"},
    {IN_ENTRY("a = f32[4] parameter(0) b = f32[4] all-reduce(a), replica_groups=max"),
        "2:66: expected replica groups, found 'max'"},
    {IN_ENTRY("a = f32[4] parameter(0) b = f32[4] all-reduce(a), replica_groups=mesh['x'=4] {'y'}"),
        "2:79: no axis of this name is left in the mesh"},
    {IN_ENTRY(
         "a = f32[4] parameter(0) b = f32[4] all-reduce(a), replica_groups=mesh['x'=4] {'x':(3)1}"),
        "2:79: an axis of 4 has no such part"},
    {IN_ENTRY(
         "a = f32[4] parameter(0) b = f32[4] all-reduce(a), replica_groups=mesh['x'=4], device_ids=(1,2) {'x'}"),
        "2:90: 2 ids for a mesh of 4"},
    {IN_ENTRY(
         "a = f32[4] parameter(0) b = f32[4] collective-permute(a), source_target_pairs={{0,1,2}}"),
        "2:79: element 0 is not a pair"},
    {IN_ENTRY("a = ((f32[4]), f32[4]) parameter(0) b = f32[4] abs-done(a)"),
        "2:37: the operand is not an async operation of 'abs' that was started above"},
    {IN_ENTRY("a = ((f32[4]), f32[4]) parameter(0) b = f32[4] async-done(a)"),
        "2:37: async-done: operand 0 is 'parameter', not async-start or async-update"},
};

static void texts_are_rejected_with_their_location(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rejected / sizeof *rejected; i++) {
    Arena *arena = arena_create();
    assert_string_equal(rejection(arena, rejected[i].text), rejected[i].rejection);
    arena_destroy(arena);
  }
}

static const Instruction *root_of(Arena *arena, const char *instructions) {
  Error error = {};
  const Module *module = module_of(arena, with_callees(arena, instructions), &error);
  if (module == nullptr) error_print(&error, stderr);
  assert_non_null(module);
  return module->entry->root;
}

static void assert_ints(Ints ints, uint32_t count, const int64_t *values) {
  assert_int_equal(ints.count, count);
  for (uint32_t i = 0; i < count; i++) assert_int_equal(ints.values[i], values[i]);
}
#define INTS(ints, ...) \
  assert_ints( \
      (ints), sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), (const int64_t[]){__VA_ARGS__})

static void attributes_reach_their_fields(void **state) {
  (void)state;
  Arena *arena = arena_create();
  const Instruction *root;
  root = root_of(arena,
      "p = f32[8,9] parameter(0) i = s32[5,2] parameter(1) ROOT g = f32[3,5,4] gather(p, i), offset_dims={0,2}, "
      "collapsed_slice_dims={}, start_index_map={1,0}, index_vector_dim=1, slice_sizes={3,4}");
  INTS(root->gather->offset_dims, 0, 2);
  INTS(root->gather->start_index_map, 1, 0);
  INTS(root->gather->slice_sizes, 3, 4);
  assert_int_equal(root->gather->index_vector_dim, 1);
  root = root_of(arena,
      "p = f32[2,5,6,4] parameter(0) k = f32[3,3,2,6] parameter(1) ROOT c = f32[2,2,6,6] convolution(p, k), "
      "window={size=3x3 stride=2x1 pad=-1_1x1_1 rhs_reversal=0x1}, dim_labels=b01f_01io->b01f, feature_group_count=2");
  INTS(root->convolution->input_spatial, 1, 2);
  INTS(root->convolution->kernel_spatial, 0, 1);
  assert_int_equal(root->number, 2);
  assert_int_equal(root->batch_group_count, 1);
  assert_int_equal(root->window->dims[0].pad_low, -1);
  assert_true(!root->window->dims[0].reversal && root->window->dims[1].reversal);
  assert_int_equal(root->window->dims[0].stride, 2);
  assert_int_equal(root->window->dims[1].base_dilation, 1);
  root = root_of(arena,
      "p = f32[8] parameter(0) ROOT a = f32[8] all-reduce(p), to_apply=add, replica_groups=[2,4]<=[4,2]T(1,0), "
      "channel_id=7, use_global_device_ids=true");
  INTS(root->replica_groups->groups[0], 0, 2, 4, 6);
  INTS(root->replica_groups->groups[1], 1, 3, 5, 7);
  assert_true(root->channel_id == 7 && root->use_global_device_ids);
  root = root_of(
      arena, "c = s32[2,2] constant({ {1, -2}, /*i=1*/{3, 4} }) ROOT r = s32[2,2] negate(c)");
  INTS(root->operands[0]->literal, 1, -2, 3, 4);
  root = root_of(arena, "ROOT c = pred[4] constant({2, -1, 0, true})");
  INTS(root->literal, 1, 1, 0, 1);
  root = root_of(arena, "ROOT c = u64[2] constant({18446744073709551615, 1})");
  INTS(root->literal, -1, 1);
  root = root_of(arena, "ROOT c = s32[2] constant(1)");
  assert_int_equal(root->literal.count, 0);
  root = root_of(arena, "ROOT c = s32[70000] constant({...})");
  assert_int_equal(root->literal.count, 0);
  arena_destroy(arena);
}

/* The groups of four devices in each form, and their expansion as {{..},{..}}. */
static void replica_groups_are_expanded(void **state) {
  (void)state;
  static const struct {
    const char *text, *groups;
  } rows[] = {
      {"{}", ""},
      {"{{0,1},{2,3}}", "0,1;2,3;"},
      {"[2,2]<=[4]", "0,1;2,3;"},
      {"[2,2]<=[2,2]T(1,0)", "0,2;1,3;"},
      {"[1,4]<=[2,2]T(1,0)", "0,2,1,3;"},
      {"[4,2]<=[2,2,2]T(1,2,0)", "0,4;1,5;2,6;3,7;"},
      {"mesh['x'=2,'y'=2] {'y'}", "0,1;2,3;"},
      {"mesh['x'=2,'y'=2] {'x'}", "0,2;1,3;"},
      {"mesh['x'=2,'y'=2] {'y','x'}", "0,2,1,3;"},
      {"mesh['x'=2,'y'=2] {}", "0;1;2;3;"},
      {"mesh['x'=2,'y'=2], device_ids=(3,2,1,0) {'y'}", "3,2;1,0;"},
      {"mesh['x'=2,'y'=2], device_ids=([2,2]T(1,0)) {'y'}", "0,2;1,3;"},
      {"mesh['x'=8] {'x':(2)2}", "0,2;1,3;4,6;5,7;"},
      {"mesh['x'=8] {'x':(1)2,'x':(4)2}", "0,1,4,5;2,3,6,7;"},
      {"mesh['x'=8] {'x':(4)2,'x':(1)2}", "0,4,1,5;2,6,3,7;"},
      {"mesh['x'=8,'y'=2] {'x':(1)2,'x':(4)2}", "0,2,8,10;1,3,9,11;4,6,12,14;5,7,13,15;"},
      {"mesh['y'=2,'x'=8] {'x':(2)4,'x':(1)2}", "0,4,1,5,2,6,3,7;8,12,9,13,10,14,11,15;"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *arena = arena_create();
    const Instruction *root =
        root_of(arena, arena_printf(arena,
                           "p = f32[4] parameter(0) ROOT r = f32[4] all-reduce(p), "
                           "to_apply=add, replica_groups=%s, channel_id=1",
                           rows[i].text));
    Text text = text_create(arena);
    for (uint32_t j = 0; j < root->replica_groups->count; j++) {
      Ints group = root->replica_groups->groups[j];
      for (uint32_t k = 0; k < group.count; k++)
        text_printf(&text, k > 0 ? ",%d" : "%d", (int)group.values[k]);
      text_string(&text, ";");
    }
    assert_string_equal(text.bytes, rows[i].groups);
    assert_int_equal(root->channel_id, 1);
    arena_destroy(arena);
  }
}

static void branches_stand_true_before_false(void **state) {
  (void)state;
  Arena *arena = arena_create();
  Error error = {};
  const Module *module = module_of(arena,
      "no { ROOT a = f32[] parameter(0) } yes { ROOT b = f32[] parameter(0) } ENTRY e { p = pred[] parameter(0) "
      "x = f32[] parameter(1) ROOT c = f32[] conditional(p, x, x), false_computation=no, true_computation=yes }",
      &error);
  assert_non_null(module);
  assert_string_equal(module->entry->root->called[0]->name, "yes");
  assert_string_equal(module->entry->root->called[1]->name, "no");
  arena_destroy(arena);
}

/* Callees may follow their callers; without ENTRY the last computation in the text is the entry. */
static void computations_come_in_the_order_of_calls(void **state) {
  (void)state;
  Arena *arena = arena_create();
  Error error = {};
  const Module *module = module_of(arena,
      "a { p = f32[] parameter(0) ROOT r = f32[] call(p), to_apply=c } "
      "c { ROOT p = f32[] parameter(0) } b { ROOT p = f32[] parameter(0) }",
      &error);
  assert_non_null(module);
  assert_string_equal(module->computations[0]->name, "c");
  assert_string_equal(module->computations[1]->name, "a");
  assert_string_equal(module->entry->name, "b");
  assert_string_equal(module->name, "module_b");
  arena_destroy(arena);
}

/* The short form of an async operation gets a computation of its own, like the long form. */
static void a_short_async_form_is_wrapped(void **state) {
  (void)state;
  Arena *arena = arena_create();
  Error error = {};
  const Module *module = module_of(arena,
      "ENTRY e { p = f32[4] parameter(0) s = ((f32[4]), f32[2], u32[]) slice-start(p), slice={[1:3]}, metadata={op_name=\"x\"}, "
      "async_execution_thread=\"t\" u = ((f32[4]), f32[2], u32[]) slice-update(s) ROOT d = f32[2] slice-done(u) }",
      &error);
  if (module == nullptr) error_print(&error, stderr);
  assert_non_null(module);
  const Instruction *start = module->entry->instructions[1];
  assert_int_equal(start->opcode, HLO_ASYNC_START);
  assert_int_equal(module->entry->instructions[2]->opcode, HLO_ASYNC_UPDATE);
  assert_int_equal(module->entry->root->opcode, HLO_ASYNC_DONE);
  const Instruction *operation = start->called[0]->root;
  assert_int_equal(operation->opcode, HLO_SLICE);
  INTS(operation->starts, 1);
  assert_non_null(instruction_attribute(start, "async_execution_thread"));
  assert_non_null(instruction_attribute(start, "metadata"));
  assert_null(instruction_attribute(start, "slice"));
  assert_null(instruction_attribute(operation, "async_execution_thread"));
  assert_string_equal(
      rejection(arena,
          "ENTRY e { p = f32[4] parameter(0) s = ((f32[4]), f32[4]) abs-start(p) ROOT d = f32[4] negate-done(s) }"),
      "1:76: the operand is not an async operation of 'negate' that was started above");
  arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forms_are_read),
      cmocka_unit_test(the_layout_of_entry_has_its_shapes),
      cmocka_unit_test(an_attribute_of_the_header_is_left_out),
      cmocka_unit_test(a_schedule_is_stated_by_the_header),
      cmocka_unit_test(texts_are_rejected_with_their_location),
      cmocka_unit_test(attributes_reach_their_fields),
      cmocka_unit_test(replica_groups_are_expanded),
      cmocka_unit_test(branches_stand_true_before_false),
      cmocka_unit_test(computations_come_in_the_order_of_calls),
      cmocka_unit_test(a_short_async_form_is_wrapped),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
