import { isJsonObject, type JsonObject, type VendorState } from "../../canonical/mod.ts";
import { isListIn, surelyLacks } from "../../json/mod.ts";
import type { Envelope, PromptParts } from "../codec.ts";
import { answerBounds, conversationOf, modelIn } from "../request/envelope.ts";
import { partsOf } from "../request/prompt_parts.ts";
import { refused } from "../schema.ts";
import type { WireRequest } from "../wire.ts";
import { listOf, objectsOf, textOrNothing } from "../wire_value.ts";
import { capsulePlace, isCompact, triggerPlace } from "./compaction.ts";
import { format } from "./native.ts";

/**
 * Reads the routing data of a request, without a schema. A body without `input` needs a stored
 * prompt or held state.
 */
export function envelope(wire: WireRequest): Envelope {
  const { body } = wire;
  const isOnlyCompacted = isCompact(wire);
  const model = modelIn(body);
  if (
    !isListIn(body, "input") && typeof body.input !== "string" && !standsWithoutInput(body)
  ) {
    throw refused("input", "must be a string or an array of items");
  }
  const bounds = answerBounds([body.max_output_tokens]);
  return {
    model,
    conversation: () =>
      conversationOf(
        threadOf(body) ?? body.prompt_cache_key ?? body.previous_response_id,
        body,
        "input",
      ),
    maxOutputTokens: bounds.maxOutputTokens,
    alternatives: bounds.alternatives,
    vendorState: vendorStateIn(body) ?? (isOnlyCompacted ? said("compaction", "input") : undefined),
    stream: body.stream === true && !isOnlyCompacted,
    framing: "sse",
  };
}

/** Reads the cached parts of a request. */
export function promptParts({ tools, instructions, input }: JsonObject): PromptParts {
  return partsOf(listOf(tools), typeof input === "string" ? [input] : listOf(input), [
    instructions,
  ]);
}

/** Sub-agents of Codex share the cache key of their session, but each has its own thread (0.171.0). */
function threadOf({ client_metadata: said }: JsonObject): string | undefined {
  return isJsonObject(said) ? textOrNothing(said.thread_id) : undefined;
}

function standsWithoutInput(body: WireRequest["body"]): boolean {
  if (body.input !== undefined && body.input !== null) return false;
  return [body.prompt, body.previous_response_id, body.conversation].some((held) =>
    held !== undefined && held !== null
  );
}

/** The beginning of each type of a compaction, or an escape that may spell it. */
const compactionOrEscape = /compaction|\\u00/;

/** The vendor state that a request needs. A compacted history takes precedence. */
export function vendorStateIn(body: JsonObject): VendorState | undefined {
  const { context_management: management, prompt } = body;
  const items = surelyLacks(body, "input", compactionOrEscape) ? [] : listOf(body.input);
  const compacted = capsulePlace(items);
  if (compacted >= 0) return said("compacted-history", `input[${compacted}]`);
  const trigger = triggerPlace(items);
  if (trigger >= 0) return said("compaction", `input[${trigger}]`);
  const isAutomatic = objectsOf(management).some(({ type }) => type === "compaction");
  if (isAutomatic) return said("compaction", "context_management");
  return isJsonObject(prompt) ? said("stored-prompt", "prompt") : undefined;
}

function said(kind: VendorState["kind"], param: string): VendorState {
  return { kind, format, param };
}
