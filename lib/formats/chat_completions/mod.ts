import { openAiBilling } from "../billing.ts";
import type { Codec } from "../codec.ts";
import { limitHeadersIn, xRateLimit } from "../limit_headers.ts";
import type { Endpoint } from "../wire.ts";
import { plainListing } from "../models.ts";
import { eventDecoder } from "./answer/event_decoder.ts";
import { eventEncoder } from "./answer/event_encoder.ts";
import { answerPlaces, format } from "./native.ts";
import { decodeResponse, encodeResponse } from "./answer/response.ts";
import { meteredStream, statedCost, usageReader } from "./answer/usage_reader.ts";
import { envelope, promptParts } from "./envelope.ts";
import { decodeError, encodeError, encodeStreamError } from "./error.ts";
import { noteTable } from "./notes.ts";
import { decodeRequest, encodeRequest } from "./request.ts";
import { requestJsonSchema } from "./schema.ts";
import { withOutputLimit } from "./settings.ts";

const endpoints: readonly Endpoint[] = [
  { method: "POST", path: "/v1/chat/completions", operation: "generate" },
];

/**
 * The chat-completions format: messages in, choices out, and streams of bare `data:` lines that end
 * with `[DONE]`. Follows the types of the vendor's SDK (openai 7.59.0) and the additions of other
 * upstreams and routers. It has no token counter.
 */
export const chatCompletions: Codec = {
  name: format,
  endpoints,
  basePaths: ["/v1"],
  usageReader,
  noteTable,
  envelope,
  promptParts,
  decodeRequest,
  decodeResponse,
  eventDecoder,
  decodeError,
  encodeRequest,
  answerPlaces,
  encodeResponse,
  eventEncoder,
  encodeError,
  encodeStreamError,
  limitHeaders: limitHeadersIn(xRateLimit),
  requestHeaders: ["openai-beta"],
  answerBounds: { members: ["max_tokens", "max_completion_tokens", "n"] },
  billing: openAiBilling(["standard", "flex", "reserved", "fast"]),
  withOutputLimit,
  modelListing: plainListing,
  meteredStream,
  statedCost,
  requestJsonSchema,
};
