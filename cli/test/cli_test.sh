#!/bin/sh
# The command as a user sees it: exit statuses, errors with their location, bad input, output that cannot be written, line tools.
#   cli_test.sh AFFIRM SOURCE_DIR [MLIR-OPT]
set -u
affirm=$1
cd "$2" || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
faults=0
total=0
# A finding of a sanitizer must not look like an exit status of affirm.
export ASAN_OPTIONS="exitcode=99:${ASAN_OPTIONS:-}" UBSAN_OPTIONS="exitcode=99:print_stacktrace=1:${UBSAN_OPTIONS:-}"

fault() { echo "FAULT: $*"; sed 's/^/    | /' "$scratch/out" "$scratch/err" | head -20; faults=$((faults + 1)); }
# expect STATUS ARGUMENT...: runs affirm with limits on time and memory (if the build supports them).
expect() {
  wanted=$1
  shift
  total=$((total + 1))
  timeout 600 "$affirm" "$@" >"$scratch/out" 2>"$scratch/err" <"${input:-/dev/null}"
  got=$?
  [ $got -eq "$wanted" ] || fault "affirm $*: exit status $got, not $wanted"
}
says() { grep -qF -- "$1" "$scratch/out" || fault "the output lacks: $1"; }
complains() { grep -qF -- "$1" "$scratch/err" || fault "the errors lack: $1"; }

expect 0 --help; says "simplify"
expect 0 --version
expect 3
expect 3 frobnicate; complains "no command 'frobnicate'"
expect 3 map
expect 3 check
expect 3 map --style fancy x.hlo; complains "one of line pretty xla"
expect 3 map --output x x.hlo; complains "needs a number"
expect 3 map --output ' 0' x.hlo; complains "needs a number"
expect 3 exhaust --scope reverse --journal=; complains "--journal needs a word"
expect 3 map --frob x.hlo
for command in map simplify check emit exhaust merge gate; do expect 0 $command --help && says "affirm $command"; done

# explore --rows: a list of instructions without ENTRY has the lines and columns of its text, and ends at the text's end.
rows_of() { printf "$1" >"$scratch/list"; expect 0 explore --rows "$scratch/list"; }
faulty() { printf "$1" >"$scratch/list"; expect 3 explore --rows "$scratch/list"; says "$2"; }
faulty 'a = f32[3] parameter(0)\nROOT b = f32[3] negate(c)\n' "line 2, column 24: no instruction 'c'"
faulty '\n\na = f32[3] parameter(0)\nROOT b = f32[3] negate(c)\n' "line 4, column 24: "
faulty 'a = f32[3] strange(0)' "line 1, column 12: "
faulty 'garbage' "line 1, column 8: expected '=' after the instruction's name, found the end of the text"
faulty 'a = f32[3] parameter(0)\n\ngarbage\n\n' "line 3, column 8: expected"
faulty 'HloModule m\ngarbage' "line 2, column 8: expected '{'"
rows_of 'a = f32[3] parameter(0)\nROOT b = f32[3] negate(a)\n'; says "b = negate, text:2<"
rows_of '// a list\na = f32[3] parameter(0)\n\nb = f32[3] negate(a) // end'; says "b = negate, text:4<"
# Its status is the worst of the rows; a rule is never proved here, and a text without a row is open.
negate='a = f32[3] parameter(0)\nROOT b = f32[3] negate(a)\n'
for case in "0 (d0) -> (d0 mod 4), domain: d0 in [0, 3]" "1 ${negate}Output 0 operand 0:\n(d0) -> (0), domain: d0 in [0, 2]\n" \
  "1 rule f\n  x mod c => x\n  when c > 0\n" "2 rule t\n  x + 0 => x\n" "2 ROOT a = f32[3] parameter(0)\n"; do
  printf "${case#* }" >"$scratch/list"
  expect "${case%% *}" explore --rows "$scratch/list"
done

# Maps below `# INSTRUCTION in COMPUTATION` are about that instruction.
printf 'HloModule m\nENTRY e {\n  a = f32[4] parameter(0)\n  q = f32[4] reverse(a), dimensions={0}\n  ROOT r = f32[4] negate(q)\n}\n' >"$scratch/named.txt"
printf 'Output 0 operand 0:\n(d0) -> (d0), domain: d0 in [0, 3]\n# q in e\nOutput 0 operand 0:\n(d0) -> (-d0 + 3), domain: d0 in [0, 3]\n# q in f\nOutput 0 operand 0:\n(none)\n# module 2: m\nOutput 0 operand 0:\n(none)\n' >>"$scratch/named.txt"
"$affirm" explore --rows "$scratch/named.txt" >"$scratch/out"
[ "$(grep -c 'data-verdict="exact"' "$scratch/out")" -eq 2 ] || fault "maps of a named instruction are judged for the root"
says "q = reverse"; says "the module has no instruction"; says "judged for module 1 only, not for module 2"

# A source without a name that the module has is printed as unknown.
printf 'HloModule m\nENTRY e {\n  p = f32[9] parameter(0)\n  i = s32[] parameter(1)\n  ROOT s = f32[3] dynamic-slice(p, i), dynamic_slice_sizes={3}\n}\n' >"$scratch/offset.hlo"
offset='Output 0 operand 0:\n(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 2], rt0 in [0, 6]'
printf "$offset\nruntime variables:\nrt0: nothing; () -> ()\n" >"$scratch/offset.txt"
expect 2 audit "$scratch/offset.hlo" --maps "$scratch/offset.txt" --json; says 'runtime variables:\nrt0: unknown; UNDEFINED"'
printf "$offset\n" >"$scratch/offset.txt"
expect 2 audit "$scratch/offset.hlo" --maps "$scratch/offset.txt" --json; says '"maps":["(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 2], rt0 in [0, 6]"]'

# A sort with n operands has n * n questions: memory is freed between them, and reaching a limit is reported.
awk -v n=150 'BEGIN {
  print "HloModule m\n\nless {"
  for (i = 0; i < 2 * n; i++) printf "  a%d = f32[] parameter(%d)\n", i, i
  print "  ROOT r = pred[] compare(a0, a1), direction=LT\n}\n\nENTRY e {"
  for (i = 0; i < n; i++) printf "  p%d = f32[8] parameter(%d)\n", i, i
  printf "  ROOT s = ("; for (i = 0; i < n; i++) printf "%sf32[8]", i ? ", " : ""
  printf ") sort("; for (i = 0; i < n; i++) printf "%sp%d", i ? ", " : "", i
  print "), dimensions={0}, to_apply=less\n}" }' >"$scratch/sort.hlo"
expect 0 map --megabytes 50 "$scratch/sort.hlo"
expect 2 map --questions 10 "$scratch/sort.hlo"; complains "incomplete: 44990 queries left out"
expect 2 check --quiet --questions 10 "$scratch/sort.hlo"; complains "incomplete: 44990 queries left out"
expect 2 check --quiet --questions 10 --json --junit "$scratch/left.xml" "$scratch/sort.hlo"; says '"left out":44990'
grep -q 'incomplete: 44990 queries left out' "$scratch/left.xml" || { echo "the JUnit file does not say what was left out"; exit 1; }
# A row of a result file that did not pass has a command that repeats it, and a name of its own.
over='f32[4] scatter(a, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add'
for module in one two; do
  printf 'HloModule %s\nadd {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT z = f32[] add(x, y)\n}\nENTRY e {\n  a = f32[4] parameter(0)\n  i = s32[2,1] parameter(1)\n  u = f32[2] parameter(2)\n  ROOT s = %s\n}\n' $module "$over"
