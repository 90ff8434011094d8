// Questions with answers to choose from, one after the other, and at the end a code.
// Where the questions say what is right, the end also has the score and what to read again.

import { codeOf, node } from "./codes.js";

const EXAM_STYLE = `
.mtsig-exam { font: 16px/1.5 system-ui, sans-serif; max-width: 720px; color: #222; background: #fff;
  border: 1px solid #c8ccd2; border-radius: 8px; padding: 14px 18px; margin: 8px 0; }
.mtsig-exam fieldset { border: 0; padding: 0; margin: 0; }
.mtsig-exam label { display: flex; gap: 10px; padding: 8px 12px; border: 1px solid #c8ccd2; border-radius: 6px; margin: 8px 0; }
.mtsig-exam label:has(:checked) { border-color: #0072b2; background: #eef5fa; }
.mtsig-exam button { font: inherit; padding: 6px 14px; border: 1px solid #7a828e; border-radius: 6px;
  background: #f4f6f8; color: inherit; cursor: pointer; margin-right: 8px; }
.mtsig-exam :focus-visible { outline: 3px solid #0072b2; outline-offset: 1px; }
.mtsig-exam h2 { font-size: 16px; margin: 0 0 8px; }
.mtsig-exam li { margin: 12px 0; }
.mtsig-exam li p { margin: 4px 0; }
.mtsig-exam code { font-size: 18px; user-select: all; background: #f4f6f8; padding: 2px 6px; overflow-wrap: anywhere; }
`;

export function exam(element, data) {
  const { questions } = data;
  const answers = questions.map(() => 0);
  const box = node("div", "", { className: "mtsig-exam" });
  element.replaceChildren(node("style", EXAM_STYLE), box);

  const button = (text, go) => {
    const made = node("button", text, { type: "button" });
    made.addEventListener("click", go);
    return made;
  };

  function ask(place) {
    const { stem, options } = questions[place];
    const heading = node("h2", `${place + 1} of ${questions.length}`, { tabIndex: -1 });
    const choices = node("fieldset");
    choices.append(node("legend", stem));
    options.forEach((text, n) => {
      const choice = node("input", "", { type: "radio", name: "answer", checked: answers[place] === n + 1 });
      choice.addEventListener("change", () => (answers[place] = n + 1));
      const label = node("label");
      label.append(choice, text);
      choices.append(label);
    });
    const last = place === questions.length - 1;
    const buttons = [button(last ? "Hand in" : "Next", () => (last ? finish() : ask(place + 1)))];
    if (place) buttons.push(button("Back", () => ask(place - 1)));
    box.replaceChildren(heading, choices, ...buttons);
    heading.focus();
  }

  function finish() {
    const code = codeOf(answers, data.bits, data.key);
    element.dataset.code = code;
    const said = node("p", `You have answered ${answers.filter(Boolean).length} of ${questions.length} questions. Your code: `);
    said.setAttribute("role", "status");
    said.append(node("code", code));
    const what = node("p", "It has your answers in it, and not your name. Copy it into the form that you were given.");
    box.replaceChildren(said, what, ...results(), button("Back to the questions", () => ask(0)));
  }

  const isRight = (question, place) => answers[place] === question.right + 1;

  // The score, and each question that was not answered rightly; nothing where the questions do not say what is right.
  function results() {
    if (questions[0].right === undefined) return [];
    const wrong = questions.map((question, place) => ({ question, place })).filter(({ question, place }) => !isRight(question, place));
    const score = node("p", `You were right on ${questions.length - wrong.length} of ${questions.length} questions. ${data.about_guessing}`);
    if (!wrong.length) return [score];
    const list = node("ol");
    for (const { question, place } of wrong) list.append(review(question, place));
    return [score, node("h2", "To read again"), list];
  }

  // What was asked, what was answered and what is behind that answer, and where the course has it.
  function review(question, place) {
    const item = node("li", "", { value: place + 1 });
    item.append(node("p", question.stem));
    const chosen = answers[place] - 1;
    if (chosen >= 0) item.append(node("p", `Your answer: “${question.options[chosen]}” ${question.replies[chosen]}`));
    item.append(node("p", `Right: “${question.options[question.right]}” ${question.because}`));
    if (question.unit) {
      const where = node("p");
      where.append(node("a", question.unit.title, { href: question.unit.page }));
      item.append(where);
    }
    return item;
  }

  ask(0);
}
