"""Predictions made from the reference, which give the divergences a scale.

========================= =================================================================================
:func:`to_uniform`        every column uniform: what knowing nothing scores
:func:`to_marginal`       the variable's reference marginal in every column: knowing the variables, no influence
:func:`to_dirichlet`      every column drawn uniformly among all distributions, Dirichlet(1, ..., 1)
:func:`to_noisy`          Gaussian noise on every cell, clipped at 0, columns divided by their sum
========================= =================================================================================

All have the reference's names, edges and states and are scored with :func:`to_identity` as their alignment. Roots are
treated like the others, so they show in ``prior_kl``. The sweep over the noise turns a model's divergence into the
standard deviation that makes the reference as bad: its noise-equivalent scale.

Source: Bhattacharya et al., PRISM-BN (arXiv 2609.21673), section 6 and appendix F; clipping and drawing are defined
here.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from bayes.network import FloatArray, Network
from bayes.scoring.divergences import smooth, to_kl
from bayes.scoring.prepared import PreparedReference, prepare
from bayes.scoring.records import Alignment, Match, PredictedCpd, Prediction, Reference

SIGMAS = (0.0, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0)

Seed = int | tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class NoiseSweep:
    """Mean CPD-KL over the references at every sigma, in nats; both ascend, and ``sigmas`` begins with 0."""

    sigmas: FloatArray
    kls: FloatArray

    def to_kl(self, sigma: float) -> float | None:
        """The mean KL at a sigma, linear between the measured ones; ``None`` outside of them.

        Example:
            >>> NoiseSweep(np.array([0.0, 0.1]), np.array([0.0, 0.5])).to_kl(0.05)
            0.25
        """
        if not self.sigmas[0] <= sigma <= self.sigmas[-1]:
            return None
        return float(np.interp(sigma, self.sigmas, self.kls))

    def to_sigma(self, kl: float) -> float | None:
        """The sigma whose mean KL is this one, linear between the measured ones.

        A KL at or below that of no noise (about 0, from smoothing) is sigma 0. One above that of the largest sigma is
        ``None``: noise on the reference saturates, and no amount of it is as bad. Where the curve is flat, the smallest
        sigma that reaches the KL is returned.

        Example:
            >>> sweep = NoiseSweep(np.array([0.0, 0.1]), np.array([0.0, 0.5]))
            >>> sweep.to_sigma(0.25), sweep.to_sigma(-1.0), sweep.to_sigma(0.6)
            (0.05, 0.0, None)
        """
        above = int(np.searchsorted(self.kls, kl))
        if above == 0:
            return float(self.sigmas[0])
        if above == len(self.kls):
            return None
        low, high = self.kls[above - 1], self.kls[above]
        step = self.sigmas[above] - self.sigmas[above - 1]
        return float(self.sigmas[above - 1] + step * (kl - low) / (high - low))


def to_identity(network: Network) -> Alignment:
    """Every variable and state is matched with itself.

    Example:
        >>> from bayes.network import Variable
        >>> to_identity(Network((Variable("rain", ("yes",)),), ())).states
        {'rain': (Match(reference='yes', predicted='yes'),)}
    """
    return Alignment(
        variables=tuple(Match(variable.name, variable.name) for variable in network.variables),
        states={
            variable.name: tuple(Match(state, state) for state in variable.states) for variable in network.variables
        },
    )


def to_copy(reference: Reference | PreparedReference) -> Prediction:
    """The reference itself as a prediction."""
    network = prepare(reference).network
    return _to_prediction(network, [cpd.matrix for cpd in network.cpds])


def to_uniform(reference: Reference | PreparedReference) -> Prediction:
    """Every cell 1 / number of states."""
    network = prepare(reference).network
    return _to_prediction(network, [np.full(cpd.matrix.shape, 1 / len(cpd.matrix)) for cpd in network.cpds])


def to_marginal(reference: Reference | PreparedReference) -> Prediction:
    """Every column the reference marginal of its variable, by exact inference."""
    prepared = prepare(reference)
    return _to_prediction(
        prepared.network,
        [
            np.tile(prepared.marginals[cpd.variable][:, np.newaxis], cpd.matrix.shape[1])
            for cpd in prepared.network.cpds
        ],
    )


def to_dirichlet(reference: Reference | PreparedReference, seed: Seed) -> Prediction:
    """Every column from Dirichlet(1, ..., 1); same seed and reference, same prediction."""
    network = prepare(reference).network
    rng = np.random.default_rng(seed)
    return _to_prediction(
        network, [rng.dirichlet(np.ones(len(cpd.matrix)), size=cpd.matrix.shape[1]).T for cpd in network.cpds]
    )


def to_noisy(reference: Reference | PreparedReference, sigma: float, seed: Seed) -> Prediction:
    """Every cell plus sigma times a standard normal draw, clipped at 0, columns divided by their sum.

    A column that is clipped to zeros altogether becomes uniform. The draws depend on the seed and the reference only,
    so that predictions of growing sigma move along one direction.
    """
    network = prepare(reference).network
    noises = _draw(network, seed)
    return _to_prediction(
        network, [_add_noise(cpd.matrix, noise, sigma) for cpd, noise in zip(network.cpds, noises, strict=True)]
    )


def sweep_noise(
    references: Iterable[Reference | PreparedReference], seed: int, sigmas: Sequence[float] = SIGMAS
) -> NoiseSweep:
    """Mean CPD-KL (full) of the references with noise, for every sigma.

    Reference number i is :func:`to_noisy` with seed ``(seed, i)``. References without edges have no CPD-KL and are left
    out. A sampled curve may dip where it is flat; it is replaced by its running maximum, so that it can be inverted.

    Raises:
        ValueError: no reference has an edge, or the sigmas do not ascend from 0.
    """
    scales = np.array(sigmas, dtype=np.float64)
    if not len(scales) or scales[0] != 0 or (np.diff(scales) <= 0).any():
        raise ValueError("the sigmas of a noise sweep ascend from 0")
    total, n = np.zeros(len(scales)), 0
    for i, reference in enumerate(references):
        prepared = prepare(reference)
        if prepared.is_root.all():
            continue
        blocks = prepared.cpds
        noise = blocks.stack(_draw(prepared.network, (seed, i)))
        raised = np.where(blocks.is_state, np.maximum(blocks.p + scales[:, np.newaxis, np.newaxis] * noise, 0.0), 0.0)
        sums = raised.sum(axis=-2, keepdims=True)
        kl = to_kl(blocks.p, smooth(raised / np.where(sums > 0, sums, 1.0), blocks.is_state))
        total += blocks.to_means(kl)[:, ~prepared.is_root].mean(axis=1)
        n += 1
    if not n:
        raise ValueError("a noise sweep needs a reference with edges")
    return NoiseSweep(scales, np.maximum.accumulate(total / n))


def _draw(network: Network, seed: Seed) -> list[FloatArray]:
    rng = np.random.default_rng(seed)
    return [rng.standard_normal(cpd.matrix.shape) for cpd in network.cpds]


def _add_noise(matrix: FloatArray, noise: FloatArray, sigma: float) -> FloatArray:
    raised = np.maximum(matrix + sigma * noise, 0.0)
    sums = raised.sum(axis=0)
    return np.where(sums > 0, raised / np.where(sums > 0, sums, 1.0), 1 / len(matrix))


def _to_prediction(network: Network, matrices: Sequence[FloatArray]) -> Prediction:
    return Prediction(
        variables=network.variables,
        edges=network.edges,
        cpds={
            cpd.variable: PredictedCpd(cpd.variable, cpd.parents, matrix)
            for cpd, matrix in zip(network.cpds, matrices, strict=True)
        },
    )
