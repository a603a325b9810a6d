import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import type { SchemaDialect } from "./dialect.ts";
import { type SchemaNoteId, schemaNotes } from "./notes.ts";
import type { Note } from "../note.ts";

/** Values in a schema as it came, and how deep they may be nested. */
const valuesMax = 200_000;
const depthMax = 128;
/** Schemas written, keywords joined and characters copied (64 to one), so that references cannot explode. */
const workMax = 100_000;
const charsPerWork = 64;
const notesMax = 200;
const pathCharsMax = 300;

/** Where in the schema, and through which references it was reached. */
export interface SchemaPath {
  readonly path: string;
  readonly references: ReadonlySet<string>;
  readonly depth: number;
}

/** A schema while it is rewritten: its keywords, and how to say what they cannot say any more. */
export interface SchemaDraft {
  readonly keywords: Map<string, JsonValue>;
  readonly lose: Lose;
  /** Records what is said otherwise, as a note alone. */
  readonly remark: (keyword: string, id: SchemaNoteId) => void;
}

/** Records what is lost at a keyword: in the description, and as a note. */
export type Lose = (keyword: string, value: JsonValue, id: SchemaNoteId) => void;

/** What one translation knows and has done so far. */
export class Translation {
  readonly #notes = new Map<string, Note>();
  #work = 0;

  constructor(readonly root: JsonObject, readonly dialect: SchemaDialect) {}

  /** Counts work; false once there was too much of it, which is noted the first time. */
  spend(work: number, { path }: SchemaPath): boolean {
    const exhausted = this.#work > workMax;
    this.#work += work;
    if (this.#work <= workMax) return true;
    if (!exhausted) this.note("tooLarge", path);
    return false;
  }

  /** Once for each path and action. */
  note(id: SchemaNoteId, path: string): void {
    const { action, reason } = schemaNotes[id];
    const where = path.length > pathCharsMax ? `${path.slice(0, pathCharsMax)}…` : path;
    const key = `${action} ${where}`;
    if (this.#notes.size < notesMax && !this.#notes.has(key)) {
      this.#notes.set(key, { path: where, action, reason });
    }
  }

  notes(): readonly Note[] {
    return [...this.#notes.values()];
  }
}

/** What copying a keyword's value costs. */
export function workOf(value: JsonValue): number {
  if (typeof value === "string") return 1 + Math.floor(value.length / charsPerWork);
  if (typeof value !== "object" || value === null) return 1;
  return 1 + Math.floor(JSON.stringify(value).length / charsPerWork);
}

export function isTooDeep({ depth, references }: SchemaPath): boolean {
  return depth > depthMax || references.size > depthMax;
}

/** Whether a schema can be walked at all; looks at each value once and never recurses. */
export function isWalkableSchema(schema: JsonObject): boolean {
  const open: [JsonValue | undefined, number][] = [[schema, 0]];
  let values = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, depth] = next;
    if (++values > valuesMax || depth > depthMax * 2) return false;
    if (typeof value !== "object" || value === null) continue;
    for (const member of isJsonObject(value) ? Object.values(value) : value) {
      open.push([member, depth + 1]);
    }
    if (open.length > valuesMax) return false;
  }
  return true;
}
