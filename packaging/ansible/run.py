"""Runs ansible-playbook from folders: run.py CORE LIBRARIES ARGUMENT..."""

import sys

sys.path[1:1] = sys.argv[1:3]
sys.argv[:3] = ["ansible-playbook"]

from ansible.cli.playbook import main  # noqa: E402

main()
