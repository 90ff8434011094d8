"""Logs of programs that translate: outputs and references out of one file."""

from __future__ import annotations

import json
import re

import pytest

import mtsig_nb as mt

from ..messages import naming

REFERENCE = ["The cat sleeps.", "It purrs.", "The dog barks."]
OUTPUTS = ["The cat sleeps.", "It purrs loudly.", "A dog barks."]


def simuleval(outputs: list[str], references: list[str] | None, order=(0, 1, 2)) -> str:
    records = []
    for index in order:
        record = {"index": index, "prediction": outputs[index], "delays": [1.0], "source": ["x"]}
        if references is not None:
            record["reference"] = references[index]
        records.append(json.dumps(record))
    return "\n".join(records) + "\n"


def fairseq(kinds: str = "STHDP", order=(2, 0, 1)) -> str:
    lines = ["2024-03-01 | INFO | fairseq.tasks | [de] dictionary: 8848 types"]
    made = {
        "S": "S-{i}\tQuelle {i}",
        "T": "T-{i}\t{reference}",
        "H": "H-{i}\t-0.25\t{output} @-@ tokens",
        "D": "D-{i}\t-0.25\t{output}",
        "P": "P-{i}\t-0.1 -0.4",
    }
    for i in order:
        lines += [
            made[kind].format(i=i, reference=REFERENCE[i], output=OUTPUTS[i]) for kind in kinds
        ]
    return "\n".join([*lines, "Generate test with beam=5: BLEU4 = 27.1"]) + "\n"


@pytest.fixture
def write(tmp_path):
    def write(name: str, content: str):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")
        return path

    return write


def error_of(**given) -> str:
    with pytest.raises(mt.InputError) as caught:
        mt.read_test_set(**given)
    return str(caught.value)


def test_logs_of_simultaneous_translation_are_called_after_their_folders(write):
    wait3 = write("wait3/instances.log", simuleval(OUTPUTS, REFERENCE, order=(2, 0, 1)))
    wait5 = write("wait5/instances.log", simuleval(REFERENCE, REFERENCE))
    found = mt.read_test_set(reference=wait3, systems=[wait3, wait5])
    assert found.hypotheses == {"wait3": tuple(OUTPUTS), "wait5": tuple(REFERENCE)}
    assert found.references == (tuple(REFERENCE),)
    plain = write("ref.txt", "\n".join(REFERENCE))
    assert mt.read_test_set(reference=plain, systems=[wait3, wait5]).systems == ("wait3", "wait5")
    folder = mt.read_test_set(reference=plain, systems=[wait3.parent, wait5.parent])
    assert folder.systems == ("wait3", "wait5")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (simuleval(OUTPUTS, None), "'instances.log' has no reference. It holds system 'wait3'."),
        (simuleval(OUTPUTS, REFERENCE, (0, 1, 1)), "'instances.log', line 3: index 1 occurs twice"),
        (simuleval(OUTPUTS, REFERENCE) + "[]\n", "'instances.log', line 4 is not an object."),
        (simuleval(OUTPUTS, REFERENCE) + "{}\n", "'instances.log', line 4 lacks 'index' or 'predi"),
        (simuleval(OUTPUTS, REFERENCE) + "{\n", "'instances.log', line 4 is not JSON"),
    ],
)  # fmt: skip
def test_error_in_a_log_of_simuleval(write, content, message):
    log = write("wait3/instances.log", content)
    assert error_of(reference=log, systems=log).startswith(message)


def test_a_log_that_was_cut_off_lacks_segments(write):
    whole = write("wait3/instances.log", simuleval(OUTPUTS, REFERENCE))
    short = write("wait5/instances.log", simuleval(OUTPUTS, REFERENCE, (0, 1)))
    said = error_of(reference=whole, systems=[whole, short])
    assert re.search(naming("'wait5' in 'instances.log'", "segment '2'", "reference"), said)


def test_logs_of_fairseq_are_sorted_by_sentence(write):
    log = write("generate-test.txt", fairseq())
    found = mt.read_test_set(reference=log)
    assert found.hypotheses == {"generate-test": tuple(OUTPUTS)}
    assert found.references == (tuple(REFERENCE),)
    assert found.source == ("Quelle 0", "Quelle 1", "Quelle 2")
    tokens = mt.read_test_set(reference=log, systems=write("b.out", fairseq("STHP")))
    assert tokens.hypotheses["b.out"][0] == "The cat sleeps. @-@ tokens"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (fairseq(order=(0, 1, 1)), "'g.txt', line 12: sentence 1 has more than one line S-1."),
        (fairseq() + "S-7\tQuelle\n", "'g.txt': sentence 7 has no output or no source. The log"),
        (fairseq("SHP"), "'g.txt' has no reference. It holds system 'g', source."),
    ],
)
def test_error_in_a_log_of_fairseq(write, content, message):
    log = write("g.txt", content)
    assert error_of(reference=log, systems=log).startswith(message)
