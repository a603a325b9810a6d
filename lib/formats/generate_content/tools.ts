import {
  type CustomTool,
  distinctTools,
  type FunctionTool,
  GatewayError,
  type HostedTool,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Tool,
  translateSchema,
} from "../../canonical/mod.ts";
import { unsupported } from "../error.ts";
import { functionOf, ownSettings } from "../request/tools.ts";
import { defined, objectsOf, restOf, textOf, textsOf } from "../wire_value.ts";
import { format, keep, mark, ownFields, withOwnFields } from "./native.ts";
import { type RequestContext, sentToolName } from "./request_context.ts";
import { decodeSchema, encodeSchema, takesNothing, toolSchemas } from "./schema_dialect.ts";

/** Decodes each function and each hosted tool into a tool of its own; one wire tool may hold several. */
export function decodeTools(tools: JsonValue | undefined): Tool[] {
  return objectsOf(tools).flatMap((tool) =>
    Object.entries(tool).flatMap(([key, value]) => decodeMember(key, value))
  );
}

/** Puts all functions into one wire tool, at the position of the first: the vendor requires them together. */
export function encodeTools(all: readonly Tool[], context: RequestContext): JsonObject[] {
  const tools = context.own ? all : distinctTools(all);
  const declarations: JsonObject[] = [];
  const wire: JsonObject[] = [];
  const mixed = tools.some(isFunction);
  for (const [index, tool] of tools.entries()) {
    const path = `tools[${index}]`;
    if (isFunction(tool)) {
      if (declarations.length === 0) wire.push({ functionDeclarations: declarations });
      declarations.push(encodeFunction(tool, path, context));
    } else wire.push(...encodeHosted(tool, { path, mixed }, context));
  }
  return wire;
}

/** Returns true for tools that the caller runs. */
export function isFunction(tool: Tool): tool is FunctionTool | CustomTool {
  return tool.type === "function" || tool.type === "custom";
}

function decodeMember(key: string, value: JsonValue | undefined): Tool[] {
  if (value === null || value === undefined) return [];
  if (key === "functionDeclarations") return objectsOf(value).map(decodeFunction);
  const kind = hostedKinds.get(key);
  if (!kind || !isJsonObject(value)) return [{ type: "native", format, value: { [key]: value } }];
  const blockedDomains = textsOf(value.excludeDomains);
  return [{
    type: "hosted",
    kind,
    ...(blockedDomains.length > 0 && { blockedDomains }),
    ...ownSettings(value, ["excludeDomains"]),
    ...mark({ [key]: value }),
  }];
}

const hostedKinds: ReadonlyMap<string, HostedTool["kind"]> = new Map([
  ["googleSearch", "web-search"],
  ["googleSearchRetrieval", "web-search"],
  ["codeExecution", "code-execution"],
  ["urlContext", "url-fetch"],
]);

/** A `null` under the field's name records which of two spellings the schema had. */
function decodeFunction(declaration: JsonObject): FunctionTool {
  const { description, parameters, parametersJsonSchema: jsonSchema } = declaration;
  const spelling = isJsonObject(jsonSchema) ? "parametersJsonSchema" : "parameters";
  const schema = isJsonObject(jsonSchema)
    ? jsonSchema
    : isJsonObject(parameters)
    ? decodeSchema(parameters)
    : undefined;
  return {
    type: "function",
    name: textOf(declaration.name),
    ...(typeof description === "string" && { description }),
    ...(schema && { parameters: schema }),
    ...keep({
      ...(schema && { [spelling]: null }),
      ...restOf(declaration, ["name", "description", spelling]),
    }),
  };
}

function encodeFunction(
  tool: FunctionTool | CustomTool,
  path: string,
  context: RequestContext,
): JsonObject {
  const { notes } = context;
  const name = sentToolName(tool);
  if (tool.namespace !== undefined) notes.add("toolNamespace", `${path}.namespace`);
  else if (name !== tool.name) notes.add("toolName", `${path}.name`);
  notes.foreign(tool.native, path);
  if (tool.type === "custom") return encodeCustom(tool, path, context);
  const description = tool.description ?? (context.own ? undefined : "");
  return withOwnFields(
    defined({ name, description, ...encodeParameters(tool, path, context) }),
    tool,
  );
}

function encodeParameters(
  tool: FunctionTool,
  path: string,
  { notes }: RequestContext,
): JsonObject {
  const { parameters } = tool;
  const own = ownFields(tool);
  if (own && parameters && "parameters" in own) return { parameters: encodeSchema(parameters) };
  if (own && parameters) return { parametersJsonSchema: parameters };
  if (!parameters || takesNothing(parameters)) return {};
  const translated = translateSchema(parameters, toolSchemas, `${path}.parameters`);
  notes.addAll(translated.notes);
  return { parametersJsonSchema: translated.schema };
}

/** A free-text tool as a function with one text; the answer's `input` is unwrapped again. */
function encodeCustom(tool: CustomTool, path: string, { notes }: RequestContext): JsonObject {
  notes.add("customTool", path);
  const { description, parameters } = functionOf(tool);
  return { name: sentToolName(tool), description, parametersJsonSchema: parameters };
}

function encodeHosted(
  tool: Exclude<Tool, FunctionTool | CustomTool>,
  { path, mixed }: { readonly path: string; readonly mixed: boolean },
  context: RequestContext,
): JsonObject[] {
  const { notes, traits } = context;
  if (tool.type === "native") {
    if (tool.format === format && isJsonObject(tool.value)) return [tool.value];
    notes.add("toolNative", path);
    return [];
  }
  const own = ownFields(tool);
  if (own) return [own];
  if (mixed && !traits.mixesTools) {
    notes.add("toolMix", path);
    return [];
  }
  notes.settings(tool, path);
  for (const setting of settings) {
    if (tool[setting] !== undefined) notes.add("toolSetting", `${path}.${setting}`);
  }
  return [{ [wireHosted[tool.kind]]: {} }];
}

/** The vendor's public endpoint supports none of these settings (`excludeDomains` only works in its cloud). */
const settings = [
  "allowedDomains",
  "blockedDomains",
  "userLocation",
  "searchContextSize",
  "maxUses",
] as const satisfies readonly (keyof HostedTool)[];

const wireHosted = {
  "web-search": "googleSearch",
  "code-execution": "codeExecution",
  "url-fetch": "urlContext",
} as const satisfies Record<HostedTool["kind"], string>;

/** Refuses a tool choice that only another format understands: the answer would not show its loss. */
export function refusedChoice(): GatewayError {
  return unsupported(
    "toolChoice",
    "names a tool that the generate-content format does not support. Let the model choose",
  );
}
