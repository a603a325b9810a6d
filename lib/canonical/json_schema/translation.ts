import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "../../json/mod.ts";
import type { Note } from "../note.ts";
import type { SchemaDialect } from "./dialect.ts";
import { type SchemaNoteId, schemaNotes } from "./notes.ts";

/** Maximum number of values in a schema, and maximum depth. */
const valuesMax = 200_000;
const depthMax = 128;
/**
 * Maximum work: schemas written, keywords joined, characters copied (64 count as one), so that
 * references cannot explode.
 */
const workMax = 100_000;
const charsPerWork = 64;
const notesMax = 200;
const pathCharsMax = 300;

/** A position in the schema, with the references that led to it. */
export interface SchemaPath {
  readonly path: string;
  readonly references: ReadonlySet<string>;
  readonly depth: number;
}

/** A schema being rewritten: its keywords, and callbacks for the losses. */
export interface SchemaDraft {
  readonly keywords: Map<string, JsonValue>;
  readonly lose: Lose;
  /** Notes a rewritten keyword, without a description. */
  readonly remark: (keyword: string, id: SchemaNoteId) => void;
}

/** Notes a lost keyword and adds it to the description. */
export type Lose = (keyword: string, value: JsonValue, id: SchemaNoteId) => void;

/** The state of one translation. */
export class Translation {
  readonly #notes = new Map<string, Note>();
  #work = 0;

  constructor(readonly root: JsonObject, readonly dialect: SchemaDialect) {}

  /** Counts work; returns false once the maximum is exceeded, and notes that the first time. */
  spend(work: number, { path }: SchemaPath): boolean {
    const exhausted = this.#work > workMax;
    this.#work += work;
    if (this.#work <= workMax) return true;
    if (!exhausted) this.note("tooLarge", path);
    return false;
  }

  /** Adds a note once for each path and action. */
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

/** The cost of copying a keyword's value. */
export function workOf(value: JsonValue): number {
  if (typeof value === "string") return 1 + Math.floor(value.length / charsPerWork);
  if (typeof value !== "object" || value === null) return 1;
  return 1 + Math.floor(JSON.stringify(value).length / charsPerWork);
}

export function isTooDeep({ depth, references }: SchemaPath): boolean {
  return depth > depthMax || references.size > depthMax;
}

/** True if a schema is small enough to be walked; visits each value once, level by level. */
export function isWalkableSchema(schema: JsonObject): boolean {
  let values = 0;
  let level: readonly (JsonObject | JsonArray)[] = [schema];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > depthMax * 2) return false;
    const below: (JsonObject | JsonArray)[] = [];
    for (const holder of level) {
      for (const value of isJsonObject(holder) ? Object.values(holder) : holder) {
        if (++values > valuesMax) return false;
        if (typeof value === "object" && value !== null) below.push(value);
      }
    }
    level = below;
  }
  return true;
}
