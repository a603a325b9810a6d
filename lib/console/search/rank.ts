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

/** Returns the rows that contain every word of the text, best first; without a text, none. */
export function rank<Row>(
  rows: readonly Row[],
  text: string,
  { most, searched }: { readonly most: number; readonly searched: (row: Row) => Searched },
): Ranked<Row> {
  const wanted = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const found = rows.map((row) => ({ row, score: scoreOf(wanted, searched(row)) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, most);
  return { rows: found.map(({ row }) => row), best: found[0]?.score ?? 0 };
}

/** 5 for the name itself, 4 for its beginning, 3 for a word of it, 2 within it, 1 elsewhere. */
function scoreOf(wanted: readonly string[], { name, more = [] }: Searched): number {
  const text = name.toLowerCase();
  const others = more.join("\n").toLowerCase();
  if (wanted.length === 0) return 0;
  if (!wanted.every((word) => text.includes(word) || others.includes(word))) return 0;
  const phrase = wanted.join(" ");
  if (text === phrase) return 5;
  if (text.startsWith(phrase)) return 4;
  const at = text.indexOf(phrase);
  if (at < 0) return 1;
  return /[\s\-_./@:]/.test(text[at - 1]) ? 3 : 2;
}
