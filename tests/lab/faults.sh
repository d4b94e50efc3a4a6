# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# What tests of faults source after lib.sh: one comparison against the drive "good" in the middle of
# which something happens.

# a simulated drive of which 16 MiB are read in each slot (fault_job writes the job)
fault_model=(size=16M data=8M populate=0:16M)
fault_job() {
	printf '%s\n' '[fault]' rw=read bs=256k iodepth=8 size=16m >"$out/fault.fio"
}
read_so_far() { sed -n 's/^read_bytes=//p' "$run/$1.truth"; }
# fault DRIVE ROUNDS COMMAND...: the command is run when the drive is in its second slot of one round,
# in the third of more; exit status of the comparison in $out/DRIVE.rc, its run directory in $out/DRIVE
fault() {
	local drive=$1 rounds=$2 start job i at=20
	shift 2
	[ "$rounds" -eq 1 ] || at=36
	start=$(read_so_far "$drive")
	guest_start "mkdir -p /tmp/runs; ${fault_before:-}
		timeout 120 nvmatch run-suite /out/fault.fio \$(dev $drive) \$(dev good) --rounds $rounds --no-drop-caches --quiet -o /tmp/runs/$drive
		echo \$? >/out/$drive.rc; cp -r /tmp/runs/$drive /out/; nvmatch verify /tmp/runs/$drive"
	job=$REPLY
	for ((i = 0; i < 2000; i++)); do
		[ $(($(read_so_far "$drive") - start)) -lt $((at << 20)) ] || break
		[ ! -e "$out/$job.rc" ] || break
		sleep 0.05
	done
	"$@"
	guest_wait "$job" >"$tmp/$drive.log" 2>&1
	echo "# $drive: exit status $(cat "$out/$drive.rc"), $(tail -n 3 "$tmp/$drive.log" | tr '\n' ' ')"
}
ended() { echo "exit status $(cat "$out/$1.rc")"; [ "$(cat "$out/$1.rc")" = "$2" ]; }
good_kept() {
	is "$out/$1/result.json" '[.workloads[0].observations[].B | select(.usable)] | length >= 1 and all(.[]; .bytes == 16777216 and .smart_after.valid)'
}
says() { tr '\n' ' ' <"$out/$1/report.txt" | tr -s ' ' | grep -Eq "$2" || { echo "not in the report: $2"; cat "$out/$1/report.txt"; return 1; }; }
