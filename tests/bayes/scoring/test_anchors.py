"""Anchors equal their closed forms, and the noise sweep can be inverted."""

import math

import numpy as np
import pytest
from hypothesis import given, settings

from bayes.inference import to_marginals
from bayes.network import FloatArray, Network
from bayes.scoring.anchors import (
    NoiseSweep,
    sweep_noise,
    to_copy,
    to_dirichlet,
    to_identity,
    to_marginal,
    to_noisy,
    to_uniform,
)
from bayes.scoring.records import Prediction, Reference
from bayes.scoring.scores import score
from tests.strategies import networks
from tests.strategies_scoring import to_network

NETWORK = to_network(
    {"a": "xy", "b": "xyz"}, {"a": ((), [[0.3], [0.7]]), "b": (("a",), [[0.5, 0.1], [0.5, 0.2], [0, 0.7]])}
)


def entropies(matrix: FloatArray) -> FloatArray:
    return -np.where(matrix > 0, matrix * np.log(np.where(matrix > 0, matrix, 1)), 0).sum(axis=0)


def to_kl(network: Network, prediction: Prediction) -> float | None:
    return score(Reference(network), to_identity(network), prediction).cpd_kl


@settings(max_examples=25)
@given(networks(max_nodes=5))
def test_uniform_and_marginal_equal_their_closed_forms(network: Network) -> None:
    children = [cpd for cpd in network.cpds if cpd.parents]
    uniform = to_kl(network, to_uniform(Reference(network)))
    marginal = to_kl(network, to_marginal(Reference(network)))
    if not children:
        assert uniform is marginal is None
        return
    # KL(p || uniform) = log s - H(p)
    assert uniform == pytest.approx(np.mean([np.mean(math.log(len(c.matrix)) - entropies(c.matrix)) for c in children]))
    # KL(p || m) = - sum p log m - H(p), up to the smoothing
    own = to_marginals(network)
    closed = [np.mean(-np.log(own[c.variable]) @ c.matrix - entropies(c.matrix)) for c in children]
    assert marginal == pytest.approx(np.mean(closed), abs=1e-3)


def test_uniform_by_hand() -> None:
    # log 3 - log 2 in the first column, log 3 - H(0.1, 0.2, 0.7) = 1.0986 - 0.8018 in the second
    assert to_kl(NETWORK, to_uniform(Reference(NETWORK))) == pytest.approx((0.405465 + 0.296793) / 2, abs=1e-5)


def test_the_marginal_anchor_has_the_reference_marginal_everywhere() -> None:
    prediction = to_marginal(Reference(NETWORK))
    # 0.3 * 0.5 + 0.7 * 0.1, 0.3 * 0.5 + 0.7 * 0.2, 0.7 * 0.7
    assert prediction.cpds["b"].matrix.T.tolist() == [pytest.approx([0.22, 0.29, 0.49])] * 2
    assert prediction.cpds["a"].matrix.T.tolist() == [pytest.approx([0.3, 0.7])]


def test_dirichlet_depends_on_the_seed_only() -> None:
    one, same, other = (to_dirichlet(Reference(NETWORK), seed) for seed in ((1, 2), (1, 2), 3))
    assert one.cpds["b"].matrix.tolist() == same.cpds["b"].matrix.tolist() != other.cpds["b"].matrix.tolist()
    assert one.cpds["b"].matrix.sum(axis=0) == pytest.approx([1, 1])


def test_dirichlet_has_the_expected_divergence() -> None:
    # E KL(p || q) = -H(p) - E log q_s = -H(p) + psi(3) - psi(1) = -H(p) + 1 + 1/2 for 3 states; over 1,000 columns the
    # standard error is about 0.03
    columns = np.random.default_rng(0).dirichlet(np.ones(3), 1000).T
    states = [str(i) for i in range(1000)]
    network = to_network({"a": states, "b": "xyz"}, {"a": ((), [[0.001]] * 1000), "b": (("a",), columns)})
    expected = 1.5 - entropies(columns).mean()
    assert to_kl(network, to_dirichlet(Reference(network), 0)) == pytest.approx(expected, abs=0.1)


