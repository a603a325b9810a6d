import type { CustomTool, JsonObject, UserLocation } from "../../canonical/mod.ts";
import {
  isEmpty,
  objectIn,
  restOf,
  saysNothing,
  statesOnly,
  textOrNothing,
} from "../wire_value.ts";

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
export function freeTextIn(text: string): string {
  const input = objectIn(text)?.input;
  return typeof input === "string" ? input : text;
}

/** Members of hosted tools that are no settings, in any format: type, name, allowed callers and loading. */
const structure = ["type", "name", "cache_control", "allowed_callers", "defer_loading"];

/** The names of a hosted tool's settings without a canonical field; absent if there are none. */
export function ownSettings(
  tool: JsonObject,
  canonical: readonly string[],
): { ownSettings?: readonly string[] } {
  const stated = restOf(tool, [...structure, ...canonical]);
  const names = Object.keys(stated).filter((name) => !saysNothing(stated[name]));
  return names.length > 0 ? { ownSettings: names } : {};
}

/** The user's location for a hosted search; three formats use the same members. */
export function decodeUserLocation(
  { city, region, country, timezone }: JsonObject,
): { userLocation?: UserLocation } {
  const places = Object.entries({ city, region, country, timezone })
    .filter(([, place]) => textOrNothing(place) !== undefined);
  const userLocation: UserLocation = Object.fromEntries(places);
  return isEmpty(userLocation) ? {} : { userLocation };
}

/** True if the canonical location has everything that the caller's says. */
export function isWholeLocation(location: JsonObject): boolean {
  const { city, region, country, timezone } = location;
  return statesOnly(location, ["type", "city", "region", "country", "timezone"]) &&
    [city, region, country, timezone].every((place) =>
      saysNothing(place) || typeof place === "string"
    );
}

const errorPrefix = "Error: ";

/** A tool's output that says itself that it is an error, for formats without a flag for that. */
export function asToolError(content: readonly JsonObject[], textType: string): JsonObject[] {
  const [first, ...rest] = content;
  if (first?.type !== textType || typeof first.text !== "string") {
    return [{ type: textType, text: errorPrefix.trim() }, ...content];
  }
  const { text } = first;
  return [{ ...first, text: /^error\b/i.test(text) ? text : errorPrefix + text }, ...rest];
}
