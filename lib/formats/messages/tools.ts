import {
  type CanonicalRequest,
  type CustomTool,
  distinctTools,
  type FunctionTool,
  isJsonObject,
  type JsonObject,
  type Tool,
  translateSchema,
  wholeVocabulary,
} from "../../canonical/mod.ts";
import { meetsStrictRules, noParameters } from "../request/schemas.ts";
import { functionOf } from "../request/tools.ts";
import { defined, objectsOf, restOf, textOf, textOrNothing } from "../wire_value.ts";
import { decodeCache, encodeCache } from "./cache.ts";
import { isServerAlone } from "./mcp.ts";
import { format, keep, mark, ownFields } from "./native.ts";
import { type RequestContext, sentToolName } from "./request_context.ts";
import { closedSchema, strictSchemas } from "./schema_dialect.ts";
import { clientToolOf, decodeHosted, encodeHosted, hostedKindOf } from "./vendor_tools.ts";

export function decodeTools(tools: unknown): Tool[] {
  return objectsOf(tools).map(decodeTool);
}

/** The tools in order, without those that the choice excludes; stubs if only the history has tools. */
export function encodeTools(request: CanonicalRequest, context: RequestContext): JsonObject[] {
  const { toolChoice } = request;
  const declared = context.own
    ? request.tools.filter((tool) => !isInline(tool) && !isServerAlone(tool))
    : distinctTools(request.tools);
  const tools = withFittingStrictness(declared, context);
  if (tools.length === 0 && !context.own) return stubsOf(request, context);
  const allowed = toolChoice?.type === "allowed" ? new Set(toolChoice.names) : undefined;
  return tools.flatMap((tool, index) => {
    const path = `tools[${index}]`;
    if (allowed && !("name" in tool && allowed.has(tool.name))) {
      context.notes.add("toolSubset", path);
      return [];
    }
    const encoded = encodeTool(tool, path, context);
    return encoded ? [encoded] : [];
  });
}

/** Returns true if a message defines the tool, so that it must not be stated twice. */
function isInline(tool: Tool): boolean {
  return tool.type !== "native" && ownFields(tool)?.inline === true;
}

function decodeTool(tool: JsonObject): Tool {
  const type = textOrNothing(tool.type);
  if (type === undefined || type === "custom") return decodeFunction(tool);
  const client = clientToolOf(type);
  if (client) { // its native fields are without the description that other formats get
    const own = mark(restOf(tool, ["name", "strict", "cache_control"]));
    return { ...decodeFunction(tool), ...client, ...own };
  }
  const kind = hostedKindOf(type);
  if (kind) return decodeHosted(tool, kind);
  return { type: "native", format, value: tool };
}

function decodeFunction(tool: JsonObject): FunctionTool {
  const { input_schema: schema, strict } = tool;
  const description = textOrNothing(tool.description);
  return {
    type: "function",
    name: textOf(tool.name),
    ...(description !== undefined && { description }),
    ...(isJsonObject(schema) && { parameters: schema }),
    ...(typeof strict === "boolean" && { strict }),
    ...decodeCache(tool.cache_control),
    ...keep(
      restOf(tool, ["name", "description", "input_schema", "strict", "cache_control"]),
    ),
  };
}

function encodeTool(
  tool: Tool,
  path: string,
  context: RequestContext,
): JsonObject | undefined {
  const cache = encodeCache(tool.cache, path, context);
  switch (tool.type) {
    case "function":
      return { ...encodeFunction(tool, path, context), ...cache };
    case "custom":
      return { ...encodeCustom(tool, path, context), ...cache };
    case "hosted":
      return { ...(ownFields(tool) ?? encodeHosted(tool, path, context)), ...cache };
    case "native":
      if (tool.format === format && isJsonObject(tool.value)) return tool.value;
      context.notes.add("toolNative", path);
      return undefined;
    default:
      return tool satisfies never;
  }
}

function encodeFunction(tool: FunctionTool, path: string, context: RequestContext): JsonObject {
  const own = ownFields(tool);
  context.notes.foreign(tool.native, `${path}.native`);
  const name = encodeName(tool, path, context);
  if (own?.type !== undefined && own.type !== "custom") {
    return defined({ ...own, name, strict: tool.strict });
  }
  return defined({
    ...own,
    name,
    description: tool.description,
    input_schema: encodeParameters(tool, path, context),
    strict: own || tool.strict ? tool.strict : undefined,
  });
}

/** Schemas of this format stay unchanged; others are fitted, more strictly for strict tools. */
function encodeParameters(
  { parameters = { type: "object", properties: {} }, strict }: FunctionTool,
  path: string,
  { own, notes }: RequestContext,
): JsonObject {
  if (own) return parameters;
  const dialect = strict ? { ...strictSchemas, objectRoot: true } : wholeVocabulary;
  const translated = translateSchema(parameters, dialect, `${path}.parameters`);
  notes.addAll(translated.notes);
  return strict ? closedSchema(translated.schema).schema : translated.schema;
}

/** Free text becomes the one string of an object; the answer's side unwraps it. */
function encodeCustom(tool: CustomTool, path: string, context: RequestContext): JsonObject {
  context.notes.add("customTool", path);
  context.notes.foreign(tool.native, `${path}.native`);
  const { description, parameters } = functionOf(tool);
  return { name: encodeName(tool, path, context), description, input_schema: parameters };
}

function encodeName(
  tool: FunctionTool | CustomTool,
  path: string,
  context: RequestContext,
): string {
  const name = sentToolName(tool, context);
  if (tool.namespace !== undefined) context.notes.add("toolNamespace", `${path}.namespace`);
  else if (name !== tool.name) context.notes.add("toolName", `${path}.name`);
  return name;
}

function stubsOf({ turns }: CanonicalRequest, context: RequestContext): JsonObject[] {
  const calls = turns.flatMap(({ parts }) => parts.filter((part) => part.type === "tool-call"));
  if (calls.length === 0) return [];
  context.notes.add("toolStub");
  const names = new Set(calls.map((call) => sentToolName(call, context)));
  return [...names].map((name) => ({ name, input_schema: { type: "object", properties: {} } }));
}

/** Maximum strict tools (2026-11). */
const strictToolsMax = 20;

/** Keeps as many tools strict as the vendor accepts, each with a schema that its strict mode accepts. */
function withFittingStrictness(
  tools: readonly Tool[],
  { own, notes, traits }: RequestContext,
): readonly Tool[] {
  if (own) return tools;
  let count = 0;
  return tools.map((tool, index) => {
    if (tool.type !== "function" || !tool.strict) return tool;
    const { strict: _, ...loose } = tool;
    const { parameters = noParameters } = tool;
    if (traits.structuredOutput && meetsStrictRules(parameters) && count < strictToolsMax) {
      count++;
      return { ...tool, parameters };
    }
    notes.add("toolStrict", `tools[${index}].strict`);
    return loose;
  });
}
