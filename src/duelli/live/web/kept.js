// What this browser keeps of a study: who answers, and an answer that is not sent yet.
// Two tabs share it. Without storage (some private windows) it lasts as long as the page.

const memory = new Map();

export function load(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return memory.get(name) ?? null;
  }
}

export function save(name, value) {
  memory.set(name, value);
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // It is in memory.
  }
}

export function randomName(length = 20) {
  const letters = "abcdefghijkmnpqrstuvwxyz23456789";
  return Array.from(crypto.getRandomValues(new Uint8Array(length)), (b) => letters[b % 32]).join("");
}

// The name under which this browser answers.
export function clientName() {
  const found = load("duelli:client");
  if (typeof found === "string") return found;
  const made = `person-${randomName(8)}`;
  save("duelli:client", made);
  return made;
}
