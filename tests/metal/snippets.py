"""Snippets of MSL, each with what the specification of Metal's language says of it.

Data: `REFUSED` may not compile, `ACCEPTED` must; verdicts are read from the specification, no Apple compiler has seen them.
"""

from __future__ import annotations

_HEAD = "#include <metal_stdlib>\nusing namespace metal;\n"
_OUT, _IN, _AT = (
    "device float *y [[buffer(0)]]",
    "device const float *x [[buffer(1)]]",
    "uint i [[thread_position_in_grid]]",
)
_ALL = f"{_OUT}, {_IN}, {_AT}"


def _kernel(body: str, parameters: str = _ALL, before: str = "") -> str:
    return f"{_HEAD}{before}kernel void k({parameters}) {{ {body} }}\n"


ACCEPTED = {
    "a copy": _kernel("y[i] = x[i];"),
    "a vector and its parts": _kernel("float4 v = float4(1.0f, 2.0f, 3.0f, 4.0f); y[i] = v.x + v.w;"),
    "parts of a vector": _kernel("float4 v = float4(x[i]); float2 w = v.xy; y[i] = w.y;"),
    "half times float": _kernel("half h = half(x[i]); y[i] = h * x[i];"),
    "an array of a thread": _kernel("float a[4]; for (uint q = 0u; q < 4u; q++) a[q] = x[i]; y[i] = a[1];"),
    "a reference to a thread's own": _kernel(
        "float a = 1.0f; twice(a); y[i] = a;", before="void twice(thread float &a) { a *= 2.0f; }\n"
    ),
    "shared memory and a barrier": _kernel(
        "threadgroup float t[256]; t[j] = x[i]; threadgroup_barrier(mem_flags::mem_threadgroup); y[i] = t[255u - j];",
        f"{_ALL}, uint j [[thread_index_in_threadgroup]]",
    ),
    "as much shared memory as there is": _kernel(
        "threadgroup float t[64][64]; threadgroup float u[4 * HALF]; t[j][0] = x[i]; u[j] = x[i]; "
        "threadgroup_barrier(mem_flags::mem_threadgroup); y[i] = t[255u - j][0] + u[255u - j];",
        f"{_ALL}, uint j [[thread_index_in_threadgroup]]",
        "#define HALF 1024u\n",
    ),
    "as much in each of two kernels": _kernel("threadgroup float t[8192]; t[i] = 1.0f; y[i] = t[0];").replace(
        "kernel void k", "kernel void k0"
    )
    + _kernel("threadgroup float t[8192]; t[i] = 1.0f; y[i] = t[0];").removeprefix(_HEAD),
    "a table in constant memory": _kernel("y[i] = table[i & 1u];", before="constant float table[2] = {1.0f, 2.0f};\n"),
    "arguments by reference": _kernel(
        "if (i < p.n) y[i] = x[i];",
        f"{_OUT}, {_IN}, constant arguments &p [[buffer(2)]], {_AT}",
        "struct arguments { uint n; };\n",
    ),
    "functions of the library": _kernel("y[i] = fma(x[i], precise::divide(1.0f, x[i]), precise::sqrt(fabs(x[i])));"),
}

