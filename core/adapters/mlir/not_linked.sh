#!/bin/sh
# Fails if the program links libMLIR or libLLVM, which would slow down its start.
#   not_linked.sh PROGRAM
set -eu
needed=$(objdump -p "$1" | grep NEEDED) || { echo "not_linked: $1 has no dynamic section"; exit 1; }
echo "$needed"
! echo "$needed" | grep -E "libMLIR|libLLVM"
