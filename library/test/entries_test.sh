#!/bin/sh
# Each function of include/affirm.h that has a context begins with CONTEXT_ENTER. Left out are those that read and print no number with a point:
# they set or return a field, free, or compute with int64 in a host's loop over points.
#   entries_test.sh SOURCE_DIRECTORY
set -eu
cd "$1/library"
without() {
  awk '
    /^[^ \/#].*affirm_[a-z_]+\(/ { head = ""; is_head = 1 }
    is_head { head = head $0 }
    is_head && /[;{}]$/ {
      is_head = 0
      if (head !~ /AffirmContext \*context/ || /;$/) next
      name = head
      sub(/\(.*/, "", name); sub(/.*[ *]/, "", name)
      if (name ~ /^affirm_(context_(destroy|reset|limit)|error|error_clear|map_evaluate)$/) next
      functions++
      is_begun = 1
      next
    }
    is_begun { is_begun = 0; if ($0 != "  CONTEXT_ENTER(context);") print name " does not begin with CONTEXT_ENTER" }
    END { if (functions < 30) print "only " functions + 0 " functions were found" }' "$@"
}
found=$(without ./*.c)
[ -z "$found" ] || { echo "$found"; exit 1; }
scratch=$(mktemp)
trap 'rm -f "$scratch"' EXIT
sed '/^const AffirmMap \*affirm_map_compose/,/^}/{/CONTEXT_ENTER/d;}' maps.c > "$scratch"
[ "$(without context.c "$scratch" modules.c rules.c trace.c)" = "affirm_map_compose does not begin with CONTEXT_ENTER" ] || { echo "a function without it is not found"; exit 1; }
