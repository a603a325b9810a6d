import type { GatewayError, JsonObject } from "../canonical/mod.ts";
import type { MemberChanges } from "./state_codec.ts";
import type { WireRequest } from "./wire.ts";

/**
 * Compacted histories, for formats whose clients ask for them. The gateway makes the summary, seals
 * it and opens it again; a codec only reads requests and writes items. Pure, like the rest of it.
 */
export interface CompactionCodec {
  /**
   * The compaction that a request asks for; undefined if it asks for none, or has nothing to
   * compact. Throws `invalid_request` for a request that cannot be compacted.
   */
  wanted(wire: WireRequest): CompactionWanted | undefined;
  /** The request without that wish. */
  withoutWish(wire: WireRequest): WireChanges;
  /** The request for a summary: the whole history, and `prompt` as its last turn. */
  summaryRequest(wire: WireRequest, prompt: string): WireChanges;
  /** The request of an answer that continues after the summary, which replaces the history. */
  continued(wire: WireRequest, summary: string): WireChanges;
  /** True if the client can read the summary beside its seal, which then holds only its digest. */
  readonly isReadable: boolean;
  /** The item or block that a caller sends again in place of the history. */
  capsule(made: NewCapsule): JsonObject;
  /**
   * The capsule of a request's history that counts; undefined without one. Throws the format's own
   * error for capsules of the gateway in impossible places.
   */
  capsuleIn(body: JsonObject): FoundCapsule | undefined;
  /** The request with that capsule's text in its place, and without what the capsule replaces. */
  opened(body: JsonObject, summary: string): MemberChanges;
  /** The error of a capsule that does not open, or whose readable text was changed. */
  refusal(fault: "seal" | "text", param: string): GatewayError;
  /**
   * Changes that turn the answer to `wire` into that of the endpoint for compactions; absent if the
   * format has none.
   */
  answerChanges?(wire: WireRequest, answer: JsonObject): MemberChanges;
}

/** A compaction that a request asks for. */
export interface CompactionWanted {
  /** The client's prompt in place of the gateway's. */
  readonly instructions?: string;
  /** The prompt tokens above which the history is compacted; absent: it is compacted in any case. */
  readonly threshold?: number;
  /** True if an answer follows the compaction. */
  readonly answers: boolean;
}

/** A compacted history from the gateway's own summary. */
export interface NewCapsule {
  readonly id: string;
  readonly sealed: string;
  readonly summary: string;
  /** True if an answer may follow it in the same response. */
  readonly isAutomatic: boolean;
}

/** A capsule in a request. */
export interface FoundCapsule {
  /** Its path in the request. */
  readonly param: string;
  /** Its opaque text; absent if it has none. */
  readonly sealed?: string;
  /** Its readable text; absent if it has none. */
  readonly summary?: string;
}

/** Changes of a request: its members, and its path and headers if they differ. */
export interface WireChanges extends Partial<Pick<WireRequest, "path" | "headers">> {
  readonly members: MemberChanges;
}

/** A summary as the model reads it. */
export function summaryText(summary: string): string {
  return `${preface}\n\n${summary}`;
}

const preface =
  "The text below is a summary of the conversation so far, written by a model. It replaces the " +
  "earlier messages. Results of tools that it mentions are no longer available. Continue from it.";

/** Output limit of a summary whose request states none, in tokens. */
export const summaryTokens = 8_000;
