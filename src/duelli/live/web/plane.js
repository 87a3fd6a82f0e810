// Two parameters seen from above: the learnt utility or the cubes, the pairs, and the answer.

import { colour } from "./charts.js";
import { make } from "./dom.js";
import { ticks, unitOf, valueAt } from "./scales.js";

const EDGE = { left: 56, right: 10, top: 10, bottom: 30 };
const RAMP = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]]; // viridis
const MOST_PAIRS = 100;

export function drawPlane(place, sides, { plane, cubes, pairs, best }) {
  const width = Math.min(640, Math.max(240, place.clientWidth));
  const height = Math.min(440, Math.round(0.8 * width));
  const sharp = window.devicePixelRatio || 1;
  const canvas = make("canvas", { width: width * sharp, height: height * sharp });
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  place.append(canvas);
  const pen = canvas.getContext("2d");
  pen.scale(sharp, sharp);
  const inner = [width - EDGE.left - EDGE.right, height - EDGE.top - EDGE.bottom];
  const at = (u, v) => [EDGE.left + u * inner[0], EDGE.top + (1 - v) * inner[1]];
  const spot = (point) => at(...sides.map((side) => unitOf(side, valueAt(point, side))));
  if (plane) drawCells(pen, plane, sides, at);
  else drawCubes(pen, cubes, spot);
  drawAxes(pen, sides, at);
  for (const pair of pairs.slice(-MOST_PAIRS)) drawPair(pen, pair, spot, Boolean(plane));
  drawAnswer(pen, spot(best));
}

// Cells of a grid: its ends lie on the border for numbers, and half a cell inside for the others.
function borders(count, side) {
  const spread = side.scale === "linear" || side.scale === "log";
  if (!spread || count < 2) return Array.from({ length: count + 1 }, (_, i) => i / count);
  const raw = Array.from({ length: count + 1 }, (_, i) => (i - 0.5) / (count - 1));
  return raw.map((u) => Math.min(1, Math.max(0, u)));
}

function drawCells(pen, plane, sides, at) {
  const values = plane.flat();
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const [us, vs] = [borders(plane.length, sides[0]), borders(plane[0].length, sides[1])];
  plane.forEach((row, i) => row.forEach((value, j) => {
    const [x0, y1] = at(us[i], vs[j]).map(Math.round); // whole pixels leave no seams
    const [x1, y0] = at(us[i + 1], vs[j + 1]).map(Math.round);
    pen.fillStyle = ramp(high > low ? (value - low) / (high - low) : 0.5);
    pen.fillRect(x0, y0, x1 - x0, y1 - y0);
  }));
}

function ramp(share) {
  const place = Math.min(share * (RAMP.length - 1), RAMP.length - 1.001);
  const [from, to] = [RAMP[Math.floor(place)], RAMP[Math.floor(place) + 1]];
  const part = place % 1;
  return `rgb(${from.map((c, k) => Math.round(c + part * (to[k] - c))).join(" ")})`;
}

function drawCubes(pen, cubes, spot) {
  pen.fillStyle = colour("tint");
  pen.strokeStyle = colour("accent");
  for (const { low, high } of cubes) {
    const [x0, y1] = spot(low);
    const [x1, y0] = spot(high);
    const [w, h] = [Math.max(4, x1 - x0), Math.max(4, y1 - y0)]; // a cube without edge is a point
    pen.fillRect(x0, y1 - h, w, h);
    pen.strokeRect(x0, y1 - h, w, h);
  }
}

function drawAxes(pen, sides, at) {
  const [[x0, y0], [x1, y1]] = [at(0, 1), at(1, 0)];
  pen.strokeStyle = colour("line");
  pen.strokeRect(x0, y0, x1 - x0, y1 - y0);
  pen.fillStyle = colour("quiet");
  pen.font = "12px system-ui, sans-serif";
  pen.textBaseline = "top";
  for (const [u, words] of ticks(sides[0])) {
    pen.textAlign = u < 0.01 ? "left" : u > 0.99 ? "right" : "center";
    pen.fillText(words, at(u, 0)[0], y1 + 8, 90);
  }
  pen.textAlign = "right";
  for (const [v, words] of ticks(sides[1])) {
    pen.textBaseline = v < 0.01 ? "bottom" : v > 0.99 ? "top" : "middle";
    pen.fillText(words, x0 - 8, at(0, v)[1], EDGE.left - 10);
  }
}

function drawPair(pen, { left, right, winner }, spot, onMap) {
  if (winner === "tie") return;
  const [won, lost] = winner === "left" ? [left, right] : [right, left];
  pen.strokeStyle = onMap ? "rgb(255 255 255 / 75%)" : colour("quiet");
  pen.fillStyle = onMap ? "#ffffff" : colour("warm");
  pen.lineWidth = 1.25;
  pen.beginPath();
  pen.arc(...spot(lost), 3, 0, 2 * Math.PI);
  pen.stroke();
  pen.beginPath();
  pen.arc(...spot(won), 2.75, 0, 2 * Math.PI);
  pen.fill();
}

function drawAnswer(pen, [x, y]) {
  for (const [stroke, width] of [["#ffffff", 5], ["#b00020", 2.5]]) {
    pen.strokeStyle = stroke;
    pen.lineWidth = width;
    pen.beginPath();
    pen.moveTo(x - 8, y);
    pen.lineTo(x + 8, y);
    pen.moveTo(x, y - 8);
    pen.lineTo(x, y + 8);
    pen.stroke();
  }
}

// The cubes of the open step along one parameter, one line for each.
export function drawStrip(place, side, cubes, best) {
  const width = Math.max(240, place.clientWidth);
  const [height, sharp] = [120, window.devicePixelRatio || 1];
  const canvas = make("canvas", { width: width * sharp, height: height * sharp });
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  place.append(canvas);
  const pen = canvas.getContext("2d");
  pen.scale(sharp, sharp);
  const at = (u, v) => [10 + u * (width - 20), 6 + (1 - v) * (height - 36)];
  const x = (point) => at(unitOf(side, valueAt(point, side)), 0)[0];
  const tall = Math.max(1, Math.min(8, (height - 40) / Math.max(1, cubes.length)));
  pen.fillStyle = colour("accent");
  cubes.forEach(({ low, high }, k) => {
    pen.fillRect(x(low) - 1, 10 + k * tall, Math.max(3, x(high) - x(low)), Math.max(1, tall - 2));
  });
  pen.fillStyle = "#b00020";
  pen.fillRect(x(best) - 1, 6, 2, height - 36);
  pen.fillStyle = colour("quiet");
  pen.font = "12px system-ui, sans-serif";
  for (const [u, words] of ticks(side)) {
    pen.textAlign = u < 0.01 ? "left" : u > 0.99 ? "right" : "center";
    pen.fillText(words, at(u, 0)[0], height - 8, 90);
  }
}
