#!/bin/sh
# affirm watch: a correct and a wrong pass, truncated and repeated files, a changed signature, a program that fails.
#   watch_test.sh AFFIRM
set -u
affirm=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
faults=0
fault() { echo "FAULT: $*"; cat "$scratch/out" "$scratch/err"; faults=$((faults + 1)); }
# expect STATUS ARGUMENT...
expect() {
  expected=$1
  shift
  "$affirm" "$@" >"$scratch/out" 2>"$scratch/err"
  status=$?
  [ $status -eq "$expected" ] || fault "affirm $* ended with $status, not $expected"
}
says() { grep -qE "$1" "$scratch/out" || fault "does not say $1"; }
silent_error() { [ ! -s "$scratch/err" ] || fault "complains"; }
complains() { grep -qE "$1" "$scratch/err" || fault "does not complain of $1"; }
# module FILE OPERATION
module() { printf 'HloModule m\n\nENTRY e {\n  a = f32[2,3] parameter(0)\n  b = f32[2,3] parameter(1)\n  ROOT r = f32[2,3] %s\n}\n' "$2" >"$1"; }

dump=$scratch/dump
mkdir "$dump" "$scratch/empty"
module "$dump/module_0001.m.1.before_optimizations.txt" 'subtract(a, b)'
module "$dump/module_0001.m.1.0001.first.after_call-inliner.before_algsimp.txt" 'subtract(a, b), metadata={op_name="x"}'
expect 0 watch "$dump"; says '^  call-inliner +1 +0 +1 '; says '^  all +1 '
module "$dump/module_0001.m.1.0002.first.after_algsimp.before_dce.txt" 'subtract(b, a)'
module "$dump/module_0001.m.1.0003.first.after_dce.before_end.txt" 'subtract(b, a)'
expect 1 watch "$dump"; says '^first wrong step: pass algsimp'; says 'before, .* after, where'; says '^  dce +1 +1 '
expect 1 watch "$dump" --json; says '"pass":"algsimp","pipeline":"first","answer":"different"'
printf 'HloModule m\n\nENTRY e {\n  a = f32[2,' >"$dump/module_0001.m.1.0004.first.after_fusion.before_end.txt"
expect 1 watch "$dump"; complains '0004.first.after_fusion'; says '^  fusion +1 '
# Steps after unreadable texts are judged from the last readable one; the same with a journal.
behind=$scratch/behind
mkdir "$behind"
module "$behind/m.1.first.hlo" 'subtract(a, b)'
printf 'HloModule' >"$behind/m.2.cut.hlo"
printf 'HloModule m' >"$behind/m.3.torn.hlo"
module "$behind/m.4.swap.hlo" 'subtract(b, a)'
module "$behind/m.5.kept.hlo" 'subtract(b, a), metadata={op_name="x"}'
for i in 1 2; do
  expect 1 watch "$behind" --journal "$scratch/behind.journal"; says '^  swap .* 1 +0$'; says '^  kept +1 +0 +1 '; says '^  cut '; says 'm.1.first.hlo .*m.4.swap.hlo'
  complains 'm.4.swap.hlo: the text before cannot be parsed; the step begins at .*m.1.first.hlo$'
