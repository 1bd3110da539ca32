// The findings of a file: each leads to its place in the text, and has a button for its fix.

import { codeLink, element, plural, visible } from "./text.js";

// The rest is folded, and made when somebody looks.
const maxShown = 100;

// A button that leads to a line of a text; an editor that is hidden is shown.
export function go(editor, range, words) {
  const button = element("button", { type: "button", class: "go", "data-line": range.start.line }, words ?? `line ${range.start.line}`);
  button.addEventListener("click", () => {
    const fold = editor.field.closest("details");
    if (fold) fold.open = true;
    editor.show(range);
  });
  return button;
}

// The fix that a command would apply.
function fixOf(finding) { return finding.fixIts.find((fix) => fix.edits.length > 0 && fix.applicability !== "displayOnly"); }

function entry(finding, editor, apply) {
  const item = element("li", { "data-code": finding.code, "data-severity": finding.severity });
  const remark = (name, text) => item.append(element("p", { class: "remark" }, `${name} `, ...visible(text)));
  const line = element("p", {}, element("span", { class: "severity" }, finding.severity), " ");
  const { start, end } = finding.range;
  if (end.offset > 0) line.append(element("span", { class: "visually-hidden" }, "line "), go(editor, finding.range, `${start.line}:${start.column}`), " ");
  line.append(...visible(finding.message), " ", codeLink(finding.code));
  item.append(line);
  if (finding.label) remark("here:", finding.label);
  for (const { range, text } of finding.labels ?? []) {
    item.append(element("p", { class: "remark" }, go(editor, range, `${range.start.line}:${range.start.column}`), " ", ...visible(text)));
  }
  for (const note of finding.notes) remark("note:", note);
  const fix = apply && fixOf(finding);
  const help = finding.help ?? finding.fixIts[0]?.title;
  if (help && fix?.title !== help) remark("help:", help);
  if (fix) {
    const isSure = fix.applicability === "automatic";
    const button = element("button", { type: "button", "data-fix": finding.code, "data-applicability": fix.applicability },
      element("span", { class: "kind" }, isSure ? "fix" : "suggested"), ...visible(fix.title));
    button.addEventListener("click", () => apply({ only: [{ code: finding.code, offset: start.offset }] }));
    item.append(button);
  }
  return item;
}

// Shows findings in a list; without `apply` nothing is offered to be fixed.
export function showFindings(list, findings, editor, apply) {
  const items = findings.slice(0, maxShown).map((finding) => entry(finding, editor, apply));
  const rest = new Map();
  for (const finding of findings.slice(maxShown)) {
    if (!rest.has(finding.code)) rest.set(finding.code, []);
    rest.get(finding.code).push(finding);
  }
  for (const [code, more] of rest) {
    const inner = element("ul", { class: "findings" });
    const fold = element("details", {}, element("summary", {}, `${plural(more.length, "more finding")}: ${code}`), inner);
    fold.addEventListener("toggle", () => {
      if (!inner.firstChild) inner.append(...more.slice(0, 1000).map((finding) => entry(finding, editor, apply)));
    });
    items.push(element("li", { class: "more" }, fold));
  }
  list.replaceChildren(...items);
}
