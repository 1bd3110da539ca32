// What scripts write into pages: text never becomes markup, and no character is invisible.

export const byId = (id) => document.getElementById(id);

export const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const key of Object.keys(attributes)) if (attributes[key] != null) node.setAttribute(key, attributes[key]);
  node.append(...children);
  return node;
}

// The code of a finding, as a link to its explanation: in a tab of its own, so that what is typed here stays.
export const codeLink = (code) => element("a", { href: `rules/${encodeURIComponent(code)}`, target: "_blank", rel: "noopener" },
  element("code", { class: "finding-code" }, code));

// Characters that cannot be seen are shown as their numbers in a box, as the server does it.
export function isHidden(point) {
  return point < 0x20 && point !== 9 || point >= 0x7F && point <= 0x9F || point === 0x61C || point === 0x180E
    || point === 0x200B || point === 0x200E || point === 0x200F || point >= 0x2028 && point <= 0x202E
    || point >= 0x2060 && point <= 0x2069 || point === 0xFEFF || point >= 0xFFF9 && point <= 0xFFFB
    || point >= 0xD800 && point <= 0xDFFF || point >= 0xE0000 && point <= 0xE007F;
}

export function visible(string) {
  const nodes = [];
  let plain = "";
  for (const character of string) {
    const point = character.codePointAt(0);
    if (!isHidden(point)) { plain += character; continue; }
    if (plain) nodes.push(plain);
    plain = "";
    const digits = point.toString(16).toUpperCase().padStart(4, "0");
    const box = element("span", { class: "hidden-character" });
    box.textContent = `U+${digits}`;
    nodes.push(box);
  }
  if (plain) nodes.push(plain);
  return nodes;
}
