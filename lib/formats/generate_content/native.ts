import {
  type FormatName,
  isJsonObject,
  type JsonObject,
  type NativeFields,
} from "../../canonical/mod.ts";
import { harmless, type HarmlessFields, nativeKeeper } from "../native.ts";
import { statesOnly, textsOf } from "../wire_value.ts";

export const format = "generate-content" satisfies FormatName;

/**
 * A `null` among the fields records a spelling, not a value (`id: null`: the wire had no id), so
 * other formats ignore it.
 */
export const { ownFields, keep, mark } = nativeKeeper(format);

/** The member that keeps a function's response as the caller wrote it, if it differs from the vendor's wrapper. */
export const wrapped = "wrapped";

/** Settings are harmless if they only request text; members of a result are harmless if its parts repeat them. */
export const harmlessFields: HarmlessFields = {
  ...harmless(wrapped),
  generationConfig: (value) =>
    isJsonObject(value) && statesOnly(value, ["responseModalities"]) &&
    textsOf(value.responseModalities).every((modality) => modality === "TEXT"),
};

/** Restores the native fields of a wire object: joins one level of nesting, omits `null` marks. */
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
