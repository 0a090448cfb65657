"""Makes the golden vectors beside this file: what numpy and PyTorch give for each operation on tiles.

    python pl-runtime/tests/golden/make.py

needs numpy and torch. It writes `in-NAME.TYPE.npy` for every input; `OP.TYPE.npy` for the results of
that type of an operation, those of all cases one after the other, without their shapes; and
`cases.json`, one case a line, in the same order, which `pl-runtime/tests/tiles/golden.rs` reads:

    {"op": name in kernels, "args": [..], "gives": [[type, lengths], ..], "rel": .., "abs": ..}

An argument is an input (a tile), a number (a scalar) or a list of numbers (lengths). An element may
be `abs + rel * |expected|` off; NaN means NaN, an infinity means itself, integers are exact. `f16`
and `bf16` are stored as their bits, in `uint16`.

To add an operation: a line under "Cases" below, run this, and a line of `run` in `golden.rs`.
Expected values are computed in `float64` and rounded to the type of the result, unless the library
computes them in the type itself (`sort`, integers).
"""

import json
import math
import pathlib

import numpy as np
import torch

HERE = pathlib.Path(__file__).parent
FLOATS = ["f32", "f16", "bf16"]
INTEGERS = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"]
NUMBERS = FLOATS + INTEGERS
NUMPY = {"f32": np.float32, "f16": np.float16, "bool": np.bool_}
NUMPY |= {name: np.dtype({"i": "int", "u": "uint"}[name[0]] + name[1:]).type for name in INTEGERS}

# One unit in the last place, relative, and the smallest step: what rounding to the type costs.
# `exp` and what uses it flush results below the smallest normal f32.
ULP = {"f32": (1.2e-7, 1.2e-38), "f16": (9.8e-4, 6e-8), "bf16": (7.9e-3, 1.2e-38)}
EXACT = (0.0, 0.0)

inputs = {}
results = {}
cases = []


class Tile:
    """A typed array: `wide` are its values as float64, or as they are for integers."""

    def __init__(self, dtype, values):
        self.dtype = dtype
        with np.errstate(all="ignore"):
            if dtype == "bf16":
                values = np.asarray(values, dtype=np.float64)
                self.torch = torch.from_numpy(np.array(values, order="C")).to(torch.bfloat16)
                self.bits = self.torch.view(torch.int16).numpy().view(np.uint16)
                self.wide = self.torch.to(torch.float64).numpy()
                return
            array = np.array(values).astype(NUMPY[dtype], order="C")
        self.bits = array.view(np.uint16) if dtype == "f16" else array
        self.wide = array.astype(np.float64) if dtype in FLOATS else array


def case(op, dtype, args, expected, tolerance=EXACT, out=None):
    """One case. `args`: names of inputs (of type `dtype`, or (name, type)), numbers, lists;
    `expected`: one array, or a list of (type, array)."""
    named = []
    for arg in args:
        if isinstance(arg, (str, tuple)):
            name, of = (arg, dtype) if isinstance(arg, str) else arg
            tile = inp(name, of)
            arg = f"{name}.{tile.dtype}"
            inputs[arg] = tile.bits
        named.append(arg)
    gives = []
    for to, values in expected if isinstance(expected, list) else [(out or dtype, expected)]:
        tile = Tile(to, values)
        results.setdefault(f"{op}.{to}", []).append(tile.bits.ravel())
        gives.append([to, list(tile.bits.shape)])
    cases.append({"op": op, "args": named, "gives": gives, "rel": tolerance[0], "abs": tolerance[1]})


# Inputs

INF, NAN = np.inf, np.nan
SPECIAL = [NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 88.0, -88.0, 1e-40, -3e-42, 6e-8, -3e-6,
           1.2e-38, 3e38, -3e38, 65504.0, 7.0, 1e-20, 1e20]


def rng(name):
    return np.random.default_rng(sum(name.encode()))


