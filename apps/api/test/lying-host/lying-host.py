"""A compromised host: it agrees to everything and lies in every answer.

    lying-host.py LIES            answers the command of an SSH session, as sshd's ForceCommand
    lying-host.py LIES python     answers a module of Ansible that comes on stdin, in the place of the host's python3

LIES is a JSON file: the port on the control plane's loopback where each lie that is carried out shows up, a folder for what
is sent here, the digests that programs are expected to have, whether it has programs already, and whether modules fail.
"""

import json
import os
import re
import subprocess
import sys

with open(sys.argv[1]) as file:
    LIES = json.load(file)


def fire(name):
    """A command that tells the test where it was carried out, if it ever is."""
    return f'bash -c "echo {name} >/dev/tcp/127.0.0.1/{LIES["port"]}"'


def jinja(name):
    command = fire(name).replace("'", "")
    return f"{{{{ lookup('pipe', '{command}') }}}}"


def ssh_options(name):
    command = fire(name).replace('"', "'")
    return f"-o ControlPath=none -o \"ProxyCommand={command}\""


def facts():
    # Not "kelid": paths depend on it, so the control would stop before anything of the host runs.
    names = "ansible_local own core_gone core_new core_exits core_template core_api base_missing item omit role_path"
    words = "ansible_user ansible_host ansible_remote_tmp ansible_async_dir ansible_module_lang"
    programs = "ssh_executable shell_executable become_exe sudo_exe python_interpreter playbook_python"
    return {
        **{name: jinja(f"fact-{name}") for name in (names + " " + words).split()},
        **{f"ansible_{name}": fire(f"fact-{name}") for name in programs.split()},
        **{f"ansible_{name}_extra_args": ssh_options(f"fact-{name}_extra_args") for name in ("sftp", "scp", "ssh")},
        "ansible_ssh_common_args": ssh_options("fact-ssh_common_args"),
        "ansible_ssh_args": ssh_options("fact-ssh_args"),
        # No interpreter that every machine has takes sftp's options, so a program that was put there stands for one.
        **{f"ansible_{name}_executable": LIES["interpreter"] for name in ("sftp", "scp")},
        "ansible_control_path_dir": "/tmp/kelid-made-by-the-host",
        "ansible_pipelining": "no",
        "ansible_connection": "local",
        "ansible_become_method": "enable",
        "ansible_become_flags": jinja("fact-become_flags"),
        "ansible_delegated_vars": {"localhost": {"ansible_connection": "ssh", "ansible_host": jinja("fact-delegated")}},
        "discovered_interpreter_python": fire("fact-discovered"),
    }


def lies(about):
    text = jinja(about)
    return {
        "changed": True,
        "rc": 0,
        "stdout": text,
        "stdout_lines": [text],
        "stderr": text,
        "msg": text,
        "item": text,
        "invocation": {"module_args": {"path": text}},
        "warnings": [text],
        "deprecations": [{"msg": text, "version": text}],
        "exception": text,
        "diff": {"before": text, "after": text, "before_header": text},
        "add_host": {"host_name": text, "groups": ["target"], "host_vars": {"ansible_connection": "local"}},
        "add_group": text,
        "ansible_stats": {"data": {text: text}, "per_host": True, "aggregate": True},
        "ansible_included_var_files": [text],
        "ansible_facts": facts(),
        "results": [{"item": text, "changed": True, "ansible_facts": facts()}],
        "_ansible_no_log": False,
        "_ansible_verbose_always": True,
        "_ansible_item_label": text,
        "_ansible_notify": [text],
        "_ansible_delegated_vars": {"ansible_host": "127.0.0.1", "ansible_connection": "local"},
        "_ansible_tmpdir": text,
        "unsafe": {"__ansible_unsafe": text},
        "vault": {"__ansible_vault": text},
    }


