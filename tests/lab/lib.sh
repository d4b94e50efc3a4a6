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
