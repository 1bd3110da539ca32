// A text field with numbered lines, and with marks below its text. Only the lines in view are drawn, and of a long one the part
// in view; the layers scroll with the field, so that nothing needs a style.

import { wellFormed } from "./api.js";
import { element, isHidden } from "./text.js";

const ranks = ["note", "warning", "error", "critical"];
// Of a line that is longer than this, only what is in view is drawn.
const maxLine = 2000, maxMarks = 200;
const encoder = new TextEncoder();

// The index of a character in a line by its column, which counts UTF-8 bytes from 1.
function indexOf(line, column) {
  const bytes = encoder.encode(wellFormed(line));
  return bytes.length === line.length ? Math.min(column - 1, line.length)
    : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, column - 1)).length;
}

export class Editor {
  // Findings, and the lines that decide, by the lines of the text that was checked.
  #findings = new Map();
  #deciding = new Set();
  #checked = [""];
  #lines = [""];

  constructor(field) {
    this.field = field;
    this.numbers = element("div", { class: "numbers", "aria-hidden": "true" });
    this.marks = element("div", { class: "marks", "aria-hidden": "true" });
    field.before(this.marks);
    field.after(this.numbers);
    const draw = () => this.draw();
    field.addEventListener("scroll", draw, { passive: true });
    field.addEventListener("input", () => this.read());
    new ResizeObserver(draw).observe(field);
  }

  get value() { return this.field.value; }

  set value(value) {
    this.field.value = value;
    this.mark([]);
  }

  read() {
    this.#lines = this.value.split("\n");
    this.draw();
  }

