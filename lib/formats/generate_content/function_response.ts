import { isJsonObject, type JsonObject, type JsonValue } from "../../canonical/mod.ts";
import { isEmpty, restOf, textOf } from "../wire_value.ts";

/** The vendor's wrapper of a successful and of a failed call; any other object is the result itself. */
const outputKey = "output";
const errorKey = "error";

/** A function's response without its wrapper. */
interface Said {
  readonly texts: readonly string[];
  readonly isError: boolean;
}

/**
 * Removes the wrapper that a client added: `output` and `error` (vendor), `result` (vendor's
 * automatic calling, LangChain), `content` (vendor's cloud samples), each perhaps beside the tool's
 * `name` (AI SDK), and `error.details` (LangChain). As of 2026-11. Any other object becomes JSON
 * text.
 */
export function decodeFunctionResponse(response: JsonObject, toolName: string): Said {
  const isError = response[errorKey] !== undefined && response[outputKey] === undefined;
  if (isEmpty(response)) return { texts: [], isError };
  const { name, ...rest } = response;
  const inner = name !== undefined && name === toolName ? only(rest) : only(response);
  const details = isError && isJsonObject(inner) ? only(inner, ["details"]) : undefined;
  const [value = response] = [details, inner].filter((value) => value !== undefined);
  return { texts: textsOf(value), isError };
}

/** Returns true if the vendor's own wrapper gives the same object. */
export function isVendorsWay(response: JsonObject): boolean {
  const [value] = [response[outputKey], response[errorKey]].filter((said) => said !== undefined);
  return typeof value === "string" && Object.keys(response).length === 1;
}

export function encodeFunctionResponse(text: string, isError: boolean): JsonObject {
  return { [isError ? errorKey : outputKey]: text };
}

const wrappers = [outputKey, errorKey, "result", "content"];

/** The value of the only member of a wrapper. */
function only(object: JsonObject, names: readonly string[] = wrappers): JsonValue | undefined {
  const [key, ...others] = Object.keys(object);
  return others.length === 0 && names.includes(key) ? object[key] : undefined;
}

function textsOf(value: JsonValue): readonly string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  const isTextList = Array.isArray(value) && value.length > 0 && value.every(isTextBlock);
  return isTextList ? value.map(({ text }) => textOf(text)) : [JSON.stringify(value)];
}

/** A text block of a tool server, without other members. */
function isTextBlock(value: JsonValue): value is JsonObject {
  return isJsonObject(value) && typeof value.text === "string" &&
    (value.type ?? "text") === "text" &&
    isEmpty(restOf(value, ["type", "text"]));
}
