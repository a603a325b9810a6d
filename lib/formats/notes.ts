import {
  asksLogprobs,
  dropped,
  emulated,
  type FormatName,
  type HostedTool,
  type NativeFields,
  type NativePart,
  type Note,
  type Sampling,
  type TextPart,
} from "../canonical/mod.ts";
import {
  harmlessAnswerFields as chatCompletionsAnswer,
  harmlessFields as chatCompletions,
} from "./chat_completions/native.ts";
import {
  harmlessAnswerFields as generateContentAnswer,
  harmlessFields as generateContent,
} from "./generate_content/native.ts";
import {
  harmlessAnswerFields as messagesAnswer,
  harmlessFields as messages,
} from "./messages/native.ts";
import type { HarmlessFields } from "./native.ts";
import {
  harmlessAnswerFields as responsesAnswer,
  harmlessFields as responses,
} from "./responses/native.ts";
import { saysNothing } from "./wire_value.ts";

/**
 * Losses that occur in a conversion to any format. Their reasons do not claim that the format has no
 * such thing: several vendors have, for example, a tool that uses a computer, but each a different one.
 */
export const foreignNotes = {
  requestNative: dropped("native.field", "This field is not converted to the upstream's format"),
  partNative: dropped("turns[i].parts[j]", "This part is not converted to the upstream's format"),
  partInWords: emulated(
    "turns[i].parts[j]",
    "This part is not converted to the upstream's format, so its content is sent as text",
  ),
  settings: emulated(
    "turns[i]",
    "Changes of settings and tools within the conversation apply to the whole request",
  ),
  outlived: dropped("turns[i]", "The message expired at the user's next message"),
  toolNative: dropped("tools[i]", "This tool is not converted to the upstream's format"),
} as const;

/** Losses of settings in formats with the same rules for them. */
export const settingNotes = {
  temperature: dropped("sampling.temperature", "Thinking models do not accept a temperature"),
  topP: dropped("sampling.topP", "Thinking models do not accept top-p sampling"),
  logprobs: dropped("sampling.logprobs", "Thinking models do not state log probabilities"),
  reasoningEffort: dropped("reasoning", "This model does not accept a reasoning effort"),
  toolChoice: dropped("toolChoice", "No tool is left to choose from"),
  toolStrict: dropped("tools[i].strict", "The schema does not meet the rules of strict tools"),
  jsonMode: emulated(
    "output",
    "JSON mode requires the word JSON in the prompt, so an instruction was added",
  ),
  outputStrict: dropped("output.strict", "The schema does not meet the rules of strict output"),
  endUser: emulated(
    "endUser",
    "The id is longer than 128 characters or an e-mail address, so its hash is sent",
  ),
} as const;

/** Notes the sampling settings that reasoning models refuse (2025-11). */
export function noteSteering(
  sampling: Sampling,
  notes: Pick<TableNotes<keyof typeof settingNotes>, "add">,
): void {
  if (sampling.temperature !== undefined) notes.add("temperature");
  if (sampling.topP !== undefined) notes.add("topP");
  if (asksLogprobs(sampling)) notes.add("logprobs");
}

type ForeignId = keyof typeof foreignNotes;

/** The notes of one conversion, each a row of its format's table. */
export class TableNotes<Id extends string> {
  readonly list: Note[] = [];
  readonly #format: FormatName;
  readonly #table: Readonly<Record<Id | ForeignId, Note>>;

  constructor(format: FormatName, table: Readonly<Record<Id | ForeignId, Note>>) {
    this.#format = format;
    this.#table = table;
  }

  add(id: Id | ForeignId, path: string = this.#table[id].path): void {
    this.list.push({ ...this.#table[id], path });
  }

  /** Adds a note unless the list has it already. */
  once(id: Id): void {
    if (!this.list.some(({ reason }) => reason === this.#table[id].reason)) this.add(id);
  }

  /** The text of an item that only another format has; undefined if it has none. Notes either case. */
  asText({ text, cache }: NativePart, path: string): TextPart | undefined {
    this.add(text === undefined ? "partNative" : "partInWords", path);
    return text === undefined ? undefined : { type: "text", text, ...(cache && { cache }) };
  }

  /** Adds a note for each setting of a hosted tool that only another format has. */
  settings({ ownSettings = [] }: HostedTool, path: string): void {
    for (const name of ownSettings) this.add("requestNative", `${path}.${name}`);
  }

  /** Adds notes that were collected elsewhere, such as while translating a schema. */
  addAll(notes: readonly Note[]): void {
    this.list.push(...notes);
  }

  /** Adds a note for each field that only another format has and whose loss matters. */
  foreign(native: NativeFields | undefined, path: string): void {
    if (!native || native.format === this.#format) return;
    for (const name of lostFields(native, harmlessFields)) {
      if (path === "native" || !saysNothing(native.fields[name])) {
        this.add("requestNative", `${path}.${name}`); // an empty setting of the request may turn something on
      }
    }
  }
}

/** The names of the native fields whose loss in another format matters. */
export function lostFields(
  { format, fields }: NativeFields,
  harmless: Readonly<Record<FormatName, HarmlessFields>>,
): string[] {
  const known = harmless[format];
  const lost: string[] = [];
  for (const name in fields) {
    const value = fields[name];
    if (value === undefined || value === null || bookkeeping.has(name)) continue;
    if (!Object.hasOwn(known, name) || !known[name](value)) lost.push(name);
  }
  return lost;
}

/** Names that locate or identify a value without meaning of their own. */
const bookkeeping: ReadonlySet<string> = new Set([
  "id",
  "status",
  "index",
  "role",
  "type",
  "object",
  "continues",
]);

/**
 * Request fields whose loss in another format does not matter: they cause no note, so strict
 * callers are served.
 */
const harmlessFields = {
  "chat-completions": chatCompletions,
  responses,
  messages,
  "generate-content": generateContent,
} as const satisfies Record<FormatName, HarmlessFields>;

/** Answer fields whose loss for a caller of another format does not matter. */
export const harmlessAnswerFields = {
  "chat-completions": chatCompletionsAnswer,
  responses: responsesAnswer,
  messages: messagesAnswer,
  "generate-content": generateContentAnswer,
} as const satisfies Record<FormatName, HarmlessFields>;
