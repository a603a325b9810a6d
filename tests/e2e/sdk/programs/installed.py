"""Ends well where every package of a list of requirements stands at its pinned version."""

import sys
from importlib.metadata import PackageNotFoundError, version


def is_installed(pin):
    name, _, pinned = pin.partition("==")
    try:
        return version(name) == pinned
    except PackageNotFoundError:
        return False


with open(sys.argv[1], encoding="utf-8") as requirements:
    pins = [line.strip() for line in requirements if "==" in line]
sys.exit(not all(map(is_installed, pins)))
