const escapes: Readonly<Record<string, string>> = {
  "0": "\0",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  Z: "\x1a",
};

/** A text of SQL, and the place behind its closing quote; -1 if it has none. */
interface ReadText {
  readonly text: string;
  readonly end: number;
}

/**
 * Reads the text that begins behind an opening `'` at `at`. `''` is one quote. With `hasEscapes`,
 * `\` escapes the next character.
 */
export function readText(
  source: string,
  { at, hasEscapes }: { readonly at: number; readonly hasEscapes: boolean },
): ReadText {
  const special = hasEscapes ? /['\\]/g : /'/g;
  let text = "";
  for (let from = at;;) {
    special.lastIndex = from;
    const found = special.exec(source);
    if (!found) return { text, end: -1 };
    const { index } = found;
    text += source.slice(from, index);
    const next = source[index + 1];
    if (found[0] === "'" && next !== "'") return { text, end: index + 1 };
    text += found[0] === "'" ? "'" : escapes[next] ?? next ?? "";
    from = index + 2;
  }
}