def answer_module(payload):
    # The arguments of the module are a Python literal in the program that Ansible sends.
    parameters = re.search(rb"ANSIBALLZ_PARAMS = ('.*')", payload)
    arguments = json.loads(eval(parameters.group(1)))["ANSIBLE_MODULE_ARGS"] if parameters else {}
    name = re.search(rb"ansible\.modules\.(\w+)", payload)
    module = name.group(1).decode() if name else "unknown"
    answer = lies(f"module-{module}")
    if module == "stat" and arguments.get("checksum_algorithm") == "sha256":
        digest = next((one for one in LIES["digests"] if one[:16] in arguments["path"]), jinja("digest"))
        answer["stat"] = {"exists": True, "checksum": digest, "path": jinja("stat")}
    elif module == "stat" and LIES["has_programs"] and arguments.get("path", "").startswith("/usr/local/lib/kelid/"):
        answer["stat"] = {"exists": True, "islnk": True, "lnk_target": jinja("target"), "lnk_source": jinja("source")}
    elif module == "stat":
        answer["stat"] = {"exists": False, "path": jinja("stat"), "islnk": True, "lnk_source": jinja("stat")}
    elif module == "find":
        odd = [jinja("find"), "9.env", f"$({fire('find')}).env", "../../../kelid-x", "*"]
        answer["files"] = [{"path": f"/etc/kelid/relay/{text}"} for text in odd]
    elif module == "command" and "list-units" in str(arguments):
        answer["stdout"] = "\n".join(["kelid-core.service x", f"kelid-{jinja('unit')} x", "kelid-firewall.service x"])
    answer["failed"] = LIES["fails"] and module not in ("stat", "find")
    print(json.dumps(answer))


def odd_folder():
    folder = os.path.join(LIES["folder"], f"a '\"$({fire('path').replace('/', '')}) !b")
    os.makedirs(folder, exist_ok=True)
    return folder


def answer_shell(command):
    text = jinja("stdout")
    made = re.search(r"(ansible-tmp-[\d.-]+)=", command)
    answers = {
        "echo PLATFORM": "PLATFORM\nLinux\nFOUND\n/usr/bin/python3\nENDFOUND",
        "/etc/os-release": f"0\ndebian 12\nsystemd\n99999\n{os.uname().machine}\n{text}",
        "dpkg-query": "\n".join(f"{name} installed" for name in LIES["packages"] + [text]),
        "id -un": f"{text}\n192.0.2.1 1 192.0.2.2 22\n{text}",
        "sshd -T": f"port 22\nport {text}\npubkeyauthentication yes\nauthorizedkeysfile .ssh/authorized_keys {text}\n{text}",
        "nameserver": f"192.0.2.53\n{text}",
        " lsi ": json.dumps({"inbounds": [{"tag": f"exit-{jinja('inbound')}"}, {"tag": f"exit-9; {fire('inbound')}"}]}),
        "lsrules": json.dumps({"rules": [{"ruleTag": f"exit-{jinja('rule')}"}, {"ruleTag": f"exit-9; {fire('rule')}"}]}),
        "ss -Hlnp": f'LISTEN users:(("core",pid=1)) {text}',
        "echo ~": odd_folder(),
    }
    if made:
        print(f"{made.group(1)}={odd_folder()}")
        return
    print(next((answer for part, answer in answers.items() if part in command), text))
    if LIES["fails"] and "/usr/local/lib/kelid" in command:
        sys.exit(1)


def main():
    if sys.argv[2:3] == ["python"]:
        answer_module(sys.stdin.buffer.read())
        return
    command = os.environ.get("SSH_ORIGINAL_COMMAND", "")
    if "sftp-server" in command:
        os.execv("/usr/lib/openssh/sftp-server", ["sftp-server"])
    success = re.search(r"BECOME-SUCCESS-\w+", command)
    if success:
        print(success.group(), flush=True)
    if re.search(r"/python3", command) and "command -v" not in command:
        answer_module(sys.stdin.buffer.read())
    else:
        answer_shell(command)


main()