done >"$scratch/two.hlo"
expect 0 check "$scratch/two.hlo" --junit "$scratch/two.xml"
sed -n 's/.*<testcase classname="[^"]*" name="\([^"]*\)".*/\1/p' "$scratch/two.xml" | sort | uniq -d | grep . && fault "two modules have rows of one name"
expect 1 check "$scratch/two.hlo" --exact --junit "$scratch/two.xml"
grep -c 'name="module 2, s, Output 0 operand' "$scratch/two.xml" | grep -q '^[2-9]' || fault "rows of --exact do not name their module and query"
sed -n 's/.*<testcase classname="\([^"]*\)" name="\([^"]*\)".*/\1 \2/p' "$scratch/two.xml" | sort | uniq -d | grep . && fault "two rows of --exact have one name"
grep -q 'replay: affirm check --exact ' "$scratch/two.xml" || fault "a row of --exact has no command"
expect 1 check "$scratch/two.hlo" --exact --questions 7 --junit "$scratch/two.xml"
grep -q 'name="left out"' "$scratch/two.xml" || fault "what is left out has no row beside a failure"
printf '# wrong\nsimplify (d0) -> (d0 + 0), domain: d0 in [0, 3]\n= (d0) -> (d0 + 1), domain: d0 in [0, 3]\n' >"$scratch/wrong.case"
expect 1 check "$scratch/wrong.case" --junit "$scratch/wrong.xml"
grep -q 'replay: affirm check ' "$scratch/wrong.xml" || fault "a failed case has no command"
# One step for each leaf; the leaves of a tuple are judged once.
awk -v n=10000 'BEGIN {
  print "HloModule m\n\nENTRY e {"
  for (i = 0; i < n; i++) printf "  p%d = f32[8] parameter(%d)\n", i, i
  printf "  ROOT s = ("; for (i = 0; i < n; i++) printf "%sf32[8]", i ? ", " : ""
  printf ") tuple("; for (i = 0; i < n; i++) printf "%sp%d", i ? ", " : "", i
  print ")\n}" }' >"$scratch/tuple.hlo"
expect 0 check "$scratch/tuple.hlo"; says "operands 20000: 20000 exact"
# A token is not an array: no element of it is read, and the judges agree.
printf 'HloModule m\n\nENTRY e {\n  p = f32[3] parameter(0)\n  t = token[] after-all()\n  ROOT r = (f32[3], token[]) tuple(p, t)\n}\n' >"$scratch/token.hlo"
expect 0 check "$scratch/token.hlo"; says "operands 4: 4 exact"

# A negative example that a user states is checked too.
printf 'rule near\n  x floordiv c => x\n  when c == 1\n  near-miss: c == 1\n' >"$scratch/near.rules"
expect 1 prove --no-store "$scratch/near.rules"; says "near PROVED"; says "negative example of near: PROVED, and must be refuted"
sed -i 's/near-miss: c == 1/near-miss: c == 2/' "$scratch/near.rules"
expect 0 prove --no-store "$scratch/near.rules"; says "near PROVED"

# Every command that reads rules says the same of a rule that does not fire on its example, and of an example that is no map.
printf 'law commutes: add(x, y) => add(y, x) on integral grade exact\n' >"$scratch/few.laws"
guard='c > 0, 0 <= lo(x), hi(x) <'
printf "rule mine\n  x mod c => x\n  when $guard c\n  near-miss: $guard= c\n  order: weight\n  example: (d0) -> (d0 mod 8), domain: d0 in [0, 8]\n" >"$scratch/idle.rules"
sed 's/in \[0, 8\]/in [0, 7]/' "$scratch/idle.rules" >"$scratch/fires.rules"
sed 's/example: .*/example: (d0) -> (/' "$scratch/idle.rules" >"$scratch/torn.rules"
with_rules() { # with_rules STATUS NAME: the status of each command with these rules
  expect "$1" gate --no-corpus --exhaust 0 --fuzz 0 --laws "$scratch/few.laws" --rules "$scratch/$2.rules"; cp "$scratch/out" "$scratch/$2.gate"; cp "$scratch/err" "$scratch/$2.gate.err"
  expect "$1" report --page "$scratch/$2.html" "$scratch/$2.rules"; cp "$scratch/err" "$scratch/$2.report.err"
  expect "$1" simplify --quiet --rules "$scratch/$2.rules" '(d0) -> (d0 mod 9), domain: d0 in [0, 8]'
}
idle='example of mine: REFUTED, the rule does not fire on this map'
expect 1 prove --no-store "$scratch/idle.rules"; says "  $idle"
with_rules 1 idle
complains "$idle"; says '(d0) -> (d0), domain: d0 in [0, 8]'
grep -q "^$idle ($scratch/idle.rules:1)\$" "$scratch/idle.gate" || fault 'the gate does not say that a rule does not fire on its example'
grep -q '^examples  *0  *1  *0 ' "$scratch/idle.gate" || fault 'the gate has no row for an example'
grep -q "<p> *$idle" "$scratch/idle.html" && grep -q 'data-verdict="wrong example"' "$scratch/idle.html" || fault 'the page does not say that a rule does not fire on its example'
with_rules 0 fires
grep -q '^examples  *1  *0  *0 ' "$scratch/fires.gate" || fault 'the gate has no row for an example'
torn="torn.rules:6:21: error: the example is no map"
expect 3 prove --no-store "$scratch/torn.rules"; complains "$torn"
with_rules 3 torn
complains "$torn"
grep -q "$torn" "$scratch/torn.gate.err" && grep -q "$torn" "$scratch/torn.report.err" || fault 'an example that is no map'
sed 's/near-miss: .*/near-miss: c > 0, 0 <= lo(x), hi(x) < c/' "$scratch/fires.rules" >"$scratch/miss.rules"
expect 1 report --page "$scratch/miss.html" "$scratch/miss.rules"
grep -q 'negative example of mine: PROVED, and must be refuted' "$scratch/miss.html" || fault 'the page does not say that a negative example is proved'

# The checker of certificates names file, line and word.
printf 'rule zero\n  x + 0 => x\n' >"$scratch/zero.rules"
printf 'certificate 1\nrule zero\nfoo\n' >"$scratch/foo.cert"
status=0; "$(dirname "$affirm")/affirm-check" "$scratch/zero.rules" "$scratch/foo.cert" >"$scratch/out" 2>"$scratch/err" || status=$?
[ $status = 1 ] || fault "affirm-check: status $status"
says "$scratch/foo.cert:3: rejected at foo: "
status=0; "$(dirname "$affirm")/affirm-check" "$scratch/zero.rules" "$scratch/nofile" >"$scratch/out" 2>"$scratch/err" || status=$?
[ $status = 3 ] || fault "affirm-check without a file: status $status"
complains "affirm-check: $scratch/nofile: No such file or directory"

