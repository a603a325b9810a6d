import type { CustomTool, JsonObject } from "../../canonical/mod.ts";
import { objectIn } from "../wire_value.ts";

/**
 * A free-text tool for formats that have only functions: an object with one string, and the grammar
 * in the description.
 */
export function functionOf({ description, grammar }: CustomTool): {
  readonly description: string;
  readonly parameters: JsonObject;
} {
  const rule = grammar &&
    `The input must match this ${grammar.syntax} grammar:\n${grammar.definition}`;
  return {
    description: [description, rule].filter((text) => text !== undefined).join("\n\n"),
    parameters: {
      type: "object",
      properties: { input: { type: "string" } },
      required: ["input"],
    },
  };
}

/** The free text in `{"input": "…"}`, or the arguments unchanged if they have another form. */
export function unwrapped(text: string): string {
  const input = objectIn(text)?.input;
  return typeof input === "string" ? input : text;
}
