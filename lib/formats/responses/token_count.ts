import { GatewayError, isJsonObject } from "../../canonical/mod.ts";
import type { TokenCountCodec } from "../codec.ts";
import { decodeRequest, encodeRequest } from "./request.ts";

/** The members that the counter accepts; it refuses those that only affect the answer. */
const members = [
  "model",
  "input",
  "instructions",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "reasoning",
  "text",
  "truncation",
  "previous_response_id",
  "conversation",
  "personality",
];

export const tokenCount: TokenCountCodec = {
  decodeRequest,
  encodeRequest(request) {
    const { wire } = encodeRequest(request);
    const body = Object.fromEntries(
      members.flatMap((name) => wire.body[name] === undefined ? [] : [[name, wire.body[name]]]),
    );
    return { ...wire, path: "/responses/input_tokens", body };
  },
  decodeResponse(body) {
    const tokens = isJsonObject(body) ? body.input_tokens : undefined;
    if (typeof tokens === "number" && Number.isInteger(tokens) && tokens >= 0) return tokens;
    throw new GatewayError(
      "upstream_invalid_response",
      "Cannot decode the upstream's token count: input_tokens is not a count",
    );
  },
  encodeResponse: (inputTokens) => ({ object: "response.input_tokens", input_tokens: inputTokens }),
};
