"""Files on their way from a browser: in pieces, in order, and no more than was announced.

The browser's side is ``upload.js``.  Whoever writes to the kernel may write anything, so nothing
that it says is relied on: a transfer that breaks its promise is refused as a whole.
"""

from __future__ import annotations

from typing import Any, TypeGuard

from ..errors import InputError
from .uploads import check_announced

#: Bytes in one message; Jupyter's servers pass on 10 MiB.
MOST_AT_ONCE = 2**20
#: Characters of a file's name: four times what file systems allow.
_LONGEST_NAME = 1024
_BROKEN = "The upload was interrupted: {}. Choose the files again."


class Transfer:
    r"""Some files, announced with their names and sizes, received one after the other.

    Memory is taken for what has come, never for what is announced.

    Parameters
    ----------
    announced : list of dict
        ``name`` and ``size`` of each file, as the browser says.
    multiple : bool
        Whether there may be more than one.

    Raises
    ------
    InputError
        If a limit of :mod:`~mtsig_nb.widgets.uploads` is passed, or it is no such list.

    Examples
    --------
    >>> transfer = Transfer([{"name": "a.txt", "size": 5}], multiple=False)
    >>> transfer.take(0, 0, b"two\n")
    >>> transfer.done
    False
    >>> transfer.take(0, 4, b"2")
    >>> transfer.files()
    [{'name': 'a.txt', 'content': b'two\n2'}]
    """

    def __init__(self, announced: object, *, multiple: bool) -> None:
        self._announced = _names_and_sizes(announced)
        if not multiple and len(self._announced) > 1:
            raise InputError("Only one file belongs here.")
        check_announced(self._announced)
        self._received = [bytearray() for _ in self._announced]
        self._at = 0
        self._go_on()

    @property
    def done(self) -> bool:
        """Whether everything that was announced has come."""
        return self._at == len(self._announced)

    def take(self, file: object, offset: object, data: bytes | memoryview) -> None:
        """Add the next piece.

        Parameters
        ----------
        file : int
            Which of the announced files, from 0.
        offset : int
            Bytes of the file that came before.
        data : bytes
            The piece, at most `MOST_AT_ONCE` bytes.

        Raises
        ------
        InputError
            If it is not the next piece, or more than was announced.
        """
        if self.done:
            raise InputError(_BROKEN.format("there was more than announced"))
        received, (_, size) = self._received[self._at], self._announced[self._at]
        if not (_is_count(file) and _is_count(offset)) or (file, offset) != (
            self._at,
            len(received),
        ):
            raise InputError(_BROKEN.format("a piece is missing, or came twice"))
        length = memoryview(data).nbytes
        if not 0 < length <= MOST_AT_ONCE:
            raise InputError(_BROKEN.format(f"a piece had {length:,} bytes"))
        if len(received) + length > size:
            raise InputError(_BROKEN.format("there was more than announced"))
        received += data
        self._go_on()

    def _go_on(self) -> None:
        """Go on to the first file of which something is missing; nothing is of an empty one."""
        while not self.done and len(self._received[self._at]) == self._announced[self._at][1]:
            self._at += 1

    def files(self) -> list[dict[str, Any]]:
        """``name`` and ``content`` of each file, once all is there."""
        if not self.done:
            raise InputError(_BROKEN.format("not everything has come"))
        names = (name for name, _ in self._announced)
        return [
            {"name": name, "content": bytes(content)}
            for name, content in zip(names, self._received, strict=True)
        ]


def _names_and_sizes(announced: object) -> list[tuple[str, int]]:
    if not isinstance(announced, list) or not announced:
        raise InputError(_BROKEN.format("no file was announced"))
    found: list[tuple[str, int]] = []
    for file in announced:
        name, size = (file.get("name"), file.get("size")) if isinstance(file, dict) else (None, 0)
        if not (isinstance(name, str) and _is_count(size)):
            raise InputError(_BROKEN.format("a file came without its name or size"))
        if len(name) > _LONGEST_NAME:
            raise InputError(f"A file's name has {len(name):,} characters. Rename it.")
        found.append((name, size))
    return found


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


__all__ = ["MOST_AT_ONCE", "Transfer"]
