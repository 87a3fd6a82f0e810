// One study: asks how it stands, rarely while nothing happens, and shows what changed.

import { byId, pointWords } from "./dom.js";
import { Offline, request } from "./net.js";
import { drawCharts, showAnswers, showBest, showDownloads, showPairs, showSummary } from "./panels.js";
import { showLinks } from "./share.js";

const [SHORTEST, LONGEST] = [2, 20]; // seconds between two questions
const PARTS = ["best", "steps", "answers", "pairs", "belief"];
let current = null; // the study that is watched

export function stopWatching() {
  current?.wake();
  current = null;
}

// Show a study until another one is opened.
export async function watch(name, notice) {
  const own = (current = { name, path: `/v1/studies/${name}`, seen: "", checked: 0, wake: () => {} });
  byId("title").textContent = name;
  showDownloads(own.path, name);
  let seconds = SHORTEST;
  while (own === current) {
    const changed = document.hidden ? false : await look(own, notice);
    seconds = changed ? SHORTEST : Math.min(1.5 * seconds, LONGEST);
    await new Promise((resolve) => {
      own.wake = resolve;
      setTimeout(resolve, 1000 * seconds);
    });
  }
}

// Ask for everything if something has changed since; return whether it has.
async function look(own, notice) {
  try {
    const { status, value } = await request("GET", own.path);
    if (own !== current) return false;
    if (status !== 200) return notice(refusal(status, value));
    notice("");
    const stamp = [value.answers, value.duels, value.status, value.step.number].join();
    showSummary(value);
    if (own.seen === stamp) return false;
    if (!own.seen) await showLinks(own.name);
    await showAll(own, value);
    own.seen = stamp;
    return true;
  } catch (error) {
    if (!(error instanceof Offline)) throw error;
    notice("The server does not answer. What you see is from a moment ago; the page goes on by itself.");
    return false;
  }
}

function refusal(status, value) {
  if (status === 401 || status === 403) return "This study needs the owner's link: the server prints it when it starts.";
  return status === 404 ? "There is no study of that name." : `${value.error ?? "The server is busy."}`;
}

async function showAll(own, summary) {
  const answers = await Promise.all(PARTS.map((part) => request("GET", `${own.path}/${part}`)));
  if (own !== current || answers.some(({ status }) => status !== 200)) return;
  const data = Object.fromEntries(PARTS.map((part, k) => [part, answers[k].value]));
  own.data = { ...data, summary };
  showBest(data.best, summary);
  showAnswers(data.answers);
  showPairs(data.pairs.judged);
  drawCharts(own.data);
  // What would flip costs a fit of the model, so it is asked again after some more answers.
  if (own.checked && summary.duels < 1.1 * own.checked && summary.status === "open") return;
  own.checked = Math.max(1, summary.duels);
  const { status, value } = await request("GET", `${own.path}/influence`);
  if (own === current && status === 200) byId("influence").textContent = influenceWords(value);
}

function influenceWords(value) {
  if (value.flipped === null || value.flipped === undefined) return value.text;
  const share = `${Math.round(100 * value.share)}%`;
  return `${value.client} has given ${share} of the answers. Without them, ${value.flipped} of ${value.questions} ` +
    `questions would have another winner, ${value.undecided} would have no answer, and a model of the rest ` +
    `would recommend ${pointWords(value.without)} instead of ${pointWords(value.with)}.`;
}

let last = 0; // the width for which the charts were drawn
function redraw() {
  if (current?.data) drawCharts(current.data);
}
new ResizeObserver(() => {
  const width = byId("study").clientWidth;
  if (width && width !== last) requestAnimationFrame(redraw);
  last = width;
}).observe(byId("study"));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
document.addEventListener("visibilitychange", () => document.hidden || current?.wake());

byId("close").addEventListener("click", () => byId("sure").showModal());
byId("no").addEventListener("click", () => byId("sure").close());
byId("yes").addEventListener("click", async () => {
  byId("sure").close();
  await request("POST", `${current.path}/close`, {});
  current.wake();
});
