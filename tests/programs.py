"""The command line as a program of its own."""

import os
import subprocess
import sys
from pathlib import Path

import tlsim


def started(*words, code=None, stderr=subprocess.PIPE, env=None):
    """Start it, or some code before it."""
    environment = os.environ | {"PYTHONPATH": str(Path(tlsim.__file__).parents[1]), "LC_ALL": "C.UTF-8"} | (env or {})
    command = [sys.executable, "-c", code, *words] if code else [sys.executable, "-m", "tlsim", *words]
    pipes = {"stdout": subprocess.PIPE, "stderr": stderr, "text": True}
    return subprocess.Popen(list(map(str, command)), env=environment, **pipes)
