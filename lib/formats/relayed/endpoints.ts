import type { z } from "zod";
import type { JsonObject, TokenBucket } from "../../canonical/mod.ts";
import type { Envelope } from "../codec.ts";
import type { Endpoint, Operation, RelayedOperation } from "../wire.ts";
import { answerBounds } from "../request/envelope.ts";
import { assertShape } from "../schema.ts";
import { objectsOf, textOf } from "../wire_value.ts";
import {
  completionRequest,
  decisionRequest,
  embeddingRequest,
  imageEditForm,
  imageRequest,
  moderationRequest,
  rerankRequest,
  speechRequest,
  transcriptionForm,
  translationForm,
} from "./schema.ts";
import {
  decisionUsage,
  embeddingUsage,
  imageUsage,
  type ReadUsage,
  rerankUsage,
  speechUsage,
  transcriptionUsage,
} from "./usage.ts";

/** A relayed endpoint: the members of its calls that the gateway reads. */
export interface RelayedEndpoint extends Endpoint {
  readonly method: "POST";
  readonly operation: RelayedOperation;
  /** JSON, a form (`multipart/form-data`), or either. */
  readonly takes: "json" | "form" | "either";
  readonly schema: z.ZodType;
  /** The model if the caller names none, as at its vendor; absent if the caller must name one. */
  readonly model?: string;
  /** The kind of answer apart from JSON and event streams. */
  readonly answers?: "text" | "bytes";
  /** The maximum length of an answer, for its reservation. */
  bounds(body: JsonObject): Pick<Envelope, "maxOutputTokens" | "alternatives">;
  /** Returns true if a call is billed only for text of its body and its answer; default: never. */
  billsText?(body: JsonObject): boolean;
  /** The member that limits each answer; absent if there is none: then the whole call is reserved. */
  readonly limitMember?: string;
  /** Buckets that its usage may fill, whatever the body contains. */
  readonly fills?: readonly TokenBucket[];
  /** Absent if usage is in the format's usual place. */
  readonly usage?: ReadUsage;
  /** The text of an answer, or of one event: counted if no usage is stated. */
  readonly words?: (body: JsonObject) => string;
  /** True if a stream states its usage only on request, as in chat-completions. */
  readonly metersOnRequest?: true;
  /** Types of the events that end a stream instead of `[DONE]`. */
  readonly ends?: readonly string[];
}

const nothingOut = { maxOutputTokens: 0, alternatives: 1 } as const;
const noBound = { alternatives: 1 } as const;
/** Maximum tokens of an image (OpenAI, the largest at the highest quality: 6,240; 2026-11-21). */
const imageTokensMax = 10_000;

/** Speech has about 20 tokens a second, at a quarter of the normal speed at the slowest (OpenAI, 2026-11-22). */
const speechTokensPerCharacter = 8;

/** Each prompt is answered, and all candidates of `best_of` are billed. */
function completionBounds({ prompt, max_tokens, n, best_of }: JsonObject) {
  const prompts = Array.isArray(prompt) && typeof prompt[0] !== "number" ? prompt.length : 1;
  const asked = answerBounds([max_tokens], [n]);
  const tried = answerBounds([], [best_of]).alternatives;
  return { ...asked, alternatives: Math.max(asked.alternatives, tried) * prompts };
}

/** Texts and token numbers; an object may be an image. */
function isText(value: unknown): boolean {
  return Array.isArray(value) ? value.every(isText) : typeof value !== "object" || value === null;
}

const json = { method: "POST", takes: "json" } as const;
const form = { method: "POST", takes: "form" } as const;
const transcribed = {
  ...form,
  answers: "text",
  fills: ["audioInputTokens", "audioOutputTokens"],
  bounds: () => noBound,
  usage: transcriptionUsage,
  words: ({ type, text, delta }: JsonObject) => textOf(type === undefined ? text : delta),
  ends: ["transcript.text.done"],
} as const;
const pictured = {
  fills: ["imageInputTokens", "imageOutputTokens"],
  bounds: ({ n }: JsonObject) => ({ ...answerBounds([], [n]), maxOutputTokens: imageTokensMax }),
  usage: imageUsage,
  ends: ["image_generation.completed", "image_edit.completed"],
} as const;

/** All relayed endpoints. */
export const relayedEndpoints: readonly RelayedEndpoint[] = [
  {
    ...json,
    path: "/v1/embeddings",
    operation: "embed",
    schema: embeddingRequest,
    bounds: () => nothingOut,
    billsText: ({ input }) => isText(input),
    usage: embeddingUsage,
  },
  {
    ...json,
    path: "/v1/completions",
    operation: "complete",
    schema: completionRequest,
    bounds: completionBounds,
    limitMember: "max_tokens",
    billsText: ({ prompt, suffix }) => isText([prompt, suffix]),
    metersOnRequest: true,
    words: ({ choices }) => objectsOf(choices).map(({ text }) => textOf(text)).join(""),
  },
  {
    ...json,
    ...pictured,
    path: "/v1/images/generations",
    operation: "generate-image",
    schema: imageRequest,
  },
  {
    ...pictured,
    method: "POST",
    takes: "either",
    path: "/v1/images/edits",
    operation: "edit-image",
    schema: imageEditForm,
  },
  {
    ...json,
    path: "/v1/audio/speech",
    operation: "speak",
    schema: speechRequest,
    answers: "bytes",
    fills: ["audioOutputTokens"],
    bounds: ({ input }) => ({
      ...noBound,
      maxOutputTokens: textOf(input).length * speechTokensPerCharacter,
    }),
    usage: speechUsage,
    ends: ["speech.audio.done"],
  },
  {
    ...transcribed,
    path: "/v1/audio/transcriptions",
    operation: "transcribe",
    schema: transcriptionForm,
  },
  {
    ...transcribed,
    path: "/v1/audio/translations",
    operation: "translate",
    schema: translationForm,
  },
  {
    ...json,
    path: "/v1/moderations",
    operation: "moderate",
    schema: moderationRequest,
    model: "omni-moderation-latest",
    bounds: () => nothingOut,
    billsText: ({ input }) => isText(input),
    usage: embeddingUsage,
  },
  {
    ...json,
    path: "/v1/rerank",
    operation: "rerank",
    schema: rerankRequest,
    bounds: () => nothingOut,
    usage: rerankUsage,
  },
  {
    ...json,
    path: "/v1/decisions",
    operation: "decide",
    schema: decisionRequest,
    bounds: () => noBound,
    usage: decisionUsage,
  },
];

/** Checks the members that the gateway reads. Throws `invalid_request` that names the first wrong field. */
export function assertRelayable({ schema }: RelayedEndpoint, members: JsonObject): void {
  assertShape(schema, members, "");
}

const byOperation: ReadonlyMap<string, RelayedEndpoint> = new Map(
  relayedEndpoints.map((endpoint) => [endpoint.operation, endpoint]),
);

/** The relayed endpoint of an operation; undefined for other operations. */
export function relayedEndpoint(operation: string): RelayedEndpoint | undefined {
  return byOperation.get(operation);
}

export function isRelayed(operation: Operation): operation is RelayedOperation {
  return byOperation.has(operation);
}
