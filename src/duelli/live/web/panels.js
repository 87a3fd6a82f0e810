// What the cards of a study say.

import { drawPath, drawSlice, drawTimes, figure } from "./charts.js";
import { byId, make, moment, pointWords, short, timeOfDay } from "./dom.js";
import { drawPlane, drawStrip } from "./plane.js";
import { freeParameters, numberOf, valueAt } from "./scales.js";

const NAMES = { left: "A", right: "B", tie: "can’t tell" };
const MOST_ROWS = 12;
const whole = (number) => number.toLocaleString("en");
const percent = (share) => `${Math.round(100 * share)}%`;

export function showSummary({ title, question, status, duels, horizon, rate, step, learner }) {
  document.title = `${title}: ${whole(duels)} duels`;
  byId("title").textContent = title;
  byId("question").textContent = question;
  byId("pill").textContent = status;
  byId("pill").className = `pill ${status}`;
  byId("count").textContent = `${whole(duels)} of at most ${whole(horizon)} duels`;
  byId("bar").max = horizon;
  byId("bar").value = duels;
  byId("rate").textContent = { closed: "The study is closed.", done: "All duels are judged." }[status] ?? rate.text;
  byId("step").textContent = status === "open"
    ? `Step ${step.number + 1} of the learner ${learner}: ${whole(step.answered)} of ${whole(step.size)} pairs answered.`
    : `The learner was ${learner}.`;
  byId("close").hidden = status === "closed";
}

export function showBest(best, { box }) {
  const names = freeParameters(box);
  byId("best").replaceChildren(...names.map((side) =>
    make("div", {}, make("dt", {}, side.name), make("dd", {}, short(valueAt(best.arm, side))))));
  byId("claim").textContent = best.duels ? best.text : "Nobody has answered yet, so this is only the middle of the box.";
  byId("matters").hidden = best.matters.length < 2;
  byId("matters").replaceChildren(...best.matters.map((share, k) =>
    bar(names[k].name, `${percent(share)} of the effect that is clear so far`, share)));
}

function bar(name, words, share) {
  const full = make("div", {});
  full.style.width = `${100 * share}%`;
  return make("li", {},
    make("div", { className: "row" }, make("span", {}, name), make("span", { className: "quiet small" }, words)),
    make("div", { className: "track" }, full));
}

export function showAnswers({ clients, over_time, bias, agreement }) {
  byId("clients").replaceChildren(...clients.slice(0, 20).map(client));
  if (!clients.length) byId("clients").append(make("li", { className: "quiet" }, "Nobody yet."));
  const counts = [bias.left, bias.tie, bias.right];
  const all = counts.reduce((sum, n) => sum + n, 0);
  byId("sides").replaceChildren(...counts.map((count) => {
    const part = make("div", {});
    part.style.width = `${all ? (100 * count) / all : 0}%`;
    return part;
  }));
  const words = `A was chosen ${whole(bias.left)} times, B ${whole(bias.right)} times, and neither ${whole(bias.tie)} times.`;
  byId("sides").setAttribute("aria-label", words);
  byId("bias").textContent = all ? `${words} ${biasWords(bias)}` : "There are no answers yet.";
  byId("agreement").textContent = agreement.text;
  showTimes(over_time);
}

function biasWords({ estimate, error }) {
  const measured = `The left side wins ${(50 + 100 * estimate).toFixed(1)}% ± ${(100 * error).toFixed(1)}%.`;
  const clear = Math.abs(estimate) > 2 * error;
  return `${measured} ${clear ? "That is a habit of those who judge; which arm is on the left is random, so it costs answers but does not mislead." : "No habit can be seen."}`;
}

function client({ client: name, told, share, last_at, late, undo }) {
  const more = [late && `${whole(late)} late`, undo && `${whole(undo)} taken back`].filter(Boolean);
  return bar(name, [`${whole(told)} ${told === 1 ? "answer" : "answers"} (${percent(share)})`, ...more, `last on ${moment(last_at)}`].join(", "), share);
}

function showTimes({ seconds, counts }) {
  const place = byId("times");
  if (!counts.length) return place.replaceChildren(make("p", { className: "quiet" }, "There are no answers yet."));
  const span = seconds >= 3600 ? `${seconds / 3600} h` : seconds >= 60 ? `${seconds / 60} min` : `${seconds} s`;
  const [drawn, inner] = figure(`Answers in each ${span}`, `${whole(counts.reduce((sum, [, n]) => sum + n, 0))} answers`);
  place.replaceChildren(drawn);
  drawTimes(inner, counts.map(([time]) => Date.parse(time) / 1000), counts.map(([, n]) => n), seconds);
}

