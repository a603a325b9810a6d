import type { Codec } from "../codec.ts";
import type { Endpoint } from "../wire.ts";
import { eventDecoder } from "./answer/event_decoder.ts";
import { eventEncoder } from "./answer/event_encoder.ts";
import { answerPlaces, format } from "./native.ts";
import { decodeResponse, encodeResponse } from "./answer/response.ts";
import { usageReader } from "./answer/usage_reader.ts";
import { billing } from "./settings.ts";
import { boundMembers, envelope, promptParts, withOutputLimit } from "./envelope.ts";
import { decodeError, encodeError, encodeStreamError } from "./error.ts";
import { modelListing } from "./model_list.ts";
import { noteTable } from "./notes.ts";
import { decodeRequest, encodeRequest, tokenCount } from "./request.ts";
import { requestJsonSchema } from "./schema.ts";
import { spending } from "./spending.ts";

/**
 * Path prefixes. Newer versions of the vendor's SDK use `/v1`, or any version that the environment
 * names, or none (@google/genai 3.3.0, `GOOGLE_GENAI_API_VERSION`). A name with a slash may follow
 * the version directly (`/v1beta/acme/large:generateContent`): @google/generative-ai 0.24.1,
 * LangChain on top of it, and @ai-sdk/google 4.0.121 treat it as a path of its own (2026-11-22).
 */
const heads = ["/v1beta/", "/v1/", "/v1alpha/", "/"] as const;
const methods: readonly Endpoint[] = heads.flatMap((head): Endpoint[] => {
  const bareHead = head === "/" ? {} : { bareHead: head };
  const model = { method: "POST", path: `${head}models/{model}`, ...bareHead } as const;
  return [
    { ...model, verb: "generateContent", operation: "generate" },
    { ...model, verb: "streamGenerateContent", operation: "generate" },
    { ...model, verb: "countTokens", operation: "count-tokens" },
  ];
});

const endpoints: readonly Endpoint[] = [
  ...methods,
  { method: "GET", path: "/v1beta/models", operation: "list-models" },
  { method: "GET", path: "/v1beta/models/{model}", operation: "get-model" },
  { method: "GET", path: "/v1alpha/models", operation: "list-models" },
  { method: "GET", path: "/v1alpha/models/{model}", operation: "get-model" },
];

/**
 * The generate-content format: contents made of parts, the model and the verb in the address, and
 * streams of unnamed events that end with the connection. Follows the types of the vendor's SDK
 * (@google/genai 3.3.0).
 */
export const generateContent: Codec = {
  name: format,
  endpoints,
  basePaths: ["/v1beta", "/v1alpha", "/v1"],
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
  limitHeaders: () => ({}), // clients read `RetryInfo` and `QuotaFailure` from an error
  requestHeaders: [],
  answerBounds: boundMembers,
  billing,
  withOutputLimit,
  modelListing,
  tokenCount,
  spending,
  takesComments: false, // @google/generative-ai 0.24, also in LangChain: "Failed to parse stream" (2026-11-22)
  ignoresErrors: true, // @google/generative-ai 0.24, also in LangChain (2026-11-22)
  requestJsonSchema,
};
