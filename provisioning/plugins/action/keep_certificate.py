"""Puts the host's certificate and key into the folder of the run, from where the supervisor passes them on. Nothing of
them is in the result, so nothing is in the log. The control plane decides whether they are any good."""

import os
import shlex

from ansible.plugins.action import ActionBase

LONGEST = 65536


class ActionModule(ActionBase):
    def run(self, tmp=None, task_vars=None):
        result = super().run(tmp, task_vars)
        folder = shlex.quote(self._task.args["folder"])
        said = self._low_level_execute_command(f"cat {folder}/chain.pem {folder}/key.pem | head -c {LONGEST}")
        text = str(said.get("stdout", ""))
        if said.get("rc") == 0 and len(text) < LONGEST:
            path = os.path.join(os.environ["HOME"], "certificate")
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600), "w") as file:
                file.write(text)
        return {**result, "changed": False}
