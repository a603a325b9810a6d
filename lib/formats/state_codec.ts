import type { JsonObject, JsonValue, Note } from "../canonical/mod.ts";
import type { ServerSentEvent } from "./wire.ts";

/**
 * How the answers of a format are kept and gone on from, where the format lets callers ask for that.
 * The gateway keeps them itself, whoever answers: what it sends says all of the past and asks for
 * nothing to be kept, and what it answers says what is true here. Pure, as the rest of a codec.
 */
export interface StateCodec {
  /** What a request asks for. Throws `invalid_request` where that cannot be. */
  wanted(body: JsonObject): StateWanted;
  /** A request's input, as items. */
  inputItems(body: JsonObject): readonly JsonObject[];
  /** The id that an item only refers to; undefined for one that stands there itself. */
  referenceIn(item: JsonObject): string | undefined;
  /** The id of a thought whose item has neither its seal nor its words; undefined for any other item. */
  bareThoughtIn(item: JsonObject): string | undefined;
  /**
   * What to set in a request, and what to take out (`undefined`), so that an upstream needs no state
   * and keeps none. `items` is the whole input where it is another than the request's own.
   */
  stateless(body: JsonObject, items: readonly JsonObject[] | undefined): MemberChanges;
  /**
   * What to set in a request, once it is known who answers: so that what the model thinks can be sent
   * again though nothing is kept there, and so that no other vendor's seals arrive; with a note of
   * each that is left out.
   */
  forUpstream(
    body: JsonObject,
    upstream: SealOwner,
  ): { readonly members: MemberChanges; readonly notes: readonly Note[] };
  /** The seal of what a vendor's model thought, which no other can open; undefined for an item without. */
  sealIn(item: JsonObject): string | undefined;
  /** Returns true if an item can be sent again to a vendor that kept nothing. */
  readonly isReplayable: (item: JsonObject) => boolean;
  /** Says that an item was left out as it is not replayable; `place` is its own in the request's input, where it stood there. */
  leftOut(place?: number): Note;
  /** A reader for one answer; `told` is what it is to say of itself. */
  answerReader(told: AnswerTold): AnswerReader;
  /** The items of an answer. */
  outputItems(answer: JsonObject): readonly JsonObject[];
  /** The id under which a caller asks for an answer; undefined where it has none that can be asked for. */
  answerId(answer: JsonObject): string | undefined;
  /** The id of the answer in which an item stands, where the item's own id tells it. */
  answerOfItem(itemId: string): string | undefined;
  /** An item as a list shows it; `id` is for one that came without. */
  listed(item: JsonObject, id: string): JsonObject;
  /** How the id of an item begins that came without. */
  idPrefix(item: JsonObject): string;
  /** An answer that runs beside its caller, before anything was said. */
  queued(body: JsonObject, told: AnswerTold, createdAtMs: number): JsonObject;
  /** The same once something was said. */
  begun(queued: JsonObject): JsonObject;
  /** The same after its caller wanted no more of it. */
  cancelled(queued: JsonObject): JsonObject;
  /** The same after it failed: as its stream said last, else as `failure` says. */
  failed(queued: JsonObject, latest: JsonObject | undefined, failure: AnswerFailure): JsonObject;
  /** The event that ends the stream of an answer that has ended, from the answer alone. */
  endOf(answer: JsonObject, place: number): ServerSentEvent;
  /** Where an event stands in its stream, and the same event where it says nothing of that. */
  placed(event: ServerSentEvent, place: number): PlacedEvent;
}

/** Who is asked, and which seals it cannot open. */
export interface SealOwner {
  /** The model as it knows it. */
  readonly model: string;
  readonly isForeign: (seal: string) => boolean;
}

/** Members of a JSON object to set; `undefined` takes one out. */
export type MemberChanges = Readonly<Record<string, JsonValue | undefined>>;

export interface StateWanted {
  /** Whether the answer is to be kept; absent where the caller does not say. */
  readonly store?: boolean;
  /** The answer to go on from. */
  readonly previousId?: string;
  /** The conversation to go on with. */
  readonly conversationId?: string;
  /** Whether the answer is made beside its caller, who comes back for it. */
  readonly background: boolean;
}

/** What an answer says of the state that it stands in. */
export interface AnswerTold {
  /** Instead of the id that the upstream gave it. */
  readonly id?: string;
  readonly store: boolean;
  readonly previousId?: string;
  readonly conversationId?: string;
  readonly background: boolean;
}

/** Why there is no answer, where nothing was said of it. */
export interface AnswerFailure {
  readonly message: string;
}

export interface PlacedEvent {
  readonly event: ServerSentEvent;
  readonly place: number;
}

/** Sees an answer on its way to the caller, and makes it say what is true here. */
export interface AnswerReader {
  /** An event as it goes out: the very same where there is nothing to say. */
  push(event: ServerSentEvent): ServerSentEvent;
  /** What to set in a whole answer before it goes out; no members where there is nothing to say. */
  whole(body: JsonObject): MemberChanges;
  /** The answer as its end states it; undefined before, and where it failed. */
  readonly answer: JsonObject | undefined;
  /** The last that was said of the answer as a whole, its failure included. */
  readonly latest: JsonObject | undefined;
}
