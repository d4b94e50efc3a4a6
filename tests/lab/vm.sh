# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# One virtual machine: drives are named first, then it is booted, asked to run commands, and ended.
#   plain NAME SIZE [OPTION...]   a drive on a raw file $run/NAME.img (made when it is not there)
#   image, controller, namespace, subsystem   the parts, for other shapes of drives
#   sim NAME KEY=VALUE...         a simulated SSD (simssd/); NVME=OPTIONS among them goes to the device
#   shim NAME LINE...             lines for qshim/: temperature, SMART counters, PCI id, link
#   boot [KERNEL OPTION...]       0 when the guest is up; a boot that hangs is tried once more
#   guest SCRIPT                  runs it inside: output and exit status are the script's
#   guest_start SCRIPT            the same beside the others; guest_wait ends it (job in REPLY)
#   power_off
# Serial numbers are LAB-NAME. Files of a machine are in $run, those shared with the guest in $out.
LAB=${LAB:-$NVMATCH_BUILD/lab}
LAB_SOURCE=$TESTS/lab
LAB_SECONDS=${LAB_SECONDS:-560}	# a machine that lives longer is ended
LAB_BOOT_CPU_SECONDS=40	# a boot takes 5 to 10; by the clock it may be much more on a busy machine
LAB_BOOT_SECONDS=300
LAB_STILL_SECONDS=60	# what does nothing for so long is taken for dead
LAB_MEMORY=${LAB_MEMORY:-1G}
# With one CPU a boot and a start of fio cost two thirds of what they cost with two.
LAB_CPUS=${LAB_CPUS:-1}
machines=0 helpers=()

# Begins another machine: no drives, a new directory.
machine() {
	machines=$((machines + 1))
	run=$tmp/vm$machines out=$run/out
	drive_args=() shims='' ports=0
	mkdir -p "$out"
}

# A drive of its own slot, so that it has a link and can be pulled out.
port() {
	ports=$((ports + 1))
	drive_args+=(-device "pcie-root-port,id=port-$1,chassis=$ports,slot=$ports,x-speed=16,x-width=4")
}
controller() { # NAME [OPTIONS]
	local serial=,serial=LAB-$1
	port "$1"
	[[ ,${2:-} != *,serial=* ]] || serial=
	drive_args+=(-device "nvme,id=$1,bus=port-$1$serial${2:+,$2}")
}
image() { # NAME SIZE
	[ -e "$run/$1.img" ] || truncate -s "$2" "$run/$1.img"
	drive_args+=(-blockdev "driver=raw,node-name=$1-image,file.driver=file,file.filename=$run/$1.img,cache.direct=on")
}
# Parts of drives that are more than one controller with one namespace.
namespace() { # CONTROLLER NUMBER IMAGE [OPTIONS]
	drive_args+=(-device "nvme-ns,bus=$1,nsid=$2,drive=$3-image${4:+,$4}")
}
subsystem() { # NAME: for controllers with the option subsys=subsystem-NAME
	drive_args+=(-device "nvme-subsys,id=subsystem-$1,nqn=$1")
}
plain() { # NAME SIZE [OPTIONS]
	image "$1" "$2"
	controller "$1" "drive=$1-image${3:+,$3}"
}
sim() { # NAME KEY=VALUE...
	local name=$1 arg nvme='' args=()
	shift
	for arg; do case $arg in NVME=*) nvme=${arg#NVME=} ;; *) args+=("$arg") ;; esac; done
	sim_server "$name" "${args[@]}"
	drive_args+=(-blockdev "driver=nbd,node-name=$name-sim,discard=unmap,server.type=unix,server.path=$run/$name.sock")
	controller "$name" "drive=$name-sim${nvme:+,$nvme}"
	# QEMU's own drives have no spare blocks at all
	shim "$name" "health=$run/$name.health" avail_spare=100 spare_thresh=10
}
sim_server() { # NAME KEY=VALUE...: serves it on $run/NAME.sock; it says what it does in NAME.truth
	local name=$1
	shift
	: >"$run/$name.control"
	nbdkit --exit-with-parent -f -t 32 -U "$run/$name.sock" "$LAB/simssd.so" "control=$run/$name.control" \
		"truth=$run/$name.truth" "health=$run/$name.health" "curve=$run/$name.curve" "service=$run/$name.service" "$@" </dev/null >/dev/null 2>"$run/$name.nbdkit" &
	helpers+=($!)
	wait_for "$run/$name.sock" 10 || { echo "nbdkit did not start:"; cat "$run/$name.nbdkit"; return 1; }
}
shim() { # NAME LINE...: before boot and while it runs
	local name=$1
	shift
	printf '%s\n' "$@" >>"$run/$name.shim.new"
	cp "$run/$name.shim.new" "$run/$name.shim.tmp"
	mv "$run/$name.shim.tmp" "$run/$name.shim"
	[[ ,$shims, == *",$name="* ]] || shims+=${shims:+,}$name=$run/$name.shim
}

