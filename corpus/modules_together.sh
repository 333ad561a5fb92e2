#!/bin/sh
# Judges modules in one run of the command. After a failure each is judged alone, and those that fail are named: a sanitizer that ends the program loses
# what the program has printed.
#   modules_together.sh AFFIRM MODULE...
set -u
affirm=$1
shift
"$affirm" check "$@" && exit 0
is_named=no
for module; do
  "$affirm" check "$module" >/dev/null 2>&1 || { echo "FAULT: $module: exit status $?"; is_named=yes; }
done
[ $is_named = yes ] || echo "FAULT: only together"
exit 1
