#!/bin/sh
# Tests the checks: each seeded include and each style violation is reported at its line, and nothing else is.
#   checks_test.sh BUILD
set -eu
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$here/include_graph" "$here/seeded_arrows" >"$scratch/arrows" && { echo "seeded arrows passed"; exit 1; }
sed 's/ (it may include.*//' "$scratch/arrows" | diff "$here/seeded_arrows/expected.txt" - || exit 1

mkdir -p "$scratch/tree/core"
printf 'int late;\n#embed "nowhere.txt"\n' >"$scratch/tree/core/bare.c"
{ echo '/* Long. */'; seq 600 | sed 's/.*//'; } >"$scratch/tree/core/long.c"
printf '/* Written by long.c and lost.c. */\n' >"$scratch/tree/core/named.c"
printf 'see /%s/someone/notes\nand "/%s/leftovers"\n' home tmp >"$scratch/tree/notes.txt"
mkdir "$scratch/tree/many" # more files than one run of grep accepts
(cd "$scratch/tree/many" && seq 600 | sed "s/$/$(printf %0240d 0)/" | xargs touch)
cat >"$scratch/expected" <<END
core/bare.c:1: opens without the paragraph that says what it is
core/long.c:601: past 600 lines: wants splitting by technique
style: 3 sources, 2 faults
./notes.txt:1:see /$(echo home)/someone/notes
./notes.txt:2:and "/$(echo tmp)/leftovers"
style: a path of one machine
core/bare.c: embeds a file that is not there: nowhere.txt
core/named.c:1: names a source that is not there: lost.c
notes.txt: a file at the root that ci/style does not list
END
"$here/style" "$scratch/tree" >"$scratch/style" && { echo "seeded style passed"; exit 1; }
diff "$scratch/expected" "$scratch/style" || exit 1
# A group without a function of the engine: which file and which function.
mkdir -p "$scratch/groups/core/index" "$scratch/groups/core/hlo"
printf 'GROUP(rotate, SHAPE)\n' >"$scratch/groups/core/hlo/opcodes.def"
printf '\n' >"$scratch/groups/core/index/family.h"
"$here/group_sources" "$scratch/groups" "$scratch/rows" 2>"$scratch/said" && { echo "a group without a function passed"; exit 1; }
grep -q 'opcodes.def has the group rotate, and no file of core/index has the function reads_rotate' "$scratch/said" || { cat "$scratch/said"; exit 1; }
# A stated exit status that did not come.
if command -v python3 >/dev/null; then
  printf '```console\n$ false\n```\n\nThe exit status is 1.\n' >"$scratch/right.md"
  sed 's/is 1/is 0/' "$scratch/right.md" >"$scratch/wrong.md"
  python3 "$here/../cli/test/docs_check.py" true "$scratch/right.md" >/dev/null || { echo "a stated exit status was rejected"; exit 1; }
  python3 "$here/../cli/test/docs_check.py" true "$scratch/wrong.md" >/dev/null 2>&1 && { echo "a wrong exit status passed"; exit 1; }
