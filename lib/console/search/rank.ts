/** The texts by which a row is found: its name, which counts more, and further words. */
interface Searched {
  readonly name: string;
  readonly more?: readonly string[];
}

/** The rows that match best, with how well they match. */
interface Ranked<Row> {
  readonly rows: readonly Row[];
  /** The score of the first row; 0 without one. */
  readonly best: number;
}

/**
 * Returns the rows that contain every word of the text, best first; without a text, none. If no
 * row does, those with words that differ by one letter.
 */
export function rank<Row>(
  rows: readonly Row[],
  text: string,
  { most, searched }: { readonly most: number; readonly searched: (row: Row) => Searched },
): Ranked<Row> {
  const wanted = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
  if (wanted.length === 0) return { rows: [], best: 0 };
  const scored = (score: (row: Searched) => number) =>
    rows.map((row) => ({ row, score: score(searched(row)) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, most);
  const exact = scored((one) => scoreOf(wanted, one));
  const found = exact.length > 0 ? exact : scored((one) => misspelled(wanted, one));
  return { rows: found.map(({ row }) => row), best: found[0]?.score ?? 0 };
}

/** 5 for the name itself, 4 for its beginning, 3 for a word of it, 2 within it, 1 elsewhere. */
function scoreOf(wanted: readonly string[], { name, more = [] }: Searched): number {
  const text = name.toLowerCase();
  const others = more.join("\n").toLowerCase();
  if (!wanted.every((word) => text.includes(word) || others.includes(word))) return 0;
  const phrase = wanted.join(" ");
  if (text === phrase) return 5;
  if (text.startsWith(phrase)) return 4;
  const at = text.indexOf(phrase);
  if (at < 0) return 1;
  return /[\s\-_./@:]/.test(text[at - 1]) ? 3 : 2;
}

/** Shorter words have too many neighbours. */
const misspelledFrom = 4;

/** 0.5 if every word is, but for one letter, the beginning of a word of the row. */
function misspelled(wanted: readonly string[], { name, more = [] }: Searched): number {
  const words = [name, ...more].join("\n").toLowerCase().split(/[\s\-_./@:]+/);
  const isThere = (one: string) =>
    words.some((word) =>
      word.startsWith(one) || (one.length >= misspelledFrom && isNear(one, word))
    );
  return wanted.every(isThere) ? 0.5 : 0;
}

/** True if one letter more, less or other, or two swapped ones, make the beginning of the word. */
function isNear(typed: string, word: string): boolean {
  let at = 0;
  while (at < typed.length && typed[at] === word[at]) at++;
  const [rest, wanted] = [typed.slice(at), word.slice(at)];
  const swapped = `${rest[1] ?? ""}${rest[0] ?? ""}${rest.slice(2)}`;
  return wanted.startsWith(rest.slice(1)) || wanted.slice(1).startsWith(rest) ||
    wanted.slice(1).startsWith(rest.slice(1)) || wanted.startsWith(swapped);
}
