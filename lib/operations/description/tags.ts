import type { FormatName, JsonObject } from "../../canonical/mod.ts";
import { relayedEndpoint } from "../../formats/relayed/mod.ts";
import type { ServedEndpoint } from "../../http/endpoints.ts";

const formatTexts = {
  "chat-completions": "Messages in, choices out; any model answers, whatever its upstream speaks",
  responses: "Items in, items out, with answers and conversations that are kept",
  messages: "Turns of blocks in, blocks out, and their token counter",
  "generate-content": "Contents in, candidates out, the model in the address",
} as const satisfies Record<FormatName, string>;

const relayed = "passed on as they are";

/** The groups of operations in the reference. */
export const tags: JsonObject[] = [
  ...Object.entries(formatTexts).map(([name, description]) => ({ name, description })),
  {
    name: relayed,
    description:
      "Answered by whichever upstream of the model has the endpoint; nothing is converted",
  },
  { name: "operators", description: "No key is asked for" },
];

export function tagOf({ codec, endpoint }: ServedEndpoint): string {
  return relayedEndpoint(endpoint.operation) ? relayed : codec.name;
}
