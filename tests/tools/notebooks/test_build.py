"""Notebooks are checked, made from their sources, linked and run; on some made for the purpose."""

from __future__ import annotations

import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from mtsig_nb.teaching import Headline, headlines
from tools.course import notebook_links
from tools.notebooks import build, files, links
from tools.site import pages, run_series

from ...forked_kernels import forked_kernels
from ...messages import naming


def executed_cell(source: str, count: int | None, *outputs, **metadata):
    return new_code_cell(source, execution_count=count, outputs=list(outputs), metadata=metadata)


def problems_of(*cells) -> list[str]:
    return files.problems(new_notebook(cells=list(cells)))


ERROR = new_output("error", ename="ValueError", evalue="no", traceback=[])


def prints(text: str, name: str = "stdout"):
    return new_output("stream", name=name, text=text)


def test_problems_none_in_a_clean_notebook():
    expected_error = executed_cell("f()", 2, ERROR, tags=["raises-exception"])
    assert problems_of(executed_cell("print(1)", 1, prints("1\n")), expected_error) == []


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        (executed_cell("f()", None), "has execution count None, not 1"),
        (executed_cell("f()", 7), "has execution count 7, not 1"),
        (
            executed_cell("f()", 1, prints("\nWarning: no", "stderr")),
            "wrote to stderr: Warning: no",
        ),
        (executed_cell("f()", 1, ERROR), "raised ValueError: no"),
        (
            executed_cell("f()", 1, tags=["raises-exception"]),
            "is tagged raises-exception and raised nothing",
        ),
    ],
)
def test_problems_are_named(cell, message):
    assert problems_of(cell) == [f"code cell 1 ('f()') {message}"]


TOY = """\
# %% [markdown]
# Half: $x/2$

# %%
import secrets

from IPython.display import HTML
from tqdm.auto import tqdm

from mtsig_nb.teaching import headline

# %%
headline("half", 1 / 2, spec=".2f")

# %% tags=["raises-exception"]
1 / 0

# %%
HTML(f'<i id="T_{secrets.token_hex(3)[:5]}">as pandas styles a table</i>')

# %%
object()

# %%
list(tqdm(range(3)))
"""


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    """A series of one notebook, outside the repository, built once."""
    folder = tmp_path_factory.mktemp("series")
    pair = files.Pair(folder / "source" / "00_toy.py", folder / "00_toy.ipynb")
    pair.source.parent.mkdir()
    pair.source.write_text(TOY)
    with forked_kernels(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "ROOT", folder)
        patch.setattr(files, "SERIES", folder)
        patch.setattr(files, "LABS", folder / "labs")
        assert build.main([]) == 0
        yield pair


@pytest.mark.takes_time
def test_build_leaves_alone_what_is_current_and_repeats_it_exactly(toy, capsys):
    before = toy.notebook.read_bytes()
    assert files.pairs() == [toy]
    assert headlines(files.read(toy.notebook)) == [Headline("half", "0.50")]
    assert build.main([]) == 0
    assert capsys.readouterr().out.endswith("unchanged\n")
    assert build.main(["--force"]) == 0
    assert toy.notebook.read_bytes() == before


# Links to Binder and to the notebook itself.


@pytest.mark.takes_time
def test_links_with_a_public_home_open_binder_and_leave_the_rest_alone(toy, monkeypatch):
    before = files.from_source(toy.source)
    monkeypatch.setattr(links, "PUBLIC_HOME", "someone/a copy")
    notebook = files.from_source(toy.source)
    nbformat.validate(notebook)
    address = "https://mybinder.org/v2/gh/someone/a%20copy/main?urlpath=lab/tree/00_toy.ipynb"
    assert notebook.cells[1].source.startswith(f'<p><a href="{address}">')
    assert [cell.id for cell in notebook.cells] == [cell.id for cell in before.cells]
    assert notebook.cells[2:] == before.cells[2:]
    assert not files.is_current(toy)  # so that make notebooks puts the new address in


@pytest.mark.takes_time
def test_links_of_other_public_copies_are_printed(toy, capsys):
    assert notebook_links.main(["someone/copy", "--ref", "autumn/2026"]) == 0
    assert capsys.readouterr().out == (
        "00_toy\n    https://mybinder.org/v2/gh/someone/copy/autumn%2F2026"
        "?urlpath=lab/tree/00_toy.ipynb\n"
    )
    hub = ["someone/copy", "--hub", "https://hub.example.org/"]
    assert notebook_links.main(hub) == 0
    assert capsys.readouterr().out == (
        "00_toy\n    https://hub.example.org/hub/user-redirect/git-pull"
        "?repo=https%3A%2F%2Fgithub.com%2Fsomeone%2Fcopy&branch=main"
        "&urlpath=lab%2Ftree%2Fcopy%2F00_toy.ipynb\n"
    )


@pytest.mark.slow
def test_run_names_the_failing_cell(tmp_path, capsys):
    broken = tmp_path / "01_broken.ipynb"
    cells = [new_code_cell("value = 3"), new_code_cell("value += 1\nvalue.missing")]
    files.write(new_notebook(cells=cells), broken)
    assert run_series.main([str(broken), "--output", str(tmp_path / "pages")]) == 1
    printed = capsys.readouterr().out
    assert re.search(naming("FAILED 01_broken.ipynb", "cell 2", "AttributeError"), printed)
    assert "    | value += 1\n    | value.missing\n" in printed
    assert "0 of 1 " in printed


@pytest.mark.slow
def test_run_lists_numbers_and_its_pages_ask_nothing_of_the_network(toy, tmp_path, capsys):
    assert run_series.main([str(toy.notebook), "--output", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "\n    half: 0.50\n" in printed
    assert re.search(naming("1 number", f"{tmp_path / 'index.html'}\n") + "$", printed)
    page = (tmp_path / "00_toy.html").read_text(encoding="utf-8")
    assert "half: 0.50" in page
    assert "0/3" not in page, "a progress bar without its kernel"
    loaded = re.findall(r"""<(?:script|link|img)[^>]*?\b(?:src|href)=["']([^"'#]+)""", page)
    own = [address for address in loaded if not address.startswith("data:")]
    shared = ["guess.css", "figures.css", "guess.js", "scrolled.js"]
    assert own == [pages.MATHJAX_URL, *shared]
    assert all((tmp_path / address.partition("?")[0]).exists() for address in own)
    (download,) = re.findall(r'<a download="" href="([^"]+)">Download this notebook</a>', page)
    assert (tmp_path / download).read_bytes() == toy.notebook.read_bytes()
    assert not re.search(r"\bimport\b[^;]*https?://", page)
