// What each link does: the table of decisions, and what was expected.

import { go } from "./findings.js";
import { byId, element, visible } from "./text.js";

const words = {
  open: "opens", excluded: "excluded", noMatch: "stays in browser", notDecided: "not decided", unknown: "not known", error: "error",
};

const remark = (...children) => element("span", { class: "expectation" }, ...children);
const code = (text) => element("code", {}, ...visible(text));

// What a case expects, in the words of the table; undefined if it is nothing.
function expected(object) {
  if (!object) return undefined;
  if (object.excluded) return words.excluded;
  if (object.opens === "any") return words.open;
  return object.opens && (object.opens.length ? object.opens.join(" ") : words.noMatch);
}

function verdict(held, expectation) {
  if (expectation === undefined) return [];
  const mark = held === null ? "? expected: " : held ? "✓ as expected" : "✗ expected: ";
  return [element("span", { class: "expectation verdict", "data-held": String(held) }, mark, ...visible(held ? "" : expectation))];
}

function misses(list) { return (list ?? []).map((miss) => element("span", { class: "expectation", "data-change": miss.change }, "hint: ", ...visible(miss.message))); }

// The answer for Apple's systems.
function apple({ route, held, expected: wanted, note }, editor) {
  const cell = element("td", { "data-apple": route.outcome }, element("span", { class: "outcome" }, words[route.outcome] ?? route.outcome));
  if (route.rule) cell.append(" ", go(editor, { start: { line: route.rule.line } }));
  for (const app of route.appIDs) cell.append(" ", code(app));
  if (route.rule?.comment) cell.append(remark(...visible(route.rule.comment)));
  if (!route.rule && route.reason) cell.append(remark(...visible(route.reason)));
  if (route.encodedURL) cell.append(remark("decided as ", code(route.encodedURL)));
  if (route.hint && !route.nearMisses?.length) cell.append(remark("hint: ", ...visible(route.hint.message)));
  cell.append(...misses(route.nearMisses), ...verdict(held.apple, expected(wanted)));
  if (held.apple === false && note) cell.append(remark(...visible(note)));
  return cell;
}

// The line that decided for an app on Android: of the asset links file, or of the manifest.
function placeOf({ rule, filter, by }) {
  return rule ? { file: "links", line: rule.line } : filter && by !== "dynamic" ? { file: "manifest", line: filter.line } : null;
}

// The answer for Android, app by app.
function android({ route, held, expected: wanted, remarks }, editors) {
  const answer = route.android;
  const cell = element("td", { "data-android": answer.outcome }, element("span", { class: "outcome" }, words[answer.outcome]));
  answer.apps.forEach((app, index) => {
    const line = element("span", { class: "app" }, code(app.package));
    if (answer.apps.length > 1 && app.outcome !== answer.outcome) line.append(` ${words[app.outcome]}`);
    const place = placeOf(app);
    if (place) line.append(" ", go(editors[place.file], { start: { line: place.line } }));
    if (remarks[index]) line.append(remark(...visible(remarks[index])));
    line.append(...misses(app.nearMisses));
    cell.append(" ", line);
  });
  if (answer.include && answer.outcome === "unknown") cell.append(remark("the file includes another one, which is not read"));
  cell.append(...verdict(held.android, expected(wanted.android)));
  return cell;
}

// The rules that were tried.
function trace({ rules, filters, components }, editors, columns) {
  const list = element("ol", { class: "trace" });
  const add = (entries, editor) => entries.forEach(({ line, verb, text, matched, reason }) => list.append(element("li", { "data-matched": matched },
    element("span", { "aria-hidden": "true" }, matched ? "✓ " : "✗ "), go(editor, { start: { line } }), ` ${verb} `, code(text), " ", ...visible(reason))));
  add(rules, editors.apple);
  add(filters, editors.manifest);
  add(components, editors.links);
  if (!list.firstChild) list.append(element("li", {}, "no rule was tried"));
  return element("tr", { class: "why" }, element("td", { colspan: columns }, list));
}

// Shows the answers.
//
// - `editors`: the fields that their lines are in, for Apple, for the asset links file, and for the manifest.
// - `explain`: asks for the rules that were tried with the link of an index; -1 for none.
export function showDecisions({ cases }, editors, explain) {
  const has = { apple: cases.some((one) => one.route.outcome), android: cases.some((one) => one.route.android) };
  const columns = 1 + Number(has.apple) + Number(has.android);
  byId("platform-heading").hidden = !has.apple;
  byId("android-heading").hidden = !has.android;
  const body = byId("decisions").tBodies[0];
  const focused = document.activeElement?.closest?.("button.why")?.dataset.index;
  body.replaceChildren(...cases.flatMap((one, index) => {
    const why = element("button", { type: "button", class: "go why", "data-index": index, "aria-expanded": Boolean(one.trace) }, "why");
    why.append(element("span", { class: "visually-hidden" }, " ", ...visible(one.url)));
    why.addEventListener("click", () => explain(one.trace ? -1 : index));
    const verdicts = [one.held.apple, one.held.android].filter((held) => held !== null);
    const outcome = has.apple ? one.route.outcome : one.route.android?.outcome;
    const row = element("tr", { "data-outcome": outcome, "data-expected": verdicts.length ? (verdicts.includes(false) ? "failed" : "held") : null },
      element("th", { scope: "row" }, ...visible(one.url), " ", why));
    if (has.apple) row.append(apple(one, editors.apple));
    if (has.android) row.append(android(one, editors));
    return one.trace ? [row, trace(one.trace, editors, columns)] : [row];
  }));
  if (focused !== undefined) body.querySelector(`button.why[data-index="${focused}"]`)?.focus({ preventScroll: true });
}

export function showNoDecisions() { byId("decisions").tBodies[0].replaceChildren(); }

// The lines that decide, in the field of each platform.
export function decidingLines(cases) {
  const lines = { apple: new Set(), links: new Set(), manifest: new Set() };
  for (const { route } of cases) {
    if (route.rule) lines.apple.add(route.rule.line);
    for (const place of (route.android?.apps ?? []).map(placeOf)) if (place) lines[place.file].add(place.line);
  }
  return lines;
}