done
# The directory of a journal may have another name in the next run, as that of a program has.
mv "$behind" "$scratch/moved"; behind=$scratch/moved
expect 1 watch "$behind" --journal "$scratch/behind.journal"; says '^  swap .* 1 +0$'; says 'm.1.first.hlo .*m.4.swap.hlo'
complains 'moved/m.2.cut.hlo:1:10: expected'; grep -q 'behind/' "$scratch/err" && fault 'names the directory of another run'
# A path may be longer than an error can name.
deep=$scratch/$(printf '%0200d' 0); mv "$behind" "$deep"; behind=$deep
expect 1 watch "$behind"; says '^  swap .* 1 +0$'; says 'm.1.first.hlo .*m.4.swap.hlo'
module "$dump/module_0001.m.1.0003.first.after_cse.before_end.txt" 'subtract(b, a)'
expect 1 watch "$dump"; complains 'another file has number 3'
expect 3 watch "$scratch/empty"; complains 'no module with a pass after it'
expect 3 watch "$scratch/none"; complains 'No such file'
expect 3 watch
rm "$dump"/*
printf 'HloModule' >"$dump/m.1.first.hlo"
printf 'HloModule' >"$dump/m.2.second.hlo"
expect 3 watch "$dump"; complains 'm.1.first.hlo:1:10: expected the module'
cat "$behind/m.1.first.hlo" "$behind/m.1.first.hlo" >"$dump/m.1.first.hlo"
module "$dump/m.2.second.hlo" 'subtract(a, b)'
second=$(($(wc -l <"$behind/m.1.first.hlo") + 1))
expect 3 watch "$dump"; complains "m.1.first.hlo:$second:1: a second module; one module is expected"
printf 'HloModule' >"$dump/m.1.first.hlo"
printf 'HloModul' >"$dump/m.2.second.hlo"
expect 3 watch "$dump"; complains 'm.1.first.hlo'
module "$dump/m.1.first.hlo" 'add(a, b)'
printf 'HloModule m\n\nENTRY e {\n  ROOT a = f32[2,3] parameter(0)\n}\n' >"$dump/m.2.second.hlo"
expect 2 watch "$dump"; says 'why not decided:.*parameters before'; complains 'm.2.second.hlo: .*parameters before'
module "$dump/m.1.first.hlo" 'add(a, b)'
module "$dump/m.2.second.hlo" 'add(a, b)'
sed -i 's/ENTRY e/ENTRY other/' "$dump/m.2.second.hlo"
expect 0 watch "$dump"; complains "m.2.second.hlo: the entry is named 'other' after, 'e' before"
printf 'HloModule m\n\nENTRY e {\n  ROOT a = f32[2,3] parameter(0)\n}\n' >"$dump/m.2.second.hlo"
expect 3 watch -- false; complains 'false ended with 1'
expect 3 watch -- "$scratch/none"
# A program that dumps nothing leaves no directory.
mkdir "$scratch/temporary"
for program in false "$scratch/none"; do TMPDIR="$scratch/temporary" "$affirm" watch -- "$program" >"$scratch/out" 2>"$scratch/err"; done
[ -z "$(ls "$scratch/temporary")" ] || fault 'an empty directory is left'
grep -q 'the dumps are in' "$scratch/err" && fault 'dumps are named that do not exist'
# shellcheck disable=SC2016
expect 1 watch -- sh -c 'dir=$(echo "$XLA_FLAGS" | sed "s/.*--xla_dump_to=//; s/ .*//")
  printf "HloModule m\n\nENTRY e {\n  a = s8[] parameter(0)\n  b = s8[] parameter(1)\n  ROOT r = s8[] subtract(a, b)\n}\n" >"$dir/module_0001.m.before_optimizations.txt"
  printf "HloModule m\n\nENTRY e {\n  a = s8[] parameter(0)\n  b = s8[] parameter(1)\n  ROOT r = s8[] add(a, b)\n}\n" >"$dir/module_0001.m.0001.p.after_wrong.before_x.txt"'
says 'first wrong step: pass wrong'; complains 'the dumps are in '
# The flags of a directory with a blank, a quote and a backslash are quoted as XLA reads them. With --json the program's output is no line among the objects.
quoted="$scratch/a b\"\\"
mkdir "$quoted"
# shellcheck disable=SC2016
TMPDIR="$quoted" expect 3 watch --json -- sh -c 'printf "%s\n" "$XLA_FLAGS"'
grep -qF -- "--xla_dump_to=\"$scratch/a b\\\"\\\\/affirm-watch-" "$scratch/err" || fault 'the directory is not quoted'
complains '[A-Za-z0-9]" --xla_dump_hlo_pass_re=[.][*] '
grep -vq '^{' "$scratch/out" && fault "the program's output is among the objects"
XLA_FLAGS=flags.txt expect 3 watch -- true; complains 'XLA_FLAGS names a file'
# Results of it have the same names in each run.
# shellcheck disable=SC2016
for run in 1 2; do
  expect 1 watch --junit "$scratch/program.$run.xml" -- sh -c 'dir=$(echo "$XLA_FLAGS" | sed "s/.*--xla_dump_to=//; s/ .*//")
    printf "HloModule m\n\nENTRY e {\n  a = s8[] parameter(0)\n  ROOT r = s8[] negate(a)\n}\n" >"$dir/m.1.a.hlo"
    printf "HloModule m\n\nENTRY e {\n  a = s8[] parameter(0)\n  ROOT r = s8[] not(a)\n}\n" >"$dir/m.2.b.hlo"'
  grep -o 'classname="[^"]*" name="[^"]*"' "$scratch/program.$run.xml" >"$scratch/names.$run"
