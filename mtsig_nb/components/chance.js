// The chance machine: resampling tests of one pair, done in the page by whoever presses its buttons.
//
// The tosses are the package's own (draws.js).  What is on the page's thread takes no more than a
// few milliseconds at a time.

import { BLOCK, Coins, Pair } from "./draws.js";

const AT_ONCE_MS = 12;
const SHOWN_EVERY_MS = 90;
const MOST_SQUARES = 120;

/** What each test compares with the line, and in which tails. */
const TESTS = {
  "approximate-randomization": { values: (all) => all, sides: [-1, 1] },
  bootstrap: { values: (all) => all.map(less(mean(all))), sides: [-1, 1] },
  "paired-bootstrap": { values: (all) => all, sides: [-1], atZero: true },
  "riezler-maxwell-bootstrap": {
    values(all) {
      const sizes = all.map(Math.abs);
      return sizes.map(less(mean(sizes)));
    },
    sides: [1],
  },
  "westfall-young": { values: (all, { luckiest }) => luckiest.subarray(0, all.length), sides: [1] },
};

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const less = (amount) => (value) => value - amount;

/** How many values reach the line, and p. */
function counted(pair, test, line) {
  const { values, sides, atZero } = TESTS[test];
  const made = pair.differences.subarray(0, pair.made);
  const shown = pair.made ? values(made, pair) : made;
  const reach = (value) =>
    atZero
      ? -Math.sign(line) * value >= -pair.tolerance
      : sides.some((side) => side * value >= Math.abs(line) - pair.tolerance);
  const count = shown.filter(reach).length;
  return { shown, reach, count, p: Math.min(1, (count + 1) / (shown.length + 1)) };
}

const STYLE = `
.mtsig-chance { font: 15px/1.45 system-ui, sans-serif; max-width: 720px; color: #222; background: #fff;
  border: 1px solid #c8ccd2; border-radius: 8px; padding: 12px 16px; margin: 8px 0; }
.mtsig-chance .row { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; margin: 8px 0; }
.mtsig-chance .row > *, .mtsig-chance label, .mtsig-chance select { min-width: 0; max-width: 100%; }
.mtsig-chance button, .mtsig-chance select { font: inherit; padding: 4px 10px; border: 1px solid #7a828e;
  border-radius: 6px; background: #f4f6f8; color: inherit; cursor: pointer; }
.mtsig-chance button:disabled { opacity: .45; cursor: default; }
.mtsig-chance :focus-visible { outline: 3px solid #0072b2; outline-offset: 1px; }
.mtsig-chance .squares { display: flex; flex-wrap: wrap; gap: 2px; }
.mtsig-chance .squares i { width: 13px; height: 13px; border-radius: 3px; font: 10px/13px system-ui;
  text-align: center; color: #fff; background: #0072b2; print-color-adjust: exact; }
.mtsig-chance .squares i.other { background: #e69f00; border-radius: 50%; }
.mtsig-chance .squares i.none { background: #dfe3e8; }
.mtsig-chance .key { font-size: 13px; color: #4a5260; }
.mtsig-chance svg { width: 100%; max-width: 680px; height: auto; display: block; touch-action: pan-y; }
.mtsig-chance .bar { fill: #b8c0ca; } .mtsig-chance .beyond { fill: #d55e00; }
.mtsig-chance .whole { fill: transparent; } .mtsig-chance .pile { cursor: pointer; }
.mtsig-chance .pile:hover .whole { fill: #eef1f4; }
.mtsig-chance .open { fill: none; stroke: #0072b2; stroke-width: 2; pointer-events: none; }
.mtsig-chance .resample p { font-size: 13px; margin: 2px 0 8px 1.2em; }
.mtsig-chance [hidden] { display: none; }
.mtsig-chance .line { stroke: #222; stroke-width: 2; } .mtsig-chance .mirror { stroke-dasharray: 5 4; }
.mtsig-chance .grip { cursor: ew-resize; fill: #222; stroke: transparent; stroke-width: 18; pointer-events: all; }
.mtsig-chance text { font: 12px system-ui, sans-serif; fill: #333; }
.mtsig-chance .said { min-height: 3em; margin: 6px 0 0; }
`;

