# Runs on the host, where `WANTED` stands before it.
import grp
import json
import os
import pwd
import shlex
import stat
import subprocess
import tempfile


def number_of(name, find):
    return -1 if name is None else find(name)[2]


def fit(path, wanted):
    """Owner, group and mode, where they are given and other ones."""
    has = os.stat(path)
    uid = number_of(wanted.get("owner"), pwd.getpwnam)
    gid = number_of(wanted.get("group"), grp.getgrnam)
    mode = int(wanted["mode"], 8) if "mode" in wanted else stat.S_IMODE(has.st_mode)
    changed = uid not in (-1, has.st_uid) or gid not in (-1, has.st_gid) or mode != stat.S_IMODE(has.st_mode)
    if changed and not wanted["check"]:
        os.chown(path, uid, gid)
        os.chmod(path, mode)
    return changed


def put_folder(wanted):
    path = wanted["folder"]
    if os.path.isdir(path):
        return fit(path, wanted)
    if not wanted["check"]:
        os.makedirs(path)
        fit(path, wanted)
    return True


def put_file(wanted):
    path, content = wanted["dest"], wanted["content"].encode()
    try:
        with open(path, "rb") as file:
            if not os.path.islink(path) and file.read() == content:
                return fit(path, wanted)
    except FileNotFoundError:
        pass
    if wanted["check"]:
        return True
    # Beside it and renamed: whoever reads it finds the old one or the new one, whole.
    descriptor, beside = tempfile.mkstemp(prefix=".kelid-", dir=os.path.dirname(path))
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if "validate" in wanted:
            command = [part.replace("%s", beside) for part in shlex.split(wanted["validate"])]
            tried = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
            if tried.returncode != 0:
                raise RuntimeError("%s is refused: %s" % (path, (tried.stderr or tried.stdout).strip()))
        if os.path.exists(path):
            has = os.stat(path)
            os.chown(beside, has.st_uid, has.st_gid)
            os.chmod(beside, stat.S_IMODE(has.st_mode))
        fit(beside, wanted)
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise
    return True


def main(wanted):
    try:
        changed = put_folder(wanted) if "folder" in wanted else put_file(wanted)
        return {"changed": changed}
    except KeyError as missing:
        # An own user comes before its files, but not where nothing is done.
        return {"changed": True} if wanted["check"] else {"failed": True, "msg": str(missing)}
    except Exception as problem:
        return {"failed": True, "msg": str(problem)}


print(json.dumps(main(json.loads(WANTED))))  # noqa: F821
