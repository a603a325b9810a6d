import type { Endpoint } from "../formats/endpoint.ts";
import { codecs } from "../formats/mod.ts";
import { relayedEndpoints } from "../formats/relayed/mod.ts";
import type { ServedEndpoint } from "../http/endpoints.ts";

/** Endpoints that three formats share; the client decides which format it gets. */
export const sharedEndpoints: readonly Endpoint[] = [
  { method: "GET", path: "/v1/models", operation: "list-models" },
  { method: "GET", path: "/v1/models/{model}", operation: "get-model" },
];

/**
 * Every endpoint of the API with the format of its errors, for the dispatcher and the description.
 */
export const servedEndpoints: readonly ServedEndpoint[] = [
  ...Object.values(codecs).flatMap((codec) =>
    codec.endpoints.map((endpoint) => ({ codec, endpoint }))
  ),
  ...[...sharedEndpoints, ...relayedEndpoints].map((endpoint) => ({
    codec: codecs["chat-completions"],
    endpoint,
  })),
];
