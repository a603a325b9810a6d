import { withReadMember } from "../../json/mod.ts";
import type { Codec } from "../codec.ts";
import type { Endpoint } from "../wire.ts";
import { eventDecoder } from "./answer/event_decoder.ts";
import { eventEncoder } from "./answer/event_encoder.ts";
import { answerPlaces, format } from "./native.ts";
import { decodeResponse, encodeResponse } from "./answer/response.ts";
import { usageReader } from "./answer/usage_reader.ts";
import { repairMessage } from "./capabilities.ts";
import { billing } from "./settings.ts";
import { compaction } from "./compaction.ts";
import { envelope, promptParts } from "./envelope.ts";
import { decodeError, encodeError, encodeStreamError } from "./error.ts";
import { limitHeaders } from "./headers.ts";
import { spending } from "./spending.ts";
import { modelListing } from "./models.ts";
import { noteTable } from "./notes.ts";
import { decodeRequest, encodeRequest } from "./request.ts";
import { requestJsonSchema } from "./schema.ts";
import { tokenCount } from "./token_count.ts";

const endpoints: readonly Endpoint[] = [
  { method: "POST", path: "/v1/messages", operation: "generate" },
  { method: "POST", path: "/v1/messages/count_tokens", operation: "count-tokens" },
];

/**
 * The messages format: content blocks in, content blocks out, and streams with one block open at a
 * time. Follows the types of the vendor's SDK (@anthropic-ai/sdk 1.14.0); API versions `2023-06-01`
 * and `2026-10-21` are decoded alike.
 */
export const messages: Codec = {
  name: format,
  endpoints,
  basePaths: [""],
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
  limitHeaders,
  requestHeaders: ["anthropic-version", "anthropic-beta"],
  answerBounds: { members: ["max_tokens"] },
  billing,
  withOutputLimit: (read, tokens) => withReadMember(read, "max_tokens", { value: tokens }),
  modelListing,
  tokenCount,
  compaction,
  spending,
  repairMessage,
  requestJsonSchema,
  keepAlive: 'event: ping\ndata: {"type": "ping"}\n\n',
};
