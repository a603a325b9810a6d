import { isJsonObject, type JsonObject } from "../../canonical/mod.ts";
import { listedModel, listIn, type ModelCard, type ModelListing, modelPage } from "../models.ts";
import { countOf, isEmpty, listOf, objectOf, objectsOf, textOf } from "../wire_value.ts";

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

const pageRows = 1_000;

/** Pages with a token for the next one. Models that the gateway cannot call, such as live speech, are left out. */
export const modelListing: ModelListing = {
  path: (next) =>
    `/models?pageSize=${pageRows}${
      next === undefined ? "" : `&pageToken=${encodeURIComponent(next)}`
    }`,
  decode(body) {
    const { models, nextPageToken } = objectOf(body);
    const isLeftOut = isJsonObject(body) && isEmpty(body); // the vendor's form of an empty list
    const rows = objectsOf(listIn(isLeftOut ? [] : models)).filter(isCallable);
    return modelPage(rows.map(modelOf), nextPageToken);
  },
};

function modelOf(row: JsonObject) {
  return listedModel({
    id: textOf(row.name).replace(/^models\//, ""),
    displayName: textOf(row.displayName),
    contextWindow: countOf(row.inputTokenLimit),
    maxOutputTokens: countOf(row.outputTokenLimit),
  });
}

/** Methods for answers, embeddings and images. */
const callable = ["generateContent", "embedContent", "predict"];

function isCallable({ supportedGenerationMethods: methods }: JsonObject): boolean {
  return methods === undefined || callable.some((method) => listOf(methods).includes(method));
}