REFUSED = {
    "a helper's pointer to nowhere": _kernel(
        "y[i] = f(x, i);", before="float f(const float *p, uint i) { return p[i]; }\n"
    ),
    "a device pointer as a threadgroup's": _kernel(
        "y[i] = f(x, i);", before="float f(threadgroup const float *p, uint i) { return p[i]; }\n"
    ),
    "a constant pointer as a device's": _kernel(
        "y[i] = f(c, i);",
        f"{_OUT}, constant float *c [[buffer(1)]], {_AT}",
        "float f(device const float *p, uint i) { return p[i]; }\n",
    ),
    "a parameter to nowhere": _kernel("y[i] = x[i];", f"{_OUT}, const float *x [[buffer(1)]], {_AT}"),
    "a table outside constant memory": _kernel("y[i] = t[i & 1u];", before="const float t[2] = {1.0f, 2.0f};\n"),
    "a variable of the program": _kernel("y[i] = t;", before="float t = 1.0f;\n"),
    "shared memory in a helper": _kernel(
        "y[i] = f(i);", before="float f(uint i) { threadgroup float t[4]; t[i & 3u] = 1.0f; return t[0]; }\n"
    ),
    "shared memory with a first value": _kernel("threadgroup float t = 0.0f; y[i] = t;"),
    "a write to constant memory": _kernel("c[0] = 1.0f;", f"{_OUT}, constant float *c [[buffer(1)]], {_AT}"),
    "a write to const": _kernel("x[i] = 1.0f;"),
    "float64": _kernel("double d = x[i]; y[i] = d;"),
    "recursion": _kernel("y[i] = f(x[i]);", before="float f(float a) { return a < 1.0f ? a : f(a - 1.0f); }\n"),
    "a pointer to a function": _kernel(
        "float (*g)(float) = f; y[i] = g(x[i]);", before="float f(float a) { return a; }\n"
    ),
    "goto": _kernel("if (i > 3u) goto end; y[i] = x[i]; end: ;"),
    "a virtual function": _kernel("S s; y[i] = s.f();", before="struct S { virtual float f() { return 1.0f; } };\n"),
    "exceptions": _kernel("try { y[i] = 1.0f; } catch (...) {}"),
    "new": _kernel("thread float *p = new float; y[i] = *p;"),
    "a static variable": _kernel("static float s; y[i] = s;"),
    "std": _kernel("y[i] = std::exp(x[i]);"),
    "a name of C's library": _kernel("y[i] = expf(x[i]);"),
    "printf": _kernel('printf("x");'),
    "a function that Metal lacks": _kernel("y[i] = erf(x[i]);"),
    "max of float and int": _kernel("y[i] = max(x[i], 0);"),
    "min of uint and int": _kernel("y[i] = min(i, 4);"),
    "a vector as a number": _kernel("float4 v = float4(1.0f, 2.0f, 3.0f, 4.0f); y[i] = v;"),
    "buffer 31": _kernel("y[i] = x[i];", f"{_OUT}, device const float *x [[buffer(31)]], {_AT}"),
    "one buffer twice": _kernel("y[i] = x[i];", f"{_OUT}, device const float *x [[buffer(0)]], {_AT}"),
    "a misspelt attribute": _kernel("y[i] = x[i];", f"{_OUT}, {_IN}, uint i [[thread_position_in_gird]]"),
    "a place in float": _kernel("y[0] = i;", f"{_OUT}, float i [[thread_position_in_grid]]"),
    "places of two widths": _kernel("y[i] = x[l.x];", f"{_ALL}, uint3 l [[thread_position_in_threadgroup]]"),
    "a number as a buffer": _kernel("if (i < n) y[i] = 1.0f;", f"{_OUT}, uint n [[buffer(1)]], {_AT}"),
    "a kernel with a result": f"{_HEAD}kernel float k({_OUT}) {{ return 1.0f; }}\n",
    "more shared memory than there is": _kernel("threadgroup float t[9000]; t[i] = 1.0f; y[i] = t[0];"),
    "shared arrays that are too large together": _kernel(
        "threadgroup float t[5000]; threadgroup float u[5000]; t[i] = 1.0f; u[i] = t[0]; y[i] = u[0];"
    ),
    "shared arrays in one declaration": _kernel(
        "threadgroup float t[5000], u[5000]; t[i] = 1.0f; u[i] = t[0]; y[i] = u[0];"
    ),
    "a shared array of two dimensions that is too large": _kernel(
        "threadgroup float t[100][100]; t[i][0] = 1.0f; y[i] = t[0][0];"
    ),
    "a shared array whose size is a product": _kernel("threadgroup float t[9*1000]; t[i] = 1.0f; y[i] = t[0];"),
    "a shared array whose size has a name": _kernel(
        "threadgroup float t[2u * MOST]; t[i] = 1.0f; y[i] = t[0];", before="#define MOST 4097u\n"
    ),
    "a shared array of vectors that is too large": _kernel(
        "threadgroup float4 t[2049]; t[i] = float4(1.0f); y[i] = t[0].x;"
    ),
    "a pointer to pointers": _kernel("y[i] = p[0][i];", f"{_OUT}, device float **p [[buffer(1)]], {_AT}"),
    "a lambda": _kernel("auto f = [](float a) { return a * 2.0f; }; y[i] = f(x[i]);"),
    "a keyword as a name": _kernel("uint vertex = i; y[i] = vertex;"),
    "another keyword as a name": _kernel("float fragment = x[i]; y[i] = fragment;"),
    "a barrier of a number": _kernel("threadgroup_barrier(2); y[i] = 1.0f;"),
}
