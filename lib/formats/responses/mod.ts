import { withReadMember } from "../../json/mod.ts";
import { openAiBilling } from "../billing.ts";
import type { Codec } from "../codec.ts";
import { limitHeadersIn, xRateLimit } from "../limit_headers.ts";
import type { Endpoint } from "../wire.ts";
import { plainListing } from "../models.ts";
import { withoutAgentMembers } from "./agent_members.ts";
import { eventDecoder } from "./answer/event_decoder.ts";
import { eventEncoder } from "./answer/event_encoder.ts";
import { answerPlaces, format } from "./native.ts";
import { decodeResponse, encodeResponse } from "./answer/response.ts";
import { usageReader } from "./answer/usage_reader.ts";
import { compaction } from "./compaction.ts";
import { envelope, promptParts } from "./envelope.ts";
import { decodeError, encodeError, encodeStreamError } from "./error.ts";
import { noteTable } from "./notes.ts";
import { decodeRequest, encodeRequest, tokenCount } from "./request.ts";
import { requestJsonSchema } from "./schema.ts";
import { spending } from "./spending.ts";
import { state } from "./state.ts";

const items = "/v1/conversations/{id}/items";

const endpoints: readonly Endpoint[] = [
  { method: "POST", path: "/v1/responses", operation: "generate", takesSockets: true },
  { method: "POST", path: "/v1/responses/input_tokens", operation: "count-tokens" },
  { method: "POST", path: "/v1/responses/compact", operation: "compact-response" },
  { method: "GET", path: "/v1/responses/{id}", operation: "get-response" },
  { method: "DELETE", path: "/v1/responses/{id}", operation: "delete-response" },
  { method: "POST", path: "/v1/responses/{id}/cancel", operation: "cancel-response" },
  { method: "GET", path: "/v1/responses/{id}/input_items", operation: "list-input-items" },
  { method: "POST", path: "/v1/conversations", operation: "create-conversation" },
  { method: "GET", path: "/v1/conversations/{id}", operation: "get-conversation" },
  { method: "POST", path: "/v1/conversations/{id}", operation: "update-conversation" },
  { method: "DELETE", path: "/v1/conversations/{id}", operation: "delete-conversation" },
  { method: "POST", path: items, operation: "create-conversation-items" },
  { method: "GET", path: items, operation: "list-conversation-items" },
  { method: "GET", path: `${items}/{item}`, operation: "get-conversation-item" },
  { method: "DELETE", path: `${items}/{item}`, operation: "delete-conversation-item" },
];

/**
 * The responses format: typed items in, typed items out, and streams that announce, fill and finish
 * each item. Follows the types of the vendor's SDK (openai 7.59.0) and recorded traffic.
 */
export const responses: Codec = {
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
  requestHeaders: ["openai-beta", "x-openai-internal-codex-responses-lite"],
  answerBounds: { members: ["max_output_tokens"] },
  billing: openAiBilling(["standard", "flex", "reserved", "fast", "ultrafast"]),
  withOutputLimit: (read, tokens) => withReadMember(read, "max_output_tokens", { value: tokens }),
  modelListing: plainListing,
  tokenCount,
  state,
  forOtherVendor: withoutAgentMembers,
  compaction,
  spending,
  requestJsonSchema,
};
