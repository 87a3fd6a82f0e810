// Curves, dots and bars, drawn by uPlot in the colours of the page.

import { make, short } from "./dom.js";
import { isLog, isWhole } from "./scales.js";

const { uPlot } = window;
const WHOLE_STEPS = [1, 2, 5].flatMap((step) => [0, 1, 2, 3, 4, 5, 6].map((k) => step * 10 ** k)).sort((a, b) => a - b);

export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

// Return a figure with a caption, and what a reader of screens hears.
export function figure(caption, heard) {
  const place = make("div", { role: "img" });
  place.setAttribute("aria-label", heard);
  return [make("figure", {}, make("figcaption", {}, caption), place), place];
}

function axis(more = {}) {
  const line = { stroke: colour("line"), width: 1 };
  return { stroke: colour("quiet"), grid: line, ticks: line, font: "12px system-ui, sans-serif", ...more };
}

const wordAt = (side) => (_, splits) => splits.map((at) => (Number.isInteger(at) ? short(side.choices[at] ?? "") : ""));

// Options of an axis and of a scale along which a parameter runs.
function along(side, more) {
  if (side.choices) {
    const splits = () => side.choices.map((_, place) => place);
    return [axis({ splits, values: wordAt(side), size: 32, ...more }), { time: false, range: [-0.5, side.choices.length - 0.5] }];
  }
  const values = (_, splits) => splits.map((at) => (at === null ? "" : short(at)));
  const range = [side.low, side.high];
  const incrs = isWhole(side) ? WHOLE_STEPS : undefined;
  return [axis({ values, size: 32, ...(incrs && { incrs }), ...more }), { time: false, distr: isLog(side) ? 3 : 1, range }];
}

function plot(place, options, data) {
  const width = Math.max(200, place.clientWidth);
  const plain = { width, padding: [10, 22, 0, 0], legend: { show: false }, cursor: { show: false } };
  return new uPlot({ ...plain, ...options }, data, place);
}

// The utility along one parameter: the mean, and a band of one standard deviation about it.
export function drawSlice(place, side, numbers, mean, deviation, height) {
  const [xAxis, xScale] = along(side);
  const edge = (sign) => mean.map((value, i) => value + sign * deviation[i]);
  const few = Boolean(side.choices);
  const border = { stroke: "transparent", width: 0, points: { show: false } };
  const line = { stroke: colour("accent"), width: 2, points: { show: few || isWhole(side), size: 7, fill: colour("accent") } };
  if (few) line.paths = () => null;
  plot(place, {
    height,
    scales: { x: xScale },
    axes: [xAxis, axis({ size: 48 })],
    series: [{}, border, border, line],
    bands: few ? [] : [{ series: [1, 2], fill: colour("band") }],
    hooks: { draw: few ? [whiskers] : [] },
  }, [numbers, edge(1), edge(-1), mean]);
}

// Choices have no values between them: each gets an upright line instead of a part of the band.
function whiskers(drawn) {
  const { ctx: pen, data } = drawn;
  pen.save();
  pen.strokeStyle = colour("accent");
  pen.lineWidth = 2 * devicePixelRatio;
  data[0].forEach((at, i) => {
    const x = drawn.valToPos(at, "x", true);
    pen.beginPath();
    pen.moveTo(x, drawn.valToPos(data[1][i], "y", true));
    pen.lineTo(x, drawn.valToPos(data[2][i], "y", true));
    pen.stroke();
  });
  pen.restore();
}

// The answer of each step as a line, and the points that won and lost as dots.
export function drawPath(place, side, { duels, answer, won, lost }, height) {
  const [yAxis, yScale] = along(side, { size: side.choices ? 64 : 56 });
  const dots = (fill, stroke) => ({ paths: () => null, points: { show: true, size: 5, width: 1, fill, stroke } });
  const stepped = uPlot.paths.stepped({ align: 1 });
  plot(place, {
    height,
    scales: { x: { time: false, range: [0, duels.at(-1)] }, y: yScale },
    axes: [axis({ label: "duels", size: 32, labelSize: 20, labelFont: "12px system-ui, sans-serif" }), yAxis],
    series: [{},
      dots(colour("card"), colour("quiet")),
      dots(colour("warm"), colour("warm")),
      { stroke: colour("accent"), width: 2.5, paths: stepped, points: { show: false }, spanGaps: true }],
  }, [duels, lost, won, answer]);
}

function clock(_, splits) {
  const span = splits.at(-1) - splits[0];
  const words = span > 2 * 86400 ? { month: "short", day: "numeric" } : { hour: "2-digit", minute: "2-digit" };
  if (span < 300) words.second = "2-digit";
  return splits.map((at) => new Date(1000 * at).toLocaleString("en-GB", words));
}

// How many answers came when.
export function drawTimes(place, times, counts, seconds) {
  plot(place, {
    height: 200,
    scales: { x: { range: [times[0] - seconds, times.at(-1) + 2 * seconds] }, y: { range: (_, __, most) => [0, Math.max(1, 1.1 * most)] } },
    axes: [axis({ values: clock, space: 70, size: 32 }), axis({ size: 48, values: (_, splits) => splits.map((n) => (Number.isInteger(n) ? short(n) : "")) })],
    series: [{}, {
      stroke: colour("accent"), fill: colour("accent"), width: 0, points: { show: false },
      paths: uPlot.paths.bars({ size: [0.9, 40], align: 1 }),
    }],
  }, [times, counts]);
}
