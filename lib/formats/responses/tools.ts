import {
  type CustomTool,
  type FunctionTool,
  type HostedTool,
  isJsonObject,
  type JsonObject,
  type McpServer,
  type Tool,
  translateSchema,
  wholeVocabulary,
} from "../../canonical/mod.ts";
import { meetsStrictRules, noParameters } from "../request/schemas.ts";
import { decodeUserLocation, isWholeLocation, ownSettings } from "../request/tools.ts";
import {
  defined,
  isEmpty,
  objectOf,
  objectsOf,
  restOf,
  statesOnly,
  textOf,
  textOrNothing,
  textsOf,
} from "../wire_value.ts";
import { format, mark, ownFields } from "./native.ts";
import { type RequestContext, sentToolName } from "./request_context.ts";

export function decodeTools(tools: unknown): Tool[] {
  return objectsOf(tools).flatMap((tool) =>
    tool.type === "namespace" ? decodeNamespace(tool) : [decodeTool(tool)]
  );
}

/** The tools in order; adjacent tools of one namespace are joined in it. */
export function encodeTools(tools: readonly Tool[], context: RequestContext): JsonObject[] {
  const wire: JsonObject[] = [];
  let open: { name: string; tools: JsonObject[] } | undefined;
  for (const [index, tool] of tools.entries()) {
    const encoded = encodeTool(tool, `tools[${index}]`, context);
    const namespace = tool.type === "native" ? undefined : tool.namespace;
    if (encoded === undefined) continue;
    if (namespace === undefined) {
      open = undefined;
      wire.push(encoded);
    } else if (open?.name === namespace && !startsNamespace(tool)) open.tools.push(encoded);
    else {
      open = { name: namespace, tools: [encoded] };
      wire.push({ description: "", ...namespaceFields(tool), type: "namespace", ...open });
    }
  }
  return wire;
}

function decodeTool(tool: JsonObject): Tool {
  if (tool.type === "function") return decodeFunction(tool);
  if (tool.type === "custom") return decodeCustom(tool);
  const kind = hostedKindOf(tool.type);
  if (kind === "web-search") return decodeWebSearch(tool);
  return kind ? decodeProgram(tool, kind) : { type: "native", format, value: tool };
}

function decodeFunction(tool: JsonObject): FunctionTool {
  const { strict, parameters } = tool;
  const description = textOrNothing(tool.description);
  return {
    type: "function",
    name: textOf(tool.name),
    ...(description !== undefined && { description }),
    ...(isJsonObject(parameters) && { parameters }),
    ...(typeof strict === "boolean" && { strict }),
    ...mark(restOf(tool, ["type", "name", "description", "parameters", "strict"])),
  };
}

function decodeCustom(tool: JsonObject): CustomTool {
  const input = objectOf(tool.format);
  const { syntax } = input;
  const isGrammar = input.type === "grammar" && (syntax === "lark" || syntax === "regex");
  const isKnown = isGrammar && statesOnly(input, ["type", "syntax", "definition"]);
  const description = textOrNothing(tool.description);
  return {
    type: "custom",
    name: textOf(tool.name),
    ...(description !== undefined && { description }),
    ...(isGrammar && { grammar: { syntax, definition: textOf(input.definition) } }),
    ...mark(restOf(tool, ["type", "name", "description", ...(isKnown ? ["format"] : [])])),
  };
}

/**
 * The members of a namespace, each with its name; the first keeps the namespace's own fields. A
 * namespace with other tools than functions and custom tools stays whole.
 */
function decodeNamespace(tool: JsonObject): Tool[] {
  const members = objectsOf(tool.tools);
  const plain = members.every(({ type }) => type === "function" || type === "custom");
  const namespace = textOf(tool.name);
  if (members.length === 0 || !plain || namespace === "") {
    return [{ type: "native", format, value: tool }];
  }
  const own = restOf(tool, ["type", "name", "tools"]);
  return members.map((member, index) => {
    const decoded = member.type === "function" ? decodeFunction(member) : decodeCustom(member);
    const fields = ownFields(decoded) ?? {};
    return { ...decoded, namespace, ...mark(index === 0 ? { ...fields, namespace: own } : fields) };
  });
}

function startsNamespace(tool: Tool): boolean {
  return tool.type !== "native" && ownFields(tool)?.namespace !== undefined;
}

function namespaceFields(tool: Tool): JsonObject {
  return tool.type === "native" ? {} : objectOf(ownFields(tool)?.namespace);
}

function encodeTool(tool: Tool, path: string, context: RequestContext): JsonObject | undefined {
  if (tool.cache) context.notes.add("toolCache", `${path}.cache`);
  switch (tool.type) {
    case "function":
      context.notes.foreign(tool.native, `${path}.native`);
      return encodeFunction(tool, path, context);
    case "custom":
      context.notes.foreign(tool.native, `${path}.native`);
      return encodeCustom(tool, path, context);
    case "hosted":
      return ownFields(tool) ?? encodeHosted(tool, path, context);
    case "native":
      if (tool.format === format && isJsonObject(tool.value)) return tool.value;
      if (tool.mcp) return encodeMcp(tool.mcp);
      context.notes.add("toolNative", path);
      return undefined;
    default:
      return tool satisfies never;
  }
}