def test_no_noise_is_the_reference_and_noisy_columns_are_distributions() -> None:
    assert to_noisy(Reference(NETWORK), 0.0, 1).cpds["b"].matrix == pytest.approx(NETWORK.cpds[1].matrix)
    for seed in range(50):
        matrix = to_noisy(Reference(NETWORK), 50.0, seed).cpds["b"].matrix
        assert (matrix >= 0).all()
        assert matrix.sum(axis=0) == pytest.approx([1, 1])


def test_noise_of_growing_size_moves_along_one_direction() -> None:
    small, large = (to_noisy(Reference(NETWORK), sigma, 7).cpds["a"].matrix for sigma in (0.001, 0.002))
    # a + sigma z, divided by 1 + sigma sum(z): twice the step to first order
    assert large - [[0.3], [0.7]] == pytest.approx(2 * (small - [[0.3], [0.7]]), rel=0.02)


def test_the_sweep_is_the_mean_of_the_scored_noisy_predictions() -> None:
    rng = np.random.default_rng(0)
    # two states and the clipping make a column vanish now and then, which is uniform then
    other = to_network({"a": "xy", "b": "xy"}, {"a": ((), [[1], [0]]), "b": (("a",), rng.dirichlet([1, 1], 2).T)})
    root = to_network({"a": "xy"}, {"a": ((), [[1], [0]])})
    references = [Reference(NETWORK), Reference(root), Reference(other)]
    sweep = sweep_noise(references, 5, (0.0, 0.1, 3.0))
    for sigma, kl in zip(sweep.sigmas.tolist(), sweep.kls.tolist(), strict=True):
        kls = [to_kl(r.network, to_noisy(r, sigma, (5, i))) for i, r in enumerate(references)]
        assert kl == pytest.approx(np.mean([value for value in kls if value is not None]))
    assert sweep.kls[0] < 1e-4
    assert sweep.to_kl(0.05) == pytest.approx((sweep.kls[0] + sweep.kls[1]) / 2)
    assert sweep.to_kl(4.0) is None


def test_the_sweep_is_inverted_between_its_ends_and_says_so_beyond() -> None:
    sweep = sweep_noise([Reference(NETWORK)], 0)
    assert (np.diff(sweep.kls) >= 0).all()
    for sigma in (0.01, 0.07, 0.12, 0.35):
        kl = sweep.to_kl(sigma)
        assert kl is not None
        assert sweep.to_kl(sweep.to_sigma(kl) or 0.0) == pytest.approx(kl)
    assert sweep.to_sigma(0.0) == 0
    assert sweep.to_sigma(float(sweep.kls[-1])) is not None
    assert sweep.to_sigma(100.0) is None


def test_a_dip_of_a_sampled_curve_is_levelled_so_that_it_can_be_inverted() -> None:
    # with this seed the columns' draws favour the reference's likelier states, so large noise is less bad
    sigmas = (0.0, 2.0, 5.0)
    kls = [to_kl(NETWORK, to_noisy(Reference(NETWORK), sigma, (3, 0))) or 0.0 for sigma in sigmas]
    assert kls[2] < kls[1]
    assert sweep_noise([Reference(NETWORK)], 3, sigmas).kls.tolist() == pytest.approx([kls[0], kls[1], kls[1]])


def test_a_flat_stretch_is_inverted_to_its_beginning() -> None:
    sweep = NoiseSweep(np.array([0.0, 1.0, 2.0, 3.0]), np.array([0.0, 1.0, 1.0, 2.0]))
    assert [sweep.to_sigma(kl) for kl in (1.0, 1.5)] == [1.0, 2.5]


def test_a_sweep_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(ValueError, match="with edges"):
        sweep_noise([], 0)
    for sigmas in ((), (0.1, 0.2), (0.0, 0.2, 0.1)):
        with pytest.raises(ValueError, match="ascend from 0"):
            sweep_noise([Reference(NETWORK)], 0, sigmas)


def test_the_copy_is_perfect() -> None:
    scores = score(Reference(NETWORK), to_identity(NETWORK), to_copy(Reference(NETWORK)))
    assert (scores.node_f1, scores.edge_f1, scores.shd, scores.marginal_tv) == (1, 1, 0, 0)
