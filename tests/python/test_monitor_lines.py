# SPDX-License-Identifier: Apache-2.0
"""Lines and events out of whatever a serial port delivers."""

from __future__ import annotations

import json
import random

import pytest

from petite.monitor.events import Event, Record, Text, records
from petite.monitor.lines import Line, LineSplitter, printable


def texts(data: bytes, longest: int = 100) -> list[str]:
    splitter = LineSplitter(longest)
    return [line.text for line in splitter.feed(data) + splitter.flush()]


def from_text(text: str) -> list[Record]:
    return records(Line(text))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a\nb\n", ["a", "b"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\n\rb\r\r\n", ["a", "b"]),
        (b"1 %\r2 %\rdone\n", ["1 %", "2 %", "done"]),
        (b"\n\n\r\n", []),
        (b"no end", ["no end"]),
        (b"\x1b[1;32mgreen\x1b[0m\n", ["green"]),
        (b"\x1b]0;title\x07shell\n", ["shell"]),
        (b"\xff\x00ok\n", ["\ufffd\ufffdok"]),
        ("grün\n".encode(), ["grün"]),
        (b"a\tb\n", ["a\tb"]),
    ],
)
def test_lines(data: bytes, expected: list[str]) -> None:
    assert texts(data) == expected


def test_the_portions_of_a_stream_do_not_matter() -> None:
    rng = random.Random(1)
    for _ in range(300):
        data = bytes(rng.choice(b'ab\r\n{"\x1b[m\xc3\xbc') for _ in range(200))
        splitter = LineSplitter(20)
        lines = []
        at = 0
        while at < len(data):
            size = rng.randint(1, 40)
            lines += splitter.feed(data[at : at + size])
            at += size
        whole = LineSplitter(20)
        assert lines + splitter.flush() == whole.feed(data) + whole.flush()


def test_a_line_without_end_comes_in_pieces_and_needs_no_more_memory() -> None:
    splitter = LineSplitter(10)
    assert splitter.feed(b"x" * 25) == [Line("x" * 10, piece=True)] * 2
    assert splitter.feed(b"\nnext\n") == [Line("xxxxx", piece=True), Line("next")]
    assert splitter.feed(b"y" * 10 + b"\n") == [Line("y" * 10)]


def test_a_piece_is_never_an_event() -> None:
    assert records(Line('{"event":"x"}', piece=True)) == [Text('{"event":"x"}', damaged=True)]


@pytest.mark.parametrize("value", ["\x1b[2Jx", "\x1b]0;t\x07x", "x"])
def test_printable_removes_sequences(value: str) -> None:
    assert printable(value) == "x"


def test_printable_replaces_controls() -> None:
    assert printable("a\x1bb\x9b\u2028\ud800\n") == "a\ufffdb\ufffd\ufffd\ufffd\ufffd"


KEYWORD = (
    '{"event":"keyword","clip":"x.wav","keyword":"yes","score":97,"time_ms":960,"n":[1,{"a":0}]}'
)


def test_an_event_keeps_every_field() -> None:
    fields = json.loads(KEYWORD)
    assert fields.pop("event") == "keyword"
    assert from_text(KEYWORD) == [Event("keyword", fields)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[00:01] <inf> kws: {"event":"a"}', [Text("[00:01] <inf> kws:"), Event("a", {})]),
        ('{"event":"a"}{"event":"b"}', [Event("a", {}), Event("b", {})]),
        ('{"event":"a"} tail', [Event("a", {}), Text(" tail")]),
        ('  { "event" : "a" }  ', [Event("a", {})]),
        ('{"x":{"event":"inner"},"event":"a"}', [Event("a", {"x": {"event": "inner"}})]),
        # Cut by a reset, and the next event behind it.
        ('{"event":"infe{"event":"boot"}', [Text('{"event":"infe', True), Event("boot", {})]),
        ('{"event":"infe*** Booting', [Text('{"event":"infe*** Booting', True)]),
        # The rest of an object is no event of its own.
        ('{"event":"s","l":{"event":"k"}', [Text('{"event":"s","l":{"event":"k"}', True)]),
        ('{"event":"s","l": {"event":"k"}', [Text('{"event":"s","l": {"event":"k"}', True)]),
        ('{"event":1}', [Text('{"event":1}', True)]),
        ('{"name":"a"}', [Text('{"name":"a"}')]),
        ("{", [Text("{")]),
        ("[1]", [Text("[1]")]),
        ("plain {text}", [Text("plain {text}")]),
        ('{"event":"a","n":' + "9" * 6000 + "}", None),
        ('{"event":"a","n":' + "[" * 9000, None),
        ('{"a":' * 3000, None),
        ('{"' * 8000, None),
    ],
)
def test_events_and_text(text: str, expected: list[Record] | None) -> None:
    if expected is None:  # hostile: it is text, and quickly so
        (found,) = from_text(text)
        assert isinstance(found, Text) and found.text == text
    else:
        assert from_text(text) == expected


def test_any_cut_of_an_event_is_text_or_nothing() -> None:
    for length in range(len(KEYWORD)):
        assert not any(isinstance(r, Event) for r in from_text(KEYWORD[:length])), length


def test_every_event_survives_noise_before_it() -> None:
    rng = random.Random(2)
    for _ in range(300):
        noise = bytes(rng.randrange(256) for _ in range(rng.randrange(30)))
        noise = noise.replace(b"{", b"").replace(b'"', b"")
        splitter = LineSplitter()
        found = [
            r for line in splitter.feed(noise + b'{"event":"a","n":1}\r\n') for r in records(line)
        ]
        assert found[-1] == Event("a", {"n": 1}), noise
