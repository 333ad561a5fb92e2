"""Builds the wheel and the source archive of affirm.py. It needs only Python, so that `pip install .` works without a network.

The module is installed as a typed package. The same sources give the same bytes.
"""
from __future__ import annotations

import base64
import hashlib
import os
import re
import tarfile
import zipfile
from typing import Any, Optional

_EPOCH = (1980, 1, 1, 0, 0, 0)
_SOURCES = ("affirm.py", "example.py", "pyproject.toml", "wheel_backend.py")


def _project() -> dict[str, str]:
    """Returns the fields of pyproject.toml, which are all texts. Python before 3.11 cannot read TOML."""
    return dict(re.findall(r'^([a-z-]+) = (?:\{text = )?"([^"]*)"', _read("pyproject.toml").decode(), re.MULTILINE))


def _metadata(project: dict[str, str]) -> str:
    """The text METADATA."""
    return (f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\nSummary: {project['description']}\n"
            f"License: {project['license']}\nRequires-Python: {project['requires-python']}\n")


def _read(path: str) -> bytes:
    """The bytes of a file."""
    with open(path, "rb") as file:
        return file.read()


def build_wheel(wheel_directory: str, config_settings: Optional[dict[str, Any]] = None, metadata_directory: Optional[str] = None) -> str:
    """Writes the wheel and returns its name."""
    project = _project()
    name, stem = project["name"], f"{project['name']}-{project['version']}"
    files = {f"{name}/__init__.py": _read("affirm.py"), f"{name}/py.typed": b"", f"{stem}.dist-info/METADATA": _metadata(project).encode(),
             f"{stem}.dist-info/WHEEL": b"Wheel-Version: 1.0\nGenerator: affirm\nRoot-Is-Purelib: true\nTag: py3-none-any\n"}
    record = [f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(text).digest()).decode().rstrip('=')},{len(text)}\n" for path, text in files.items()]
    files[f"{stem}.dist-info/RECORD"] = "".join([*record, f"{stem}.dist-info/RECORD,,\n"]).encode()
    wheel = f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in files.items():
            entry = zipfile.ZipInfo(path, _EPOCH)
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, text, zipfile.ZIP_DEFLATED)
    return wheel


def build_sdist(sdist_directory: str, config_settings: Optional[dict[str, Any]] = None) -> str:
    """Writes the source archive and returns its name."""
    project = _project()
    stem = f"{project['name']}-{project['version']}"
    with tarfile.open(os.path.join(sdist_directory, f"{stem}.tar.gz"), "w:gz") as archive:
        for path in _SOURCES:
            archive.add(path, f"{stem}/{path}")
    return f"{stem}.tar.gz"
