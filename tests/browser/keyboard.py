"""What of a page can be reached and seen by who has a keyboard and no mouse."""

from __future__ import annotations

import dataclasses

from playwright.sync_api import Page

#: More stops than any of our pages has.
MOST_STOPS = 1500
MOST_ENDS = 3
#: Numbers every control that is in view, and what a mouse would press although it is no control.
#: Of radio buttons, tabs and the bars of a hill one is a stop; arrows lead to the others.
NUMBER_THEM = """scope => {
  const controls = "a[href], button, input, select, textarea, summary, [role=button], [role=tab], "
    + "[role=slider], [role=checkbox], [contenteditable=true]";
  const inView = (element) => element.checkVisibility({ visibilityProperty: true })
    && element.getClientRects().length > 0 && !element.closest("[aria-hidden=true], [inert]");
  const groupOf = (element) => {
    if (element.type === "radio") return `radio ${element.name}`;
    const group = element.closest("[role=tablist], [role=toolbar], [role=radiogroup], svg");
    if (!group || element.tabIndex >= 0 && element.tagName === "A") return null;
    group.dataset.walkGroup ??= String(Math.random());
    return group.dataset.walkGroup;
  };
  const place = document.querySelector(scope);
  const described = (element) => {
    const name = element.getAttribute("aria-label") ?? element.textContent;
    const kind = `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""}`;
    return `${kind} "${name.trim().slice(0, 50)}"`;
  };
  const found = [];
  for (const element of place.querySelectorAll("*")) {
    if (!inView(element)) continue;
    const isControl = element.matches(controls);
    const isPressed = getComputedStyle(element).cursor === "pointer"
      && getComputedStyle(element.parentElement).cursor !== "pointer"
      && !element.closest(`${controls}, label`) && !element.querySelector(controls);
    if (!isControl && !isPressed) continue;
    if (element.disabled) continue;
    element.dataset.walk = found.length;
    found.push({ what: described(element), group: groupOf(element), isControl });
  }
  return found;
}"""
#: What tells that an element has the focus: of itself, and of what is around it.
LOOKS = """() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const looks = (one) => {
    const style = getComputedStyle(one);
    return [style.outlineStyle === "none" ? "" : `${style.outlineStyle} ${style.outlineWidth}`,
      style.boxShadow, style.borderColor, style.backgroundColor, style.textDecorationLine].join();
  };
  const around = [element, element.parentElement, element.querySelector("*")].filter(Boolean);
  const focused = around.map(looks).join();
  element.blur();
  const blurred = around.map(looks).join();
  element.focus({ preventScroll: true, focusVisible: true });
  return { number: element.dataset.walk ?? null, isSeen: focused !== blurred };
}"""

#: The name of what has the focus, if anything has.
NAME = """() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  return (element.getAttribute("aria-label") ?? element.textContent).trim();
}"""


@dataclasses.dataclass(frozen=True)
class Walk:
    """Where Tab leads on a page.

    Attributes
    ----------
    reached : int
        How many controls it leads to.
    not_reached : list of str
        Controls that neither Tab nor, from one of their group, an arrow can lead to.
    not_seen : list of str
        Controls that look the same with and without the focus.
    """

    reached: int
    not_reached: list[str]
    not_seen: list[str]


def walk(page: Page, within: str = "body") -> Walk:
    """Go through everything in view with Tab; `within` is a selector."""
    found = page.evaluate(NUMBER_THEM, within)
    page.evaluate("document.activeElement.blur()")
    reached: set[int] = set()
    not_seen = []
    n_ends = 0  # Tab leads from the last control to the browser's own, and on to the first
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        stop = page.evaluate(LOOKS)
        if stop is None:
            n_ends += 1
            if n_ends > MOST_ENDS:
                break
            continue
        if stop["number"] is None:
            continue
        number = int(stop["number"])
        if number in reached:
            break
        reached.add(number)
        if not stop["isSeen"]:
            not_seen.append(found[number]["what"])
    groups = {found[number]["group"] for number in reached} - {None}
    not_reached = [
        control["what"]
        for number, control in enumerate(found)
        if number not in reached and control["group"] not in groups
    ]
    return Walk(len(reached), not_reached, not_seen)


def assert_all_is_reached(page: Page, within: str = "body", at_least: int = 1) -> None:
    """Tab leads to all controls in view, some number of them at least, and each shows it."""
    found = walk(page, within)
    assert found.not_reached == [], found
    assert found.not_seen == [], found
    assert found.reached >= at_least, found


def tab_to(page: Page, name: str) -> None:
    """Press Tab until the control is reached whose name or text begins with `name`."""
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        reached = page.evaluate(NAME)
        if reached is not None and reached.startswith(name):
            return
    raise AssertionError(f"Tab does not lead to {name!r}")
