import { isJsonObject, type JsonObject, type VendorState } from "../../canonical/mod.ts";
import { isListIn, surelyLacks } from "../../json/mod.ts";
import type { Envelope, PromptParts } from "../codec.ts";
import { answerBounds, conversationOf, modelIn, thinkingBound } from "../request/envelope.ts";
import { partsOf } from "../request/prompt_parts.ts";
import { refused } from "../schema.ts";
import type { WireRequest } from "../wire.ts";
import { listOf, objectOf, objectsOf } from "../wire_value.ts";
import { capsulePlace, isCompactionEdit } from "./compaction.ts";
import { format, mark } from "./native.ts";

/** Reads the routing data of a request, without a schema. */
export function envelope({ body }: WireRequest): Envelope {
  const model = modelIn(body);
  if (!isListIn(body, "messages")) throw refused("messages", "must be an array of messages");
  const bounds = answerBounds([body.max_tokens]);
  return {
    model,
    // agents state a session's id there
    conversation: () => conversationOf(objectOf(body.metadata).user_id, body, "messages"),
    maxOutputTokens: bounds.maxOutputTokens,
    alternatives: bounds.alternatives,
    thinkingTokens: thinkingBound([objectOf(body.thinking).budget_tokens]),
    vendorState: vendorStateIn(body),
    stream: body.stream === true,
    framing: "sse",
  };
}

/** Reads the cached parts of a request. */
export function promptParts({ tools, system, messages }: JsonObject): PromptParts {
  return partsOf(listOf(tools), listOf(messages), [system]);
}

/** Clients that know this code then send the whole conversation (beta of 2026-08). */
const refusal = mark({ details: { error_code: "thread_unsupported_request" } }).native;
const thread = { kind: "thread", format, param: "thread" } as const;

/** The vendor state that a request needs. A compacted history takes precedence. */
export function vendorStateIn(body: JsonObject): VendorState | undefined {
  const compacted = compactedHistoryIn(body);
  if (compacted !== undefined) return said("compacted-history", compacted);
  if (isJsonObject(body.compaction)) return said("compaction", "compaction");
  if (isJsonObject(body.thread)) return { ...thread, refusal };
  return compactsByThreshold(body) ? said("compaction", "context_management.edits") : undefined;
}

/** Returns true if the vendor compacts the history beyond a threshold. */
export function compactsByThreshold({ context_management: management }: JsonObject): boolean {
  if (management === undefined) return false;
  return objectsOf(objectOf(management).edits).some(isCompactionEdit);
}

/** The type of a compaction's block, or an escape that may spell it. */
const compactionOrEscape = /compaction|\\u00/;

function compactedHistoryIn(body: JsonObject): string | undefined {
  if (surelyLacks(body, "messages", compactionOrEscape)) return undefined;
  const place = capsulePlace(listOf(body.messages));
  return place && `messages[${place.message}].content[${place.block}]`;
}

function said(kind: VendorState["kind"], param: string): VendorState {
  return { kind, format, param };
}
