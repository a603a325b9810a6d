import type { Parameters, Tool } from "./prompt.ts";
import { readSchema, readTools } from "./read_fields.ts";
import { readParameters, type Settings } from "./settings.ts";

/** What stands in the fields of the settings, as it was typed. */
export const fieldNames = [
  "system",
  "temperature",
  "max_tokens",
  "top_p",
  "effort",
  "stop",
  "schema",
  "tools",
] as const;
export type FieldName = typeof fieldNames[number];
export type Fields = Readonly<Record<FieldName, string>> & { readonly stream: boolean };

/** What the fields say once none of them is wrong. */
export interface FieldValues {
  readonly system: string;
  readonly tools: readonly Tool[];
  readonly parameters: Parameters;
}

export type FieldFault =
  | "json"
  | "list"
  | "name"
  | "twice"
  | "parameters"
  | "object"
  | "range"
  | "whole";
export type FieldFaults = { readonly [Name in FieldName]?: FieldFault };

/** The largest values of those that have one. */
export const fieldMax = { temperature: 2, top_p: 1 } as const;

/** The fields of a link; what is said to the model is in none. */
export function fieldsOf({ parameters }: Settings): Fields {
  const { temperature, maxTokens, topP, effort, stop, stream } = parameters;
  const text = (value: number | undefined) => value === undefined ? "" : String(value);
  return {
    system: "",
    temperature: text(temperature),
    max_tokens: text(maxTokens),
    top_p: text(topP),
    effort: effort ?? "",
    stop: stop.join("\n"),
    schema: "",
    tools: "",
    stream,
  };
}

/** The faults of the fields, and what they say where there are none. */
export function readFields(
  fields: Fields,
): { readonly faults: FieldFaults; readonly values?: FieldValues } {
  const [tools, schema] = [readTools(fields.tools), readSchema(fields.schema)];
  const faults: FieldFaults = {
    ...(isBeyond(fields.temperature, fieldMax.temperature) && { temperature: "range" }),
    ...(isBeyond(fields.top_p, fieldMax.top_p) && { top_p: "range" }),
    ...(isNoCount(fields.max_tokens) && { max_tokens: "whole" }),
    ...(!tools.ok && { tools: tools.fault }),
    ...(!schema.ok && { schema: schema.fault }),
  };
  if (!tools.ok || !schema.ok || Object.keys(faults).length > 0) return { faults };
  return {
    faults,
    values: {
      system: fields.system,
      tools: tools.value,
      parameters: { ...parametersOf(fields), ...(schema.value && { schema: schema.value }) },
    },
  };
}

/** The parameters, those left out that are wrong. */
export function parametersOf({ stream, ...fields }: Fields): Settings["parameters"] {
  return readParameters(new URLSearchParams({ ...fields, stream: stream ? "1" : "0" }));
}

function isBeyond(text: string, max: number): boolean {
  const value = Number(text);
  return text.trim() !== "" && !(value >= 0 && value <= max);
}

function isNoCount(text: string): boolean {
  const value = Number(text);
  return text.trim() !== "" && !(Number.isInteger(value) && value >= 1);
}
