#!/bin/sh
# tests/adapters/cusparse/run_twice.sh -- runs a program without and with the drop-in: both must pass,
# and the second must have been solved by plans of Echelon.
# SPDX-License-Identifier: BSD-3-Clause
# usage: run_twice.sh PROGRAM DROPIN        exits with 77 without a GPU
set -u
lines=$(mktemp)
trap 'rm -f "$lines"' EXIT

echo "== without the drop-in"
"$1"
code=$?
[ $code -eq 0 ] || exit $code

echo "== with the drop-in"
LD_PRELOAD=$2 ECHELON_CUSPARSE_LOG=1 "$1" 2>"$lines"
code=$?
cat "$lines"
[ $code -eq 0 ] || exit $code
plans=$(grep -c "new plan" "$lines")
[ "$plans" -ge 100 ] || { echo "FAIL only $plans plans were made by the drop-in"; exit 1; }
grep -q "kept plan with the same values" "$lines" || { echo "FAIL no plan was kept"; exit 1; }
grep -q "kept plan with new values" "$lines" || { echo "FAIL no plan got new values"; exit 1; }
grep -q "passed on to cuSPARSE" "$lines" || { echo "FAIL no zero diagonal was passed on"; exit 1; }
echo "$plans plans"
