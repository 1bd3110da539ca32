// The playground: asks api/v1/ about the texts in the page, and shows the newest answer. Text never becomes markup:
// everything is written with createElement and textContent.

import { byId, codeLink, element, plural, visible } from "./text.js";

const root = document.getElementById("playground");
const api = root.dataset.api;
const text = byId("text"), urls = byId("urls"), domain = byId("domain");
const other = byId("other"), assetlinks = byId("assetlinks");
const delay = 150;

// The file as it was opened: bytes that are not UTF-8 are sent as they are and shown read-only. The example has no name,
// so that another text can be pasted in its place.
let name = root.dataset.name;
let binary = null;
let lineEnd = "\n";
let isChanged = false;
let diagnostics = [];
let answers = [];
// The file that the diagnostics are about, and whether it is an assetlinks.json: links are decided by it, not by a text that
// has not been checked yet.
let checked = null;
let isForAndroid = false;
// What the last fix did, until the next edit.
let fixNote = "";

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

// Whether the file is an assetlinks.json: its name tells, or its first bracket.
function isAssetLinks() {
  if (["apple-app-site-association", "apple-app-site-association.json", "AndroidManifest.xml"].includes(name)) return false;
  return name === "assetlinks.json" || /^[^{[]*\[/.test(text.value);
}

// The name under which a file of this kind is published.
function publicName(isLinks) { return isLinks ? "assetlinks.json" : "apple-app-site-association"; }

function fileName() { return name || publicName(isAssetLinks()); }

function file() {
  return binary ? { base64: base64Of(binary), name: fileName() } : { text: wellFormed(text.value), name: fileName() };
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
  controller.signal.throwIfAborted();
  return answer;
}

function quietly(promise) {
  promise.catch((error) => {
    if (error.name === "AbortError") return;
    // What was decided may be about an older text.
    checked = null;
    summarize("The console does not answer. Is it still running?");
    showNoDecisions(null);
    showNoChanges("");
  });
}

let summary = "";
function summarize(sentence) {
  if (sentence === summary) return;
  summary = sentence;
  byId("summary").replaceChildren(...visible(sentence));
}

// What is wrong with a file that cannot be used: its first error and where it is.
function complaint(title, answer) {
  const first = answer.diagnostics?.[0];
  if (!first) return `${title}: ${answer.error}`;
  const { start, end } = first.range;
  return `${title}${end.offset > 0 ? `, line ${start.line}, column ${start.column}` : ""}: ${first.message}`;
}

// Findings

async function validate() {
  const sent = file(), isLinks = isAssetLinks();
  byId("text-label").replaceChildren(...visible(sent.name === "apple-app-site-association" ? "Association file" : sent.name));
  const answer = await ask("validate", sent);
  checked = answer.error ? null : sent;
  // Decisions of the other platform are not those of this file.
  if (isForAndroid !== isLinks) answers = [];
  isForAndroid = isLinks;
  diagnostics = answer.diagnostics ?? [];
  byId("platform-heading").textContent = isLinks ? "Android" : "iOS";
  byId("android-part").hidden = isLinks;
  showFindings();
  showSource();
  byId("fix-all").hidden = binary !== null || !answer.fixable?.automatic;
  if (answer.error) return summarize(answer.error);
  const { errors, warnings } = answer.summary;
  const parts = [errors && plural(errors, "error"), warnings && plural(warnings, "warning")].filter(Boolean);
  summarize((parts.length ? parts.join(", ") : "No findings") + (fixNote && `. ${fixNote}`));
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
    line.append(...visible(finding.message), " ", codeLink(finding.code));
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
  const before = text.value;
  const { hidden, restore } = hideHalves(before);
  const answer = await ask("fix", { text: hidden, name: fileName(), ...choice });
  if (answer.error) return summarize(answer.error);
  // What was typed in the meantime is not overwritten.
  if (text.value !== before) return;
  replaceText(restore(answer.text));
  fixNote = [`Fixed ${plural(answer.fixed.length, "finding")}`, ...answer.notes.map((note) => note.message)].join("; ");
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
  const deciding = new Set(answers.flatMap((answer) => decision(answer).lines));
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

// The reasons why an assetlinks.json alone does not decide a link.
const reasons = {
  "no-manifest": "it has no dynamic rules, so its manifest decides",
  "rules-discarded": "its dynamic rules are discarded, so its manifest decides",
  "too-large": "to compare this link takes too many steps",
};

// What the file itself decides: Android's rules are those of an assetlinks.json.
function decision({ error, outcome, appIDs = [], rule, reason, android }) {
  if (error) return { outcome: "error", apps: [], lines: [], reason: error };
  if (!isForAndroid) return { outcome, apps: appIDs, lines: rule ? [rule.line] : [], reason };
  const open = android.apps.filter((app) => app.reason && app.outcome === "unknown");
  return {
    outcome: android.outcome, apps: android.packages,
    lines: [...new Set(android.apps.filter((app) => app.rule).map((app) => app.rule.line))],
    reason: android.outcome !== "unknown" ? null : open.length
      ? open.map((app) => `${app.package}: ${reasons[app.reason] ?? app.reason}`).join("; ")
      : "the file includes another one, which is not read",
  };
}

// Null if nothing is expected, or it is not known what happens.
function holds({ outcome, apps }, expected) {
  if (!expected || outcome === "unknown") return null;
  if (["open", "excluded"].includes(expected)) return outcome === expected;
  if (expected === "none") return outcome === "noMatch";
  return outcome === "open" && apps.includes(expected);
}

const words = {
  open: "opens", excluded: "excluded", noMatch: "stays in browser", notDecided: "not decided", unknown: "not known", error: "error",
};

function problem(sentence) {
  byId("problem").replaceChildren(...visible(sentence ?? ""));
  byId("problem").hidden = !sentence;
}

function showNoDecisions(sentence) {
  answers = [];
  running.route?.abort();
  problem(sentence);
  byId("android-heading").hidden = true;
  byId("decisions").tBodies[0].replaceChildren();
  showSource();
}

const untilFixed = "No links are decided until the errors are fixed.";

async function route() {
  const asked = wanted();
  let hasAndroid = !isForAndroid && assetlinks.value.trim() !== "";
  if (!asked.length || checked === null) return showNoDecisions(null);
  if (!isUsable()) return showNoDecisions(untilFixed);
  const request = { ...checked, urls: asked.map((one) => one.url), trace: false };
  if (domain.value.trim()) request.domain = domain.value.trim();
  let answer = await ask("route", hasAndroid ? { ...request, assetlinks: { text: wellFormed(assetlinks.value) } } : request);
  let refusal = null;
  if (answer.error && hasAndroid) {
    // An assetlinks.json that cannot be used hides nothing of what the file itself decides.
    refusal = `Nothing is decided for Android. ${complaint("assetlinks.json", answer)}`;
    hasAndroid = false;
    answer = await ask("route", request);
  }
  if (answer.error) return showNoDecisions(answer.code === "unusable-file" ? untilFixed : answer.error);
  problem(refusal);
  answers = answer.results;
  byId("android-heading").hidden = !hasAndroid;
  byId("decisions").tBodies[0].replaceChildren(...answers.map((result, index) => row(result, asked[index], hasAndroid)));
  showSource();
}

function row(result, { url, expected }, hasAndroid) {
  const own = decision(result);
  const held = holds(own, expected);
  const cell = element("td", {}, element("span", { class: "outcome" }, words[own.outcome] ?? own.outcome));
  for (const number of own.lines) cell.append(" ", element("a", { href: `#L${number}` }, `line ${number}`));
  for (const app of own.apps) cell.append(" ", element("code", {}, ...visible(app)));
  if (!own.lines.length && own.reason) cell.append(element("span", { class: "expectation" }, ...visible(own.reason)));
  for (const miss of result.nearMisses ?? []) {
    cell.append(element("span", { class: "expectation", "data-change": miss.change }, ...visible(miss.message)));
  }
  const judgement = held === null ? "? expected: " : held ? "✓ as expected" : "✗ expected: ";
  if (expected) cell.append(element("span", { class: "expectation" }, judgement, ...visible(held ? "" : expected)));
  const line = element("tr", { "data-outcome": own.outcome }, element("th", { scope: "row" }, ...visible(url)), cell);
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

function sayChanges(sentence) { byId("changes-summary").replaceChildren(...visible(sentence)); }

function showNoChanges(sentence) {
  running.diff?.abort();
  byId("changes").replaceChildren();
  sayChanges(sentence);
}

async function diff() {
  if (!other.value.trim() || checked === null) return showNoChanges("");
  if (!isUsable()) return showNoChanges("No changes are known until the errors are fixed.");
  const request = { old: { text: wellFormed(other.value), name: publicName(isForAndroid) }, new: checked };
  if (domain.value.trim()) request.domain = domain.value.trim();
  const answer = await ask("diff", request);
  if (answer.error) {
    const title = answer.file === "new" ? "The file" : "The older version";
    return showNoChanges(answer.code === "unusable-file" ? complaint(title, answer) : answer.error);
  }
  byId("changes").replaceChildren(...answer.changes.map((change) => element("li", { "data-kind": change.kind },
    element("code", {}, ...visible(change.witness)), ` ${changeWords[change.kind] ?? change.kind}`)),
    ...(answer.apps ?? []).map((app) => element("li", { "data-kind": app.kind },
      element("code", {}, ...visible(app.package)), ` ${app.kind}`)));
  const count = answer.changes.length + (answer.apps ?? []).length;
  const open = answer.undecided.length ? `, ${answer.undecided.length} not decided` : "";
  sayChanges(count ? `${plural(count, "change")}${open}` : `No link changes${open}`);
}

// What a change of the page asks

function update() { quietly(validate().then(() => { quietly(route()); quietly(diff()); })); }

// A timer for each field: what is typed into one of them does not put off the check of another.
const timers = new Map();
function soon(field, action) {
  field.addEventListener("input", () => {
    clearTimeout(timers.get(field));
    timers.set(field, setTimeout(action, delay));
  });
}

text.addEventListener("input", () => { isChanged = true; fixNote = ""; });
soon(text, update);
for (const field of [urls, domain, assetlinks]) soon(field, () => { quietly(route()); quietly(diff()); });
soon(other, () => quietly(diff()));
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
  isChanged = false;
  fixNote = "";
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
  const link = element("a", { download: name === "AndroidManifest.xml" ? name : publicName(isAssetLinks()) });
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
