import {
  type CanonicalEvent,
  type CanonicalRequest,
  type CanonicalResponse,
  type Citation,
  collect,
  type EndEvent,
  type Ending,
  eventsOf,
  type FinishReason,
  type NativePart,
  type Note,
  type Part,
  type PartEndEvent,
  partEvents,
  type PartStartEvent,
  type StartEvent,
  type TextPart,
  type ToolCallPart,
} from "../../canonical/mod.ts";
import { type AnswerNoteId, AnswerNotes } from "./notes.ts";
import { type MediumPart, showsCitation, showsMedium } from "./places.ts";
import { citedText, isSayable, mediumText, paragraph, quotesSource } from "./text.ts";
import type { Codec } from "../codec.ts";
import {
  type AlternativeState,
  charsKeptMax,
  grow,
  type OpenPart,
  placeOf,
  tailOf,
  textIn,
} from "./open_part.ts";
import { objectIn } from "../wire_value.ts";

/** The caller's format, to which an answer is fitted. */
type Target = Pick<Codec, "name" | "answerPlaces">;

/** Fits a whole answer to the caller's format. The notes name all that was lost or changed. */
export function fittedAnswer(
  response: CanonicalResponse,
  to: Target,
  request: CanonicalRequest,
): { readonly response: CanonicalResponse; readonly notes: readonly Note[] } {
  if (!isForeign(response, to)) return { response, notes: [] };
  const fitter = new AnswerFitter(to, request);
  const events = [...eventsOf(response)].flatMap((event) => fitter.push(event));
  return { response: collect(events), notes: fitter.notes };
}

/**
 * Turns what an answer of one format says, and another has no place for, into what can be said
 * there: text, a link, a call. All that is lost or changed is noted. Answers of the caller's own
 * format and of the embedded model go through as they are. Keeps the laws of `CanonicalEvent`.
 */
export class AnswerFitter {
  readonly #to: Target;
  /** True if text may be added; false if the caller reads the text as JSON. */
  readonly #speaks: boolean;
  readonly #notes = new AnswerNotes();
  readonly #alternatives = new Map<number, AlternativeState>();
  /** The open parts that go out, by the upstream's index. */
  readonly #open = new Map<number, OpenPart>();
  /** The index of the next part that goes out. */
  #next = 0;
  #fits = false;

  constructor(to: Target, { output }: CanonicalRequest) {
    this.#to = to;
    this.#speaks = output === undefined || output.type === "text";
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
        grow(open, event.text);
        return [open.index === event.index ? event : { ...event, index: open.index }];
      }
      case "part-end":
        return this.#endPart(event);
      case "end":
        return [this.#end(event)];
      case "usage":
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
    if (!this.#hasPlace(part)) {
      return this.#instead(part, place, state).flatMap((said) => this.#whole(said, state));
    }
    this.#noteForm(part, place);
    const index = this.#next++;
    const open = { index, state, place, part, text: "", tail: "" };
    this.#open.set(event.index, open);
    grow(open, textIn(part));
    return [index === event.index ? event : { ...event, index }];
  }

