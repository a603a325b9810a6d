import type {
  Citation,
  Continuation,
  NativePart,
  Part,
  TextPart,
  TokenLogprob,
  ToolCallPart,
} from "../../canonical/mod.ts";
import type { Codec } from "../codec.ts";
import { objectIn } from "../wire_value.ts";
import { tokenLosses } from "./logprobs.ts";
import type { AnswerNoteId, AnswerNotes } from "./notes.ts";
import { isHollow, type MediumPart, showsCitation, showsMedium } from "./places.ts";
import { citedText, isSayable, mediumText, paragraph, quotesSource } from "./text.ts";

/** The caller's format, to which an answer is fitted. */
export type Target = Pick<Codec, "name" | "answerPlaces">;

/** Fits single parts: notes the details that they lose, or replaces them with text or a call. */
export class PartFitter {
  readonly #to: Target;
  /** True if text may be added; false if the caller reads the text as JSON. */
  readonly #speaks: boolean;
  readonly #notes: AnswerNotes;

  constructor(to: Target, speaks: boolean, notes: AnswerNotes) {
    this.#to = to;
    this.#speaks = speaks;
    this.#notes = notes;
  }

  /** Notes the details that a part loses although the caller's format has a place for it. */
  noteForm(part: Part, place: string): void {
    const { refusals, audioTypes } = this.#to.answerPlaces;
    if (part.type === "refusal" && !refusals) this.#notes.add("refusal", place);
    if (part.type === "audio" && part.mediaType !== undefined && !audioTypes) {
      this.#notes.add("audioType", `${place}.mediaType`);
    }
  }

  noteProof(proof: Continuation | undefined, { place, state }: OpenPart): void {
    const { textProofs } = this.#to.answerPlaces;
    if (!proof || state.proofs++ < textProofs) return;
    this.#notes.add(textProofs > 0 ? "furtherProof" : "textProof", `${place}.continuation`);
  }

  hasPlace(part: Part): boolean {
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

  /** The replacement of a part for which the caller's format has no place. */
  instead(part: Part, place: string, state: AlternativeState): readonly Part[] {
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
    if (!call) return this.say(text, state, { place, said: "itemText", lost: "item" });
    this.#notes.add("call", place);
    state.calls = true;
    return [{ type: "tool-call", kind: "function", ...call }];
  }

  #insteadOfMedium(part: MediumPart, place: string, state: AlternativeState): readonly Part[] {
    const words = part.type === "audio" ? part.transcript ?? "" : "";
    if (words === "" && isHollow(part)) return [];
    if (words !== "") {
      return this.say(words, state, { place, said: "transcript", lost: "medium" });
    }
    const link = this.#speaks ? mediumText(part) : undefined;
    const said = this.say(link ?? "", state, { place, said: "mediumLink", lost: "medium" });
    this.#notes.foreign(part.native, `${place}.native`);
    return said;
  }

  /**
   * Returns the text as a paragraph and notes `said`, or returns nothing and notes `lost` if the
   * text is empty or must not be added.
   */
  say(
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
    state.added ||= isSaid;
    return isSaid ? [{ type: "text", text: paragraph(state.tail, text) }] : [];
  }

  noteTokens(tokens: readonly TokenLogprob[], { part, place, state }: OpenPart): void {
    const losses = tokenLosses(tokens, part.type, this.#to.answerPlaces);
    for (const id of losses) this.#notes.once(id, `${place}.logprobs`);
    state.rated ||= !losses.includes("logprobs");
  }

  checkArguments({ kind }: ToolCallPart, { text, place, state }: OpenPart): void {
    state.cut = undefined;
    if (kind === "custom" || !this.#to.answerPlaces.objectArguments) return;
    if (text.trim() === "" || text.length >= charsKeptMax || objectIn(text)) return;
    state.cut = place;
    this.#notes.add("arguments", `${place}.arguments`);
  }

  /** The text to append for citations that the caller's format cannot attach to a text. */
  cited(citations: readonly Citation[], { place, state, text }: OpenPart): string {
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
    state.added ||= said.length > 0;
    return citedText(text, said);
  }
}

/** Maximum citations appended to one text: each is searched for in the text. */
const citationsSaidMax = 1_000;

/** One alternative of an answer, as far as it was sent. */
export interface AlternativeState {
  readonly alternative: number;
  /** The number of parts that the upstream began. */
  parts: number;
  /** The number of its texts that carry a signature. */
  proofs: number;
  /** The end of its text so far. */
  tail: string;
  /** True if an item became a call. */
  calls: boolean;
  /** True if a text has log probabilities that the caller's format shows. */
  rated?: boolean;
  /** True if it got text that the model did not write. */
  added?: boolean;
  /** The place of the last call if its arguments are not the whole object that the format requires. */
  cut?: string;
}

/** A part that is being sent. */
export interface OpenPart {
  /** Its index in the caller's stream. */
  readonly index: number;
  readonly state: AlternativeState;
  readonly place: string;
  readonly part: Part;
  /** Its text or arguments so far; only the beginning of very long ones. */
  text: string;
  /** The last characters of the text or the arguments. */
  tail: string;
}

/** Maximum UTF-16 units kept of one part's text, so that an endless answer cannot fill the memory. */
const charsKeptMax = 512 * 1024;

/** Appends to the kept text of a part; other kinds of parts keep none. */
export function growPart(open: OpenPart, text: string): void {
  if (open.part.type !== "text" && open.part.type !== "tool-call") return;
  if (open.text.length < charsKeptMax) open.text += text;
  open.tail = text.length > 1 ? tailOf(text) : tailOf(open.tail + text);
}

/** The path of an alternative in notes; the first one needs no index. */
export function placeOf(alternative: number): string {
  return alternative === 0 ? "answer" : `answer.alternatives[${alternative}]`;
}

/** The text or the arguments that a part begins with. */
export function textIn(part: Part): string {
  return part.type === "text" ? part.text : part.type === "tool-call" ? part.arguments : "";
}

/** The last characters, enough to see the end of a paragraph. */
export function tailOf(text: string): string {
  return text.slice(-2);
}
