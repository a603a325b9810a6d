import { isJsonObject } from "../../canonical/mod.ts";
import type { SpendingCodec } from "../spending_codec.ts";
import { objectsOf } from "../wire_value.ts";
import { rpc } from "./error.ts";

/** From this wait on, Gemini CLI ends a call at once. It prints the wait. */
const waitSecondsMin = 600;
const daySeconds = 86_400;

/**
 * Gemini CLI prints the message of an error only if it is a rate limit with a long wait and without
 * the vendor's own name of a daily quota; of any other it prints the raw body (0.61.0, 2026-11).
 */
export const spending: SpendingCodec = {
  showsTo: ({ userAgent }) => userAgent.startsWith("GeminiCLI"),

  refusal: ({ retryAfterSeconds = daySeconds }, { headers, body }) => {
    const { "retry-after": _, ...kept } = headers;
    const error = isJsonObject(body) && isJsonObject(body.error) ? body.error : {};
    const wait = Math.max(waitSecondsMin, Math.ceil(retryAfterSeconds));
    const details = [
      ...objectsOf(error.details).filter(({ "@type": type }) => type === `${rpc}.ErrorInfo`),
      { "@type": `${rpc}.RetryInfo`, retryDelay: `${wait}s` },
    ];
    const limited = { ...error, code: 429, status: "RESOURCE_EXHAUSTED", details };
    return { status: 429, headers: kept, body: { error: limited } };
  },
};
