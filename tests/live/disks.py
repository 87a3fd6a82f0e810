"""Disks for the store of SQLite that lose what was not synchronised, fill up or break.

A `Disk` passes all that SQLite does to real files, and remembers for each file what a power cut
would leave for certain, and the writes that may or may not have reached it.
"""

import itertools
from pathlib import Path

import apsw

SECTOR = 512  # bytes that a disk writes as a whole


class Disk:
    """A disk on which ``on_step`` is called before every write and every synchronisation.

    Args:
        on_step: Called with "write" or "sync"; what it raises, the disk raises.
    """

    _numbers = itertools.count()

    def __init__(self, on_step=str):
        self.on_step, self.name = on_step, f"disk{next(self._numbers)}"
        self._lasting, self._pending = {}, {}
        self._vfs = _Vfs(self)

    def connect(self, path):
        """Return a connection whose files are on this disk."""
        return apsw.Connection(path, vfs=self.name)

    def after_cut(self, chance):
        """Return what is found on the disk after a power cut now: content by path."""
        found = {}
        for path, pending in self._pending.items():
            lasting = self._lasting.get(path)
            if lasting is None and (not pending or chance.random() < 0.5):
                continue  # not even its name was written
            content = bytearray(lasting or b"")
            for write in pending:
                if chance.random() < 0.5:
                    write(content, _torn(chance))
            found[path] = bytes(content)
        return found

    def opened(self, path):
        if path not in self._pending:
            self._pending[path] = []
            if (there := Path(path)).exists() and there.stat().st_size:
                self._lasting[path] = bytearray(there.read_bytes())

    def written(self, path, data, offset):
        def write(content, torn=None):
            part = data if torn is None else torn(data)
            content.extend(bytes(max(0, offset + len(part) - len(content))))
            content[offset : offset + len(part)] = part

        self._pending[path].append(write)

    def cut_short(self, path, size):
        def truncate(content, torn=None):  # noqa: ARG001 (as every write)
            del content[size:]

        self._pending[path].append(truncate)

    def synchronised(self, path):
        content = self._lasting.setdefault(path, bytearray())
        for write in self._pending[path]:
            write(content)
        self._pending[path].clear()

    def deleted(self, path):
        self._lasting.pop(path, None)
        self._pending.pop(path, None)


def _torn(chance):
    """Return what a cut in the middle of a write keeps: some first sectors, mostly all."""

    def torn(data):
        if chance.random() < 0.7:
            return data
        return data[: SECTOR * chance.randint(0, len(data) // SECTOR)]

    return torn


class _File(apsw.VFSFile):
    def __init__(self, disk, name, flags):
        super().__init__("", name, flags)
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        self._disk = disk
        self._path = None if path is None or path.endswith("-shm") else path
        if self._path is not None:
            disk.opened(self._path)

    def xWrite(self, data, offset):  # noqa: N802 (apsw's names)
        if self._path is not None:
            self._disk.on_step("write")
            self._disk.written(self._path, bytes(data), offset)
        super().xWrite(data, offset)

    def xTruncate(self, size):  # noqa: N802
        if self._path is not None:
            self._disk.on_step("write")
            self._disk.cut_short(self._path, size)
        super().xTruncate(size)

    def xSync(self, flags):  # noqa: ARG002, N802
        if self._path is not None:
            self._disk.on_step("sync")
            self._disk.synchronised(self._path)
        # The real file need not be synchronised: the power is never really cut.


class _Vfs(apsw.VFS):
    def __init__(self, disk):
        super().__init__(disk.name, "", maxpathname=0)
        self._disk = disk

    def xOpen(self, name, flags):  # noqa: N802
        return _File(self._disk, name, flags)

    def xDelete(self, path, sync):  # noqa: N802
        self._disk.deleted(path)
        super().xDelete(path, sync)
