"""The interpreter lock, signals, threads and forks."""

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import UNDER_SANITIZER, sparse_counts

import hsvm
from hsvm import HuberizedSVC, HuberizedSVCCV

SLOWLY = 10 if UNDER_SANITIZER else 1


@pytest.fixture(autouse=True, scope="module")
def ctrl_c_arrives():
    """A run in the background may have been started with Ctrl-C ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before or signal.SIG_DFL)


@pytest.fixture(scope="module")
def long_fit():
    """A fit that takes many seconds: the paper's first-order method to a tiny gap."""
    data = hsvm.generate(400, 3000, seed=1)
    model = HuberizedSVC(solver="pg", lambda1_ratio=1e-4, lambda2=1e-9, tol=1e-15, max_iter=10**8)
    return model, data.data, data.target


def interrupt_after(seconds, sent):
    def send():
        time.sleep(seconds)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=send).start()


@pytest.mark.parametrize("kind", ["fit", "cv", "path"])
def test_ctrl_c_stops_within_a_tenth_of_a_second(long_fit, kind):
    model, X, y = long_fit
    slow = {"solver": "pg", "tol": 1e-15, "lambda2": 1e-9, "max_iter": 10**8}
    work = {
        "fit": lambda: model.fit(X, y),
        "cv": lambda: HuberizedSVCCV(**slow).fit(X, y),
        "path": lambda: hsvm.hsvm_path(X, y, **slow),
    }[kind]
    sent = []
    interrupt_after(0.4, sent)
    with pytest.raises(KeyboardInterrupt):
        work()
    assert time.monotonic() - sent[0] < 0.1 * SLOWLY
    again = HuberizedSVC().fit(X[:, :50], y)  # all is well
    assert again.status_ == "converged"


def test_other_signals_are_handled_during_a_fit(long_fit):
    model, X, y = long_fit
    seen = []

    def alarm(*_):
        seen.append(time.monotonic())
        if len(seen) == 3:
            raise TimeoutError("enough")

    before = signal.signal(signal.SIGALRM, alarm)
    signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
    try:
        with pytest.raises(TimeoutError, match="enough"):
            model.fit(X, y)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_the_interpreter_lock_is_released(long_fit):
    model, X, y = long_fit
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    model.set_params(max_iter=200)
    with pytest.warns(UserWarning):
        began = time.monotonic()
        model.fit(X, y)
        ended = time.monotonic()
    model.set_params(max_iter=10**8)
    done.set()
    thread.join()
    during = [t for t in ticks if began < t < ended]
    assert len(during) >= 0.2 * (ended - began) / 0.005


def test_fits_in_threads_are_those_alone(binary, four_classes):
    expected = [HuberizedSVCCV(lambda2=0.1, nlambda=20).fit(*data) for data in (binary, four_classes)]
    wrong = []

    def work(k):
        for _ in range(3):
            X, y = (binary, four_classes)[k % 2]
            model = HuberizedSVCCV(lambda2=0.1, nlambda=20).fit(X, y)
            if not np.array_equal(model.coef_, expected[k % 2].coef_):
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert binary[0].flags.writeable


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_arrays_cannot_be_changed_under_a_fit(kind):
    X, y = sparse_counts(400, 300)
    data = np.asfortranarray(X) if kind == "dense" else sp.csc_matrix(X)
    model = HuberizedSVC(solver="pg", lambda1_ratio=1e-3, lambda2=1e-8, tol=1e-15, max_iter=3000)
    with pytest.warns(UserWarning):
        expected = model.fit(data, y).coef_
    written, errors, done = [], [], threading.Event()

    def spoil():
        while not done.is_set():
            try:
                if kind == "dense":
                    data[:] = data
                else:
                    data.indices[:] = data.indices
                written.append(1)
            except ValueError as error:
                errors.append(str(error))
            time.sleep(0.0005)

    thread = threading.Thread(target=spoil)
    thread.start()
    with pytest.warns(UserWarning):
        model.fit(data, y)
    done.set()
    thread.join()
    assert any("read-only" in error for error in errors)
    assert np.array_equal(model.coef_, expected)


def fit_in_child(queue, X, y):
    queue.put(HuberizedSVCCV(lambda2=0.1, nlambda=20).fit(X, y).coef_)


@pytest.mark.skipif(UNDER_SANITIZER, reason="a sanitizer does not promise to survive the fork of a process with threads")
def test_fork_is_safe(binary):
    X, y = binary
    expected = HuberizedSVCCV(lambda2=0.1, nlambda=20, n_jobs=2).fit(X, y).coef_  # threads are up before the fork
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    children = [context.Process(target=fit_in_child, args=(queue, X, y)) for _ in range(2)]
    for child in children:
        child.start()
    for _ in children:
        assert np.array_equal(queue.get(timeout=60), expected)
    for child in children:
        child.join(timeout=60)
        assert child.exitcode == 0


@pytest.mark.skipif(UNDER_SANITIZER, reason="a sanitizer takes its own time")
def test_leaving_in_the_middle_of_a_fit_ends_well():
    code = """
        import os, signal, threading, time
        import hsvm
        data = hsvm.generate(2000, 5000)
        model = hsvm.HuberizedSVC(solver="pg", lambda1_ratio=1e-4, lambda2=1e-9, tol=1e-15, max_iter=10**8)
        threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            model.fit(data.data, data.target)
        except KeyboardInterrupt:
            print("interrupted")
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and done.stdout == "interrupted\n" and done.stderr == ""
