# SPDX-License-Identifier: Apache-2.0
"""The speakers, and which of them are kept out of training.

A *speaker* is what must never be on both sides: the person whose recordings made a voice, or a
variant of espeak-ng's formant synthesiser. Two voices built from one person (kal of flite and
of festival, slt of flite and of festival) are one speaker.
"""

from __future__ import annotations

from dataclasses import dataclass

TRAIN = "train"
DEV = "dev"
TEST = "test"

ESPEAK = "espeak"
HUMAN = "human"
FOREIGN = "foreign"


@dataclass(frozen=True)
class Voice:
    """One voice of one engine."""

    engine: str
    """Key into `engines.ENGINES`."""
    name: str
    """The engine's own name of the voice."""
    speaker: str
    """Who speaks; splits are made by this."""
    split: str
    kind: str
    """ESPEAK (a synthetic vocal tract), HUMAN (built from a person's recordings), or FOREIGN (the
    same, of a person who speaks another language)."""
    language: str = "en"
    """What it reads; see spelling.py."""


ESPEAK_ACCENTS: tuple[str, ...] = (
    "en-us",
    "en-us",
    "en-us-nyc",
    "en-gb",
    "en-gb-x-rp",
    "en-gb-scotland",
    "en-gb-x-gbclan",
    "en-gb-x-gbcwmd",
    "en-029",
)


def _names(text: str) -> list[str]:
    return text.split()


# Development voices decide how to train; test voices are looked at for the report alone.
_ESPEAK_TEST = _names("""
    Alicia Hugo Michael adam belinda edward f3 grandma iven2 klatt4 linda m5 marcelo victor
    """)
_ESPEAK_DEV = _names("Andrea david f5 m2 paul klatt2")
_ESPEAK_TRAIN = _names("""
    Alex Andy Annie AnxiousAndy Denis Diogo Gene Gene2 Henrique Jacky Lee Marco Mario Mike Nguyen
    RicishayMax RicishayMax2 Storm Tweaky anika announcer antonio aunty benjamin boris caleb ed
    edward2 f1 f2 f4 grandpa gustave iven iven3 iven4 john kaukovalta klatt klatt3 klatt5
    klatt6 m1 m3 m4 m6 m7 m8 max michel miguel norbert pablo pedro quincy rob robert
    robosoft sandro shelby steph steph2 steph3 travis zac
    """)


def _espeak(names: list[str], split: str) -> list[Voice]:
    return [Voice("espeak", name, f"espeak-{name}", split, ESPEAK) for name in names]


VOICES: tuple[Voice, ...] = (
    *_espeak(_ESPEAK_TRAIN, TRAIN),
    *_espeak(_ESPEAK_DEV, DEV),
    *_espeak(_ESPEAK_TEST, TEST),
    Voice("flite", "kal16", "kal", TRAIN, HUMAN),
    Voice("festival", "kal_diphone", "kal", TRAIN, HUMAN),
    Voice("flite", "awb", "awb", TRAIN, HUMAN),
    Voice("flite", "slt", "slt", TRAIN, HUMAN),
    Voice("festival", "cmu_us_slt_arctic_hts", "slt", TRAIN, HUMAN),
    Voice("piper", "joe", "joe", TRAIN, HUMAN),
    Voice("festival", "lp_diphone", "lp", TRAIN, FOREIGN, "it"),
    Voice("festival", "pc_diphone", "pc", TRAIN, FOREIGN, "it"),
    Voice("festival", "suo_fi_lj_diphone", "lj", TRAIN, FOREIGN, "fi"),
    Voice("festival", "hy_fi_mv_diphone", "mv", TRAIN, FOREIGN, "fi"),
    Voice("festival", "czech_dita", "dita", TRAIN, FOREIGN, "cs"),
    Voice("festival", "czech_krb", "krb", TRAIN, FOREIGN, "cs"),
    Voice("festival", "czech_machac", "machac", TRAIN, FOREIGN, "cs"),
    Voice("festival", "czech_ph", "ph", TRAIN, FOREIGN, "cs"),
    Voice("festival", "upc_ca_ona_hts", "ona", TRAIN, FOREIGN, "ca"),
    Voice("festival", "ked_diphone", "ked", DEV, HUMAN),
    Voice("flite", "rms", "rms", TEST, HUMAN),
    Voice("hibari", "heart", "heart", TEST, HUMAN),
)


def of_split(split: str) -> list[Voice]:
    """Voices of TRAIN, DEV or TEST."""
    return [voice for voice in VOICES if voice.split == split]


def check_splits() -> None:
    """Raise ValueError if a speaker is in more than one split."""
    seen: dict[str, str] = {}
    for voice in VOICES:
        if seen.setdefault(voice.speaker, voice.split) != voice.split:
            raise ValueError(f"speaker {voice.speaker} is in {voice.split} and elsewhere")
