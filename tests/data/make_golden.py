"""Writes the .npy files of this folder. Needs numpy; run it in this folder: python3 make_golden.py"""

import numpy as np


def softmax(x):
    with np.errstate(all="ignore"):
        e = np.exp(x - x.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)


def golden(name, x):
    assert x.dtype == np.float32
    np.save(f"softmax_{name}_x.npy", x)
    np.save(f"softmax_{name}_y.npy", softmax(x))


rng = np.random.default_rng(20240229)
normal = lambda *shape: rng.standard_normal(shape, dtype=np.float32)

golden("small", normal(33, 7))
golden("single", normal(1, 1))
golden("wide", 3 * normal(2, 2500))
golden("fortran", np.asfortranarray(normal(40, 9)))

inf, nan = np.inf, np.nan
golden(
    "extreme",
    np.array(
        [
            [1e4, 1e4, 0, -1e4],
            [3e38, -3e38, 0, 3e38],
            [-3e38, -3e38, -3e38, -3e38],
            [-inf, 0, 1, -inf],
            [-inf, -inf, -inf, 5],
            [-inf, -inf, -inf, -inf],
            [inf, 0, 1, 2],
            [nan, 0, 1, 2],
            [88, 89, -104, -88],
            [1e-40, 0, -0.0, -1e-40],
        ],
        dtype=np.float32,
    ),
)

# Rows that begin with more than a whole tile of -inf.
late = normal(3, 1100)
late[:, :1050] = -inf
golden("late", late)

np.save("bad_float64.npy", normal(4, 3).astype(np.float64))
np.save("bad_int32.npy", np.arange(12, dtype=np.int32).reshape(4, 3))
np.save("bad_big_endian.npy", normal(4, 3).astype(">f4"))
np.save("bad_rank_1.npy", normal(12))
np.save("bad_rank_3.npy", normal(2, 3, 2))
np.save("bad_empty.npy", normal(0, 3))
