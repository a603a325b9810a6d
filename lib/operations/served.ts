import type { Endpoint } from "../formats/wire.ts";
import { codecs } from "../formats/mod.ts";
import { relayedEndpoints } from "../formats/relayed/mod.ts";
import type { ServedEndpoint } from "../http/endpoints.ts";

/**
 * Endpoints at which a key reads about itself. Clients append the older addresses to a base URL with
 * or without `/v1`.
 */
const ownKeyEndpoints: readonly Endpoint[] = [
  { method: "GET", path: "/v1/usage", operation: "get-usage", isOwnKey: true },
  { method: "GET", path: "/v1/key", operation: "get-key", isOwnKey: true },
  ...["", "/v1"].flatMap((base): Endpoint[] => [
    {
      method: "GET",
      path: `${base}/dashboard/billing/subscription`,
      operation: "get-subscription",
      isOwnKey: true,
    },
    {
      method: "GET",
      path: `${base}/dashboard/billing/usage`,
      operation: "get-billing-usage",
      isOwnKey: true,
    },
  ]),
];

/** Endpoints that three formats share; the client decides which format it gets. */
export const sharedEndpoints: readonly Endpoint[] = [
  { method: "GET", path: "/v1/models", operation: "list-models" },
  { method: "GET", path: "/v1/models/{model}", operation: "get-model" },
  ...ownKeyEndpoints,
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
