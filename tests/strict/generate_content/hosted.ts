import type { JsonObject } from "../../../lib/canonical/mod.ts";
import { drawnPng, foundPage, ranCode, type Reply } from "../small_model.ts";
import type { GeneratePart } from "./schema.ts";

/** The parts of a server tool; a search has none. */
export function hostedParts({ hosted, draws }: Reply): GeneratePart[] {
  return [
    ...(hosted === "code-execution"
      ? [
        { executableCode: { language: "PYTHON", code: ranCode.code } },
        { codeExecutionResult: { outcome: "OUTCOME_OK", output: ranCode.output } },
      ]
      : []),
    ...(draws ? [{ inlineData: { mimeType: "image/png", data: drawnPng } }] : []),
  ];
}

/** Grounds the whole text on the found page; offsets are bytes. */
export function groundingOf({ hosted, text = "" }: Reply): JsonObject {
  if (hosted !== "web-search") return {};
  const { url: uri, title } = foundPage;
  const endIndex = new TextEncoder().encode(text).length;
  return {
    groundingMetadata: {
      webSearchQueries: ["weather oslo"],
      groundingChunks: [{ web: { uri, title } }],
      groundingSupports: [{
        segment: { startIndex: 0, endIndex, text },
        groundingChunkIndices: [0],
      }],
    },
  };
}