const WIDEST = 680;
const HEIGHT = 230;
const FLOOR = 196;
const BINS = 61;

const svg = (name, attributes = {}, text = "") => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.textContent = text;
  return node;
};

export const html = (name, attributes = {}, ...inside) => {
  const node = document.createElement(name);
  Object.assign(node, attributes);
  node.append(...inside);
  return node;
};

/** Round values on an axis, some five of them, none at its very ends. */
function ticks(from, to) {
  const rough = (to - from) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((times) => power * times >= rough);
  const places = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const found = [];
  for (let n = Math.ceil((from + 0.2 * step) / step); n * step < to - 0.2 * step; n++) {
    found.push([n * step, n === 0 ? "0" : signed(n * step, places)]);
  }
  return found;
}

const signed = (value, digits) => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(digits);
/** A quantile of sorted values, between two of them in proportion, as NumPy has it. */
function quantile(sorted, share) {
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)];
  return below + (sorted[Math.ceil(place)] - below) * (place % 1);
}

/** Rising whole numbers, with a dash for what lies between the ends of a run: 1–3, 7. */
function runs(numbers) {
  const found = [];
  for (const number of numbers) {
    const run = found.at(-1);
    if (run && run[1] === number - 1) run[1] = number;
    else found.push([number, number]);
  }
  return found.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(", ");
}

/** Call a function as soon as the page has seen to its reader; timers and frames would wait longer. */
function soon(callback) {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    callback();
  };
  port2.postMessage(null);
}

const grouped = (value) => value.toLocaleString("en");

