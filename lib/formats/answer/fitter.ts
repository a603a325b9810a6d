import {
  type CanonicalEvent,
  type CanonicalRequest,
  type CanonicalResponse,
  collect,
  type EndEvent,
  type Ending,
  eventsOf,
  type FinishReason,
  type Note,
  type Part,
  type PartEndEvent,
  partEvents,
  type PartStartEvent,
  type StartEvent,
} from "../../canonical/mod.ts";
import { AnswerNotes } from "./notes.ts";
import {
  type AlternativeState,
  growPart,
  type OpenPart,
  PartFitter,
  placeOf,
  tailOf,
  type Target,
  textIn,
} from "./part_fitter.ts";

/** Fits a whole answer to the caller's format. The notes name every loss and change. */
export function fittedAnswer(
  response: CanonicalResponse,
  to: Target,
  request: CanonicalRequest,
): { readonly response: CanonicalResponse; readonly notes: readonly Note[] } {
  if (!isForeign(response, to)) return { response, notes: [] };
  if (isPlain(response)) return { response, notes: notesOnFields(response, to) };
  const fitter = new AnswerFitter(to, request);
  const events = eventsOf(response).flatMap((event) => fitter.push(event));
  return { response: collect(events), notes: fitter.notes };
}

/** Returns true for an answer of text and reasoning that every format has a place for, as most are. */
function isPlain({ alternatives }: CanonicalResponse): boolean {
  if (alternatives.length !== 1) return false;
  const [{ parts, finishReason, stopSequence, logprobs, native }] = alternatives;
  return finishReason !== "pause" && stopSequence === undefined && native === undefined &&
    logprobs === undefined && parts.every(isPlainPart);
}

function isPlainPart(part: Part): boolean {
  if (part.native !== undefined) return false;
  return part.type === "reasoning" ||
    (part.type === "text" && part.citations === undefined && part.logprobs === undefined &&
      part.continuation === undefined);
}

function notesOnFields({ native, usage }: CanonicalResponse, to: Target): readonly Note[] {
  const notes = new AnswerNotes(to.answerPlaces);
  notes.foreign(native, "answer.native");
  if (usage) notes.usage(usage);
  return notes.list;
}

/**
 * Replaces the content for which the caller's format has no place with text, a link or a tool call,
 * and notes every loss and change. Answers in the caller's own format and of the built-in model
 * pass unchanged. Keeps the laws of `CanonicalEvent`.
 */
export class AnswerFitter {
  readonly #to: Target;
  readonly #notes: AnswerNotes;
  readonly #parts: PartFitter;
  readonly #alternatives = new Map<number, AlternativeState>();
  /** The open parts that are sent, by the upstream's index. */
  readonly #open = new Map<number, OpenPart>();
  /** The index of the next part that is sent. */
  #next = 0;
  #fits = false;

  constructor(to: Target, { output }: CanonicalRequest) {
    this.#to = to;
    this.#notes = new AnswerNotes(to.answerPlaces);
    const speaks = output === undefined || output.type === "text";
    this.#parts = new PartFitter(to, speaks, this.#notes);
  }

  get notes(): readonly Note[] {
    return this.#notes.list;
  }