/**
 * Without `strict` the vendor tries strict mode, which most schemas of other formats fail: it is
 * stated for every tool of another format.
 */
function encodeFunction(tool: FunctionTool, path: string, context: RequestContext): JsonObject {
  const own = ownFields(tool);
  const head = { type: "function", name: encodeToolName(tool.name, path, context) };
  if (own) {
    return defined({
      ...restOf(own, ["namespace"]),
      ...head,
      description: tool.description,
      parameters: tool.parameters ?? null,
      strict: tool.strict,
    });
  }
  const translated = translateSchema(
    tool.parameters ?? (tool.strict ? noParameters : { type: "object", properties: {} }),
    wholeVocabulary,
    `${path}.parameters`,
  );
  context.notes.addAll(translated.notes);
  return defined({
    ...head,
    description: tool.description,
    parameters: translated.schema,
    strict: tool.strict === true && keepsStrict(translated.schema, path, context),
  });
}

function keepsStrict(schema: JsonObject, path: string, { notes }: RequestContext): boolean {
  if (meetsStrictRules(schema)) return true;
  notes.add("toolStrict", `${path}.strict`);
  return false;
}

function encodeCustom(tool: CustomTool, path: string, context: RequestContext): JsonObject {
  return defined({
    ...(tool.grammar && { format: { type: "grammar", ...tool.grammar } }),
    ...restOf(ownFields(tool) ?? {}, ["namespace"]),
    type: "custom",
    name: encodeToolName(tool.name, path, context),
    description: tool.description,
  });
}

function encodeToolName(name: string, path: string, context: RequestContext): string {
  const safe = sentToolName({ name }, context);
  if (safe !== name) context.notes.add("toolName", `${path}.name`);
  return safe;
}

/** The kind of a hosted tool by its wire type; undefined for any other. */
export function hostedKindOf(type: unknown): HostedTool["kind"] | undefined {
  switch (type) {
    case "web_search":
    case "web_search_2025_08_26":
    case "web_search_preview":
    case "web_search_preview_2025_03_11":
      return "web-search";
    case "code_interpreter":
      return "code-execution";
  }
}

function decodeWebSearch(tool: JsonObject): HostedTool {
  const domains = textsOf(objectOf(tool.filters).allowed_domains);
  const size = (["low", "medium", "high"] as const).find((name) =>
    name === tool.search_context_size
  );
  const isByDomain = isEmpty(restOf(objectOf(tool.filters), ["allowed_domains"]));
  return {
    type: "hosted",
    kind: "web-search",
    ...(domains.length > 0 && { allowedDomains: domains }),
    ...(size && { searchContextSize: size }),
    ...decodeUserLocation(objectOf(tool.user_location)),
    ...ownSettings(tool, [
      ...(size ? ["search_context_size"] : []),
      ...(isWholeLocation(objectOf(tool.user_location)) ? ["user_location"] : []),
      ...(isByDomain ? ["filters"] : []),
      ...(tool.external_web_access === true ? ["external_web_access"] : []),
    ]),
    ...mark(tool),
  };
}

/** A code interpreter. An empty, automatically created container counts as the default. */
function decodeProgram(tool: JsonObject, kind: HostedTool["kind"]): HostedTool {
  const container = objectOf(tool.container);
  const isOwn = container.type === "auto" && isEmpty(restOf(container, ["type"]));
  return { type: "hosted", kind, ...ownSettings(tool, isOwn ? ["container"] : []), ...mark(tool) };
}

/** Never requires approval, as in the format from which the server comes. */
function encodeMcp({ name, url, token, allowedTools }: McpServer): JsonObject {
  return defined({
    type: "mcp",
    server_label: name,
    server_url: url,
    authorization: token,
    allowed_tools: allowedTools,
    require_approval: "never",
  });
}

function encodeHosted(
  tool: HostedTool,
  path: string,
  context: RequestContext,
): JsonObject | undefined {
  context.notes.settings(tool, path);
  if (tool.maxUses !== undefined) context.notes.add("maxUses", `${path}.maxUses`);
  switch (tool.kind) {
    case "web-search":
      if (tool.blockedDomains?.length) {
        context.notes.add("blockedDomains", `${path}.blockedDomains`);
      }
      return encodeWebSearch(tool);
    case "code-execution":
      return { type: "code_interpreter", container: { type: "auto" } };
    case "url-fetch":
      context.notes.add("urlFetch", path);
      return undefined;
    default:
      return tool.kind satisfies never;
  }
}

function encodeWebSearch(
  { allowedDomains, searchContextSize, userLocation }: HostedTool,
): JsonObject {
  return {
    type: "web_search",
    ...(allowedDomains?.length && { filters: { allowed_domains: allowedDomains } }),
    ...(searchContextSize && { search_context_size: searchContextSize }),
    ...(userLocation && { user_location: { type: "approximate", ...userLocation } }),
  };
}