# Rules that are true but apply to their own result forever end in an error.
printf 'rule again\n  x in [a, b] => x + 1 in [a + 1, b + 1]\n' >"$scratch/again.rules"
expect 3 simplify --rules "$scratch/again.rules" '(d0) -> (d0), domain: d0 in [0, 13], d0 mod 7 in [2, 4]'; complains "again ($scratch/again.rules:1)"
printf 'rule deeper\n  max(x, y) => max(x + 1, y + 1) - 1\n' >"$scratch/deeper.rules"
expect 3 simplify --rules "$scratch/deeper.rules" '(d0, d1) -> (max(d0, d1)), domain: d0 in [0, 9], d1 in [3, 9]'; complains "past a limit"

# Rules that nothing proved: one line says so, where it harms no reader of the output.
printf 'rule wide\n  x mod 8 => x\n' >"$scratch/wide.rules"
expect 0 simplify --rules "$scratch/wide.rules" '(d0) -> (d0 mod 8), domain: d0 in [0, 8]'; complains "the rules of $scratch/wide.rules are not proved by this command; \`affirm prove $scratch/wide.rules\` proves them, and --prove judges each rewrite"
expect 0 simplify --json --rules "$scratch/wide.rules" '(d0) -> (d0 mod 8), domain: d0 in [0, 8]'; complains "are not proved"
[ "$(wc -l <"$scratch/out")" = 2 ] || fault "the warning is not on standard output"
for option in --quiet --prove; do
  expect $([ $option = --quiet ] && echo 0 || echo 1) simplify $option --rules "$scratch/wide.rules" '(d0) -> (d0 mod 8), domain: d0 in [0, 8]'
  [ ! -s "$scratch/err" ] || fault "simplify --rules $option warns"
done

# A case that does not parse is bad input with file, line and column; the others are judged.
printf '# one\nsimplify (d0) -> (d0 mod 8, domain: d0 in [0, 7]\n= (d0) -> (d0), domain: d0 in [0, 7]\n\n# two\nparse (d0) -> (d0), domain: d0 in [0, 3]\nexact\n' >"$scratch/typo.case"
expect 3 check "$scratch/typo.case"; complains "$scratch/typo.case:2:29: error: expected ')' before 'domain:'"; says "not read 1"; says "cases 1: 1 passed"
cp "$scratch/typo.case" "$scratch/typo.bad.case"
expect 1 check "$scratch/typo.bad.case"; complains "$scratch/typo.bad.case:2:29: error:"
expect 3 check --json "$scratch/typo.case"; says '"line":2,"answer":"bad input","reason":"expected '

# An error about a whole map underlines the map.
expect 3 simplify '  (d0) -> (d0 * 9223372036854775807), domain: d0 in [0, 9]'; complains '<map>:1:3: error: result 0 can leave int64 on the domain'
complains '      |   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~'

# The algebra of maps.
collapse='(d0, d1) -> (d0 * 65536 + d1), domain: d0 in [0, 32767], d1 in [0, 65535]'
expect 0 algebra --help; says "bijective"
expect 3 algebra; complains "an operation first"
expect 3 algebra sideways "$collapse"
expect 3 algebra contained "$collapse"; complains "contained needs two maps"
expect 3 algebra bijective "$collapse"; complains "needs numbers such as 4,8"
expect 3 algebra bijective 4,8 "$collapse"; complains "2 sizes for a map with 1 result"
expect 3 algebra points "(d0) ->"; complains "<map>:1:"
expect 0 algebra inverse --prove "$collapse"; says "d0 floordiv 65536"; says "  proved (proved)"
expect 0 algebra points --prove "$collapse"; says "2147483648"; says "  proved: 2147483648 of 2147483648 points are inside"
# --seconds limits the time independently: this budget alone would last for minutes.
expect 2 algebra points --seconds 1 --budget 2000000000 \
  '(d0, d1, d2) -> (d0), domain: d0 in [0, 100000], d1 in [0, 100000], d2 in [0, 100000], (d0 * d1 + d2 * d0) mod 17 in [0, 3]'; says "out of time"
expect 1 algebra bijective 4 --prove "(d0) -> (d0), domain: d0 in [0, 4]"; says "no: "; says "proved: points outside, onto, "
expect 0 algebra bijective 2147483648 "$collapse"; says "yes: it has an inverse"
expect 0 algebra bijective '' "() -> ()"; says "yes"
expect 0 algebra sub-map "()" "$collapse"; says " -> (),"
expect 1 algebra bijective 2147483649 "$collapse"; says "no: 2147483648 points and 2147483649 indices"
expect 1 algebra injective '(d0) -> (d0 mod 8), domain: d0 in [0, 8]'; says "no: (d0 = 0) and (d0 = 8) both give (0)"
expect 1 algebra injective --prove '(d0) -> (d0 mod 8), domain: d0 in [0, 8]'; says ": 9 points listed"
expect 0 algebra injective --prove "$collapse"; says "  proved (proved)"
expect 0 algebra image --prove "$collapse"; says "[0, 2147483647]"; says "  proved (proved)"
expect 0 algebra sub-map 0 --prove "$collapse"; says "  proved"
expect 2 algebra injective --budget 10 '(d0) -> ((d0 * 7919) mod 10007), domain: d0 in [0, 10006]'; says "unknown: "
expect 2 algebra inverse '(d0) -> (d0 mod 8), domain: d0 in [0, 8]'; says "unknown: no inverse is found"
expect 0 algebra rescale --prove --json '(d0)[s0] -> (d0 + s0), domain: d0 in [0, 9], s0 in [0, 99], s0 mod 4 in [1, 1]'; says '"judged":"proved (enumerated'
expect 1 algebra contained '(d0)[s0] -> (s0), domain: d0 in [0, 65535], s0 in [0, 4]' '(d0)[s0] -> (s0), domain: d0 in [0, 65535], s0 in [0, 3]'; says "no ("
expect 0 algebra same-relation '(d0)[s0] -> (d0), domain: d0 in [0, 9], s0 in [0, 4]' '(d0) -> (d0), domain: d0 in [0, 9]'; says "yes (enumerated"
expect 1 algebra same '(d0) -> (d0 mod 8), domain: d0 in [0, 8]' '(d0) -> (d0), domain: d0 in [0, 8]'; says "d0 = 8"
expect 1 algebra same '(d0)[s0] -> (d0), domain: d0 in [0, 8], s0 in [0, 1]' '(d0) -> (d0), domain: d0 in [0, 8]'; says "no (compared without points"
expect 0 algebra same '(d0) -> (d0 mod 8), domain: d0 in [0, -1]' '(d0) -> (d0), domain: d0 in [0, -1]'; says "yes (enumerated 0 points"

# A pipe among the files of a directory: said, not read and not passed over in silence. The other files are judged.
mkdir "$scratch/piped" "$scratch/pairs"
printf 'HloModule small\nENTRY e {\n  p = f32[4,3] parameter(0)\n  ROOT r = f32[4,3] reverse(p), dimensions={0}\n}\n' >"$scratch/piped/a.hlo"
mkfifo "$scratch/piped/b.hlo" "$scratch/piped/c.md"
expect 3 check "$scratch/piped"; complains "piped/b.hlo: error: is not a regular file"; says 'files 2, modules 1, not read 1, passed over 1'
expect 3 check --json "$scratch/piped"; says '"answer":"bad input"'; says '"answer":"exact"'
expect 3 score "$scratch/piped"; complains "piped/b.hlo: error: is not a regular file"
expect 3 gate --exhaust 0 --fuzz 0 --laws "$scratch/few.laws" --rules "$scratch/fires.rules" "$scratch/piped"; complains "piped/b.hlo: error: is not a regular file"
grep -q '^modules  *2  *0  *0  *1 ' "$scratch/out" || fault 'the gate does not count a pipe, or not the module beside it'
mv "$scratch/piped/b.hlo" "$scratch/piped/b.rules"
expect 3 prove "$scratch/piped"; complains "piped/b.rules: error: is not a regular file"
for name in whole before after options; do
  cp "$scratch/piped/a.hlo" "$scratch/pairs/$name.before.hlo"
  cp "$scratch/piped/a.hlo" "$scratch/pairs/$name.after.hlo"
