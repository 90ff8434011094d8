"""JUnit's XML, which services for continuous integration read."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from xml.etree import ElementTree

#: What XML cannot hold, however it is written.
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Case:
    """A test case.

    Attributes
    ----------
    classname, name : str
    output : str
        What is to be said of it.
    failure : str
        The type of the failure; empty if it passes.
    """

    classname: str
    name: str
    output: str
    failure: str = ""


def junit_xml(
    suite: str, cases: Sequence[Case], *, properties: Mapping[str, str], output: str = ""
) -> str:
    """A test suite as a document.

    Parameters
    ----------
    suite : str
        Its name.
    cases : sequence of Case
    properties : mapping of str to str
    output : str
        What is to be said of all cases.

    Returns
    -------
    str
        Characters that XML cannot hold are replaced.

    Examples
    --------
    >>> case = Case(classname="BLEU", name="new against old", output="worse", failure="worse")
    >>> print(junit_xml("gate", [case], properties={"verdict": "worse"}), end="")
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites>
      <testsuite name="gate" tests="1" failures="1" errors="0" skipped="0">
        <properties>
          <property name="verdict" value="worse" />
        </properties>
        <testcase classname="BLEU" name="new against old">
          <failure type="worse" message="worse" />
        </testcase>
      </testsuite>
    </testsuites>
    """
    root = ElementTree.Element("testsuites")
    failures = [case for case in cases if case.failure]
    counts = {
        "name": suite,
        "tests": str(len(cases)),
        "failures": str(len(failures)),
        "errors": "0",
        "skipped": "0",
    }
    of_suite = _below(root, "testsuite", **counts)
    of_properties = _below(of_suite, "properties")
    for name, value in properties.items():
        _below(of_properties, "property", name=name, value=value)
    for case in cases:
        element = _below(of_suite, "testcase", classname=case.classname, name=case.name)
        if case.failure:
            _below(element, "failure", type=case.failure, message=case.output)
        else:
            _below(element, "system-out").text = _writable(case.output)
    if output:
        _below(of_suite, "system-out").text = _writable(output)
    ElementTree.indent(root)
    written = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{written}\n'


def _below(parent: ElementTree.Element, tag: str, **attributes: str) -> ElementTree.Element:
    """A new element within another."""
    written = {name: _writable(value) for name, value in attributes.items()}
    return ElementTree.SubElement(parent, tag, written)


def _writable(text: str) -> str:
    """Text without what XML cannot hold."""
    return _NOT_IN_XML.sub("\ufffd", text)
