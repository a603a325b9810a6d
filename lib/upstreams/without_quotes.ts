/** The shortest run that counts as a quote. */
const runMin = 20;
/**
 * Length of the adjacent pieces by which a text is indexed: any run of `runMin` characters contains
 * a whole piece.
 */
const piece = runMin / 2;
/** The most characters to search; if there are more, the whole text is dropped. */
const searchedMax = 3_000_000;

/**
 * Cuts from a short text the runs of 20 characters or more that occur in any of the others,
 * ignoring case, white space, quotation marks and escapes. Takes time linear in their length.
 */
export function withoutQuotes(text: string, others: Iterable<string>): string {
  const own = plain(text);
  if (own.chars.length < runMin) return text;
  const search = searchFor(own.chars);
  let left = searchedMax;
  for (const other of others) {
    left -= Math.max(other.length, runMin);
    if (left < 0) return "";
    if (other.length < runMin) continue;
    mark(search, normal(other));
  }
  return cut(text, own.places, search.marked);
}

interface Plain {
  readonly chars: string;
  /** The position of each character in the text. */
  readonly places: readonly number[];
}

interface Search {
  readonly pieces: ReadonlySet<string>;
  /** The start positions of each run; found runs are removed. */
  readonly runs: Map<string, readonly number[]>;
  readonly marked: Uint8Array;
}

const separators = /(?:\\[nrt]|[\s\\"'])+/g;

function normal(text: string): string {
  return lowered(text).replace(separators, " ");
}

/** Lower-cases a text; the two small forms of sigma become one. */
function lowered(text: string): string {
  return text.toLowerCase().replaceAll("ς", "σ");
}

/** Normalizes a text, with the position of each character. */
function plain(text: string): Plain {
  let chars = "";
  const places: number[] = [];
  const add = (more: string, at: number) => {
    chars += more;
    for (let n = 0; n < more.length; n++) places.push(at);
  };
  for (let at = 0; at < text.length;) {
    separators.lastIndex = at;
    const found = separators.exec(text);
    const end = found?.index ?? text.length;
    for (const char of text.slice(at, end)) {
      add(lowered(char), at);
      at += char.length;
    }
    if (!found) break;
    add(" ", at);
    at += found[0].length;
  }
  separators.lastIndex = 0;
  return { chars, places };
}

function searchFor(chars: string): Search {
  const pieces = new Set<string>();
  const runs = new Map<string, number[]>();
  for (let at = 0; at + piece <= chars.length; at++) {
    pieces.add(chars.slice(at, at + piece));
    if (at + runMin > chars.length) continue;
    const run = chars.slice(at, at + runMin);
    const places = runs.get(run);
    if (places) places.push(at);
    else runs.set(run, [at]);
  }
  return { pieces, runs, marked: new Uint8Array(chars.length) };
}

function mark({ pieces, runs, marked }: Search, other: string): void {
  for (let at = 0; at + piece <= other.length; at += piece) {
    if (!pieces.has(other.slice(at, at + piece))) continue;
    for (let start = Math.max(0, at - piece); start <= at; start++) {
      const run = other.slice(start, start + runMin);
      const found = runs.get(run);
      if (!found) continue;
      runs.delete(run);
      for (const place of found) marked.fill(1, place, place + runMin);
    }
  }
}

function cut(text: string, places: readonly number[], marked: Uint8Array): string {
  const first = marked.indexOf(1);
  if (first < 0) return text;
  let kept = "";
  for (let at = 0; at < marked.length; at++) {
    if (marked[at] === 0) kept += text.slice(places[at], places[at + 1] ?? text.length);
    else if (marked[at - 1] !== 1) kept += "…";
  }
  return kept.replace(/\s+/g, " ").replace(/…[\s…]*…/g, "…").trim();
}
