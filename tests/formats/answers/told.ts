import {
  type CanonicalResponse,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Note,
} from "../../../lib/canonical/mod.ts";
import { answerNotes } from "../../../lib/formats/answer/notes.ts";
import { Heard, type Leaf, leavesOf } from "./wire_leaves.ts";

/** The notes' report of a value: left out, or replaced by text. */
export type Telling = "dropped" | "worded" | "nothing";

/** The notes of an answer, looked up by the value that its caller did not get. */
export class Told {
  readonly #notes: readonly ReadNote[];

  constructor(response: CanonicalResponse, notes: readonly Note[]) {
    const places = [...placesOf(response)];
    const named = new Set(notes.map(({ path }) => path));
    const isWorded = notes.some(({ action, reason }) =>
      action === "emulated" && reason.startsWith(answerNotes.itemText.reason)
    );
    this.#notes = notes.map((note) => {
      const more = Number(/\((\d+) more\)$/.exec(note.reason)?.[1] ?? 0);
      const held = more === 0
        ? [note.path]
        : places.filter((path) => !named.has(path) && isOfRow(path, note.path));
      return {
        action: note.action,
        places: held.map((path) => placeAt(response, path))
          .filter(({ words, isSpeech }) =>
            more === 0 ||
            (!isSpeech && (!isWorded || (words === undefined) === (note.action === "dropped")))
          ),
        placesMax: more || 1,
        used: new Set<string>(),
      };
    });
  }

  /** Finds the note whose path contains the value. */
  says(leaf: Leaf): Telling {
    const tellings = this.#notes.map((note) => tellingOf(note, leaf));
    return tellings.find((telling) => telling === "dropped") ??
      tellings.find((telling) => telling === "worded") ?? "nothing";
  }
}

interface ReadNote {
  readonly action: Note["action"];
  /** The note's own path; all remaining ones of its kind if it only counts them. */
  readonly places: readonly Place[];
  readonly placesMax: number;
  readonly used: Set<string>;
}

interface Place {
  readonly path: string;
  readonly heard: Heard;
  /** The text that replaces an item; the text of a long item is cut, with a remark. */
  readonly words?: string;
  /** True for text and reasoning, which every format has. */
  readonly isSpeech: boolean;
}

function tellingOf({ action, places, placesMax, used }: ReadNote, leaf: Leaf): Telling {
  const holding = places.filter(({ heard }) => heard.says(leaf));
  const place = holding.find(({ path }) => used.has(path)) ?? holding[0];
  if (!place || used.add(place.path).size > placesMax) return "nothing";
  const isCut = place.words?.endsWith(" more characters]");
  return action === "dropped" || isCut ? "dropped" : "worded";
}

/** Every place of an answer that a note may name. */
function* placesOf({ alternatives, native }: CanonicalResponse): Generator<string> {
  for (const name of namesOf(native)) yield `answer.native.${name}`;
  for (const [at, { parts, native }] of alternatives.entries()) {
    const path = at === 0 ? "answer" : `answer.alternatives[${at}]`;
    yield* [path, `${path}.logprobs`];
    for (const name of namesOf(native)) yield `${path}.native.${name}`;
    for (const [index, part] of parts.entries()) {
      const place = `${path}.parts[${index}]`;
      yield* [place, `${place}.citations`, `${place}.transcript`, `${place}.mediaType`];
      yield `${place}.logprobs`;
      for (const name of namesOf(part.native)) yield `${place}.native.${name}`;
    }
  }
}

function namesOf(native: CanonicalResponse["native"]): string[] {
  return Object.keys(native?.fields ?? {});
}

/** Returns true if a path matches a row of the table of notes. */
function isOfRow(path: string, row: string): boolean {
  if (row.endsWith(".native.field")) return path.includes(".native.");
  const shape = (text: string) =>
    text.replace(/^answer\.alternatives\[\d+\]\./, "answer.").replace(/\[\w+\]/g, "[]");
  return shape(path) === shape(row);
}

/** The value at a note's path, in the answer as its own format's codec decoded it. */
function placeAt(response: CanonicalResponse, path: string): Place {
  const [, at, rest] = /^answer(?:\.alternatives\[(\d+)\])?(?:\.(.*))?$/.exec(path) ?? [];
  const alternative = response.alternatives[Number(at ?? 0)];
  const fields = {
    ...(at === undefined && response.native?.fields),
    ...alternative?.native?.fields,
  };
  const steps = rest === undefined
    ? []
    : rest.replace(/\[(\d+)\]/g, ".$1").replace(/\bnative\./, "native.fields.").split(".");
  const value = steps.reduce(memberOf, plain({ ...alternative, native: { fields } }));
  const words = isJsonObject(value) && value.type === "native" ? value.text : undefined;
  return {
    path,
    heard: new Heard(leavesOf(value === undefined ? null : { [steps.at(-1) ?? ""]: value })),
    ...(typeof words === "string" && { words }),
    isSpeech: isJsonObject(value) && (value.type === "text" || value.type === "reasoning"),
  };
}

function memberOf(value: JsonValue | undefined, step: string): JsonValue | undefined {
  if (Array.isArray(value)) return value[Number(step)];
  return isJsonObject(value) ? value[step] : undefined;
}

function plain(value: unknown): JsonObject {
  return JSON.parse(JSON.stringify(value));
}
