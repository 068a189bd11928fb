# bench/real/profiles.py -- ratios of times over a set of matrices: the best other, losses, and
# performance profiles.
# SPDX-License-Identifier: BSD-3-Clause
"""Imported by losses.py and plots.py; not a program.

Like is compared with like: whole solves of A x = b where a contender has them, and L and U without
permutations (`both`) where it has not, as cuSPARSE.  A contender may use as many threads as
automatic, or fewer.
"""
import math

OURS = "echelon:automatic"
SHORT_S = 30e-6  # on a GPU, where both are below this, the ratio may be a little below 1


def performance_profile(times):
    """Dolan and More: for each solver the steps (tau, share of the problems it solves within tau times
    the best), from {solver: [seconds, or None where it failed]}; problems in the same order.  A problem
    that nobody solves counts for nobody.
    """
    best = [min((t for t in column if t is not None), default=None)
            for column in zip(*times.values())]
    profile = {}
    for solver, own in times.items():
        ratios = sorted(t / b for t, b in zip(own, best) if t is not None and b is not None)
        profile[solver] = [(ratio, (k + 1) / len(own)) for k, ratio in enumerate(ratios)]
    return profile


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def quantities_of(run):
    """The times of a run that can be compared, best first."""
    return [key for key in ("whole_s", "both_s") if key in run]


def is_ours(run):
    return run["contender"].startswith("echelon:")


def asked_of(run):
    """The backend that Echelon ran on when this was measured."""
    return run.get("asked", run["backend"])


def fastest(runs, quantity):
    return min((r for r in runs if quantity in r), key=lambda r: r[quantity], default=None)


class Comparison:
    """One matrix: automatic, the best other and the best of our own methods."""

    def __init__(self, facts, runs, threads):
        self.facts = facts
        self.matrix = facts["matrix"]
        if asked_of(facts) == "cpu":
            runs = [r for r in runs if r["threads"] <= threads]
        self.ours = next((r for r in runs if r["contender"] == OURS
                          and (r["threads"] == threads or asked_of(facts) != "cpu")), None)
        self.runs = runs
        self.others = [r for r in runs if not is_ours(r) and self.ours is not None
                       and quantities_of(r)]
        self.rival = min(self.others, key=self.ratio_of, default=None)
        self.best_own = fastest([r for r in runs if is_ours(r) and r is not self.ours], "whole_s")

    def ratio_of(self, run):
        """How many times as fast automatic is as this run, by the first quantity that both have."""
        quantity = quantities_of(run)[0]
        return run[quantity] / self.ours[quantity]

    @property
    def ratio(self):
        return self.ratio_of(self.rival)

    def times(self):
        """Seconds of automatic and of its rival, in the same quantity."""
        quantity = quantities_of(self.rival)[0]
        return self.ours[quantity], self.rival[quantity]

    @property
    def over_own(self):
        """Time of automatic over that of our best method; below 1 where automatic is the best."""
        return self.ours["whole_s"] / self.best_own["whole_s"] if self.best_own else 1.0

    @property
    def both_short(self):
        return max(self.times()) < SHORT_S

    def against(self, contender):
        """The smallest ratio against one contender, or None."""
        return min((self.ratio_of(r) for r in self.others if r["contender"] == contender), default=None)


def compare(document, backend, threads):
    """The matrices with automatic, sorted by ratio; those without a rival come last."""
    runs = {}
    for run in document["runs"]:
        if asked_of(run) == backend:
            runs.setdefault(run["matrix"], []).append(run)
    compared = [Comparison(facts, runs[facts["matrix"]], threads)
                for facts in document["matrices"] if facts["backend"] == backend]
    compared = [c for c in compared if c.ours is not None]
    return sorted(compared, key=lambda c: c.ratio if c.rival else math.inf)


def settings_of(document):
    """Pairs of backend and threads that were measured; on a GPU the threads do not matter."""
    found = {(asked_of(r), r["threads"] if asked_of(r) == "cpu" else 0)
             for r in document["runs"] if r["contender"] == OURS}
    return sorted(found)


def times_by_contender(compared):
    """{contender: [seconds or None]} for a profile, in one quantity that all contenders have."""
    names = list(dict.fromkeys([OURS] + [r["contender"] for c in compared for r in c.others]))
    whole = all("whole_s" in r for c in compared for r in c.others)
    quantity = "whole_s" if whole else "both_s"
    def time_of(c, name):
        found = c.ours if name == OURS else fastest(
            [r for r in c.others if r["contender"] == name], quantity)
        return found[quantity] if found else None
    return {name: [time_of(c, name) for c in compared] for name in names}