  push(event: CanonicalEvent): readonly CanonicalEvent[] {
    if (event.type === "start") return this.#start(event);
    if (!this.#fits) return [event];
    switch (event.type) {
      case "part-start":
        return this.#startPart(event);
      case "part-delta": {
        const open = this.#open.get(event.index);
        if (!open) return [];
        growPart(open, event.text);
        if (event.logprobs) this.#parts.noteTokens(event.logprobs, open);
        return [open.index === event.index ? event : { ...event, index: open.index }];
      }
      case "part-end":
        return this.#endPart(event);
      case "end":
        return [this.#end(event)];
      case "usage":
        this.#notes.usage(event.usage);
        return [event];
      case "error":
        return [event];
      default:
        return event satisfies never;
    }
  }

  #start(event: StartEvent): readonly CanonicalEvent[] {
    this.#fits = isForeign(event, this.#to);
    if (this.#fits) this.#notes.foreign(event.native, "answer.native");
    return [event];
  }

  #startPart(event: PartStartEvent): readonly CanonicalEvent[] {
    const { alternative = 0, part } = event;
    const state = this.#alternative(alternative);
    if (alternative > 0 && !this.#to.answerPlaces.alternatives) return [];
    const place = `${placeOf(alternative)}.parts[${state.parts++}]`;
    if (!this.#parts.hasPlace(part)) {
      return this.#parts.instead(part, place, state).flatMap((said) => this.#whole(said, state));
    }
    this.#parts.noteForm(part, place);
    const index = this.#next++;
    const open = { index, state, place, part, text: "", tail: "" };
    this.#open.set(event.index, open);
    growPart(open, textIn(part));
    return [index === event.index ? event : { ...event, index }];
  }

  /** The events of a part that is sent in one piece. */
  #whole(part: Part, state: AlternativeState): CanonicalEvent[] {
    if (part.type === "text") state.tail = tailOf(state.tail + part.text);
    return partEvents(part, this.#next++, state.alternative);
  }

  #endPart(event: PartEndEvent): readonly CanonicalEvent[] {
    const open = this.#open.get(event.index);
    if (!open) return [];
    this.#open.delete(event.index);
    const { index, place, part } = open;
    this.#notes.foreign(event.patch?.native ?? part.native, `${place}.native`);
    if (event.patch?.logprobs) this.#parts.noteTokens(event.patch.logprobs, open);
    const end = index === event.index ? event : { ...event, index };
    switch (part.type) {
      case "audio":
        return [end, ...this.#transcript(part.transcript, open)];
      case "text": {
        this.#parts.noteProof(event.patch?.continuation ?? part.continuation, open);
        const added = this.#parts.cited(event.patch?.citations ?? part.citations ?? [], open);
        open.state.tail = tailOf(open.state.tail + open.tail + added);
        return added === "" ? [end] : [{ type: "part-delta", index, text: added }, end];
      }
      case "tool-call":
        this.#parts.checkArguments(part, open);
        return [end];
      default:
        return [end];
    }
  }

  #transcript(words: string | undefined, { place, state }: OpenPart): readonly CanonicalEvent[] {
    if (!words || this.#to.answerPlaces.transcripts) return [];
    const said = this.#parts.say(words, state, {
      place: `${place}.transcript`,
      said: "transcript",
      lost: "item",
    });
    return said.flatMap((part) => this.#whole(part, state));
  }

  #end(event: EndEvent): EndEvent {
    this.#notes.foreign(event.native, "answer.native");
    const { alternatives } = this.#to.answerPlaces;
    const kept = alternatives ? event.endings : event.endings.slice(0, 1);
    return { ...event, endings: kept.map((ending, at) => this.#ending(ending, at)) };
  }

  #ending(ending: Ending, alternative: number): Ending {
    const place = placeOf(alternative);
    this.#notes.foreign(ending.native, `${place}.native`);
    if (ending.finishReason === "pause" && !this.#to.answerPlaces.pauses) {
      this.#notes.add("pause", `${place}.finishReason`);
    }
    if (ending.stopSequence !== undefined && !this.#to.answerPlaces.stopSequences) {
      this.#notes.add("stopSequence", `${place}.stopSequence`);
    }
    const cut = cutting.has(ending.finishReason) && this.#alternatives.get(alternative)?.cut;
    if (cut) this.#notes.add("cutCall", cut);
    const calls = this.#alternatives.get(alternative)?.calls && ending.finishReason === "stop";
    const kept = this.#withoutTokens(ending, alternative);
    return calls ? { ...kept, finishReason: "tool-calls" } : kept;
  }

  /** Tokens of an ending belong to content whose log probabilities no other format has. */
  #withoutTokens(ending: Ending, alternative: number): Ending {
    const { logprobs, ...rest } = ending;
    const { rated, added } = this.#alternatives.get(alternative) ?? {};
    const place = `${placeOf(alternative)}.logprobs`;
    if (rated && added) this.#notes.add("unratedText", place);
    if (!logprobs) return ending;
    this.#notes.add("strayTokens", place);
    return rest;
  }

  #alternative(alternative: number): AlternativeState {
    const known = this.#alternatives.get(alternative);
    if (known) return known;
    if (alternative > 0 && !this.#to.answerPlaces.alternatives) {
      this.#notes.add("alternative", placeOf(alternative));
    }
    const state = { alternative, parts: 0, proofs: 0, tail: "", calls: false };
    this.#alternatives.set(alternative, state);
    return state;
  }
}

/** Returns true if an answer comes from another format. The built-in model has no format. */
function isForeign(
  { native }: Pick<StartEvent, "native">,
  { name }: Pick<Target, "name">,
): boolean {
  return native !== undefined && native.format !== name;
}

/** Finish reasons that may cut a call off, which the caller's format cannot mark. */
const cutting: ReadonlySet<FinishReason> = new Set(["length", "context-full", "content-filter"]);
