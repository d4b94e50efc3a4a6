#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: NVMATCH_BUILD=build tests/bench/survey.sh [PAIRS [SAMPLES]]
# How fast survey reads and classifies, as a share of what fio reads alone: random blocks of 4 KiB with
# 32 in flight, from a zram device that holds random data, alternating pairs (root and zram).
. "$(dirname "$0")/../lib.sh"
pairs=${1:-6} samples=${2:-10000}
can_zram || { skip "speed of survey" "needs root and zram"; exit 0; }
zram_new 512M && dev=$REPLY
openssl enc -aes-128-ctr -pass pass:nvmatch -nosalt -md sha256 </dev/zero 2>/dev/null |
	dd of="$dev" bs=1M count=512 iflag=fullblock oflag=direct status=none
# Each prints blocks a second.
by_survey() {
	"$NVMATCH" survey "$dev" --ranges 32 --samples $(((samples + 31) / 32)) --seed "$1" --json -q |
		jq '.drives[0] | .samples / .read_ns * 1e9'
}
by_fio() {
	"$FIO" --name=b --filename="$dev" --direct=1 --rw=randread --bs=4k --number_ios=$((samples / $2)) --randseed="$1" \
		--ioengine="$3" --iodepth=$((32 / $2)) --numjobs="$2" --thread --group_reporting --output-format=json |
		jq '.jobs[0].read | .total_ios / .runtime * 1000'
}
median() { sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
by_survey 1 >/dev/null
for engine in libaio io_uring psync; do
	jobs=1
	[ $engine != psync ] || jobs=32
	: >"$tmp/ratios"
	for ((i = 1; i <= pairs; i++)); do
		if ((i % 2)); then s=$(by_survey $i); f=$(by_fio $i $jobs $engine); else f=$(by_fio $i $jobs $engine); s=$(by_survey $i); fi
		[ -n "$f" ] || { skip "$engine" "fio cannot use it here"; break; }
		awk -v s="$s" -v f="$f" 'BEGIN { print s / f }' >>"$tmp/ratios"
		echo "$engine pair $i: survey ${s%.*}, fio ${f%.*} blocks/s"
	done
	[ -s "$tmp/ratios" ] && echo "$engine: median of $pairs ratios survey/fio $(median <"$tmp/ratios")"
done
