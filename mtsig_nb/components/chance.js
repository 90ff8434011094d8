// The chance machine: resampling tests of one pair, done in the page by whoever presses its buttons.
//
// The tosses are the package's own.  Resamples are made in blocks of 500, each from a PCG64 stream
// whose state and increment Python has written down (mtsig_nb/engine/resampling.py); statistics are
// whole multiples of a quantum, so that their sums are exact.  So p is the package's, to the last
// digit.  What is on the page's thread takes no more than a few milliseconds at a time.

const MULTIPLIER = 47026247687942121848144207491837523525n;
const ALL_128 = (1n << 128n) - 1n;
const ALL_64 = (1n << 64n) - 1n;
const ALL_32 = (1n << 32n) - 1n;
const BLOCK = 500;
const AT_ONCE_MS = 12;
const MOST_SQUARES = 120;

/** 64-bit words of NumPy's PCG64 (XSL-RR 128/64), handed out as 32-bit halves, the lower first. */
class Words {
  constructor({ state, inc }) {
    this.state = BigInt(state);
    this.inc = BigInt(inc);
    this.upper = null;
  }

  half() {
    if (this.upper !== null) {
      const half = this.upper;
      this.upper = null;
      return half;
    }
    this.state = (this.state * MULTIPLIER + this.inc) & ALL_128;
    const mixed = (this.state >> 64n) ^ (this.state & ALL_64);
    const turn = this.state >> 122n;
    const word = ((mixed >> turn) | (mixed << (64n - turn))) & ALL_64;
    this.upper = Number(word >> 32n);
    return Number(word & ALL_32);
  }

  /** Rows of coins begin with a word of their own; rows of draws follow each other closely. */
  skipToWord() {
    this.upper = null;
  }
}

const SCORES = {
  mean: (sums) => (sums[1] > 0 ? sums[0] / sums[1] : 0),
  bleu(sums) {
    const matches = sums.slice(2, 6);
    const totals = sums.slice(6, 10);
    let product = 1;
    let halved = 1;
    const none = matches.every((count) => count === 0);
    for (let n = 0; n < 4; n++) {
      if (matches[n] === 0) halved /= 2;
      product *= matches[n] || halved;
      product = totals[n] > 0 ? product / totals[n] : 0;
    }
    if (none) return 0;
    return 100 * Math.sqrt(Math.sqrt(product)) * Math.exp(Math.min(0, 1 - sums[1] / sums[0]));
  },
};

function decoded({ type, text }) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const kinds = { uint8: Uint8Array, uint16: Uint16Array, float64: Float64Array };
  return new kinds[type](bytes.buffer);
}

/** One pair, on units of one kind, under one kind of resampling. */
class Pair {
  constructor(view) {
    Object.assign(this, view);
    this.a = decoded(view.a);
    this.b = decoded(view.b);
    this.score = SCORES[view.formula];
    this.width = this.a.length / view.n_units;
    this.totals = [this.total(this.a), this.total(this.b)];
    this.spread = view.spread ?? 1;
    if (view.family) {
      this.systems = view.family.systems.map(decoded);
      this.every = this.systems.map((rows) => this.total(rows));
    }
    this.restart();
  }

  restart() {
    this.differences = [];
    this.luckiest = [];
    this.words = null;
    this.row = new Uint16Array(this.n_units);
  }

  total(rows) {
    const sums = new Array(this.width).fill(0);
    for (let place = 0; place < rows.length; place++) sums[place % this.width] += rows[place];
    return sums;
  }

  difference(sumsOfA, sumsOfB) {
    return this.direction * (this.score(sumsOfA) - this.score(sumsOfB));
  }

