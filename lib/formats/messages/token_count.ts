import {
  type CanonicalRequest,
  GatewayError,
  isJsonObject,
  type JsonObject,
} from "../../canonical/mod.ts";
import { atOnce } from "../../pace.ts";
import type { TokenCountCodec } from "../codec.ts";
import type { WireRequest } from "../wire.ts";
import { decodeCountRequest, encodeRequest, path } from "./request.ts";

/** `POST /v1/messages/count_tokens`: the members that affect the prompt, and no others. */
export const tokenCount: TokenCountCodec = {
  decodeRequest: decodeCountRequest,
  encodeRequest: encodeCountRequest,
  decodeResponse: decodeCount,
  encodeResponse: (inputTokens) => ({ input_tokens: inputTokens }),
};

/** The vendor refuses all other members; the last ones belong to beta features. */
const counted = [
  "model",
  "messages",
  "system",
  "tools",
  "tool_choice",
  "thinking",
  "output_config",
  "cache_control",
  "speed",
  "context_management",
  "mcp_servers",
  "output_format",
];

/** A count writes no cache. */
const uncached = { automaticCaching: false } as const;

function encodeCountRequest(request: CanonicalRequest): WireRequest {
  const { wire } = atOnce(encodeRequest({ ...request, stream: false }, uncached));
  const body: JsonObject = Object.fromEntries(
    Object.entries(wire.body).filter(([key]) => counted.includes(key)),
  );
  return { ...wire, path: `${path}/count_tokens`, body };
}

function decodeCount(body: unknown): number {
  const tokens = isJsonObject(body) ? body.input_tokens : undefined;
  if (typeof tokens === "number" && Number.isInteger(tokens) && tokens >= 0) return tokens;
  throw new GatewayError(
    "upstream_invalid_response",
    "Cannot decode the upstream's count: input_tokens is missing",
  );
}
