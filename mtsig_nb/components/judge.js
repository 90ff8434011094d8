// Be the judge: outputs of two systems side by side, blind, in an order of the page's own.
// What the reader says becomes a statistic, meets the coins, a metric and the planted faults.

import { chance } from "./chance.js";
import { codeOf, node } from "./codes.js";

const JUDGE_STYLE = `
.mtsig-judge { font: 16px/1.5 system-ui, sans-serif; max-width: 720px; color: #222; background: #fff;
  border: 1px solid #c8ccd2; border-radius: 8px; padding: 14px 18px; margin: 8px 0; }
.mtsig-judge .outputs { display: grid; grid-template-columns: repeat(auto-fit, minmax(220px, 1fr)); gap: 10px; }
.mtsig-judge .outputs p { border: 1px solid #c8ccd2; border-radius: 6px; padding: 8px 12px; margin: 0; }
.mtsig-judge .choices { display: flex; flex-wrap: wrap; gap: 8px; margin: 12px 0; }
.mtsig-judge button { font: inherit; padding: 6px 14px; border: 1px solid #7a828e; border-radius: 6px;
  background: #f4f6f8; color: inherit; cursor: pointer; }
.mtsig-judge button[aria-pressed="true"] { background: #d9ebf7; border: 2px solid #0072b2; }
.mtsig-judge :focus-visible { outline: 3px solid #0072b2; outline-offset: 1px; }
.mtsig-judge h2 { font-size: 16px; margin: 0 0 8px; }
.mtsig-judge small { color: #4a5260; }
.mtsig-judge table { border-collapse: collapse; font-size: 14px; margin: 8px 0; display: block; overflow-x: auto; }
.mtsig-judge.mtsig-judge td, .mtsig-judge.mtsig-judge th { border-bottom: 1px solid #dfe3e8; padding: 3px 10px 3px 0; text-align: left; vertical-align: top; }
.mtsig-judge code { font-size: 15px; user-select: all; background: #f4f6f8; padding: 2px 6px; }
`;

/** The probability that so many fair coins fall at least as unevenly, in either direction. */
function fairCoins(first, second) {
  const n = first + second;
  const extreme = Math.max(first, second);
  let ways = 0;
  let term = 1;
  for (let heads = 0; heads <= n; heads++) {
    if (Math.max(heads, n - heads) >= extreme) ways += term;
    term = (term * (n - heads)) / (heads + 1);
  }
  return Math.min(1, ways / 2 ** n);
}

function shuffled(places) {
  const left = [...places];
  const order = [];
  while (left.length) order.push(left.splice(Math.floor(Math.random() * left.length), 1)[0]);
  return order;
}