  /** The next row of coins (1 keeps a unit's outputs in place) or of how often units are drawn. */
  draw() {
    const number = this.differences.length;
    if (number % BLOCK === 0) this.words = new Words(this.blocks[number / BLOCK]);
    if (this.kind === "shuffle") {
      this.words.skipToWord();
      let bits = 0;
      for (let unit = 0; unit < this.n_units; unit++) {
        if (unit % 32 === 0) bits = this.words.half();
        this.row[unit] = (bits >>> unit % 32) & 1;
      }
    } else {
      const share = this.n_units / 2 ** 32;
      this.row.fill(0);
      for (let n = 0; n < this.n_units; n++) this.row[Math.floor(this.words.half() * share)] += 1;
    }
    return this.row;
  }

  /** The difference between the two systems that a row makes. */
  differenceOf(row) {
    const { a, b, width } = this;
    const ofA = new Array(width).fill(0);
    const ofB = new Array(width).fill(0);
    for (let unit = 0, place = 0; unit < row.length; unit++) {
      const times = row[unit];
      if (times === 0) {
        place += width;
        continue;
      }
      for (let column = 0; column < width; column++, place++) {
        ofA[column] += times * a[place];
        ofB[column] += times * b[place];
      }
    }
    if (this.kind === "bootstrap") return this.difference(ofA, ofB);
    return this.exchanged(ofA, ofB, ...this.totals) / this.spread;
  }

  /** The difference of two systems of which these parts stay and the others change owners. */
  exchanged(ofA, ofB, allA, allB) {
    const first = ofA.map((kept, column) => allB[column] + kept - ofB[column]);
    const second = ofA.map((kept, column) => allA[column] - kept + ofB[column]);
    return this.difference(first, second);
  }

  /** The largest of all pairs' differences that a row makes, each in spreads of its own. */
  luckiestOf(row) {
    const { width, every, family } = this;
    const kept = this.systems.map((rows) => {
      const sums = new Array(width).fill(0);
      for (let unit = 0; unit < row.length; unit++) {
        if (row[unit]) for (let column = 0; column < width; column++) sums[column] += rows[unit * width + column];
      }
      return sums;
    });
    let most = 0;
    let pair = 0;
    for (let a = 0; a < kept.length; a++) {
      for (let b = a + 1; b < kept.length; b++, pair++) {
        const size = Math.abs(this.exchanged(kept[a], kept[b], every[a], every[b]));
        if (size > most * family.spreads[pair]) most = size / family.spreads[pair];
      }
    }
    return most;
  }

  toss() {
    const row = this.draw();
    this.differences.push(this.differenceOf(row));
    if (this.family) this.luckiest.push(this.luckiestOf(row));
  }

  get noun() {
    return this.kind === "shuffle" ? "shuffle" : "resample";
  }

  get left() {
    return this.blocks.length * BLOCK - this.differences.length;
  }
}

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
  "westfall-young": { values: (all, { luckiest }) => luckiest, sides: [1] },
};

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const less = (amount) => (value) => value - amount;

