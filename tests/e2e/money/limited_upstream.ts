import {
  type CanonicalResponse,
  eventsOf,
  type FormatName,
  isJsonObject,
  type JsonObject,
  noUsage,
} from "../../../lib/canonical/mod.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { sseText } from "../../../lib/http/stream/sse.ts";
import { countTextTokens } from "../../../lib/tokens/mod.ts";
import { type FakeUpstream, type Seen, startUpstream } from "../fake_upstream.ts";

/** The handling of output limits by an upstream of the test. */
export interface LimitedOptions {
  /** The tokens of an unlimited answer; a short one suffices for most tests. */
  readonly wants: number;
  /** True if it ignores the limit. */
  readonly ignores?: boolean;
  /** Waits for this before it answers. */
  readonly until?: (seen: Seen) => Promise<void>;
  /** States this instead of what it used. */
  readonly states?: (tokens: Stated) => Stated;
}

export interface Stated {
  readonly input: number;
  readonly output: number;
  readonly reasoning?: number;
}

/**
 * An upstream of every format that stops at the output limit of each of its alternatives, and bills
 * both sides.
 */
export function startLimitedUpstream(options: LimitedOptions): FakeUpstream {
  return startUpstream(async (seen) => {
    await options.until?.(seen);
    const format = formatOf(seen.path);
    const codec = codecs[format];
    const body: JsonObject = JSON.parse(seen.body);
    const path = seen.path.replace("/v1beta", "").replace(/\?.*/, "");
    const context = {
      requestId: "req_upstream",
      model: "paid",
      createdAtMs: 1,
      request: codec.decodeRequest({ path, search: {}, headers: {}, body }),
    };
    const response = answerTo(seen, options);
    if (body.stream !== true && !seen.path.includes(":stream")) {
      return Response.json(codec.encodeResponse(response, context));
    }
    const encoder = codec.eventEncoder(context);
    const events = [...eventsOf(response)].flatMap((event) => encoder.push(event));
    return new Response(events.map(sseText).join(""), {
      headers: { "content-type": "text/event-stream" },
    });
  });
}

/** The output limit that a request holds, by any name of any format. */
export function limitIn(text: string): number | undefined {
  const body: JsonObject = JSON.parse(text);
  const config = [body.generationConfig, body.generation_config].find(isJsonObject) ?? {};
  const limits = [
    body.max_completion_tokens,
    body.max_tokens,
    body.max_output_tokens,
    config.maxOutputTokens,
    config.max_output_tokens,
  ].filter((limit) => typeof limit === "number");
  return limits.length === 0 ? undefined : Math.max(...limits);
}

/** The number of alternatives that a request wants. */
export function alternativesIn(text: string): number {
  const { n, generationConfig } = JSON.parse(text);
  return n ?? generationConfig?.candidateCount ?? 1;
}

function formatOf(path: string): FormatName {
  if (path.includes("/models/")) return "generate-content";
  if (path.endsWith("/messages")) return "messages";
  return path.endsWith("/responses") ? "responses" : "chat-completions";
}

function answerTo({ body }: Seen, { wants, ignores, states }: LimitedOptions): CanonicalResponse {
  const tokens = ignores ? wants : Math.min(wants, limitIn(body) ?? wants);
  const count = alternativesIn(body);
  const used: Stated = { input: countTextTokens(body), output: tokens * count };
  const { input, output, reasoning = 0 } = states?.(used) ?? used;
  return {
    id: "answer_1",
    model: "paid",
    alternatives: Array.from({ length: count }, () => ({
      parts: [{ type: "text" as const, text: " word".repeat(tokens) }],
      finishReason: tokens < wants ? "length" as const : "stop" as const,
    })),
    usage: { ...noUsage, inputTokens: input, outputTokens: output, reasoningTokens: reasoning },
  };
}
