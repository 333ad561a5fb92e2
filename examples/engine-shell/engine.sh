#!/bin/sh
# An engine over a pipe, in shell: --engine-cmd examples/engine-shell/engine.sh (docs/formats.md). One-line maps need no unescaping.
tab=$(printf '\t')
while IFS=$tab read -r number verb map rest; do
  case $verb in
    hello) printf '%s\tengine\t1\tshell 1.0\tsimplify\n' "$number" ;;
    simplify) printf '%s\tanswer\t%s\n' "$number" "$map" ;;
    *) printf '%s\tnot-offered\n' "$number" ;;
  esac
done
