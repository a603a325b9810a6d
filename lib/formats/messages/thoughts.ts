import {
  type CanonicalRequest,
  type Continuation,
  isSealed,
  type JsonObject,
  type JsonValue,
  openContinuation,
  type ReasoningPart,
  sealContinuation,
  withoutText,
} from "../../canonical/mod.ts";
import { restOf, textOf } from "../wire_value.ts";
import { format, keep, ownFields } from "./native.ts";

/**
 * Reads the opaque string of a block: sealed by the gateway in a caller's request, the upstream's
 * own in an answer.
 */
type ReadProof = (data: string) => Continuation | undefined;

/** For a caller's request: the string may be another vendor's continuation. */
export const returnedProof: ReadProof = (data) => openContinuation(format, data);

/**
 * For an upstream's answer: the string returns to the upstream unchanged, even if that is a gateway
 * like this one.
 */
export const issuedProof: ReadProof = (data) => ({ issuer: format, data });

/** `thinking` with its signature, or `redacted_thinking`, which contains only the continuation. */
export function decodeThinking(block: JsonObject, readProof: ReadProof): ReasoningPart {
  if (block.type === "redacted_thinking") return decodeRedacted(block, readProof);
  const continuation = proofIn(block.signature, readProof);
  return {
    type: "reasoning",
    text: textOf(block.thinking),
    visibility: "summary",
    ...(continuation && { continuation }),
    ...keep(restOf(block, ["type", "thinking", "signature"])),
  };
}

/** Another vendor's continuation may contain the reasoning that its caller was not shown. */
function decodeRedacted(block: JsonObject, readProof: ReadProof): ReasoningPart {
  const own = keep(restOf(block, ["type", "data"]));
  const proof = proofIn(block.data, readProof);
  if (!proof) return { type: "reasoning", text: "", visibility: "redacted", ...own };
  const { text = "" } = proof;
  const visibility = text === "" ? "redacted" : "raw";
  return { type: "reasoning", text, visibility, continuation: withoutText(proof), ...own };
}

function proofIn(data: JsonValue | undefined, readProof: ReadProof): Continuation | undefined {
  return textOf(data) === "" ? undefined : readProof(textOf(data));
}

/** The block for the vendor: only with a signature of its own. */
export function encodeOwnThinking(part: ReasoningPart): JsonObject | undefined {
  const { continuation, visibility, text } = part;
  if (continuation?.issuer !== format) return undefined;
  const { data } = continuation;
  return visibility === "redacted"
    ? { ...ownFields(part), type: "redacted_thinking", data }
    : { ...ownFields(part), type: "thinking", thinking: text, signature: data };
}

/** A continuation in a block of its own, and the block to which it belongs. */
interface CarriedProof {
  readonly belongsTo: "next" | "previous";
  readonly continuation: Continuation;
}

const carrierEndings = { next: ".next", previous: ".previous" } as const;

/** The block that carries a call's continuation through a caller of this format. */
export function proofCarrier({ belongsTo, continuation }: CarriedProof): JsonObject {
  const data = sealContinuation(format, continuation) + carrierEndings[belongsTo];
  return { type: "redacted_thinking", data };
}

/** Decodes a block of `proofCarrier`. */
export function carriedProof({ type, data }: JsonObject): CarriedProof | undefined {
  if (type !== "redacted_thinking" || typeof data !== "string") return undefined;
  if (!isSealed(data)) return undefined;
  const belongsTo = (["next", "previous"] as const).find((place) =>
    data.endsWith(carrierEndings[place])
  );
  if (!belongsTo) return undefined;
  const continuation = openContinuation(format, data.slice(0, -carrierEndings[belongsTo].length));
  return continuation && { belongsTo, continuation };
}

/** The reasoning that the caller gets: all of it, continuations only, or none. */
export type ShownReasoning = "all" | "proofs" | "none";

export function shownReasoning({ reasoning }: CanonicalRequest): ShownReasoning {
  if (!reasoning || reasoning.mode === "disabled") return "none";
  if (reasoning.effort === "none" || reasoning.budgetTokens === 0) return "none";
  return reasoning.summary === "none" ? "proofs" : "all";
}