/** A machine for `data`, put into `element`, whose contents it replaces. */
export function chance(element, data) {
  const pairs = data.views.map((view) => new Pair(view));
  let pair = pairs[0];
  let test = pair.tests[0];
  let line = pair.observed;
  let flipped = 0;
  let going = 0;
  // The resample that is shown: its place among the numbers of those in the same bar.
  let opened = null;
  let current = null;
  let draggedAt = -Infinity;
  let width = WIDEST;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;

  const squares = html("div", { className: "squares", ariaHidden: "true" });
  const key = html("p", { className: "key" });
  const said = html("p", { className: "said" });
  said.setAttribute("role", "status");
  said.setAttribute("aria-live", "polite");
  const hint = html("p", { className: "key" });
  const picture = svg("svg", { role: "group" });
  const choices = html("div", { className: "row" });
  const buttons = html("div", { className: "row" });
  const units = html("div");
  const panel = html("div", { className: "resample", hidden: true });
  const machine = html(
    "div",
    { className: "mtsig-chance" },
    choices,
    squares,
    key,
    buttons,
    picture,
    hint,
    said,
    panel,
  );
  element.replaceChildren(html("style", {}, STYLE), machine);
  const previous = html("button", { type: "button", onclick: () => turn(-1) });
  const next = html("button", { type: "button", onclick: () => turn(1) });
  const returning = html("button", { type: "button", onclick: () => back() }, "Back to the hill");
  panel.append(html("div", { className: "row" }, previous, next, returning), units);

  const button = (text, press) => {
    const made = html("button", { type: "button" }, text);
    made.addEventListener("click", press);
    buttons.append(made);
    return made;
  };
  const one = button("", () => {
    const unit = flipped % Math.min(pair.n_units, MOST_SQUARES);
    close();
    // What a hand tosses is practice: only whole rows are counted, and these are the package's.
    if (flipped === 0) pair.row = Coins.all(pair.n_units);
    const isKept = Math.random() < 0.5;
    Coins.put(pair.row, unit, isKept);
    flipped += 1;
    drawSquares(pair.row);
    said.textContent =
      `${isKept ? "Tails: nothing changes." : "Heads: the two are exchanged."} ` +
      `The difference is now ${signed(pair.differenceOf(pair.row), data.digits)}.`;
  });
  const steps = [1, 10, 1000, Infinity].map((times) =>
    button("", () => go(Math.min(times, pair.left))),
  );
  const again = button("Start again", () => {
    going += 1;
    restart();
  });

  const select = (label, options, choose) => {
    const made = html("select", {}, ...options.map((text, n) => html("option", { value: n }, text)));
    made.addEventListener("change", () => choose(Number(made.value)));
    choices.append(html("label", {}, `${label} `, made));
    return made;
  };
  if (pairs.length > 1) {
    select("What is drawn:", pairs.map((each) => each.title), (n) => {
      going += 1;
      pair = pairs[n];
      offerTests();
      restart();
    });
  }
  const tests = html("span");
  choices.append(tests);

  const nounFor = (number) => `${pair.noun}${number === 1 ? "" : "s"}`;
  const counting = (number) => `${grouped(number)} ${nounFor(number)}`;

  function offerTests() {
    tests.replaceChildren();
    test = pair.tests[0];
    if (pair.tests.length === 1) return;
    const made = html(
      "select",
      {},
      ...pair.tests.map((name) => html("option", { value: name }, data.titles[name])),
    );
    made.addEventListener("change", () => {
      test = made.value;
      close();
      drawSquares(pair.row);
      draw();
    });
    tests.append(html("label", {}, "What is counted: ", made));
  }

  function restart() {
    close();
    pair.restart();
    line = pair.observed;
    flipped = 0;
    const verb = pair.kind === "shuffle" ? "Toss" : "Draw";
    one.textContent = `Toss for one ${pair.unit}`;
    one.hidden = pair.kind !== "shuffle";
    const all = pair.blocks.length * BLOCK;
    [`${verb} for all ${pair.units}`, "10 times", "1,000 times", `All ${grouped(all)}`].forEach(
      (text, n) => {
        steps[n].textContent = text;
      },
    );
    if (pair.kind !== "shuffle") steps[0].textContent = `Draw ${grouped(pair.n_units)} ${pair.units}`;
    drawSquares(pair.row);
    draw();
  }

  /** Make so many resamples, a few milliseconds at a time, and show them as they come. */
  function go(times) {
    close();
    flipped = 0;
    going += 1;
    const mine = going;
    const end = pair.made + times;
    let shownAt = -Infinity;
    const step = () => {
      if (mine !== going || !element.isConnected) return;
      const until = performance.now() + AT_ONCE_MS;
      while (pair.made < end && performance.now() < until) pair.toss();
      const isDone = pair.made === end;
      if (isDone || performance.now() > shownAt + SHOWN_EVERY_MS) {
        drawSquares(pair.row);
        draw();
        if (!isDone) said.append(" (Not finished yet.)");
        shownAt = performance.now();
      }
      if (!isDone) soon(step);
      else if (times === 1) {
        const value = counted(pair, test, line).shown.at(-1);
        said.prepend(`This ${pair.noun}: ${signed(value, data.digits)}. `);
        if (!calm) drop(value);
      }
    };
    step();
  }

  function drawSquares(row) {
    const shown = Math.min(pair.n_units, MOST_SQUARES);
    const marks = [];
    for (let unit = 0; unit < shown; unit++) {
      const times = pair.times(row, unit);
      const mark = html("i");
      if (pair.kind === "shuffle") mark.className = times ? "" : "other";
      else {
        mark.className = times ? "" : "none";
        mark.textContent = times > 1 ? times : "";
      }
      marks.push(mark);
    }
    squares.replaceChildren(...marks);
    const some =
      shown < pair.n_units
        ? `The first ${shown} of ${grouped(pair.n_units)} ${pair.units}`
        : `All ${shown} ${pair.units}`;
    key.textContent =
      pair.kind === "shuffle"
        ? `${some}. Blue square: as it was. Orange dot: the two are exchanged.`
        : `${some}. Grey: not drawn. Blue: drawn once, or as often as the number says.`;
  }

  // The axis holds the observed difference and what luck does; it does not move while tosses come.
  let reachOfAxis = 1;
  const at = (value) => width / 2 + ((value - middle()) / reachOfAxis) * (width / 2 - 14);
  const middle = () => (test === "paired-bootstrap" ? pair.observed : 0);
  const binOf = (value) =>
    Math.max(0, Math.min(BINS - 1, Math.floor(((at(value) - 14) / (width - 28)) * BINS)));
  const valueAt = (x) => middle() + ((x - width / 2) / (width / 2 - 14)) * reachOfAxis;

  const placeOf = (value) => Math.round(10 * at(value));
  // Where a few units make few differences, each has a bar at its own place.
  let areFew = false;
  /** The number of the bar that has a value: a bin, or a tenth of the picture's unit of length. */
  const barOf = (value) => (areFew ? placeOf(value) : binOf(value));
  const wide = () => (width - 28) / BINS;
  /** The middle of a bar, from the left. */
  const centreOf = (bar) => (areFew ? bar / 10 : 14 + (bar + 0.5) * wide());

  /** Where a bar stands, in words. */
  function rangeOf(bar, values) {
    const spread = (2 * reachOfAxis) / BINS;
    const digits = Math.max(data.digits, Math.ceil(-Math.log10(spread)));
    const ends = areFew
      ? [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))]
      : [0, 1].map((side) => valueAt(14 + (bar + side) * wide()));
    const [from, to] = ends.map((value) => signed(value, digits));
    if (from === to) return `at ${from}`;
    if (!areFew && bar === 0) return `up to ${to}`;
    if (!areFew && bar === BINS - 1) return `from ${from}`;
    return `from ${from} to ${to}`;
  }

  /** The bars of the hill, from the left: what each has within the line and beyond it. */
  function barsOf(shown, reach) {
    const bars = new Map();
    for (const value of shown) {
      const bar = barOf(value);
      if (!bars.has(bar)) bars.set(bar, { bar, within: 0, beyond: 0 });
      bars.get(bar)[reach(value) ? "beyond" : "within"] += 1;
    }
    return [...bars.values()].sort((one, other) => one.bar - other.bar);
  }

  /** A bar as a button: it is as high as the picture, so that a low one can be hit, too. */
  function barButton({ bar, within, beyond }, most, shown) {
    const x = centreOf(bar) - wide() / 2;
    const number = within + beyond;
    const values = areFew ? shown.filter((value) => barOf(value) === bar) : [];
    const label =
      `bar ${rangeOf(bar, values)}, ${counting(number)}` +
      (beyond ? `, ${beyond === number ? "all" : grouped(beyond)} beyond the line` : "");
    const made = svg("g", { class: "pile", role: "button", tabindex: -1, "aria-label": label, "data-bar": bar });
    const tall = (count) => (count / most) * (FLOOR - 30);
    const add = (name, count, above) => {
      if (count === 0) return;
      const y = FLOOR - tall(count + above);
      made.append(svg("rect", { class: name, x: x + 0.5, y, width: wide() - 1, height: tall(count) }));
    };
    made.append(svg("rect", { class: "whole", x, y: 26, width: wide(), height: FLOOR - 26 }));
    add("bar", within, 0);
    add("beyond", beyond, within);
    return made;
  }

  function draw() {
    const { shown, reach, count, p } = counted(pair, test, line);
    const { sides, atZero } = TESTS[test];
    // Hills of the same quantity are drawn to the same scale.
    const alike = pairs.filter((each) => each.axis === pair.axis);
    reachOfAxis = Math.max(...alike.flatMap((each) => [1.25 * Math.abs(each.observed), each.reach]));
    hint.textContent = [
      atZero ? "" : "Drag the black dot, or use the arrow keys, to move the line.",
      !atZero && sides.length > 1 ? "The dashed line is its mirror image." : "",
      shown.length ? `Click a bar, or press Enter on it, to see a ${pair.noun} that is in it.` : "",
    ]
      .filter(Boolean)
      .join(" ");
    areFew = pair.n_units <= 30 && new Set(Array.from(shown, placeOf)).size <= BINS;
    const bars = barsOf(shown, reach);
    const most = Math.max(12, ...bars.map(({ within, beyond }) => within + beyond));
    const nodes = bars.map((bar) => barButton(bar, most, shown));
    nodes.push(svg("line", { x1: 14, x2: width - 14, y1: FLOOR, y2: FLOOR, stroke: "#555" }));
    for (const [value, text] of ticks(middle() - reachOfAxis, middle() + reachOfAxis)) {
      nodes.push(svg("line", { x1: at(value), x2: at(value), y1: FLOOR, y2: FLOOR + 4, stroke: "#555" }));
      nodes.push(svg("text", { x: at(value), y: FLOOR + 17, "text-anchor": "middle" }, text));
    }
    nodes.push(svg("text", { x: width / 2, y: HEIGHT - 3, "text-anchor": "middle" }, pair.axis));
    const where = atZero ? 0 : Math.abs(line);
    const lines = atZero ? [0] : sides.map((side) => side * where);
    for (const value of lines) {
      const mirror = !atZero && Math.sign(value) !== Math.sign(line) && sides.length > 1;
      const name = mirror ? "line mirror" : "line";
      nodes.push(svg("line", { class: name, x1: at(value), x2: at(value), y1: 22, y2: FLOOR }));
    }
    if (!atZero) nodes.push(grip(sides.length > 1 ? line : where));
    if (opened) {
      const value = shown[opened.numbers[opened.place]];
      const centre = centreOf(barOf(value));
      nodes.push(svg("rect", { class: "open", x: centre - wide() / 2, y: 26, width: wide(), height: FLOOR - 26 }));
      current = barOf(value);
    }
    const focused = picture.contains(document.activeElement) ? document.activeElement : null;
    const focusedBar = focused?.dataset.bar;
    picture.replaceChildren(...nodes);
    enter(current);
    if (focused) (barNode(focusedBar) ?? picture.querySelector(".grip") ?? barNode(current))?.focus();
    picture.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    picture.setAttribute("aria-label", `${grouped(shown.length)} differences made by chance`);
    if (pair.left === 0 && steps.includes(document.activeElement)) again.focus();
    steps.forEach((made) => {
      made.disabled = pair.left === 0;
    });
    say(shown, count, p);
    if (opened) sayResample(shown);
  }

  const barNode = (bar) => picture.querySelector(`.pile[data-bar="${bar}"]`);

  /** Of all bars one is reached with Tab, and the others from it with the arrow keys. */
  function enter(bar) {
    const entered = barNode(bar) ?? picture.querySelector(".pile");
    picture.querySelectorAll('.pile[tabindex="0"]').forEach((other) => other.setAttribute("tabindex", -1));
    entered?.setAttribute("tabindex", 0);
    current = entered ? Number(entered.dataset.bar) : null;
    return entered;
  }

  picture.addEventListener("click", (event) => {
    const isOfLine = event.target.closest(".grip") || performance.now() < draggedAt + 50;
    if (isOfLine || pair.made === 0) return;
    const box = picture.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * width;
    const away = (bar) => Math.abs(centreOf(bar) - x);
    const bars = [...picture.querySelectorAll(".pile")].map((bar) => Number(bar.dataset.bar));
    const nearest = bars.reduce((best, bar) => (away(bar) < away(best) ? bar : best));
    // A finger is wider than a bar; and a screen reader has no finger.
    if (event.detail === 0) open(Number(event.target.closest(".pile").dataset.bar));
    else if (away(nearest) < 12) open(nearest);
  });
  picture.addEventListener("keydown", (event) => {
    const pile = event.target.closest(".pile");
    if (!pile) return;
    const piles = [...picture.querySelectorAll(".pile")];
    const place = piles.indexOf(pile);
    const ways = {
      ArrowLeft: place - 1,
      ArrowRight: place + 1,
      Home: 0,
      End: piles.length - 1,
    };
    if (event.key === "Enter" || event.key === " ") open(Number(pile.dataset.bar));
    else if (event.key in ways) {
      const next = Math.max(0, Math.min(piles.length - 1, ways[event.key]));
      enter(piles[next].dataset.bar).focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  machine.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !opened) return;
    event.preventDefault();
    event.stopPropagation();
    back();
  });

  /** Show the first of the resamples in a bar. */
  function open(bar) {
    going += 1;
    const { shown } = counted(pair, test, line);
    const numbers = [...shown.keys()].filter((number) => barOf(shown[number]) === bar);
    opened = { numbers, place: 0, range: rangeOf(bar, numbers.map((number) => shown[number])) };
    panel.hidden = false;
    [previous, next].forEach((made, n) => {
      made.textContent = `${n === 0 ? "Previous" : "Next"} ${pair.noun} in this bar`;
      made.hidden = numbers.length === 1;
    });
    showResample();
    (numbers.length === 1 ? returning : next).focus();
  }

  /** Show another resample in the same bar; after the last one the first comes again. */
  function turn(by) {
    opened.place = (opened.place + by + opened.numbers.length) % opened.numbers.length;
    showResample();
  }

  function showResample() {
    opened.row = pair.rowOf(opened.numbers[opened.place]);
    drawSquares(opened.row);
    units.replaceChildren(...unitsOf(opened.row));
    draw();
  }

  /** No resample is shown any more. */
  function close() {
    if (!opened) return;
    opened = null;
    panel.hidden = true;
    delete element.dataset.resample;
  }

  /** From a resample to the whole hill. */
  function back() {
    close();
    drawSquares(pair.row);
    draw();
    barNode(current)?.focus();
  }

  /** Which units a row exchanges, or how often it draws them, in folds. */
  function unitsOf(row) {
    const byTimes = new Map();
    for (let unit = 0; unit < pair.n_units; unit++) {
      const times = pair.times(row, unit);
      if (!byTimes.has(times)) byTimes.set(times, []);
      byTimes.get(times).push(unit + 1);
    }
    const title = (times) => {
      if (pair.kind === "shuffle") return times ? "As they were" : "Exchanged";
      return ["Not drawn", "Drawn once", "Drawn twice"][times] ?? `Drawn ${times} times`;
    };
    return [...byTimes.keys()]
      .sort((one, other) => one - other)
      .map((times) => {
        const members = byTimes.get(times);
        const noun = members.length === 1 ? pair.unit : pair.units;
        const summary = html("summary", {}, `${title(times)}: ${grouped(members.length)} ${noun}`);
        return html("details", {}, summary, html("p", {}, runs(members)));
      });
  }

  function sayResample(shown) {
    const { numbers, place, range, row } = opened;
    const number = numbers[place];
    const times = Array.from({ length: pair.n_units }, (_, unit) => pair.times(row, unit));
    const someOf = (count) => `${grouped(count)} of ${grouped(pair.n_units)} ${pair.units}`;
    const done =
      pair.kind === "shuffle"
        ? `It exchanges ${someOf(times.filter((kept) => !kept).length)}.`
        : `It draws ${someOf(times.filter((drawn) => drawn).length)}, the rest not at all.`;
    const [first, second] = pair.scoresOf(row).map((score) => score.toFixed(data.digits));
    const difference = pair.differences[number];
    const inPoints = (difference * pair.spread).toFixed(data.digits);
    const isAsShown = Number((pair.direction * (first - second)).toFixed(data.digits)) === Number(inPoints);
    const inSpreads = pair.measure ? `, which is ${signed(difference, data.digits)} ${pair.measure}` : "";
    const counts = {
      bootstrap: "Less the mean of all resamples",
      "riezler-maxwell-bootstrap": "Without its sign and less the mean size",
    };
    const countsAs = counts[test] ? ` ${counts[test]}, it counts as ${signed(shown[number], data.digits)}.` : "";
    const luckiest =
      test === "westfall-young"
        ? ` The luckiest of ${pair.family.spreads.length} pairs has ${signed(shown[number], data.digits)} here.`
        : "";
    element.dataset.resample = number;
    said.textContent =
      `This is ${pair.noun} ${grouped(number + 1)}, number ${grouped(place + 1)} of ${grouped(numbers.length)} ` +
      `in the bar ${range}. ${done} ${data.names[0]} then has ${first} and ${data.names[1]} ${second}: ` +
      `a difference of ${signed(inPoints, data.digits)}${isAsShown ? "" : " before rounding"}${inSpreads}.` +
      `${countsAs}${luckiest}`;
  }

  /** The handle of the line: dragged, or moved with the arrow keys. */
  function grip(value) {
    const node = svg("circle", { class: "grip", cx: at(value), cy: 15, r: 8, tabindex: 0 });
    const facts = {
      role: "slider",
      "aria-label": "the line: differences this large or larger are counted",
      "aria-valuenow": value.toFixed(data.digits),
      "aria-valuemin": (-reachOfAxis).toFixed(data.digits),
      "aria-valuemax": reachOfAxis.toFixed(data.digits),
    };
    for (const [name, fact] of Object.entries(facts)) node.setAttribute(name, fact);
    node.addEventListener("keydown", (event) => {
      const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };
      if (event.key === "Home") line = pair.observed;
      else if (event.key in steps) moveTo(line + steps[event.key] * 0.02 * reachOfAxis);
      else return;
      event.preventDefault();
      draw();
    });
    node.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      const move = ({ clientX }) => {
        const box = picture.getBoundingClientRect();
        const share = (((clientX - box.left) / box.width) * width - width / 2) / (width / 2 - 14);
        moveTo(middle() + Math.max(-1, Math.min(1, share)) * reachOfAxis);
        draw();
      };
      const stop = () => {
        draggedAt = performance.now();
        removeEventListener("pointermove", move);
        removeEventListener("pointerup", stop);
        removeEventListener("pointercancel", stop);
      };
      addEventListener("pointermove", move);
      addEventListener("pointerup", stop);
      addEventListener("pointercancel", stop);
    });
    return node;
  }

  /** Near the real difference the line is at the real difference. */
  function moveTo(value) {
    if (opened) {
      close();
      drawSquares(pair.row);
    }
    line = Math.abs(value - pair.observed) < 0.009 * reachOfAxis ? pair.observed : value;
  }

  function drop(value) {
    const dot = svg("circle", { class: "beyond", cx: at(value), cy: 24, r: 5 });
    picture.append(dot);
    dot.animate([{ transform: "translateY(0)" }, { transform: `translateY(${FLOOR - 30}px)` }], {
      duration: 500,
      easing: "ease-in",
    }).onfinish = () => dot.remove();
  }

  /** The middle 95% of the resampled differences, in words. */
  function intervalIn(shown) {
    const rising = pair.differences.slice(0, shown.length).sort();
    const [low, high] = [quantile(rising, 0.025), quantile(rising, 0.975)];
    element.dataset.low = low;
    element.dataset.high = high;
    const [from, to] = [low, high].map((value) => signed(value, data.digits));
    return `The middle 95% of the resampled differences, before they are moved, reach from ${from} to ${to}.`;
  }

  function say(shown, count, p) {
    const number = shown.length;
    element.dataset.n = number;
    element.dataset.count = count;
    element.dataset.p = p;
    const moved = line !== pair.observed;
    const what = moved ? `the line at ${signed(line, data.digits)}` : `the real ${signed(line, data.digits)}`;
    if (number === 0) {
      said.textContent =
        `The real difference, ${data.names[0]} minus ${data.names[1]}, is ` +
        `${signed(pair.observed, data.digits)} (${pair.measure ?? data.metric}). ` +
        (TESTS[test].atZero
          ? "The black line is at zero. How often does a resample lie beyond it?"
          : "It is the black line. How often does luck reach it?");
      return;
    }
    const nouns = nounFor(number);
    const counts = {
      "approximate-randomization": `${grouped(count)} of ${grouped(number)} ${nouns} reached ${what}, one way or the other`,
      bootstrap: `${grouped(count)} of ${grouped(number)} ${nouns}, moved so that their mean is zero, reached ${what}, one way or the other`,
      "paired-bootstrap": `in ${grouped(count)} of ${grouped(number)} ${nouns} ${data.names[pair.observed < 0 ? 1 : 0]} does not win`,
      "riezler-maxwell-bootstrap": `${grouped(count)} of ${grouped(number)} ${nouns}, without their signs and less their mean, reached ${what}`,
      "westfall-young": `in ${grouped(count)} of ${grouped(number)} ${nouns} the luckiest of ${pair.family?.spreads.length} pairs reached ${what}`,
    };
    said.textContent =
      `${counts[test]}: p = (${grouped(count)} + 1) / (${grouped(number)} + 1) = ${p.toFixed(4)}. `.replace(
        /^./,
        (letter) => letter.toUpperCase(),
      ) +
      (moved ? "(Home, or dragging, brings the line back.) " : "") +
      (data.has_interval && pair.kind === "bootstrap" ? intervalIn(shown) : "");
  }

  offerTests();
  restart();
  new ResizeObserver(() => {
    const wide = Math.max(280, Math.min(WIDEST, picture.clientWidth));
    if (wide === width) return;
    width = wide;
    draw();
  }).observe(element);
}
