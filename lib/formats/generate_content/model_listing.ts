import { isJsonObject, type JsonObject } from "../../canonical/mod.ts";
import { listedModel, listIn, type ModelListing, modelPage } from "../models/listing.ts";
import { countOf, isEmpty, listOf, objectOf, objectsOf, textOf } from "../wire_value.ts";

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