export function judge(element, data) {
  const { items, names } = data;
  const store = `mtsig-judge-${data.key}-${items.length}`;
  const { answers, order, turned } = kept(store) ?? {
    answers: items.map(() => 0),
    order: shuffled(items.keys()),
    turned: items.map(() => Math.random() < 0.5),
  };
  const box = node("div", "", { className: "mtsig-judge" });
  element.replaceChildren(node("style", JUDGE_STYLE), box);
  const nGiven = () => answers.filter((given) => given > 0).length;
  // Pairs are judged in their order, so that the first without an answer comes after all that have one.
  let at = nGiven();

  /** Go to a pair, or after the last one to what the answers show. */
  function goTo(number) {
    at = number;
    if (at === items.length) finish().focus();
    else {
      ask();
      box.querySelector("h2").focus();
    }
  }

  function ask() {
    const place = order[at];
    const { source, reference, outputs } = items[place];
    const shown = turned[place] ? [outputs[1], outputs[0]] : outputs;
    const choices = node("div", "", { className: "choices" });
    const options = [
      ["The first is better", turned[place] ? 2 : 1],
      ["No difference", 3],
      ["The second is better", turned[place] ? 1 : 2],
    ];
    for (const [text, answer] of options) {
      const button = node("button", text, { type: "button" });
      // Who has gone back sees what was answered.
      button.setAttribute("aria-pressed", answers[place] === answer);
      button.addEventListener("click", () => {
        answers[place] = answer;
        keep(store, { answers, order, turned });
        goTo(at + 1);
      });
      choices.append(button);
    }
    const ways = node("div", "", { className: "choices" });
    const way = (text, number) => {
      const button = node("button", text, { type: "button" });
      button.addEventListener("click", () => goTo(number));
      ways.append(button);
    };
    if (at > 0) way("Back", at - 1);
    if (answers[place] > 0) way("Forward", at + 1);
    if (nGiven() >= data.fewest) {
      const stop = node("button", "Show me what I did", { type: "button" });
      stop.addEventListener("click", () => finish().focus());
      ways.append(stop);
    }
    const both = node("div", "", { className: "outputs" });
    both.append(...shown.map((output) => node("p", output)));
    const heading = node("h2", `${at + 1} of ${items.length}`, { tabIndex: -1 });
    box.replaceChildren(
      heading,
      ...(source ? [node("p", `Source: ${source}`)] : []),
      node("p", `${data.said}: ${reference}`),
      both,
      choices,
      ways,
      node("small", "Two programs translated it. Which of the two outputs would you rather be given?"),
    );
  }

  function finish() {
    const times = (answer) => answers.filter((given) => given === answer).length;
    const [first, second, same] = [1, 2, 3].map(times);
    const judged = order.map((place) => [answers[place], place]).filter(([answer]) => answer > 0);
    const faulty = judged.filter(([, place]) => items[place].worse > 0);
    const agreed = (verdict) => faulty.filter(([answer, place]) => verdict(place) === answer).length;
    const better = (place) => 3 - items[place].worse;
    const p = fairCoins(first, second);
    const code = codeOf(answers, data.bits, data.key);
    element.dataset.code = code;
    element.dataset.p = p;
    const words = node("p");
    words.setAttribute("role", "status");
    words.textContent =
      `You preferred ${names[0]} ${first} times and ${names[1]} ${second} times; ${same} times you saw no difference. ` +
      `If a fair coin had decided each of your ${first + second} preferences, they would be at least as uneven ` +
      `with a probability of ${p.toFixed(4)}. That is computed from all ways in which the coins may fall. ` +
      `The machine below tosses them, so its p comes near.`;
    const faults = node(
      "p",
      `${data.told.replace("{n}", faulty.length)} ` +
        `You preferred the better output in ${agreed(better)} of them; ` +
        `${data.metric}, a metric, in ${faulty.filter(([, place]) => items[place].scores[better(place) - 1] > items[place].scores[items[place].worse - 1]).length}.`,
    );
    const table = node("table");
    const row = (cells, kind = "td") => {
      const made = node("tr");
      made.append(...cells.map((cell) => (cell.append ? cell : node(kind, cell))));
      return made;
    };
    /** What was said, and in a fold what the two made of it, to be read again. */
    const unfolding = ({ reference, outputs }) => {
      const fold = node("details");
      fold.append(node("summary", reference), ...outputs.map((output, n) => node("p", `${names[n]}: ${output}`)));
      const cell = node("td");
      cell.append(fold);
      return cell;
    };
    const said = (answer) => (answer === 3 ? "no difference" : names[answer - 1]);
    table.append(row([data.said, "You", data.metric, data.verdict], "th"));
    for (const [answer, place] of judged) {
      const { scores, fault } = items[place];
      const metric = scores[0] === scores[1] ? 3 : scores[0] > scores[1] ? 1 : 2;
      table.append(row([unfolding(items[place]), said(answer), said(metric), fault]));
    }
    const others = node("table");
    const raters = [...new Set(judged.flatMap(([, place]) => Object.keys(items[place].raters ?? {})))];
    raters.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    /** How many more of these preferences are for the first system than for the second, as a share. */
    const lead = (given) => given.reduce((sum, answer) => sum + [0, 1, -1, 0][answer], 0) / given.length;
    const signed = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
    others.append(row(["Rater", "Pairs of both", "Said as you", `Lead of ${names[0]}: rater`, "You, on the same pairs"], "th"));
    for (const rater of raters) {
      const both = judged.filter(([, place]) => items[place].raters?.[rater]);
      const theirs = both.map(([, place]) => items[place].raters[rater]);
      const yours = both.map(([answer]) => answer);
      const alike = yours.filter((answer, n) => answer === theirs[n]).length;
      others.append(row([rater, `${both.length}`, `${alike}`, signed(lead(theirs)), signed(lead(yours))]));
    }
    const share = node("p", "Your answers as a code, for a class: ");
    share.append(node("code", code));
    const again = node("button", "Judge again", { type: "button" });
    again.addEventListener("click", () => {
      if (!confirm("Your answers and their code will be forgotten.")) return;
      keep(store, null);
      judge(element, data);
    });
    box.replaceChildren(words, faults, ...(raters.length ? [others] : []), share, table, again);
    if (first + second > 1) {
      const machine = node("div");
      box.insertBefore(machine, table);
      chance(machine, machineFor(answers, data));
    }
    words.tabIndex = -1;
    return words;
  }

  if (at < items.length) ask();
  else finish();
}

/** What this browser keeps of a reader's answers, so that a reload loses none. */
function kept(store) {
  try {
    return JSON.parse(localStorage.getItem(store));
  } catch {
    return null; // a browser that keeps nothing
  }
}

function keep(store, given) {
  try {
    localStorage.setItem(store, JSON.stringify(given));
  } catch {
    // The answers count on this page alone.
  }
}

/** The chance machine on a reader's preferences: 1 for the system that each of them favours. */
function machineFor(answers, data) {
  const preferences = answers.filter((answer) => answer === 1 || answer === 2);
  const n = preferences.length;
  const packed = (system) => {
    // Each row is a score and a weight, as of a mean.
    const bytes = preferences.flatMap((answer) => [answer === system ? 1 : 0, 1]);
    return { type: "uint8", text: btoa(String.fromCharCode(...bytes)) };
  };
  const first = preferences.filter((answer) => answer === 1).length;
  return {
    ...data.machine,
    views: [
      {
        ...data.machine.views[0],
        n_units: n,
        a: packed(1),
        b: packed(2),
        observed: (2 * first - n) / n,
        reach: 4 / Math.sqrt(n),
      },
    ],
  };
}
