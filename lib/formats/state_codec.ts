import type { JsonObject, JsonValue, Note } from "../canonical/mod.ts";
import type { ServerSentEvent } from "./wire.ts";

/**
 * Stored and continued answers, for formats that let callers ask for them. The gateway stores the
 * answers itself, whichever upstream gave them: it sends the whole history upstream and asks it to
 * store nothing, and corrects the state that the answer reports. Pure, like the rest of a codec.
 */
export interface StateCodec {
  /** The state that a request asks for. Throws `invalid_request` if the combination is impossible. */
  wanted(body: JsonObject): StateWanted;
  /** A request's input, as items. */
  inputItems(body: JsonObject): readonly JsonObject[];
  /**
   * Returns false if the input is known to be items that name no stored one, without parsing a long
   * input.
   */
  mayName(body: JsonObject): boolean;
  /** The id in an item that is only a reference; undefined for other items. */
  referenceIn(item: JsonObject): string | undefined;
  /** The id of a reasoning item without seal and text; undefined for any other item. */
  bareThoughtIn(item: JsonObject): string | undefined;
  /**
   * Changes that make a request stateless: the upstream needs no state and stores none. `items` is
   * the whole input, if it differs from the request's own.
   */
  stateless(body: JsonObject, items: readonly JsonObject[] | undefined): MemberChanges;
  /**
   * Changes that depend on the upstream: requests sealed reasoning, so that it can be sent again,
   * and removes other vendors' seals, each with a note.
   */
  forUpstream(
    body: JsonObject,
    upstream: SealOwner,
  ): { readonly members: MemberChanges; readonly notes: readonly Note[] };
  /** The seal of a vendor's reasoning, which no other vendor can open; undefined for an item without. */
  sealIn(item: JsonObject): string | undefined;
  /** Returns true if an item can be sent again to a vendor that stored nothing. */
  readonly isReplayable: (item: JsonObject) => boolean;
  /**
   * The note for an item that was left out because it is not replayable; `place` is its position in
   * the request's input, if it has one.
   */
  leftOut(place?: number): Note;
  /**
   * A reader for one answer; `reported` is the state that the answer must report. With `isSteerable`
   * it can also end the answer.
   */
  answerReader(reported: ReportedState, isSteerable?: boolean): AnswerReader;
  /** The outputs, as stubs, that calls in an answer's items wait for: the caller must send them. */
  requiredInput(items: readonly JsonObject[]): readonly JsonObject[];
  /** The items of an answer. */
  outputItems(answer: JsonObject): readonly JsonObject[];
  /** The id by which a caller can fetch an answer; undefined if it has none. */
  answerId(answer: JsonObject): string | undefined;
  /** The id of the answer that contains an item, if the item's own id reveals it. */
  answerOfItem(itemId: string): string | undefined;
  /** An item as in a list; `id` is for an item without one. */
  listed(item: JsonObject, id: string): JsonObject;
  /** The prefix of ids for items without one. */
  idPrefix(item: JsonObject): string;
  /** A background answer before its first event. */
  queued(body: JsonObject, reported: ReportedState, createdAtMs: number): JsonObject;
  /** The same after its first event. */
  begun(queued: JsonObject): JsonObject;
  /** The queued answer after the caller cancelled it. */
  cancelled(queued: JsonObject): JsonObject;
  /** The same after it failed: `latest` is the last state in its stream, else `failure` counts. */
  failed(
    queued: JsonObject,
    latest: JsonObject | undefined,
    failure: { readonly message: string },
  ): JsonObject;
  /** The id of the call that no item made, although one of the items is its result; the first such one. */
  unmadeCall(items: readonly JsonObject[]): string | undefined;
  /** The events of an answer that only prepared the next one: nothing was generated or used. */
  prepared(
    body: JsonObject,
    reported: ReportedState,
    createdAtMs: number,
  ): readonly ServerSentEvent[];
  /** The terminal event of a finished answer, made from the answer alone. */
  endOf(answer: JsonObject, place: number): ServerSentEvent;
  /** The position of an event in its stream, and the event itself; sets the position if it has none. */
  placed(
    event: ServerSentEvent,
    place: number,
  ): { readonly event: ServerSentEvent; readonly place: number };
}

/** The upstream of a request, and the seals that it cannot open. */
export interface SealOwner {
  /** The model's name at the upstream. */
  readonly model: string;
  readonly isForeign: (seal: string) => boolean;
}

/** Members of a JSON object to set; `undefined` removes one. */
export type MemberChanges = Readonly<Record<string, JsonValue | undefined>>;

export interface StateWanted {
  /** True if the answer is to be stored; absent if the caller does not say. */
  readonly store?: boolean;
  /** The answer to continue. */
  readonly previousId?: string;
  /** The conversation to continue. */
  readonly conversationId?: string;
  /** True for a background answer, which the caller fetches later. */
  readonly background: boolean;
}

/** The stored state that an answer reports. */
export interface ReportedState {
  /** Replaces the upstream's id. */
  readonly id?: string;
  readonly store: boolean;
  readonly previousId?: string;
  readonly conversationId?: string;
  readonly background: boolean;
}

/** Sees an answer on its way to the caller, and corrects the state that it reports. */
export interface AnswerReader {
  /** The event to send: the same object if nothing changes. */
  push(event: ServerSentEvent): ServerSentEvent;
  /** Members to set in a whole answer before it is sent; empty if nothing changes. */
  whole(body: JsonObject): MemberChanges;
  /** The answer as its terminal event states it; undefined before it, and after a failure. */
  readonly answer: JsonObject | undefined;
  /** The last state of the whole answer, its failure included. */
  readonly latest: JsonObject | undefined;
  /**
   * Ends the answer early for new input: the events that close it. Undefined while it has no safe
   * place for that, as within a call of a tool; absent if the reader cannot.
   */
  cut?(): readonly ServerSentEvent[] | undefined;
}
