"""What keeps two servers off one file: a lock beside it that vanishes with its holder."""

import fcntl
import json
import os
import time
from pathlib import Path
from typing import Any

from duelli.live.errors import StoreError

TRIES = 5
NETWORK = {  # file systems on which the locks of SQLite cannot be relied upon
    *("nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "glusterfs", "lustre"),
    *("fuse.sshfs", "fuse.glusterfs", "fuse.ceph", "fuse.s3fs", "fuse.gcsfuse", "beegfs", "ncpfs"),
}

WIDTH = 512  # characters, more than a holder says of itself


class FileLock:
    """A lock on ``path`` + ".lock"; the database file itself is never opened for it.

    Closing any descriptor of a database file drops all of SQLite's own locks of the process, which
    is why the lock has a file of its own. It vanishes with the process, however that ends.

    The file stays, and says how many changes the database has kept: if it is found with fewer
    changes later, its log was removed, or an older copy was put in its place.
    """

    def __init__(self, path: Path, **told: Any) -> None:
        self.path = lock_path(path)
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        if not self._taken():
            os.close(self._file)
            pid = holder(path).get("pid", "unknown")
            raise StoreError(
                f"{path} is in use by the process with pid {pid}; stop that one first, or ask it"
            )
        kept = holder(path).get("kept")
        self.kept = kept if isinstance(kept, int) else 0
        self.tell(**told)

    def _taken(self) -> bool:
        """Take the lock; whoever only looks whether it is held has it for a moment too."""
        for _ in range(TRIES):
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                time.sleep(0.05)
            else:
                return True
        return False

    def tell(self, **told: Any) -> None:
        """Write who holds the lock, for those who find it held."""
        self._told = {"pid": os.getpid(), **told}
        self._write()

    def note(self, kept: int) -> None:
        """Write how many changes the database has kept."""
        self.kept = kept
        self._write()

    def release(self) -> None:
        """Give the lock back."""
        self._told = {}
        self._write()
        os.close(self._file)

    def _write(self) -> None:
        """Write in one go, so that a process that is killed leaves the old text or the new one."""
        text = json.dumps({**self._told, "kept": self.kept})
        os.pwrite(self._file, text.ljust(WIDTH).encode(), 0)


def lock_path(path: Path) -> Path:
    """Return where the lock of a database file is."""
    return Path(f"{path}.lock")


def holder(path: Path) -> dict[str, Any]:
    """Return what the holder of the lock says of itself; nothing if nobody holds it."""
    try:
        said = json.loads(lock_path(path).read_text() or "{}")
    except (OSError, ValueError):
        return {}
    return said if isinstance(said, dict) else {}


def is_held(path: Path) -> bool:
    """Tell whether a process holds the lock."""
    try:
        file = os.open(lock_path(path), os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(file)
    return False


def file_system(path: Path, mounts: str | None = None) -> str:
    """Return the kind of the file system that a path is on; "" if that is not known."""
    if mounts is None:
        try:
            mounts = Path("/proc/self/mounts").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""
    target = path.resolve()
    best, kind = -1, ""
    for line in mounts.splitlines():
        words = line.split()
        if len(words) < 3:
            continue
        place = Path(words[1].replace("\\040", " "))
        if (target == place or place in target.parents) and len(place.parts) >= best:
            best, kind = len(place.parts), words[2]
    return kind


def check_local(path: Path, *, forced: bool = False) -> None:
    """Refuse a database file on a file system of a network, unless forced."""
    kind = file_system(path.absolute().parent)
    if kind in NETWORK and not forced:
        raise StoreError(
            f"{path} lies on a network file system ({kind}), where SQLite can lose data; use a "
            "local disk or PostgreSQL, or say --i-know"
        )
