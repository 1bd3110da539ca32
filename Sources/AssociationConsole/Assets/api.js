// Questions to api/v1/, and the texts and bytes in them.

const running = {};

// Asks; a newer question of the same subject aborts the one before.
export async function ask(endpoint, body, subject = endpoint) {
  abort(subject);
  const controller = running[subject] = new AbortController();
  const response = await fetch(document.getElementById("playground").dataset.api + endpoint, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
    signal: controller.signal, cache: "no-store", credentials: "omit", redirect: "error",
  });
  const answer = await response.json();
  controller.signal.throwIfAborted();
  return answer;
}

export function abort(subject) { running[subject]?.abort(); }

// What is wrong with a file that cannot be used: its first error and where it is.
export function complaint(title, answer) {
  const first = answer.diagnostics?.[0];
  if (!first) return `${title}: ${sentence(answer)}`;
  const { start, end } = first.range;
  return `${title}${end.offset > 0 ? `, line ${start.line}, column ${start.column}` : ""}: ${first.message}`;
}

// The error without its position in the question, which nobody sees.
export function sentence(answer) { return answer.error.replace(/^line \d+, column \d+: /, ""); }

export function bytesOf(base64) { return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)); }

export function base64Of(bytes) {
  let string = "";
  for (const byte of bytes) string += String.fromCharCode(byte);
  return btoa(string);
}

export function decoded(bytes) {
  try { return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes); } catch { return null; }
}

// A lone half of a surrogate pair has no bytes; U+FFFD has as many as such a half would.
export function wellFormed(string) { return string.toWellFormed ? string.toWellFormed() : string.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd"); }

// Halves of surrogate pairs go through a fix as private characters, which have as many bytes, and come back.
export function hideHalves(string) {
  const used = new Set(string), map = new Map();
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