INPUTS = {
    # Lengths that no vector divides.
    "ragged": lambda: rng("ragged").normal(0, 4, (7, 33)),
    "other": lambda: rng("other").normal(0, 4, (7, 33)),
    "positive": lambda: rng("positive").uniform(0.01, 9, (5, 13)),
    "row": lambda: rng("row").normal(0, 4, (1, 33)),
    "column": lambda: rng("column").normal(0, 4, (7, 1)),
    "deep": lambda: rng("deep").normal(0, 2, (2, 3, 5)),
    "line": lambda: rng("line").normal(0, 2, (9,)),
    "empty": lambda: np.zeros((0, 5)),
    "hollow": lambda: np.zeros((3, 0)),
    "special": lambda: np.array(SPECIAL).reshape(2, 11),
    "turned": lambda: np.array(SPECIAL[::-1]).reshape(2, 11),
    # Each row, and each column, shows one thing.
    "mixed": lambda: np.array([
        [1.0, NAN, 2.0, 3.0, 0.5, 1.0],
        [1.0, INF, 2.0, 3.0, 0.5, 1.0],
        [1.0, -INF, 2.0, 3.0, 0.5, 1.0],
        [1.0, INF, -INF, 3.0, 0.5, 1.0],
        [-INF] * 6,
        [1e-40, 3e-40, -2e-40, 6e-8, 0.0, -0.0],
        [0.0, -0.0, 0.0, -0.0, 0.0, 0.0],
        [5.0, 5.0, -5.0, 5.0, -5.0, 5.0],
    ]),
    "left": lambda: rng("left").normal(0, 1, (7, 19)),
    "right": lambda: rng("right").normal(0, 1, (19, 5)),
    "sum": lambda: rng("sum").normal(0, 1, (7, 5)),
    "left-special": lambda: np.array([[1, NAN, 0], [INF, 1, 0], [1, 2, 3], [0, 0, 0]], dtype=float),
    "right-special": lambda: np.array([[1, 0], [2, -1], [-INF, 1e-40]], dtype=float),
    # In the middle between two integers, or two floats of 16 bits, or beyond these.
    "middles": lambda: np.array([
        0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 1 + 2**-11, 1 + 3 * 2**-11, -1 - 2**-11, 1 + 2**-8,
        1 + 3 * 2**-8, -1 - 2**-8, 2**-25, 3 * 2**-25, 65519, 65520, -65520, 65535, 1e6, 3.4e38,
        -3.4e38, 0.3, -0.3, 254.7, 2.0**31, 2.0**63,
    ]),
    # Rows with many equal elements.
    "ties": lambda: rng("ties").integers(-3, 4, (4, 21)).astype(float),
}


def integers(name, dtype):
    """Integers of all sizes in the shape of the float input of that name; extremes first."""
    shape = INPUTS[name]().shape
    info = np.iinfo(NUMPY[dtype])
    if name == "ties":
        return rng(name + dtype).integers(0, 4, shape, dtype=NUMPY[dtype])
    values = rng(name + dtype).integers(info.min, info.max, shape, NUMPY[dtype], endpoint=True).ravel()
    for i, v in enumerate([info.min, info.max, 0, 1, info.max - 1][: len(values)]):
        values[i] = v
    return values.reshape(shape)


def inp(name, dtype):
    if name in INDICES:
        return Tile("i32", INDICES[name])
    if dtype in FLOATS:
        return Tile(dtype, INPUTS[name]())
    if dtype == "bool":
        return Tile(dtype, np.nan_to_num(INPUTS[name]()) > 0)
    return Tile(dtype, integers(name, dtype))


INDICES = {"rows": [6, 0, 3, 3, 1]}


def wide(name, dtype):
    return inp(name, dtype).wide


def times(tolerance, factor):
    return (tolerance[0] * factor, tolerance[1] * factor)


np.seterr(all="ignore")

# Cases: element-wise


def elementwise(op, f, tolerance=None, dtypes=FLOATS, names=("ragged", "special")):
    """An operation of one tile. `tolerance` in units in the last place; exact without."""
    for dtype in dtypes:
        for name in names + (("empty", "deep") if dtype == "f32" else ()):
            x = wide(name, dtype)
            close = EXACT if tolerance is None or dtype not in FLOATS else times(ULP[dtype], tolerance)
            case(op, dtype, [name], f(x), close)


elementwise("exp", np.exp, 2)
elementwise("log", np.log, 2)
elementwise("sqrt", np.sqrt, 1)
elementwise("rsqrt", lambda x: 1 / np.sqrt(x), 2)
elementwise("recip", lambda x: 1 / x, 1)
elementwise("tanh", np.tanh, 3)
elementwise("sigmoid", lambda x: 1 / (1 + np.exp(-x)), 5)
# Where PyTorch has `-inf * 0`, NaN, the limit is given.
elementwise("silu", lambda x: np.where(x == -INF, -0.0, x / (1 + np.exp(-x))), 5)
erfc = np.vectorize(math.erfc, otypes=[float])
elementwise("gelu", lambda x: np.where(x == -INF, -0.0, x * 0.5 * erfc(-x / 2**0.5)), 6)


