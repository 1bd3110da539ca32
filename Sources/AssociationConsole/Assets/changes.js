// What links do that did something else with an older version.

import { go } from "./findings.js";
import { byId, element, plural, visible } from "./text.js";

const words = {
  "opens": "now opens", "no longer opens": "no longer opens", "other apps": "opens other apps",
  "now excluded": "is now excluded", "no longer excluded": "is no longer excluded",
};

export function sayChanges(text) { byId("changes-summary").replaceChildren(...visible(text)); }

// The rule that decided in one version.
function side(title, decision, editor) {
  const line = element("span", {}, `${title}: `);
  line.append(...(decision?.line ? [go(editor, { start: { line: decision.line } })] : ["no rule"]));
  if (decision?.appIDs?.length) line.append(" ", element("code", {}, ...visible(decision.appIDs.join(" "))));
  return line;
}

export function showChanges(answer, before, after) {
  const changes = answer.changes.map((change) => element("li", { "data-kind": change.kind },
    element("code", {}, ...visible(change.witness)), ` ${words[change.kind] ?? change.kind}`,
    element("span", { class: "expectation" }, side("before", change.old, before), ", ", side("now", change.new, after))));
  const apps = (answer.apps ?? []).map((app) => element("li", { "data-kind": app.kind }, element("code", {}, ...visible(app.package)), ` ${app.kind}`));
  byId("changes").replaceChildren(...changes, ...apps);
  const open = answer.undecided.length ? `, ${answer.undecided.length} not decided` : "";
  const count = changes.length + apps.length;
  sayChanges(count ? `${plural(count, "change")}${open}` : `No link changes${open}`);
}
