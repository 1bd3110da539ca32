// The playground: asks api/v1/ about the texts in the page, and shows the newest answer. Text never becomes markup:
// everything is written with createElement and textContent.

import { byId, element, plural, visible } from "./text.js";

const root = document.getElementById("playground");
const api = root.dataset.api;
const text = byId("text"), urls = byId("urls"), domain = byId("domain");
const other = byId("other"), assetlinks = byId("assetlinks");
const delay = 150;

// The file as it was opened: bytes that are not UTF-8 are sent as they are and shown read-only.
let name = root.dataset.name;
let binary = null;
let lineEnd = "\n";
let isChanged = false;
let diagnostics = [];
let answers = [];
// The file that the diagnostics are about: links are decided by it, not by a text that nobody has checked yet.
let checked = null;

const encoder = new TextEncoder();

// Bytes and base64

function bytesOf(base64) { return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)); }

function base64Of(bytes) {
  let string = "";
  for (const byte of bytes) string += String.fromCharCode(byte);
  return btoa(string);
}

function decoded(bytes) {
  try { return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes); } catch { return null; }
}

// A lone half of a surrogate pair has no bytes; U+FFFD has as many as such a half would.
function wellFormed(string) { return string.toWellFormed ? string.toWellFormed() : string.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd"); }

function file() {
  return binary ? { base64: base64Of(binary), name } : { text: wellFormed(text.value), name };
}

// Halves of surrogate pairs go through a fix as private characters, which have as many bytes, and come back.
function hideHalves(string) {
  const used = new Set(string);
  const map = new Map();
  let next = 0xE000;
  const hidden = Array.from(string, (character) => {
    const point = character.codePointAt(0);
    if (point < 0xD800 || point > 0xDFFF) return character;
    if (!map.has(character)) {
      while (used.has(String.fromCharCode(next))) next += 1;
      map.set(character, String.fromCharCode(next));
      next += 1;
    }
    return map.get(character);
  }).join("");
  const back = new Map([...map].map(([half, stand]) => [stand, half]));
  return { hidden, restore: (result) => Array.from(result, (character) => back.get(character) ?? character).join("") };
}

// Requests: a newer one of the same kind aborts the one before

const running = {};

async function ask(kind, body) {
  running[kind]?.abort();
  const controller = new AbortController();
  running[kind] = controller;
  const response = await fetch(api + kind, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
    signal: controller.signal, cache: "no-store", credentials: "omit", redirect: "error",
  });
  const answer = await response.json();
  if (running[kind] !== controller) throw new DOMException("a newer one was sent", "AbortError");
  return answer;
}

function quietly(promise) {
  promise.catch((error) => {
    if (error.name !== "AbortError") summarize("The console does not answer. Is it still running?");
  });
}

function summarize(sentence) { if (byId("summary").textContent !== sentence) byId("summary").textContent = sentence; }

// Findings

async function validate() {
  const sent = file();
  const answer = await ask("validate", sent);
  checked = sent;
  if (answer.error) { diagnostics = []; checked = null; summarize(answer.error); return showFindings(); }
  diagnostics = answer.diagnostics;
  const { errors, warnings } = answer.summary;
  const parts = [errors && plural(errors, "error"), warnings && plural(warnings, "warning")].filter(Boolean);
  summarize(parts.length ? parts.join(", ") : "No findings");
  byId("fix-all").hidden = binary !== null || answer.fixable.automatic === 0;
  showFindings();
  showSource();
}

// Whether links can be decided: a reader that repairs nothing takes a file with these errors of the syntax only.
const tolerable = ["duplicate-key", "file-too-large"];

function isUsable() {
  return checked !== null && !diagnostics.some((finding) => finding.severity === "error" && finding.pointer === null && !tolerable.includes(finding.code));
}