wait_for() { # FILE SECONDS
	local i
	for ((i = 0; i < $2 * 20; i++)); do
		[ -e "$1" ] && return 0
		sleep 0.05
	done
	return 1
}

start_qemu() {
	local preload=()
	[ -z "$shims" ] || preload=("LD_PRELOAD=$LAB/qshim.so" "QSHIM=$shims")
	timeout --foreground -k 5 "$LAB_SECONDS" env "${preload[@]}" qemu-system-x86_64 \
		-accel tcg,thread=multi -cpu max -M q35 -m "$LAB_MEMORY" -smp "$LAB_CPUS" \
		-nodefaults -display none -no-reboot -pidfile "$run/pid" \
		-kernel "$LAB/vmlinux" -initrd "$LAB/initrd" \
		-append "console=ttyS0 quiet panic=-1 mitigations=off tsc=reliable no_timer_check $*" \
		-serial "${LAB_CONSOLE:-file:$run/console}" -serial "pipe:$run/line" \
		-qmp "unix:$run/qmp,server=on,wait=off" \
		-fsdev local,id=root,path=/,security_model=none,readonly=on,multidevs=remap \
		-device virtio-9p-pci,fsdev=root,mount_tag=hostroot \
		-fsdev "local,id=out,path=$out,security_model=none" -device virtio-9p-pci,fsdev=out,mount_tag=out \
		"${drive_args[@]}" <"${LAB_STDIN:-/dev/null}" 2>"$run/qemu.err" &
	vm=$! vm_started=$SECONDS
}

boot() {
	local try
	mkfifo "$run/line.in" "$run/line.out"
	cp "$LAB_SOURCE/guest-agent" "$out/agent"
	printf 'export %s=%q\n' LAB "$LAB" LAB_SOURCE "$LAB_SOURCE" NVMATCH_BUILD "$NVMATCH_BUILD" FIO "$FIO" >"$out/environment"
	for try in 1 2; do
		start_qemu "$@"
		comes_up && break
		echo "# boot $try of the machine: no sign of the guest"
		tail -n 5 "$run/qemu.err" "$run/console" 2>/dev/null | sed 's/^/# /'
		kill_vm
		rm -f "$out/up"
	done
	[ -e "$out/up" ] || { echo "not ok boot of the machine"; failures=$((failures + 1)); return 1; }
	! grep 'qshim:.*unknown key' "$run/qemu.err" || { echo "not ok keys of the shim"; failures=$((failures + 1)); }
}

