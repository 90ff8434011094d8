// Guess, then see: what follows a guess is hidden until the reader has committed to an answer.
//
// A guess is a quotation that begins "Make a guess." and has each answer in a fold; other quotations with such folds are
// questions, whose answer is the fold behind them.  Without this script the folds are all there is.  Answers stay in
// this browser; the map of the units says how many were right.
(() => {
  const STORE = "mtsig-guesses";
  const SKIPPED = -1;
  /** Links to other units below the text, in the pages of `make run` and in the book. */
  const BELOW = "nav.mtsig.below, .prev-next-footer";

  const kept = () => {
    try {
      return JSON.parse(localStorage.getItem(STORE)) ?? {};
    } catch {
      return {}; // a browser that keeps nothing, or something else's
    }
  };

  const keep = (key, answer) => {
    try {
      localStorage.setItem(STORE, JSON.stringify({ ...kept(), [key]: answer }));
    } catch {
      // The answer counts on this page alone.
    }
  };

  const pageOf = (path) => path.split(/[?#]/)[0].split("/").pop();

  const make = (name, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };

  /** The outermost elements of the page's text that lie behind `start`. */
  const following = (start) => {
    const text = start.closest("main, article") ?? document.body;
    const whole = document.createRange();
    whole.setStartAfter(start);
    whole.setEndAfter(text.lastElementChild);
    const inside = (element) => {
      const own = document.createRange();
      own.selectNode(element);
      return (
        whole.compareBoundaryPoints(Range.START_TO_START, own) <= 0 &&
        whole.compareBoundaryPoints(Range.END_TO_END, own) >= 0
      );
    };
    return [...text.querySelectorAll(":not(nav, nav *, script, style)")].filter(
      (element) => inside(element) && !inside(element.parentElement),
    );
  };

  /** Hide elements once more, or once less: what follows two guesses waits for both. */
  const hide = (elements, more) => {
    for (const element of elements) {
      element.guesses = (element.guesses ?? 0) + more;
      element.classList.toggle("guess-hidden", element.guesses > 0);
    }
  };

  const isGuess = (quote) => quote.textContent.trim().startsWith("Make a guess.");

  const arm = (quote, key, tell) => {
    const folds = [...quote.querySelectorAll("details")];
    const replies = folds.map((fold) => {
      const reply = fold.cloneNode(true);
      reply.querySelector("summary").remove();
      return reply;
    });
    const right = folds.findIndex((fold) => fold.classList.contains("right"));
    // The links to other units wait, too: above them the unit would look finished.
    const hidden = isGuess(quote) ? [...following(quote), ...document.querySelectorAll(BELOW)] : [quote.nextElementSibling];
    const said = make("p", { className: "guess-said", role: "status" });
    const buttons = folds.map((fold) => make("button", { type: "button", textContent: fold.querySelector("summary").textContent }));
    const skip = make("button", { type: "button", className: "guess-skip", textContent: isGuess(quote) ? "read on without a guess" : "show the answer" });

    const goesOn = make("p", { className: "guess-goes-on", textContent: "The unit goes on after your guess." });

    const show = (answer) => {
      if (skip.isConnected) hide(hidden, -1);
      goesOn.remove();
      if (!isGuess(quote)) hidden[0].open = true;
      skip.remove();
      buttons.forEach((button, index) => {
        // A guess is made once; a question may be answered again until the answer is right.
        button.disabled = isGuess(quote) || answer === right;
        button.setAttribute("aria-pressed", String(index === answer));
      });
      if (answer === SKIPPED) return;
      const mark = answer === right ? "✓ " : "✗ ";
      const reply = replies[answer].cloneNode(true).childNodes;
      said.replaceChildren(make("strong", { textContent: `${mark}${buttons[answer].textContent}.` }), " ", ...reply);
    };
    const commit = (answer) => {
      keep(key, { answer, right: answer === right });
      show(answer);
      tell();
      quote.focus({ preventScroll: true }); // so that the next Tab goes to what has just appeared
    };

    buttons.forEach((button, index) => button.addEventListener("click", () => commit(index)));
    skip.addEventListener("click", () => commit(SKIPPED));
    for (const fold of folds) fold.hidden = true;
    const choices = make("div", { className: "guess-choices", role: "group" }, ...buttons, skip);
    choices.setAttribute("aria-label", isGuess(quote) ? "Your guess" : "Your answer");
    quote.tabIndex = -1;
    quote.append(choices, said);
    if (isGuess(quote)) quote.append(goesOn);
    hide(hidden, 1);
    const before = kept()[key];
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (before) show(before.answer);
    else if (target && hidden.some((element) => element.contains(target))) show(SKIPPED);
  };

  /** Arm the quotations of one kind, and say below the last one how many were right. */
  const armed = (name, prefix, quotes) => {
    const page = `${pageOf(location.pathname)}#${prefix}`;
    const score = make("p", { className: "guess-score", role: "status" });
    const tell = () => {
      const given = quotes.map((_, number) => kept()[`${page}${number}`]).filter((one) => one && one.answer !== SKIPPED);
      const n = given.filter((one) => one.right).length;
      score.textContent = given.length ? `${name} on this page: ${n} of ${given.length} right.` : "";
    };
    quotes.forEach((quote, number) => arm(quote, `${page}${number}`, tell));
    const last = quotes.at(-1);
    if (last) (isGuess(last) ? last : last.nextElementSibling).after(score);
    tell();
  };

  const all = () => {
    const quotes = [...document.querySelectorAll("blockquote")].filter((quote) => quote.querySelector("details.right"));
    armed("Guesses", "", quotes.filter(isGuess));
    armed("Questions", "q", quotes.filter((quote) => !isGuess(quote)));
  };

  /** On the map of the units: how many guesses were right, and which units to read again. */
  const summary = (place) => {
    const given = Object.entries(kept()).filter(([, one]) => one.answer !== SKIPPED);
    if (!given.length) return;
    const questions = given.filter(([key]) => key.includes("#q"));
    const guesses = given.filter(([key]) => !key.includes("#q"));
    // Guesses are there to be wrong; a question that was answered wrongly sends back to its unit.
    const wrong = new Set(questions.filter(([, one]) => !one.right).map(([key]) => key.split("#")[0]));
    const links = [...document.querySelectorAll("a[href]")].filter((link) => wrong.has(pageOf(link.getAttribute("href"))));
    for (const [name, some] of [["Guesses", guesses], ["Questions", questions]]) {
      if (some.length) place.append(`${name} so far: ${some.filter(([, one]) => one.right).length} of ${some.length} right. `);
    }
    if (links.length) place.append("Worth reading again: ");
    links.forEach((link, index) => {
      place.append(index ? ", " : "", make("a", { href: link.href, textContent: link.textContent }));
    });
    if (links.length) place.append(". ");
    const forget = make("button", { type: "button", textContent: "Forget my answers" });
    forget.addEventListener("click", () => {
      if (!confirm("All your answers in these pages will be forgotten.")) return;
      localStorage.removeItem(STORE);
      location.reload();
    });
    place.append(forget);
  };

  const begin = () => {
    all();
    const place = document.getElementById("guess-summary");
    if (place) summary(place);
    // On paper answers are open.
    addEventListener("beforeprint", () => {
      for (const fold of document.querySelectorAll("blockquote + details")) fold.open = true;
    });
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
