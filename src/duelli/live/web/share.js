// Links for people: without a token on a server of one's own, with one on any other.

import { byId, make, moment } from "./dom.js";
import { request } from "./net.js";

const HERE = ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
const code = (words) => make("code", {}, words);
const NOTES = {
  free: ["This server can be reached from this computer only. To invite others, start it with ", code("--host 0.0.0.0"), " or ", code("--public"), "."],
  here: ["Others cannot reach this address. Open this page under the name of this computer before you make a link."],
  open: ["Whoever has the link can judge. It is shown once; revoke it to shut it."],
};
let study = "";

const address = (token) => `${location.origin}/s/${study}${token ? `#${token}` : ""}`;

// Whether the server answers without any token, which it does on its own computer only.
async function isFree() {
  const answer = await fetch("/v1/studies", { credentials: "omit" }).catch(() => null);
  return answer?.status === 200;
}

export async function showLinks(name) {
  study = name;
  const free = await isFree();
  byId("new-link").hidden = free;
  byId("tokens").replaceChildren();
  byId("link-note").replaceChildren(...(free ? NOTES.free : HERE ? NOTES.here : NOTES.open));
  // A link that was made in this tab a moment ago is still known here, and nowhere else.
  const token = free ? "" : sessionStorage.getItem(`duelli:link:${name}`);
  showLink(free || token ? address(token) : "");
  if (!free) await showTokens();
}

function showLink(link) {
  byId("link").value = link;
  byId("copy").disabled = !link;
  byId("visit").hidden = !link;
  if (link) byId("visit").href = link;
}

async function showTokens() {
  const { status, value } = await request("GET", "/v1/tokens");
  if (status !== 200) return;
  const own = value.tokens.filter((row) => row.study === study && row.revoked_at === null);
  byId("tokens").replaceChildren(...own.map(line));
}

function line({ hash, scope, label, created_at }) {
  const revoke = make("button", { type: "button" }, "Revoke");
  revoke.addEventListener("click", async () => {
    await request("POST", "/v1/tokens/revoke", { token: hash });
    sessionStorage.removeItem(`duelli:link:${study}`);
    await showLinks(study);
  });
  return make("li", {}, `${label || "token"} for a ${scope}, made on ${moment(1000 * created_at)}`, revoke);
}

byId("new-link").addEventListener("click", async () => {
  const { status, value } = await request("POST", "/v1/tokens", { scope: "rater", study, label: "link" });
  if (status !== 201) return;
  sessionStorage.setItem(`duelli:link:${study}`, value.token);
  await showLinks(study);
});

byId("copy").addEventListener("click", async () => {
  byId("link").select();
  try {
    await navigator.clipboard.writeText(byId("link").value);
  } catch {
    document.execCommand("copy"); // pages without https have no clipboard of their own
  }
  byId("copy").textContent = "Copied";
  setTimeout(() => (byId("copy").textContent = "Copy"), 2000);
});
