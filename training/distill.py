"""Distil the teacher into one row per piece in closed form: the start of the gradient training.

1. Targets: the teacher's vectors of generic texts, projected to the leading `dim` principal axes of
   the uncentred second moment (so a dot product is kept as well as it can be) and made unit length.
2. Rows start as the teacher's vectors of the pieces alone, centred, weighted by a / (a + p(piece))
   with a = 1e-3: smooth inverse frequency (Arora, Liang, Ma 2017).
3. A linear map and a bias, by ridge regression, from the weighted sum of rows to the target.
4. A correction per row, by ridge regression on what is left, with conjugate gradients: pieces that
   occur often move far from where they started, rare ones hardly.
"""

import numpy as np
import numpy.typing as npt
import scipy.sparse

from training.bags import Bags

Matrix = npt.NDArray[np.float32]

SMOOTHING = 1e-3
ROW_RIDGE = 0.3
ROW_STEPS = 8
BIAS_FEATURE = 0.05  # about the length of a mean of rows, so that the ridge treats both alike


def unit(rows: Matrix) -> Matrix:
    """Rows of length 1; a row of zeros stays."""
    lengths = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return np.asarray(rows / lengths, np.float32)


def principal_axes(vectors: Matrix, dim: int) -> Matrix:
    """Orthonormal columns that keep most of the dot products of the vectors."""
    _, axes = np.linalg.eigh((vectors.T @ vectors).astype(np.float64))
    leading = axes[:, ::-1][:, :dim]
    # eigh leaves the sign open: the largest entry of an axis is positive.
    signs = np.sign(leading[np.abs(leading).argmax(axis=0), np.arange(dim)])
    return np.ascontiguousarray(leading * signs, np.float32)


def as_matrix(bags: Bags, pieces: int) -> scipy.sparse.csr_matrix:
    """Texts by pieces."""
    return scipy.sparse.csr_matrix((bags.weights, bags.ids, bags.offsets), shape=(len(bags.offsets) - 1, pieces))


def closed_form(bags: Bags, piece_vectors: Matrix, targets: Matrix) -> tuple[Matrix, Matrix]:
    """Rows and bias whose weighted sums come near the targets."""
    texts = as_matrix(bags, len(piece_vectors))
    frequency = np.bincount(bags.ids, minlength=len(piece_vectors))
    rows = smooth_rows(piece_vectors, frequency)
    sums = np.hstack([texts @ rows, np.full((texts.shape[0], 1), BIAS_FEATURE, np.float32)])
    normal = (sums.T @ sums).astype(np.float64) + np.eye(sums.shape[1])
    solution = np.linalg.solve(normal, (sums.T @ targets).astype(np.float64)).astype(np.float32)
    rows, bias = rows @ solution[:-1], solution[-1] * BIAS_FEATURE
    return rows + _row_corrections(texts, targets - (texts @ rows + bias)), bias


def smooth_rows(piece_vectors: Matrix, frequency: npt.NDArray[np.int64]) -> Matrix:
    """Centred, and the smaller the more frequent."""
    share = (frequency + 0.5) / frequency.sum()
    centred = piece_vectors - piece_vectors[frequency > 0].mean(axis=0)
    return np.asarray(centred * (SMOOTHING / (SMOOTHING + share))[:, None], np.float32)


def _row_corrections(texts: scipy.sparse.csr_matrix, rest: Matrix) -> Matrix:
    """Minimise |texts @ d - rest|^2 + ROW_RIDGE |d|^2, every column by its own conjugate gradient."""
    back = texts.T.tocsr()
    residual = back @ rest
    found = np.zeros_like(residual)
    direction = residual.copy()
    size = (residual**2).sum(axis=0)
    for _ in range(ROW_STEPS):
        step = back @ (texts @ direction) + ROW_RIDGE * direction
        rate = size / np.maximum((direction * step).sum(axis=0), 1e-12)
        found += direction * rate
        residual -= step * rate
        shrunk = (residual**2).sum(axis=0)
        direction = residual + direction * (shrunk / np.maximum(size, 1e-12))
        size = shrunk
    return np.asarray(found, np.float32)