fi
# A sentence of twelve words where ten are allowed, and one of four.
printf 'One two three four five six seven eight nine ten eleven twelve. One two three four.\n' >"$scratch/prose.md"
"$here/sentences" 10 "$scratch/prose.md" >"$scratch/sentences" && { echo "a seeded sentence passed"; exit 1; }
grep -q '^ 12 .*: *One two three four five' "$scratch/sentences" || { echo "the long sentence was not reported"; exit 1; }
grep -q '^sentences: 2, 1 of more than 10 words$' "$scratch/sentences" || { echo "sentences were not counted"; exit 1; }
# Lines that no seed reaches, in a directory below one that must be covered.
printf '%s\n' 'core/map/map.c 100 0' 'core/simplify/simplify.c 100 0' 'core/index/index.c 100 0' 'core/hlo/hlo.c 100 0' 'oracle/oracle.c 50 50' >"$scratch/lines"
"$here/coverage" --lines "$scratch/lines" >"$scratch/covered" || { cat "$scratch/covered"; exit 1; }
echo 'core/index/ops/slice.c 100 25' >>"$scratch/lines"
"$here/coverage" --lines "$scratch/lines" >"$scratch/covered" && { echo "missed lines of core/index/ops passed"; exit 1; }
grep -qx 'core/index and below: 175 of 200 lines reached, at least 90 % wanted: too little' "$scratch/covered" || { cat "$scratch/covered"; exit 1; }
# A program that prints no such line, or ends before it, is no detected mutant; one that goes on is ended.
"$here/until" 'is wrong' sh -c 'echo all is right' >"$scratch/until" && { echo "ci/until passed without the line"; exit 1; }
timeout 60 "$here/until" '^it is wrong$' sh -c 'echo it is wrong >&2; exec sleep 300' >"$scratch/until" || { echo "ci/until did not end the program"; exit 1; }
grep -qx 'it is wrong' "$scratch/until" || { echo "ci/until did not print the line"; exit 1; }
mkdir -p "$scratch/once/judge" "$scratch/once/core/base" "$scratch/once/core/map"
cat >"$scratch/once/judge/again.c" <<'END'
/* Each thing for the second time. */
  uint32_t all = map->dim_count + map->range_count + map->runtime_count;
  return asked->map->dim_count +
         asked->map->range_count;
  memcpy(copy->dims, map->dims, map->dim_count * sizeof *map->dims);
  memcpy(copy->ranges + 1,
      map->ranges, map->range_count * sizeof *map->ranges);
  clock_gettime(CLOCK_MONOTONIC, &time);
  double start = (double)clock();
  pid_t child = fork();
  while (waitpid(child, &state, 0) < 0) continue;
  uint32_t own = map->dim_count + map->result_count;
  memcpy(row, values, sizeof *row);
  pitchfork(1);
  while (slots[at].item != 0) at = (at + 1) & table->mask;
  at = (at + 1) % count;
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
END
cp "$scratch/once/judge/again.c" "$scratch/once/core/base/again.c"
cp "$scratch/once/judge/again.c" "$scratch/once/core/map/again.c"
"$here/one_of_each" "$scratch/once" >"$scratch/again" && { echo "seeded copies passed"; exit 1; }
sum="the sum of a map's counts of variables" copy="a copy of a map's variables" clock="a reading of a clock" child="a child process" table="a walk over the slots of a hash table" random="a generator of random numbers"
diff - "$scratch/again" <<END || exit 1
core/base/again.c:2: $sum
core/base/again.c:4: $sum
core/base/again.c:5: $copy
core/base/again.c:7: $copy
core/base/again.c:17: $random
core/map/again.c:8: $clock
core/map/again.c:9: $clock
core/map/again.c:10: $child
core/map/again.c:11: $child
core/map/again.c:15: $table
core/map/again.c:17: $random
judge/again.c:2: $sum
judge/again.c:4: $sum
judge/again.c:5: $copy
judge/again.c:7: $copy
judge/again.c:8: $clock
judge/again.c:9: $clock
judge/again.c:10: $child
judge/again.c:11: $child
judge/again.c:15: $table
judge/again.c:17: $random
END

# A type with two meanings, one of structures and one of functions, an enumerator with two, a type defined twice by the same text, a static function in
# two files, and one without a noun.
mkdir -p "$scratch/named/core" "$scratch/named/smt"
printf 'typedef struct Reading {\n  int at;\n} Reading;\ntypedef _BitInt(128) Wide;\nstatic int few(int x) { return x; }\ntypedef enum Kind { FIRST, LAST } Kind;\ntypedef bool Rule(int at);\n' >"$scratch/named/core/one.c"
printf 'typedef enum Reading : int { NONE } Reading;\ntypedef _BitInt(128) Wide;\n[[maybe_unused]] static int few(int x) { return x; }\nstatic void run(void) {}\ntypedef enum Other : int {\n  FIRST = 2, /* of all, LAST */\n} Other;\ntypedef struct Rule { int at; } Rule;\n' >"$scratch/named/smt/two.c"
"$here/names" "$scratch/named" >"$scratch/names" && { echo "seeded names passed"; exit 1; }
diff - "$scratch/names" <<END || exit 1
smt/two.c:1: type Reading has another meaning in core/one.c
smt/two.c:3: static function few stands in core/one.c too
smt/two.c:4: static function run names no noun
smt/two.c:7: type FIRST has another meaning in core/one.c
smt/two.c:8: type Rule has another meaning in core/one.c
names: 12 types, 3 static functions of one word, 5 faults
END

# A judge that may not read HLO, and a directory that nothing may call.
sed -e 's/^oracle: .*/oracle: core_base/' -e '/^smt/s/ core_base//' "$here/link_graph.rules" >"$scratch/rules"
"$here/link_graph" "$1" "$scratch/rules" >"$scratch/links" && { echo "seeded links passed"; exit 1; }
grep -q '^oracle uses shape_elements of core_hlo$' "$scratch/links" || { echo "oracle's link was not reported"; exit 1; }
sed '/^core_adapters_isl:/d' "$here/link_graph.rules" >"$scratch/rules"
"$here/link_graph" "$1" "$scratch/rules" >"$scratch/rowless" && { echo "a library without a row passed"; exit 1; }
grep -q '^core_adapters_isl defines names and has no row$' "$scratch/rowless" || { echo "a library without a row was not reported"; exit 1; }
grep -q '^smt uses arena_alloc of core_base$' "$scratch/links" || { echo "smt's link was not reported"; exit 1; }

