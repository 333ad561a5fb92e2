#!/bin/sh
# A program that starts fast names neither libMLIR nor libLLVM among what it needs.
#   not_linked.sh PROGRAM
set -eu
needed=$(objdump -p "$1" | grep NEEDED) || { echo "not_linked: $1 has no dynamic section"; exit 1; }
echo "$needed"
! echo "$needed" | grep -E "libMLIR|libLLVM"