/** How many values reach the line, and p. */
function counted(pair, test, line) {
  const { values, sides, atZero } = TESTS[test];
  const shown = pair.differences.length ? values(pair.differences, pair) : [];
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

const html = (name, attributes = {}, ...inside) => {
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
const grouped = (value) => value.toLocaleString("en");

/** A machine for `data`, put into `element`, whose contents it replaces. */
export function chance(element, data) {
  const pairs = data.views.map((view) => new Pair(view));
  let pair = pairs[0];
  let test = pair.tests[0];
  let line = pair.observed;
  let flipped = 0;
  let going = 0;
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
  element.replaceChildren(
    html("style", {}, STYLE),
    html(
      "div",
      { className: "mtsig-chance" },
      choices,
      squares,
      key,
      buttons,
      picture,
      hint,
      said,
    ),
  );

  const button = (text, press) => {
    const made = html("button", { type: "button" }, text);
    made.addEventListener("click", press);
    buttons.append(made);
    return made;
  };
  const one = button("", () => {
    const unit = flipped % Math.min(pair.n_units, MOST_SQUARES);
    const row = flipped ? pair.row : new Uint16Array(pair.n_units).fill(1);
    // What a hand tosses is practice: only whole rows are counted, and these are the package's.
    row[unit] = Math.random() < 0.5 ? 1 : 0;
    pair.row = row;
    flipped += 1;
    drawSquares();
    said.textContent =
      `${row[unit] ? "Tails: nothing changes." : "Heads: the two are exchanged."} ` +
      `The difference is now ${signed(pair.differenceOf(row), data.digits)}.`;
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
      draw();
    });
    tests.append(html("label", {}, "What is counted: ", made));
  }

  function restart() {
    pair.restart();
    pair.row = new Uint16Array(pair.n_units).fill(1);
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
    drawSquares();
    draw();
  }

  /** Make so many resamples, a few milliseconds at a time, and show them as they come. */
  function go(times) {
    going += 1;
    const mine = going;
    const end = pair.differences.length + times;
    const step = () => {
      if (mine !== going || !element.isConnected) return;
      const until = performance.now() + AT_ONCE_MS;
      while (pair.differences.length < end && performance.now() < until) pair.toss();
      drawSquares();
      draw();
      if (pair.differences.length < end) {
        said.append(" (Not finished yet.)");
        requestAnimationFrame(step);
      } else if (times === 1) {
        const value = TESTS[test].values(pair.differences, pair).at(-1);
        said.prepend(`This ${pair.noun}: ${signed(value, data.digits)}. `);
        if (!calm) drop(value);
      }
    };
    step();
  }

  function drawSquares() {
    const shown = Math.min(pair.n_units, MOST_SQUARES);
    const marks = [];
    for (let unit = 0; unit < shown; unit++) {
      const times = pair.row[unit];
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

  function draw() {
    const { shown, reach, count, p } = counted(pair, test, line);
    const { sides, atZero } = TESTS[test];
    // Hills of the same quantity are drawn to the same scale.
    const alike = pairs.filter((each) => each.axis === pair.axis);
    reachOfAxis = Math.max(...alike.flatMap((each) => [1.25 * Math.abs(each.observed), each.reach]));
    hint.textContent = atZero
      ? ""
      : "Drag the black dot, or use the arrow keys, to move the line." +
        (sides.length > 1 ? " The dashed line is its mirror image." : "");
    const wide = (width - 28) / BINS;
    // Few units have few possible differences: each has a bar at its own place.
    const few = pair.n_units <= 30;
    const bars = new Map();
    for (const value of shown) {
      const x = few ? at(value).toFixed(1) : (14 + (binOf(value) + 0.5) * wide).toFixed(1);
      if (!bars.has(x)) bars.set(x, [0, 0]);
      bars.get(x)[reach(value) ? 1 : 0] += 1;
    }
    const most = Math.max(12, ...[...bars.values()].map(([within, beyond]) => within + beyond));
    const nodes = [];
    bars.forEach(([within, beyond], middle) => {
      const tall = (number) => (number / most) * (FLOOR - 30);
      const x = middle - wide / 2;
      const add = (name, number, above) => {
        if (number === 0) return;
        const y = FLOOR - tall(number + above);
        nodes.push(svg("rect", { class: name, x: x + 0.5, y, width: wide - 1, height: tall(number) }));
      };
      add("bar", within, 0);
      add("beyond", beyond, within);
    });
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
    const focused = picture.contains(document.activeElement);
    picture.replaceChildren(...nodes);
    if (focused) picture.querySelector(".grip")?.focus();
    picture.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    picture.setAttribute("aria-label", `${grouped(shown.length)} differences made by chance`);
    if (pair.left === 0 && steps.includes(document.activeElement)) again.focus();
    steps.forEach((made) => {
      made.disabled = pair.left === 0;
    });
    say(shown.length, count, p);
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

  function say(number, count, p) {
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
    const nouns = `${pair.noun}${number === 1 ? "" : "s"}`;
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
      ) + (moved ? "(Home, or dragging, brings the line back.)" : "");
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