def gelu_tanh(x):
    """As in the definition, `(1 + tanh(z)) / 2 = 1 / (1 + e^(-2 z))`, which keeps the tail."""
    z = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
    return np.where(x == -INF, -0.0, x / (1 + np.exp(-2 * z)))


elementwise("gelu_tanh", gelu_tanh, 300)
elementwise("relu", lambda x: np.where(x < 0, 0, x))
elementwise("relu", lambda x: np.where(x < 0, 0, x), dtypes=INTEGERS[:4], names=("deep",))
elementwise("abs", np.abs)
elementwise("abs", np.abs, dtypes=INTEGERS, names=("deep",))


def binary(op, f, tolerance=None, integer=True):
    for dtype in FLOATS:
        close = EXACT if tolerance is None else times(ULP[dtype], tolerance)
        pairs = [("ragged", "other"), ("ragged", "row"), ("column", "row"), ("special", "turned")]
        for a, b in pairs:
            case(op, dtype, [a, b], f(wide(a, dtype), wide(b, dtype)), close)
        case(op, dtype, ["ragged", 1.5], f(wide("ragged", dtype), 1.5), close)
    if integer:
        for dtype in INTEGERS:
            case(op, dtype, ["column", "row"], f(wide("column", dtype), wide("row", dtype)))


