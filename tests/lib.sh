# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Helpers for the scripts under tests/: source this first.
#   check NAME COMMAND...      ok when the command succeeds
#   tried N COMMAND...         succeeds when one of N times does
#   skip NAME WHY              counts as skipped, with the reason
#   tmp                        a directory of this test's own, removed at the end
#   zram_new BYTES             a new zram device of this test's own, its path in REPLY
#   finish                     last line of every test: exit status by what failed
set -u
NVMATCH=${NVMATCH:-${NVMATCH_BUILD:?run through make check}/nvmatch}
ENGINE=${ENGINE:-$NVMATCH_BUILD/datastate.so}
FIO=${FIO:-fio}
export NO_COLOR=1
tmp=$(mktemp -d /var/tmp/nvmatch-test.XXXXXX)
failures=0
zrams=()
cleanup() {
	local z
	for z in "${zrams[@]}"; do zram_remove "$z"; done
	rm -rf "$tmp"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

check() {
	local name=$1
	shift
	if "$@" >"$tmp/check.out" 2>&1; then
		echo "ok $name"
	else
		echo "not ok $name (exit status $?): $*"
		sed 's/^/# /' "$tmp/check.out" | tail -n 30
		failures=$((failures + 1))
	fi
}
# exits STATUS COMMAND...: runs it, output in $tmp/out and $tmp/err
exits() {
	local want=$1 got
	shift
	"$@" >"$tmp/out" 2>"$tmp/err"
	got=$?
	[ "$got" -eq "$want" ] || { echo "exit status $got, wanted $want: $*"; cat "$tmp/out" "$tmp/err"; return 1; }
}
# tried N COMMAND...: for what other work on the machine can spoil: good if one of N times is
tried() {
	local n=$1
	shift
	while [ "$n" -gt 0 ]; do
		"$@" && return 0
		n=$((n - 1))
	done
	return 1
}
skip() { echo "skip $1: $2"; }
can_zram() { [ "$(id -u)" -eq 0 ] && [ -r /sys/class/zram-control/hot_add ]; }
zram_new() {
	local n
	n=$(cat /sys/class/zram-control/hot_add) || return 1
	zrams+=("$n")
	echo "$1" >"/sys/block/zram$n/disksize" || return 1
	REPLY=/dev/zram$n
	# without udev the node does not come by itself
	[ -b "$REPLY" ] || mknod "$REPLY" b $(tr : ' ' <"/sys/block/zram$n/dev")
}
zram_remove() {
	[ -e "/sys/block/zram$1" ] || return 0
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		echo 1 >"/sys/block/zram$1/reset" 2>/dev/null && echo "$1" >/sys/class/zram-control/hot_remove 2>/dev/null && break
		sleep 0.2
	done
	[ -e "/sys/block/zram$1" ] || rm -f "/dev/zram$1"
}
finish() { [ "$failures" -eq 0 ]; exit; }
