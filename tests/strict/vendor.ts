import type { JsonObject } from "../../lib/canonical/mod.ts";
import type { ServerSentEvent } from "../../lib/formats/wire.ts";
import type { Prompt, Reply } from "./small_model.ts";

/** A request as a vendor's server has it before it reads the body's meaning. */
export interface Asked {
  readonly path: string;
  readonly headers: Headers;
  readonly body: JsonObject;
}

/** Why a request is refused: which rule, and the vendor's words for it. */
export interface Refusal {
  readonly rule: string;
  readonly message: string;
}

/**
 * Something that the real vendor refuses. `source` is the section of the vendor's wire format that
 * states it, such as `messages 3`. The shape of the body holds already when a rule is asked.
 */
export interface Rule<Body> {
  readonly name: string;
  readonly source: string;
  /** The vendor's words for each violation; none when the request keeps the rule. */
  readonly violations: (body: Body, asked: Asked) => Iterable<string>;
}

/** What a call used, as the fake counts it; buckets are disjoint. */
export interface Counts {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  readonly reasoning: number;
}

/** What an answer must know besides what it says. */
export interface Answering {
  readonly id: string;
  readonly model: string;
  readonly counts: Counts;
  readonly asked: Asked;
}

/** One vendor's server: what it refuses, how it reads a prompt, how it words an answer. */
export interface Vendor {
  /** Stands between the host and the format's own paths. */
  readonly basePath: string;
  /** Whether the address is one of the vendor's, and which model it names. */
  readonly address: (
    path: string,
  ) => { readonly stream?: boolean; readonly model?: string } | undefined;
  /** The credential that the vendor's own header carries. */
  readonly credential: (headers: Headers) => string | undefined;
  /** Every reason to refuse the request, the shape of the body first. */
  readonly refusals: (asked: Asked) => Refusal[];
  /** The proofs in the history that this vendor signed and that nobody altered. */
  readonly proofs: (asked: Asked) => string[];
  readonly prompt: (asked: Asked) => Prompt;
  /** Whether its usage states what was written to a cache. */
  readonly counting: {
    readonly writes: boolean;
    /** Returns true if a prompt is cached at all; default: every prompt. */
    readonly caches?: (asked: Asked) => boolean;
  };
  readonly whole: (reply: Reply, answering: Answering) => JsonObject;
  readonly stream: (reply: Reply, answering: Answering) => ServerSentEvent[];
  readonly error: (status: number, message: string) => JsonObject;
  /** The events that end a stream which fails midway. */
  readonly streamError: (message: string) => ServerSentEvent[];
}
