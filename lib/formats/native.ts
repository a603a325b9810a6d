import type { FormatName, JsonObject, JsonValue, NativeFields } from "../canonical/mod.ts";
import { isEmpty, noMembers } from "./wire_value.ts";

/** Keeps a format's native fields in canonical values. */
export function nativeKeeper(format: FormatName) {
  /** Marks a value as this format's own, even without fields; to be spread into it, like `keep`. */
  const mark = (fields: JsonObject = {}) => ({ native: { format, fields } });
  return {
    /** The native fields of this format; undefined if the value came from another format. */
    ownFields: ({ native }: { readonly native?: NativeFields }): JsonObject | undefined =>
      native?.format === format ? native.fields : undefined,
    /** To be spread into a canonical value: empty if there is nothing to keep. */
    keep: (fields: JsonObject): { native?: NativeFields } =>
      isEmpty(fields) ? noMembers : mark(fields),
    mark,
  };
}

/**
 * Fields whose loss in another format does not matter, each with a test of its value: routing and
 * names, values that canonical fields repeat, defaults.
 */
export type HarmlessFields = Readonly<Record<string, (value: JsonValue) => boolean>>;

/** Fields that are harmless with any value. */
export function harmless(...names: readonly string[]): HarmlessFields {
  return Object.fromEntries(names.map((name) => [name, () => true]));
}
