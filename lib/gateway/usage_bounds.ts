import {
  byteLengthOf,
  GatewayError,
  type JsonObject,
  lengthOf,
  type Part,
  type Tool,
} from "../canonical/mod.ts";
import type { Decoded } from "../http/decode.ts";

/** The maximum number of tokens that a call can have used. */
export interface UsageBounds {
  readonly input: number;
  readonly output: number;
  /** Calls of each hosted tool. */
  readonly hostedToolCalls: number;
  /** True if request and answer contain everything that is billed, so that we can count it. */
  readonly isWhole: boolean;
}

/** The allowance for a vendor's own instructions, which its template adds to a prompt. */
const templateTokens = 4_096;
/** The largest context of any model, with a margin (2026-11: 2 million). */
const readAtOnceMax = 4_000_000;
/** The most steps of a call with hosted tools; every step reads their results again. */
const stepsMax = 10;
/** The longest answer of any model, with a margin. */
const writtenAtOnceMax = 1_000_000;
/** The allowance for end-of-answer tokens, which some vendors count. */
const endTokens = 16;
/** The maximum number of hosted tool calls that we believe. */
const hostedToolCallsMax = 100;

/** Returns true if the prompt's length alone proves that it can have so many tokens. */
export function isSurelyWithin({ read }: Decoded, inputTokens: number): boolean {
  return inputTokens <= lengthOf(read) + templateTokens; // in UTF-8 a text has no fewer bytes
}

/** `outputTokens` is the output limit that was sent for each alternative, if any. */
export function usageBoundsOf(asked: Decoded, outputTokens?: number): UsageBounds {
  const isWhole = isWholeInBody(asked);
  const { alternatives, maxOutputTokens: stated } = asked.envelope;
  const limit = isWhole ? outputTokens ?? stated ?? writtenAtOnceMax : writtenAtOnceMax * stepsMax;
  return {
    input: byteLengthOf(asked.read) + templateTokens + (isWhole ? 0 : readAtOnceMax * stepsMax),
    output: (limit + endTokens) * alternatives,
    hostedToolCalls: hostedToolCallsMax,
    isWhole,
  };
}

/** Members that make an upstream read, generate or run something that the body does not contain. */
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
    if (error instanceof GatewayError) return false; // not decodable here, so not countable
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