# A judge that may use less of the engine than it does.
sed '/^only: smt core_expr/s/ memo_insert//' "$here/link_graph.rules" >"$scratch/rules"
"$here/link_graph" "$1" "$scratch/rules" >"$scratch/narrowed" && { echo "a name that smt may not use passed"; exit 1; }
grep -q '^smt uses memo_insert of core_expr$' "$scratch/narrowed" || { echo "a name that smt may not use was not reported"; exit 1; }

# A name in two libraries, one of which has no row, and a name in two files of one library.
mkdir "$scratch/twice"
for file in "$1"/lib*.a; do ln -s "$(realpath "$file")" "$scratch/twice/"; done
cp "$1/libcore_expr.a" "$scratch/twice/libgenerate_testing.a.new"
mv "$scratch/twice/libgenerate_testing.a.new" "$scratch/twice/libgenerate_testing.a"
"$here/link_graph" "$scratch/twice" >"$scratch/doubles" && { echo "a name in two libraries passed"; exit 1; }
grep -q '^memo_insert is defined in core_expr (memo.c.o) and in generate_testing (memo.c.o)$' "$scratch/doubles" || { echo "a name in two libraries was not reported"; exit 1; }
ar=$(command -v llvm-ar || command -v ar || ls /usr/lib/llvm-*/bin/llvm-ar 2>/dev/null | tail -n 1)
cp "$1/libcore_expr.a" "$scratch/whole.a"
(cd "$scratch" && "$ar" x whole.a memo.c.o && mv memo.c.o again.c.o && "$ar" q whole.a again.c.o)
ln -sf "$(realpath "$1/libgenerate_testing.a")" "$scratch/twice/"
mv "$scratch/whole.a" "$scratch/twice/libcore_expr.a"
"$here/link_graph" "$scratch/twice" >"$scratch/doubles" && { echo "a name in two files of a library passed"; exit 1; }
grep -q '^memo_insert is defined in core_expr (.*.c.o) and in core_expr (.*.c.o)$' "$scratch/doubles" || { echo "a name in two files of a library was not reported"; exit 1; }
sed 's/^in two: /in two: arena_alloc /' "$here/link_graph.rules" >"$scratch/rules"
"$here/link_graph" "$1" "$scratch/rules" >"$scratch/doubles" && { echo "a name that is wrongly said to be in two libraries passed"; exit 1; }

# A program that searches the sentence of a verdict.
mkdir -p "$scratch/sentence/judge"
echo 'bool f(const Verdict *v) { return strstr(verdict_text(v), "before") != nullptr; }' >"$scratch/sentence/judge/reads.c"
"$here/verdict_sentences" "$scratch/sentence" >"$scratch/read" && { echo "a seeded reader of a sentence passed"; exit 1; }
grep -q '^judge/reads.c:1:' "$scratch/read" || { echo "the reader of a sentence was not reported"; exit 1; }
# A program that searches for words that a judge writes, whatever its variable is called.
mkdir -p "$scratch/words/judge" "$scratch/words/cli"
echo 'void f(Text *a) { text_string(a, has_point ? "different at " : "different: "); }' >"$scratch/words/judge/writes.c"
echo 'bool g(const char *a) { return strncmp(a, "different at ", 13) == 0; }' >"$scratch/words/cli/reads.c"
"$here/verdict_sentences" "$scratch/words" >"$scratch/read" && { echo "a seeded reader of a judge's words passed"; exit 1; }
grep -q '^cli/reads.c:1: "different at "' "$scratch/read" || { echo "the reader of a judge's words was not reported"; exit 1; }

