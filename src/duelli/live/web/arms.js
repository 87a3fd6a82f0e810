// How an arm looks: named values, a colour, a text, an image, or the owner's page in a frame.

import { make, short } from "./dom.js";

export function drawArm(place, kind, shown, name) {
  place.replaceChildren(LOOKS[kind](shown, name));
}

// Words for an arm, for those who hear the page; an image or a frame has its own.
export function armWords(shown) {
  if (shown.values) return shown.values.map(({ label, value }) => `${label} ${short(value)}`).join(", ");
  return shown.text ?? shown.colour ?? "";
}

const LOOKS = {
  parameters: (shown) => make("dl", { className: "values" }, ...shown.values.map(entry)),
  colour(shown, name) {
    const patch = make("div", { className: "colour", role: "img" });
    patch.setAttribute("aria-label", `${name}: the colour ${shown.colour}`);
    patch.style.backgroundColor = shown.colour;
    return patch;
  },
  text: (shown) => make("p", { className: "text" }, shown.text),
  image: (shown, name) => make("img", { className: "picture", alt: shown.alt || name, src: shown.src }),
  page(shown, name) {
    const frame = make("iframe", { className: "frame", title: name });
    frame.setAttribute("sandbox", "allow-scripts");
    frame.referrerPolicy = "no-referrer";
    frame.src = shown.src;
    return frame;
  },
};

const entry = ({ label, value }) =>
  make("div", {}, make("dt", {}, label), make("dd", {}, short(value)));