done
for name in before.before.hlo after.after.hlo options.options; do rm -f "$scratch/pairs/$name"; mkfifo "$scratch/pairs/$name"; done
expect 3 equiv --dir "$scratch/pairs"; complains "before.before.hlo: error: is not a regular file"; complains "after.after.hlo: error: is not a regular file"; says 'whole.before.hlo'
expect 3 equiv --reads --dir "$scratch/pairs"; complains "options.options: error: is not a regular file"
# A pipe that the user names is read.
cat "$scratch/piped/a.hlo" >"$scratch/pairs/options.options" &
expect 0 check "$scratch/pairs/options.options"

# Links that lead out of a directory are not followed, which each command says. score reads a user's directory of faults, and names the cases that it leaves out.
mkdir -p "$scratch/links/faults"
ln -s "$scratch/piped/a.hlo" "$scratch/links/b.hlo"
cp "$scratch/piped/a.hlo" "$scratch/links/faults/a.hlo"
for command in check score 'gate --exhaust 0 --fuzz 0 --laws '"$scratch/few.laws"' --rules '"$scratch/fires.rules"; do
  expect 0 $command "$scratch/links" --junit "$scratch/links.xml"; complains "links: not followed: 1 link out of it, as $scratch/links/b.hlo"
  grep -q 'links/b.hlo" .*<skipped message="a link that leads out of the directory is not followed"' "$scratch/links.xml" || fault "${command%% *} has no row of a link that is not followed"
done
says 'not followed: 1 link out of '
printf '# one\nkeeps (d0) -> (d0), domain: d0 in [0, 3]\nrefuted\n' >"$scratch/links/faults/one.bad.case"
expect 0 check "$scratch/links"; says 'files 2, modules 1, not read 0, not followed 1 (links)'
expect 0 score "$scratch/links" --verb analyse --junit "$scratch/links.xml"; says '1 file and scopes, 0 parts not read, 2 files left out'
grep -q 'one.bad.case" .*<skipped message="cases that must fail say nothing about an engine"' "$scratch/links.xml" || fault "no row of cases that must fail"

# Paths that are not regular files.
expect 3 check "$scratch/nothing.hlo"; complains "No such file"
expect 3 map "$scratch"; complains "is a directory"
: >"$scratch/empty.hlo"
expect 3 check "$scratch/empty.hlo"; complains "$scratch/empty.hlo: error: the text is empty"
: >"$scratch/empty.case"
expect 3 check "$scratch/empty.case"; complains "$scratch/empty.case: error: the text is empty"

# A directory: every file below it, in the order of names. Unreadable files are counted, files with other names and hidden directories are reported.
mkdir -p "$scratch/directory/b/inner" "$scratch/directory/a" "$scratch/directory/.hidden" "$scratch/bare"
printf 'HloModule small\nENTRY e {\n  p = f32[4,3] parameter(0)\n  ROOT r = f32[4,3] reverse(p), dimensions={0}\n}\n' >"$scratch/small.hlo"
cp "$scratch/small.hlo" "$scratch/directory/b/inner/z.hlo"
cp "$scratch/small.hlo" "$scratch/directory/a/y.txt"
cp "$scratch/small.hlo" "$scratch/directory/.hidden/no.hlo"
echo '(d0) -> (d0 mod 8), domain: d0 in [0, 7]' >"$scratch/directory/a/x.maps"
echo nothing >"$scratch/directory/a/notes.md"
ln -s .. "$scratch/directory/b/inner/up"
expect 0 check "$scratch/directory"; says 'files 3, modules 2, not read 0, passed over 2 (other names)'
grep -o '^[^ ]*directory/[^ ]*' "$scratch/out" | tr '\n' ' ' | grep -q 'a/x.maps.*a/y.txt.*b/inner/z.hlo' || fault "the order of a directory's files"
echo nothing >"$scratch/directory/a/w.hlo"
expect 3 check "$scratch/directory" "$scratch/small.hlo"; says 'files 5, modules 3, not read 1, passed over 2'; complains "directory/a/w.hlo:2:1: error:"
expect 3 check "$scratch/bare"; complains "no .hlo, .txt, .maps or .case file in this directory"; says 'not read 1'

# Gates that do not test laws and rules use one of each: all take a minute with a sanitizer, and cli_gate runs them.
printf 'law commutes: add(x, y) => add(y, x) on integral grade exact\n' >"$scratch/few.laws"
printf 'rule mine\n  x mod c => x\n  when c > 0, 0 <= lo(x), hi(x) < c\n  near-miss: c > 0, 0 <= lo(x), hi(x) <= c\n  order: weight\n' >"$scratch/few.rules"
few="--laws $scratch/few.laws --rules $scratch/few.rules"

# The location of an interrupt is that of the work, not of writing the results.
awk 'BEGIN { print "HloModule long\nENTRY e {"
  for (i = 1; i <= 30000; i++) printf "  r%d = f32[%d,64,3,5] iota(), iota_dimension=0\n  t%d = f32[5,%d,64,3] transpose(r%d), dimensions={3,0,1,2}\n", i, i, i, i, i
  print "  ROOT n = f32[5,30000,64,3] negate(t30000)\n}" }' >"$scratch/many.hlo"
timeout -s INT 1 "$affirm" report --all --page "$scratch/many.html" "$scratch/many.hlo" >"$scratch/out" 2>"$scratch/err"
# On a busy machine the interrupt may come before the program handles it.
[ -s "$scratch/err" ] || timeout -s INT 10 "$affirm" report --all --page "$scratch/many.html" "$scratch/many.hlo" >"$scratch/out" 2>"$scratch/err"
grep -qE 'interrupted at (the start of report|[rt][0-9]+ of .*many\.hlo); what comes after it is left out' "$scratch/err" || fault "the place of an interrupted report"

# Closed streams: child programs still get their own streams. A closed standard output is an error as
# before.
echo 'rule second  x mod c => x  when c > 0, 0 <= lo(x), hi(x) < c' >"$scratch/one.rules"
for closed in 0 1 2; do
  wanted=0
  [ $closed -ne 1 ] || wanted=3
  rm -rf "$scratch/proofs"
  eval "\"$affirm\" prove --no-store --certificate \"$scratch/proofs\" \"$scratch/one.rules\" >\"$scratch/out\" 2>\"$scratch/err\" $closed>&-"
  got=$?
  [ $got -eq $wanted ] && [ -s "$scratch/proofs/second.cert" ] || fault "prove --certificate with stream $closed closed: status $got, not $wanted, or no certificate"
