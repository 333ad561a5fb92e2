#!/bin/sh
# affirm watch from outside: a right and a wrong pass, truncated and repeated files, a changed signature, a program that ends badly.
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
module "$dump/module_0001.m.1.0003.first.after_cse.before_end.txt" 'subtract(b, a)'
expect 1 watch "$dump"; complains 'another file has number 3'
expect 3 watch "$scratch/empty"; complains 'no module with a pass behind it'
expect 3 watch "$scratch/none"; complains 'No such file'
expect 3 watch
rm "$dump"/*
printf 'HloModule' >"$dump/m.1.first.hlo"
printf 'HloModule' >"$dump/m.2.second.hlo"
expect 0 watch "$dump"
printf 'HloModul' >"$dump/m.2.second.hlo"
expect 3 watch "$dump"; complains 'm.1.first.hlo'
module "$dump/m.1.first.hlo" 'add(a, b)'
printf 'HloModule m\n\nENTRY e {\n  ROOT a = f32[2,3] parameter(0)\n}\n' >"$dump/m.2.second.hlo"
expect 2 watch "$dump"; says 'why not decided:.*parameters before'
expect 3 watch -- false; complains 'false ended with 1'
expect 3 watch -- "$scratch/none"
# shellcheck disable=SC2016
expect 1 watch -- sh -c 'dir=$(echo "$XLA_FLAGS" | sed "s/.*--xla_dump_to=//; s/ .*//")
  printf "HloModule m\n\nENTRY e {\n  a = s8[] parameter(0)\n  b = s8[] parameter(1)\n  ROOT r = s8[] subtract(a, b)\n}\n" >"$dir/module_0001.m.before_optimizations.txt"
  printf "HloModule m\n\nENTRY e {\n  a = s8[] parameter(0)\n  b = s8[] parameter(1)\n  ROOT r = s8[] add(a, b)\n}\n" >"$dir/module_0001.m.0001.p.after_wrong.before_x.txt"'
says 'first wrong step: pass wrong'
echo "$faults faults"
[ $faults -eq 0 ]
