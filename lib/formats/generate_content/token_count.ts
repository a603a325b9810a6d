import { type CanonicalRequest, GatewayError, isJsonObject } from "../../canonical/mod.ts";
import { atOnce } from "../../pace.ts";
import type { TokenCountCodec } from "../codec.ts";
import { withFinalSettings } from "../request/final_settings.ts";
import type { WireRequest } from "../wire.ts";
import { addressOf, pathOf } from "./envelope.ts";
import { format } from "./native.ts";
import { Notes } from "./notes.ts";
import { protoNumber } from "./proto_number.ts";
import { decodeBody, encodeConversation } from "./request.ts";
import { contextOf } from "./request_context.ts";
import { spelled } from "./spelling.ts";

/** `:countTokens`: the contents alone, or the whole generation request. */
export const tokenCount: TokenCountCodec = {
  decodeRequest({ path, body }) {
    const { model } = addressOf(path);
    const { generateContentRequest: inner } = spelled(body);
    return decodeBody(isJsonObject(inner) ? inner : body, model, false);
  },

  /** Sends the whole request: tools and instructions have tokens, too, and are counted only there. */
  encodeRequest(whole: CanonicalRequest): WireRequest {
    const notes = new Notes();
    const request = withFinalSettings(whole, format, notes);
    const { model } = request;
    const { contents, ...others } = atOnce(
      encodeConversation(request, contextOf(request, notes)),
    );
    const generateContentRequest = { model: `models/${model}`, contents, ...others };
    return {
      path: pathOf({ model, verb: "countTokens" }),
      search: {},
      headers: {},
      body: Object.keys(others).length > 0 ? { generateContentRequest } : { contents },
    };
  },

  decodeResponse(body) {
    const total = isJsonObject(body) ? protoNumber(body.totalTokens) : undefined;
    if (total !== undefined && total >= 0) return Math.trunc(total);
    throw new GatewayError(
      "upstream_invalid_response",
      "Cannot decode response: totalTokens must be a number",
    );
  },

  encodeResponse(inputTokens) {
    return { totalTokens: inputTokens };
  },
};