done
complains_of_output=$("$affirm" --version 2>&1 >&-)
[ "$complains_of_output" = 'affirm: the output could not be written: Bad file descriptor' ] || fault "--version with a closed output: $complains_of_output"

# The same for affirm prove, in each of its modes, for .rules files.
mkdir -p "$scratch/rules/b" "$scratch/rules/a" "$scratch/rules/.hidden"
echo 'rule second  x mod c => x  when c > 0, 0 <= lo(x), hi(x) < c' >"$scratch/rules/b/z.rules"
echo 'rule first  x + 0 => x' >"$scratch/rules/a/y.rules"
echo 'no rule' | tee "$scratch/rules/.hidden/no.rules" >"$scratch/rules/notes.md"
for way in --no-store --coverage; do
  expect 0 prove $way "$scratch/rules"
  grep -o 'first\|second' "$scratch/out" | tr '\n' ' ' | grep -qx 'first second ' || fault "prove $way: the order of a directory's files"
done
expect 0 prove --no-store "$scratch/rules"; complains '2 rules: 2 proved, 0 refuted, 0 unknown, 0 not judged'; complains 'passed over 2 files (other names)'
expect 2 prove --order "$scratch/rules"; says 'first UNKNOWN'; says 'second UNKNOWN'
echo 'rule wrong  x mod c => x  when c > 0, 0 <= lo(x), hi(x) <= c' >"$scratch/rules/b/w.rules"
expect 1 prove --no-store "$scratch/rules"; says 'wrong REFUTED'; says 'second PROVED'
echo 'rule' >"$scratch/rules/a/x.rules"
expect 1 prove --no-store "$scratch/rules"; complains 'rules/a/x.rules:2:1: error:'; says 'wrong REFUTED'; says 'second PROVED'
for way in --no-store --coverage --order; do expect 3 prove $way "$scratch/bare"; complains 'bare: error: no .rules file in this directory'; done
expect 3 prove --no-store "$scratch/bare" "$scratch/rules/a/y.rules"; says 'first PROVED'; complains '2 rules: 1 proved, 0 refuted, 0 unknown, 1 not judged'

# Foreign names: no line break, no ESC and no workflow command gets through; affirm's own workflow commands follow a token.
hostile="$scratch/hostile"
mkdir -p "$hostile"
cp "$scratch/small.hlo" "$hostile/$(printf 'a\n::stop-commands::x\033[2J\342\200\256.hlo')"
echo nothing >"$hostile/$(printf 'b\n::error::forged.hlo')"
# shellcheck disable=SC2086
(cd "$hostile" && expect 3 check --github --json . && expect 3 check --github --quiet . && expect 3 gate $few --exhaust 0 --fuzz 0 --github --verbose . && says "BAD INPUT" && complains forged.hlo && exit $faults) || faults=$((faults + 1))
(cd "$hostile" && "$affirm" check --github . && true) >"$scratch/out" 2>"$scratch/err"
cat "$scratch/out" "$scratch/err" | LC_ALL=C grep -q "$(printf '\033\\|\342\200\256')" && fault "ESC or a mark of direction in the output"
token=$(sed -n 's/^::stop-commands::\(affirm-[0-9a-f]\{32\}\)$/\1/p' "$scratch/out")
[ "$(sed -n 1p "$scratch/out")" = "::stop-commands::$token" ] && [ -n "$token" ] || fault "the output begins with no token"
awk -v token="::$token::" '$0 == token { open = 1; next } /^ *::/ && NR > 1 && !open { exit 1 } END { exit !open }' "$scratch/out" || fault "a command in front of the token"
grep -q '^ *::' "$scratch/err" && fault "a command among the errors"

# Equal questions are judged once: the same instruction with the same maps, whatever its names. An instruction that reads runtime
# values is judged anew.
printf 'HloModule m\nENTRY e {\n p = f32[4,4] parameter(0)\n i = s32[] parameter(1)\n a = f32[4,4] transpose(p), dimensions={1,0}\n b = f32[4,4] transpose(a), dimensions={1,0}\n c = f32[4,4] transpose(b), dimensions={0,1}\n d = f32[2,4] dynamic-slice(c, i, i), dynamic_slice_sizes={2,4}\n x = f32[2,4] dynamic-slice(c, i, i), dynamic_slice_sizes={2,4}\n ROOT s = f32[2,4] add(d, x)\n}\n' >"$scratch/m.hlo"
expect 0 check --all "$scratch/m.hlo"; says 'operands 22: 22 exact'; says 'had been judged before: 2 of these'
expect 0 check --all "$scratch/m.hlo" "$scratch/m.hlo"; says 'operands 44: 44 exact'; says 'had been judged before: 12 of these'

# An output or operand that no instruction has is an error, not a smaller number of questions.
for command in check map use emit; do
  expect 3 $command --output 7 "$scratch/m.hlo"; complains 'no selected instruction has output 7'
  expect 3 $command --operand 9 "$scratch/m.hlo"; complains "m.hlo: no selected instruction has operand 9"
  expect 0 $command --operand 1 "$scratch/m.hlo"
done
# A selection in a run without modules selects nothing.
echo '(d0) -> (d0), domain: d0 in [0, 3]' >"$scratch/one.maps"
expect 3 check --instruction s "$scratch/one.maps"; complains 'one.maps: no module, so --instruction selects nothing'
expect 3 check --direction o2i "$scratch/one.maps"; complains 'one.maps: no module, so --direction selects nothing'
expect 0 check --direction o2i "$scratch/one.maps" "$scratch/m.hlo"

# With --exact over-approximations must be declared; an unnecessary declaration is a fault too.
sed 's/over-approximation: branch/over-approximation: nobody branch/' corpus/modules/traps_structure.hlo >"$scratch/named.hlo"
grep -v 'over-approximation:' corpus/modules/traps_structure.hlo >"$scratch/unnamed.hlo"
expect 0 check --all --exact --quiet corpus/modules/traps_structure.hlo
# A file with several modules: each has a heading, and audit judges each block for its own module.
cat corpus/modules/attention.hlo corpus/modules/traps_moving.hlo >"$scratch/two.hlo"
expect 0 map --all "$scratch/two.hlo"; says '# module 1: attention'; says '# module 2: traps_moving'
cp "$scratch/out" "$scratch/two.maps"
expect 0 audit "$scratch/two.hlo" --maps "$scratch/two.maps"; says 'module 2: traps_moving'; says ' 0 malformed, 0 disagree, 0 not judged'
expect 0 audit "$scratch/two.hlo" --maps "$scratch/two.maps" --module 2; says ' 0 malformed, 0 disagree, 0 not judged'
expect 3 audit "$scratch/two.hlo" --maps "$scratch/two.maps" --module 0; complains 'module is at least 1, not 0'
sed 's/# module 2:.*/# module 1:/' "$scratch/two.maps" >"$scratch/one.maps"
expect 3 audit "$scratch/two.hlo" --maps "$scratch/one.maps"; says 'the module has no instruction'
sed 's/# module 2:/# module 3:/' "$scratch/two.maps" >"$scratch/three.maps"
expect 3 audit "$scratch/two.hlo" --maps "$scratch/three.maps"; complains 'the line names module 3, but'
sed '/# module 1:/d' "$scratch/two.maps" >"$scratch/none.maps"
expect 3 audit "$scratch/two.hlo" --maps "$scratch/none.maps"; complains 'precedes the first line `# module N: NAME`'
# Lines count from the start of the file, also in its second module.
printf 'HloModule a\nENTRY e {\n  p = f32[3] parameter(0)\n  ROOT r = f32[3] negate(p)\n}\nHloModule b\nENTRY e {\n  p = f32[3] parameter(0)\n  q = s32[] parameter(1)\n  ROOT r = f32[<=3] dynamic-reshape(p, q)\n}\n' >"$scratch/lines.hlo"
expect 2 check --json --sarif "$scratch/lines.sarif" --github "$scratch/lines.hlo"; says '"line":4'; says '"line":10'; says 'line=10,'
grep -q '"line":6' "$scratch/out" && fault "a line counts from its module"
grep -q '"startLine":10' "$scratch/lines.sarif" || fault "a line of SARIF counts from its module"
expect 2 report "$scratch/lines.hlo" --page "$scratch/lines.html"
grep -q 'lines.hlo:10<' "$scratch/lines.html" || fault "a line of the page counts from its module"
expect 0 map corpus/modules/attention.hlo; grep -q '# module' "$scratch/out" && fault "one module needs no heading"
# A limit for the whole run: what it leaves out is reported and does not pass.
awk 'BEGIN { print "HloModule long\nENTRY e {"
  for (i = 1; i <= 60000; i++) printf "  r%d = f32[%d,64,3,5] iota(), iota_dimension=0\n  t%d = f32[5,%d,64,3] transpose(r%d), dimensions={3,0,1,2}\n", i, i, i, i, i
  print "  ROOT n = f32[5,60000,64,3] negate(t60000)\n}" }' >"$scratch/long.hlo"
