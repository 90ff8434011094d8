"""What lies in the current folder or was uploaded is never run; and how an interrupt ends mtsig."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import mtsig_nb as mt
from mtsig_nb.widgets import panels
from mtsig_nb.widgets.model import Model, State
from mtsig_nb.widgets.sources import Upload, text_source

from .worse_and_worse import REFERENCE, write_texts

#: Modules that this package imports, or that Python itself does on the way to other processes.
NAMES = ["numpy", "mtsig_nb", "IPython", "ipykernel", "signal", "socket", "pandas", "matplotlib"]
FILES = ("-r", "ref.txt", "good.txt", "poor.txt", "-n", "100")

#: What pip makes of an entry point; `before` is run first.
SCRIPT = "import sys\n{before}\nfrom mtsig_nb.cli import main\nsys.exit(main())\n"


@pytest.fixture
def folder(tmp_path):
    """A folder with texts, and with files called like modules, which leave a mark if they run."""
    work = tmp_path / "work"
    work.mkdir()
    write_texts(work)
    for name in NAMES:
        (work / f"{name}.py").write_text(mark(tmp_path))
    return work


def mark(tmp_path: Path) -> str:
    return f"open({str(tmp_path / 'mark')!r}, 'a').write(__name__)\n"


def run(folder: Path, *arguments: str, before: str = "") -> subprocess.CompletedProcess[str]:
    """Run mtsig as it is installed: a script in a folder of its own."""
    script = folder.parent / "bin" / "mtsig"
    script.parent.mkdir(exist_ok=True)
    script.write_text(SCRIPT.format(before=before))
    return python(folder, str(script), *arguments)


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(mt.__file__).parents[1]),
        "MTSIG_CACHE": str(folder.parent / "cache"),
    }
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True
    )


@pytest.mark.thorough
@pytest.mark.parametrize(
    "arguments", [("datasets",), ("compare", *FILES), ("compare", *FILES, "-o", "report.html")]
)
def test_commands_run_nothing_that_lies_in_the_folder(folder, arguments):
    done = run(folder, *arguments)
    assert (done.returncode, (folder.parent / "mark").exists()) == (0, False), done.stderr


@pytest.mark.takes_time
def test_the_explorer_s_report_runs_nothing_that_was_uploaded(tmp_path):
    def upload(name: str, lines: list[str]) -> Upload:
        return name, "".join(f"{line}\n" for line in lines).encode()

    code = [mark(tmp_path).strip(), *["pass"] * (len(REFERENCE) - 1)]
    systems = [upload(f"{name}.py", code) for name in NAMES]
    source = text_source([upload("ref.txt", REFERENCE)], [*systems, upload("a.txt", REFERENCE)])
    assert {f"{name}.py" for name in NAMES} <= {path.name for path in source.folder.rglob("*")}
    analysis = source.analysis_of(source.systems, ["BLEU"])
    state = State(analysis=analysis, metric="BLEU", pair=source.systems[:2])
    assert 'download="report.html"' in panels.report(Model(source), state)
    assert not (tmp_path / "mark").exists()


INTERRUPTER = """
import os, signal
class Interrupter:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupter())
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
@pytest.mark.parametrize("name", ["numpy", "pandas", "mtsig_nb.cli.contents"])
def test_an_interrupt_is_one_line(folder, name):
    """As soon as the command line is there, also while what a command needs is imported."""
    done = run(folder, "compare", *FILES, before=INTERRUPTER.format(name=name))
    assert (done.returncode, done.stdout) == (128 + signal.SIGINT, "")
    assert done.stderr == "mtsig: interrupted\n"
    # Ignored, as by nohup, or by a shell for what it starts in the background, it stays so.
    ignore = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
    done = run(folder, "compare", *FILES, before=ignore + INTERRUPTER.format(name=name))
    assert (done.returncode, done.stderr) == (0, "")


def test_importing_the_package_elsewhere_leaves_interrupts_alone(folder):
    code = (
        "import signal, mtsig_nb; "
        "assert signal.getsignal(signal.SIGINT) is signal.default_int_handler"
    )
    done = python(folder, "-P", "-c", code)
    assert (done.returncode, done.stderr) == (0, "")
