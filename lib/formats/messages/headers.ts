import type { CanonicalRequest, JsonObject, NativeFields } from "../../canonical/mod.ts";
import { limitHeadersIn, type LimitHeaderStyle } from "../limit_headers.ts";
import type { WireRequest } from "../wire.ts";
import { textOrNothing } from "../wire_value.ts";
import { format } from "./native.ts";

/**
 * The headers and attribution that go to an upstream of this format only; their loss elsewhere does
 * not matter.
 */
export function decodeSpelling(
  headers: WireRequest["headers"],
  attribution: JsonObject | undefined,
): { spelling?: NativeFields } {
  const { "anthropic-version": version, "anthropic-beta": beta } = headers;
  if (version === undefined && beta === undefined && !attribution) return {};
  const fields = {
    ...(version !== undefined && { version }),
    ...(beta !== undefined && { beta }),
    ...(attribution && { attribution }),
  };
  return { spelling: { format, fields } };
}

export function encodeHeaders({ spelling }: CanonicalRequest): Record<string, string> {
  const own = spelling?.format === format ? spelling.fields : {};
  const beta = textOrNothing(own.beta);
  const version = textOrNothing(own.version);
  return {
    ...(version !== undefined && { "anthropic-version": version }),
    ...(beta !== undefined && { "anthropic-beta": beta }),
  };
}

/** `anthropic-ratelimit-requests-remaining`, and the time of a reset as `2026-11-21T23:00:00Z`. */
const style: LimitHeaderStyle = {
  name: (kind, fact) => `anthropic-ratelimit-${kind}-${fact}`,
  reset: (resetsAtMs) =>
    new Date(Math.ceil(resetsAtMs / 1_000) * 1_000).toISOString().replace(".000Z", "Z"),
};

export const limitHeaders = limitHeadersIn(style);
