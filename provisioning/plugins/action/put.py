"""A small file or a folder on the host, as `copy` and `file` would leave it, in one round trip and without a module to unpack.

`dest` with `content` or `src` (a file of the role), or `folder`; `owner`, `group`, `mode`, `validate` as `copy` has them.
"""

import json
import os

from ansible.errors import AnsibleActionFail
from ansible.plugins.action import ActionBase

KNOWN = {"dest", "content", "src", "folder", "owner", "group", "mode", "validate"}
ON_HOST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../on-host/put.py")


class ActionModule(ActionBase):
    _supports_check_mode = True
    _requires_connection = True

    def run(self, tmp=None, task_vars=None):
        result = super().run(tmp, task_vars)
        wanted = {name: value for name, value in self._task.args.items() if value is not None}
        unknown = sorted(set(wanted) - KNOWN)
        if unknown or ("folder" in wanted) == ("dest" in wanted):
            raise AnsibleActionFail("put takes a folder or a dest, and not %s" % (unknown or "both or none"))
        if "src" in wanted:
            with open(self._find_needle("files", wanted.pop("src")), encoding="utf-8") as file:
                wanted["content"] = file.read()
        elif "dest" in wanted and not isinstance(wanted.get("content"), str):
            raise AnsibleActionFail("what is put at %s is no text" % wanted["dest"])
        wanted["check"] = bool(self._task.check_mode)
        with open(ON_HOST, encoding="utf-8") as file:
            # By standard input: the command line of a process is no secret.
            program = "WANTED = %r\n%s" % (json.dumps(wanted), file.read())
        done = self._low_level_execute_command("/usr/bin/python3 -", in_data=program.encode())
        try:
            result.update(json.loads(done["stdout"].strip().split("\n")[-1]))
        except ValueError:
            result.update(failed=True, msg="put: %s" % (done["stderr"].strip() or "the host said nothing"))
        return result
