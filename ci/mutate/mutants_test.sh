#!/bin/sh
# affirm-mutants lists the mutants of a source, and none of a source with errors, whose tree has gaps.  mutants_test.sh MUTANTS
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
printf 'int f(int a) { return a + 1; }\n' >whole.c
printf 'int f(int a) { return a + 1; }\nint g(unknown b) { return b + 2; }\n' >gap.c
printf '#include "nowhere.h"\nint f(int a) { return a + 1; }\n' >lost.c
printf 'int f(int a) { int b = a; return a + 1; }\n' >warned.c # nothing is lost
for name in whole gap lost warned; do
  printf '{"directory":"%s","file":"%s/%s.c","arguments":["clang","-Wall","-Werror","-c","%s.c"]},\n' "$scratch" "$scratch" $name $name
done | sed '1s/^/[/; $s/,$/]/' >compile_commands.json
for name in whole warned; do
  "$1" "$scratch" "$scratch/$name.c" >list || { echo "no mutants of $name.c"; exit 1; }
  [ -s list ] || { echo "an empty list of mutants of $name.c"; exit 1; }
done
for name in gap lost; do
  status=0
  "$1" "$scratch" "$scratch/$name.c" >list 2>errors || status=$?
  [ $status -eq 3 ] && [ ! -s list ] && grep -q 'error: ' errors || { echo "status $status of $name.c"; cat list errors; exit 1; }
done
