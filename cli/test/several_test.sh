#!/bin/sh
# What is asked about: an instruction that one of several modules has, options that a command would ignore, roots without operands, and rows that name
# their module and file where there are several.
#   several_test.sh AFFIRM
set -u
affirm=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
runs=0 faults=0
fault() { echo "FAULT: $*"; cat out err; faults=$((faults + 1)); }
expect() { # expect STATUS ARGUMENT...: the exit status; output in the files out and err
  wanted=$1
  shift
  runs=$((runs + 1))
  "$affirm" "$@" >out 2>err </dev/null
  got=$?
  [ $got -eq "$wanted" ] || fault "affirm $*: exit status $got, not $wanted"
}
says() { grep -qF -e "$1" out || fault "not printed: $1"; }
lacks() { ! grep -qF -e "$1" out err || fault "said: $1"; }
complains() { grep -qF -e "$1" err || fault "not on standard error: $1"; }
silent() { [ ! -s err ] || fault "on standard error"; }
cat >two.hlo <<'END'
HloModule first
ENTRY e {
  p = f32[4] parameter(0)
  ROOT n = f32[4] negate(p)
}

HloModule second
f {
  q = f32[4] parameter(0)
  ROOT r = f32[4] reverse(q), dimensions={0}
}
ENTRY e {
  p = f32[4] parameter(0)
  ROOT called = f32[4] fusion(p), kind=kLoop, calls=f
}
END

# An instruction that one of the modules has is found; one that none has is an error, once.
for command in map use check emit\ --form\ isl; do
  expect 0 $command two.hlo --instruction f/r; silent
  expect 3 $command two.hlo --instruction f/nobody
  complains "two.hlo: no instruction 'f/nobody'"
  [ "$(grep -c "no instruction" err)" = 1 ] || fault "$command says it more than once"
done
expect 0 report two.hlo --instruction f/r --page page.html; lacks 'no instruction'
grep -q 'replay: <code>affirm check two.hlo --instruction f/r ' page.html || fault "the command of the page"
expect 3 report two.hlo --instruction f/nobody --page page.html; complains "two.hlo: no instruction 'f/nobody'"
expect 0 map two.hlo --producers --instruction called; silent; says 'producer r'
expect 3 map two.hlo --producers --instruction n; complains "two.hlo: no instruction 'n' that runs a computation"

# A name that several computations have and the entry does not is an error that says the names to choose from.
cat > same.hlo <<'END'
HloModule m
f {
  a = f32[4] parameter(0)
  ROOT n = f32[4] negate(a)
}
g {
  a = f32[4] parameter(0)
  ROOT n = f32[4] reverse(a), dimensions={0}
}
ENTRY e {
  p = f32[4] parameter(0)
  x = f32[4] fusion(p), kind=kLoop, calls=f
  ROOT a = f32[4] fusion(x), kind=kLoop, calls=g
}
END
for command in map use check emit 'map --producers' 'map --threads 2' 'report --page same.html'; do
  expect 3 $command same.hlo --instruction n
  complains "same.hlo: several computations have an instruction 'n': say f/n or g/n"
  ! grep -q "no instruction" err || fault "$command says that there is no instruction"
done
expect 0 map same.hlo --instruction g/n --direction o2i; silent; says '(d0) -> (-d0 + 3)'
expect 0 map same.hlo --instruction a --direction o2i; silent; says '(d0) -> (-d0 + 3)'

# Maps to producers: what would be ignored is an error of usage.
expect 3 map two.hlo --producers --direction i2o; complains "--producers allows only --direction o2i"
expect 0 map two.hlo --producers --direction o2i; silent
expect 3 map two.hlo --producers --operand 0; complains "--producers cannot be combined with --operand"
expect 3 map two.hlo --producers --questions 1; complains "--producers cannot be combined with --questions or --megabytes"
expect 3 map two.hlo --producers --output 5; complains "two.hlo: no selected instruction has output 5"
expect 0 map two.hlo --producers --output 0; silent
expect 0 map --help; says "leaves out values of which the output reads nothing"