expect 2 check --all --seconds 1 --quiet "$scratch/long.hlo" "$scratch/m.hlo" --junit "$scratch/long.xml"; says 'out of time; left out: '; says "operands of $scratch/long.hlo and everything after them there, 1 file; so far:"; says 'operands '
grep -q 'left out' "$scratch/long.xml" || fault "the JUnit file does not say what is left out"
expect 2 check --all --seconds 1 --json "$scratch/long.hlo"; complains 'out of time; left out: '
expect 0 check --seconds 60 --quiet "$scratch/m.hlo"
expect 1 check --all --exact --quiet "$scratch/named.hlo"; says 'nobody: declared as over-approximation'; says 'unexpected 1'
expect 1 check --all --exact --quiet "$scratch/unnamed.hlo"; says 'branch: over-approximation that the text does not declare'; says 'unexpected 14'
expect 0 check --all --quiet "$scratch/unnamed.hlo"
# A declaration is refuted only by answers to all questions about the name. The loop here is not the root.
cat >"$scratch/loop.hlo" <<'END'
// over-approximation: w
HloModule m
body {
  t = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  x = f32[4] get-tuple-element(t), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  y = f32[4] negate(x)
  ROOT r = (s32[], f32[4]) tuple(j, y)
}
cond {
  t = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  n = s32[] constant(5)
  ROOT c = pred[] compare(i, n), direction=LT
}
ENTRY e {
  p = (s32[], f32[4]) parameter(0)
  w = (s32[], f32[4]) while(p), condition=cond, body=body
  g = f32[4] get-tuple-element(w), index=1
  ROOT z = f32[4] negate(g)
}
END
sed 's/approximation: w/approximation: g/' "$scratch/loop.hlo" >"$scratch/exact.hlo"
expect 0 check --exact --all "$scratch/loop.hlo"
expect 0 check --exact "$scratch/loop.hlo"
expect 0 check --exact --instruction g "$scratch/loop.hlo"
expect 2 check --exact --all --questions 2 "$scratch/loop.hlo"
expect 1 check --exact --instruction g "$scratch/exact.hlo"; says 'g: declared as over-approximation, but all its maps are exact'
expect 0 check --exact --instruction g --direction o2i "$scratch/exact.hlo"

# Malformed texts, each reported with its location.
module() { printf 'HloModule m\n\nENTRY e {\n  p = f32[4]{0} parameter(0)\n  %s\n}\n' "$1" >"$scratch/m.hlo"; }
rejected() { expect 3 check "$scratch/m.hlo"; complains "$scratch/m.hlo:$1: error:"; }
module 'ROOT n = f32[4]{0} negate(q)'; rejected 5:29
module 'ROOT n = f32[5]{0} negate(p)'; rejected 5:8
module 'ROOT n = f32[4]{0} negate(n)'; rejected 5:29
module 'q = f32[4]{0} parameter(0)'; rejected 5:3
module 'ROOT n = f32[4611686018427387904,4]{1,0} broadcast(p), dimensions={1}'; rejected 5:12
printf 'HloModule m\n\nENTRY e {\n  p = f32[4]{0} parameter(0)\n  ROOT n = f32[4]{0} neg' >"$scratch/m.hlo"; rejected 5:22
expect 3 simplify '(d0) -> (d0 mod 0), domain: d0 in [0, 3]'; complains '<map>:1:17: error: the divisor'
expect 3 simplify '(d0) -> (d0 * 9223372036854775807), domain: d0 in [0, 3]'; complains 'error:'
expect 3 simplify '(d0) -> (d0), domain: d0 in [0, 3] and more'; complains 'error:'

# Excessive nesting and size: rejected, in bounded time and memory.
bytes=100000000
[ -z "${AFFIRM_FEW:-}" ] || bytes=20000000
head -c $bytes /dev/zero | tr '\0' '(' >"$scratch/parentheses"
expect 3 check "$scratch/parentheses"; complains 'error:'
{ echo 'HloModule m'; cat "$scratch/parentheses"; } >"$scratch/tuple.hlo"
expect 3 map "$scratch/tuple.hlo"; complains 'error:'
rm "$scratch"/parentheses* "$scratch/tuple.hlo"
{ printf '(d0) -> ('; head -c 100000 /dev/zero | tr '\0' '-'; printf 'd0), domain: d0 in [0, 3]\n'; } >"$scratch/deep.maps"
expect 3 check "$scratch/deep.maps"; complains 'error:'

# The line tool: exactly one output line for each input line, in order.
printf '(d0) -> (d0 mod 8), domain: d0 in [0, 7]\n\nnonsense\n(d0) -> (d0 mod 8), domain: d0 in [0, 8]' >"$scratch/lines"
input=$scratch/lines
# Names that differ only in what a file name cannot have, or in nothing, get files of their own.
printf 'rule a/b x mod c => x when c > 0, 0 <= lo(x), hi(x) < c\nrule a_b x mod c => x when c > 0, 0 <= lo(x), hi(x) < c\n' >"$scratch/alike.rules"
expect 0 prove --no-store --certificate "$scratch/alike" --coq "$scratch/alike" --smt2 "$scratch/alike" "$scratch/alike.rules" "$scratch/alike.rules"
[ "$(cd "$scratch/alike" && echo *)" = "Affirm.v a_b-2.001.smt2 a_b-2.cert a_b-3.001.smt2 a_b-3.cert a_b-4.001.smt2 a_b-4.cert a_b.001.smt2 a_b.cert rule_a_b.v rule_a_b_2.v rule_a_b_3.v rule_a_b_4.v" ] || fault "certificates of rules with names alike: $(ls "$scratch/alike")"
# Coq accepts what is written, with nothing else: also of a rule without letters, and of divisions whose operands are numbers after collecting.
printf 'rule numbers 7 mod 4 => 3\nrule zero x + (a - a) floordiv c => x when c != 0, c >= 0\nrule one x floordiv (a - a + 1) + (k - k + 7) ceildiv 2 => x + 4\n' >"$scratch/collected.rules"
expect 0 prove --no-store --coq "$scratch/alike" "$scratch/collected.rules"
if command -v coqc >/dev/null; then
  (cd "$scratch/alike" && coqc Affirm.v && for theorem in a_b_2 numbers zero one; do coqc rule_$theorem.v || exit; done) >"$scratch/out" 2>"$scratch/err" || fault "Coq rejects an exported theorem"
