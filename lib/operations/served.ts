import type { Endpoint } from "../formats/endpoint.ts";
import { codecs } from "../formats/mod.ts";
import { relayedEndpoints } from "../formats/relayed/mod.ts";
import type { ServedEndpoint } from "../http/endpoints.ts";

/** `GET /v1/models` belongs to three formats at once; the client decides which it gets. */
export const sharedEndpoints: readonly Endpoint[] = [
  { method: "GET", path: "/v1/models", operation: "list-models" },
  { method: "GET", path: "/v1/models/{model}", operation: "get-model" },
];

/** Every address of the API and the format that its errors have: what the dispatcher serves and the description tells. */
export const servedEndpoints: readonly ServedEndpoint[] = [
  ...Object.values(codecs).flatMap((codec) =>
    codec.endpoints.map((endpoint) => ({ codec, endpoint }))
  ),
  ...[...sharedEndpoints, ...relayedEndpoints].map((endpoint) => ({
    codec: codecs["chat-completions"],
    endpoint,
  })),
];
