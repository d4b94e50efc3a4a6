# SPDX-License-Identifier: GPL-3.0-or-later
"""live.py ROWS COLUMNS[,COLUMNS...] SECONDS SIGNAL COMMAND...: runs a command on a terminal of its own.

The size changes through the list while it runs; SECONDS after its first output it gets SIGNAL (0: none).
Says what was seen, as one JSON object.
"""
import fcntl, json, os, pty, re, select, signal, struct, sys, termios, time

rows, sizes, seconds, sign = int(sys.argv[1]), [int(c) for c in sys.argv[2].split(",")], float(sys.argv[3]), int(sys.argv[4])
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[5], sys.argv[5:])


def size(columns):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


size(sizes[0])
start, chunks, sent, at = time.time(), [], False, 0
while True:
    now = time.time() - start if chunks else 0
    step = min(int(now / seconds * len(sizes)), len(sizes) - 1)
    if step != at:
        at = step
        size(sizes[at])
    if sign and not sent and now > seconds:
        os.kill(pid, sign)
        sent = True
    if select.select([fd], [], [], 0.05)[0]:
        try:
            data = os.read(fd, 65536)
        except OSError:
            break
        if not data:
            break
        if not chunks:
            start = time.time()
        chunks.append((sizes[at], data.decode("utf-8", "replace")))
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
text = "".join(c for _, c in chunks)
frames = text.split("\033[?25l")[1:]
widest = 0
for frame in frames:
    body = frame.split("\033[?25h")[0]
    lines = [re.sub(r"\033\[[0-9;?]*[A-Za-z]", "", l).strip("\r") for l in body.split("\n")]
    widest = max([widest] + [len(l) for l in lines])
last = [re.sub(r"\033\[[0-9;?]*[A-Za-z]", "", l).strip("\r") for l in frames[-1].split("\033[?25h")[0].split("\n")] if frames else []
hidden = text.rfind("\033[?25l") > text.rfind("\033[?25h")
full = "\033[2J" in text
print(json.dumps({"status": status, "frames": len(frames), "widest": widest, "last_widest": max([len(l) for l in last] + [0]),
                  "cursor_hidden": hidden, "full_clear": full, "erased": "\033[J\033[?25h" in text.split("\033[?25h")[-2] + "\033[?25h" if frames else None,
                  "bad": sorted({hex(ord(c)) for c in text if ord(c) < 32 and c not in "\r\n\033\t"}), "last": last}))
if os.environ.get("LIVE_TEXT"):
    print(text)
