import {
  dropped,
  emulated,
  type NativeFields,
  type Note,
  repaired,
  type Usage,
} from "../../canonical/mod.ts";
import { harmlessAnswerFields, lostFields } from "../notes.ts";
import { saysNothing } from "../wire_value.ts";
import type { AnswerPlaces } from "./places.ts";

/** Everything that an answer can lose or change on its way to a caller of another format. */
export const answerNotes = {
  item: dropped("answer.parts[i]", "This item is not converted to the caller's format"),
  itemText: emulated(
    "answer.parts[i]",
    "This item is not converted to the caller's format, so its content is sent as text",
  ),
  call: emulated(
    "answer.parts[i]",
    "This item is not converted to the caller's format, so a tool call requests the approval",
  ),
  medium: dropped("answer.parts[i]", "The caller's format cannot show this medium"),
  mediumLink: emulated(
    "answer.parts[i]",
    "The caller's format cannot show this medium, so the text has a link to it",
  ),
  transcript: emulated(
    "answer.parts[i].transcript",
    "The caller's format has no transcripts, so the transcript is sent as text",
  ),
  textProof: dropped(
    "answer.parts[i].continuation",
    "The caller's format has no place for the signature of a text, which its vendor does not require back",
  ),
  furtherProof: dropped(
    "answer.parts[i].continuation",
    "A message of the caller's format has one signature of a text, the first",
  ),
  citations: dropped("answer.parts[i].citations", "The caller's format has no such citations"),
  citationsText: emulated(
    "answer.parts[i].citations",
    "The caller's format has no such citations, so the text lists them",
  ),
  quotes: dropped(
    "answer.parts[i].citations",
    "Citations of the caller's format cannot quote their sources",
  ),
  arguments: repaired(
    "answer.parts[i].arguments",
    "The arguments are not a JSON object, which the caller's format requires",
  ),
  alternative: dropped("answer.alternatives[i]", "The caller's format has one answer per response"),
  refusal: emulated(
    "answer.parts[i]",
    "The caller's format cannot mark refusals, so the refusal is plain text",
  ),
  cutCall: dropped(
    "answer.parts[i]",
    "The caller's format cannot mark a call as cut off, so a whole answer leaves it out",
  ),
  audioType: dropped(
    "answer.parts[i].mediaType",
    "Audio of the caller's format does not state its encoding",
  ),
  stopSequence: dropped(
    "answer.stopSequence",
    "The caller's format cannot state the matched stop sequence",
  ),
  pause: dropped(
    "answer.finishReason",
    "The model paused, which the caller's format cannot express. Send the answer back to continue",
  ),
  region: dropped(
    "answer.usage.servedRegion",
    "Usage of the caller's format does not state the region that served the call",
  ),
  logprobs: dropped(
    "answer.parts[i].logprobs",
    "The caller's format has no log probabilities here",
  ),
  tokenBytes: dropped(
    "answer.parts[i].logprobs",
    "Log probabilities of the caller's format have no bytes and no further members of tokens",
  ),
  tokenIds: dropped(
    "answer.parts[i].logprobs",
    "Log probabilities of the caller's format have no token ids",
  ),
  strayTokens: dropped(
    "answer.logprobs",
    "These log probabilities belong to no text, such as those of reasoning or a tool call",
  ),
  unratedText: emulated(
    "answer.logprobs",
    "Text that replaces other content has no log probabilities",
  ),
  field: dropped("answer.native.field", "This field is not converted to the caller's format"),
} as const satisfies Record<string, Note>;

export type AnswerNoteId = keyof typeof answerNotes;

/** Maximum notes of one kind in one answer; without it an upstream could cause any number. */
export const alikeMax = 3;

/** The notes of one answer: the first ones of each kind, and a count of the others. */
export class AnswerNotes {
  readonly #to: AnswerPlaces;
  readonly #kept: Note[] = [];
  readonly #counts = new Map<AnswerNoteId, number>();
  /** Notes that several events may cause: the start and the end of an answer may both state a field. */
  readonly #once = new Set<string>();

  constructor(to: AnswerPlaces) {
    this.#to = to;
  }

  add(id: AnswerNoteId, path: string): void {
    const count = (this.#counts.get(id) ?? 0) + 1;
    this.#counts.set(id, count);
    if (count <= alikeMax) this.#kept.push({ ...answerNotes[id], path });
  }

  /** Adds a note unless the list has it already. */
  once(id: AnswerNoteId, path: string): void {
    const key = `${id} ${path}`;
    if (this.#once.has(key)) return;
    this.#once.add(key);
    this.add(id, path);
  }

  /** Adds a note for each field that only the upstream's format has and whose loss matters. */
  foreign(native: NativeFields | undefined, path: string): void {
    if (!native) return;
    for (const name of lostFields(native, harmlessAnswerFields)) {
      if (!saysNothing(native.fields[name])) this.once("field", `${path}.${name}`);
    }
  }

  /** Usage may come several times. */
  usage({ servedRegion }: Usage): void {
    if (servedRegion === undefined || this.#to.regions || this.#counts.has("region")) return;
    this.add("region", answerNotes.region.path);
  }

  get list(): readonly Note[] {
    if (this.#counts.size === 0) return this.#kept;
    const more = [...this.#counts].filter(([, count]) => count > alikeMax);
    return [...this.#kept, ...more.map(([id, count]) => folded(id, count - alikeMax))];
  }
}

function folded(id: AnswerNoteId, more: number): Note {
  const { reason } = answerNotes[id];
  return { ...answerNotes[id], reason: `${reason} (${more} more)` };
}
