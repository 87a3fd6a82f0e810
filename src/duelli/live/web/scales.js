// Parameters of a box: where a value lies, and what stands at an axis.

import { short } from "./dom.js";

// Return the parameters that vary, each with a name and its place in unnamed points.
export function freeParameters(box) {
  return box.parameters
    .map((side, place) => ({ ...side, place, name: side.name ?? `x${place + 1}` }))
    .filter((side) => !("fixed" in side));
}

export const valueAt = (point, side) => (Array.isArray(point) ? point[side.place] : point[side.name]);

export const isLog = (side) => (side.scale ?? "").startsWith("log");

export const isWhole = (side) => (side.scale ?? "").endsWith("int");

// Return where in [0, 1] a value lies; whole numbers and choices lie in the middle of their parts.
export function unitOf(side, value) {
  if (side.choices) return (side.choices.indexOf(value) + 0.5) / side.choices.length;
  const half = isWhole(side) ? 0.5 : 0;
  const place = isLog(side) ? Math.log : (number) => number;
  const [low, high] = [place(side.low - half), place(side.high + half)];
  return (place(value) - low) / (high - low);
}

// Return some values for an axis with the share of its length at which each stands.
export function ticks(side) {
  const values = side.choices ?? ends(side);
  return values.map((value) => [unitOf(side, value), short(value)]);
}

function ends({ low, high, ...side }) {
  const middle = isLog(side) ? Math.sqrt(low * high) : (low + high) / 2;
  return [low, isWhole(side) ? Math.round(middle) : Number(middle.toPrecision(3)), high];
}

// A number for a chart: choices by their place in the list.
export const numberOf = (side, value) => (side.choices ? side.choices.indexOf(value) : value);
