"""Runs a command where it can reach neither the product's data nor another run.

    confine.py PLAN COMMAND...

PLAN is JSON: `folder` is the folder of the run, `covers` are folders whose content the command must not see, `keeps` are
files and folders that it may read nevertheless.

The command gets namespaces of its own: it sees only its own processes, everything that it sees is read-only but the folder of
the run, and what is covered is empty. Started by root it also gets a user ID that nobody else has; started by another user it
keeps that user's ID, but in a user namespace of its own, where the kernel lets it read no process of the product.

Where the system does not allow this, the command runs as it is, and an event on file descriptor 3 says why. After any other
failure the command does not run.
"""

import contextlib
import ctypes
import errno
import json
import os
import shutil
import stat
import sys

NEW_MOUNTS, NEW_USER, NEW_PROCESSES = 0x00020000, 0x10000000, 0x20000000
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 8, 4096, 16384, 1 << 18
SYS_MOUNT_SETATTR, AT_FDCWD, AT_RECURSIVE, ATTR_RDONLY, ATTR_NOSUID = 442, -100, 0x8000, 1, 2
PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS, SIGKILL = 1, 38, 9

# Linux distributions leave these user IDs unused, and containers with 65,536 IDs include them.
FIRST_UID, UIDS = 60706, 478
# Folders for temporary files and sockets.
SHARED = ("/tmp", "/var/tmp", "/dev/shm", "/run")
# Errors of kernels, containers and security modules that forbid namespaces or mounts; ENOSPC is a limit of zero.
REFUSED = (errno.EPERM, errno.EACCES, errno.ENOSYS, errno.EINVAL, errno.ENOSPC)
# A shell's exit code for a command that it cannot run.
NOT_RUN = 126

libc = ctypes.CDLL(None, use_errno=True)


class NotAllowed(Exception):
    pass


@contextlib.contextmanager
def may_be_refused(what, refusals):
    try:
        yield
    except OSError as error:
        if error.errno not in refusals:
            raise
        raise NotAllowed(f"{what}: {error.strerror}") from error


def checked(result, what):
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def mount(source, target, kind, flags, options=""):
    checked(libc.mount(source.encode(), target.encode(), kind.encode(), flags, options.encode()), f"mount {target}")


def set_attributes(path, flags, set_=0, clear=0):
    attributes = (ctypes.c_uint64 * 4)(set_, clear, 0, 0)
    result = libc.syscall(SYS_MOUNT_SETATTR, AT_FDCWD, path.encode(), flags, attributes, ctypes.sizeof(attributes))
    checked(result, f"mount_setattr {path}")


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def own_user_namespace(uid, gid):
    write("/proc/self/setgroups", "deny")
    write("/proc/self/uid_map", f"{uid} {uid} 1")
    write("/proc/self/gid_map", f"{gid} {gid} 1")


def closed_above(path):
    """The topmost folder of a path that other users cannot enter."""
    parts = path.split("/")[1:-1]
    folders = ("/" + "/".join(parts[: count + 1]) for count in range(len(parts)))
    return next((folder for folder in folders if not os.stat(folder).st_mode & stat.S_IXOTH), None)


def covers_of(plan, kept, is_root):
    covers = {os.path.realpath(folder) for folder in [*SHARED, *plan["covers"]]}
    # The new user must be able to traverse the path to a kept file, and nothing else.
    closed = map(closed_above, kept) if is_root else []
    return (covers | set(closed)) - {"/", None}


def is_closed(path):
    mode = os.stat(path).st_mode
    return not mode & stat.S_IROTH or stat.S_ISDIR(mode) and not mode & stat.S_IXOTH


def open_copy(source, name):
    """Gives access to files that root created with a strict umask."""
    copy = os.path.join("/tmp", name)
    if not os.path.isdir(source):
        shutil.copy(source, copy)
        open_to_all(copy)
        return copy
    shutil.copytree(source, copy, symlinks=True)
    for folder, _, files in os.walk(copy):
        open_to_all(folder)
        for file in files:
            open_to_all(os.path.join(folder, file))
    return copy


def open_to_all(path):
    mode = os.lstat(path).st_mode
    if not stat.S_ISLNK(mode):
        os.chmod(path, 0o755 if mode & stat.S_IXUSR else 0o644)


