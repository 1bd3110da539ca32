// The page of the doctor: asks for one check, and shows what the command prints, made of the same report.

import { byId, codeLink, element, plural, visible } from "./text.js";

const form = byId("doctor"), field = byId("domain"), api = form.dataset.api, seconds = 60;
const marks = { ok: "✓", warning: "!", error: "✗", skipped: "–" };

const say = (...parts) => byId("summary").replaceChildren(...parts);

const text = (tag, attributes, string) => element(tag, attributes, ...visible(string));

function step({ id, title, status, lines }) {
  return element("li", { "data-step": id, "data-status": status }, element("span", { class: "mark", "aria-hidden": "true" }, marks[status] ?? "?"),
    element("strong", {}, title, element("span", { class: "visually-hidden" }, `, ${status}: `)), element("div", {}, ...lines.map((line) => text("p", {}, line))));
}

function finding({ code, severity, subject, range, message, excerpt, evidence, notes, help }) {
  const place = subject + (range ? `:${range.start.line}:${range.start.column}` : "");
  const item = element("li", { "data-code": code, "data-severity": severity }, element("p", {}, element("span", { class: "severity" }, severity), " ",
    ...visible(`${place}: ${message}`), " ", ...(code ? [codeLink(code)] : [])));
  const seen = excerpt?.length ? excerpt : evidence ?? [];
  if (seen.length) item.append(element("pre", { class: "example", tabindex: "0" }, ...seen.flatMap((line) => [...visible(line), "\n"])));
  for (const note of notes ?? []) item.append(text("p", { class: "remark" }, `note: ${note}`));
  if (help) item.append(text("p", { class: "remark" }, `help: ${help}`));
  return item;
}

// Where the files that came are shown: a server has its own.
function files({ domain, port, files }) {
  if (!files?.length || form.dataset.kind === "server") return [];
  const host = (domain.includes(":") ? `[${domain}]` : domain) + (port === 443 ? "" : `:${port}`);
  return [element("a", { href: `playground?live=${encodeURIComponent(host)}` }, `Open ${files.join(" and ")} in the playground`)];
}

function show(answer) {
  const domain = answer.domains[0], { errors, warnings, ignored } = answer.summary;
  byId("host").replaceChildren(...visible(domain.domain + (domain.port === 443 ? "" : `:${domain.port}`) + (domain.unicode ? ` (${domain.unicode})` : "")));
  byId("steps").replaceChildren(...domain.steps.filter(({ lines }) => lines.length).map(step));
  byId("findings").replaceChildren(...[...domain.diagnostics, ...answer.diagnostics].map(finding));
  byId("files").replaceChildren(...files(domain));
  byId("files").hidden = !byId("files").firstChild;
  byId("remark").replaceChildren(...visible(answer.remark ?? ""));
  byId("report").hidden = false;
  say(`${plural(errors, "error")}, ${plural(warnings, "warning")}${ignored ? ` (${plural(ignored, "finding")} ignored)` : ""}`);
  byId("summary").dataset.status = answer.status;
}

const wait = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });

async function check(domain) {
  const signal = AbortSignal.timeout(seconds * 1000);
  byId("run").disabled = true;
  say("Checking ", ...visible(domain), `, for at most ${seconds} seconds …`);
  try {
    for (;;) {
      const response = await fetch(`${api}doctor`, {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ domain: domain.toWellFormed?.() ?? domain }),
        cache: "no-store", credentials: "omit", redirect: "error", signal,
      });
      const answer = await response.json();
      if (response.status === 503 && !signal.aborted) {
        say("Another domain is being checked; this one is next …");
        await wait(1000 * (Number(response.headers.get("Retry-After")) || 5));
      } else {
        if (answer.error) say(...visible(answer.error.message ?? answer.error), ...(answer.error.help ? [element("br"), ...visible(`help: ${answer.error.help}`)] : []));
        else show(answer);
        break;
      }
    }
  } catch (error) {
    say(error.name === "TimeoutError" ? `It took longer than ${seconds} seconds.` : "The console does not answer.");
  }
  byId("run").disabled = false;
}

// The sites of a server whose names have what is typed.
let timer = 0, asked = 0;
async function suggest() {
  const number = ++asked;
  const response = await fetch(`${api}sites?limit=10&q=${encodeURIComponent(field.value.trim())}`, { cache: "no-store", credentials: "omit" }).catch(() => null);
  const { sites = [] } = response?.ok ? await response.json().catch(() => ({})) : {};
  if (number === asked) byId("domains").replaceChildren(...sites.filter(({ domain }) => !domain.startsWith("*.")).map(({ domain }) => element("option", { value: domain })));
}
if (form.dataset.kind === "server") {
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(suggest, 150);
  });
}

// Only where a page of this console has led here: a link of another site begins nothing.
if ("run" in form.dataset) check(field.value.trim()); else field.focus();
