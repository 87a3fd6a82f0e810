// The form that makes a study.

import { byId, make } from "./dom.js";
import { Offline, request } from "./net.js";

const form = byId("form");
const KINDS = {
  linear: "Number",
  int: "Whole number",
  choices: "One of a list",
  fixed: "Always the same",
};

export function openForm() {
  if (!byId("rows").children.length) addRow();
  refuse("");
  form.elements.name.focus();
}

function refuse(words) {
  byId("refused").hidden = !words;
  byId("refused").textContent = words;
}

const labelled = (words, control) => make("label", {}, words, control);

function addRow() {
  const kind = make("select", { name: "side" },
    ...Object.entries(KINDS).map(([value, words]) => make("option", { value }, words)));
  const inputs = make("div", {});
  const remove = make("button", { type: "button" }, "Remove");
  const name = make("input", { name: "parameter", autocomplete: "off", placeholder: "size" });
  const row = make("div", {}, labelled("Name", name), labelled("Kind", kind), inputs, remove);
  const fill = () => inputs.replaceChildren(kind.value in WRITTEN ? WRITTEN[kind.value]() : bounds());
  kind.addEventListener("change", fill);
  remove.addEventListener("click", () => {
    row.remove();
    if (!byId("rows").children.length) addRow();
  });
  fill();
  byId("rows").append(row);
  return name;
}

const WRITTEN = {
  choices: () => labelled("Values, with commas between them",
    make("input", { name: "choices", placeholder: "serif, sans", autocomplete: "off" })),
  fixed: () => labelled("Value", make("input", { name: "fixed", autocomplete: "off" })),
};

function bounds() {
  const number = (name, value) => make("input", { name, value, type: "number", step: "any" });
  const log = make("label", { className: "tick" }, make("input", { type: "checkbox", name: "log" }), " log scale");
  return make("div", { className: "bounds" },
    labelled("From", number("low", "0")), labelled("To", number("high", "1")), log);
}

// What a cell of the form means: a number if it looks like one.
const scalar = (text) => (text !== "" && Number.isFinite(Number(text)) ? Number(text) : text);
const listed = (text) => text.split(",").map((part) => part.trim()).filter(Boolean);

function side(row) {
  const field = (name) => row.querySelector(`[name="${name}"]`);
  const name = field("parameter").value.trim();
  const kind = field("side").value;
  if (!name) throw new Error("Every parameter needs a name.");
  if (kind === "choices") return { name, choices: listed(field("choices").value).map(scalar) };
  if (kind === "fixed") return { name, fixed: scalar(field("fixed").value.trim()) };
  const [low, high] = [field("low"), field("high")].map((input) => input.valueAsNumber);
  if (!(low < high)) throw new Error(`${name} must have a lower and a higher bound.`);
  const scale = field("log").checked ? (kind === "int" ? "log int" : "log") : kind;
  return { name, low, high, scale };
}

function shown(field) {
  const kind = field.kind.value;
  if (kind === "text") return { kind, template: field.template.value };
  if (kind === "colour") return { kind, space: field.space.value, from: listed(field.from.value) };
  if (kind === "image") return { kind, function: field.function.value.trim() };
  if (kind === "page") return { kind, url: field.url.value.trim() };
  return { kind };
}

function settings() {
  const field = form.elements;
  return {
    name: field.name.value.trim(),
    title: field.title.value.trim(),
    question: field.question.value.trim(),
    box: { named: true, parameters: [...byId("rows").children].map(side) },
    horizon: field.horizon.valueAsNumber,
    batch: field.batch.valueAsNumber,
    show: shown(field),
  };
}

async function send() {
  let body;
  try {
    body = settings();
  } catch (error) {
    return refuse(error.message);
  }
  try {
    const { status, value } = await request("POST", "/v1/studies", body);
    if (status !== 201) return refuse(value.error.charAt(0).toUpperCase() + value.error.slice(1));
    const token = value.rater_link.split("#")[1];
    if (token) sessionStorage.setItem(`duelli:link:${value.study}`, token);
    form.reset();
    byId("rows").replaceChildren();
    showFields();
    location.hash = `study=${value.study}`;
  } catch (error) {
    if (!(error instanceof Offline)) throw error;
    refuse("The server does not answer. What you wrote is still here; try again.");
  }
}

function showFields() {
  for (const label of form.querySelectorAll("[data-kind]")) {
    label.hidden = label.dataset.kind !== form.elements.kind.value;
  }
}

form.elements.kind.addEventListener("change", showFields);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  send();
});
byId("add").addEventListener("click", () => addRow().focus());
