import type { JsonObject } from "../../canonical/mod.ts";
import type { ModelCard } from "../models/card.ts";

/** The body of `GET /v1beta/models`; `next` asks for the page after it. */
export function encodeModelList(models: readonly ModelCard[], next?: string): JsonObject {
  return {
    models: models.map(encodeModel),
    ...(next !== undefined && { nextPageToken: next }),
  };
}

/** The body of `GET /v1beta/models/{model}`. Limits that nobody knows are left out. */
export function encodeModel(card: ModelCard): JsonObject {
  return {
    name: `models/${card.id}`,
    baseModelId: card.id,
    version: "1",
    displayName: card.displayName,
    description: `${card.displayName} (${card.ownedBy})`,
    ...(card.contextWindow !== undefined && { inputTokenLimit: card.contextWindow }),
    ...(card.maxOutputTokens !== undefined && { outputTokenLimit: card.maxOutputTokens }),
    supportedGenerationMethods: card.formats.includes("generate-content") ? methods : [],
  };
}

const methods = ["generateContent", "streamGenerateContent", "countTokens"];
