#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Is this a DaemonSet? And what its containers would run.

    daemonset.py FILE [--run CONTAINER]

Keys that the API (apps/v1) does not have there are errors, and so are missing ones that it
wants; the API server itself is not at hand. --run: runs the command of that container, here.
"""

import argparse
import subprocess
import sys
from typing import Any

import yaml

# Key -> what is below it: a table, a list of such, or None (not looked into). "!": wanted.
CONTAINER = {
    "name!": None, "image!": None, "command": None, "args": None, "env": None,
    "imagePullPolicy": None, "resources": None, "volumeMounts": None,
    "securityContext": {"privileged": None, "capabilities": None, "runAsUser": None,
                        "readOnlyRootFilesystem": None, "allowPrivilegeEscalation": None},
}
POD = {
    "containers!": [CONTAINER], "initContainers": [CONTAINER], "hostNetwork": None,
    "hostPID": None, "nodeSelector": None, "tolerations": None, "volumes": None,
    "priorityClassName": None, "serviceAccountName": None,
    "securityContext": {"sysctls": [{"name!": None, "value!": None}]},
}
META = {"name": None, "namespace": None, "labels": None, "annotations": None}
DAEMONSET = {
    "apiVersion!": None, "kind!": None, "metadata!": META,
    "spec!": {"selector!": {"matchLabels": None, "matchExpressions": None},
              "template!": {"metadata!": META, "spec!": POD},
              "updateStrategy": None, "minReadySeconds": None, "revisionHistoryLimit": None},
}


class Refused(Exception):
    """What is not a DaemonSet."""


def require_shape(value: Any, shape: Any, where: str) -> None:
    """Every key is allowed, and every wanted one there."""
    if shape is None:
        return
    if isinstance(shape, list):
        if not isinstance(value, list) or not value:
            raise Refused(f"{where}: {value!r}; allowed: a list")
        for number, item in enumerate(value):
            require_shape(item, shape[0], f"{where}[{number}]")
        return
    if not isinstance(value, dict):
        raise Refused(f"{where}: {value!r}; allowed: keys and values")
    known = {key.rstrip("!"): below for key, below in shape.items()}
    for key in value:
        if key not in known:
            raise Refused(f"{where}: '{key}'; allowed: {' '.join(known)}")
    for key in shape:
        if key.endswith("!") and key[:-1] not in value:
            raise Refused(f"{where}: has no '{key[:-1]}'")
    for key, below in known.items():
        if key in value:
            require_shape(value[key], below, f"{where}.{key}".lstrip("."))


def require_daemonset(value: Any) -> None:
    """The shape, and what the API server compares."""
    require_shape(value, DAEMONSET, "")
    named = value["apiVersion"], value["kind"]
    if named != ("apps/v1", "DaemonSet"):
        raise Refused(f"apiVersion, kind: {named}; allowed: apps/v1, DaemonSet")
    wanted = value["spec"]["selector"].get("matchLabels", {})
    labels = value["spec"]["template"]["metadata"].get("labels", {})
    if not wanted or not wanted.items() <= labels.items():
        raise Refused(f"spec.selector.matchLabels: {wanted}; allowed: some of the template's"
                      f" labels, {labels}")


def command_of(value: Any, name: str) -> list[str]:
    """What a container runs."""
    pod = value["spec"]["template"]["spec"]
    for container in (*pod.get("initContainers", []), *pod["containers"]):
        if container["name"] == name:
            return [str(word) for word in container.get("command", []) + container.get("args", [])]
    raise Refused(f"--run {name}: there is no such container")


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--run", metavar="CONTAINER")
    options = parser.parse_args()
    try:
        with open(options.file, encoding="utf-8") as file:
            value = yaml.safe_load(file)
        require_daemonset(value)
        if options.run:
            return subprocess.run(command_of(value, options.run), check=False).returncode
    except (Refused, yaml.YAMLError, OSError) as error:
        print(f"daemonset.py: {options.file}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
