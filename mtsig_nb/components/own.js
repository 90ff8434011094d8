// Two columns of the reader's own numbers, pasted into the page, meet the chance machine.

import { chance, html } from "./chance.js";

const OWN_STYLE = `
.mtsig-own { font: 15px/1.45 system-ui, sans-serif; max-width: 720px; color: #222; background: #fff; }
.mtsig-own textarea { display: block; width: 100%; box-sizing: border-box; font: 14px/1.4 ui-monospace, monospace;
  padding: 8px; border: 1px solid #7a828e; border-radius: 6px; margin: 6px 0; color: inherit; background: #fff; }
.mtsig-own button { font: inherit; padding: 4px 10px; border: 1px solid #7a828e; border-radius: 6px;
  background: #f4f6f8; color: inherit; cursor: pointer; }
.mtsig-own :focus-visible { outline: 3px solid #0072b2; outline-offset: 1px; }
.mtsig-own .wrong { color: #a3160e; }
.mtsig-own small { color: #4a5260; }
`;
const EXAMPLE = "ours\ttheirs\n0.71\t0.64\n0.58\t0.60\n0.90\t0.75";
const MOST_ROWS = 1000;
const FEWEST_ROWS = 2;
/** More mistakes than these are counted and not listed. */
const MOST_MISTAKES = 5;
const NUMBER = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?$/i;
const FINEST = 2 ** -32;

/** The way in which columns are separated: the first of these that some line has. */
const SEPARATORS = [
  { isIn: (line) => line.includes("\t"), between: /\t/ },
  { isIn: (line) => line.includes(";"), between: /;/ },
  // A space after a comma belongs to it; between numbers a space alone separates.
  { isIn: (line) => /[^\s,]\s+[^\s,]/.test(line) && !/,\s/.test(line), between: /\s+/ },
  { isIn: (line) => line.includes(","), between: /,/ },
];

/**
 * The pairs in a text, and the names of the columns if its first line has them.
 *
 * Throws an `Error` whose message has a line for each mistake.
 */
function pairsIn(text) {
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line, n) => ({ number: n + 1, text: line.trim().replaceAll("−", "-") }))
    .filter((line) => line.text !== "");
  const separator = SEPARATORS.find(({ isIn }) => lines.some((line) => isIn(line.text)));
  const rows = lines.map((line) => ({
    number: line.number,
    cells: separator ? line.text.split(separator.between).map((cell) => cell.trim()) : [line.text],
  }));
  const isName = (cell) => /\p{L}/u.test(cell) && !NUMBER.test(cell);
  const isHead = rows.length > 0 && rows[0].cells.length === 2 && rows[0].cells.every(isName);
  const names = isHead ? rows.shift().cells : ["first", "second"];
  if (names[0] === names[1]) {
    throw new Error("Line 1: give each column a name of its own, or leave the names out.");
  }
  const mistakes = [];
  const point = rows.find(({ cells }) => cells.some((cell) => cell.includes(".")));
  const comma = rows.find(({ cells }) => cells.some((cell) => cell.includes(",")));
  if (point && comma) {
    mistakes.push(
      `Line ${comma.number} has a comma in a number, and line ${point.number} a point. ` +
        "Use one of them for decimals, and none for thousands.",
    );
  }
  for (const { number, cells } of rows) {
    const odd = cells.find((cell) => !NUMBER.test(cell) || !Number.isFinite(valueOf(cell)));
    if (cells.length !== 2) {
      mistakes.push(`Line ${number} has ${cells.length === 1 ? "one column" : `${cells.length} columns`}; give two.`);
    } else if (odd !== undefined) {
      mistakes.push(odd === "" ? `Line ${number}: a number is missing.` : `Line ${number}: “${odd}” is not a number.`);
    }
  }
  if (rows.length < FEWEST_ROWS) mistakes.push("Give two pairs of numbers or more, each on a line of its own.");
  if (rows.length > MOST_ROWS) {
    mistakes.push(`These are ${rows.length} pairs; this page takes ${MOST_ROWS}. Use the package for more.`);
  }
  if (mistakes.length > MOST_MISTAKES) {
    const others = mistakes.length - MOST_MISTAKES;
    mistakes.splice(MOST_MISTAKES, others, `There ${others === 1 ? "is one more mistake" : `are ${others} more mistakes`}.`);
  }
  if (mistakes.length) throw new Error(mistakes.join("\n"));
  return { names, pairs: rows.map(({ cells }) => cells.map(valueOf)) };
}

const valueOf = (cell) => Number(cell.replace(",", "."));

