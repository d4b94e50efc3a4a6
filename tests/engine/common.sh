# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Helpers for the tests of the engine: source this after tests/lib.sh.
DUMP=$NVMATCH_BUILD/tests/engine/rec-dump
data=$tmp/data

target=$data	# what fio_run reads or writes

# A file whose content is known: 4 MiB random, 4 MiB zero, 4 MiB of one pattern, 4 MiB of text.
make_data() {
	{
		head -c 4M /dev/urandom
		head -c 4M /dev/zero
		head -c 4M /dev/zero | tr '\0' 'U'
		seq 1 99999 | sed 's/.*/& the quick brown fox jumps over the lazy dog &/' | head -c 4M
	} >"$data"
	same "$(stat -c %s "$data")" 16777216
}

# fio_run NAME ARGUMENTS...: output in $tmp/NAME.json and .err; returns fio's status
fio_run() {
	local name=$1
	shift
	timeout -k 5 60 "$FIO" --name=job --filename="$target" --output-format=json+ \
		--output="$tmp/$name.json" "$@" >"$tmp/$name.out" 2>"$tmp/$name.err"
}
# with_engine NAME BASE ARGUMENTS...: the same through the engine, records in $tmp/NAME.*.rec
with_engine() {
	local name=$1 base=$2
	shift 2
	rm -f "$tmp/$name".*.rec
	fio_run "$name" --ioengine="external:$ENGINE" --base_engine="$base" \
		--record="$tmp/$name" "$@"
}

# running NAME: waits until its first thread has done some I/O
running() {
	for _ in $(seq 200); do
		sleep 0.05
		[ "$(rec "$1" read.live_ios 2>/dev/null)" -gt 50 ] && return
	done
	return 1
}

# json_number NAME KEY N: the N-th number (from 1) of that key in the output of NAME. fio
# writes read, write, trim and sync of a job in this order.
json_number() {
	awk -v key="\"$2\"" -v n="$3" '$1 == key { if (++i == n) { sub(/,$/, "", $3); print $3; exit } }' \
		"$tmp/$1.json"
}
# json_sum NAME KEY: of all jobs
json_sum() {
	awk -v key="\"$2\"" '$1 == key { sub(/,$/, "", $3); s += $3 } END { printf "%.0f\n", s }' "$tmp/$1.json"
}
# rec NAME KEY: the sum of that key over the record files of NAME
rec() {
	local f
	for f in "$tmp/$1".*.rec; do "$DUMP" "$f"; done |
		awk -v key="$2" '$1 == key { s += $2 } END { printf "%.0f\n", s }'
}
# text NAME KEY: of its first record file, not a number
text() {
	local f
	for f in "$tmp/$1".*.rec; do "$DUMP" "$f" | sed -n "s/^$2 //p"; return; done
}
same() { [ "$1" = "$2" ] || { echo "'$1' is not '$2'"; return 1; }; }
positive() { [ "$1" -gt 0 ] || { echo "'$1' is not more than 0"; return 1; }; }
between() { [ "$1" -ge "$2" ] && [ "$1" -le "$3" ] || { echo "$1 is not in $2..$3"; return 1; }; }
# one_line NAME TEXT: stderr of NAME has exactly one line of the engine, with that text
one_line() {
	local n
	n=$(grep -c '^datastate: ' "$tmp/$1.err")
	[ "$n" -eq 1 ] && grep -q "^datastate: .*$2" "$tmp/$1.err" || { cat "$tmp/$1.err"; return 1; }
}
# hashes_match NAME FILE: each recorded hash is that of the bytes in FILE
hashes_match() {
	local f out
	for f in "$tmp/$1".*.rec; do
		out=$("$DUMP" "$f" rehash "$2") || { echo "$out"; return 1; }
		case $out in "compared 0 "*) echo "nothing hashed"; return 1 ;; *" differ 0") ;; *) echo "$out"; return 1 ;; esac
	done
}
