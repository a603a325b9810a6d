import { isObject, parsedJson, type ParsedObject, parsedText } from "./json.ts";
import type { Parameters, ToolDefinition } from "./prompt.ts";
import { type PlaygroundSettings, readParameters } from "./settings.ts";

/** The settings' fields, as typed. */
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

/** The values of the fields, once all are valid. */
export interface FieldValues {
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  readonly parameters: Parameters;
}

type FieldFault =
  | "json"
  | "list"
  | "name"
  | "twice"
  | "parameters"
  | "object"
  | "range"
  | "whole";
export type FieldFaults = { readonly [Name in FieldName]?: FieldFault };

/** The upper bounds of numeric fields. */
export const fieldMax = { temperature: 2, top_p: 1 } as const;

/** The fields of a link, which never include the conversation. */
export function fieldsOf({ parameters }: PlaygroundSettings): Fields {
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

/** The errors of the fields, and their values if there are no errors. */
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
      parameters: { ...validParameters(fields), ...(schema.value && { schema: schema.value }) },
    },
  };
}

/** The parameters, without invalid ones. */
export function validParameters({ stream, ...fields }: Fields): PlaygroundSettings["parameters"] {
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

/** The value of a JSON field, or its error. */
type Read<Value, Fault extends string> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly fault: Fault };

type ToolsFault = "json" | "list" | "name" | "twice" | "parameters";

const toolName = /^[A-Za-z_][\w.-]{0,63}$/;

/** Reads `[{"name", "description", "parameters"}]`; an empty text means no tools. */
export function readTools(text: string): Read<readonly ToolDefinition[], ToolsFault> {
  if (text.trim() === "") return { ok: true, value: [] };
  const value = parsedJson(text);
  if (value === undefined) return { ok: false, fault: "json" };
  if (!Array.isArray(value) || !value.every(isObject)) return { ok: false, fault: "list" };
  const names = value.map(({ name }) => parsedText(name));
  if (!names.every((name) => toolName.test(name))) return { ok: false, fault: "name" };
  if (new Set(names).size < names.length) return { ok: false, fault: "twice" };
  const typed = value.every(({ parameters }) => parameters === undefined || isObject(parameters));
  return typed ? { ok: true, value: value.map(toolOf) } : { ok: false, fault: "parameters" };
}

function toolOf({ name, description, parameters }: ParsedObject): ToolDefinition {
  return {
    name: parsedText(name),
    ...(typeof description === "string" && { description }),
    ...(isObject(parameters) && { parameters }),
  };
}

/** Reads a JSON Schema; an empty text means none. */
function readSchema(text: string): Read<ParsedObject | undefined, "json" | "object"> {
  if (text.trim() === "") return { ok: true, value: undefined };
  const value = parsedJson(text);
  if (value === undefined) return { ok: false, fault: "json" };
  return isObject(value) ? { ok: true, value } : { ok: false, fault: "object" };
}