  // Shows the findings in the text as it is.
  mark(findings) {
    this.#lines = this.#checked = this.value.split("\n");
    this.#findings = new Map();
    for (const finding of findings) {
      const { start, end } = finding.range;
      if (end.offset === 0) continue;
      for (let line = start.line; line <= Math.min(end.line, this.#lines.length); line += 1) {
        const text = this.#lines[line - 1] ?? "";
        const from = line === start.line ? indexOf(text, start.column) : 0;
        const to = line === end.line ? indexOf(text, end.column) : text.length;
        if (!this.#findings.has(line)) this.#findings.set(line, []);
        this.#findings.get(line).push({ from, to: Math.max(to, from + 1), finding });
      }
    }
    this.draw();
  }

  // Points out the lines that decide.
  decide(lines) {
    this.#deciding = new Set(lines);
    this.draw();
  }

  // The line of the checked text that a line of the present one is; undefined if it has been edited.
  #places() {
    const [old, now] = [this.#checked, this.#lines];
    if (old === now) return (line) => line;
    let start = 0, end = 0;
    const most = Math.min(old.length, now.length);
    while (start < most && old[start] === now[start]) start += 1;
    while (end < most - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
    return (line) => line <= start ? line : line > now.length - end ? line - now.length + old.length : undefined;
  }

  draw() {
    const { field, marks, numbers } = this;
    const style = getComputedStyle(field);
    const height = parseFloat(style.lineHeight), top = parseFloat(style.paddingTop);
    if (!field.clientHeight) return;
    const first = Math.max(0, Math.floor((field.scrollTop - top) / height));
    const count = Math.ceil(field.clientHeight / height) + 3;
    const place = this.#places();
    // As wide as the text, so that the layer can be scrolled as far.
    const rows = [element("hr", { width: field.scrollWidth })], labels = [];
    for (let index = first; index < first + count; index += 1) {
      const text = this.#lines[index], line = place(index + 1);
      const current = text !== undefined && this.#deciding.has(line) ? "true" : null;
      const findings = text === undefined ? [] : this.#findings.get(line) ?? [];
      labels.push(element("div", { "aria-current": current, "data-severity": findings.length ? worst(findings).severity : null },
        text === undefined ? "" : String(index + 1)));
      rows.push(element("div", { "data-line": index + 1, "aria-current": current }, ...(text === undefined ? [] : this.#segments(text, findings))));
    }
    marks.replaceChildren(...rows);
    numbers.replaceChildren(...labels);
    for (const layer of [marks, numbers]) layer.scrollTop = field.scrollTop - first * height;
    marks.scrollLeft = field.scrollLeft;
  }

  #segments(text, findings) {
    let from = 0, to = text.length;
    const before = [];
    if (text.length > maxLine) {
      // Only where all characters are as wide is it known where the part in view begins.
      const isEven = /^[ -~]*$/.test(text);
      from = isEven ? Math.max(0, Math.floor(this.field.scrollLeft / this.#width()) - 20) : 0;
      to = Math.min(to, from + (isEven ? Math.ceil(this.field.clientWidth / this.#width()) + 60 : 4 * maxLine));
      if (from > 0) before.push(element("hr", { width: from * this.#width() }));
    }
    const inside = findings.filter((one) => one.from <= to && one.to >= from).slice(0, maxMarks);
    const hidden = new Map();
    for (let index = from; index < to && hidden.size < maxMarks; index += 1) {
      const point = text.codePointAt(index), length = point > 0xFFFF ? 2 : 1;
      if (isHidden(point)) hidden.set(index, index + length);
      index += length - 1;
    }
    if (!inside.length && !hidden.size) return [...before, text.slice(from, to)];
    const cuts = new Set([from, to, ...[...hidden].flat()]);
    for (const one of inside) for (const cut of [one.from, one.to]) cuts.add(Math.min(Math.max(cut, from), to));
    const sorted = [...cuts].sort((one, another) => one - another);
    const nodes = sorted.slice(0, -1).map((start, index) => {
      const end = sorted[index + 1];
      const best = worst(inside.filter((one) => one.from <= start && one.to >= end));
      const content = text.slice(start, end);
      const node = best ? element("mark", { "data-code": best.code, "data-severity": best.severity }, content) : content;
      return hidden.get(start) === end ? element("span", { class: "unseen" }, node) : node;
    });
    const last = worst(inside.filter((one) => one.from === text.length));
    if (last) nodes.push(element("mark", { "data-code": last.code, "data-severity": last.severity }, " "));
    return [...before, ...nodes];
  }

  // The width of a character.
  #width() {
    if (this.measured) return this.measured;
    const probe = element("span", {}, "0".repeat(100));
    this.marks.append(probe);
    this.measured = probe.getBoundingClientRect().width / 100 || 8;
    probe.remove();
    return this.measured;
  }

  // Selects what a finding is about, or a line, and scrolls there.
  show({ start, end }) {
    const { field } = this, lines = this.#lines;
    const line = Math.min(start.line, lines.length), last = Math.min(end?.line ?? line, lines.length);
    const index = (number, column) => lines.slice(0, number - 1).reduce((sum, text) => sum + text.length + 1, 0)
      + (column === undefined ? lines[number - 1].length : indexOf(lines[number - 1], column));
    const from = index(line, start.column ?? 1);
    field.focus({ preventScroll: true });
    field.setSelectionRange(from, end ? index(last, end.column) : index(line));
    const style = getComputedStyle(field);
    const column = from - index(line, 1);
    field.scrollTop = (line - 1) * parseFloat(style.lineHeight) - field.clientHeight / 3;
    field.scrollLeft = Math.max(0, column * this.#width() - field.clientWidth / 2);
    field.scrollIntoView({ block: "nearest" });
    this.draw();
  }

  // As a person would have typed it, so that it can be undone.
  replace(value) {
    const { field, value: old } = this;
    if (old === value) return;
    let start = 0, end = 0;
    const most = Math.min(old.length, value.length);
    while (start < most && old[start] === value[start]) start += 1;
    while (end < most - start && old[old.length - 1 - end] === value[value.length - 1 - end]) end += 1;
    const middle = value.slice(start, value.length - end);
    field.focus();
    field.setSelectionRange(start, old.length - end);
    const isDone = middle ? document.execCommand("insertText", false, middle) : document.execCommand("delete");
    // Where the browser cannot, or takes other characters, it is set as a whole.
    if (!isDone || field.value !== value) field.value = value;
    this.read();
  }

  // The lines with characters that cannot be seen, with the first of them.
  get unseen() {
    return this.#lines.flatMap((text, index) => {
      const point = [...text].map((character) => character.codePointAt(0)).find(isHidden);
      return point === undefined ? [] : [{ line: index + 1, name: `U+${point.toString(16).toUpperCase().padStart(4, "0")}` }];
    });
  }
}

function worst(findings) {
  return findings.reduce((best, { finding }) => !best || ranks.indexOf(finding.severity) > ranks.indexOf(best.severity) ? finding : best, null);
}
