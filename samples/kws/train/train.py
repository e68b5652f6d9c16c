# SPDX-License-Identifier: Apache-2.0
"""Makes everything that is learned or spoken in this sample.

    python samples/kws/train/train.py

speaks the words with all voices, mixes training windows, trains DS-CNN, quantises and exports it
to model/kws.pte, writes model/REPORT.md, the clips, and the table in README.md. The README says
what must be installed. Recordings and windows are kept under --work and used again.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
SAMPLE = HERE.parent
sys.path.insert(0, str(SAMPLE.parent.parent / "scripts"))

import numpy as np  # noqa: E402
import torch  # noqa: E402

import detector_c  # noqa: E402
import frontend_c  # noqa: E402
import measure  # noqa: E402
import quantise  # noqa: E402
import report  # noqa: E402
import streams  # noqa: E402
import voices  # noqa: E402
from clips import write_clips, write_expected  # noqa: E402
from compiled import compiled_model, steps_apart  # noqa: E402
from dataset import GRID, TEST_SNR, TRAIN_SNR, Windows, make_windows  # noqa: E402
from detector_c import Detection  # noqa: E402
from fit import fit  # noqa: E402
from frontend_c import FrontEnd  # noqa: E402
from progress import progress  # noqa: E402
from recordings import Recording, Samples, record_all  # noqa: E402

CALIBRATION_WINDOWS = 300
CHECKED_WINDOWS = 100
"""On these the compiled model is compared with ExecuTorch's reference, which is slow."""


@dataclass(frozen=True)
class Workshop:
    """Where the pieces are, and how much of each is wanted."""

    work: Path
    library: Path
    train_windows: int
    test_windows: int
    streams: int
    epochs: int
    seed: int

    def recordings(self, split: str) -> list[Recording]:
        """What the voices of a split say."""
        return record_all(voices.of_split(split), self.work / "recordings")

    def windows(
        self, recordings: list[Recording], count: int, snr: tuple[float, float], seed: int
    ) -> Windows:
        """Model inputs made of recordings."""
        return make_windows(recordings, count, seed, snr=snr, library=self.library, cache=self.work)


def _arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--work",
        type=Path,
        default=SAMPLE.parent.parent / "build" / "kws-train",
        help="folder for what is kept",
    )
    parser.add_argument("--windows", type=int, default=60000, help="training windows")
    parser.add_argument("--epochs", type=int, default=14, help="passes over the training windows")
    parser.add_argument("--test-windows", type=int, default=3000, help="test windows")
    parser.add_argument("--streams", type=int, default=8, help="streams of about 40 s")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--statistics",
        action="store_true",
        help="only print the constants for frontend/make_tables.py",
    )
    parser.add_argument("--keep-network", action="store_true", help="reuse the last training")
    return parser.parse_args(arguments)


def _network(shop: Workshop, train: Windows, dev: Windows, keep: bool) -> torch.nn.Module:
    path = shop.work / "network.pt"
    if keep and path.exists():
        network: torch.nn.Module = torch.load(path, weights_only=False)
        return network
    network = fit(train, dev, shop.epochs, shop.seed)
    torch.save(network, path)
    return network


def _accuracy(model: quantise.Model, windows: Windows) -> float:
    return float(np.mean(model(windows.features).argmax(axis=1) == windows.labels))


def _hearing(
    shop: Workshop, model: quantise.Model, scale: float
) -> Callable[[Samples], list[Detection]]:
    """The application, with `model` in place of the compiled one."""
    detector = detector_c.build(shop.work / "build")
    front_end = FrontEnd(shop.library, GRID)

    def hear(samples: Samples) -> list[Detection]:
        return streams.listen(samples, model, scale, front_end, detector)

    return hear


def _listen(
    shop: Workshop, spoken: list[Recording], hear: Callable[[Samples], list[Detection]]
) -> streams.Score:
    scores = []
    for number, stream in enumerate(streams.test_streams(spoken, shop.streams, seed=4), 1):
        scores.append(streams.score(stream, hear(stream.samples)))
        progress("streams:", number, shop.streams)
    return report.rows_of(scores)


def _put_into_readme(table: str) -> None:
    path = SAMPLE / "README.md"
    mark = re.compile(r"(<!-- accuracy -->\n).*?(\n<!-- end of accuracy -->)", re.DOTALL)
    path.write_text(mark.sub(lambda found: found[1] + table + found[2], path.read_text()))


def main(arguments: list[str] | None = None) -> int:
    """Do what the command line asks for."""
    options = _arguments(arguments)
    voices.check_splits()
    shop = Workshop(
        work=options.work,
        library=frontend_c.build(options.work / "build"),
        train_windows=options.windows,
        test_windows=options.test_windows,
        streams=options.streams,
        epochs=options.epochs,
        seed=options.seed,
    )
    spoken = shop.recordings(voices.TRAIN)
    if options.statistics:
        mean, deviation = measure.cepstrum_statistics(spoken)
        print(f"CEPSTRUM_MEAN = {tuple(mean)}\nCEPSTRUM_DEVIATION = {tuple(deviation)}")
        return 0
    train = shop.windows(spoken, shop.train_windows, TRAIN_SNR, seed=1)
    dev = shop.windows(shop.recordings(voices.DEV), 1500, TEST_SNR, seed=2)
    network = _network(shop, train, dev, options.keep_network)
    _deliver(shop, network, train, dev)
    return 0


def _deliver(shop: Workshop, network: torch.nn.Module, train: Windows, dev: Windows) -> None:
    """Quantise, export, test, and write all files of the sample."""
    quantised = quantise.quantise(network, train.features[:CALIBRATION_WINDOWS])
    size = quantise.write_pte(quantised, SAMPLE / "model" / "kws.pte")
    spoken = shop.recordings(voices.TEST)
    test = shop.windows(spoken, shop.test_windows, TEST_SNR, seed=3)
    floating = quantise.float_model(network)
    integer, scale = compiled_model(SAMPLE / "model" / "kws.pte", shop.work / "build")
    reference = quantise.reference_model(quantised)
    agreement = steps_apart(integer, reference, test.features[:CHECKED_WINDOWS], scale)
    hear = _hearing(shop, integer, scale)
    write_clips(spoken, SAMPLE / "clips")
    write_expected(SAMPLE / "clips", hear)
    results = report.Results(
        test=test,
        float_scores=floating(test.features),
        int8_scores=integer(test.features),
        train_windows=len(train.labels),
        train_accuracy=_accuracy(floating, train),
        dev_accuracy=_accuracy(floating, dev),
        streams=_listen(shop, spoken, hear),
        pte_bytes=size,
        epochs=shop.epochs,
        agreement=agreement,
    )
    (SAMPLE / "model" / "REPORT.md").write_text(report.render(results))
    _put_into_readme(report.summary(results))
    print(report.summary(results))


if __name__ == "__main__":
    sys.exit(main())
