"""What bench/run-ranks and bench/scale_model share: data in build/ranks, and fits over so many ranks."""

import json
import os
import pathlib
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("HSVM_BUILD", ROOT / "build"))
FOLDER = BUILD / "ranks"
ENVIRONMENT = {
    **os.environ,
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
}
MPIRUN = os.environ.get("HSVM_MPIRUN", "mpirun")


def make(*words):
    """The file that `ranks_data` writes for these words, made once."""
    FOLDER.mkdir(exist_ok=True)
    ending = ".npy" if words[0] == "dense" else ".libsvm"
    file = FOLDER / ("-".join(words) + ending)
    if not file.exists():
        subprocess.run([BUILD / "bench" / "ranks_data", *words, file], check=True)
    return file


def over(n_ranks, command):
    """The command as one process, or as so many of mpirun, each bound to a core."""
    if n_ranks == 1:
        return [str(word) for word in command]
    binding = ["--bind-to", "core"] if n_ranks <= (os.cpu_count() or 1) else ["--bind-to", "none"]
    return [MPIRUN, "-n", str(n_ranks), *binding, *[str(word) for word in command]]


def fit(file, n_ranks, *flags, verb="fit"):
    """The report of a fit with one thread a rank, and with "wall": the seconds of the whole command."""
    command = over(n_ranks, [BUILD / "hsvm", verb, file, "--json", "--threads", "1", *flags])
    began = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT)
    if done.returncode not in (0, 3):  # 3: a limit was reached
        raise RuntimeError(f"{' '.join(command)}: {done.stderr}")
    return {**json.loads(done.stdout), "wall": time.perf_counter() - began}


def refereed_gap(file, n_ranks):
    """The relative gap of the model of so many ranks, as one process finds it before it takes a step."""
    model = FOLDER / "model.json"
    lambda1 = fit(file, n_ranks, "-m", model)["lambda1"]
    command = [BUILD / "hsvm", "fit", file, "--json", "--start", model, "--lambda1", repr(lambda1), "--time-limit", "1e-9"]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=ENVIRONMENT)
    report = json.loads(done.stdout)
    assert report["iterations"] == 0, report
    return report["relative_gap"]


def best_fit(file, n_ranks, *flags, rounds=3, verb="fit"):
    """The fastest of several."""
    return min((fit(file, n_ranks, *flags, verb=verb) for _ in range(rounds)), key=lambda report: report["seconds"])
