"""Every Python block of docs/python.md runs, from top to bottom."""

import re

import pytest
from conftest import ROOT, UNDER_SANITIZER

OPTIONAL = ("pandas", "matplotlib", "scanpy")


@pytest.mark.skipif(UNDER_SANITIZER, reason="its processes and other libraries' code would be checked, too")
def test_the_tutorial_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "python.md").read_text()
    blocks = [(m.group(1), text[: m.start()].count("\n") + 2) for m in re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S)]
    assert len(blocks) >= 8
    for name in OPTIONAL:
        pytest.importorskip(name)
    namespace = {"__name__": "tutorial"}
    for code, line in blocks:
        exec(compile("\n" * (line - 1) + code, "docs/python.md", "exec"), namespace)
