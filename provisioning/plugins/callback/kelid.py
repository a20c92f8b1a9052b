"""Sends events to the control plane, one JSON object per line on file descriptor 3. Ansible's own output stays unchanged."""

import json
import os
import re

from ansible.plugins.callback import CallbackBase

DOCUMENTATION = """
    name: kelid
    type: notification
    short_description: structured events for the control plane
    description: one JSON object a line on file descriptor 3, where it is open
    requirements: []
"""

CHANNEL = 3
LONGEST = 2000
CODE = re.compile(r"KELID:([A-Z][A-Z_]*)")


def is_open(descriptor):
    try:
        os.fstat(descriptor)
        return True
    except OSError:
        return False


def message_of(result):
    """The first message of a failure; in a loop, that of the failed item."""
    results = result.get("results")
    # A host may return any value under this name.
    items = [item for item in (results if isinstance(results, list) else []) if isinstance(item, dict) and item.get("failed")]
    for words in [result, *items]:
        if CODE.search(str(words.get("msg", ""))):
            return str(words["msg"])
    parts = [result] + items
    return "\n".join(
        str(part[name]) for part in parts for name in ("msg", "module_stderr", "stderr") if part.get(name)
    )


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "notification"
    CALLBACK_NAME = "kelid"
    CALLBACK_NEEDS_ENABLED = True

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        if not is_open(CHANNEL):
            self.disabled = True

    def tell(self, event, **details):
        line = json.dumps({"event": event, **details}, default=str) + "\n"
        try:
            rest = line.encode()
            while rest:
                rest = rest[os.write(CHANNEL, rest) :]
        except OSError:
            self.disabled = True

    def tell_failure(self, event, result):
        msg = message_of(result._result)
        code = CODE.search(msg)
        self.tell(event, task=result._task.get_name(), msg=msg[:LONGEST], code=code.group(1) if code else "")

    def v2_playbook_on_play_start(self, play):
        self.tell("play", task=play.get_name())

    def v2_playbook_on_task_start(self, task, is_conditional):
        self.tell("task", task=task.get_name())

    def v2_playbook_on_handler_task_start(self, task):
        self.tell("task", task=task.get_name())

    def v2_runner_on_ok(self, result):
        changed = result._result.get("changed", False)
        self.tell("changed" if changed else "ok", task=result._task.get_name())

    def v2_runner_on_skipped(self, result):
        self.tell("skipped", task=result._task.get_name())

    def v2_runner_on_failed(self, result, ignore_errors=False):
        if not ignore_errors:
            self.tell_failure("failed", result)

    def v2_runner_on_unreachable(self, result):
        self.tell_failure("unreachable", result)

    def v2_playbook_on_stats(self, stats):
        self.tell("stats", stats={host: stats.summarize(host) for host in stats.processed})
