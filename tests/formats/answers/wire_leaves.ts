import { isJsonObject, type JsonObject, type JsonValue } from "../../../lib/canonical/mod.ts";

/** The values in wire JSON, read without any codec. */

type Stated = string | number | boolean;

/** One value with its path. */
export interface Leaf {
  /** Such as `choices[0].message.content`; prefixed with an event's type and a colon in a stream. */
  readonly path: string;
  /** The value, or its pieces in order if deltas streamed it. */
  readonly pieces: readonly Stated[];
}

interface PlacedLeaf extends Leaf {
  /** Equal for all pieces of one growing text: its path with the indices and kinds around it. */
  readonly series: string;
}

/** Every value of a JSON text except null, zero, false and empty ones. */
export function leavesOf(value: JsonValue): Leaf[] {
  return [...placed(value, { path: "", series: "" })];
}

/** Every value of a stream, each once; a text that grows by deltas is one leaf. */
export function streamedLeaves(events: readonly JsonValue[]): Leaf[] {
  const leaves = events.flatMap((event) => [...placed(event, placeOfEvent(event))]);
  const bySeries = Map.groupBy(leaves, ({ series }) => series);
  return [...bySeries.values()].flatMap((list) =>
    isGrowing(list[0])
      ? [{ path: list[0].path, pieces: list.flatMap(({ pieces }) => pieces) }]
      : once(list)
  );
}

interface Place {
  readonly path: string;
  readonly series: string;
}

function placeOfEvent(event: JsonValue): Place {
  const type = isJsonObject(event) && typeof event.type === "string" ? `${event.type}:` : "";
  return { path: type, series: type };
}

function* placed(value: JsonValue | undefined, { path, series }: Place): Generator<PlacedLeaf> {
  if (Array.isArray(value)) {
    for (const [at, inner] of value.entries()) {
      yield* placed(inner, { path: `${path}[${at}]`, series: `${series}[]` });
    }
  } else if (isJsonObject(value)) {
    const kind = kindOf(value);
    for (const [key, inner] of Object.entries(value)) {
      const dot = path === "" || path.endsWith(":") ? "" : ".";
      yield* placed(inner, { path: `${path}${dot}${key}`, series: `${series}${kind}.${key}` });
    }
  } else if (typeof value === "string" || typeof value === "number" || value === true) {
    if (value) yield { path, series, pieces: [value] };
  }
}

const kinds = ["type", "thought", "index", "output_index", "content_index", "summary_index"];

function kindOf(value: JsonObject): string {
  return kinds.map((key) => isJsonObject(value[key]) ? "" : `${value[key] ?? ""}`).join("/");
}

const growing =
  /\.(text|thinking|partial_json|delta|content|refusal|arguments|input|reasoning_content|transcript|audio[^.]*\.data|stringValue)$/;

/** Whole texts in closing events are repetitions, not pieces. */
function isGrowing({ path, series }: PlacedLeaf): boolean {
  return growing.test(series) && !/\.(done|added|completed|incomplete|failed):/.test(path);
}

function once(list: readonly PlacedLeaf[]): Leaf[] {
  return [...new Map(list.map((leaf) => [leaf.pieces[0], leaf])).values()];
}

/** All values in an answer's bytes, for lookup of another answer's values. */
export class Heard {
  readonly #texts: readonly string[];
  readonly #numbers: ReadonlySet<Stated>;
  /** The names of the members that are true. */
  readonly #flags: ReadonlySet<string>;

  constructor(leaves: readonly Leaf[]) {
    const opened = leaves.flatMap(unsealed);
    const all = [...leaves, ...opened, ...leaves.flatMap(withinText)];
    this.#texts = all.map(textIn).filter((text) => text !== "").map(normal);
    this.#flags = new Set(all.filter(({ pieces: [first] }) => first === true).map(memberOf));
    this.#numbers = new Set(all.flatMap(({ pieces }) => pieces.filter(isNumber)));
  }

  says(leaf: Leaf): boolean {
    const [first] = leaf.pieces;
    if (first === true) return this.#flags.has(memberOf(leaf));
    if (typeof first === "number") return this.#numbers.has(first) || this.#hasWord(`${first}`);
    const text = normal(textIn(leaf).replace(/^data:[^,]*;base64,/, "")).trim();
    const [, picture] = /^image\/(\w+)$/.exec(text) ?? []; // some formats name only the kind of an image
    if (text.length < shortMax || (picture && this.#hasWord(picture))) {
      return this.#hasWord(picture ?? text);
    }
    const escaped = normal(JSON.stringify(textIn(leaf)).slice(1, -1));
    return this.#texts.some((heard) => heard.includes(text) || heard.includes(escaped)) ||
      (leaf.pieces.length > 1 && hasInOrder(this.#texts.join(" "), leaf.pieces));
  }

  #hasWord(word: string): boolean {
    if (!/[\p{L}\p{N}]/u.test(word)) return this.#texts.some((text) => text.includes(word));
    const bounded = new RegExp(
      `(^|[^\\p{L}\\p{N}.])${RegExp.escape(word)}($|[^\\p{L}\\p{N}])`,
      "u",
    );
    return this.#texts.some((text) => text.includes(word) && bounded.test(text));
  }
}

/** A text this short occurs everywhere by chance, so it must match a whole word. */
const shortMax = 5;

function textIn({ pieces }: Leaf): string {
  return pieces.filter((piece) => typeof piece === "string").join("");
}

/** Values within a text that is JSON, such as the arguments of a call. */
function withinText(leaf: Leaf): Leaf[] {
  const text = textIn(leaf);
  if (!/^\s*[{[]/.test(text)) return [];
  try {
    return leavesOf(JSON.parse(text));
  } catch {
    return [];
  }
}

/** The content of a continuation that was sealed for another vendor's format. */
function unsealed(leaf: Leaf): Leaf[] {
  const text = textIn(leaf);
  const bare = text.startsWith("dHNyMS")
    ? atob(text.replaceAll("-", "+").replaceAll("_", "/"))
    : text;
  const [mark, , payload] = bare.split(".");
  if (mark !== "tsr1" || !payload) return [];
  const bytes = Uint8Array.fromBase64(payload, { alphabet: "base64url" });
  return leavesOf(JSON.parse(new TextDecoder().decode(bytes)));
}

/** Normalises a text, however Markdown escapes it, links to it or wraps it. */
function normal(text: string): string {
  return text.replace(/\\([\\[\]`])/g, "$1").replace(/%(20|28|29|3c|3e)/gi, unquoted)
    .replace(/\s+/g, " ");
}

function unquoted(code: string): string {
  return decodeURIComponent(code);
}

function memberOf({ path }: Leaf): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

function hasInOrder(heard: string, pieces: readonly Stated[]): boolean {
  let from = 0;
  return pieces.every((piece) => {
    const text = normal(`${piece}`);
    const at = heard.indexOf(text, from);
    from = at + text.length;
    return at >= 0;
  });
}

function isNumber(piece: Stated): piece is number {
  return typeof piece === "number";
}
