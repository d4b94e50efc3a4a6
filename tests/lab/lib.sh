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
		rc=\$?; cp -r /tmp/$name /out/; exit \$rc" 300 >"$tmp/compare.out" 2>&1
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
# served RUN SIDE DRIVE: a line for each usable slot of that side: mode; speed as the records say it
# and as the simulated drive served it (bytes/s); the share of that time in which the drive had
# nothing to do, as the emulated computer was too slow in asking. The last is 0 when the truth is
# exactly the configured speed.
served() {
	measurements "$1" | jq -r --arg side "$2" 'select(.side == $side and .usable) |
		[.mode, .bytes / (.last_io_ns - .first_io_ns) * 1e9, .first_io_ns / 1e9, .last_io_ns / 1e9] | @tsv' |
		awk -v service="$run/$3.service" 'BEGIN { while ((getline line <service) > 0) { split(line, f, " "); n++; s[n] = f[1]; e[n] = f[2]; b[n] = f[3] } }
			{	first = last = bytes = idle = 0
				# the clocks of guest and host may differ by some 100 ms; slots are further apart
				for (i = 1; i <= n; i++) {
					if (s[i] < $3 - 0.5 || s[i] > $4 + 0.5) continue
					if (!first) first = s[i]; else if (s[i] > last) idle += s[i] - last
					last = e[i]; bytes += b[i]
				}
				printf "%s %.0f %.0f %.4f\n", $1, $2, bytes / (last - first), idle / (last - first)
			}'
}
# served_ratio RUN A B MODE: the true ratio of that run, the geometric mean over its slots
served_ratio() {
	{ served "$1" A "$2" | sed 's/^/A /'; served "$1" B "$3" | sed 's/^/B /'; } |
		awk -v mode="$4" '$2 == mode { n[$1]++; l[$1] += log($4) } END { printf "%.5f\n", exp(l["A"] / n["A"] - l["B"] / n["B"]) }'
}
