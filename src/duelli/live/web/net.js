// Requests to the server, and the exchange of a link's token for a cookie.

export class Offline extends Error {}

// Return {status, value, wait}; raise Offline if no answer came.
export async function request(method, path, body, headers = {}) {
  const options = { method, headers: { ...headers }, signal: AbortSignal.timeout(20_000) };
  if (body !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let response, text;
  try {
    response = await fetch(path, options);
    text = await response.text();
  } catch {
    throw new Offline("the server did not answer");
  }
  const wait = Number(response.headers.get("Retry-After")) || 1;
  return { status: response.status, value: parsed(text), wait };
}

// Whether the same request may succeed a little later.
export const passing = (status) => status === 408 || status === 429 || status >= 500;

// Send a request until it is answered; say(words) tells what it waits for, and "" that it goes on.
export async function patient(method, path, body, headers, say = () => {}) {
  for (let tries = 0; ; tries++) {
    let seconds = Math.min(2 ** tries, 15);
    try {
      const answer = await request(method, path, body, headers);
      if (!passing(answer.status)) {
        if (tries) say("");
        return answer;
      }
      say("busy");
      seconds = Math.max(seconds, answer.wait);
    } catch (error) {
      if (!(error instanceof Offline)) throw error;
      say("offline");
    }
    await pause(seconds);
  }
}

// Wait for some seconds, or until the connection is back.
export function pause(seconds) {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener("online", end);
      resolve();
    };
    const timer = setTimeout(end, 1000 * seconds);
    addEventListener("online", end);
  });
}

// Change the token behind the # of a link for a cookie; return false if it is not valid.
export async function signIn() {
  const token = location.hash.slice(1);
  if (!token.startsWith("duelli_")) return true;
  const { status } = await patient("POST", "/v1/session", { token });
  history.replaceState(null, "", location.pathname + location.search);
  return status < 400;
}

function parsed(text) {
  try {
    return text ? JSON.parse(text) : {};
  } catch {
    return { error: "The server gave an answer that is not JSON." };
  }
}