else echo "skipped: Coq is not here"; fi
# An UNDEFINED map has no certificate, and the file contains those of the other maps.
printf '(d0) -> (d0 mod 4), domain: d0 in [0, 3]\nUNDEFINED\n' >"$scratch/two.maps"
expect 2 simplify --certificate "$scratch/two.cert" "$scratch/two.maps"; complains "no certificate: the map is UNDEFINED"
[ "$(grep -c '^end$' "$scratch/two.cert")" = 1 ] || fault "certificates of two maps, one of them UNDEFINED"
expect 3 simplify -
printf '(d0) -> (d0), domain: d0 in [0, 7]\n\n' >"$scratch/wanted"
sed -n '1,2p' "$scratch/out" | cmp -s - "$scratch/wanted" || fault "the first answers of the line tool"
[ "$(wc -l <"$scratch/out")" = 4 ] || fault "the line tool answered $(wc -l <"$scratch/out") lines for 4"
sed -n 4p "$scratch/out" | grep -qxF '(d0) -> (d0 mod 8), domain: d0 in [0, 8]' || fault "the fourth answer of the line tool"
input=
printf '\n \t\n' >"$scratch/blank"
input=$scratch/blank; expect 3 simplify; complains '<stdin>: no map in it'; expect 3 simplify --json; input=
# A file of maps may be a pipe, and has blank lines, comments and headings as for check.
printf '# a comment\nOutput 0 operand 1:\n\n(d0) -> (d0 mod 8), domain: d0 in [0, 7]\n' >"$scratch/noted.maps"
expect 0 check "$scratch/noted.maps"
expect 0 simplify "$scratch/noted.maps"
sed 's/ mod 8//' "$scratch/noted.maps" | cmp -s - "$scratch/out" || fault "a comment or heading is not as it was"
input=$scratch/noted.maps; expect 0 simplify /dev/stdin; says '(d0) -> (d0), domain: d0 in [0, 7]'; input=
mkfifo "$scratch/maps.pipe"
cat "$scratch/noted.maps" >"$scratch/maps.pipe" &
expect 0 simplify "$scratch/maps.pipe"; says '(d0) -> (d0), domain: d0 in [0, 7]'
# An error about a rule of --rules has its file and line; the file may be a pipe too.
printf 'rule one  x mod c => x\n  when c > 0, 0 <= lo(x), hi(x) < c\nrule two  x + 0 => x\n' >"$scratch/second.rules"
for command in simplify reduce; do
  expect 3 $command --rules "$scratch/second.rules" "$scratch/noted.maps"
  complains "second.rules:3:1: error: rule two: the left side cannot be matched"
done
input=corpus/faults/mod_upper_bound.rules; printf '(d0) -> (d0 mod 8), domain: d0 in [0, 8]\n' >"$scratch/eight.maps"
expect 1 reduce --rules /dev/stdin "$scratch/eight.maps"; input=

# Maps in the affine dialect: MLIR's own program accepts them too.
expect 0 emit corpus/modules/rearrange.hlo --form affine; says "affine.for"; says "affine.if"; says "affine.apply"
if [ -x "${3:-}" ]; then
  cp "$scratch/out" "$scratch/emitted.mlir"
  total=$((total + 1))
  "$3" "$scratch/emitted.mlir" >/dev/null 2>"$scratch/err" || fault "mlir-opt rejects what emit printed"
fi
expect 0 emit corpus/modules/rearrange.hlo --form isl; says "schedule :="; says "reads :="
expect 0 emit corpus/modules/rearrange.hlo --form smt2; says "(define-fun |"
[ "$(head -n 1 "$scratch/out")" = "(set-logic ALL)" ] && [ "$(grep -c set-logic "$scratch/out")" = 1 ] || fault "one logic, before all"
expect 3 prove --ops corpus/rules/false.rules; complains "takes no rule files"
expect 3 emit
expect 3 emit corpus/modules/rearrange.hlo --form poetry; complains "one of affine"
expect 3 emit corpus/modules/rearrange.hlo --instruction nobody; complains "no instruction 'nobody'"

# Judgements: a correct module, one without any question, cases that fail, and cases that cannot be decided.
expect 0 check corpus/modules/rearrange.hlo corpus/maps/parse.case; says "0 wrong"
expect 0 check corpus/modules/rearrange.hlo --instruction first --direction o2i --operand 1 --json
[ "$(grep -c '"answer"' "$scratch/out")" = 1 ] && [ "$(wc -l <"$scratch/out")" = 2 ] || fault "one question, one line of JSON, and the totals"
printf '# wrong\nparse (d0) -> (d0), domain: d0 in [0, 3]\n= (d0) -> (d0), domain: d0 in [0, 4]\n' >"$scratch/wrong.case"
expect 1 check "$scratch/wrong.case"; says "FAILED"; says "1 failed"
cp "$scratch/wrong.case" "$scratch/right.bad.case"
expect 0 check "$scratch/right.bad.case"
sed 's/4\]/3]/' "$scratch/wrong.case" >"$scratch/wrong.bad.case"
expect 1 check "$scratch/wrong.bad.case"; says "passed where it must fail"
expect 1 check "$scratch/wrong.case" "$scratch/nothing.hlo"
expect 1 simplify --rules corpus/faults/mod_upper_bound.rules --prove '(d0) -> (d0 mod 8), domain: d0 in [0, 8]'; says "d0 = 8: before (0), after (8)"
printf '(d0) -> (d0 mod 8), domain: d0 in [0, 7]\nUNDEFINED\n\n(d0) -> (d0), domain: d0 in [0, 3]\n' >"$scratch/some.maps"
expect 2 check "$scratch/some.maps"; says "proved"

# Scopes: the list with their sizes, a case as a file, shards whose results merge to the whole, and a report of what
# is missing.
if [ -z "${AFFIRM_BRIEF:-}" ]; then # counting the cases of all scopes takes seconds with a sanitizer
  expect 0 exhaust --list; says "chain-2"; says "left out"; says "low and high -2 to 2, interior 0 to 2"; says "(x floordiv 3)"; says "2 of these, one after another"
else
  echo "skipped: exhaust --list of all scopes"
  expect 0 exhaust --list --scope graphs; says "graphs "
