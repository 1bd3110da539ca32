// The page of the doctor: asks for one domain at a time, and shows steps and findings as the command does.

import { byId, codeLink, element, plural, visible } from "./text.js";

const form = document.getElementById("doctor");

const say = (...parts) => byId("summary").replaceChildren(...parts);

function show(answer) {
  const domain = answer.domains?.[0];
  byId("steps").replaceChildren(...(domain?.steps ?? []).map((step) => element("li", { "data-step": step.id, "data-status": step.status },
    element("strong", {}, step.id), element("span", {}, step.status, ...(step.reason ? [": ", ...visible(step.reason)] : [])))));
  const findings = [...(domain?.diagnostics ?? []), ...(answer.diagnostics ?? [])];
  byId("findings").replaceChildren(...findings.map((finding) => {
    const item = element("li", { "data-code": finding.code, "data-severity": finding.severity },
      element("p", {}, element("span", { class: "severity" }, finding.severity), " ",
        ...(finding.subject ? [...visible(finding.subject), ": "] : []), ...visible(finding.message), " ",
        ...(finding.code ? [codeLink(finding.code)] : [])));
    for (const note of finding.notes ?? []) item.append(element("p", { class: "remark" }, "note: ", ...visible(note)));
    const help = finding.help ?? finding.fixIts?.[0]?.title;
    if (help) item.append(element("p", { class: "remark" }, "help: ", ...visible(help)));
    return item;
  }));
  const { errors = 0, warnings = 0 } = answer.summary ?? {};
  say(`${domain?.status ?? answer.status}: ${plural(errors, "error")}, ${plural(warnings, "warning")}`);
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const domain = byId("domain").value.trim();
  const run = byId("run");
  run.disabled = true;
  byId("steps").replaceChildren();
  byId("findings").replaceChildren();
  say("Examining ", ...visible(domain), ", for at most 60 seconds …");
  try {
    const response = await fetch(`${form.dataset.api}doctor`, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ domain: domain.toWellFormed?.() ?? domain }),
      cache: "no-store", credentials: "omit", redirect: "error", signal: AbortSignal.timeout(60000),
    });
    const answer = await response.json();
    if (answer.error) say(answer.error); else show(answer);
  } catch (error) {
    say(error.name === "TimeoutError" ? "It took longer than 60 seconds." : "The server does not answer.");
  }
  run.disabled = false;
});
