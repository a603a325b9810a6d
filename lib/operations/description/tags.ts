import type { FormatName, JsonObject } from "../../canonical/mod.ts";
import { relayedEndpoint } from "../../formats/relayed/mod.ts";
import type { ServedEndpoint } from "../../http/endpoints.ts";

const formatTexts = {
  "chat-completions": "Messages in, choices out; any model, whichever format its upstream has",
  responses: "Items in, items out, with stored responses and conversations",
  messages: "Messages of content blocks in, content blocks out, and the token counter",
  "generate-content": "Contents in, candidates out, with the model in the path",
} as const satisfies Record<FormatName, string>;

const relayed = "passed through";
const ownKey = "your key";

/** The groups of operations in the reference. */
export const tags: JsonObject[] = [
  ...Object.entries(formatTexts).map(([name, description]) => ({ name, description })),
  {
    name: relayed,
    description: "Sent unconverted to an upstream of the model that has the endpoint",
  },
  { name: ownKey, description: "Usage, limits and what remains of the calling key" },
  { name: "operators", description: "Health checks, metrics and this reference; no key needed" },
];

export function tagOf({ codec, endpoint }: ServedEndpoint): string {
  if (endpoint.isOwnKey) return ownKey;
  return relayedEndpoint(endpoint.operation) ? relayed : codec.name;
}
