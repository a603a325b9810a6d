import type { FormatName, JsonObject, JsonValue, NativeFields } from "../canonical/mod.ts";
import { isEmpty, noMembers } from "./wire_value.ts";

interface Holder {
  readonly native?: NativeFields;
}

/** Keeps a format's native fields in canonical values. */
interface NativeKeeper {
  /** The native fields of this format; undefined if the value came from another format. */
  readonly ownFields: (holder: Holder) => JsonObject | undefined;
  /** To be spread into a canonical value: empty if there is nothing to keep. */
  readonly keep: (fields: JsonObject) => { native?: NativeFields };
  /** Like `keep`, but marks the value as this format's own even without fields. */
  readonly mark: (fields?: JsonObject) => { native: NativeFields };
}

export function nativeKeeper(format: FormatName): NativeKeeper {
  const mark = (fields: JsonObject = {}) => ({ native: { format, fields } });
  return {
    ownFields: ({ native }) => native?.format === format ? native.fields : undefined,
    keep: (fields) => isEmpty(fields) ? noMembers : mark(fields),
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
