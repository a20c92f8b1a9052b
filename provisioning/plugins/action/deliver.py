"""Delivers a program to a host over a slow or broken line: compressed, in pieces, and only those that are not there yet.

    deliver: name, file and sha256 of the program, and path, where it has to be on the host

The host runs `receive-program`, which comes with each command on standard input. Its answers are compared with digests
of this side and are used for nothing else.
"""

import hashlib
import json
import os
import shlex
import time
import zlib

from ansible.errors import AnsibleAuthenticationFailure, AnsibleConnectionFailure
from ansible.plugins.action import ActionBase
from ansible.utils.display import Display

PIECE = 2_000_000
# Seconds between attempts after a broken connection. A piece that arrives starts them anew.
PAUSES = (5, 15, 30, 60)
# Bytes that stay free on the host's disk.
SPARE = 20_000_000
DAMAGED = 3
RECEIVER = os.path.join(os.path.dirname(__file__), "../../roles/base/files/receive-program")

display = Display()


class NotDelivered(Exception):
    pass


def digest_pieces(file, sha256):
    whole, pieces = hashlib.sha256(), []
    try:
        with open(file, "rb") as source:
            while piece := source.read(PIECE):
                whole.update(piece)
                pieces.append(hashlib.sha256(piece).hexdigest())
    except OSError as error:
        raise NotDelivered(f"KELID:CORE_DAMAGED {error.strerror}: {file}") from error
    if whole.hexdigest() != sha256:
        raise NotDelivered("KELID:CORE_DAMAGED The file in the store is not the one that was put there")
    return pieces


def read_answer(text):
    """A hostile host may answer anything; an answer that makes no sense means that nothing is there."""
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        answer = None
    answer = answer if isinstance(answer, dict) else {}
    pieces, room = answer.get("pieces"), answer.get("room")
    return (
        answer.get("there") is True,
        pieces if isinstance(pieces, list) else [],
        room if type(room) is int else None,
    )


def in_megabytes(size):
    return -(-size // 1_000_000)


class ActionModule(ActionBase):
    _supports_check_mode = True

    def run(self, tmp=None, task_vars=None):
        result = super().run(tmp, task_vars)
        try:
            result["changed"] = self.deliver(**self._task.args)
        except NotDelivered as failure:
            result.update(failed=True, msg=str(failure))
        return result

    def deliver(self, name, file, sha256, path):
        pieces = digest_pieces(file, sha256)
        size = os.path.getsize(file)
        with open(RECEIVER, "rb") as script:
            self.receiver = script.read()
        self.pauses, self.sent = list(PAUSES), 0
        while True:
            try:
                return self.attempt(name, file, path, size, sha256, pieces)
            except AnsibleAuthenticationFailure:
                raise
            except AnsibleConnectionFailure:
                if not self.pauses:
                    raise
                pause = self.pauses.pop(0)
                display.display(f"{name}: the connection broke; it is tried again in {pause} seconds")
                time.sleep(pause)

    def attempt(self, name, file, path, size, sha256, pieces):
        is_there, stored, room = read_answer(self.ask("look", path, size, PIECE, sha256))
        if is_there or self._task.check_mode:
            return not is_there
        if room is not None and room < size + SPARE:
            needed = in_megabytes(size + SPARE)
            raise NotDelivered(f"KELID:DISK_FULL {room // 1_000_000} MB are free and {needed} are needed")
        with open(file, "rb") as source:
            for number, digest in enumerate(pieces):
                piece = source.read(PIECE)
                if stored[number : number + 1] == [digest]:
                    continue
                data = zlib.compress(piece)
                self.ask("take", path, number * PIECE, len(piece), digest, data=data)
                self.pauses = list(PAUSES)
                self.sent += len(data)
                arrived = min((number + 1) * PIECE, size)
                display.display(
                    f"{name}: {in_megabytes(arrived)} of {in_megabytes(size)} MB, {self.sent / 1_000_000:.1f} MB sent compressed"
                )
        self.ask("finish", path, size, sha256)
        return True

    def ask(self, act, *details, data=b""):
        """The script comes before the data, so command lines stay short in the host's logs."""
        start = f"import sys; exec(sys.stdin.buffer.read({len(self.receiver)}))"
        words = ["/usr/bin/python3", "-I", "-c", start, act, *map(str, details)]
        answer = self._low_level_execute_command(shlex.join(words), in_data=self.receiver + data)
        if answer["rc"] == DAMAGED:
            raise NotDelivered("KELID:CORE_DAMAGED What arrived on the host is not what was sent")
        if answer["rc"] != 0:
            raise NotDelivered(f"The host did not take the program: {answer['stderr'].strip()[-300:]}")
        return answer["stdout"]
