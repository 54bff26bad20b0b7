"""A Mach-O file -> what its headers say: processor, oldest system, libraries, signature.

In: the bytes of a 64-bit executable. Out: `MachO`. Invariant: every page's digest in the signature is computed again from
the file, so a signature that is there but wrong is not taken for one.
Source: Apple's loader.h and cs_blobs.h describe the layout; the signature is big-endian, the rest little-endian.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass

ARM64 = 0x0100000C
MACOS = 1
AD_HOC, LINKER_SIGNED = 0x2, 0x20000
_MAGIC, _EXECUTABLE = 0xFEEDFACF, 2
_DYLIBS = {0xC, 0x80000018, 0x8000001F}  # loaded, loaded if there, loaded and handed on
_SIGNATURE, _BUILD_VERSION = 0x1D, 0x32
_SUPER_BLOB, _DIRECTORY, _SHA_256 = 0xFADE0CC0, 0xFADE0C02, 2


@dataclass(frozen=True, slots=True)
class MachO:
    """`oldest` is the first version of the system that it runs on. `signature` are the flags of its code directory, None
    without one or where a page has another digest than it says.
    """

    processor: int
    platform: int
    oldest: str
    libraries: tuple[str, ...]
    signature: int | None


def read_mach_o(data: bytes) -> MachO:
    """Reads the headers. Raises ValueError if the file is no 64-bit executable."""
    magic, processor, _, kind, count = struct.unpack_from("<5I", data)
    if (magic, kind) != (_MAGIC, _EXECUTABLE):
        raise ValueError("no 64-bit Mach-O executable")
    libraries: list[str] = []
    platform, oldest, signature = 0, "", None
    at = 32
    for _ in range(count):
        command, size = struct.unpack_from("<2I", data, at)
        if command in _DYLIBS:
            start = at + struct.unpack_from("<I", data, at + 8)[0]
            libraries.append(data[start : data.index(b"\0", start)].decode())
        elif command == _BUILD_VERSION:
            platform, version = struct.unpack_from("<2I", data, at + 8)
            oldest = f"{version >> 16}.{version >> 8 & 0xFF}"
        elif command == _SIGNATURE:
            offset, length = struct.unpack_from("<2I", data, at + 8)
            signature = _flags(data, data[offset : offset + length])
        at += size
    return MachO(processor, platform, oldest, tuple(libraries), signature)


def _flags(data: bytes, blob: bytes) -> int | None:
    """The flags of the code directory, if all its digests are right."""
    magic, _, count = struct.unpack_from(">3I", blob)
    if magic != _SUPER_BLOB:
        return None
    for index in range(count):
        start = struct.unpack_from(">2I", blob, 12 + 8 * index)[1]
        directory = blob[start:]
        if struct.unpack_from(">I", directory)[0] == _DIRECTORY:
            return _checked(data, directory)
    return None


def _checked(data: bytes, directory: bytes) -> int | None:
    flags, hashes, _, _, slots, limit = struct.unpack_from(">6I", directory, 12)
    size, kind, _, page = struct.unpack_from("4B", directory, 36)
    if kind != _SHA_256 or slots != -(-limit // (1 << page)):
        return None
    for slot in range(slots):
        code = data[slot << page : min(limit, (slot + 1) << page)]
        if hashlib.sha256(code).digest() != directory[hashes + slot * size :][:size]:
            return None
    return int(flags)
