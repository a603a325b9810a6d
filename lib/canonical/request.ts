import type { Change, OutputFormat, Reasoning } from "./settings.ts";
import type { CacheMark, Part, TextPart } from "./content.ts";
import type { NativeFields } from "./format.ts";
import type { Tool, ToolChoice } from "./tool.ts";
import type { VendorState } from "./vendor_state.ts";

/** A request for one answer, independent of any wire format. Absent means "not stated", never a default. */
export interface CanonicalRequest {
  /** The model's name from the caller, or the upstream's name once routed. */
  readonly model: string;
  readonly stream: boolean;
  /** Leading system text, in order; each wire block is a separate part. */
  readonly instructions: readonly TextPart[];
  readonly turns: readonly Turn[];
  readonly tools: readonly Tool[];
  readonly toolChoice?: ToolChoice;
  /** True if the model may call several tools in one turn. */
  readonly parallelToolCalls?: boolean;
  readonly output?: OutputFormat;
  readonly sampling: Sampling;
  readonly limits: OutputLimits;
  readonly reasoning?: Reasoning;
  readonly streamOptions?: StreamOptions;
  /** Routes equal prefixes to the same prompt cache. */
  readonly cacheKey?: string;
  /** A breakpoint that the vendor sets itself, at the end of the prompt. */
  readonly cache?: CacheMark;
  readonly caching?: Caching;
  /** The caller's own end user, as an opaque id. */
  readonly endUser?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly serviceTier?: string;
  readonly verbosity?: "low" | "medium" | "high";
  /** True if the vendor may store the answer. */
  readonly store?: boolean;
  readonly safety?: readonly SafetySetting[];
  /** Present if only upstreams of one format can answer, because only their vendor has this state. */
  readonly vendorState?: VendorState;
  readonly native?: NativeFields;
  /** The original spelling of fields that canonical ones hold already; other formats ignore it without a note. */
  readonly spelling?: NativeFields;
}

/** Cache settings apart from breakpoints. */
export interface Caching {
  /** True if only the caller's own breakpoints count: without any, nothing is cached. */
  readonly onlyMarked?: true;
  /** The lifetime of breakpoints that state none, as on the wire. */
  readonly ttl?: string;
  /** True if the call only fills the cache and has no answer. */
  readonly prewarm?: true;
}

/** `system` is a system message in its place between turns; leading ones are `instructions`. */
export interface Turn {
  readonly role: "user" | "assistant" | "system";
  readonly parts: readonly Part[];
  /** The change that the turn itself makes from its place on; its parts may make others. */
  readonly change?: Change;
  /** True if the model no longer sees the turn. Its own format keeps it in place. */
  readonly isOutlived?: boolean;
  readonly native?: NativeFields;
}

export interface Sampling {
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly stopSequences?: readonly string[];
  readonly seed?: number;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  readonly logitBias?: Readonly<Record<string, number>>;
  readonly logprobs?: boolean;
  readonly topLogprobs?: number;
  /** Number of alternative answers. */
  readonly alternatives?: number;
}

export interface OutputLimits {
  /** Maximum output tokens, including reasoning, as in all four formats. */
  readonly maxOutputTokens?: number;
  readonly maxToolCalls?: number;
}

export interface StreamOptions {
  readonly includeUsage?: boolean;
  readonly includeObfuscation?: boolean;
}

export interface SafetySetting {
  readonly category: string;
  readonly threshold: string;
  readonly native?: NativeFields;
}
