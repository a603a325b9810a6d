import type { JsonObject } from "../../lib/canonical/mod.ts";
import type { ServerSentEvent } from "../../lib/formats/wire.ts";
import type { Counts, Prompt, Reply } from "./small_model.ts";

/** A request as a vendor's server receives it. */
export interface Asked {
  readonly path: string;
  readonly headers: Headers;
  readonly body: JsonObject;
}

/** A reason to refuse a request: the broken rule, and the vendor's message. */
export interface Refusal {
  readonly rule: string;
  readonly message: string;
}

/**
 * A rule of the real vendor. `source` is the section of the vendor's wire format that states it, such
 * as `messages 3`. The body has passed the schema before a rule runs.
 */
export interface Rule<Body> {
  readonly name: string;
  readonly source: string;
  /** The vendor's message for each violation. */
  readonly violations: (body: Body, asked: Asked) => Iterable<string>;
}

/** The data of an answer other than its content. */
export interface Answering {
  readonly id: string;
  readonly model: string;
  readonly counts: Counts;
  readonly asked: Asked;
}

/** A fake of one vendor's server: checks requests, reads prompts and writes answers. */
export interface Vendor {
  /** The path between the host and the format's own paths. */
  readonly basePath: string;
  /** Parses an address and the model in it; undefined if the vendor does not serve it. */
  readonly address: (
    path: string,
  ) => { readonly stream?: boolean; readonly model?: string } | undefined;
  /** The credential in the vendor's own header. */
  readonly credential: (headers: Headers) => string | undefined;
  /** Every reason to refuse the request, the shape of the body first. */
  readonly refusals: (asked: Asked) => Refusal[];
  /** The valid signatures of this vendor in the history. */
  readonly proofs: (asked: Asked) => string[];
  readonly prompt: (asked: Asked) => Prompt;
  /** Cache reporting; `writes` if its usage states tokens written to a cache. */
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
