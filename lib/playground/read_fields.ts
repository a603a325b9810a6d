import { isObject, parsedJson, type ParsedObject, parsedText } from "./json.ts";
import type { ToolDefinition } from "./prompt.ts";

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
export function readSchema(text: string): Read<ParsedObject | undefined, "json" | "object"> {
  if (text.trim() === "") return { ok: true, value: undefined };
  const value = parsedJson(text);
  if (value === undefined) return { ok: false, fault: "json" };
  return isObject(value) ? { ok: true, value } : { ok: false, fault: "object" };
}
