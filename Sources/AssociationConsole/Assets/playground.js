// The playground: asks api/v1/ about the texts in the page, and shows what was answered about them, never about others. Text
// never becomes markup: everything is written with createElement and textContent.

import { abort, ask, base64Of, bytesOf, complaint, decoded, hideHalves, sentence, wellFormed } from "./api.js";
import { sayChanges, showChanges } from "./changes.js";
import { Editor } from "./editor.js";
import { showFindings } from "./findings.js";
import { decidingLines, showDecisions, showNoDecisions } from "./links.js";
import { commands, copy, download, linkTo, linkedState, markdown } from "./takeaway.js";
import { byId, plural, visible } from "./text.js";

const root = byId("playground");
const delay = 150;
const publicNames = { aasa: "apple-app-site-association", assetlinks: "assetlinks.json", manifest: "AndroidManifest.xml" };
const fields = Object.fromEntries(["text", "urls", "domain", "api", "assetlinks", "manifest", "other"].map((id) => [id, byId(id)]));
const editors = Object.fromEntries(["text", "assetlinks", "manifest", "urls", "other"].map((id) => [id, new Editor(fields[id])]));

// The file as it was opened: bytes that are not UTF-8 are sent as they are and shown read-only. The example has no name,
// so that another text can be pasted in its place.
let name = "", binary = null, lineEnd = "\n", isChanged = false;
// What the console says that the text is, and the answers that are shown; null where they are about another text.
let kind = "aasa", findings = [], tested = null, compared = null;
// Whether links can be decided, the link whose rules are shown, and what the last fix did.
let explained = -1;

function sayFixed(parts) { byId("fix-note").replaceChildren(...visible(parts.join("; "))); }

function say(text) { if (byId("summary").textContent !== text) byId("summary").replaceChildren(...visible(text)); }

function problem(text) {
  byId("problem").replaceChildren(...visible(text));
  byId("problem").hidden = !text;
}

// The questions, each with the parts of the page that show the answer. An edit of a field makes what depends on it stale at
// once; an answer is shown only if none of its fields was edited since it was asked for.

const edits = { file: 0, links: 0, changes: 0, assetlinks: 0, manifest: 0 };
const uses = {
  text: ["file", "links", "changes"], urls: ["links"], api: ["links"], domain: ["links", "changes"],
  assetlinks: ["assetlinks", "links"], manifest: ["manifest", "links"], other: ["changes"],
};

function expire(parts) {
  for (const part of parts) {
    edits[part] += 1;
    byId(`${part}-part`).dataset.stale = "";
  }
  if (parts.includes("links")) tested = null;
  if (parts.includes("changes")) compared = null;
  byId("download-links").disabled = tested === null;
}

async function question(part, action) {
  const edit = edits[part];
  const isCurrent = () => edit === edits[part];
  try {
    await action(isCurrent);
  } catch (error) {
    if (error.name === "AbortError" || !isCurrent()) return;
    for (const one of Object.keys(clear)) clear[one]();
    say("The console does not answer. Is it still running?");
  }
  if (isCurrent()) delete byId(`${part}-part`).dataset.stale;
}

const clear = {
  file: () => showFile([]), assetlinks: () => showSecond("assetlinks", []), manifest: () => showSecond("manifest", []),
  links: () => noDecisions(""), changes: () => noChanges(""),
};

const questions = { file: checkFile, links: decide, changes: compare, assetlinks: () => checkSecond("assetlinks"), manifest: () => checkSecond("manifest") };

// The kind of the file decides which fields there are, so it is asked first.
async function run(parts) {
  if (parts.includes("file")) await questions.file();
  await Promise.all(parts.filter((part) => part !== "file").map((part) => questions[part]()));
}

const timers = new Map();
for (const [id, parts] of Object.entries(uses)) {
  fields[id].addEventListener("input", () => {
    if (id === "text") { isChanged = true; sayFixed([]); }
    if (id === "urls") explained = -1;
    expire(parts);
    clearTimeout(timers.get(id));
    timers.set(id, setTimeout(() => run(parts), delay));
  });
}