function showFindings() {
  byId("findings").replaceChildren(...diagnostics.map((finding) => {
    const item = element("li", { "data-code": finding.code, "data-severity": finding.severity });
    const line = element("p", {}, element("span", { class: "severity" }, finding.severity), " ");
    if (finding.range.end.offset > 0) {
      const { line: number, column } = finding.range.start;
      line.append(element("a", { href: `#L${number}` }, element("span", { class: "visually-hidden" }, "line "), `${number}:${column}`), " ");
    }
    line.append(...visible(finding.message), " ", element("code", { class: "finding-code" }, finding.code));
    item.append(line);
    for (const note of finding.notes) item.append(element("p", { class: "remark" }, "note: ", ...visible(note)));
    const fix = finding.fixIts.find((fixIt) => fixIt.edits.length > 0 && fixIt.applicability !== "displayOnly");
    const help = finding.help ?? finding.fixIts[0]?.title;
    if (help && !(fix && fix.title === help)) item.append(element("p", { class: "remark" }, "help: ", ...visible(help)));
    if (fix && !binary) {
      const button = element("button", { type: "button", "data-fix": finding.code }, ...visible(fix.title));
      button.addEventListener("click", () => quietly(apply({ only: [{ code: finding.code, offset: finding.range.start.offset }] })));
      item.append(button);
    }
    return item;
  }));
}

async function apply(choice) {
  const { hidden, restore } = hideHalves(text.value);
  const answer = await ask("fix", { text: hidden, name, ...choice });
  if (answer.error) return summarize(answer.error);
  replaceText(restore(answer.text));
  const note = answer.notes?.[0]?.message;
  summarize(`Fixed ${plural(answer.fixed.length, "finding")}` + (note ? `; ${note}` : ""));
  text.focus();
  update();
}

