// The page for people: show a pair, send the answer exactly once, show the next pair.

import { armWords, drawArm } from "./arms.js";
import { byId } from "./dom.js";
import { clientName, load, randomName, save } from "./kept.js";
import { patient, pause, request, signIn } from "./net.js";

const STUDY = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const API = `/v1/studies/${encodeURIComponent(STUDY)}`;
const OUTBOX = `duelli:${STUDY}:outbox`; // the answer that the server has not confirmed yet
const MINE = `duelli:${STUDY}:answers`; // how many answers this browser has given
const CHANGED = `duelli:${STUDY}:changed`; // tells other tabs that this one has answered
const SETTLE = 120; // milliseconds in which nobody can have judged a pair
const DOUBLE = 600; // milliseconds in which a second click belongs to the first one
const NAMES = { left: "A", right: "B" };
const KEYS = { ArrowLeft: "left", ArrowRight: "right", ArrowDown: "tie" };
const client = clientName();
const main = byId("main");

let page = null; // what the study says of itself
let pair = null; // the pair that is shown
let since = 0; // when it was shown
let undoable = mine() > 0; // whether the last answer may still be taken back

function mine() {
  return load(MINE) ?? 0;
}

function state(name) {
  main.dataset.state = name;
  main.setAttribute("aria-busy", String(name !== "ready" && name !== "over"));
  byId("undo").disabled = name !== "ready" || !undoable;
}

function say(words) {
  byId("status").textContent = words;
}

function over(words) {
  for (const id of ["pair", "choices", "foot"]) byId(id).hidden = true;
  byId("status").className = "over";
  if (!page) byId("question").textContent = "This link does not work";
  pair = null;
  state("over");
  say(words);
}

// Words for an answer after which this page cannot go on; null if it can.
function refusal({ status, value }) {
  if (status === 401) return "This link is not valid any more. Ask whoever sent it to you for a new one. The answers you gave are kept.";
  if (status === 403) return "This link does not open this study. Ask whoever sent it to you for the right one.";
  if (status === 404) return "There is no study at this address. Check the link that you were sent.";
  if (value.done && value.closed) return "This study is closed. Thank you: the answers you gave are kept.";
  if (value.done) return "All pairs are judged. Thank you for your help!";
  return null;
}

const waiting = (offline, busy) => (why) =>
  say({ offline, busy, "": "The connection is back." }[why]);

async function begin() {
  state("loading");
  byId("status").className = "";
  say("");
  if (!(await signIn())) return over(refusal({ status: 401, value: {} }));
  const answer = await patient("GET", `${API}/page`, undefined, {}, waiting(
    "No connection. The page goes on by itself when it is back.", "The server is busy. One moment."));
  const words = refusal(answer);
  if (words) return over(words);
  page = answer.value;
  main.dataset.kind = page.show.kind;
  main.dataset.clickable = String(page.show.kind !== "page");
  byId("title").textContent = page.title;
  byId("question").textContent = page.question;
  document.title = page.question;
  byId("client").textContent = client;
  showProgress();
  if (load(OUTBOX)) await deliver();
  else await next();
}

function showProgress() {
  byId("progress").hidden = false;
  byId("bar").max = page.horizon;
  byId("bar").value = page.duels;
  const own = mine() ? `, ${mine().toLocaleString("en")} by you` : "";
  byId("count").textContent =
    `${page.duels.toLocaleString("en")} of at most ${page.horizon.toLocaleString("en")} pairs judged${own}`;
}

async function refreshProgress() {
  const answer = await request("GET", `${API}/page`).catch(() => null);
  if (answer?.status !== 200) return;
  page = answer.value;
  showProgress();
}

// Ask for a pair and show it.
async function next() {
  state("loading");
  for (;;) {
    const answer = await patient("POST", `${API}/ask`, { client }, {}, waiting(
      "No connection. The next pair comes when it is back.", "The server is busy. One moment."));
    const words = refusal(answer);
    if (words) return over(words);
    if (answer.status === 200) return show(answer.value);
    say(answer.status === 204 ? "The next pair is being chosen." : sentence(answer.value.error));
    await pause(answer.wait);
    if (answer.status === 204) say("");
  }
}