done
grep -q '^classname="steps" name="m 2 b"$' "$scratch/names.1" && cmp -s "$scratch/names.1" "$scratch/names.2" || fault 'names of results differ between runs'
# The exit status is the program's, or affirm's if that is larger: all steps are right, there are no steps, or a signal ends the program in the
# middle of a text.
# shellcheck disable=SC2016
ends() {
  wanted=$1 end=$2
  expect "$wanted" watch -- sh -c 'dir=$(echo "$XLA_FLAGS" | sed "s/.*--xla_dump_to=//; s/ .*//")
    text() { printf "HloModule m\n\nENTRY e {\n  a = s8[] parameter(0)\n  ROOT r = s8[] %s\n}\n" "$1"; }
    text "negate(a)" >"$dir/m.1.a.hlo"; text "'"$3"'" >"$dir/m.2.b.hlo"; '"$end"
}
ends 5 'exit 5' 'negate(a), metadata={op_name=\"x\"}'; says '^  all +1 +0 +1 '; complains 'sh ended with 5'
ends 5 'exit 5' 'not(a)'; says 'first wrong step'
ends 1 'exit 1' 'not(a)'; says 'first wrong step'
ends 5 'rm "$dir"/*; exit 5' 'negate(a)'; complains 'no module with a pass after it'
ends 137 'printf "HloModule m" >"$dir/m.3.c.hlo"; kill -9 $$' 'negate(a), metadata={op_name=\"x\"}'; says '^  b +1 +0 +1 '; complains 'm.3.c.hlo:1:12: '
# The text after all passes is the last step, also after a gap or alone; names and targets may contain dots.
last=$scratch/last
mkdir "$last"
module "$last/module_0001.m.before_optimizations.txt" 'subtract(a, b)'
module "$last/module_0001.m.sm_8.0_gpu_after_optimizations.txt" 'subtract(b, a)'
module "$last/module_0001.m.2.before_optimizations.txt" 'add(a, b)'
module "$last/module_0001.m.2.0000.p.after_first.before_b.txt" 'add(a, b), metadata={op_name="x"}'
module "$last/module_0001.m.2.cpu_after_optimizations.txt" 'add(a, b)'
touch "$last/module_0001.m.2.cpu_after_optimizations-buffer-assignment.txt"
expect 1 watch "$last"; says '^  after_optimizations +2 '; says '^  first +1 '; says 'first wrong step: pass after_optimizations'; silent_error
module "$last/module_0001.m.cpu_after_optimizations.txt" 'add(a, b)'
module "$last/module_0002.other.cpu_after_optimizations.txt" 'add(a, b)'
expect 2 watch "$last"; complains 'another text is the last one of this module'; complains 'module_0002.other.cpu_after_optimizations.txt: no other text has the name of its module'
# Several jobs give the same result as one; a journal replaces judging, except for a torn line.
more=$scratch/more
mkdir "$more"
module "$more/m.0.first.hlo" 'add(a, b)'
for i in 1 2 3 4 5 6 7 8; do module "$more/m.$i.pass$((i % 3)).hlo" "add(a, b), metadata={op_name=\"$i\"}"; done
module "$more/m.9.wrong.hlo" 'subtract(a, b)'
expect 1 watch "$more" --json --jobs 1; sed 's/,"microseconds":[0-9]*//' "$scratch/out" >"$scratch/one"
expect 1 watch "$more" --json --jobs 4; sed 's/,"microseconds":[0-9]*//' "$scratch/out" >"$scratch/four"
cmp -s "$scratch/one" "$scratch/four" || fault 'one job and four jobs differ'
expect 1 watch "$more" --json --journal "$scratch/journal"
[ "$(grep -c '^step' "$scratch/journal")" -eq 9 ] || fault 'the journal has not 9 steps'
cp "$scratch/out" "$scratch/fresh"
expect 1 watch "$more" --json --journal "$scratch/journal"; cmp -s "$scratch/out" "$scratch/fresh" || fault 'the journal gives other verdicts, or times of its own'
[ "$(grep -c '^step' "$scratch/journal")" -eq 9 ] || fault 'finished steps were judged again'
sed -i '3s/add/sub/; 4s/.$//; 5s/.\{20\}$//' "$scratch/journal"
expect 1 watch "$more" --json --journal "$scratch/journal"; sed 's/,"microseconds":[0-9]*//' "$scratch/out" >"$scratch/torn"
cmp -s "$scratch/one" "$scratch/torn" || fault 'a torn journal changes verdicts'
[ "$(grep -c '^step' "$scratch/journal")" -ge 11 ] || fault 'torn lines were used'
expect 1 watch "$more" --laws none --json --journal "$scratch/journal"
expect 3 watch "$more" --journal "$scratch/no/journal"
# A file of something else is not appended to.
printf 'HloModule m\n' >"$scratch/text"
expect 3 watch "$more" --journal "$scratch/text"; complains 'text: not a journal of affirm watch'
[ "$(cat "$scratch/text")" = 'HloModule m' ] || fault 'a file that is no journal was changed'
printf 'st' >"$scratch/torn_at_once"
expect 1 watch "$more" --journal "$scratch/torn_at_once"
# An unfinished journal: only the rest is judged.
head -4 "$scratch/journal" | grep -v torn >"$scratch/part"
expect 1 watch "$more" --json --journal "$scratch/part"; sed 's/,"microseconds":[0-9]*//' "$scratch/out" >"$scratch/rest"
cmp -s "$scratch/one" "$scratch/rest" || fault 'a run that goes on ends otherwise'