/** The grid for scores on which sums are exact, as the package chooses it (`exact_resolution`). */
function gridFor(pairs) {
  const values = pairs.flat();
  const highest = Math.max(1, ...values.map(Math.abs));
  const sumOfDifferences = pairs.reduce((sum, [a, b]) => sum + Math.abs(a - b), 0);
  const largestSum = Math.max(highest * pairs.length, sumOfDifferences);
  const step = Math.max(FINEST, 2 ** (Math.floor(Math.log2(largestSum)) + 1 - 53));
  const spread = Math.max(...values) - Math.min(...values);
  if (step > 1) throw new Error(`The largest number is ${highest}. Give the scores in a larger unit.`);
  if (spread > 0 && spread < 1e4 * step) {
    throw new Error("The numbers are too much alike to be told apart safely. Subtract a constant from all of them.");
  }
  return step;
}

/** What the chance machine is given: a mean of two columns, to be exchanged and to be resampled. */
function machineFor({ names, pairs }, blocks) {
  const step = gridFor(pairs);
  const n = pairs.length;
  const columns = [0, 1].map((column) => pairs.map((pair) => Math.round(pair[column] / step) * step));
  const means = columns.map((values) => values.reduce((sum, value) => sum + value, 0) / n);
  const observed = means[0] - means[1];
  const squares = columns[0].reduce((sum, value, row) => sum + (value - columns[1][row] - observed) ** 2, 0);
  const larger = Math.max(...means.map(Math.abs));
  const view = {
    axis: "difference of the means",
    unit: "pair",
    units: "pairs",
    n_units: n,
    direction: 1,
    observed,
    tolerance: Math.max(2 ** -50 * larger, 2 * step),
    // Where all differences are the same, luck does nothing to resamples.
    reach: (4 * Math.sqrt(squares)) / n || 1,
    formula: "mean",
    a: packed(columns[0]),
    b: packed(columns[1]),
    blocks,
  };
  return {
    names,
    metric: "difference of the means",
    digits: observed === 0 ? 2 : Math.max(2, 1 - Math.floor(Math.log10(Math.abs(observed)))),
    titles: {},
    has_interval: true,
    views: [
      { ...view, kind: "shuffle", title: "coins that exchange", tests: ["approximate-randomization"] },
      { ...view, kind: "bootstrap", title: "resamples of pairs", tests: ["bootstrap"] },
    ],
  };
}

/** Values in rows of a mean, each with a weight of one, in base64. */
function packed(values) {
  const rows = Float64Array.from(values.flatMap((value) => [value, 1]));
  const letters = Array.from(new Uint8Array(rows.buffer), (byte) => String.fromCharCode(byte));
  return { type: "float64", text: btoa(letters.join("")) };
}

/** A field for two columns of numbers in `element`, and the chance machine on them. */
export function own(element, data) {
  const field = html("textarea", { rows: 10, placeholder: EXAMPLE, spellcheck: false });
  const button = html("button", { type: "button" }, "Use these numbers");
  const status = html("p");
  status.setAttribute("role", "status");
  const wrong = html("div", { className: "wrong" });
  wrong.setAttribute("role", "alert");
  const machine = html("div");
  const label = html("label", {}, "Paste two columns of numbers, a pair of scores on each line: ", field);
  const about = html(
    "small",
    {},
    "Tabs, semicolons, commas or spaces may separate them. The first line may have names. Nothing leaves this page.",
  );
  element.replaceChildren(
    html("style", {}, OWN_STYLE),
    html("div", { className: "mtsig-own" }, label, html("p", {}, about), button, wrong, status),
    machine,
  );

  button.addEventListener("click", () => {
    machine.replaceChildren();
    status.textContent = "";
    wrong.replaceChildren();
    field.removeAttribute("aria-invalid");
    try {
      const given = pairsIn(field.value);
      chance(machine, machineFor(given, data.blocks));
      status.textContent = described(given);
    } catch (error) {
      field.setAttribute("aria-invalid", "true");
      wrong.append(...error.message.split("\n").map((line) => html("p", {}, line)));
    }
  });
}

/** What was read, so that a reader sees a comma that was taken for another. */
function described({ names, pairs }) {
  const n = pairs.length;
  const few =
    n <= 10
      ? ` So few coins can fall in ${2 ** n} ways only, and p is seldom below ${(2 / 2 ** n).toPrecision(2)}.`
      : "";
  return (
    `${n} pairs were read. The first is ${pairs[0][0]} for “${names[0]}” and ${pairs[0][1]} for “${names[1]}”. ` +
    `When a coin exchanges the two scores of a pair, the sign of their difference flips.${few}`
  );
}