function show(given) {
  if (pair?.ticket !== given.ticket) {
    for (const side of ["left", "right"]) {
      drawArm(byId(side).querySelector(".look"), page.show.kind, given.shown[side], NAMES[side]);
    }
    const words = Object.entries(NAMES).map(([side, name]) => `${name}: ${armWords(given.shown[side])}`);
    byId("heard").textContent = `A new pair. ${words.join(". ")}.`;
  }
  main.querySelectorAll(".picked").forEach((arm) => arm.classList.remove("picked"));
  pair = given;
  since = performance.now();
  main.dataset.duel = pair.duel;
  for (const id of ["pair", "choices", "foot"]) byId(id).hidden = false;
  state("settling");
  setTimeout(() => main.dataset.state === "settling" && state("ready"), SETTLE);
}

function choose(winner) {
  if (main.dataset.state !== "ready") return;
  const body = { duel: pair.duel, ticket: pair.ticket, winner };
  // Another tab may have an answer that waits; that one was first.
  if (!load(OUTBOX)) save(OUTBOX, { key: randomName(), body });
  if (winner !== "tie") byId(winner).classList.add("picked");
  say("");
  deliver();
}

// Send the answer that waits until the server has it; it carries the same key every time.
async function deliver() {
  state("sending");
  const { key, body } = load(OUTBOX);
  const answer = await patient("POST", `${API}/tell`, body, { "Idempotency-Key": key }, waiting(
    "No connection. Your answer is kept on this device and is sent when the connection is back.",
    "The server is busy. Your answer is kept on this device and is sent again."));
  if (answer.status === 401) return over(refusal(answer)); // a new link may still send it
  save(OUTBOX, null);
  save(CHANGED, randomName());
  if (answer.status === 200) {
    save(MINE, mine() + 1);
    undoable = true;
  } else say(answer.value.status === "late"
    ? "Somebody else, or you in another tab, had judged that pair before. Here is another one."
    : sentence(answer.value.error));
  await Promise.all([next(), refreshProgress()]);
}

async function undo() {
  if (byId("undo").disabled) return;
  state("sending");
  const answer = await patient("POST", `${API}/undo`, { client }, { "Idempotency-Key": randomName() },
    waiting("No connection. Your last answer is taken back when it is back.", "The server is busy. One moment."));
  if (answer.status === 200) {
    save(MINE, Math.max(0, mine() - 1));
    undoable = mine() > 0;
    save(CHANGED, randomName());
    const had = NAMES[answer.value.winner] ?? "“can’t tell”";
    say(`Taken back. You had chosen ${had}.`);
    refreshProgress();
    return show(answer.value);
  }
  const words = refusal(answer);
  if (words) return over(words);
  say("That answer has been used to choose the next pair, so it cannot be taken back any more.");
  undoable = false;
  await next();
}

const sentence = (words = "The server did not take that.") =>
  words.charAt(0).toUpperCase() + words.slice(1).replace(/\.?$/, ".");

// The second click of a double click comes when the next pair may be there already.
const isDouble = (event) => event.detail > 1 && performance.now() - since < DOUBLE;

for (const button of main.querySelectorAll("[data-winner]")) {
  button.addEventListener("click", (event) => isDouble(event) || choose(button.dataset.winner));
}
for (const side of ["left", "right"]) {
  byId(side).querySelector(".look").addEventListener("click", (event) => {
    if (page.show.kind === "page" || isDouble(event) || String(getSelection())) return;
    choose(side);
  });
}
byId("undo").addEventListener("click", undo);
addEventListener("keydown", (event) => {
  if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  if (main.dataset.state === "over") return;
  if (event.key in KEYS) choose(KEYS[event.key]);
  else if (event.key === "Backspace") undo();
  else return;
  event.preventDefault();
});
addEventListener("storage", (event) => {
  if (event.key === CHANGED && main.dataset.state === "ready") Promise.all([next(), refreshProgress()]);
});
addEventListener("pageshow", (event) => event.persisted && main.dataset.state === "ready" && next());
addEventListener("hashchange", begin);
begin();