# A journal that cannot be written is bad input, and is left at once; the steps are judged.
{ echo step; printf '%0600d\n' 0; } | tr '\n' '\t' >"$scratch/limited"; echo >>"$scratch/limited"
cp "$scratch/limited" "$scratch/limited.before"
limited() { { (ulimit -f 1; exec "$affirm" watch "$1" --journal "$scratch/limited"); echo "status $?"; } 2>&1 </dev/null | cat >"$scratch/out"; }
: >"$scratch/err"
limited "$more"; says '^first wrong step'; says '^status 1$'
[ "$(grep -c 'limited: cannot be written' "$scratch/out")" -eq 1 ] || fault 'the journal is not named once'
mkdir "$scratch/right"; cp "$more"/m.[0-8].* "$scratch/right"
limited "$scratch/right"; says '^  all +8 +0 +8 '; says '^status 3$'
cmp -s "$scratch/limited" "$scratch/limited.before" || fault 'a journal past the limit was written'

# A step for which no process can be started is unknown; the others are judged, and the table is printed.
unstarted=
for files in 4 5 6 7 8 9 10 11 12; do
  (ulimit -n $files; exec "$affirm" watch "$more" --jobs 2) >"$scratch/out" 2>"$scratch/err" </dev/null
  status=$?
  grep -q '^  all *9 ' "$scratch/out" || [ -s "$scratch/err" ] || fault "watch with $files files ended with $status without a word"
  grep -q 'no process for this step can be started: Too many open files' "$scratch/out" || continue
  unstarted=$files
  [ $status -eq 1 ] || [ $status -eq 2 ] || fault "watch with $files files ended with $status"
  grep -q '^first wrong step' "$scratch/out" || [ $status -eq 2 ] || fault "watch with $files files does not name the wrong step"