def bind(source, path):
    if os.path.isdir(source):
        os.makedirs(path, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if not os.path.exists(path):
            write(path, "")
    mount(source, path, "", MS_BIND | MS_REC)


def arrange_mounts(plan, is_root):
    os.umask(0o022)
    with may_be_refused("mounts", REFUSED):
        mount("none", "/", "", MS_REC | MS_PRIVATE)
    folder = os.path.realpath(plan["folder"])
    kept = {folder} | {os.path.realpath(path) for path in plan["keeps"] if os.path.exists(path)}
    covers = covers_of(plan, kept, is_root)
    sources = {path: os.open(path, os.O_PATH) for path in kept}
    closed = {path for path in kept - {folder} if is_root and is_closed(path)}
    with may_be_refused("mounts", REFUSED):
        set_attributes("/", AT_RECURSIVE, set_=ATTR_RDONLY | ATTR_NOSUID)
    empty = []
    # Sorted, so that the longest path decides: kept files in covered folders, and covered ones in kept folders.
    for path in sorted(covers | kept):
        source = f"/proc/self/fd/{sources.get(path)}"
        if path in closed:
            bind(open_copy(source, f"kept-{sources[path]}"), path)
        elif path in kept and any(path.startswith(f"{cover}/") for cover in empty):
            bind(source, path)
        elif path in covers - kept and os.path.isdir(path):
            size = "mode=1777,size=512m" if path in SHARED else "mode=755,size=1m"
            mount("tmpfs", path, "tmpfs", MS_NOSUID | MS_NODEV, size)
            empty.append(path)
    for descriptor in sources.values():
        os.close(descriptor)
    return empty


def name_user(uid, folder):
    """OpenSSH refuses a user without a name."""
    with open("/etc/passwd") as file:
        text = file.read()
    write("/tmp/passwd", f"{text.rstrip()}\nkelid-run:x:{uid}:{uid}::{folder}:/bin/sh\n")
    mount("/tmp/passwd", os.path.realpath("/etc/passwd"), "", MS_BIND)


def own_processes():
    try:
        mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    except PermissionError:
        # The kernel forbids this mount in a user namespace if parts of /proc are hidden; other processes are unreadable there anyway.
        pass


def become(uid):
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def give(folder, uid):
    # The ID may not exist in a user namespace.
    with may_be_refused("a user ID of its own", [errno.EINVAL]):
        os.chown(folder, uid, uid)
    for name in os.listdir(folder):
        os.chown(os.path.join(folder, name), uid, uid, follow_symlinks=False)


def enter(plan, uid, is_root):
    folder = os.path.realpath(plan["folder"])
    empty = arrange_mounts(plan, is_root)
    if is_root:
        name_user(uid, folder)
    own_processes()
    for path in empty:
        if path not in SHARED:
            set_attributes(path, 0, set_=ATTR_RDONLY)
    set_attributes(folder, 0, clear=ATTR_RDONLY)
    if is_root:
        give(folder, uid)
        become(uid)
    checked(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
    # The working folder would still give access to covered files.
    os.chdir(folder)


def execute(command):
    try:
        os.execv(command[0], command)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr, flush=True)
        os._exit(127)


def start_confined(plan, command):
    """Returns the process ID and, if the system forbids confinement, the reason."""
    is_root = os.geteuid() == 0
    uid = FIRST_UID + os.getpid() % UIDS if is_root else os.geteuid()
    gid = os.getegid()
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        with os.fdopen(reading) as file:
            return child, file.read()
    try:
        with may_be_refused("namespaces", REFUSED):
            checked(libc.unshare(NEW_MOUNTS | NEW_PROCESSES | (0 if is_root else NEW_USER)), "unshare")
            if not is_root:
                own_user_namespace(uid, gid)
        # The PID namespace starts with the next child.
        child = os.fork()
        if child:
            os.close(writing)
            os.close(3)
            os._exit(code_of(os.waitpid(child, 0)[1]))
        enter(plan, uid, is_root)
    except NotAllowed as refusal:
        os.write(writing, str(refusal).encode())
        os._exit(1)
    except Exception as error:
        print(f"not confined: {error}", file=sys.stderr, flush=True)
        os._exit(NOT_RUN)
    execute(command)


def code_of(status):
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def main():
    plan, command = json.loads(sys.argv[1]), sys.argv[2:]
    child, reason = start_confined(plan, command) if sys.platform.startswith("linux") else (None, "it needs Linux")
    if not reason:
        sys.exit(code_of(os.waitpid(child, 0)[1]))
    if child:
        os.waitpid(child, 0)
    os.write(3, (json.dumps({"event": "unconfined", "reason": reason}) + "\n").encode())
    execute(command)


main()
