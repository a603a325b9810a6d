import { GatewayError, type JsonObject, type Part, type Tool } from "../canonical/mod.ts";
import type { Decoded } from "../http/decode.ts";

/** The most tokens that a call can have used. */
export interface UsageBounds {
  readonly input: number;
  readonly output: number;
  /** Calls of each hosted tool. */
  readonly hostedToolCalls: number;
  /** Whether request and answer hold all that is billed, so that it can be counted here. */
  readonly isWhole: boolean;
}

/** A vendor's template adds its own instructions to a prompt, and those for tools. */
const templateTokens = 4_096;
/** No model reads more at once (2026-11: 2 million). */
const readAtOnceMax = 4_000_000;
/** Hosted tools, and pages that they fetch, are read again at every step. */
const stepsMax = 10;
/** No model writes more in one answer. */
const writtenAtOnceMax = 1_000_000;
/** The tokens that end an answer count with some vendors. */
const endTokens = 16;
/** No call searches more often. */
const hostedToolCallsMax = 100;

/** Whether a prompt can have so many tokens, judged by its length alone. */
export function isSurelyWithin({ text }: Decoded, inputTokens: number): boolean {
  return inputTokens <= text.length + templateTokens; // in UTF-8 a text has no fewer bytes
}

/** `outputTokens` is the limit of each alternative that went out, where one did. */
export function usageBoundsOf(asked: Decoded, outputTokens?: number): UsageBounds {
  const isWhole = isWholeInBody(asked);
  const { alternatives, maxOutputTokens: stated } = asked.envelope;
  const limit = isWhole ? outputTokens ?? stated ?? writtenAtOnceMax : writtenAtOnceMax * stepsMax;
  const bytes = new TextEncoder().encode(asked.text).length;
  return {
    input: bytes + templateTokens + (isWhole ? 0 : readAtOnceMax * stepsMax),
    output: (limit + endTokens) * alternatives,
    hostedToolCalls: hostedToolCallsMax,
    isWhole,
  };
}

/** Members of a body that have an upstream read, make or run what the body does not hold. */
const elsewhere = [
  "attachments",
  "audio",
  "best_of",
  "cachedContent",
  "cached_content",
  "container",
  "context_management",
  "conversation",
  "fallbacks",
  "mcp_servers",
  "modalities",
  "plugins",
  "previous_response_id",
  "prompt",
  "search_parameters",
  "tool_resources",
  "web_search_options",
] as const;

function isWholeInBody(asked: Decoded): boolean {
  if (asked.billsText !== undefined) return asked.billsText;
  const { body } = asked.wire;
  if (elsewhere.some((name) => isSaid(body, name))) return false;
  try {
    const { turns, tools, instructions } = asked.canonical();
    return tools.every(isCallersOwn) && areTexts(instructions) &&
      turns.every(({ parts }) => areTexts(parts));
  } catch (error) {
    if (error instanceof GatewayError) return false; // what cannot be decoded here cannot be judged
    throw error;
  }
}

function isSaid(body: JsonObject, name: string): boolean {
  return body[name] !== undefined && body[name] !== null;
}

function isCallersOwn({ type }: Tool): boolean {
  return type === "function" || type === "custom";
}

function areTexts(parts: readonly Part[]): boolean {
  return parts.every((part) =>
    part.type === "tool-result" ? areTexts(part.parts) : textTypes.has(part.type)
  );
}

const textTypes: ReadonlySet<Part["type"]> = new Set(["text", "refusal", "reasoning", "tool-call"]);
