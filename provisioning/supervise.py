"""Runs a command and ends it with all its processes when the control plane no longer needs it.

    supervise.py FOLDER LEASH COMMAND...

A line on stdin every few seconds keeps the command alive. When stdin closes, which the kernel does however the
control plane ends, or when no line has come for LEASH seconds, the command and all it has started are killed. So are its
leftovers when it ends by itself: connections that it keeps open in the background leave its process group, so the whole
tree of processes is searched. The folder, which contains secrets, is removed at the end; before that the host keys
that ssh has learned, the processor and the certificate of the host are written to file descriptor 3, after the events of the command.
"""

import ctypes
import json
import os
import select
import shutil
import signal
import stat
import subprocess
import sys
import time

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
TICK = 0.1
DEAF_TO = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)

libc = ctypes.CDLL(None)
is_linux = sys.platform.startswith("linux")


def in_child():
    for number in DEAF_TO:
        signal.signal(number, signal.SIG_DFL)
    if is_linux:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def parents():
    """Returns every process that still runs."""
    found = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat") as file:
                state, parent = file.read().rpartition(") ")[2].split()[:2]
        except OSError:
            continue
        if state != "Z":
            found[int(name)] = int(parent)
    return found


def descendants():
    found, known = parents(), {os.getpid()}
    while True:
        more = {pid for pid, parent in found.items() if parent in known and pid not in known}
        if not more:
            return known - {os.getpid()}
        known |= more


def kill(pid, group=False):
    try:
        (os.killpg if group else os.kill)(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def end_all(leader):
    kill(leader, group=True)
    # One pass may miss a child that gets a lower number while the list is read and whose parent ends then.
    # It becomes a child of this process.
    times_none_left = 0
    while is_linux and times_none_left < 2:
        left = descendants()
        times_none_left = 0 if left else times_none_left + 1
        for pid in left:
            kill(pid)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            pass
        time.sleep(0.02)


def tell(event, path):
    # A compromised command may have replaced it with a link or a pipe.
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        with open(os.open(path, flags), errors="replace") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return
            rest = (json.dumps({"event": event, "text": file.read(100000)}) + "\n").encode()
        while rest:
            rest = rest[os.write(3, rest) :]
    except OSError:
        pass


def main():
    folder, leash, *command = sys.argv[1:]
    for number in DEAF_TO:
        signal.signal(number, signal.SIG_IGN)
    if is_linux:
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    child = None
    try:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
            pass_fds=(3,),
            start_new_session=True,
            preexec_fn=in_child,
            cwd=folder,
        )
        last = time.monotonic()
        while child.poll() is None:
            if select.select([0], [], [], TICK)[0]:
                if not os.read(0, 4096):
                    break
                last = time.monotonic()
            elif time.monotonic() - last > float(leash):
                break
        code = child.poll()
    except FileNotFoundError:
        code = 127
    finally:
        if child:
            end_all(child.pid)
        tell("hostkeys", os.path.join(folder, "known_hosts"))
        tell("processor", os.path.join(folder, "processor"))
        tell("certificate", os.path.join(folder, "certificate"))
        shutil.rmtree(folder, ignore_errors=True)
    # 137 is a shell's exit code for a killed command.
    sys.exit(137 if code is None else code if code >= 0 else 128 - code)


main()
