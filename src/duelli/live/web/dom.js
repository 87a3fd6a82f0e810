// Elements and words. Whatever a study says becomes text, never HTML.

export const byId = (id) => document.getElementById(id);

// Return a new element; children are elements or texts.
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

// A number with as many digits as people read.
export function short(value) {
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value)) return value.toLocaleString("en");
  return String(Number(value.toPrecision(4)));
}

export function pointWords(point) {
  const entries = Array.isArray(point) ? point.map((v, i) => [`x${i + 1}`, v]) : Object.entries(point);
  return entries.map(([name, value]) => `${name} ${short(value)}`).join(", ");
}

// Moments as people read them: the day and the time, or the time alone.
export const moment = (at) => new Date(at).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
export const timeOfDay = (at) => new Date(at).toLocaleTimeString("en-GB");
