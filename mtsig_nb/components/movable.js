// A picture with a slider for each of its settings, all of its positions drawn beforehand.

const MOVABLE_STYLE = `
.mtsig-movable { font: 15px/1.45 system-ui, sans-serif; max-width: 660px; color: #222; background: #fff;
  border: 1px solid #c8ccd2; border-radius: 8px; padding: 12px 16px; margin: 8px 0; }
.mtsig-movable label { display: grid; grid-template-columns: minmax(8em, auto) 1fr 5em; gap: 10px; align-items: center; }
.mtsig-movable output { font-weight: 600; text-align: right; }
.mtsig-movable input { width: 100%; accent-color: #0072b2; }
/* Words in the picture stay legible: where there is no room it is scrolled. */
.mtsig-movable .view { overflow-x: auto; }
.mtsig-movable img { width: 100%; min-width: 480px; height: auto; display: block; }
@media (max-width: 480px) { .mtsig-movable label { grid-template-columns: 1fr 4em; } .mtsig-movable input { grid-column: 1 / -1; } }
`;

/** Fill `place` with the sliders and the picture that `data` describes. */
export function movable(place, data) {
  const element = (name, properties = {}, ...inside) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...inside);
    return made;
  };
  const picture = element("img");
  const at = data.controls.map(() => 0);

  const show = () => {
    // Frames stand as in nested loops: the last control's values follow each other.
    const frame = data.controls.reduce((sum, control, k) => sum * control.values.length + at[k], 0);
    picture.src = `data:image/png;base64,${data.frames[frame]}`;
    picture.alt = data.controls.map((control, k) => `${control.name} ${control.values[at[k]]}`).join(", ");
    place.dataset.frame = frame;
  };

  const sliders = data.controls.map((control, k) => {
    const said = element("output", { textContent: control.values[0] });
    const slider = element("input", { type: "range", min: 0, max: control.values.length - 1, value: 0 });
    slider.setAttribute("aria-valuetext", control.values[0]);
    slider.addEventListener("input", () => {
      at[k] = Number(slider.value);
      said.textContent = control.values[at[k]];
      slider.setAttribute("aria-valuetext", control.values[at[k]]);
      show();
    });
    return element("label", {}, element("span", { textContent: control.name }), slider, said);
  });
  const view = element("div", { className: "view" }, picture);
  place.className = "mtsig-movable";
  place.replaceChildren(element("style", { textContent: MOVABLE_STYLE }), ...sliders, view);
  show();
  // Who has no mouse scrolls with arrow keys.
  new ResizeObserver(() => {
    if (view.scrollWidth > view.clientWidth) view.tabIndex = 0;
    else view.removeAttribute("tabindex");
  }).observe(view);
}
