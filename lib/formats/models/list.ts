import type { FormatName, JsonObject } from "../../canonical/mod.ts";
import type { ModelCard } from "./card.ts";

/**
 * The body of `GET /v1/models`: a superset that the SDKs of the chat-completions and the messages
 * format both accept, because both use this address.
 */
export function encodeModelList(models: readonly ModelCard[], hasMore = false): JsonObject {
  return {
    object: "list",
    data: models.map(encodeModel),
    has_more: hasMore,
    first_id: models[0]?.id ?? null,
    last_id: models.at(-1)?.id ?? null,
  };
}

/** The body of `GET /v1/models/{id}`: `created` is in seconds, `created_at` an RFC 3339 time. */
export function encodeModel(card: ModelCard): JsonObject {
  const createdAtMs = Math.abs(card.createdAtMs) <= dateMsMax ? card.createdAtMs : 0;
  return {
    id: card.id,
    object: "model",
    created: Math.floor(createdAtMs / 1000),
    owned_by: card.ownedBy,
    type: "model",
    display_name: card.displayName,
    created_at: new Date(createdAtMs).toISOString(),
    supported_endpoints: [
      ...card.formats.map((format) => addressOf[format]),
      ...card.relayed ?? [],
    ],
    ...(card.contextWindow !== undefined && { max_input_tokens: card.contextWindow }),
    ...(card.maxOutputTokens !== undefined && { max_tokens: card.maxOutputTokens }),
  };
}

/** The latest time that a `Date` can hold, in milliseconds. */
const dateMsMax = 8.64e15;

const addressOf = {
  "chat-completions": "/v1/chat/completions",
  responses: "/v1/responses",
  messages: "/v1/messages",
  "generate-content": "/v1beta/models/{model}:generateContent",
} as const satisfies Record<FormatName, string>;
