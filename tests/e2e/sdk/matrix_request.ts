import type { JsonObject } from "../../../lib/canonical/mod.ts";
import type { Asking } from "./matrix.ts";

/** The tool of all scenarios. */
export const weatherTool = {
  name: "get_weather",
  description: "Tells the weather",
  schema: {
    type: "object" as const,
    properties: { city: { type: "string" }, days: { type: "integer", minimum: 1 } },
    required: ["city"],
  },
};
export const answerSchema = {
  type: "object" as const,
  properties: { city: { type: "string" }, warm: { type: "boolean" } },
  required: ["city", "warm"],
  additionalProperties: false,
};

/** The headers that the SDK adds to each of its calls. */
export function headersOf({ strict }: Asking): Record<string, string> {
  return strict ? { "tessera-strict": "true" } : {};
}

export function parsed(text: string): JsonObject {
  return JSON.parse(text);
}
