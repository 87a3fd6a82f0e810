// The page for owners: which part of it is shown, and the list of studies.

import { openForm } from "./create.js";
import { byId, make } from "./dom.js";
import { Offline, request, signIn } from "./net.js";
import { stopWatching, watch } from "./study.js";

const VIEWS = ["list", "create", "study"];

function notice(words) {
  byId("notice").hidden = !words;
  byId("notice").textContent = words;
}

function open(view) {
  for (const id of VIEWS) byId(id).hidden = id !== view;
}

async function route() {
  stopWatching();
  notice("");
  if (!(await signIn())) return notice("This link is not valid any more. Start the server again for a new one.");
  const name = location.hash.match(/^#study=([\w-]+)$/)?.[1];
  if (location.hash === "#new") {
    open("create");
    document.title = "New study";
    openForm();
  } else if (name) {
    open("study");
    watch(name, notice);
  } else {
    document.title = "duelli studies";
    await list();
  }
}

async function list() {
  let answer;
  try {
    answer = await request("GET", "/v1/studies");
  } catch (error) {
    if (!(error instanceof Offline)) throw error;
    return notice("The server does not answer. Reload this page once it runs again.");
  }
  if (answer.status !== 200) {
    return notice("You need the owner's link to see the studies: the server prints it when it starts.");
  }
  const { studies } = answer.value;
  byId("none").hidden = studies.length > 0;
  byId("studies").replaceChildren(...studies.reverse().map(card));
  open("list");
}

function card({ name, title, status, duels, horizon, created_at }) {
  const counted = `${duels.toLocaleString("en")} of at most ${horizon.toLocaleString("en")} duels`;
  const head = make("div", { className: "row" },
    make("h2", {}, title || name), make("span", { className: `pill ${status}` }, status));
  const bar = make("progress", { max: horizon, value: duels });
  bar.setAttribute("aria-label", counted);
  const made = new Date(created_at).toLocaleDateString("en-GB", { dateStyle: "medium" });
  const foot = make("p", { className: "quiet small" }, `${counted}. Made on ${made}.`);
  return make("li", {}, make("a", { className: "card", href: `#study=${name}` }, head, bar, foot));
}

addEventListener("hashchange", route);
route();
