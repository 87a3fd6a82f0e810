// Links for people: copied on a local server, made with a token on any other.

import { byId, make } from "./dom.js";
import { request } from "./net.js";

const LOCAL = ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
let study = "";

const address = (token) => `${location.origin}/s/${study}${token ? `#${token}` : ""}`;

export async function showLinks(name) {
  study = name;
  byId("new-link").hidden = LOCAL;
  byId("tokens").replaceChildren();
  byId("link-note").textContent = LOCAL
    ? "This server can be reached from this computer only. To invite others, start it with --host; each link then carries its own token."
    : "Whoever has the link can judge. It is shown once; revoke it to shut it.";
  // A link that was made in this tab a moment ago is still known here, and nowhere else.
  const token = LOCAL ? "" : sessionStorage.getItem(`duelli:link:${name}`);
  showLink(LOCAL || token ? address(token) : "");
  if (!LOCAL) await showTokens();
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
  const made = new Date(1000 * created_at).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
  const revoke = make("button", { type: "button" }, "Revoke");
  revoke.addEventListener("click", async () => {
    await request("POST", "/v1/tokens/revoke", { token: hash });
    sessionStorage.removeItem(`duelli:link:${study}`);
    await showLinks(study);
  });
  return make("li", {}, `${label || "token"} for a ${scope}, made ${made}`, revoke);
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
