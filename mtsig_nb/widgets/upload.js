// A place to drop files on, which is also a button to choose them with.
//
// Files go to the kernel one after the other; the next leaves when the one before has been taken, so
// neither side ever holds a queue. Before the first, question.py is told how large they are, and
// refuses what is larger than a message of Jupyter's servers may be. Names of files are untrusted:
// they reach the page as textContent only.

function made(tag, className, text = "") {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}

function inWords(bytes) {
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

async function read(file) {
  try {
    return await file.arrayBuffer();
  } catch {
    throw new Error(`“${file.name}” cannot be read. If it is a folder, drop the files in it.`);
  }
}

function render({ model, el }) {
  const listening = new AbortController();
  const on = (target, event, listener) =>
    target.addEventListener(event, listener, { signal: listening.signal });

  // --- what is seen -------------------------------------------------------------------------

  const several = model.get("multiple");
  const zone = made("div", "mtsig-drop");
  const button = made("button", "mtsig-drop-button");
  button.type = "button";
  const hint = several ? "drop files here, or choose" : "drop a file here, or choose";
  button.append(made("strong", "", model.get("description")), made("span", "", hint));
  const input = made("input", "mtsig-drop-input");
  input.type = "file";
  input.multiple = several;
  input.hidden = true; // the button stands for it
  const said = made("p", "mtsig-drop-said");
  said.setAttribute("role", "status");
  const problem = made("p", "mtsig-drop-problem");
  problem.setAttribute("role", "alert");
  const list = made("ul", "mtsig-drop-names");
  const clear = made("button", "mtsig-drop-clear", "clear");
  clear.type = "button";
  clear.setAttribute("aria-label", `clear ${model.get("description")}`);
  zone.append(button, input, said, problem, list, clear);
  el.append(zone);

  function draw() {
    const chosen = model.get("chosen");
    const receiving = model.get("receiving");
    list.replaceChildren(
      ...chosen.map(({ name, size }) => made("li", "", `${name || "(no name)"} (${inWords(size)})`)),
    );
    list.hidden = !chosen.length;
    if (!receiving) {
      said.textContent = chosen.length ? `${chosen.length} file${chosen.length > 1 ? "s" : ""}` : "";
    }
    clear.hidden = !chosen.length && !receiving;
  }

  // --- what is sent -------------------------------------------------------------------------

  let transfer = ""; // the newest; an older one ends without a word
  let waiting = null; // for the kernel's answer to what was sent last

  function ask(content, buffers) {
    return new Promise((resolve, reject) => {
      waiting = { transfer: content.transfer, resolve, reject };
      model.send(content, undefined, buffers);
    });
  }

  function hear(answer) {
    if (waiting === null || answer.transfer !== waiting.transfer) {
      return; // to another view, or to a transfer that was given up
    }
    const { resolve, reject } = waiting;
    waiting = null;
    if (answer.type === "taken") {
      resolve();
    } else {
      reject(new Error(answer.message));
    }
  }

  async function send(files) {
    if (!files.length) {
      return;
    }
    problem.textContent = "";
    const mine = Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(16)).join("-");
    transfer = mine;
    try {
      const announced = files.map(({ name, size }) => ({ name, size }));
      await ask({ type: "begin", transfer: mine, files: announced });
      for (const [at, file] of files.entries()) {
        said.textContent = `sending ${at + 1} of ${files.length}`;
        const content = await read(file);
        if (transfer !== mine) {
          return;
        }
        await ask({ type: "file", transfer: mine, name: file.name }, [content]);
      }
    } catch (error) {
      if (transfer === mine) {
        giveUp(mine);
        problem.textContent = error.message;
      }
    }
  }

  /** Forget one transfer, or everything. */
  function giveUp(name = null) {
    transfer = "";
    waiting = null;
    said.textContent = "";
    draw();
    model.send({ type: "clear", transfer: name });
  }

  // --- what is done with it -----------------------------------------------------------------

  const hasFiles = (event) => Array.from(event.dataTransfer?.types ?? []).includes("Files");
  const highlight = (yes) => zone.classList.toggle("mtsig-drop-over", yes);

  on(button, "click", () => input.click());
  on(input, "change", () => {
    const files = Array.from(input.files);
    input.value = ""; // so that the same file can be chosen again
    send(files);
  });
  on(clear, "click", () => {
    problem.textContent = "";
    giveUp();
    button.focus();
  });
  for (const name of ["dragenter", "dragover"]) {
    on(zone, name, (event) => {
      if (hasFiles(event)) {
        event.preventDefault();
        event.stopPropagation();
        event.dataTransfer.dropEffect = "copy";
        highlight(true);
      }
    });
  }
  on(zone, "dragleave", (event) => {
    if (!zone.contains(event.relatedTarget)) {
      highlight(false);
    }
  });
  on(zone, "drop", (event) => {
    highlight(false);
    if (hasFiles(event)) {
      event.preventDefault();
      event.stopPropagation();
      send(Array.from(event.dataTransfer.files));
    }
  });
  // A file that misses the zone would be opened in place of the page.
  for (const name of ["dragover", "drop"]) {
    on(window, name, (event) => {
      if (hasFiles(event) && event.target.closest?.(".mtsig-app")) {
        event.preventDefault();
        event.dataTransfer.dropEffect = "none";
      }
    });
  }

  model.on("change:chosen", draw);
  model.on("change:receiving", draw);
  model.on("msg:custom", hear);
  draw();
  return () => {
    listening.abort();
    model.off("change:chosen", draw);
    model.off("change:receiving", draw);
    model.off("msg:custom", hear);
  };
}

export default { render };
