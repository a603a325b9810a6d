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
import { format, keep, ownFields } from "./native.ts";
import { restOf, textOf } from "../wire_value.ts";

/** Reads the opaque string of a block: sealed by us where a caller sends it back, the upstream's own in an answer. */
type ReadProof = (data: string) => Continuation | undefined;

/** A caller gives back what it was given, which may be another vendor's proof. */
export const returnedProof: ReadProof = (data) => openContinuation(format, data);

/** Whatever an upstream sends is to come back to it as it is, also where it is a gateway like this one. */
export const issuedProof: ReadProof = (data) => ({ issuer: format, data });

/** `thinking` with its signature, or `redacted_thinking`, whose content is the proof alone. */
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

/** Another vendor's proof may bring the thought that its caller was not shown. */
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

/** The block that a vendor may see: only with a signature of its own. */
export function encodeOwnThinking(part: ReasoningPart): JsonObject | undefined {
  const { continuation, visibility, text } = part;
  if (continuation?.issuer !== format) return undefined;
  const { data } = continuation;
  return visibility === "redacted"
    ? { ...ownFields(part), type: "redacted_thinking", data }
    : { ...ownFields(part), type: "thinking", thinking: text, signature: data };
}

/** Where a proof belongs that stands in a block of its own. */
interface CarriedProof {
  readonly belongsTo: "next" | "previous";
  readonly continuation: Continuation;
}

const carrierEndings = { next: ".next", previous: ".previous" } as const;

/** The block that brings a call's proof to a caller of this format, which gives it back unread. */
export function proofCarrier({ belongsTo, continuation }: CarriedProof): JsonObject {
  const data = sealContinuation(format, continuation) + carrierEndings[belongsTo];
  return { type: "redacted_thinking", data };
}

/** Reads what `proofCarrier` wrote. */
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

/** How much of an upstream's reasoning the caller of a request gets: all of it, what must come back, or none. */
export type Shown = "all" | "proofs" | "none";

export function shownReasoning({ reasoning }: CanonicalRequest): Shown {
  if (!reasoning || reasoning.mode === "disabled") return "none";
  if (reasoning.effort === "none" || reasoning.budgetTokens === 0) return "none";
  return reasoning.summary === "none" ? "proofs" : "all";
}
