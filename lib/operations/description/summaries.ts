import type { FormatName, JsonObject } from "../../canonical/mod.ts";
import { relayedEndpoint } from "../../formats/relayed/mod.ts";
import type { ServedEndpoint } from "../../http/endpoints.ts";
import type { Operation } from "../../formats/endpoint.ts";

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

/** One-line summaries of the operations. */
export const summaries: Readonly<Record<Operation, string>> = {
  "generate": "Generate an answer, whole or streamed",
  "embed": "Create embeddings",
  "complete": "Complete a text, whole or streamed",
  "generate-image": "Make pictures",
  "edit-image": "Change pictures",
  "speak": "Create speech from text",
  "transcribe": "Transcribe a recording",
  "translate": "Translate a recording into English text",
  "moderate": "Check texts or images for harmful content",
  "rerank": "Rank documents by relevance to a query",
  "count-tokens": "Count the input tokens of a request",
  "list-models": "List the models that the key may use",
  "get-model": "One model",
  "get-usage": "The key's usage by day and model, its limits and what remains",
  "get-key": "The key's name, spending and limits",
  "get-subscription": "The key's limit, as older clients read it",
  "get-billing-usage": "The key's cost in cents, as older clients read it",
  "get-response": "A stored answer",
  "delete-response": "Delete a stored response",
  "cancel-response": "Cancel a background response",
  "list-input-items": "List the input items of a stored response",
  "create-conversation": "Begin a conversation",
  "get-conversation": "A conversation",
  "update-conversation": "Update the metadata of a conversation",
  "delete-conversation": "Delete a conversation",
  "create-conversation-items": "Add items to a conversation",
  "list-conversation-items": "List the items of a conversation",
  "get-conversation-item": "Get an item of a conversation",
  "delete-conversation-item": "Delete an item of a conversation",
};