fi
expect 0 exhaust --list --scope cholesky; says "cholesky                            278              278              278"; says "both triangles"
[ "$(wc -l <"$scratch/out")" -lt 10 ] || fault "exhaust --list ignores --scope"
expect 3 exhaust --list --scope cholesk; complains "did you mean cholesky?"
expect 3 exhaust --scope nothing; complains "no scope 'nothing'"
expect 3 exhaust --scope pad --case 99999999999; complains "has cases 0 to"
expect 3 exhaust --shard 2/2; complains "I below N"
expect 3 exhaust --resume; complains "needs --journal"
expect 0 exhaust --scope reverse --case 4000 && cp "$scratch/out" "$scratch/reverse.hlo" && expect 0 check "$scratch/reverse.hlo"
expect 0 exhaust --scope pad --shard 0/2 --jobs 1 --journal "$scratch/part0"; says "pad"
expect 2 merge "$scratch/part0"; says "INCOMPLETE"
expect 0 exhaust --scope pad --shard 1/2 --jobs 1 --journal "$scratch/part1"
expect 0 merge "$scratch/part0" "$scratch/part1"; says "1777 of 1777 cases, 0 failed, 0 open"
expect 3 merge "$scratch/part0" "$scratch/part0"; complains "is in two results"
expect 3 exhaust --scope pad --shard 0/2 --journal "$scratch/part0"; complains "--resume continues it"
expect 3 merge "$scratch/reverse.hlo"; complains "not a journal"; complains "reverse.hlo"

# The gate: a row for each part; the worst one decides the exit status. A gate that reads nothing is tested above, with
# hostile names.
mkdir "$scratch/corpus" "$scratch/corpus/maps" "$scratch/unread"
printf 'ENTRY e {\n  ROOT i = s32[4] iota(), iota_dimension=0\n}\n' >"$scratch/unread/a.hlo"
expect 2 check "$scratch/unread/a.hlo"; says "no question was asked"
# shellcheck disable=SC2086
expect 2 gate $few --exhaust 0 --fuzz 0 --json --junit "$scratch/unread.xml" "$scratch/unread"; says '"part":"modules","passed":0,"failed":0,"open":1,"not_read":0'
says '"part":"rules proved"'; says '"verdict":"UNDECIDED"'
grep -q 'name="modules".*<error type="open"' "$scratch/unread.xml" || fault "the JUnit file of a gate that asks nothing"
# shellcheck disable=SC2086
{
  expect 2 gate $few --exhaust 0 --fuzz 0 "$scratch/unread"; says "rules proved"; says "verdict"; says "UNDECIDED"; says "first open         modules: 0 passed"
  expect 3 gate $few --exhaust 0 --fuzz 0 "$scratch/corpus"; complains "corpus: error: no .hlo, .txt, .maps or .case file in this directory"
  cp corpus/modules/attention.hlo "$scratch/corpus/"
  cp corpus/maps/parse.case "$scratch/corpus/maps/"
  expect 0 gate $few --exhaust 0 --fuzz 0 "$scratch/corpus"; says "passed"
  cp "$scratch/wrong.case" "$scratch/corpus/maps/"
  expect 1 gate $few --fail-fast --exhaust 0 --fuzz 0 "$scratch/corpus"; says "FAILED"; says "REFUTED"
}
expect 3 gate --exhaust 0 --fuzz 0 "$scratch/nowhere"; complains "nowhere"
expect 3 gate one two

# A deep expression on a small stack; a file that may not grow; an endless device; a link that leads out of a directory.
awk 'BEGIN { printf "(d0) -> ("; for (i = 0; i < 1500; i++) printf "%sd0 mod %d", i ? " + " : "", i + 20; print "), domain: d0 in [0, 9]" }' >"$scratch/deep.maps"
(ulimit -s 128 && "$affirm" simplify - <"$scratch/deep.maps" >"$scratch/out" 2>"$scratch/err")
[ $? -eq 0 ] || fault "1,500 summands on a stack of 128 KB"
# Names of many cases and rules are found without comparing all of them; the last line is an error.
awk 'BEGIN { for (i = 0; i < 150000; i++) printf "# c%d\nparse ()\n= ()\n\n", i; print "# c7\nparse ()" }' >"$scratch/many.case"
awk 'BEGIN { for (i = 0; i < 150000; i++) printf "rule r%d x => x\n", i; print "rule r7 x => x" }' >"$scratch/many.rules"
(ulimit -t 20; exec "$affirm" check "$scratch/many.case" 2>&1) | grep -q 'an earlier case has this name' || fault "a name among many cases"
(ulimit -t 20; exec "$affirm" simplify --rules "$scratch/many.rules" '() -> ()' 2>&1) | grep -q 'second rule of this name; the first is .*many.rules:8$' || fault "a name among many rules"
printf 'ENTRY e {\n  p = f32[4] parameter(0)\n  ROOT n = f32[4] negate(p)\n}\n' >"$scratch/small.hlo"
(ulimit -f 0; exec "$affirm" check --quiet "$scratch/small.hlo" --junit "$scratch/none.xml" 2>&1) | grep -q 'none.xml: error: File too large' || fault "a JUnit file past the limit on files"
[ -e "$scratch/none.xml" ] && fault "a JUnit file past the limit on files is there"
expect 3 check /dev/zero; complains "larger than what is read"
mkdir "$scratch/linked" "$scratch/elsewhere"
cp "$scratch/small.hlo" "$scratch/linked/a.hlo"
cp "$scratch/small.hlo" "$scratch/elsewhere/b.hlo"
ln -s "$scratch/elsewhere" "$scratch/linked/out"
ln -s "$scratch/elsewhere/b.hlo" "$scratch/linked/c.hlo"
ln -s a.hlo "$scratch/linked/d.hlo"
expect 0 check "$scratch/linked"; says 'files 2, modules 2, not read 0, not followed 2 (links)'

# Output that cannot be written is never a success.
if [ -w /dev/full ]; then
  "$affirm" --version >/dev/full 2>"$scratch/err" && fault "--version to a full disk"
  "$affirm" simplify "$scratch/some.maps" >/dev/full 2>"$scratch/err"
  [ $? -eq 3 ] || fault "simplify FILE to a full disk"
  complains "the output could not be written: No space left on device"
  "$affirm" simplify '(d0) -> (d0), domain: d0 in [0, 3]' >/dev/full 2>"$scratch/err"
  [ $? -eq 3 ] || fault "simplify to a full disk"
fi
"$affirm" --help >&- 2>"$scratch/err"
[ $? -eq 3 ] || fault "--help to a closed output"
yes '(d0) -> (d0), domain: d0 in [0, 3]' | { "$affirm" simplify -; echo $? >"$scratch/status"; } 2>"$scratch/err" | head -n 1 >"$scratch/out"
[ "$(cat "$scratch/status")" = 3 ] || fault "simplify into a pipe that was closed: $(cat "$scratch/status")"
[ -s "$scratch/err" ] && fault "a pipe that was closed is no news"

# Ctrl-C ends the run cleanly and reports the finished part.
mkfifo "$scratch/pipe"
: >"$scratch/out"
"$affirm" simplify - <"$scratch/pipe" >"$scratch/out" 2>"$scratch/err" &
child=$!
exec 3>"$scratch/pipe"
printf '(d0) -> (d0 mod 8), domain: d0 in [0, 7]\n' >&3
for _ in $(seq 600); do [ -s "$scratch/out" ] && break; sleep 0.1; done
kill -TERM $child
wait $child
[ $? -eq 2 ] || fault "a stopped run must end with 2"
exec 3>&-
says '(d0) -> (d0), domain: d0 in [0, 7]'

echo "$total runs, $faults faults"
[ $faults -eq 0 ]