function update() {
  const parts = Object.keys(edits);
  expire(parts);
  return run(parts);
}

// Findings

function file() {
  const content = binary ? { base64: base64Of(binary) } : { text: wellFormed(fields.text.value) };
  return name ? { ...content, name } : content;
}

function fileName() { return name || publicNames[kind]; }

function checkFile() {
  return question("file", async (isCurrent) => {
    const answer = await ask("validate", { ...file(), kind: true });
    if (!isCurrent()) return;
    setKind(answer.kind ?? kind);
    showFile(answer.diagnostics ?? []);
    byId("fix-all").disabled = binary !== null || !answer.fixable?.automatic;
    byId("fix-suggested").disabled = binary !== null || !answer.fixable?.suggested;
    if (answer.error) return say(sentence(answer));
    const { errors, warnings } = answer.summary;
    const parts = [errors && plural(errors, "error"), warnings && plural(warnings, "warning")].filter(Boolean);
    say(parts.length ? parts.join(", ") : "No findings");
  });
}

function setKind(found) {
  kind = found;
  const title = fileName();
  byId("text-label").replaceChildren(...visible(title === publicNames.aasa ? "Association file" : title));
  byId("assetlinks-part").hidden = kind === "assetlinks";
  byId("manifest-part").hidden = kind === "manifest";
  byId("changes-section").hidden = kind === "manifest";
}

function showFile(list) {
  findings = list;
  showFindings(byId("findings"), findings, editors.text, binary ? null : apply);
  editors.text.mark(binary ? [] : findings);
  const unseen = editors.text.unseen.slice(0, 5).map((one) => `${one.name} in line ${one.line}`);
  byId("unseen").textContent = unseen.length ? `Characters that cannot be seen: ${unseen.join(", ")}` : "";
}

function checkSecond(id) {
  return question(id, async (isCurrent) => {
    const isAsked = fields[id].value.trim() && kind !== id;
    const answer = isAsked ? await ask("validate", second(id), id) : {};
    if (!isCurrent()) return;
    showSecond(id, answer.diagnostics ?? []);
    const { errors, warnings } = answer.summary ?? {};
    byId(`${id}-summary`).textContent = answer.error ? sentence(answer) : !isAsked ? "" : errors + warnings ? `${plural(errors, "error")}, ${plural(warnings, "warning")}` : "No findings";
  });
}

function showSecond(id, list) {
  showFindings(byId(`${id}-findings`), list, editors[id]);
  editors[id].mark(list);
}

function second(id) { return { text: wellFormed(fields[id].value), name: publicNames[id] }; }

async function apply(choice) {
  const before = fields.text.value;
  const { hidden, restore } = hideHalves(before);
  let answer;
  try { answer = await ask("fix", { text: hidden, name: fileName(), ...choice }); } catch (error) {
    return error.name === "AbortError" ? undefined : sayFixed(["The console does not answer"]);
  }
  if (answer.error) return sayFixed([sentence(answer)]);
  // What was typed in the meantime is not overwritten.
  if (fields.text.value !== before) return;
  editors.text.replace(restore(answer.text));
  isChanged = true;
  sayFixed([`Fixed ${plural(answer.fixed.length, "finding")}`, ...answer.notes.map((note) => note.message)]);
  clearTimeout(timers.get("text"));
  update();
}

byId("fix-all").addEventListener("click", () => apply({}));
byId("fix-suggested").addEventListener("click", () => apply({ suggested: true }));

// Links

const untilFixed = "No links are decided until the errors are fixed.";

function isGiven(id) { return fields[id].value.trim() !== "" && kind !== id && !byId(`${id}-part`).hidden; }

// The fields in which the lines of an answer are.
function places() {
  return { apple: editors.text, links: kind === "assetlinks" ? editors.text : editors.assetlinks, manifest: kind === "manifest" ? editors.text : editors.manifest };
}