binary("maximum", np.maximum)
binary("minimum", np.minimum)
binary("add", np.add, 1)
binary("sub", np.subtract, 1)
binary("mul", np.multiply, 1)
binary("div", np.divide, 1, integer=False)
elementwise("neg", np.negative)
elementwise("neg", np.negative, dtypes=INTEGERS, names=("deep",))
for dtype in INTEGERS:
    # Rust truncates, numpy rounds down.
    x = wide("column", dtype)
    quotient = np.array([abs(int(v)) // 3 * (1 if v >= 0 else -1) for v in x.ravel()])
    case("div", dtype, ["column", 3], quotient.reshape(x.shape))

for op, f in {
    "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal, "eq": np.equal,
    "ne": np.not_equal,
}.items():
    for dtype in FLOATS + INTEGERS:
        pairs = [("special", "turned"), ("column", "row"), ("ties", "ties")]
        for a, b in pairs if dtype in FLOATS else pairs[1:2]:
            case(op, dtype, [a, b], f(wide(a, dtype), wide(b, dtype)), out="bool")
        case(op, dtype, ["ties", 1], f(wide("ties", dtype), 1), out="bool")
for op, f in {"and": np.logical_and, "or": np.logical_or}.items():
    case(op, "bool", ["column", "row"], f(wide("column", "bool"), wide("row", "bool")))
case("not", "bool", ["ragged"], np.logical_not(wide("ragged", "bool")))
for dtype in ["f32", "bf16", "i8", "i64", "bool"]:
    mask, a, b = wide("ragged", "bool"), wide("row", dtype), wide("column", dtype)
    case("select", dtype, [("ragged", "bool"), "row", "column"], np.where(mask, a, b))
for dtype in FLOATS:
    mask, a = wide("special", "bool"), wide("turned", dtype)
    case("select", dtype, [("special", "bool"), "turned", -1], np.where(mask, a, -1))
    for n in (3, 0, 1, -2):
        # A product more than the power: the exponent is not large.
        case("powi", dtype, ["ragged", n], wide("ragged", dtype) ** n, times(ULP[dtype], 4))
        case("powi", dtype, ["special", n], wide("special", dtype) ** n, times(ULP[dtype], 4))
    for name in ("ragged", "special"):
        x = wide(name, dtype)
        case("clamp", dtype, [name, -1.5, 2], np.where(np.isnan(x), x, np.clip(x, -1.5, 2)))
for dtype in INTEGERS:
    case("powi", dtype, ["deep", 3], wide("deep", dtype) ** 3)
    case("clamp", dtype, ["deep", 1, 100], np.clip(wide("deep", dtype), 1, 100))

# Cases: creation and conversion

for dtype in NUMBERS:
    for axis in (0, 1, 2) if dtype == "f32" else (1,):
        case("iota", dtype, [[2, 3, 4], axis], np.indices((2, 3, 4))[axis])

for dtype in FLOATS:
    case("full", dtype, [[2, 3], 0.1], np.full((2, 3), 0.1))
    case("full", dtype, [[3], -1e30], np.full((3,), -1e30))
for dtype in INTEGERS:
    case("full", dtype, [[2, 1, 3], 7], np.full((2, 1, 3), 7))
for dtype in FLOATS + INTEGERS + ["bool"]:
    case("zeros", dtype, [[3, 5]], np.zeros((3, 5)))


def cast(values, to):
    """As Rust's `as`: floats saturate, NaN becomes 0, integers wrap; `bool` is "not 0"."""
    if to == "bool":
        return values != 0
    if to in FLOATS or not np.issubdtype(values.dtype, np.floating):
        return values
    info = np.iinfo(NUMPY[to])
    exact = [0 if np.isnan(v) else int(max(min(v, 2.0**70), -(2.0**70))) for v in values.ravel()]
    clamped = [max(info.min, min(info.max, v)) for v in exact]
    return np.array(clamped, dtype=NUMPY[to]).reshape(values.shape)


for source in FLOATS + ["i64", "u32", "bool"]:
    for to in FLOATS + INTEGERS + ["bool"]:
        if source != to:
            name = "special" if source in FLOATS else "deep"
            case("cast", source, [name], cast(wide(name, source), to), EXACT, out=to)

def next_to(value, to, direction):
    """The neighbour of a float of type `to`."""
    if to == "bf16":
        # The upper half of an f32.
        bits = int(np.array(value, dtype=np.float32).view(np.uint32)) >> 16
        if value == 0:
            return direction * 2.0**-133
        bits += 1 if (value > 0) == (direction > 0) else -1
        return float(np.array(bits << 16, dtype=np.uint32).view(np.float32))
    of = NUMPY[to]
    return float(np.nextafter(of(value), of(direction * np.inf)))


def rounded(value, to, mode):
    """The float of type `to` for a float: as `mode` has it, not the nearest."""
    nearest = float(Tile(to, np.array([value])).wide[0])
    if not np.isfinite(value) or nearest == value:
        return nearest
    low = nearest if nearest < value else next_to(nearest, to, -1)
    high = nearest if nearest > value else next_to(nearest, to, 1)
    if mode == "floor" or (mode == "trunc" and value > 0):
        return low
    if mode == "ceil" or mode == "trunc":
        return high
    if mode == "round" and value - low == high - value:
        return high if value > 0 else low
    return nearest


def half_away(x):
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


TO_INTEGER = {"rint": np.rint, "round": half_away, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc}
for mode, f in TO_INTEGER.items():
    for source in FLOATS:
        # Integers of all widths go one way.
        for to in NUMBERS if source == "f32" else FLOATS + ["i32", "u8"]:
            for name in ("middles", "special") if source != to else ():
                x = wide(name, source)
                if to in FLOATS:
                    values = np.array([rounded(v, to, mode) for v in x.ravel()]).reshape(x.shape)
                else:
                    values = cast(f(x), to)
                case(f"cast_{mode}", source, [name], values, out=to)

# Cases: rows and columns


def reduction(op, f, axis, dtypes, summed=False):
    """`f` reduces an array along an axis and keeps it as 1."""
    for dtype in dtypes:
        names = ("ragged", "mixed", "deep", "ties") if dtype in FLOATS else ("ties", "deep")
        for name in names + (("hollow",) if op == "row_sum" else ()):
            x = wide(name, dtype)
            close = EXACT
            if summed and dtype in FLOATS:
                # What cancels leaves an error as large as that of what went in.
                size = np.nan_to_num(np.abs(x), nan=0.0, posinf=0.0).sum(axis=axis).max(initial=0.0)
                close = (ULP[dtype][0], 4e-7 * float(size))
            case(op, dtype, [name], f(x, axis), close)


def sums(x, axis):
    return np.sum(x, axis=axis, keepdims=True, dtype=x.dtype)


def means(x, axis):
    return np.mean(x, axis=axis, keepdims=True)


for kind, axis in (("row", -1), ("col", -2)):
    reduction(f"{kind}_sum", sums, axis, NUMBERS, summed=True)
    reduction(f"{kind}_mean", means, axis, FLOATS, summed=True)
    reduction(f"{kind}_max", lambda x, axis: np.max(x, axis=axis, keepdims=True), axis, NUMBERS)
    reduction(f"{kind}_min", lambda x, axis: np.min(x, axis=axis, keepdims=True), axis, NUMBERS)
    for op, f in (("argmax", np.argmax), ("argmin", np.argmin)):
        for dtype in NUMBERS:
            for name in ("ragged", "mixed", "ties") if dtype in FLOATS else ("ties",):
                at = f(wide(name, dtype), axis=axis, keepdims=True)
                case(f"{kind}_{op}", dtype, [name], at, out="i32")

for dtype in FLOATS:
    for name in ("ragged", "mixed", "deep", "line", "hollow", "empty"):
        x = torch.from_numpy(wide(name, dtype))
        # `x - max` is rounded to f32 before it is an exponent.
        close = times(ULP[dtype], 16 if dtype == "f32" else 2)
        case("softmax", dtype, [name], torch.softmax(x, -1).numpy(), close)

for dtype in NUMBERS:
    for name in ("ragged", "mixed", "deep", "line", "hollow") if dtype in FLOATS else ("ties",):
        x = wide(name, dtype)
        close = EXACT
        if dtype in FLOATS:
            size = np.nan_to_num(np.abs(x), nan=0.0, posinf=0.0).sum(axis=-1).max(initial=0.0)
            close = (ULP[dtype][0], 4e-7 * float(size))
        case("cumsum", dtype, [name], np.cumsum(x, axis=-1, dtype=x.dtype), close)


def order(x, falling):
    """PyTorch's stable sort; its topk says nothing of equal elements."""
    # PyTorch sorts no unsigned types of more than 8 bits; shifted, the order is the same.
    shift = np.issubdtype(x.dtype, np.unsignedinteger)
    t = (x.astype(np.uint64) ^ np.uint64(1 << 63)).view(np.int64) if shift else x
    at = torch.sort(torch.from_numpy(np.ascontiguousarray(t)), dim=-1, stable=True, descending=falling)[1]
    return np.take_along_axis(x, at.numpy(), -1), at.numpy()


for dtype in NUMBERS:
    for name in ("ragged", "mixed", "ties") if dtype in FLOATS else ("ties",):
        x = wide(name, dtype)
        for op, falling in (("sort", False), ("sort_descending", True)):
            values, at = order(x, falling)
            case(op, dtype, [name], [(dtype, values), ("i32", at)])
        values, at = order(x, True)
        case("top_k", dtype, [name, 3], [(dtype, values[..., :3]), ("i32", at[..., :3])])

# Cases: shapes

# What only moves bytes needs one type of each width.
for dtype in ["f32", "bf16", "i8", "i64", "bool"]:
    x = wide("ragged", dtype)
    case("take_rows", dtype, ["ragged", "rows"], x[INDICES["rows"]])
    case("concat", dtype, ["ragged", "column", 1], np.concatenate([x, wide("column", dtype)], 1))
    case("concat", dtype, ["row", "ragged", 0], np.concatenate([wide("row", dtype), x], 0))
    case("transpose", dtype, ["deep"], np.swapaxes(wide("deep", dtype), -1, -2))

# Cases: matrix product

for dtype in FLOATS:
    for a, b in (("left", "right"), ("left-special", "right-special")):
        x, y = wide(a, dtype), wide(b, dtype)
        size = np.nan_to_num(np.abs(x), nan=0, posinf=0) @ np.nan_to_num(np.abs(y), nan=0, posinf=0)
        absolute = 4e-7 * float(size.max())
        case("dot", dtype, [a, b], x @ y, (ULP[dtype][0], absolute))
        case("dot_f32", dtype, [a, b], x @ y, (ULP["f32"][0], absolute), out="f32")
    for to in {dtype, "f32"}:
        x, y, acc = wide("left", dtype), wide("right", dtype), wide("sum", to)
        absolute = 4e-7 * float((np.abs(x) @ np.abs(y)).max())
        close = (ULP[to][0], 2 * absolute + 4 * ULP[to][0] * (to != "f32"))
        case("dot_acc", dtype, [("sum", to), "left", "right"], acc + x @ y, close, out=to)

# Output

for old in HERE.glob("*.npy"):
    old.unlink()
for name, bits in inputs.items():
    np.save(HERE / f"in-{name}.npy", bits)
for name, parts in results.items():
    np.save(HERE / f"{name}.npy", np.concatenate(parts))
lines = ",\n".join(json.dumps(c) for c in cases)
(HERE / "cases.json").write_text(f"[\n{lines}\n]\n")
size = sum(f.stat().st_size for f in HERE.iterdir())
print(f"{len(cases)} cases, {len(inputs) + len(results)} vectors, {size} bytes")