# The guest's agent is there, and answers.
comes_up() {
	local cpu=0 now moved=$SECONDS
	while [ ! -e "$out/up" ]; do
		kill -0 "$vm" 2>/dev/null || return 1
		now=$(cpu_seconds)
		[ "$now" -eq "$cpu" ] || { cpu=$now moved=$SECONDS; }
		[ "$cpu" -lt $LAB_BOOT_CPU_SECONDS ] && [ $((SECONDS - vm_started)) -lt $LAB_BOOT_SECONDS ] &&
			[ $((SECONDS - moved)) -lt $LAB_STILL_SECONDS ] || return 1
		sleep 0.1
	done
	# The hardware clock that the guest started from has whole seconds. Controllers come up by themselves.
	# fio is read from the host for the first time here, which takes long on a busy machine.
	guest "date -s @$EPOCHREALTIME >/dev/null; \$FIO --version >/dev/null
		for i in \$(seq 50); do
			[ \"\$(cat /sys/class/nvme/*/state | grep -c live)\" -lt $ports ] || break
			sleep 0.1
		done
		true" 180
}

guest_start() { # SCRIPT
	local i
	REPLY=${EPOCHREALTIME/[.,]/}	# not a count: this may run in a subshell
	printf '%s\n' "$1" >"$out/$REPLY.sh"
	# The agent makes the file of a job's output when it has read its number, which is said again when
	# the line seems to be lost. With nobody at the other end the write would not return.
	for ((i = 0; i < LAB_STILL_SECONDS * 20; i++)); do
		[ ! -e "$out/$REPLY.out" ] && kill -0 "${vm:-none}" 2>/dev/null || return 0
		[ $((i % 200)) -ne 0 ] || echo "$REPLY" >"$run/line.in"
		[ $i -ne 200 ] || echo "# job $REPLY was said again" >&2
		sleep 0.05
	done
}
guest_wait() { # JOB [SECONDS]
	local i why=
	for ((i = 0; i < ${2:-$LAB_SECONDS} * 20; i++)); do
		[ -e "$out/$1.rc" ] && break
		kill -0 "${vm:-none}" 2>/dev/null || { why=", the machine is off"; break; }
		[ -e "$out/$1.out" ] || { why=", which it never began"; break; }
		sleep 0.05
	done
	[ ! -e "$out/$1.out" ] || cat "$out/$1.out" "$out/$1.err"
	[ -e "$out/$1.rc" ] || { echo "lab: the guest did not end job $1$why: $(cat "$out/$1.sh")"; return 124; }
	return "$(cat "$out/$1.rc")"
}
guest() { # SCRIPT [SECONDS]
	guest_start "$1"
	guest_wait "$REPLY" "${2:-}"
}
# What QEMU used so far
cpu_seconds() {
	local pid
	pid=$(cat "$run/pid" 2>/dev/null)
	awk '{ n = int(($14 + $15) / 100) } END { print n + 0 }' "/proc/${pid:-none}/stat" 2>/dev/null || echo 0
}
# Ends it at once: the guest's own files are in its memory, and drives are written directly.
kill_vm() {
	[ -n "${vm:-}" ] || return 0
	if kill -0 "$vm" 2>/dev/null; then
		echo "# machine $machines: $((SECONDS - vm_started)) s, of which QEMU used $(cpu_seconds) s of CPU time"
	else
		echo "# machine $machines: $((SECONDS - vm_started)) s; it ended by itself or by time ($LAB_SECONDS s)"
	fi
	kill "$vm" 2>/dev/null
	wait "$vm" 2>/dev/null
	vm=
}
power_off() {
	local pid
	[ -z "${vm:-}" ] || { guest dmesg 10 >"$run/dmesg"; kill_vm; }
	for pid in "${helpers[@]}"; do kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null; done
	helpers=()
}
# QMP COMMAND [ARGUMENTS as JSON]: prints what it returns.
qmp() {
	printf '%s\n' '{"execute":"qmp_capabilities"}' "{\"execute\":\"$1\",\"arguments\":${2:-{\}}}" |
		socat -t 2 - "UNIX-CONNECT:$run/qmp" | tail -n +3 | jq -c 'select(.event | not) | .return // .error'
}