// As a person would have typed it, so that it can be undone.
function replaceText(value) {
  const old = text.value;
  if (old === value) return;
  let start = 0;
  while (start < old.length && start < value.length && old[start] === value[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < value.length - start && old[old.length - 1 - end] === value[value.length - 1 - end]) end += 1;
  const middle = value.slice(start, value.length - end);
  text.focus();
  text.setSelectionRange(start, old.length - end);
  const isDone = middle ? document.execCommand("insertText", false, middle) : document.execCommand("delete");
  // Where the browser cannot, or takes other characters, it is set as a whole.
  if (!isDone || text.value !== value) text.value = value;
  isChanged = true;
}

// The text with its findings marked; offsets are UTF-8 bytes

const shown = { lines: 5000 };
const ranks = ["note", "warning", "error", "critical"];

function showSource() {
  const list = byId("source");
  const lines = (binary ? new TextDecoder().decode(binary) : text.value).split(/\r\n|\r|\n/);
  const marks = binary ? [] : diagnostics.filter((finding) => finding.range.end.offset > 0).map((finding) => ({
    start: finding.range.start.offset, end: Math.max(finding.range.end.offset, finding.range.start.offset + 1), finding,
  }));
  const deciding = new Set(answers.map((answer) => answer.rule?.line));
  const whole = wellFormed(text.value);
  let offset = 0, unit = 0;
  list.replaceChildren(...lines.slice(0, shown.lines).map((line, index) => {
    const length = encoder.encode(wellFormed(line)).length;
    const inside = marks.filter((mark) => mark.start <= offset + length && mark.end > offset);
    const code = element("code");
    code.append(...(inside.length ? segments(line, offset, length, inside) : visible(line)));
    const item = element("li", { id: `L${index + 1}` }, code);
    if (deciding.has(index + 1)) item.setAttribute("aria-current", "true");
    unit += line.length;
    const isPair = whole[unit] === "\r" && whole[unit + 1] === "\n";
    unit += isPair ? 2 : 1;
    offset += length + (isPair ? 2 : 1);
    return item;
  }));
}

function segments(line, offset, length, marks) {
  // Byte offsets of the line's UTF-16 units.
  const cuts = new Set([0, length]);
  for (const mark of marks) {
    cuts.add(Math.min(Math.max(mark.start - offset, 0), length));
    cuts.add(Math.min(Math.max(mark.end - offset, 0), length));
  }
  const offsets = [...cuts].sort((one, another) => one - another);
  const bytes = encoder.encode(wellFormed(line));
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const nodes = [];
  const mark = (finding, content) => element("mark", {
    "data-code": finding.code, "data-severity": finding.severity, title: `${finding.severity}: ${finding.message}`,
  }, ...visible(content));
  const worst = (some) => some.reduce((best, one) => !best || ranks.indexOf(one.finding.severity) > ranks.indexOf(best.finding.severity) ? one : best, null);
  for (let index = 0; index + 1 < offsets.length; index += 1) {
    const [start, end] = [offsets[index], offsets[index + 1]];
    const content = decoder.decode(bytes.subarray(start, end));
    const best = worst(marks.filter((one) => one.start - offset <= start && one.end - offset >= end));
    nodes.push(...(best ? [mark(best.finding, content)] : visible(content)));
  }
  const last = worst(marks.filter((one) => one.start - offset === length));
  if (last) nodes.push(mark(last.finding, ""));
  return nodes;
}

// Links

function wanted() {
  return urls.value.split("\n").map((line) => line.trim()).filter(Boolean).slice(0, 1000).map((line) => {
    const [url, expected] = line.split(/\s+/, 2);
    return { url, expected };
  });
}

function holds(answer, expected) {
  if (!expected || answer.error) return expected ? false : null;
  if (["open", "excluded"].includes(expected)) return answer.outcome === expected;
  if (expected === "none") return answer.outcome === "noMatch";
  return answer.outcome === "open" && answer.appIDs.includes(expected);
}

const words = {
  open: "opens", excluded: "excluded", noMatch: "stays in browser", notDecided: "not decided", unknown: "not known", error: "error",
};

function problem(sentence) {
  byId("problem").textContent = sentence ?? "";
  byId("problem").hidden = !sentence;
}

async function route() {
  const asked = wanted();
  const body = byId("decisions").tBodies[0];
  const hasAndroid = assetlinks.value.trim() !== "";
  byId("android-heading").hidden = !hasAndroid;
  if (!asked.length || !isUsable()) {
    answers = [];
    running.route?.abort();
    problem(asked.length ? "No links are decided until the errors are fixed." : null);
    body.replaceChildren();
    return showSource();
  }
  const request = { ...checked, urls: asked.map((one) => one.url), trace: false };
  if (domain.value.trim()) request.domain = domain.value.trim();
  if (hasAndroid) request.assetlinks = { text: wellFormed(assetlinks.value) };
  const answer = await ask("route", request);
  if (answer.error) {
    answers = [];
    problem(answer.code === "unusable-file" ? "No links are decided until the errors are fixed." : answer.error);
    body.replaceChildren();
    return showSource();
  }
  problem();
  answers = answer.results;
  body.replaceChildren(...answers.map((result, index) => row(result, asked[index], hasAndroid)));
  showSource();
}

function row(result, { url, expected }, hasAndroid) {
  const outcome = result.error ? "error" : result.outcome ?? result.android?.outcome;
  const held = holds(result, expected);
  const cell = element("td", {}, element("span", { class: "outcome" }, words[outcome] ?? outcome), " ");
  if (result.error) cell.append(...visible(result.error));
  if (result.rule) cell.append(element("a", { href: `#L${result.rule.line}` }, `line ${result.rule.line}`));
  for (const app of result.appIDs ?? []) cell.append(" ", element("code", {}, ...visible(app)));
  if (!result.rule && result.reason) cell.append(element("span", { class: "expectation" }, ...visible(result.reason)));
  for (const miss of result.nearMisses ?? []) {
    cell.append(element("span", { class: "expectation", "data-change": miss.change }, ...visible(miss.message)));
  }
  if (held !== null) cell.append(element("span", { class: "expectation" }, held ? "✓ as expected" : `✗ expected: ${expected}`));
  const line = element("tr", { "data-outcome": outcome }, element("th", { scope: "row" }, ...visible(url)), cell);
  if (held !== null) line.setAttribute("data-expected", held ? "held" : "failed");
  if (hasAndroid) {
    const android = result.android;
    line.append(element("td", { "data-android": android?.outcome },
      words[android?.outcome] ?? "–", ...(android?.packages ?? []).flatMap((one) => [" ", element("code", {}, ...visible(one))])));
  }
  return line;
}

// Changes

const changeWords = {
  "opens": "now opens", "no longer opens": "no longer opens", "other apps": "opens other apps",
  "now excluded": "is now excluded", "no longer excluded": "is no longer excluded",
};

async function diff() {
  const list = byId("changes");
  const say = (sentence) => { byId("changes-summary").textContent = sentence; };
  if (!other.value.trim()) { list.replaceChildren(); return say(""); }
  if (!isUsable()) { list.replaceChildren(); return say("No changes are known until the errors are fixed."); }
  const request = { old: { text: wellFormed(other.value), name }, new: checked };
  if (domain.value.trim()) request.domain = domain.value.trim();
  const answer = await ask("diff", request);
  if (answer.error) { list.replaceChildren(); return say(answer.error); }
  list.replaceChildren(...answer.changes.map((change) => element("li", { "data-kind": change.kind },
    element("code", {}, ...visible(change.witness)), ` ${changeWords[change.kind] ?? change.kind}`)),
    ...(answer.apps ?? []).map((app) => element("li", { "data-kind": app.kind },
      element("code", {}, ...visible(app.package)), ` ${app.kind}`)));
  const count = answer.changes.length + (answer.apps ?? []).length;
  const open = answer.undecided.length ? `, ${answer.undecided.length} not decided` : "";
  say(count ? `${plural(count, "change")}${open}` : `No link changes${open}`);
}

// What a change of the page asks

function update() { quietly(validate().then(() => { quietly(route()); quietly(diff()); })); }

let timer = 0;
function soon(action) {
  clearTimeout(timer);
  timer = setTimeout(action, delay);
}

text.addEventListener("input", () => { isChanged = true; soon(update); });
for (const field of [urls, domain, assetlinks]) field.addEventListener("input", () => soon(() => { quietly(route()); quietly(diff()); }));
other.addEventListener("input", () => soon(() => quietly(diff())));
byId("fix-all").addEventListener("click", () => quietly(apply({})));

// Files

function load(bytes, title) {
  name = title;
  const string = decoded(bytes);
  binary = string === null ? bytes : null;
  text.readOnly = binary !== null;
  byId("readonly").hidden = binary === null;
  lineEnd = string?.includes("\r\n") && !/(^|[^\r])\n/.test(string) ? "\r\n" : "\n";
  text.value = string ?? new TextDecoder().decode(bytes);
  byId("text-label").replaceChildren(...visible(title === "apple-app-site-association" ? "Association file" : title));
  isChanged = false;
  update();
}

async function open(chosen) {
  if (!chosen || isChanged && !confirm("Replace the text, which you have changed?")) return;
  if (chosen.size > 190000) return summarize("The file is larger than the console takes: 190,000 bytes.");
  load(new Uint8Array(await chosen.arrayBuffer()), chosen.name);
}

byId("choose").addEventListener("click", () => byId("open").click());
byId("open").addEventListener("change", (event) => { quietly(open(event.target.files[0])); event.target.value = ""; });
text.addEventListener("dragover", (event) => { event.preventDefault(); text.classList.add("over"); });
text.addEventListener("dragleave", () => text.classList.remove("over"));
text.addEventListener("drop", (event) => {
  text.classList.remove("over");
  if (!event.dataTransfer.files.length) return;
  event.preventDefault();
  quietly(open(event.dataTransfer.files[0]));
});

byId("download").addEventListener("click", () => {
  const content = binary ?? text.value.replaceAll("\n", lineEnd);
  const link = element("a", { download: "apple-app-site-association" });
  link.href = URL.createObjectURL(new Blob([content], { type: "application/octet-stream" }));
  link.click();
  URL.revokeObjectURL(link.href);
  isChanged = false;
});

addEventListener("beforeunload", (event) => { if (isChanged) event.preventDefault(); });

if (root.dataset.assetlinks) {
  assetlinks.value = new TextDecoder().decode(bytesOf(root.dataset.assetlinks));
  byId("android-part").open = true;
}
load(bytesOf(root.dataset.base64), name);