done
[ -n "$unstarted" ] || fault 'each step was started'

expect 1 watch "$more" --junit "$scratch/junit.xml" --sarif "$scratch/sarif.json" --output "$scratch/small"
grep -q '<testsuites.*tests="9"' "$scratch/junit.xml" || grep -q 'tests="9"' "$scratch/junit.xml" || fault 'the JUnit file has not 9 tests'
grep -q 'failures="1"' "$scratch/junit.xml" || fault 'the JUnit file has not one failure'
grep -q 'm.9.wrong.hlo' "$scratch/sarif.json" || fault 'the SARIF file does not name the wrong step'
says 'reduced to 2 instructions'
expect 1 equiv "$scratch/small.before.hlo" "$scratch/small.after.hlo"; says '^  different'
expect 3 watch "$more" --junit "$scratch/no/junit.xml"
# Without a name the small modules are written beside the step, and are no step when the directory is read again.
rm -f "$more"/wrong.*
expect 1 watch "$more"; says "affirm equiv $more/wrong.before.hlo $more/wrong.after.hlo"; says '^  all +9 '
expect 1 equiv "$more/wrong.before.hlo" "$more/wrong.after.hlo"; says '^  different'
expect 1 watch "$more"; says '^  all +9 '
expect 3 watch "$more" --output "$scratch/no/small"
mkdir "$scratch/kept"; ln -s "$more"/m.8.* "$more"/m.9.* "$scratch/kept/"; mkdir "$scratch/kept/wrong.before.hlo"
expect 1 watch "$scratch/kept"; complains 'output NAME writes the small modules'

# A module without an array output decides nothing.
token=$scratch/token
mkdir "$token"
printf 'HloModule m\n\nENTRY e {\n  ROOT t = token[] after-all()\n}\n' >"$token/m.1.a.hlo"
printf 'HloModule n\n\nENTRY e {\n  ROOT t = token[] after-all()\n}\n' >"$token/m.2.b.hlo"
expect 2 watch "$token"; says 'why not decided:.*no output is an array'

# Reduction keeps the difference: one output of two, without the operations before it.
big=$scratch/big
mkdir "$big"
large() { printf 'HloModule m\n\nENTRY e {\n  a = f32[2,3] parameter(0)\n  b = f32[2,3] parameter(1)\n  c = f32[2,3] multiply(a, b)\n  d = f32[2,3] exponential(c)\n  x = f32[2,3] %s\n  y = f32[2,3] negate(x)\n  ROOT t = (f32[2,3], f32[2,3]) tuple(c, y)\n}\n' "$1"; }
large 'subtract(d, a)' >"$big/m.1.first.hlo"
large 'subtract(a, d)' >"$big/m.2.second.hlo"
expect 1 watch "$big" --output "$scratch/small"; says 'reduced to 2 instructions'
expect 1 equiv "$scratch/small.before.hlo" "$scratch/small.after.hlo"
grep -q 'exponential' "$scratch/small.before.hlo" && fault 'what both modules share was not cut'