# Two files that call each other through a third, one that calls into the cycle, a cycle that is listed, and a row too many.
cat >"$scratch/symbols" <<END
build/CMakeFiles/core_x.dir/core/x/a.c.o: 0000000000000000 T a_run
build/CMakeFiles/core_x.dir/core/x/a.c.o:                  U b_run
build/CMakeFiles/core_x.dir/core/x/b.c.o: 0000000000000000 T b_run
build/CMakeFiles/core_x.dir/core/x/b.c.o:                  U c_run
build/CMakeFiles/core_x.dir/core/x/c.c.o: 0000000000000000 T c_run
build/CMakeFiles/core_x.dir/core/x/c.c.o:                  U a_run
build/CMakeFiles/core_x.dir/core/x/d.c.o: 0000000000000000 T d_run
build/CMakeFiles/core_x.dir/core/x/d.c.o:                  U a_run
build/CMakeFiles/core_x.dir/core/x/d.c.o:                  U printf
build/CMakeFiles/core_y.dir/core/y/e.c.o: 0000000000000000 T e_run
build/CMakeFiles/core_y.dir/core/y/e.c.o:                  U f_run
build/CMakeFiles/core_y.dir/core/y/f.c.o: 0000000000000000 T f_run
build/CMakeFiles/core_y.dir/core/y/f.c.o:                  U e_run
END
printf 'core/y/\ncore/x/d.c\n' >"$scratch/rules"
cat >"$scratch/expected" <<END
circle: core/x/a.c core/x/b.c core/x/c.c
  core/x/a.c calls b_run of core/x/b.c
  core/x/b.c calls c_run of core/x/c.c
  core/x/c.c calls a_run of core/x/a.c
circle that the rules name: core/y/e.c core/y/f.c
core/x/d.c is in no circle: take it out of the rules
call graph: 6 files, 6 calls between files, 2 circles of 5 files, 2 faults
END
awk -f "$here/call_graph.awk" "$scratch/rules" "$scratch/symbols" >"$scratch/calls" && { echo "seeded circles passed"; exit 1; }
diff "$scratch/expected" "$scratch/calls" || exit 1

# A file that calls a member of a structure, and a file that stores its function there and calls the first: a cycle without direct calls.
mkdir -p "$scratch/indirect/core/x"
printf 'typedef struct Table {\n  int (*value)(int at);\n} Table;\n' >"$scratch/indirect/core/x/table.h"
printf 'int low_run(const Table *table) { return table->value(1); }\n' >"$scratch/indirect/core/x/low.c"
printf 'static int high_value(int at) { return at; }\nint high_run(void) { return low_run(&(Table){.value = high_value}); }\n' >"$scratch/indirect/core/x/high.c"
cat >"$scratch/symbols" <<END
core_x.dir/core/x/low.c.o: 0000000000000000 T low_run
core_x.dir/core/x/high.c.o:                  U low_run
END
"$here/call_graph_indirect" "$scratch/indirect" core/x >>"$scratch/symbols"
echo "# none" >"$scratch/rules"
awk -f "$here/call_graph.awk" "$scratch/rules" "$scratch/symbols" >"$scratch/calls" && { echo "a seeded circle through a member passed"; exit 1; }
grep -q '^  core/x/low.c calls (\*value) of core/x/high.c$' "$scratch/calls" || { echo "the circle through a member was not reported"; exit 1; }

"$here/opcode_files" 1 fft >"$scratch/files" && { echo "an opcode in seven files passed as one in one"; exit 1; }
"$here/opcode_files" 7 no-such-opcode >"$scratch/files" && { echo "an opcode that stands nowhere passed"; exit 1; }

# Skipped tests are reported, with their reason or with the lack of one.
mkdir -p "$scratch/ran/Testing/Temporary"
cat >"$scratch/said" <<END
1/5 Test #1: without_tool ................***Skipped   0.03 sec
2/5 Test #2: without_reason ..............***Skipped   0.01 sec
3/5 Test #3: in_part .....................   Passed    0.02 sec
4/5 Test #4: fault_of_something ..........***Not Run (Disabled)   0.00 sec
END
cat >"$scratch/ran/Testing/Temporary/LastTest.log" <<END
1/5 Testing: without_tool
1/5 Test: without_tool
skipped: no tool
2/5 Testing: without_reason
2/5 Test: without_reason
3/5 Testing: in_part
skipped: no directory
[  SKIPPED ] a_part_of_it
nothing was skipped
END
cat >"$scratch/expected" <<END
$scratch/ran: 1 tests that run with ci/test --nightly (ci/labels.cmake says why)
$scratch/ran: in_part: [  SKIPPED ] a_part_of_it
$scratch/ran: in_part: skipped: no directory
$scratch/ran: without_reason: skipped without a reason
$scratch/ran: without_tool: skipped: no tool
END
LC_ALL=C "$here/left_out" "$scratch/ran" "$scratch/said" | diff "$scratch/expected" - || exit 1
grep -v -e Skipped -e Disabled "$scratch/said" >"$scratch/all_ran"
grep -v -e nightly -e "without a reason" "$scratch/expected" >"$scratch/said_alone"
LC_ALL=C "$here/left_out" "$scratch/ran" "$scratch/all_ran" | diff "$scratch/said_alone" - || { echo "left_out: where no test was skipped"; exit 1; }

echo "every mutant was reported"
