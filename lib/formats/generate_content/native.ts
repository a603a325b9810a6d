import {
  type FormatName,
  isJsonObject,
  type JsonObject,
  type NativeFields,
} from "../../canonical/mod.ts";
import { harmless, type HarmlessFields, nativeKeeper } from "../native.ts";
import { textsOf } from "../wire_value.ts";

export const format = "generate-content" satisfies FormatName;

/**
 * A `null` among the fields keeps a spelling, not a value (`id: null`: the wire had no id), so it
 * says nothing to any other format.
 */
export const { ownFields, keep, mark } = nativeKeeper(format);

/** A function's response as the caller wrote it, where the vendor's way of saying its text differs. */
export const wrapped = "wrapped";

/** Settings lose nothing if they only ask for text; of a result, members lose nothing that its parts repeat. */
export const harmlessFields: HarmlessFields = {
  ...harmless(wrapped),
  generationConfig: (value) =>
    isJsonObject(value) && Object.keys(value).every((key) => key === "responseModalities") &&
    textsOf(value.responseModalities).every((modality) => modality === "TEXT"),
};

/** A wire object with its kept fields put back: one level of nesting is joined, `null` marks stay out. */
export function withOwnFields(
  wire: JsonObject,
  holder: { readonly native?: NativeFields },
): JsonObject {
  const joined: Record<string, JsonObject[string]> = { ...wire };
  for (const [key, value] of Object.entries(ownFields(holder) ?? {})) {
    const present = joined[key];
    if (value === null || value === undefined) continue;
    joined[key] = isJsonObject(present) && isJsonObject(value) ? { ...value, ...present } : value;
  }
  return joined;
}