# Missing texts are reported, and the other steps are judged.
rm "$more/m.5.pass2.hlo"
expect 1 watch "$more"; complains 'numbers 5 to 5 are missing'; says '^  all +8 '
late=$scratch/late
mkdir "$late"
module "$late/module_0001.m.before_optimizations.txt" 'add(a, b)'
module "$late/module_0001.m.0003.p.after_x.before_y.txt" 'add(a, b), metadata={op_name="x"}'
expect 0 watch "$late"; complains '0003.p.after_x.*numbers 1 to 2 are missing'; says '^  all +1 '
gone=$scratch/gone
mkdir "$gone"
module "$gone/module_0001.m.0001.first.after_a.before_b.txt" 'add(a, b)'
module "$gone/module_0001.m.0002.first.after_b.before_c.txt" 'add(a, b), metadata={op_name="x"}'
expect 2 watch "$gone"; complains '0001.first.after_a.*no text before this pass'; says '^  all +2 '
# A pass whose name ends in a number looks like a module of its own, which is not left out.
alone=$scratch/alone; mkdir "$alone"
for text in m.0001.start m.0002.b m.0003.fold.2; do cp "$gone"/*0001.first.after_a* "$alone/$text.hlo"; done
expect 2 watch "$alone"; complains 'm.0003.fold.2.hlo: no text before this pass'; says '^  all +2 '
# A text without a number is named; the small modules of an earlier run are not.
cp "$more/m.1.pass1.hlo" "$alone/m.final.hlo"; cp "$more"/wrong.*.hlo "$alone"
expect 2 watch "$alone"; complains 'm.final.hlo: its name has no number of at most 9 digits, so it is not judged'; grep -q 'wrong\.' "$scratch/err" && fault 'names the small modules'
# Texts that belong to no step, and directories that are nested too deep, are steps that are not read.
unread=$scratch/unread; mkdir "$unread"
module "$unread/m.1.a.hlo" 'add(a, b)'; module "$unread/m.2.b.hlo" 'add(a, b), metadata={op_name="x"}'
unjudged() {
  expect 2 watch "$unread" --json --junit "$scratch/unread.xml"; complains "$1: $2, so it is not judged\$"
  says "$1\",.*\"answer\":\"not read\""; says '"answer":"same values"'; grep -q '<error ' "$scratch/unread.xml" || fault "JUnit has no row of $1"
}
for name in m.1000000001.c.hlo n.cpu_after_optimizations.txt m.1000000001.p.after_c.before_d.txt m.1000000001.p.after_c.txt x/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/m.1.a.hlo; do
  mkdir -p "$unread/$(dirname "$name")"; module "$unread/$name" 'subtract(a, b)'
  case $name in
    n.*) unjudged "$name" 'no other text has the name of its module' ;;
    x/*) unjudged "${name%/*}" 'directories are nested too deep' ;;
    *) unjudged "$name" 'its name has no number of at most 9 digits' ;;
  esac
  rm -r "${unread:?}/${name%%/*}"
done
# A module's name may contain the mark of a pass; other files of this module are no texts.
module "$unread/module_0002.x.after_y.before_optimizations.txt" 'subtract(a, b)'
module "$unread/module_0002.x.after_y.0001.pipe.after_swap.before_b.txt" 'subtract(b, a)'
touch "$unread/module_0002.x.after_y.thunk_sequence.txt"
expect 1 watch "$unread" --output "$scratch/small"; says '^  all +2 '; says 'first wrong step: pass swap'; silent_error
# The start of a pipeline is not a pass.
mv "$gone/module_0001.m.0001.first.after_a.before_b.txt" "$gone/module_0001.m.0001.first.after_pipeline-start.before_b.txt"
expect 0 watch "$gone"; says '^  all +1 '
# Another name of the entry changes nothing; a step that takes too long is unknown, and the others are judged.
sed 's/ENTRY e/ENTRY main.1/' "$gone/module_0001.m.0002.first.after_b.before_c.txt" >"$gone/module_0001.m.0003.first.after_c.before_d.txt"
expect 0 watch "$gone"; says '^  all +2 '
long=$scratch/long
mkdir "$long"
{
  echo 'HloModule m'; echo; echo 'ENTRY e {'; echo '  a0 = f32[200,200] parameter(0)'
  i=0
  while [ $i -lt 40 ]; do j=$((i + 1)); echo "  a$j = f32[200,200] dot(a$i, a$i), lhs_contracting_dims={1}, rhs_contracting_dims={0}"; i=$j; done
  echo '  ROOT r = f32[200,200] copy(a40)'; echo '}'
} >"$long/m.1.first.hlo"
sed 's/dot(a7, a7), lhs_contracting_dims={1}, rhs_contracting_dims={0}/dot(a7, a7), lhs_contracting_dims={0}, rhs_contracting_dims={0}/' "$long/m.1.first.hlo" >"$long/m.2.second.hlo"
sed 's/HloModule m/HloModule n/' "$long/m.2.second.hlo" >"$long/m.3.third.hlo"
expect 2 watch "$long" --elements 2000000000 --seconds 1; says 'too long'; says '^  third +1 +0 +1 '
expect 2 watch "$long" --elements 2000000000 --memory 50; says 'too large: megabytes'; says '^  third +1 +0 +1 '

# A program's dumps are judged while it runs: the first step is printed before the program ends.
# shellcheck disable=SC2016
expect 0 watch --json -- sh -c 'dir=$(echo "$XLA_FLAGS" | sed "s/.*--xla_dump_to=//; s/ .*//")
  text() { printf "HloModule %s\n\nENTRY e {\n  ROOT a = s8[] parameter(0)\n}\n" "$1"; }
  text a >"$dir/m.1.a.hlo"; text b >"$dir/m.2.b.hlo"; text c >"$dir/m.3.c.hlo"
  i=0
  while [ $i -lt 1200 ] && ! grep -q m.2.b.hlo "'"$scratch/out"'"; do sleep 0.1; i=$((i + 1)); done
  [ $i -lt 1200 ]'
