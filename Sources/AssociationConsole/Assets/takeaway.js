// What can be taken along: the text, a report, commands that do the same, and a link whose fragment has all that was typed.

import { bytesOf } from "./api.js";
import { byId, element } from "./text.js";

// The most that a link may hold once it is inflated, and the length that programs still take.
const maxState = 1 << 20, longLink = 8000;
const prefix = "#state=";

export function download(name, content) {
  const link = element("a", { download: name });
  link.href = URL.createObjectURL(new Blob([content], { type: "application/octet-stream" }));
  link.click();
  URL.revokeObjectURL(link.href);
}

// Copies a text; where the browser refuses, it is shown to be copied by hand.
export async function copy(text, note) {
  const field = byId("taken");
  let isCopied = true;
  try { await navigator.clipboard.writeText(text); } catch { isCopied = false; }
  field.value = text;
  byId("taken-part").hidden = false;
  byId("taken-note").textContent = isCopied ? `Copied. ${note}` : `Copy it from here. ${note}`;
  if (!isCopied) { field.focus(); field.select(); }
}

const quote = (text) => /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

// Commands for the files as they are downloaded.
export function commands({ name, domain, api, links, manifest, older, cases, list }) {
  const options = [domain && ["--domain", domain], links && ["--android", "assetlinks.json"], manifest && ["--manifest", "AndroidManifest.xml"], api && ["--api", api]]
    .filter(Boolean).flat();
  const line = (...parts) => `aasa ${parts.map(quote).join(" ")}`;
  const lines = [line("validate", name, ...(links ? ["assetlinks.json"] : []), ...(manifest ? ["AndroidManifest.xml"] : []))];
  if (cases.length) lines.push(line("route", "--explain", ...options, name, ...cases.slice(0, 20).map((one) => one.url)));
  if (cases.some((one) => Object.keys(one.expected).length)) lines.push(line("test", ...options, name, list));
  if (older) lines.push(line("diff", ...(domain ? ["--domain", domain] : []), `old/${name}`, name));
  return `${lines.join("\n")}\n`;
}

// Text in a code span, and in a cell of a table.
function span(text) {
  const fence = "`".repeat(Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  return `${fence} ${text.replace(/\s+/g, " ").replaceAll("|", "\\|")} ${fence}`;
}

// The report; words of findings and links are quoted, so that they are no markup there either.
export function markdown({ name, text, findings, rows, headings }) {
  const lines = [`# ${span(name)}`, ""];
  lines.push(...(findings.length ? findings.map((one) => `- **${one.severity}** ${one.range.end.offset > 0 ? `${one.range.start.line}:${one.range.start.column} ` : ""}${span(one.message)} [${one.code}]`) : ["No findings."]), "");
  if (rows.length) lines.push(`| ${headings.join(" | ")} |`, `|${" --- |".repeat(headings.length)}`, ...rows.map((cells) => `| ${cells.map(span).join(" | ")} |`), "");
  const fence = "`".repeat(Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  return `${lines.join("\n")}\n${fence}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}\n`;
}

// Links

async function deflated(text) {
  const bytes = new Uint8Array(await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer());
  let string = "";
  for (const byte of bytes) string += String.fromCharCode(byte);
  return btoa(string).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

async function inflated(text) {
  const reader = new Blob([bytesOf(text.replaceAll("-", "+").replaceAll("_", "/"))]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let string = "", size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return string + decoder.decode();
    size += value.length;
    if (size > maxState) { await reader.cancel(); throw new RangeError("too large"); }
    string += decoder.decode(value, { stream: true });
  }
}

export async function linkTo(state) {
  const address = new URL(location.href);
  address.search = "";
  address.hash = prefix + await deflated(JSON.stringify(state));
  return { link: address.href, note: address.href.length > longLink ? `The link has ${address.href.length.toLocaleString("en")} characters; some programs cut off one as long.` : "What it holds is after its #, and is sent to no server." };
}

// What a link holds, with nothing but strings in it; null without such a link.
export async function linkedState() {
  if (!location.hash.startsWith(prefix)) return null;
  const state = JSON.parse(await inflated(location.hash.slice(prefix.length)));
  return Object.fromEntries(Object.entries(state).filter(([, value]) => typeof value === "string"));
}