function decide() {
  return question("links", async (isCurrent) => {
    if (!fields.urls.value.trim()) { abort("test"); return noDecisions(""); }
    const request = { ...file(), cases: wellFormed(fields.urls.value) };
    const domain = fields.domain.value.trim(), api = fields.api.value.trim();
    if (domain) request.domain = domain;
    if (api) request.api = /^\d+$/.test(api) ? Number(api) : api;
    for (const id of ["assetlinks", "manifest"]) if (isGiven(id)) request[id] = second(id);
    if (explained >= 0) request.explain = explained;
    const answer = await ask("test", request);
    if (!isCurrent()) return;
    if (answer.error) return noDecisions(sentence(answer));
    if (!answer.cases) return noDecisions(answer.problems[0].diagnostics ? untilFixed : sentence(answer.problems[0]));
    tested = answer;
    problem(answer.problems.map((one) => `${complaint(publicNames[one.file] ?? one.file, one)}.`).join(" "));
    showDecisions(answer, places(), (index) => { explained = index; expire(["links"]); decide(); });
    showFindings(byId("urls-findings"), answer.diagnostics, editors.urls);
    editors.urls.mark(answer.diagnostics);
    point(decidingLines(answer.cases));
    const { failed } = answer, open = answer.cases.filter((one) => Object.keys(one.expected).length).length;
    const verdict = open ? failed ? `, ${failed} not as expected` : ", as expected" : "", missed = answer.unreached.length;
    byId("decided").textContent = `${plural(answer.cases.length, "link")}${verdict}${missed ? `; ${plural(missed, "rule")} not covered` : ""}`;
    byId("download-links").disabled = answer.cases.length === 0;
  });
}

function point(lines) {
  const { links, manifest } = places();
  for (const editor of [editors.text, editors.assetlinks, editors.manifest]) {
    editor.decide([...(editor === editors.text && kind === "aasa" ? lines.apple : []), ...(editor === links ? lines.links : []), ...(editor === manifest ? lines.manifest : [])]);
  }
}

function noDecisions(text) {
  tested = null;
  problem(text);
  byId("decided").textContent = "";
  showFindings(byId("urls-findings"), [], editors.urls);
  editors.urls.mark([]);
  showNoDecisions();
  point({ apple: [], links: [], manifest: [] });
}

const listName = () => `cases.${tested?.list.startsWith("[") ? "json" : "txt"}`;
byId("download-links").addEventListener("click", () => { if (tested) download(listName(), tested.list); });

// Changes

function noChanges(text) {
  abort("diff");
  byId("changes").replaceChildren();
  editors.other.mark([]);
  sayChanges(text);
}

function compare() {
  return question("changes", async (isCurrent) => {
    if (!fields.other.value.trim() || kind === "manifest") return noChanges("");
    const request = { old: { text: wellFormed(fields.other.value), name: publicNames[kind] }, new: { ...file(), name: fileName() } };
    if (fields.domain.value.trim()) request.domain = fields.domain.value.trim();
    const answer = await ask("diff", request);
    if (!isCurrent()) return;
    editors.other.mark([]);
    if (answer.error) return noChanges(answer.file === "new" ? "No changes are known until the errors are fixed." : answer.file === "old" ? complaint("The older version", answer) : sentence(answer));
    compared = answer;
    showChanges(answer, editors.other, editors.text);
  });
}

// Files

function load(bytes, title) {
  name = title;
  const string = decoded(bytes);
  binary = string === null ? bytes : null;
  fields.text.readOnly = binary !== null;
  byId("readonly").hidden = binary === null;
  lineEnd = string?.includes("\r\n") && !/(^|[^\r])\n/.test(string) ? "\r\n" : "\n";
  editors.text.value = string ?? new TextDecoder().decode(bytes);
  isChanged = false;
  sayFixed([]);
}