# Rows say of which module and file they are, where there are several.
cp two.hlo also.hlo
printf 'ENTRY e { p = f32[4] parameter(0) ROOT n = f32[4] negate(p) }\n' >one.hlo
for command in map use check; do
  expect 0 $command two.hlo; says '# module 1: first'; says '# module 2: second'; lacks '# file'
  [ "$(sed -n '/# module 2/,$p' out | grep -c -e called -e '-d0')" -gt 0 ] || fault "$command: a row before its module"
  expect 0 $command one.hlo; lacks '# module'; lacks '# file'
  expect 0 $command --json two.hlo one.hlo; lacks '# module'; lacks '# file'; says '"module":2,"module_name":"second"'
  [ "$(grep one.hlo out | grep -c module_name)" = 0 ] || fault "$command: a single module has a number"
done
for command in map use; do
  expect 0 $command one.hlo two.hlo
  grep '^# [fm]' out | tr '\n' ';' >headings
  [ "$(cat headings)" = '# file one.hlo;# file two.hlo;# module 1: first;# module 2: second;' ] || fault "$command: the headings $(cat headings)"
done
expect 0 check --quiet two.hlo; lacks '# module'

# Each module that cannot be read has a row with its own line and reason.
{
  printf 'ENTRY e {\n  p = f32[4] parameter(0)\n  ROOT r = f32[4] nosuchop(p)\n}\n'
  cat one.hlo
  printf 'ENTRY e {\n  p = f32[4] parameter(0)\n  ROOT r = f32[4] another(p)\n}\n'
} | sed 's/^ENTRY/HloModule m\n&/' >bad.hlo
expect 3 check bad.hlo --json --junit bad.xml
says '"line":4,"answer":"bad input","reason":"'"'nosuchop' is not an opcode"; says '"line":11,"answer":"bad input","reason":"'"'another' is not an opcode"
[ "$(grep -c '<error type="bad input"' bad.xml)" = 2 ] || fault "the result file has not a row for each module that cannot be read"
expect 3 check bad.hlo; says 'not read 2'
expect 3 score bad.hlo --verb analyse --junit bad.xml; says ' 2 parts not read'
grep -q "'another' is not an opcode" bad.xml || fault "the result file of a score has no reason"
{ cat two.hlo; printf 'HloModule m, input_output_alias={ {}: (9, {}, may-alias) }\n'; cat one.hlo; } >alias.hlo
expect 3 hazard alias.hlo --json; says '"file":"alias.hlo","line":16,"answer":"bad input","reason":"input_output_alias='; complains 'alias.hlo:16:1: error: input_output_alias='

# Nothing is read by a root without operands, and a note says so.
printf 'ENTRY e { ROOT a = f32[] parameter(0) }\n' >parameter.hlo
for command in map use emit\ --form\ isl; do
  expect 0 $command parameter.hlo; complains "parameter.hlo: the root 'a' has no operand, so there is no map"
  expect 0 $command two.hlo --instruction p; complains "two.hlo: the instruction 'p' has no operand, so there is no map"
  expect 0 $command parameter.hlo --all; complains "parameter.hlo: no instruction of module 'module_e' has an operand"
  expect 0 $command one.hlo; silent
done

# Maps between devices exist of collectives only; the exit status of an undefined map is not the subject here.
"$affirm" map one.hlo --devices 2 >out 2>err; says '# undefined: negate is not a collective'
printf 'ENTRY e { p = f32[2] parameter(0) o = f32[2] parameter(1) i = s32[1] parameter(2) ROOT r = f32[2] ragged-all-to-all(p, o, i, i, i, i) }\n' >ragged.hlo
"$affirm" map ragged.hlo --devices 2 >out 2>err; says '# undefined: maps of ragged-all-to-all between devices are not known'

# Standard input has one name in every command.
runs=$((runs + 1))
"$affirm" hazard - <one.hlo >out 2>err
[ $? -eq 2 ] || fault "hazard - without a pair"
complains '<stdin>: nothing to compare: no write into a shared buffer is paired with a read'

echo "$runs runs, $faults faults"
[ $faults -eq 0 ]
