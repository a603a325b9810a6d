import type { JsonObject } from "../../canonical/mod.ts";
import type { ModelCard } from "../models/card.ts";

/** The body of `GET /v1beta/models`; `next` is the token of the next page. */
export function encodeModelList(models: readonly ModelCard[], next?: string): JsonObject {
  return {
    models: models.map(encodeModel),
    ...(next !== undefined && { nextPageToken: next }),
  };
}

/** The body of `GET /v1beta/models/{model}`. Unknown limits are left out. */
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
