"""A progress bar for verbose fits: tqdm's where it is installed."""

from __future__ import annotations

from contextlib import contextmanager


@contextmanager
def progress(verbose, title: str):
    """Gives what _core calls with (done, total, words) on the way; None where nobody looks."""
    if not verbose:
        yield None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:

        def tell(done: float, total: float, words: str) -> None:
            print(f"{title}: {done:.0f}{f'/{total:.0f}' if total else ''} {words}", flush=True)

        yield tell
        return
    with tqdm(desc=title) as bar:

        def show(done: float, total: float, words: str) -> None:
            bar.total = int(total) or None
            bar.n = int(done)
            bar.set_postfix_str(words)

        yield show
        if bar.total:
            bar.n = bar.total
            bar.refresh()
