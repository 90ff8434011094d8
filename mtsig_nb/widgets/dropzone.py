"""A place to drop files on; `ipywidgets.FileUpload` has none, and sends all in one message."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anywidget
import traitlets as t

from ..errors import InputError
from .transfers import Transfer
from .uploads import limits


class DropZone(anywidget.AnyWidget):
    """Drop files, or press to choose them; new ones take the place of those before.

    Attributes
    ----------
    value : tuple of dict
        The files, each with its ``name`` and ``content``; stays in Python.
    receiving : bool
        Whether files are on their way.

    Examples
    --------
    >>> zone = DropZone("reference(s)")
    >>> zone.value = [{"name": "a.txt", "content": b"one line"}]
    >>> zone.chosen
    [{'name': 'a.txt', 'size': 8}]
    """

    _esm = Path(__file__).with_name("upload.js")
    _css = Path(__file__).with_name("upload.css")
    description = t.Unicode().tag(sync=True)
    multiple = t.Bool().tag(sync=True)
    #: For the browser to spare the user a wait; here, nothing is read from it.
    limits = t.Dict().tag(sync=True)
    receiving = t.Bool(False).tag(sync=True)
    chosen: t.List[dict[str, Any]] = t.List().tag(sync=True)
    value = t.Tuple()

    def __init__(self, description: str, *, multiple: bool = True) -> None:
        super().__init__(description=description, multiple=multiple, limits=limits())
        self._multiple = multiple  # the browser could change the other
        self._transfer: Transfer | None = None
        self._name = ""
        self.on_msg(self._hear)

    @t.validate("value")
    def _any_sequence(self, proposal: dict[str, Any]) -> tuple[dict[str, Any], ...]:
        return tuple(proposal["value"])

    @t.observe("value")
    def _list(self, _: object) -> None:
        self.chosen = [{"name": f["name"], "size": len(f["content"])} for f in self.value]

    def _hear(self, _: object, content: object, buffers: Sequence[memoryview]) -> None:
        """Answer one message from the browser, whatever it may be."""
        if not isinstance(content, dict):
            return
        kind, name = content.get("type"), content.get("transfer")
        if kind == "clear" and name in (None, self._name):
            self._end(())
        if kind not in ("begin", "piece") or not isinstance(name, str) or len(name) > 100:
            return
        try:
            if kind == "begin":
                self._begin(name, content.get("files"))
            else:
                self._take(name, content, buffers)
        except InputError as error:
            self.send({"type": "refused", "transfer": name, "message": str(error)})
            return
        self.send({"type": "taken", "transfer": name})

    def _begin(self, name: str, announced: object) -> None:
        self._end(())  # what was there before need not be kept beside what comes
        self._go_on(Transfer(announced, multiple=self._multiple), name)

    def _take(self, name: str, content: dict[str, Any], buffers: Sequence[memoryview]) -> None:
        transfer = self._transfer
        if transfer is None or name != self._name:
            # Another has taken its place, and is not to suffer.
            raise InputError("The upload was given up. Choose the files again.")
        try:
            if len(buffers) != 1:
                raise InputError("The upload was interrupted. Choose the files again.")
            transfer.take(content.get("file"), content.get("offset"), buffers[0])
        except InputError:
            self._end(())
            raise
        self._go_on(transfer, name)

    def _go_on(self, transfer: Transfer, name: str) -> None:
        if transfer.done:
            self._end(transfer.files())
        else:
            self._transfer, self._name, self.receiving = transfer, name, True

    def _end(self, files: Sequence[dict[str, Any]]) -> None:
        self._transfer, self._name = None, ""
        self.value = tuple(files)
        self.receiving = False


__all__ = ["DropZone"]