async function open(chosen) {
  if (!chosen || isChanged && !confirm("Replace the text, which you have changed?")) return;
  if (chosen.size > 190000) return say("The file is larger than the console takes: 190,000 bytes.");
  load(new Uint8Array(await chosen.arrayBuffer()), chosen.name);
  update();
}

byId("choose").addEventListener("click", () => byId("open").click());
byId("open").addEventListener("change", (event) => { open(event.target.files[0]); event.target.value = ""; });
fields.text.addEventListener("dragover", (event) => { event.preventDefault(); fields.text.classList.add("over"); });
fields.text.addEventListener("dragleave", () => fields.text.classList.remove("over"));
fields.text.addEventListener("drop", (event) => {
  fields.text.classList.remove("over");
  if (!event.dataTransfer.files.length) return;
  event.preventDefault();
  open(event.dataTransfer.files[0]);
});

// Taking it along

const brokenLink = ["The link cannot be read; it may have been cut off"];

const text = () => fields.text.value.replaceAll("\n", lineEnd);

byId("download").addEventListener("click", () => {
  download(kind === "aasa" ? publicNames.aasa : fileName(), binary ?? text());
  isChanged = false;
});
byId("copy-text").addEventListener("click", () => copy(fields.text.value, ""));
byId("copy-commands").addEventListener("click", () => copy(commands({
  name: kind === "aasa" ? publicNames.aasa : fileName(), domain: fields.domain.value.trim(), api: fields.api.value.trim(), links: isGiven("assetlinks"),
  manifest: isGiven("manifest"), older: compared !== null, cases: tested?.cases ?? [], list: listName(),
}), "For the files as they are downloaded from here."));
byId("copy-report").addEventListener("click", () => {
  const cells = (row, selector) => [...row.querySelectorAll(selector)].filter((cell) => !cell.hidden);
  const table = byId("decisions"), words = (cell) => [...cell.childNodes].filter((node) => !node.matches?.(".why")).map((node) => node.textContent.trim()).filter(Boolean).join(" – ");
  copy(markdown({
    name: fileName(), text: fields.text.value, findings, headings: cells(table.tHead, "th").map((cell) => cell.textContent),
    rows: tested ? [...table.tBodies[0].querySelectorAll("tr[data-outcome]")].map((row) => cells(row, "th, td").map(words)) : [],
  }), "Findings and decisions as Markdown.");
});
byId("copy-link")?.addEventListener("click", async () => {
  const state = Object.fromEntries(Object.entries(fields).map(([id, field]) => [id, field.value]).filter(([, value]) => value));
  const { link, note } = await linkTo(binary ? { ...state, text: "", base64: base64Of(binary), name } : { ...state, name });
  copy(link, note);
});

// Takes over what the page's own link holds; false without such a link.
async function restore() {
  const state = await linkedState();
  if (!state) return false;
  for (const id of ["urls", "domain", "api", "assetlinks", "manifest", "other"]) fields[id].value = state[id] ?? "";
  for (const editor of Object.values(editors)) editor.mark([]);
  load(state.base64 ? bytesOf(state.base64) : new TextEncoder().encode(state.text ?? ""), state.name ?? "");
  if (!state.base64) editors.text.value = state.text ?? "";
  return true;
}

addEventListener("beforeunload", (event) => { if (isChanged) event.preventDefault(); });
addEventListener("hashchange", () => {
  if (!isChanged || confirm("Replace the text, which you have changed?")) restore().then((isRestored) => isRestored && update(), () => sayFixed(brokenLink));
});

fields.assetlinks.value = new TextDecoder().decode(bytesOf(root.dataset.assetlinks ?? ""));
let fault = [];
if (!await restore().catch(() => { fault = brokenLink; })) load(bytesOf(root.dataset.base64), root.dataset.name);
sayFixed(fault);
for (const id of ["assetlinks", "manifest"]) if (fields[id].value) byId("android-part").open = true;
if (fields.other.value) byId("other-part").open = true;
update();
