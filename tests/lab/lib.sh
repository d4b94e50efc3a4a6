# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# What every lab test sources: tests/lib.sh, the machine (vm.sh), and looks at documents.
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
. "$(dirname "${BASH_SOURCE[0]}")/vm.sh"
trap 'vm_end; cleanup' EXIT
vm_end() {
	kill_vm
	power_off
	[ -z "${LAB_KEEP:-}" ] || { mkdir -p "$LAB_KEEP" && cp -r "$tmp" "$LAB_KEEP/"; }
}

# is FILE JQ-EXPRESSION: true when the expression is; says what it was otherwise
is() {
	local file=$1
	shift
	jq -e "$@" "$file" >"$tmp/is.out" 2>&1 && return 0
	echo "in $file: $*"
	cat "$tmp/is.out"
	return 1
}

# compare JOBFILE A B RUN [OPTION...]: run-suite in the guest, with the run directory in $out/RUN.
# Caches stay: without them the guest reads fio and its libraries from the host again, and
# translates them again, for every slot. The I/O is direct.
compare() {
	local job=$1 a=$2 b=$3 name=$4 rc
	shift 4
	guest "nvmatch run-suite /out/$job \$(dev $a) \$(dev $b) --no-drop-caches --quiet -o /tmp/$name $*
		rc=\$?; cp -r /tmp/$name /out/; exit \$rc" >"$tmp/compare.out" 2>&1
	rc=$?
	[ $rc -eq 0 ] || tail -n 5 "$tmp/compare.out"
	return $rc
}
# ledger RUN ID STATE
ledger() {
	is "$out/$1/verdict.json" --arg id "$2" --arg state "$3" \
		'[.ledger[] | select(.id == $id)][0] | if .state == $state then true else [.state, .text], false end'
}
# of_comparison RUN MODE METRIC SUBSET JQ-EXPRESSION: about that one comparison
of_comparison() {
	is "$out/$1/verdict.json" --arg mode "$2" --arg metric "$3" --arg subset "$4" \
		"[.comparisons[] | select(.mode == \$mode and .metric == \$metric and .subset == \$subset)][0] | $5"
}
# Every side of every slot as a JSON line: mode, side and measurement.
measurements() {
	jq -c '.workloads[].observations[] | . as $o | ("A", "B") | select($o[.] != null and $o[.].slot != null) |
		{ side: ., mode: (if $o.concurrent then "concurrent" else "single" end) } + $o[.]' "$out/$1/result.json"
}
