"""The languages of kernels: one text of bodies becomes Metal's language or CUDA C++ by replacing a few words.

In: a text that uses Geode's words for what differs (address spaces, shared memory, barriers, heads of kernels). Out: the
same text in one language.
Invariant: whatever is computed stands in the bodies, so all languages compute it in the same order; a dialect holds names
alone.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping

from geode.record import dataclass

_WORD = re.compile(r"[A-Za-z_]\w*")
_FLOAT64 = re.compile(r"\bGS_F64\(([^()]+)\)")
_FLOAT64_LIST = re.compile(r"\bGS_F64_LIST\((\w+), ([^()]+)\);")
_KERNEL = re.compile(r"\bGS_KERNEL\((\w+)\) \{")
_BUFFERS = (
    ("data", "float"),
    ("state", "float"),
    ("noise", "float"),
    ("own", "float"),
    ("slices", "float"),
    ("work", "float"),
    ("outs", "float"),
    ("scores", "ulong"),
    ("table", "uint"),
)


@dataclass(frozen=True, slots=True)
class Dialect:
    """A language of kernels. `words` replace single words, `phrases` longer pieces before them; `head` has the places
    {name} and {buffers}, `buffer` {space}, {type}, {name} and {place}. `double` if the language has float64.
    """

    name: str
    api: str
    suffix: str
    prelude: str
    phrases: Mapping[str, str]
    words: Mapping[str, str]
    head: str
    buffer: str
    double: bool

    def text(self, body: str) -> str:
        """`body` in this language."""
        for phrase, other in self.phrases.items():
            body = body.replace(phrase, other)
        body = _FLOAT64.sub(lambda match: f"gs_f64_from_bits({_float64_bits(match.group(1))})", body)
        body = _FLOAT64_LIST.sub(lambda match: _float64_list(match.group(1), match.group(2)), body)
        body = _KERNEL.sub(lambda match: self._head(match.group(1)), body)
        return _WORD.sub(lambda match: self.words.get(match.group(), match.group()), body)

    def _head(self, name: str) -> str:
        buffers = ", ".join(
            self.buffer.format(type=type_, name=buffer, place=place)
            for place, (buffer, type_) in enumerate(_BUFFERS, start=1)
        )
        return self.head.format(name=name, buffers=buffers)


def _float64_list(name: str, numbers: str) -> str:
    return f"GS_LONG_TABLE {name}[] = {{{', '.join(map(_float64_bits, numbers.split(',')))}}};"


def _float64_bits(text: str) -> str:
    """A number of C, or a quotient of two, as the bits of a float64: what a language without float64 can write."""
    over, _, under = text.partition("/")
    value = _number(over) / _number(under or "1")
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016x}ul"


def _number(text: str) -> float:
    return float.fromhex(text) if "0x" in text else float(text)


_COMMON = {"size_t": "uint", "int32_t": "int", "uint32_t": "uint", "int64_t": "long", "uint64_t": "ulong"}
_METAL_BARRIER = "threadgroup_barrier(mem_flags::mem_threadgroup)"
_METAL_BARRIER_ALL = "threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup)"
_PHRASES = {
    '__builtin_nanf("")': "NAN",
    "__builtin_inff()": "INFINITY",
    "__builtin_fmaf": "gs_fma",
    "GS_UNROLL\n": "#pragma unroll\n",
}

METAL = Dialect(
    name="metal",
    api="gs_metal_api",
    suffix=".metal",
    prelude="kernels_metal.j2",
    phrases={**_PHRASES, "GS_BARRIER()": _METAL_BARRIER, "GS_BARRIER_ALL()": _METAL_BARRIER_ALL},
    words={
        **_COMMON,
        "half": "halved",  # a keyword
        "GS_INLINE": "inline",
        "GS_FUNCTION": "__attribute__((noinline))",
        "GS_GLOBAL": "device",
        "GS_THREAD": "thread",
        "GS_SHARED": "threadgroup",
        "GS_SHARED_FLOATS": "threadgroup float *",
        "GS_TABLE": "constant float",
        "GS_TABLE_POINTER": "constant float *",
        "GS_WORD_TABLE": "constant uint",
        "GS_LONG_TABLE": "constant ulong",
        "GS_STREAM_TABLE": "constant ulong *",
        "GS_ARGUMENTS": "constant gs_args &",
        "gs_as_int": "as_type<int>",
        "gs_as_float": "as_type<float>",
        "gs_divide": "precise::divide",
        "gs_root": "precise::sqrt",
        "gs_leading_zeros": "clz",
        "INT32_MIN": "int(0x80000000u)",
        "INT32_MAX": "0x7fffffff",
    },
    head=(
        "[[max_total_threads_per_threadgroup(256)]]\n"
        "kernel void {name}(constant gs_args &args [[buffer(0)]], {buffers}, "
        "uint gs_group [[threadgroup_position_in_grid]], uint gs_thread [[thread_index_in_threadgroup]]) {{"
    ),
    buffer="device {type} *{name} [[buffer({place})]]",
    double=False,
)

CUDA = Dialect(
    name="cuda",
    api="gs_cuda_api",
    suffix=".cu",
    prelude="kernels_cuda.j2",
    phrases={**_PHRASES, "GS_BARRIER()": "__syncthreads()", "GS_BARRIER_ALL()": "__syncthreads()"},
    words={
        **_COMMON,
        "NAN": "__int_as_float(0x7fffffff)",
        "INFINITY": "__int_as_float(0x7f800000)",
        "GS_INLINE": "[[maybe_unused]] static __device__ __forceinline__",
        "GS_FUNCTION": "[[maybe_unused]] static __device__ __noinline__",
        "GS_GLOBAL": "",
        "GS_THREAD": "",
        "GS_SHARED": "__shared__",
        "GS_SHARED_FLOATS": "float *",
        "GS_TABLE": "[[maybe_unused]] static __constant__ float",
        "GS_TABLE_POINTER": "const float *",
        "GS_WORD_TABLE": "[[maybe_unused]] static __constant__ uint",
        "GS_LONG_TABLE": "[[maybe_unused]] static __constant__ ulong",
        "GS_STREAM_TABLE": "const ulong *",
        "GS_ARGUMENTS": "const gs_args &",
        "gs_as_int": "__float_as_int",
        "gs_as_float": "__int_as_float",
        "gs_divide": "__fdiv_rn",
        "gs_root": "__fsqrt_rn",
        "gs_leading_zeros": "__clz",
        "INT32_MIN": "int(0x80000000u)",
        "INT32_MAX": "0x7fffffff",
    },
    head=(
        'extern "C" __global__ void __launch_bounds__(256) {name}(const gs_args args, {buffers}) {{\n'
        "    const uint gs_group = blockIdx.x, gs_thread = threadIdx.x;\n"
        "    GS_UNUSED(args, data, state, noise, own, slices, work, outs, scores, table, gs_group, gs_thread);"
    ),
    buffer="{type} *{name}",
    double=True,
)

DIALECTS = {"TARGET-APPLE-METAL": METAL, "TARGET-CUDA": CUDA}