# Rows have the part `steps` and the name of the module, number and pass, without the directory; the fingerprint of a step of a program is stable.
# shellcheck disable=SC2016
for i in 1 2; do
  expect 1 watch --sarif "$scratch/program$i.sarif" -- sh -c 'dir=$(echo "$XLA_FLAGS" | sed "s/.*--xla_dump_to=//; s/ .*//")
    text() { printf "HloModule m\n\nENTRY e {\n  a = s8[] parameter(0)\n  ROOT r = s8[] %s(a)\n}\n" "$1"; }
    text negate >"$dir/m.1.a.hlo"; text not >"$dir/m.2.b.hlo"'
  grep -q '"ruleId":"steps/refuted"' "$scratch/program$i.sarif" || fault 'another ruleId'
  grep -q '"fullyQualifiedName":"steps/m 2 b"' "$scratch/program$i.sarif" || fault 'another name of a step'
  grep -o '"partialFingerprints":{[^}]*}' "$scratch/program$i.sarif" >"$scratch/print$i"
done
[ -s "$scratch/print1" ] && cmp -s "$scratch/print1" "$scratch/print2" || fault 'the fingerprint is not stable'

# A program that fails: the totals have the exit status, and a row of the result files says so.
# shellcheck disable=SC2016
expect 5 watch --json --junit "$scratch/five.xml" --sarif "$scratch/five.sarif" -- sh -c 'dir=$(echo "$XLA_FLAGS" | sed "s/.*--xla_dump_to=//; s/ .*//")
  for i in 1 2; do printf "HloModule m\n\nENTRY e {\n  ROOT a = s8[] parameter(0)\n}\n" >"$dir/m.$i.a.hlo"; done; exit 5'
says '"status":5'
grep -q 'the run ended with status 5' "$scratch/five.xml" || fault 'JUnit has no row about the program'
grep -q '"ruleId":"run/bad-input"' "$scratch/five.sarif" || fault 'SARIF has no row about the program'

# A pipe, a link to nothing and a directory in the place of a step are steps that cannot be read.
odd=$scratch/odd
mkdir "$odd" "$odd/m.4.c.hlo"
module "$odd/m.1.first.hlo" 'add(a, b)'
mkfifo "$odd/m.2.a.hlo"
ln -s nowhere "$odd/m.3.b.hlo"
module "$odd/m.5.last.hlo" 'add(a, b)'
timeout 60 "$affirm" watch "$odd" --json --junit "$scratch/odd.xml" >"$scratch/out" 2>"$scratch/err"
status=$?
[ $status -eq 2 ] || fault "watch of odd files ended with $status, not 2"
says '"reason":".*m.2.a.hlo: is not a regular file"'; says '"reason":".*m.3.b.hlo: No such file'; says '"reason":".*m.4.c.hlo: is a directory"'
[ "$(grep -c '<error ' "$scratch/odd.xml")" -eq 3 ] || fault 'JUnit has not 3 steps that cannot be read'
echo "$faults faults"
[ $faults -eq 0 ]
