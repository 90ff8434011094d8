// What a reader has answered, as a code of letters and digits that nobody mistakes for others.

const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** Answers, of so many bits each (0 where there is none), then a letter that tells a slip. */
export function codeOf(answers, width, key) {
  let bits = "";
  for (const answer of answers) bits += answer.toString(2).padStart(width, "0");
  bits = bits.padEnd(Math.ceil(bits.length / 5) * 5, "0");
  const places = bits.match(/.{5}/g).map((five) => parseInt(five, 2));
  const check = places.reduce((sum, place, n) => (sum + (n + 1) * place) % 31, key);
  return [...places, check].map((place) => LETTERS[place]).join("");
}

export const node = (name, text = "", attributes = {}) =>
  Object.assign(document.createElement(name), { textContent: text }, attributes);