  /** Notes the form that a part with a place loses. */
  #noteForm(part: Part, place: string): void {
    const { refusals, audioTypes } = this.#to.answerPlaces;
    if (part.type === "refusal" && !refusals) this.#notes.add("refusal", place);
    if (part.type === "audio" && part.mediaType !== undefined && !audioTypes) {
      this.#notes.add("audioType", `${place}.mediaType`);
    }
  }

  #hasPlace(part: Part): boolean {
    switch (part.type) {
      case "text":
      case "refusal":
      case "reasoning":
      case "tool-call":
        return true;
      case "image":
      case "audio":
      case "video":
      case "file":
        return showsMedium(this.#to.answerPlaces, part);
      case "native":
        return part.format === this.#to.name;
      case "tool-result":
        return false;
      default:
        return part satisfies never;
    }
  }

  /** The parts that replace one without a place in the caller's format. */
  #instead(part: Part, place: string, state: AlternativeState): readonly Part[] {
    switch (part.type) {
      case "native":
        return this.#insteadOfItem(part, place, state);
      case "image":
      case "audio":
      case "video":
      case "file":
        return this.#insteadOfMedium(part, place, state);
      default:
        this.#notes.add("item", place);
        return [];
    }
  }

  #insteadOfItem(
    { call, text = "" }: NativePart,
    place: string,
    state: AlternativeState,
  ): readonly Part[] {
    if (!call) return this.#say(text, state, { place, said: "itemText", lost: "item" });
    this.#notes.add("call", place);
    state.calls = true;
    return [{ type: "tool-call", kind: "function", ...call }];
  }

  #insteadOfMedium(part: MediumPart, place: string, state: AlternativeState): readonly Part[] {
    const words = part.type === "audio" ? part.transcript ?? "" : "";
    if (words !== "") {
      return this.#say(words, state, { place, said: "transcript", lost: "medium" });
    }
    const link = this.#speaks ? mediumText(part) : undefined;
    const said = this.#say(link ?? "", state, { place, said: "mediumLink", lost: "medium" });
    this.#notes.foreign(part.native, `${place}.native`);
    return said;
  }

  /** The text as a paragraph, noted as `said`. Nothing, noted as `lost`, if it is empty or no text may be added. */
  #say(
    text: string,
    state: AlternativeState,
    { place, said, lost }: {
      readonly place: string;
      readonly said: AnswerNoteId;
      readonly lost: AnswerNoteId;
    },
  ): readonly TextPart[] {
    const isSaid = this.#speaks && text.trim() !== "";
    this.#notes.add(isSaid ? said : lost, place);
    return isSaid ? [{ type: "text", text: paragraph(state.tail, text) }] : [];
  }

  /** The events of a part that is said at once. */
  #whole(part: Part, state: AlternativeState): CanonicalEvent[] {
    if (part.type === "text") state.tail = tailOf(state.tail + part.text);
    return [...partEvents(part, this.#next++, state.alternative)];
  }

  #endPart(event: PartEndEvent): readonly CanonicalEvent[] {
    const open = this.#open.get(event.index);
    if (!open) return [];
    this.#open.delete(event.index);
    const { index, place, part } = open;
    this.#notes.foreign(event.patch?.native ?? part.native, `${place}.native`);
    const end = index === event.index ? event : { ...event, index };
    switch (part.type) {
      case "audio":
        return [end, ...this.#transcript(part.transcript, open)];
      case "text": {
        const added = this.#cited(event.patch?.citations ?? part.citations ?? [], open);
        open.state.tail = tailOf(open.state.tail + open.tail + added);
        return added === "" ? [end] : [{ type: "part-delta", index, text: added }, end];
      }
      case "tool-call":
        this.#checkArguments(part, open);
        return [end];
      default:
        return [end];
    }
  }

  #checkArguments({ kind }: ToolCallPart, { text, place, state }: OpenPart): void {
    state.cut = undefined;
    if (kind === "custom" || !this.#to.answerPlaces.objectArguments) return;
    if (text.trim() === "" || text.length >= charsKeptMax || objectIn(text)) return;
    state.cut = place;
    this.#notes.add("arguments", `${place}.arguments`);
  }

  /** The text to add for citations that have no place beside their text. */
  #cited(citations: readonly Citation[], { place, text }: OpenPart): string {
    const { true: shown = [], false: others = [] } = Object.groupBy(
      citations,
      (citation) => `${showsCitation(this.#to.answerPlaces, citation)}`,
    );
    if (shown.some((citation) => quotesSource(citation, text))) {
      this.#notes.add("quotes", `${place}.citations`);
    }
    if (others.length === 0) return "";
    const said = this.#speaks ? others.filter(isSayable).slice(0, citationsSaidMax) : [];
    if (said.length > 0) this.#notes.add("citationsText", `${place}.citations`);
    if (said.length === 0 || others.length > citationsSaidMax) {
      this.#notes.add("citations", `${place}.citations`);
    }
    return citedText(text, said);
  }

  #transcript(words: string | undefined, { place, state }: OpenPart): readonly CanonicalEvent[] {
    if (!words || this.#to.answerPlaces.transcripts) return [];
    const said = this.#say(words, state, {
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
    return calls ? { ...ending, finishReason: "tool-calls" } : ending;
  }

  #alternative(alternative: number): AlternativeState {
    const known = this.#alternatives.get(alternative);
    if (known) return known;
    if (alternative > 0 && !this.#to.answerPlaces.alternatives) {
      this.#notes.add("alternative", placeOf(alternative));
    }
    const state = { alternative, parts: 0, tail: "", calls: false };
    this.#alternatives.set(alternative, state);
    return state;
  }
}

/** Citations of one text that are added to it at most: each is sought in the text. */
const citationsSaidMax = 1_000;

/** Returns true if an answer comes from another format. The embedded model has no format. */
function isForeign(
  { native }: Pick<StartEvent, "native">,
  { name }: Pick<Target, "name">,
): boolean {
  return native !== undefined && native.format !== name;
}

/** Endings that may come within a call, which the caller's format cannot mark as cut off. */
const cutting: ReadonlySet<FinishReason> = new Set(["length", "context-full", "content-filter"]);
