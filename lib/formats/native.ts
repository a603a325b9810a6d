import type { FormatName, JsonObject, JsonValue, NativeFields } from "../canonical/mod.ts";

interface Holder {
  readonly native?: NativeFields;
}

/** How a format keeps, in canonical values, the fields that only it knows. */
export interface NativeKeeper {
  /** The fields that this format kept for itself; undefined where the value came from another one. */
  readonly ownFields: (holder: Holder) => JsonObject | undefined;
  /** To be spread into a canonical value: absent where there is nothing to keep. */
  readonly keep: (fields: JsonObject) => { native?: NativeFields };
  /** The same, but marking the value as this format's own even where it has no further fields. */
  readonly mark: (fields?: JsonObject) => { native: NativeFields };
}

export function nativeKeeper(format: FormatName): NativeKeeper {
  const mark = (fields: JsonObject = {}) => ({ native: { format, fields } });
  return {
    ownFields: ({ native }) => native?.format === format ? native.fields : undefined,
    keep: (fields) => Object.keys(fields).length === 0 ? {} : mark(fields),
    mark,
  };
}

/**
 * The fields of a format that lose nothing where another one leaves them out, each with the values
 * of which that is true: what names or routes, what a canonical field says as well, defaults.
 */
export type HarmlessFields = Readonly<Record<string, (value: JsonValue) => boolean>>;

/** Harmless whatever their value is. */
export function harmless(...names: readonly string[]): HarmlessFields {
  return Object.fromEntries(names.map((name) => [name, () => true]));
}