export function showPairs(judged) {
  const rows = judged.slice(-MOST_ROWS).reverse().map((row) => make("tr", {},
    ...[timeOfDay(row.at), pointWords(row.left), pointWords(row.right), NAMES[row.winner], row.client]
      .map((words) => make("td", {}, words))));
  const none = make("tr", {}, make("td", { colSpan: 5, className: "quiet" }, "There are no answers yet."));
  byId("judged").replaceChildren(...(rows.length ? rows : [none]));
}

export function showDownloads(path, name) {
  const files = [
    ["Answers as CSV", `${path}/export?format=csv`, `${name}.csv`],
    ["Answers as JSON lines", `${path}/export?format=jsonl`, `${name}.jsonl`],
    ["Answers as Parquet", `${path}/export?format=parquet`, `${name}.parquet`],
    ["The run, for duelli.load", `${path}/saved`, `${name}.json`],
  ];
  byId("downloads").replaceChildren(...files.map(([words, href, download]) =>
    make("a", { className: "button", href, download }, words)));
}

export function drawCharts({ summary, best, steps, answers, pairs, belief }) {
  const sides = freeParameters(summary.box);
  drawBelief(sides, belief, pairs.judged, best);
  drawPaths(sides, steps.path, pairs.judged, summary.duels);
  showTimes(answers.over_time);
}

// Put figures into a place, then draw into them: only then is it known how wide they are.
function fill(place, figures) {
  const made = figures.map(({ caption, heard, draw, note }) => {
    const [drawn, inner] = figure(caption, heard);
    if (note) drawn.append(make("p", { className: "quiet small" }, note));
    return [drawn, () => draw(inner)];
  });
  place.dataset.count = figures.length;
  place.replaceChildren(...made.map(([drawn]) => drawn));
  made.forEach(([, draw]) => draw());
}

const tall = (count) => (count === 1 ? 300 : 220);

function drawBelief(sides, { slices, plane, cubes }, judged, best) {
  byId("belief-note").textContent = slices
    ? "How much better or worse than the recommended point a model of the answers expects each value to be, in units of utility; one unit more wins about 73% of the duels. The band is one standard deviation."
    : "This learner has no model of the utility. It compares these parts of the box with its best point so far.";
  const lines = sides.map((side, k) => ({
    caption: side.name,
    heard: `${side.name}: best at ${short(valueAt(best.arm, side))}`,
    draw: (place) => (slices ? slice(place, side, slices[k], tall(sides.length)) : drawStrip(place, side, cubes, best.arm)),
  }));
  const map = {
    caption: `${sides.at(-1).name} over ${sides[0].name}`,
    heard: `The answer is ${pointWords(best.arm)}`,
    draw: (place) => drawPlane(place, sides, { plane, cubes, pairs: judged, best: best.arm }),
    note: `${slices ? "Yellow is better, violet is worse. " : ""}The cross is the answer; filled dots won, hollow dots lost.`,
  };
  const flat = sides.length === 2 ? [map] : [];
  fill(byId("belief"), slices || !flat.length ? [...flat, ...lines] : flat);
}

function slice(place, side, { values, mean, deviation }, height) {
  drawSlice(place, side, values.map((value) => numberOf(side, value)), mean, deviation, height);
}

function drawPaths(sides, path, judged, duels) {
  if (!duels) return byId("path").replaceChildren(make("p", { className: "quiet" }, "There are no answers yet."));
  const first = duels - judged.length;
  fill(byId("path"), sides.map((side) => ({
    caption: side.name,
    heard: `${side.name} of the answer after each step`,
    draw: (place) => drawPath(place, side, series(side, path, judged, first, duels), tall(sides.length)),
  })));
}

// The columns of a path: one row for each duel of which something is known.
function series(side, path, judged, first, duels) {
  const rows = new Map();
  const row = (at) => rows.get(at) ?? rows.set(at, { won: null, lost: null, answer: null }).get(at);
  judged.forEach(({ left, right, winner }, k) => {
    if (winner === "tie") return;
    const [won, lost] = winner === "left" ? [left, right] : [right, left];
    Object.assign(row(first + k + 1), { won: numberOf(side, valueAt(won, side)), lost: numberOf(side, valueAt(lost, side)) });
  });
  for (const step of path) row(step.duels).answer = numberOf(side, valueAt(step.answer, side));
  row(duels).answer ??= numberOf(side, valueAt(path.at(-1).answer, side));
  const sorted = [...rows.entries()].sort(([a], [b]) => a - b);
  const column = (name) => sorted.map(([, entry]) => entry[name]);
  return { duels: sorted.map(([at]) => at), won: column("won"), lost: column("lost"), answer: column("answer") };
}
